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
  canvas.append(camera.svg);
  camera.svg.setAttribute("aria-label", `Graph of ${counted(n, "variable")} and ${counted(edgeCount, "edge")}`);
  graph.measureWith(`12px ${getComputedStyle(document.body).fontFamily}`);
  const empty = make("p", { class: "empty", hidden: true }, "This cluster is too large for a picture. Choose a smaller one in the tree.");
  canvas.append(empty);

  function show(atOnce) {
    empty.hidden = graph.refresh();
    camera.show(graph.extent(), atOnce);
  }
  followPointers((target) => {
    const node = target.closest("[data-node]");
    const edge = target.closest("[data-edge]");
    if (node) choose(Number(node.dataset.node));
    else if (edge) chooseEdge(Number(edge.dataset.edge));
    else chooseNothing();
  });
  walkByKeyboard();
  watch((changed) => {
    if (changed.has("cluster") || changed.has("around")) show(false);
    else if (changed.has("hidden") || changed.has("least") || changed.has("hideIsolated")) {
      graph.refresh();
      if (changed.has("hideIsolated")) camera.show(graph.extent());
    } else if (state.hideIsolated) graph.refresh();
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
  let width = canvas.clientWidth;
  new ResizeObserver(() => {
    if (canvas.clientWidth && canvas.clientWidth !== width) {
      width = canvas.clientWidth;
      camera.show(graph.extent(), true);
    }
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
document.documentElement.dataset.ready = "yes";
