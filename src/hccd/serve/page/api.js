// What the server is asked. A refusal is an Error whose message is the sentence to show.

const GONE = "hccd serve does not answer: start it again, and open the address that it prints.";

async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, { method, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Error(GONE);
  }
  if (answer.status === 204) return null;
  const said = await answer.json().catch(() => ({ sentence: GONE }));
  if (!answer.ok) throw new Error(said.sentence);
  return said;
}

// Send a file; returns the answer, or null if it was cancelled. XMLHttpRequest, since fetch does not tell how far it is.
function send(file, path, sent, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", path);
    request.upload.addEventListener("progress", (event) => sent(event.loaded, event.total));
    request.addEventListener("load", () => {
      let said;
      try { said = JSON.parse(request.responseText); } catch { said = { sentence: GONE }; }
      if (request.status < 300) resolve(said);
      else reject(new Error(said.sentence));
    });
    request.addEventListener("error", () => reject(new Error("the file cannot be sent: it may be a folder, or hccd serve has ended")));
    request.addEventListener("abort", () => resolve(null));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

const tablePath = (rest = "") => `tables/${state.key}${rest}`;
