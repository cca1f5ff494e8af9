// The picture: boxes and curves where the library placed them, shown, hidden and lit up as the state says.

const WIDEST = 2.8;

const MARK_SHAPES = {
  arrowhead: () => draw("path", { class: "head", d: "M.5 0L-10.5 -4.5L-7.6 0L-10.5 4.5z" }),
  circle: () => draw("circle", { class: "circle", cx: -4.2, cy: 0, r: 4 }),
};

// A mark at the end of a path, given as pairs of numbers from there on backwards.
function markDrawn(mark, places) {
  const [x, y] = places[0];
  const before = places.find(([a, b]) => a !== x || b !== y) ?? [x - 1, y]; // a curve may end in several equal points
  const turned = (180 / Math.PI) * Math.atan2(y - before[1], x - before[0]);
  const shape = MARK_SHAPES[mark]();
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
  if (look) {
    const [width, line, head] = look;
    group.style.setProperty("--thick", `${(WIDEST * width).toFixed(2)}px`);
    group.style.setProperty("--line", line);
    group.style.setProperty("--head", head);
  }
  return group;
}

const graph = (() => {
  const pen = document.createElement("canvas").getContext("2d");
  const drawn = new Map();
  let current = null;

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
    const box = draw("g", {
      class: "node", "data-node": v, role: "button", tabindex: "-1", "aria-label": nodeWords(v),
      transform: `translate(${picture.x[i]} ${picture.y[i]})`,
    },
    draw("title", {}, content.names[v]),
    draw("rect", { x: -picture.box / 2, y: -13, width: picture.box, height: 26, rx: 7 }),
    draw("text", { y: 4 }, fitting(content.labels[v], picture.box - 10)));
    box.style.setProperty("--hue", clusters.hue(clusters.leafOf[v]));
    return box;
  }
  // Without probabilities the thickness follows the rank of the strength, which has the same meaning for every test.
  const thickness = (e) => (ranked > 1 && edges.strength[e] !== null ? 1.1 + 1.7 * (strengthRank[e] / (ranked - 1)) : 1.6);

  function edge(picture, i) {
    const e = picture.edges[i];
    const parts = [draw("title", {}, edgeWords(e)), draw("path", { class: "hit", d: picture.paths[i] })];
    const drawnEdge = edgeDrawn(picture.paths[i], edges.type[e], confidence && confidence.looks[e], parts);
    drawnEdge.setAttribute("data-edge", e);
    if (confidence === null) drawnEdge.style.setProperty("--thick", `${thickness(e).toFixed(2)}px`);
    return drawnEdge;
  }
  // Pictures that come with the page are kept by their numbers, close-ups by their variables.
  function prepared() {
    const number = state.around === null ? content.shown_in[state.cluster] : `around ${state.around}`;
    if (number === null) return null;
    if (!drawn.has(number)) {
      const picture = state.around === null
        ? content.pictures[number]
        : neighbourhood(state.around, (text) => pen.measureText(text).width);
      const nodes = new Map(picture.nodes.map((v, i) => [v, { element: node(picture, i), x: picture.x[i], y: picture.y[i] }]));
      const lines = new Map(picture.edges.map((e, i) => [e, edge(picture, i)]));
      const layer = draw("g", { "aria-hidden": "true" }, ...lines.values());
      const asked = draw("path", { class: "asked", "aria-hidden": "true" });
      drawn.set(number, {
        picture, nodes, lines, asked,
        group: draw("g", {}, layer, asked, draw("g", {}, ...[...nodes.values()].map((item) => item.element))),
      });
    }
    return drawn.get(number);
  }

  // Show what the state says; returns false if the cluster is too large to be drawn.
  function refresh() {
    const next = prepared();
    if (next === null) {
      current = null;
      camera.scene.replaceChildren();
      return false;
    }
    if (next !== current) camera.scene.replaceChildren(next.group);
    current = next;
    const linked = new Set();
    for (const [e, element] of current.lines) {
      const [a, b] = [edges.from[e], edges.to[e]];
      const seen = edgeShown(e) && inView(a) && inView(b);
      element.classList.toggle("gone", !seen);
      if (seen) linked.add(a).add(b);
    }
    for (const [v, { element }] of current.nodes) {
      const wanted = !state.hideIsolated || linked.has(v) || v === state.first || v === state.second;
      element.classList.toggle("gone", !(inView(v) && wanted));
    }
    light();
    return true;
  }
  // Light up what is asked about, and the variables that separate the two.
  function light() {
    if (!current) return;
    const { first, second } = state;
    const asked = new Set([first, second].filter((v) => v !== null));
    const e = chosenEdge();
    const reason = second !== null && e === undefined ? missing(first, second) : null;
    const given = new Set(reason && reason.given ? reason.given : e !== undefined && edges.witness[e] ? [edges.witness[e].other, ...edges.witness[e].given] : []);
    const near = new Set([...asked, ...given]);
    if (second === null && first !== null) for (const edge of edgesOf[first]) near.add(otherEnd(edge, first));
    camera.svg.classList.toggle("asking", asked.size > 0);
    for (const [v, { element }] of current.nodes) {
      element.classList.toggle("chosen", asked.has(v));
      element.classList.toggle("given", given.has(v) && !asked.has(v));
      element.classList.toggle("near", near.has(v));
      element.setAttribute("aria-pressed", String(asked.has(v)));
    }
    for (const [edge, element] of current.lines) {
      const lit = second === null
        ? asked.has(edges.from[edge]) || asked.has(edges.to[edge])
        : edge === e || (e !== undefined && edges.witness[e] && edge === edgeAt.get(pairKey(edges.witness[e].other, edges.witness[e].middle)));
      element.classList.toggle("chosen", second !== null && edge === e);
      element.classList.toggle("near", Boolean(lit));
    }
    const ends = [first, second].map((v) => current.nodes.get(v));
    const shown = reason !== null && ends.every((end) => end && !end.element.classList.contains("gone"));
    if (shown) current.asked.setAttribute("d", `M${ends[0].x} ${ends[0].y}L${ends[1].x} ${ends[1].y}`);
    current.asked.classList.toggle("gone", !shown);
  }
  // The rectangle around what is visible.
  function extent() {
    const seen = current ? [...current.nodes.values()].filter(({ element }) => !element.classList.contains("gone")) : [];
    if (!seen.length) return { left: 0, top: 0, width: 100, height: 100 };
    // All of it: the lines, too, which may run round the boxes.
    if (seen.length === current.nodes.size) return { left: 0, top: 0, width: current.picture.width, height: current.picture.height };
    const half = current.picture.box / 2;
    const [xs, ys] = [seen.map((item) => item.x), seen.map((item) => item.y)];
    const [left, top] = [Math.min(...xs) - half, Math.min(...ys) - 13];
    return { left, top, width: Math.max(...xs) + half - left, height: Math.max(...ys) + 13 - top };
  }
  function measureWith(font) {
    pen.font = font;
  }
  const at = (v) => {
    const found = current && current.nodes.get(v);
    return found && !found.element.classList.contains("gone") ? found : undefined;
  };
  const visible = () => (current ? [...current.nodes].filter(([v]) => at(v)).map(([v]) => v) : []);
  return { refresh, light, extent, measureWith, at, visible, drawnEdges: () => (current ? current.lines : new Map()) };
})();
