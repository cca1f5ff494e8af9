// A small map of the whole picture with the part that is seen: drag in it to go elsewhere. It is there when not all is seen,
// in the corner where it covers the fewest variables. Boxes of variables that are under it even so are cut out of it.

const MAP_WIDEST = 170;
const MAP_HIGHEST = 112;
const MAP_EDGE = 8; // pixels from the sides of the canvas
const MAP_SPARES = 3; // pixels that it keeps from a box
const MAP_WAITS = 200; // milliseconds without a move, before it goes to another corner

const overview = (() => {
  const lines = draw("path", { class: "map-lines" });
  const boxes = draw("g");
  const seen = draw("rect", { class: "map-window" });
  const svg = draw("svg", { id: "overview", "aria-hidden": "true" }, lines, boxes, seen);
  let whole = { left: 0, top: 0, width: 1, height: 1 };
  let places = []; // of the variables that are shown
  let [wide, tall] = [0, 0];
  let corner = ["bottom", "right"];
  let waiting = 0;
  let dragged = false;

  // Draw the variables that are shown, as boxes by colour, and their edges as straight lines.
  function fill(extent, nodes, ends) {
    whole = extent;
    const scale = Math.min(MAP_WIDEST / whole.width, MAP_HIGHEST / whole.height) * Math.min(1, byId("canvas").clientWidth / 660);
    [wide, tall] = [Math.max(40, whole.width * scale), Math.max(30, whole.height * scale)];
    filled(svg, { viewBox: [whole.left, whole.top, whole.width, whole.height].join(" "), width: wide, height: tall }, []);
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
    spare();
    // A picture that is moved must not have a map that jumps.
    clearTimeout(waiting);
    if (document.documentElement.dataset.ready) waiting = setTimeout(settle, MAP_WAITS);
    else settle();
  }
  // The boxes that a map in a corner would be over, in its own measure.
  function under([upright, across]) {
    const [width, height] = camera.size();
    const left = across === "left" ? MAP_EDGE : width - MAP_EDGE - wide;
    const top = upright === "top" ? MAP_EDGE : height - MAP_EDGE - tall;
    const scale = camera.scale();
    return places.map(([x, y, half, high]) => {
      const [px, py] = camera.onCanvas(x, y);
      return [px - half * scale - left, py - high * scale - top, px + half * scale - left, py + high * scale - top];
    }).filter(([l, t, r, b]) => r > 0 && l < wide && b > 0 && t < tall);
  }
  function spare() {
    const boxes = svg.classList.contains("gone") || camera.scale() < LABELS_FROM ? [] : under(corner);
    const holes = boxes.map(([l, t, r, b]) => `M${l - MAP_SPARES} ${t - MAP_SPARES}H${r + MAP_SPARES}V${b + MAP_SPARES}H${l - MAP_SPARES}Z`);
    svg.style.clipPath = holes.length ? `path(evenodd, "M0 0H${wide}V${tall}H0Z${holes.join("")}")` : "none";
  }
  function settle() {
    if (svg.classList.contains("gone") || dragged) return;
    let least = under(corner).length;
    for (const other of [["bottom", "right"], ["top", "right"], ["bottom", "left"], ["top", "left"]]) {
      const count = under(other).length;
      if (count < least) [corner, least] = [other, count];
    }
    for (const side of ["top", "right", "bottom", "left"]) svg.style[side] = corner.includes(side) ? `${MAP_EDGE}px` : "auto";
    spare();
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
