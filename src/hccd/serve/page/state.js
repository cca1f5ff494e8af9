// What the page knows: the table, what the user wants, and what the server said about it.

const state = {
  form: null, // what can be asked for
  key: null, // the table
  columns: [], // all columns of the file, with examples and what hccd takes them for by itself
  kinds: new Map(), // what the user takes columns for, by name
  tiers: [], // lists of names
  options: {}, // texts, where they differ from the default
  reading: {}, // how the file is read, where the user says so
  looked: null, // what the last check said
  seen: new Map(), // and what it said about each column that is not left out
  refusal: null, // or why there is none
  learned: null, // the wishes that the graph on show was learned by, as text
};

const watchers = [];
const watch = (watcher) => watchers.push(watcher);

// Whether a column is learned from: neither the user nor hccd has left it out.
const usable = (name) => state.kinds.get(name) !== "out" && state.seen.has(name);

function wishes() {
  const tiers = state.tiers.map((tier) => tier.filter(usable)).filter((tier) => tier.length);
  // One tier alone says nothing.
  const kinds = Object.fromEntries(state.columns.map(({ name }) => [name, state.kinds.get(name)]).filter(([, kind]) => kind));
  return { kinds, tiers: tiers.length > 1 ? tiers : [], options: state.options, reading: state.reading };
}

// Something was changed: show it, and look at the table again. One look at a time; the last wish counts.
// A run has the worker to itself, so a look waits for its end.
let timer = null;
let looking = false;
let due = false;

function changed() {
  watchers.forEach((watcher) => watcher());
  due = true;
  clearTimeout(timer);
  timer = setTimeout(lookIfDue, 300);
}

async function lookIfDue() {
  if (due && !looking && !following) await look();
}

async function look() {
  looking = true;
  due = false;
  byId("looking").hidden = false;
  const { key, reading } = state;
  const read = JSON.stringify(reading);
  // What was asked about a table that is gone, or is read in another way by now, is of no interest.
  const current = () => key === state.key && read === JSON.stringify(state.reading);
  try {
    const said = await ask("POST", tablePath("/look"), wishes());
    if (current()) take(said);
  } catch (error) {
    if (current()) take({ refused: error.message, go_on: {} });
  }
  looking = false;
  byId("looking").hidden = true;
  watchers.forEach((watcher) => watcher());
  await lookIfDue();
}

function take(said) {
  state.refusal = said.done ? null : { sentence: said.refused, go_on: said.go_on || {} };
  if (!said.done) return;
  state.looked = said.done;
  if (!state.columns.length) state.columns = said.done.columns;
  state.seen = new Map(said.done.check.columns.filter((column) => column.kind !== null).map((column) => [column.name, column]));
}

function announce(text) {
  byId("announce").textContent = text;
}

function refuse(id, sentence) {
  byId(id).hidden = !sentence;
  byId(id).textContent = sentence ? sentence[0].toUpperCase() + sentence.slice(1) : "";
}
