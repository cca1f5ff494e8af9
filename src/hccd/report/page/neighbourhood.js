// A close-up of one variable: what points to it above it, what it points to below, what is joined otherwise beside it.
// It has the form of the pictures that come with the page, so it is drawn and lit like them.

const IN_A_ROW = 7;
const ROW_HEIGHT = 74;

function neighbourhood(v, labelWidth) {
  const of = (belongs) => edgesOf[v].filter(belongs).map((e) => otherEnd(e, v)).sort((a, b) => clusters.leafOf[a] - clusters.leafOf[b] || a - b);
  const causes = of((e) => points(e) && edges.to[e] === v);
  const effects = of((e) => points(e) && edges.from[e] === v);
  const beside = of((e) => !points(e));
  const nodes = [v, ...causes, ...effects, ...beside];
  const box = Math.max(60, ...nodes.map((w) => labelWidth(content.labels[w]) + 24));
  const pitch = box + 26;
  const at = new Map([[v, [0, 0]]]);

  // Rows grow away from the middle; every other one is shifted, so that lines pass between the boxes.
  function stack(variables, direction) {
    for (let start = 0; start < variables.length; start += IN_A_ROW) {
      const row = variables.slice(start, start + IN_A_ROW);
      const depth = start / IN_A_ROW;
      row.forEach((w, i) => at.set(w, [
        (i - (row.length - 1) / 2) * pitch + (depth % 2 ? pitch / 2 : 0), direction * ROW_HEIGHT * (1.35 + depth),
      ]));
    }
  }
  stack(causes, -1);
  stack(effects, 1);
  beside.forEach((w, i) => at.set(w, [(i % 2 ? -1 : 1) * (1 + Math.floor(i / 2)) * (pitch + 24), 0]));

  const xs = [...at.values()].map(([x]) => x);
  const ys = [...at.values()].map(([, y]) => y);
  const [left, top] = [Math.min(...xs) - box / 2, Math.min(...ys) - 13 - (causes.length ? 0 : rise(Math.max(...xs) - Math.min(...xs)))];
  const inside = [...new Set(nodes.flatMap((w) => edgesOf[w]))].filter((e) => at.has(edges.from[e]) && at.has(edges.to[e])).sort((a, b) => a - b);
  const place = (w) => [Math.round(at.get(w)[0] - left), Math.round(at.get(w)[1] - top)];
  return {
    nodes,
    x: nodes.map((w) => place(w)[0]),
    y: nodes.map((w) => place(w)[1]),
    box,
    width: Math.max(...xs) + box / 2 - left,
    height: Math.max(...ys) + 13 - top,
    edges: inside,
    paths: inside.map((e) => between(place(edges.from[e]), place(edges.to[e]), box)),
  };
}

// How high a line goes over the boxes between its ends: the further apart they are, the higher.
const rise = (distance) => 14 + 0.11 * Math.abs(distance);

// A curve from box to box: down or up between rows, straight between neighbours in a row, over the top of others.
function between([x1, y1], [x2, y2], box) {
  const lean = (from, to) => Math.max(-0.36 * box, Math.min(0.36 * box, 0.25 * (to - from)));
  const written = (numbers) => numbers.map(Math.round).join(" ");
  if (y1 === y2) {
    const side = Math.sign(x2 - x1);
    if (Math.abs(x2 - x1) < 2 * box) {
      const [a, b] = [x1 + (side * box) / 2, x2 - (side * box) / 2];
      return `M${written([a, y1])}C${written([a, y1, b, y2, b, y2])}`;
    }
    const high = 13 + rise(x2 - x1);
    return `M${written([x1, y1 - 13])}C${written([x1, y1 - high, x2, y2 - high, x2, y2 - 13])}`;
  }
  const down = Math.sign(y2 - y1);
  const [a, b] = [[x1 + lean(x1, x2), y1 + 13 * down], [x2 - lean(x1, x2), y2 - 13 * down]];
  const middle = (a[1] + b[1]) / 2;
  return `M${written(a)}C${written([a[0], middle, b[0], middle, ...b])}`;
}
