// A small map of the whole picture with the part that is seen: drag in it to go elsewhere. It is there when not all is seen.

const MAP_WIDEST = 170;
const MAP_HIGHEST = 112;

const overview = (() => {
  const lines = draw("path", { class: "map-lines" });
  const boxes = draw("g");
  const seen = draw("rect", { class: "map-window" });
  const svg = draw("svg", { id: "overview", "aria-hidden": "true" }, lines, boxes, seen);
  let whole = { left: 0, top: 0, width: 1, height: 1 };

  // Draw the variables that are shown, as boxes by colour, and their edges as straight lines.
  function fill(extent, nodes, ends) {
    whole = extent;
    const scale = Math.min(MAP_WIDEST / whole.width, MAP_HIGHEST / whole.height) * Math.min(1, byId("canvas").clientWidth / 660);
    filled(svg, {
      viewBox: [whole.left, whole.top, whole.width, whole.height].join(" "), width: Math.max(40, whole.width * scale), height: Math.max(30, whole.height * scale),
    }, []);
    const { widths, height } = content.boxes;
    const byFill = new Map();
    for (const [v, { x, y }] of nodes) {
      const fill = clusters.fillOf(v);
      byFill.set(fill, `${byFill.get(fill) ?? ""}M${x - widths[v] / 2} ${y - height / 2}h${widths[v]}v${height}h${-widths[v]}z`);
    }
    boxes.replaceChildren(...[...byFill].map(([fill, d]) => draw("path", { class: "map-box", d, fill })));
    lines.setAttribute("d", ends.map(([a, b]) => `M${a.x} ${a.y}L${b.x} ${b.y}`).join(""));
    follow();
  }
  function follow() {
    const view = camera.window();
    const slack = 1 / camera.scale();
    const all = view.left <= whole.left + slack && view.top <= whole.top + slack
      && view.left + view.width >= whole.left + whole.width - slack && view.top + view.height >= whole.top + whole.height - slack;
    svg.classList.toggle("gone", all);
    filled(seen, { x: view.left, y: view.top, width: view.width, height: view.height }, []);
  }
  function go(event) {
    const box = svg.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    camera.centre(whole.left + x * whole.width, whole.top + y * whole.height);
  }
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    go(event);
  });
  svg.addEventListener("pointermove", (event) => { if (svg.hasPointerCapture(event.pointerId)) go(event); });
  camera.follow(follow);
  return { svg, fill };
})();
