// How the columns are understood, with what to know about them, and what the user takes them for instead.

const KIND_WORDS = { continuous: "continuous", ordinal: "ordinal", discrete: "discrete", out: "leave out" };
const AT_ONCE = 200;
const FEW = 12; // columns that need no search

let shownColumns = AT_ONCE;
let drawnColumns = null;

function takeFor(column, kind) {
  if (kind === column.own) state.kinds.delete(column.name);
  else state.kinds.set(column.name, kind);
  changed();
}

function columnName(name) {
  return make("bdi", { class: name.trim() === "" ? "name blank" : "name" }, name);
}

function why(column) {
  const said = state.kinds.get(column.name);
  if (said === "out") return "left out by you";
  const seen = state.seen.get(column.name);
  if (!seen) return column.own === "out" ? "left out by hccd: see above" : "cannot be used as it is: see above";
  const words = [said ? "set by you" : seen.told_by];
  if (seen.states !== null) words.push(counted(seen.states, "state"));
  if (seen.missing) words.push(`${grouped(seen.missing)} missing`);
  return words.join(", ");
}

function columnRow(column, number) {
  const said = make("span", { class: "why" });
  const radios = state.form.kinds.map((kind) => {
    const radio = make("input", { type: "radio", name: `kind-${number}`, value: kind, class: "sr" });
    radio.addEventListener("change", () => takeFor(column, kind));
    return [radio, make("label", {}, radio, make("span", {}, KIND_WORDS[kind]))];
  });
  const row = make("div", { class: "column", role: "listitem" },
    make("div", { class: "who" }, columnName(column.name), make("span", { class: "examples" }, column.examples.join(", "))),
    make("div", { class: "segments", role: "radiogroup", "aria-label": `Kind of ${column.name}` }, ...radios.map(([, label]) => label)),
    said);
  row.refresh = () => {
    const kind = state.kinds.get(column.name) || column.own;
    radios.forEach(([radio]) => { radio.checked = radio.value === kind; });
    row.classList.toggle("corrected", state.kinds.has(column.name));
    row.classList.toggle("out", kind === "out");
    said.textContent = why(column);
  };
  row.refresh();
  return row;
}

// The list is made when a table comes or the filter changes; later only what is chosen in it changes.
function drawColumns() {
  drawnColumns = state.columns;
  byId("column-tools").hidden = state.columns.length <= FEW;
  const text = byId("filter").value.toLowerCase();
  const fitting = state.columns.map((column, number) => [column, number]).filter(([column]) => column.name.toLowerCase().includes(text));
  const rows = fitting.slice(0, shownColumns).map(([column, number]) => columnRow(column, number));
  if (fitting.length > shownColumns) {
    rows.push(button(`Show all ${grouped(fitting.length)}`, {}, () => { shownColumns = Infinity; drawColumns(); }));
  }
  byId("column-list").replaceChildren(...rows);
  byId("column-count").textContent = text ? `${grouped(fitting.length)} of ${counted(state.columns.length, "column")}` : "";
}

// A button that does what a refusal proposes, if the page can do that.
function remedy(goOn) {
  const names = (goOn.drop || []).filter((name) => state.columns.some((column) => column.name === name));
  const texts = Object.entries(goOn).filter(([name, value]) => value !== null && state.form.options.some((option) => option.name === name));
  if (!names.length && !texts.length) return null;
  const words = [];
  if (names.length) words.push(names.length === 1 ? "leave this column out" : `leave these ${names.length} columns out`);
  words.push(...texts.map(([name, value]) => `set ${name} to ${value}`));
  const text = words.join(" and ");
  return button(text[0].toUpperCase() + text.slice(1), { class: "remedy" }, () => {
    names.forEach((name) => state.kinds.set(name, "out"));
    texts.forEach(([name, value]) => { state.options[name] = String(value); });
    changed();
  });
}

function findingLine(severity, sentence, goOn = {}) {
  const line = checkLine(severity, sentence);
  const help = remedy(goOn);
  if (help) line.append(help);
  return line;
}

function setUpColumns() {
  byId("filter").addEventListener("input", () => { shownColumns = AT_ONCE; drawColumns(); });
  watch(() => {
    const { looked, refusal } = state;
    if (looked === null) return;
    [...byId("column-list").children].forEach((row) => row.refresh?.());
    const { check } = looked;
    byId("understood").textContent = `${counted(check.n_rows, "row")}. ${check.understood || counted(check.n_columns, "column")}.`;
    const lines = [
      ...(refusal ? [findingLine("error", refusal.sentence, refusal.go_on)] : []),
      ...check.findings.map(({ severity, sentence, go_on: goOn }) => findingLine(severity, sentence, goOn)),
      ...check.notes.map((note) => findingLine("note", note)),
    ];
    if (check.why) lines.push(findingLine("note", check.why));
    byId("findings").replaceChildren(...lines);
  });
}
