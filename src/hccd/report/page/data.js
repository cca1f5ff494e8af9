// The embedded result, and how to look things up in it. Variables, edges and clusters are numbers.

const content = JSON.parse(byId("content").textContent);
const seconds = JSON.parse(byId("seconds").textContent);
const n = content.names.length;
const edges = content.edges;
const edgeCount = edges.from.length;

const pairKey = (a, b) => Math.min(a, b) * n + Math.max(a, b);

const edgeAt = new Map();
const edgesOf = Array.from({ length: n }, () => []);
for (let e = 0; e < edgeCount; e += 1) {
  edgeAt.set(pairKey(edges.from[e], edges.to[e]), e);
  edgesOf[edges.from[e]].push(e);
  edgesOf[edges.to[e]].push(e);
}
const otherEnd = (e, v) => (edges.from[e] === v ? edges.to[e] : edges.from[e]);

// What an edge says and how it looks follows from its type. Some types have an arrowhead at their target alone.
const typeOf = (e) => content.types[edges.type[e]];
const directed = (e) => edges.type[e] === "directed";
const ARROWHEAD = "arrowhead";
const points = (e) => typeOf(e).marks[1] === ARROWHEAD && typeOf(e).marks[0] !== ARROWHEAD;
// What the other end of an edge is to a variable: one of its causes, of its effects, ...
const roleOf = (e, v) => (edges.from[e] === v ? typeOf(e).target_is : typeOf(e).source_is);

// Edges from the weakest to the strongest; an edge without a strength counts as strong, it is never hidden.
const byStrength = Array.from({ length: edgeCount }, (_, e) => e)
  .sort((a, b) => (edges.strength[a] ?? Infinity) - (edges.strength[b] ?? Infinity) || a - b);
const strengthRank = new Array(edgeCount);
byStrength.forEach((e, rank) => { strengthRank[e] = rank; });
const ranked = edges.strength.filter((s) => s !== null).length;

// How sure edges are; null if nothing is known about that. Shares are those of forward, backward, undirected and none.
const { confidence } = content;
const adjacent = (e) => 1 - confidence.shares[e][3];
const asDrawn = (e) => confidence.shares[e][directed(e) ? 0 : 2];
const unjoinedShares = new Map(confidence === null ? [] : confidence.unjoined.map(([x, y, ...shares]) => [pairKey(x, y), shares]));
const unlisted = confidence !== null && confidence.complete ? [0, 0, 0, 1] : undefined;
// The shares of a pair as seen from a; undefined if they are not in the page.
function sharesOf(a, b) {
  if (confidence === null) return undefined;
  const e = edgeAt.get(pairKey(a, b));
  const shares = e === undefined ? unjoinedShares.get(pairKey(a, b)) ?? unlisted : confidence.shares[e];
  const turned = e === undefined ? a > b : edges.from[e] !== a;
  return shares && turned ? [shares[1], shares[0], shares[2], shares[3]] : shares;
}

const clusters = (() => {
  const { order, start, stop, parent, rank, height, tests, fills } = content.clusters;
  const position = new Array(n);
  order.forEach((v, place) => { position[v] = place; });
  const count = parent.length;
  const children = Array.from({ length: count }, () => []);
  const path = [];
  const depth = [];
  for (let c = 0; c < count; c += 1) {
    path.push(parent[c] < 0 ? String(rank[c]) : `${path[parent[c]]}.${rank[c]}`);
    depth.push(parent[c] < 0 ? 0 : depth[parent[c]] + 1);
    if (parent[c] >= 0) children[parent[c]].push(c);
  }
  const leaves = [];
  const leafOf = new Array(n);
  for (let c = 0; c < count; c += 1) {
    if (height[c] > 0) continue;
    for (let place = start[c]; place < stop[c]; place += 1) leafOf[order[place]] = leaves.length;
    leaves.push(c);
  }
  const size = (c) => stop[c] - start[c];
  const holds = (c, v) => start[c] <= position[v] && position[v] < stop[c];
  const members = (c) => order.slice(start[c], stop[c]).sort((a, b) => a - b);
  // The smallest cluster that holds both: where their test without condition belongs.
  function meeting(a, b) {
    let best = 0;
    for (let c = 0; c < count; c += 1) if (holds(c, a) && holds(c, b) && size(c) < size(best)) best = c;
    return best;
  }
  const fillOf = (v) => fills[leafOf[v]];
  return { count, parent, children, path, depth, height, tests, leaves, leafOf, size, holds, members, meeting, fills, fillOf };
})();

const missing = (() => {
  const { untested, never, separated, scored_out: scoredOut, scored_in: scoredIn, p_values: block } = content.missing;
  const rows = new Map();
  const given = [];
  let shownP = [];
  if (separated) {
    let at = 0;
    shownP = separated.p === "" ? [] : separated.p.split(" ");
    separated.x.forEach((x, row) => {
      rows.set(x * n + separated.y[row], row);
      given.push(separated.given.slice(at, at + separated.order[row]));
      at += separated.order[row];
    });
  }
  function pairKeys(flat) {
    const keys = new Set();
    for (let i = 0; i < flat.length; i += 2) keys.add(pairKey(flat[i], flat[i + 1]));
    return keys;
  }
  const neverKeys = pairKeys(never);
  const partedKeys = pairKeys(scoredOut);
  const joinedKeys = pairKeys(scoredIn);
  // The edges that the tests left: what else is listed here is about these.
  const testedKeys = [...edgeAt.keys()].filter((key) => !joinedKeys.has(key)).concat([...partedKeys]);

  // The block lists the pairs that nothing but their own independence separates, row by row; the others are skipped.
  let codes = null;
  const skipped = Array.from({ length: n }, () => []);
  const rowStart = [0];
  if (block !== null) {
    const bytes = Uint8Array.from(atob(block), (c) => c.charCodeAt(0));
    codes = new Uint16Array(bytes.length / 2);
    for (let i = 0; i < codes.length; i += 1) codes[i] = bytes[2 * i] + 256 * bytes[2 * i + 1];
    for (const key of [...testedKeys, ...rows.keys(), ...neverKeys]) skipped[Math.floor(key / n)].push(key % n);
    for (let x = 0; x < n; x += 1) rowStart.push(rowStart[x] + (n - 1 - x) - skipped[x].length);
  }
  function blockP(a, b) {
    if (codes === null) return "";
    const [x, y] = a < b ? [a, b] : [b, a];
    const code = codes[rowStart[x] + (y - x - 1) - skipped[x].filter((other) => other < y).length];
    return code === 65535 ? "" : general(10 ** (code / -2500));
  }

  // Why there is no edge between a and b.
  return function why(a, b) {
    const key = pairKey(a, b);
    if (partedKeys.has(key)) return { kind: "scored" };
    if (untested || neverKeys.has(key)) return { kind: "never" };
    if (!separated) return { kind: "unlisted" };
    const row = rows.get(key);
    if (row === undefined) {
      const cluster = clusters.meeting(a, b);
      const stage = content.stages[clusters.height[cluster] === 0 ? 0 : 1];
      return { kind: "separated", given: [], p: blockP(a, b), stage, cluster };
    }
    const p = shownP[row] === "-" ? "" : shownP[row];
    const stage = content.stages[separated.stage[row]];
    return { kind: "separated", given: given[row], p, stage, cluster: separated.cluster[row] };
  };
})();
