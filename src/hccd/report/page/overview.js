// A small map of the whole picture with the part that is seen: drag in it to go elsewhere. It is there when not all is seen,
// in the corner where it covers the fewest variables.

const MAP_WIDEST = 170;
const MAP_HIGHEST = 112;
const MAP_EDGE = 8; // pixels from the sides of the canvas
const MAP_WAITS = 200; // milliseconds without a move, before it goes to another corner

const overview = (() => {
  const lines = draw("path", { class: "map-lines" });
  const boxes = draw("g");
  const seen = draw("rect", { class: "map-window" });
  const svg = draw("svg", { id: "overview", "aria-hidden": "true" }, lines, boxes, seen);
  let whole = { left: 0, top: 0, width: 1, height: 1 };
  let places = []; // of the variables that are shown
  let corner = ["bottom", "right"];
  let waiting = 0;
  let dragged = false;

  // Draw the variables that are shown, as boxes by colour, and their edges as straight lines.
  function fill(extent, nodes, ends) {
    whole = extent;
    const scale = Math.min(MAP_WIDEST / whole.width, MAP_HIGHEST / whole.height) * Math.min(1, byId("canvas").clientWidth / 660);
    filled(svg, {
      viewBox: [whole.left, whole.top, whole.width, whole.height].join(" "), width: Math.max(40, whole.width * scale), height: Math.max(30, whole.height * scale),
    }, []);
    const { widths, height } = content.boxes;
    places = nodes.map(([v, { x, y }]) => [x, y, widths[v] / 2, height / 2]);
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
    // A picture that is moved must not have a map that jumps.
    clearTimeout(waiting);
    if (document.documentElement.dataset.ready) waiting = setTimeout(settle, MAP_WAITS);
    else settle();
  }
  function covered([upright, across]) {
    const { width: wide, height: tall } = svg.getBoundingClientRect();
    const [width, height] = camera.size();
    const left = across === "left" ? MAP_EDGE : width - MAP_EDGE - wide;
    const top = upright === "top" ? MAP_EDGE : height - MAP_EDGE - tall;
    const scale = camera.scale();
    return places.filter(([x, y, half, high]) => {
      const [px, py] = camera.onCanvas(x, y);
      return px + half * scale > left && px - half * scale < left + wide && py + high * scale > top && py - high * scale < top + tall;
    }).length;
  }
  function settle() {
    if (svg.classList.contains("gone") || dragged) return;
    let least = covered(corner);
    for (const other of [["bottom", "right"], ["top", "right"], ["bottom", "left"], ["top", "left"]]) {
      const count = covered(other);
      if (count < least) [corner, least] = [other, count];
    }
    for (const side of ["top", "right", "bottom", "left"]) svg.style[side] = corner.includes(side) ? `${MAP_EDGE}px` : "auto";
  }
  function go(event) {
    const box = svg.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    camera.centre(whole.left + x * whole.width, whole.top + y * whole.height);
  }
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    dragged = true;
    go(event);
  });
  svg.addEventListener("lostpointercapture", () => { dragged = false; follow(); });
  svg.addEventListener("pointermove", (event) => { if (svg.hasPointerCapture(event.pointerId)) go(event); });
  camera.follow(follow);
  return { svg, fill };
})();
