"""How many tests a run will take, and how long: from a sample of edges, level by level, without learning anything.

Order 0 is counted, not estimated: every pair is asked once. Beyond that PC asks the surviving edges about sets of
their neighbours, so the work hangs on how fast the graph thins out. For each order a sample of the edges is asked in
earnest, by the compiled search of the test itself; that gives the time of a test and the share of edges that fall, by
their strength. The other edges are then thinned at random with these shares, and the next order goes on from there.
Edges with very many sets are asked about the first few only, since an edge that falls usually falls early.

The sample is bounded by the amount of work and not by the clock, so the same data give the same numbers of tests; only
the seconds differ.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.baselines import PC
from hccd.graphs.rows import Rows
from hccd.independence import BoundCITest, Level, Marginals, answer

_SAMPLED = 1000
_PARTS = 4
# Sets of one edge that are asked in earnest at most, and those of an edge that has more.
_MOST_SETS = 2000
_FIRST_SETS = 30
_MOST_PROBED = 40
# Row visits of contingency tables, or entries of a matrix, for the whole sample; each order may take half of the rest.
_WORK = 2e8
_GIVE_UP = 1e13


class Estimate(NamedTuple):
    """Expected tests by order, and seconds of the tests alone."""

    by_order: tuple[float, ...]
    seconds: float


@dataclass
class _Graph:
    """The edges that are still there, with what the next order needs."""

    n: int
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    strength: NDArray[np.float64]


def estimate_search(ci: BoundCITest, marginals: Marginals, baseline: PC, work_per_test: float) -> Estimate | None:
    """Estimate the tests of PC; None if the test has no compiled search, so that asking a sample would take long."""
    if type(ci).searcher is BoundCITest.searcher:
        return None
    n = ci.n_variables
    x, y = marginals.dependent_pairs()
    graph = _Graph(n, x, y, np.abs(marginals.association[x, y]))
    rng = np.random.default_rng(0)
    outer = marginals.outer().copy()
    by_order = [n * (n - 1) / 2.0]
    seconds = 0.0
    cost, work = 0.0, _WORK
    for order in range(1, (n if baseline.max_order is None else min(n, baseline.max_order)) + 1):
        found = _level(ci, marginals, baseline, graph, order, outer, work / 2.0 / work_per_test, rng)
        if found.tests == 0.0:
            break
        cost = found.cost if found.cost > 0.0 else 1.3 * cost
        work -= found.asked * work_per_test * (order + 2)
        by_order.append(found.tests)
        seconds += found.tests * cost
        graph = found.left
        if found.tests > _GIVE_UP:
            break
    return Estimate(tuple(by_order), seconds)


class _Outcome(NamedTuple):
    tests: float
    asked: float
    cost: float
    left: _Graph


def _level(
    ci: BoundCITest,
    marginals: Marginals,
    baseline: PC,
    graph: _Graph,
    order: int,
    outer: NDArray[np.float64],
    most_tests: float,
    rng: np.random.Generator,
) -> _Outcome:
    """Estimate one order, and thin the graph."""
    rows = Rows.of_edges(graph.n, np.column_stack([graph.x, graph.y]))
    # The search wants lists that it may change.
    first, neighbors, degree = rows.first[:-1], rows.neighbors.copy(), np.diff(rows.first).astype(np.int32)
    able = np.flatnonzero(np.maximum(degree[graph.x], degree[graph.y]) > order)
    if not len(able):
        return _Outcome(0.0, 0.0, 0.0, graph)
    sample = able if len(able) <= _SAMPLED else np.sort(rng.choice(able, _SAMPLED, replace=False))
    sets = _numbers_of_sets(graph, degree, first, neighbors, sample, order)
    level = Level(
        order=order,
        x=graph.x[sample],
        y=graph.y[sample],
        home_start=np.zeros(len(sample), np.int32),
        home_stop=np.zeros(len(sample), np.int32),
        home_order=np.full(len(sample), -1, np.int32),
        position=np.arange(graph.n, dtype=np.int32),
        first=first,
        neighbors=neighbors,
        degree=degree,
        association=marginals.association,
        outer=outer,
        by_strength=baseline.ordering == "strength",
        live=False,
    )
    shuffled = rng.permutation(len(sample))
    small = shuffled[sets[shuffled] <= _MOST_SETS]
    asked = small[np.cumsum(sets[small]) * (order + 2) <= most_tests]
    asked = small[:1] if not len(asked) else asked
    large = shuffled[sets[shuffled] > _MOST_SETS][:_MOST_PROBED]

    tests, fell = sets.copy(), np.zeros(len(sample), dtype=np.bool_)
    cost = 0.0
    if len(asked):
        # The time of this thread alone: a sample takes milliseconds, and a busy machine would make seconds of them.
        started = time.thread_time()
        outcome = answer(ci, level.part(asked))
        tests[asked], fell[asked] = np.abs(outcome.tests), outcome.removed
        cost = (time.thread_time() - started) / max(1.0, float(tests[asked].sum()))
    for e in large.tolist():
        given = _first_sets(level, e)
        ends = [np.full(len(given), int(side[e]), np.int32) for side in (level.x, level.y)]
        independent = ci.test_many(ends[0], ends[1], given).independent
        if independent.any():
            fell[e], tests[e] = True, float(independent.argmax()) + 1.0

    known = np.concatenate([asked, large])
    busier = np.maximum(degree[graph.x], degree[graph.y])
    features = np.column_stack([graph.strength, busier])
    share = _Share(features[sample[known]], fell[known])
    of_removed = float(tests[known][fell[known]].mean()) if fell[known].any() else 1.0
    others = np.setdiff1d(np.arange(len(sample)), known)
    falls = share(features[sample[others]])
    tests[others] = (1.0 - falls) * sets[others] + falls * np.minimum(of_removed, sets[others])
    total = float(tests.sum()) * len(able) / len(sample)

    gone = np.zeros(len(graph.x), dtype=np.bool_)
    gone[able] = rng.random(len(able)) < share(features[able])
    gone[sample[known]] = fell[known]
    return _Outcome(
        total, float(tests[asked].sum()), cost, _Graph(graph.n, graph.x[~gone], graph.y[~gone], graph.strength[~gone])
    )


def _first_sets(level: Level, e: int) -> NDArray[np.int32]:
    """Return the first sets of either end's neighbours, in the order in which they are asked."""
    x, y = int(level.x[e]), int(level.y[e])
    strength = np.minimum(np.abs(level.association[x]), np.abs(level.association[y]))
    sets: list[tuple[int, ...]] = []
    for end, other in ((x, y), (y, x)):
        own = level.neighbors[level.first[end] : level.first[end] + level.degree[end]]
        own = own[own != other]
        ranked = own[np.lexsort([own, -strength[own]])] if level.by_strength else np.sort(own)
        sets += islice(combinations(ranked.tolist(), level.order), _FIRST_SETS // 2)
    return np.array(sets, np.int32).reshape(-1, level.order)


class _Share:
    """The share of edges that fall, by their strength and by the neighbours of their busier end.

    Hubs keep their edges longer, and most of the work is theirs: one share for all would thin them out too soon.
    """

    def __init__(self, features: NDArray[np.float64], fell: NDArray[np.bool_]) -> None:
        parts = max(1, min(_PARTS, int(np.sqrt(len(fell) / 20))))
        cuts = np.arange(1, parts) / parts
        self.cuts = [np.quantile(feature, cuts) for feature in features.T]
        place, size = self._place(features), parts * parts
        # A few imaginary edges of the average kind, so that a share is never quite none or all.
        mean = (fell.sum() + 0.5) / (len(fell) + 1.0)
        self.shares = (np.bincount(place, fell, size) + 2.0 * mean) / (np.bincount(place, minlength=size) + 2.0)

    def _place(self, features: NDArray[np.float64]) -> NDArray[np.intp]:
        places = [np.searchsorted(cuts, feature) for cuts, feature in zip(self.cuts, features.T, strict=True)]
        return np.asarray(places[0] * (len(self.cuts[0]) + 1) + places[1])

    def __call__(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self.shares[self._place(features)])


def _numbers_of_sets(
    graph: _Graph,
    degree: NDArray[np.int32],
    first: NDArray[np.int64],
    neighbors: NDArray[np.int32],
    sample: NDArray[np.int64],
    order: int,
) -> NDArray[np.float64]:
    """Count the sets of neighbours of either end: those of x, those of y, less those of both."""
    from scipy.special import comb

    common = np.empty(len(sample))
    mark = np.zeros(graph.n, dtype=np.bool_)
    for i, (a, b) in enumerate(zip(graph.x[sample].tolist(), graph.y[sample].tolist(), strict=True)):
        of_a = neighbors[first[a] : first[a] + degree[a]]
        mark[of_a] = True
        common[i] = np.count_nonzero(mark[neighbors[first[b] : first[b] + degree[b]]])
        mark[of_a] = False
    ends = [comb(degree[side[sample]] - 1.0, order) for side in (graph.x, graph.y)]
    return np.asarray(ends[0] + ends[1] - comb(common, order))
