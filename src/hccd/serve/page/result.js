// What came out: the report, the files, and how to have the same again.

const SUMMARY = ["edges", "confidence", "fit"];

let shows = 0;

function showResult(run) {
  const { result } = run;
  shows += 1;
  const report = tablePath("/files/report.html");
  const name = `name=${encodeURIComponent(byId("file-name").textContent)}`;
  byId("report").src = `${report}?show=${shows}&${name}`;
  byId("report-tab").href = `${report}?${name}`;
  byId("download-all").href = tablePath("/files/hccd.zip");
  byId("summary").replaceChildren(...result.summary.filter(([label]) => SUMMARY.includes(label))
    .map(([label, text]) => make("div", {}, make("dt", {}, label), make("dd", {}, text))));
  // Warnings are in the report and under Columns.
  byId("run-said").replaceChildren(...run.said.filter(([what]) => what === "note").map(([what, sentence]) => checkLine(what, sentence)));
  byId("files").replaceChildren(...result.files.map(fileLine));
  byId("repeat").replaceChildren(...(result.repeat ? [
    ...(result.repeat.command ? [codeBlock("In a terminal", result.repeat.command)] : []),
    codeBlock("In Python", result.repeat.python),
  ] : []));
  byId("methods").replaceChildren(codeBlock("A paragraph on this run", result.methods));
  byId("result").hidden = false;
  showStale();
  byId("result").focus({ preventScroll: true });
  byId("result").scrollIntoView({ block: "start" });
  announce("The graph is learned.");
}

function fileLine(file) {
  const title = make("span", { class: "hint" }, `${file.title}${file.bytes ? `, ${megabytes(file.bytes)}` : ""}`);
  if (file.refused) return make("li", { class: "refused" }, make("span", {}, file.name), title, make("span", { class: "hint" }, file.refused));
  const query = file.name.endsWith(".html") ? "?download" : "";
  return make("li", {}, make("a", { href: tablePath(`/files/${file.name}${query}`), download: file.name }, file.name), title);
}

function showStale() {
  byId("stale").hidden = state.learned === null || state.learned === JSON.stringify(wishes());
}

function setUpResult() {
  watch(showStale);
}
