// A close-up of one variable: what points to it above it, what it points to below, what is joined otherwise beside it.
// It has the form of the pictures that come with the page, so it is drawn and lit like them.

const IN_A_ROW = 7;
const ROW_GAP = 48;
const BOX_GAP = 26;

function neighbourhood(v) {
  const { widths, height } = content.boxes;
  const of = (belongs) => edgesOf[v].filter(belongs).map((e) => otherEnd(e, v)).sort((a, b) => clusters.leafOf[a] - clusters.leafOf[b] || a - b);
  const causes = of((e) => points(e) && edges.to[e] === v);
  const effects = of((e) => points(e) && edges.from[e] === v);
  const beside = of((e) => !points(e));
  const nodes = [v, ...causes, ...effects, ...beside];
  const at = new Map([[v, [0, 0]]]);

  // Rows grow away from the middle; every other one is shifted, so that lines pass between the boxes.
  function stack(variables, direction) {
    for (let start = 0; start < variables.length; start += IN_A_ROW) {
      const row = variables.slice(start, start + IN_A_ROW);
      const depth = start / IN_A_ROW;
      const wide = row.reduce((sum, w) => sum + widths[w] + BOX_GAP, -BOX_GAP);
      let left = (depth % 2 ? 30 : 0) - wide / 2;
      for (const w of row) {
        at.set(w, [left + widths[w] / 2, direction * (height + ROW_GAP) * (1.35 + depth)]);
        left += widths[w] + BOX_GAP;
      }
    }
  }
  stack(causes, -1);
  stack(effects, 1);
  const reach = [widths[v] / 2, widths[v] / 2];
  beside.forEach((w, i) => {
    reach[i % 2] += 2 * BOX_GAP + widths[w];
    at.set(w, [(i % 2 ? -1 : 1) * (reach[i % 2] - widths[w] / 2), 0]);
  });

  const sides = [...at].flatMap(([w, [x]]) => [x - widths[w] / 2, x + widths[w] / 2]);
  const ys = [...at.values()].map(([, y]) => y);
  const [left, right] = [Math.min(...sides), Math.max(...sides)];
  const top = Math.min(...ys) - height / 2 - (causes.length ? 0 : rise(right - left));
  const inside = [...new Set(nodes.flatMap((w) => edgesOf[w]))].filter((e) => at.has(edges.from[e]) && at.has(edges.to[e])).sort((a, b) => a - b);
  const place = (w) => [Math.round(at.get(w)[0] - left), Math.round(at.get(w)[1] - top)];
  return {
    nodes,
    x: nodes.map((w) => place(w)[0]),
    y: nodes.map((w) => place(w)[1]),
    width: right - left,
    height: Math.max(...ys) + height / 2 - top,
    edges: inside,
    paths: inside.map((e) => between(edges.from[e], edges.to[e], place)),
  };
}

// How high a line goes over the boxes between its ends: the further apart they are, the higher.
const rise = (distance) => 14 + 0.11 * Math.abs(distance);

// A curve from box to box: down or up between rows, straight between neighbours in a row, over the top of others.
function between(v, w, place) {
  const [[x1, y1], [x2, y2], [half1, half2]] = [place(v), place(w), [v, w].map((u) => content.boxes.widths[u] / 2)];
  const half = content.boxes.height / 2;
  const written = (numbers) => numbers.map(Math.round).join(" ");
  if (y1 === y2) {
    const side = Math.sign(x2 - x1);
    const [a, b] = [x1 + side * half1, x2 - side * half2];
    if (Math.abs(b - a) <= 2 * BOX_GAP + 2) return `M${written([a, y1])}C${written([a, y1, b, y2, b, y2])}`;
    const high = half + rise(x2 - x1);
    return `M${written([x1, y1 - half])}C${written([x1, y1 - high, x2, y2 - high, x2, y2 - half])}`;
  }
  const lean = (reach) => Math.max(-0.72 * reach, Math.min(0.72 * reach, 0.25 * (x2 - x1)));
  const down = Math.sign(y2 - y1);
  const [a, b] = [[x1 + lean(half1), y1 + half * down], [x2 - lean(half2), y2 - half * down]];
  const middle = (a[1] + b[1]) / 2;
  return `M${written(a)}C${written([a[0], middle, b[0], middle, ...b])}`;
}
