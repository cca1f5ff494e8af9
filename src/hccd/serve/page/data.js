// The table: dropped, chosen, or the example; sent with progress, and taken back.

const PARTS = ["columns", "knowledge", "settings", "start"]; // of the page, for a table

let sending = null; // what cancels it

function megabytes(bytes) {
  return bytes < 100_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

function showPart(part) {
  byId("lead").hidden = part === "brought";
  ["bring", "sending", "brought"].forEach((id) => { byId(id).hidden = id !== part; });
}

async function bring(file) {
  if (sending) return;
  refuse("data-trouble", "");
  if (file.size > state.form.limit) {
    refuse("data-trouble", state.form.too_large);
    return;
  }
  sending = new AbortController();
  byId("sending-name").textContent = file.name;
  showPart("sending");
  const sent = (done, all) => {
    byId("sending-bar").value = all ? done / all : 0;
    byId("sending-text").textContent = done < all ? `${megabytes(done)} of ${megabytes(all)}` : "reading the table";
  };
  sent(0, file.size || 1);
  try {
    const added = await send(file, `tables?name=${encodeURIComponent(file.name.toWellFormed?.() ?? file.name)}`, sent, sending.signal);
    if (added !== null) await opened(added);
  } catch (error) {
    showPart("bring");
    refuse("data-trouble", error.message);
  }
  sending = null;
}

// A table is on the server: look at it, and show what was found; one that cannot be read goes at once.
async function opened(added) {
  startAnew(added.key);
  byId("sending-text").textContent = "reading the table";
  byId("sending-bar").removeAttribute("value");
  await look();
  if (state.key !== added.key) return; // cancelled
  if (state.columns.length === 0) {
    const { sentence } = state.refusal;
    await forget();
    throw new Error(sentence);
  }
  showTable(added);
  announce(`${counted(state.columns.length, "column")}; ${state.looked.check.understood}`);
}

function showTable(added) {
  byId("file-name").textContent = added.name;
  byId("file-size").textContent = megabytes(added.size);
  showPart("brought");
  PARTS.forEach((id) => { byId(id).hidden = false; });
  history.replaceState(null, "", `#${added.key}`);
  drawColumns();
  watchers.forEach((watcher) => watcher());
}

// The file is read in another way: what was known about its columns is gone, and what was chosen for them.
function readAgain() {
  if (state.key === null) watchers.forEach((watcher) => watcher());
  else {
    Object.assign(state, { columns: [], kinds: new Map(), tiers: [[], []], looked: null, seen: new Map(), refusal: null });
    changed();
  }
}

// After a look: the columns, or why there are none.
function showRead() {
  if (state.key === null || byId("brought").hidden || (state.looked === null && state.refusal === null)) return;
  const read = state.columns.length > 0;
  refuse("data-trouble", read ? "" : state.refusal.sentence);
  if (read === byId("columns").hidden) PARTS.forEach((id) => { byId(id).hidden = !read; });
  if (state.columns !== drawnColumns) drawColumns();
}

function startAnew(key) {
  Object.assign(state, { key, columns: [], kinds: new Map(), tiers: [[], []], options: {}, looked: null, seen: new Map(), refusal: null, learned: null });
  [...PARTS, "result"].forEach((id) => { byId(id).hidden = true; });
  refuse("run-trouble", "");
  byId("filter").value = "";
}

async function forget() {
  const path = tablePath();
  startAnew(null);
  history.replaceState(null, "", location.pathname);
  await ask("DELETE", path).catch(() => null);
}

function setUpData() {
  watch(showRead);
  const over = (on) => byId("drop").classList.toggle("over", on);
  const single = (files) => {
    if (files.length > 1) refuse("data-trouble", "these are several files: drop one");
    else if (files.length === 1) bring(files[0]);
  };
  byId("file").addEventListener("change", (event) => {
    single([...event.target.files]);
    event.target.value = "";
  });
  // A file that misses the place must not replace the page.
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    over(!byId("bring").hidden);
  });
  document.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) over(false); });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    if (!byId("bring").hidden) single([...event.dataTransfer.files]);
  });
  byId("sending-cancel").addEventListener("click", async () => {
    sending?.abort();
    if (state.key !== null) await forget();
    showPart("bring");
  });
  byId("example").addEventListener("click", async () => {
    refuse("data-trouble", "");
    byId("sending-name").textContent = "ALARM";
    showPart("sending");
    try {
      await opened(await ask("PUT", "tables/example"));
    } catch (error) {
      showPart("bring");
      refuse("data-trouble", error.message);
    }
  });
  byId("another").addEventListener("click", async () => {
    await forget();
    state.reading = {};
    readAgain();
    showPart("bring");
    byId("file").focus();
  });
}
