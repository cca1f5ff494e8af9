// What is shown and chosen: one value, changed in one place. Whoever draws asks to be told.

const state = {
  cluster: 0, // which cluster's sub-graph is shown; 0 is everything
  around: null, // the variable whose neighbours alone are shown, instead of a cluster
  first: null, // the variables that are asked about
  second: null,
  hidden: content.first ? content.first.hidden : 0, // so many of the weakest edges are hidden
  least: 0, // edges of a lower confidence than this, in percent, are hidden
  hideIsolated: false,
};
const watchers = [];

function watch(told) {
  watchers.push(told);
}

function change(patch) {
  const before = { ...state };
  Object.assign(state, patch);
  const changed = new Set(Object.keys(state).filter((key) => state[key] !== before[key]));
  if (changed.size) for (const told of watchers) told(changed);
}

// Choosing variables one after the other: the first, then the one to compare it with, then anew.
function choose(v) {
  if (state.first === null || state.second !== null) change({ first: v, second: null });
  else if (state.first === v) change({ first: null, second: null });
  else change({ second: v });
}

const showCluster = (c) => change({ cluster: c, around: null });
const inView = (v) => (state.around === null ? clusters.holds(state.cluster, v) : v === state.around || edgeAt.has(pairKey(v, state.around)));
const chooseEdge = (e) => change({ first: edges.from[e], second: edges.to[e] });
const chooseNothing = () => change({ first: null, second: null });
// The edges that the filters leave; what is asked about is drawn in any case.
const edgeShown = (e) => strengthRank[e] >= state.hidden && (confidence === null || 100 * adjacent(e) >= state.least - 1e-6);
const edgeSeen = (e) => edgeShown(e) || (state.first !== null && (
  state.second === null ? edges.from[e] === state.first || edges.to[e] === state.first : e === chosenEdge()));
const chosenEdge = () => (
  state.second === null ? undefined : edgeAt.get(pairKey(state.first, state.second))
);
