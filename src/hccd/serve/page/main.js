// Puts the page together, and goes on where it was if it was reloaded.

async function goOn(key) {
  state.key = key;
  let was;
  try {
    was = await ask("GET", tablePath());
  } catch {
    state.key = null;
    history.replaceState(null, "", location.pathname);
    return;
  }
  if (was.looked === null) return;
  startAnew(key);
  const { kinds = {}, options = {}, reading = {} } = was.wishes;
  const tiers = was.wishes.tiers?.length ? was.wishes.tiers : [[], []];
  Object.assign(state, { columns: was.columns, kinds: new Map(Object.entries(kinds)), tiers, options, reading });
  take({ done: was.looked });
  showTable(was);
  if (was.run.state === "none") return;
  state.learned = JSON.stringify(wishes());
  if (was.run.state === "running") await follow();
  else ended(was.run);
}

async function begin() {
  state.form = await ask("GET", "form");
  setUpData();
  setUpColumns();
  setUpTiers();
  setUpOptions();
  setUpRun();
  setUpResult();
  const key = location.hash.slice(1);
  if (/^[0-9a-f]+$/.test(key)) await goOn(key);
  document.documentElement.dataset.ready = "yes";
}

begin().catch((error) => refuse("trouble", error.message));
