// The toolbar, the legend and the line that says what is shown.

function setUpControls() {
  const search = combobox("search", "find a variable (/)", (v) => bring(v));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.closest("input, textarea")) {
      event.preventDefault();
      search.input.focus();
    }
  });

  const weak = byId("weak");
  weak.max = Math.max(0, ranked - 1);
  weak.disabled = ranked < 2;
  weak.value = state.hidden;
  weak.addEventListener("input", () => change({ hidden: Number(weak.value) }));
  const least = byId("least");
  byId("least-field").hidden = confidence === null;
  least.addEventListener("input", () => change({ least: Number(least.value) }));
  const isolated = byId("isolated");
  isolated.addEventListener("change", () => change({ hideIsolated: isolated.checked }));
  byId("zoom-in").addEventListener("click", () => camera.zoom(1.4));
  byId("zoom-out").addEventListener("click", () => camera.zoom(1 / 1.4));
  byId("fit").addEventListener("click", () => camera.show(graph.extent()));
  byId("back").addEventListener("click", () => showCluster(0));
  byId("draw-all").addEventListener("click", () => {
    [weak.value, least.value] = [0, 0];
    change({ hidden: 0, least: 0 });
  });
  // On a phone the picture comes first, and filters when they are asked for.
  byId("filters").open = !window.matchMedia("(max-width: 640px)").matches;

  function say() {
    const weakest = edges.shown[byStrength[state.hidden]];
    const words = state.hidden === 0 ? `all ${grouped(edgeCount)}` : `the ${grouped(edgeCount - state.hidden)} strongest (from ${weakest})`;
    byId("weak-text").textContent = words;
    weak.setAttribute("aria-valuetext", words);
    const shown = edges.from.filter((_, e) => edgeShown(e)).length;
    const sure = `${(state.least / 100).toFixed(2)} (${grouped(shown)} of ${grouped(edgeCount)})`;
    byId("least-text").textContent = sure;
    least.setAttribute("aria-valuetext", sure);
    byId("drawn-note").hidden = shown === edgeCount;
    byId("drawn-text").textContent = state.least ? `${grouped(shown)} of ${counted(edgeCount, "edge")} are drawn.` : `The ${grouped(shown)} strongest of ${counted(edgeCount, "edge")} are drawn.`;
    const inside = clusters.members(state.cluster);
    const crossing = edges.from.filter((a, e) => clusters.holds(state.cluster, a) !== clusters.holds(state.cluster, edges.to[e])).length;
    byId("back").hidden = state.cluster === 0 && state.around === null;
    const near = state.around === null ? "" : `${quote(state.around)} and its ${counted(edgesOf[state.around].length, "neighbour")}: ${content.pag ? "what points to it above, what it points to below" : "causes above, effects below"}`;
    byId("crumb-text").textContent = state.cluster === 0 || near !== ""
      ? near
      : `Cluster ${clusters.path[state.cluster]}: ${counted(inside.length, "variable")}; `
        + `${counted(crossing, "edge leads", "edges lead")} out of it`;
  }
  watch((changed) => {
    if (changed.has("hidden") || changed.has("least") || changed.has("cluster") || changed.has("around")) say();
  });
  say();
}

// The smallest cluster around a variable that has a picture, where the whole has none.
function drawnHome(v) {
  let home = 0;
  for (let c = 0; c < clusters.count; c += 1) {
    if (clusters.holds(c, v) && content.shown_in[c] !== null && (content.shown_in[home] === null || clusters.size(c) > clusters.size(home))) home = c;
  }
  return home;
}

// Ask about variables that may be outside of what is drawn or seen, and go there.
function bring(first, second = null) {
  if (!graph.at(first) || (second !== null && !graph.at(second))) showCluster(content.shown_in[0] === null ? drawnHome(first) : 0);
  change({ first, second });
  const place = graph.at(first);
  if (second !== null) graph.includeAsked();
  else if (place) camera.reveal(place.x, place.y, true);
}

function legend() {
  const sample = (type, look) => draw("svg", { viewBox: "0 0 44 14", width: 44, height: 14 }, edgeDrawn("M2 7C14 7 28 7 41 7", type, look));
  const key = confidence && confidence.key;
  const drawn = Object.keys(content.types).filter((type) => edges.type.includes(type));
  const arrows = drawn.includes("directed");
  const entries = [
    ...drawn.map((type) => [type, key && key.sure, content.types[type].legend, type]),
    ...(key && arrows ? [["directed", key.direction[1], key.direction[0]]] : []),
    ...(key && edgeCount ? [[arrows ? "directed" : "undirected", key.edge[1], key.edge[0]]] : []),
  ].map(([type, look, words, counts]) => make("span", { class: "entry" }, sample(type, look), make("span", {}, words, make("span", { "data-count": counts }))));
  if (clusters.leaves.length > 1) {
    const swatch = make("span", { class: "rainbow" });
    swatch.style.background = gradient(0);
    entries.push(make("span", { class: "entry" }, swatch, "colour: cluster"));
  }
  byId("legend").append(...entries);
}

// The legend says how many edges of each type are drawn.
function countLegend(shown) {
  for (const place of document.querySelectorAll("#legend [data-count]")) {
    place.textContent = `: ${grouped(shown.filter((e) => edges.type[e] === place.dataset.count).length)}`;
  }
}

// The colours of the leaves of a cluster, side by side.
function gradient(c) {
  const fills = clusters.leaves.map((leaf, i) => [leaf, clusters.fills[i]])
    .filter(([leaf]) => clusters.holds(c, clusters.members(leaf)[0]))
    .map(([, fill]) => fill);
  return fills.length === 1 ? fills[0] : `linear-gradient(to right, ${fills.join(", ")})`;
}
