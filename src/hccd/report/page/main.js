// Puts the page together and keeps picture and state in step.

function setUpTheme() {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const toggle = byId("theme");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const say = () => {
    toggle.textContent = isDark() ? "Light" : "Dark";
    toggle.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
  };
  toggle.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; say(); });
  dark.addEventListener("change", say);
  say();
}

function setUpGraph() {
  const canvas = byId("canvas");
  canvas.append(camera.svg, overview.svg);
  camera.svg.setAttribute("aria-label", `Graph of ${counted(n, "variable")} and ${counted(edgeCount, "edge")}`);
  graph.measureWith(`${content.boxes.letters}px ${getComputedStyle(document.body).fontFamily}`);
  const empty = make("p", { class: "empty", hidden: true }, "This cluster is too large for a picture. Choose a smaller one in the tree.");
  canvas.append(empty);

  function show(atOnce) {
    empty.hidden = graph.refresh() !== null;
    graph.open(atOnce);
  }
  const over = (target) => {
    const [node, edge] = [target.closest("[data-node]"), target.closest("[data-edge]")];
    return node ? { node: Number(node.dataset.node) } : edge ? { edge: Number(edge.dataset.edge) } : null;
  };
  followPointers((target) => {
    const found = over(target);
    if (found === null) chooseNothing();
    else if (found.node !== undefined) choose(found.node);
    else chooseEdge(found.edge);
    graph.includeAsked();
  });
  camera.svg.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") graph.hover(over(event.target)); });
  camera.svg.addEventListener("pointerleave", () => graph.hover(null));
  walkByKeyboard();
  watch((changed) => {
    if (changed.has("cluster") || changed.has("around")) show(false);
    else if (changed.has("hidden") || changed.has("least") || changed.has("hideIsolated")) {
      if (graph.refresh() === "turned" || changed.has("hideIsolated")) graph.open();
    } else if (state.hideIsolated || state.hidden || state.least) graph.refresh();
    else graph.light();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.target.closest("input")) chooseNothing();
  });
  // Where the whole is too large for a picture, the largest cluster that has one comes first.
  if (content.shown_in[0] === null) {
    let best = 0;
    for (let c = 1; c < clusters.count; c += 1) {
      if (content.shown_in[c] !== null && (best === 0 || clusters.size(c) > clusters.size(best))) best = c;
    }
    state.cluster = best;
  }
  show(true);
  let [width, height] = [canvas.clientWidth, canvas.clientHeight];
  new ResizeObserver(() => {
    const wider = canvas.clientWidth !== width;
    const changed = wider || (canvas.clientHeight !== height && camera.asOpened());
    [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width && changed) graph.open(true);
  }).observe(canvas);
}

setUpTheme();
setUpBelief();
setUpSections();
legend();
setUpGraph();
setUpControls();
setUpTree();
setUpWhy();
const table = setUpTable();
setUpTests();
setUpChoice();
setUpPrinting(table);
setUpSaving();
setUpLink();
setUpHeadline();
document.documentElement.dataset.ready = "yes";
performance.mark("ready");
