// The picture: boxes and curves where the library placed them, shown, hidden and lit up as the state says.

const FAR_NAME = 28; // letters of a name that is written beside its box

const MARK_SHAPES = {
  arrowhead: ({ head, half }) => draw("path", { class: "head", d: `M.5 0L${-head} ${-half}L${-head} ${half}z` }),
  circle: ({ circle }) => draw("circle", { class: "circle", cx: -circle - 0.2, cy: 0, r: circle }),
};

// A mark at the end of a path, given as pairs of numbers from there on backwards.
function markDrawn(mark, places) {
  const [x, y] = places[0];
  const before = places.find(([a, b]) => a !== x || b !== y) ?? [x - 1, y]; // a curve may end in several equal points
  const turned = (180 / Math.PI) * Math.atan2(y - before[1], x - before[0]);
  const shape = MARK_SHAPES[mark](content.lines);
  shape.setAttribute("transform", `translate(${x} ${y}) rotate(${turned.toFixed(1)})`);
  return shape;
}

// A line with the marks that belong to it; with a look it is as wide and dark as its edge is likely.
function edgeDrawn(path, type, look, before = []) {
  const numbers = path.match(/-?\d+/g).map(Number);
  const places = numbers.flatMap((x, i) => (i % 2 ? [] : [[x, numbers[i + 1]]]));
  const marks = content.types[type].marks.map((mark, end) => (mark in MARK_SHAPES ? markDrawn(mark, end ? [...places].reverse() : places) : null));
  const parts = [...before, draw("path", { class: "line", d: path }), ...marks.filter(Boolean)];
  const group = draw("g", { class: `edge ${type}${look ? " rated" : ""}` }, ...parts);
  const { plain, widest } = content.lines;
  group.style.setProperty("--edge", `light-dark(${content.types[type].colours.join(", ")})`);
  group.style.setProperty("--thick", `${look ? (widest * look[0]).toFixed(2) : plain}px`);
  if (look) {
    const [, line, head] = look;
    group.style.setProperty("--line", line);
    group.style.setProperty("--head", head);
  }
  return group;
}

const graph = (() => {
  const pen = document.createElement("canvas").getContext("2d");
  const drawn = new Map();
  let current = null;
  let lit = [];
  let hovered = null;
  const names = draw("g", { id: "far-names", "aria-hidden": "true" });

  // The label, shortened further if this reader's font is wider than was reckoned with.
  function fitting(text, room) {
    const letters = [...text];
    if (pen.measureText(text).width <= room) return text;
    while (letters.length > 2 && pen.measureText(`${letters.join("")}\u2026`).width > room) letters.pop();
    return `${letters.join("")}\u2026`;
  }
  function nodeWords(v) {
    const of = edgesOf[v];
    const causes = of.filter((e) => directed(e) && edges.to[e] === v).length;
    const effects = of.filter((e) => directed(e) && edges.from[e] === v).length;
    return `${content.names[v]}: ${counted(causes, "cause")}, ${counted(effects, "effect")}, `
      + `${counted(of.length - causes - effects, content.pag ? "other edge" : "undirected edge")}`;
  }
  function node(picture, i) {
    const v = picture.nodes[i];
    const { height } = content.boxes;
    const wide = content.boxes.widths[v];
    const box = draw("g", {
      class: "node", "data-node": v, role: "button", tabindex: "-1", "aria-label": nodeWords(v),
      transform: `translate(${picture.x[i]} ${picture.y[i]})`,
    },
    draw("title", {}, content.names[v]),
    draw("rect", { x: -wide / 2, y: -height / 2, width: wide, height, rx: 6 }),
    ...content.labels[v].map((line, row, lines) => draw("text", { y: 4.6 + 14 * (row - (lines.length - 1) / 2) }, fitting(line, wide - 8))));
    box.style.setProperty("--fill", clusters.fillOf(v));
    return box;
  }
  function edge(picture, i) {
    const e = picture.edges[i];
    const parts = [draw("title", {}, edgeWords(e)), draw("path", { class: "hit", d: picture.paths[i] })];
    const drawnEdge = edgeDrawn(picture.paths[i], edges.type[e], confidence && confidence.looks[e], parts);
    drawnEdge.setAttribute("data-edge", e);
    return drawnEdge;
  }
  // Pictures that come with the page are kept by their numbers, close-ups by their variables. While the weakest edges are
  // hidden, a picture that was laid out without them is used.
  function prepared() {
    const strongest = state.around === null && state.cluster === 0 && content.first && state.hidden >= content.first.hidden;
    const number = strongest ? "first" : state.around === null ? content.shown_in[state.cluster] : `around ${state.around}`;
    if (number === null) return null;
    if (!drawn.has(number)) {
      const picture = strongest ? content.first.picture : state.around === null ? content.pictures[number] : neighbourhood(state.around);
      const nodes = new Map(picture.nodes.map((v, i) => [v, { element: node(picture, i), x: picture.x[i], y: picture.y[i] }]));
      const lines = new Map(picture.edges.map((e, i) => [e, edge(picture, i)]));
      const layer = draw("g", { "aria-hidden": "true" }, ...lines.values());
      const asked = draw("path", { class: "asked", "aria-hidden": "true" });
      drawn.set(number, {
        picture, nodes, lines, asked, layer,
        group: draw("g", {}, layer, asked, draw("g", {}, ...[...nodes.values()].map((item) => item.element))),
      });
    }
    return drawn.get(number);
  }

  // Show what the state says; returns null if the cluster is too large to be drawn, and whether it is another picture.
  function refresh() {
    const next = prepared();
    if (next === null) {
      current = null;
      camera.scene.replaceChildren();
      return null;
    }
    const turned = next !== current;
    if (turned) camera.scene.replaceChildren(next.group);
    current = next;
    for (const e of asksFor()) addLine(e);
    const linked = new Set();
    for (const [e, element] of current.lines) {
      const [a, b] = [edges.from[e], edges.to[e]];
      const seen = edgeSeen(e) && inView(a) && inView(b);
      element.classList.toggle("gone", !seen);
      if (seen) linked.add(a).add(b);
    }
    for (const [v, { element }] of current.nodes) {
      const kept = !state.hideIsolated || linked.has(v) || v === state.first || v === state.second;
      element.classList.toggle("gone", !(inView(v) && kept));
    }
    const shown = [...current.nodes].filter(([v]) => at(v));
    overview.fill(extent(), shown, shownEdges().map((e) => [at(edges.from[e]), at(edges.to[e])]).filter(([a, b]) => a && b));
    countLegend(shownEdges());
    light();
    return turned ? "turned" : "same";
  }
  // The edges that are asked about; the picture of the strongest edges may lack them.
  function asksFor() {
    const e = chosenEdge();
    const asked = state.second === null ? (state.first === null ? [] : edgesOf[state.first]) : e === undefined ? [] : [e];
    return asked.filter((edge) => !current.lines.has(edge));
  }
  function addLine(e) {
    const ends = [edges.from[e], edges.to[e]].map((v) => current.nodes.get(v));
    if (!ends.every(Boolean)) return;
    const place = (v) => { const { x, y } = current.nodes.get(v); return [x, y]; };
    const line = edge({ edges: [e], paths: [between(edges.from[e], edges.to[e], place)] }, 0);
    current.lines.set(e, line);
    current.layer.append(line);
  }
  // Light up what is asked about and the variables that separate the two, or what the mouse is on; the rest fades.
  function light() {
    if (!current) return;
    const { first, second } = state;
    const asked = new Set([first, second].filter((v) => v !== null));
    const e = chosenEdge();
    const witness = e === undefined ? null : edges.witness[e];
    const reason = second !== null && e === undefined ? missing(first, second) : null;
    const given = reason && reason.given ? reason.given : witness ? [witness.other, ...witness.given] : [];
    const over = asked.size ? null : hovered;
    const middle = over && over.node !== undefined ? over.node : second === null ? first : null;
    const near = new Set([...asked, ...given, ...(middle === null ? [] : [middle, ...edgesOf[middle].map((edge) => otherEnd(edge, middle))])]);
    const lines = new Set([e, witness ? edgeAt.get(pairKey(witness.other, witness.middle)) : undefined, ...(middle === null ? [] : edgesOf[middle])]);
    if (over && over.edge !== undefined) {
      lines.add(over.edge);
      near.add(edges.from[over.edge]).add(edges.to[over.edge]);
    }
    for (const element of lit) {
      element.classList.remove("chosen", "given", "near");
      if (element.hasAttribute("aria-pressed")) element.setAttribute("aria-pressed", "false");
    }
    lit = [];
    camera.svg.classList.toggle("asking", asked.size > 0 || over !== null);
    const mark = (element, ...classes) => { element.classList.add(...classes); lit.push(element); };
    for (const v of near) {
      const found = current.nodes.get(v);
      if (!found) continue;
      mark(found.element, "near", ...(asked.has(v) ? ["chosen"] : given.includes(v) ? ["given"] : []));
      found.element.setAttribute("aria-pressed", String(asked.has(v)));
    }
    for (const edge of lines) {
      if (current.lines.has(edge)) mark(current.lines.get(edge), "near", ...(edge === e ? ["chosen"] : []));
    }
    const ends = [first, second].map((v) => current.nodes.get(v));
    const shown = reason !== null && ends.every((end) => end && !end.element.classList.contains("gone"));
    if (shown) current.asked.setAttribute("d", `M${ends[0].x} ${ends[0].y}L${ends[1].x} ${ends[1].y}`);
    current.asked.classList.toggle("gone", !shown);
    wanted = [...asked, ...[...near].filter((v) => !asked.has(v))];
    writeNames();
  }
  // From afar the names of what is lit are written beside the boxes, whole on the canvas, and none over another.
  let wanted = [];
  function writeNames() {
    names.replaceChildren();
    if (!current || camera.scale() >= LABELS_FROM) return;
    const [room] = camera.size();
    const taken = [];
    for (const v of wanted) {
      const place = at(v);
      if (!place) continue;
      const letters = [...content.labels[v].join(" ")];
      const text = letters.length > FAR_NAME ? `${letters.slice(0, FAR_NAME - 1).join("")}\u2026` : letters.join("");
      const half = pen.measureText(text).width / 2 + 3;
      const [x, y] = camera.onCanvas(place.x, place.y);
      const middle = Math.min(room - half, Math.max(half, x));
      if (taken.some((other) => Math.abs(other.y - y) < 16 && Math.abs(other.x - middle) < other.half + half)) continue;
      taken.push({ x: middle, y, half });
      names.append(draw("text", { x: middle, y: y + 4 }, text));
    }
  }
  function hover(over) {
    if ((over && over.node) === (hovered && hovered.node) && (over && over.edge) === (hovered && hovered.edge)) return;
    hovered = over;
    if (state.first === null) light();
  }
  // Bring what is asked about onto the canvas.
  function includeAsked() {
    const { widths, height } = content.boxes;
    const boxes = [state.first, state.second].filter((v) => v !== null && at(v)).map((v) => [at(v).x - widths[v] / 2, at(v).y - height / 2, at(v).x + widths[v] / 2, at(v).y + height / 2]);
    if (!boxes.length) return;
    const [left, top, right, bottom] = [Math.min, Math.min, Math.max, Math.max].map((of, i) => of(...boxes.map((box) => box[i])));
    camera.include({ left, top, width: right - left, height: bottom - top });
  }
  // The rectangle around what is visible.
  function extent() {
    const seen = current ? [...current.nodes.values()].filter(({ element }) => !element.classList.contains("gone")) : [];
    if (!seen.length) return { left: 0, top: 0, width: 100, height: 100 };
    // All of it: the lines, too, which may run round the boxes.
    if (seen.length === current.nodes.size) return { left: 0, top: 0, width: current.picture.width, height: current.picture.height };
    const { widths, height } = content.boxes;
    const xs = visible().flatMap((v) => [at(v).x - widths[v] / 2, at(v).x + widths[v] / 2]);
    const ys = seen.map((item) => item.y);
    const [left, top] = [Math.min(...xs), Math.min(...ys) - height / 2];
    return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) + height / 2 - top };
  }
  function measureWith(font) {
    pen.font = font;
  }
  const at = (v) => {
    const found = current && current.nodes.get(v);
    return found && !found.element.classList.contains("gone") ? found : undefined;
  };
  const visible = () => (current ? [...current.nodes].filter(([v]) => at(v)).map(([v]) => v) : []);
  const shownEdges = () => (current ? [...current.lines].filter(([, element]) => !element.classList.contains("gone")).map(([e]) => e) : []);
  // Where to begin: the variable of most edges that are drawn.
  function hub() {
    const count = new Map(visible().map((v) => [v, 0]));
    for (const e of shownEdges()) for (const v of [edges.from[e], edges.to[e]]) count.set(v, count.get(v) + 1);
    return [...count].reduce((best, own) => (best === null || own[1] > best[1] ? own : best), [null, -1])[0];
  }
  // Show the picture so that it can be read, around what is asked about or the hub.
  function open(atOnce = false) {
    const middle = [state.first, state.second].filter((v) => v !== null && at(v)).map(at);
    if (!middle.length && hub() !== null) middle.push(at(hub()));
    const mean = (axis) => middle.reduce((sum, place) => sum + place[axis], 0) / Math.max(middle.length, 1);
    camera.open(extent(), [mean("x"), mean("y")], atOnce);
  }
  camera.svg.append(names);
  camera.follow(writeNames);
  return { refresh, light, hover, open, includeAsked, extent, measureWith, at, visible, hub };
})();
