// The cluster tree beside the picture: open and close parts of it, choose a cluster to see its sub-graph (WAI-ARIA tree).

const OPEN_ROWS = 16;

function setUpTree() {
  const hint = byId("clusters-hint");
  if (clusters.count === 1) {
    hint.textContent = "There are no clusters: all variables were learned together.";
    return;
  }
  hint.textContent = "Groups of variables that depend strongly on each other. Choose one to see its part of the graph.";
  const items = new Array(clusters.count);
  const rows = new Array(clusters.count);
  const groups = new Array(clusters.count);
  // As many levels are open as fit; clusters are numbered parents first.
  let level = 1;
  while (clusters.depth.filter((d) => d <= level + 1).length <= OPEN_ROWS && level < Math.max(...clusters.depth)) level += 1;
  const open = clusters.depth.map((d) => d < level);

  // The variables of most edges stand for their cluster.
  const hubsOf = (c) => clusters.members(c).sort((a, b) => edgesOf[b].length - edgesOf[a].length || a - b).slice(0, 2);
  function title(c) {
    const hubs = hubsOf(c);
    const label = make("span", { class: "hubs" });
    hubs.forEach((v, i) => label.append(i ? ", " : "", make("bdi", {}, content.labels[v].join(" "))));
    if (clusters.size(c) > hubs.length) label.append(" \u2026");
    return c === 0 ? make("span", { class: "hubs all" }, "All variables") : label;
  }
  for (let c = clusters.count - 1; c >= 0; c -= 1) {
    const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = gradient(c);
    const kids = clusters.children[c];
    const twist = make("span", { class: "twist", "aria-hidden": "true" }, kids.length ? "\u25B8" : "");
    const count = counted(clusters.size(c), "variable");
    rows[c] = make("div", { class: "row", title: `cluster ${clusters.path[c]}: ${count}, ${counted(clusters.tests[c] ?? 0, "test")}` },
      twist, swatch, title(c), make("span", { class: "size" }, grouped(clusters.size(c))));
    rows[c].style.setProperty("--depth", clusters.depth[c]);
    groups[c] = kids.length ? make("ul", { role: "group" }, ...kids.map((kid) => items[kid])) : null;
    items[c] = make("li", {
      role: "treeitem", tabindex: c === 0 ? "0" : "-1", "data-cluster": c, "aria-level": clusters.depth[c] + 1,
      "aria-label": `cluster ${clusters.path[c]}, ${count}: ${hubsOf(c).map((v) => content.names[v]).join(", ")}`, "aria-selected": "false",
    }, rows[c], groups[c]);
    twist.addEventListener("click", (event) => { event.stopPropagation(); setOpen(c, !open[c]); });
    rows[c].addEventListener("click", () => { take(c); items[c].focus({ preventScroll: true }); });
  }
  byId("tree").append(make("ul", { role: "tree", "aria-label": "Clusters" }, items[0]));

  function setOpen(c, wanted) {
    if (!groups[c]) return;
    open[c] = wanted;
    groups[c].hidden = !wanted;
    items[c].setAttribute("aria-expanded", String(wanted));
  }
  function take(c) {
    showCluster(c);
  }
  function focus(c) {
    for (const item of items) item.setAttribute("tabindex", "-1");
    items[c].setAttribute("tabindex", "0");
    items[c].focus();
    rows[c].scrollIntoView({ block: "nearest" });
  }
  const seen = (c) => clusters.parent[c] < 0 || (open[clusters.parent[c]] && seen(clusters.parent[c]));
  items[0].addEventListener("keydown", (event) => {
    const item = event.target.closest("[data-cluster]");
    if (!item) return;
    const c = Number(item.dataset.cluster);
    const list = rows.map((_, i) => i).filter(seen);
    const place = list.indexOf(c);
    if (event.key === "ArrowDown") focus(list[Math.min(place + 1, list.length - 1)]);
    else if (event.key === "ArrowUp") focus(list[Math.max(place - 1, 0)]);
    else if (event.key === "Home") focus(0);
    else if (event.key === "End") focus(list[list.length - 1]);
    else if (event.key === "ArrowRight") { if (groups[c] && open[c]) focus(clusters.children[c][0]); else setOpen(c, true); }
    else if (event.key === "ArrowLeft") { if (groups[c] && open[c]) setOpen(c, false); else if (c) focus(clusters.parent[c]); }
    else if (event.key === "Enter" || event.key === " ") take(c);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  for (let c = 0; c < clusters.count; c += 1) setOpen(c, open[c]);
  function mark() {
    for (let c = 0; c < clusters.count; c += 1) {
      items[c].setAttribute("aria-selected", String(c === state.cluster));
      rows[c].classList.toggle("chosen", c === state.cluster);
    }
    for (let c = clusters.parent[state.cluster]; c >= 0; c = clusters.parent[c]) setOpen(c, true);
  }
  watch((changed) => {
    if (changed.has("cluster")) {
      mark();
      const box = byId("clusters");
      const row = rows[state.cluster];
      if (row.offsetTop < box.scrollTop || row.offsetTop > box.scrollTop + box.clientHeight - 40) {
        box.scrollTop = row.offsetTop - box.clientHeight / 2;
      }
    }
  });
  mark();
}
