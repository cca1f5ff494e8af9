// Learning: begun, followed, cancelled. What is shown is what the run says about itself: where nobody knows how much
// there is to do, the bar does not pretend to.

const EVERY = 300; // milliseconds

let following = false;

function showRunning(on) {
  byId("ready").hidden = on;
  byId("running").hidden = !on;
}

async function learnNow() {
  refuse("run-trouble", "");
  showProgress({ progress: {} });
  showRunning(true);
  try {
    clearTimeout(timer);
    const asked = wishes();
    await ask("PUT", tablePath("/run"), asked);
    state.learned = JSON.stringify(asked);
    byId("result").hidden = true;
    await follow();
  } catch (error) {
    showRunning(false);
    refuse("run-trouble", error.message);
  }
}

function showProgress({ progress }) {
  const bar = byId("bar");
  if (typeof progress.share === "number") bar.value = progress.share;
  else bar.removeAttribute("value");
  const doing = progress.doing || "starting";
  byId("doing").textContent = doing[0].toUpperCase() + doing.slice(1);
  byId("time").textContent = progress.time || "";
}

async function follow() {
  if (following) return;
  following = true;
  const { key } = state;
  showRunning(true);
  byId("cancel").focus({ preventScroll: true });
  try {
    for (;;) {
      const run = await ask("GET", tablePath("/run"));
      if (run.state !== "running" || key !== state.key) {
        showRunning(false);
        if (key === state.key) ended(run);
        return;
      }
      showProgress(run);
      await new Promise((resolve) => setTimeout(resolve, EVERY));
    }
  } finally {
    following = false;
    showRunning(false);
    lookIfDue();
  }
}

function ended(run) {
  watchers.forEach((watcher) => watcher());
  if (run.state === "done") showResult(run);
  else if (run.state === "cancelled") {
    announce("Cancelled");
    refuse("run-trouble", "cancelled: the same run, started again, continues where it stopped");
  } else refuse("run-trouble", run.sentence);
}

function setUpRun() {
  byId("learn").addEventListener("click", learnNow);
  byId("cancel").addEventListener("click", async () => {
    byId("cancel").disabled = true;
    await ask("DELETE", tablePath("/run")).catch((error) => refuse("run-trouble", error.message));
    byId("cancel").disabled = false;
  });
  watch(() => {
    if (state.looked === null) return;
    const stopped = state.refusal !== null || !state.looked.check.ok;
    byId("learn").disabled = stopped;
    byId("expected").textContent = stopped ? "The table cannot be used yet: see under Columns."
      : state.looked.expected ? `Expected: ${state.looked.expected}.` : "";
    byId("learn").textContent = state.learned === null ? "Learn the graph" : "Learn again";
  });
}
