"""Levels with random graphs, random homes and random subsets of edges, and the three ways to answer them."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from hccd.independence import BoundCITest, Level, LevelOutcome
from reference_pc import first_separating_set


def random_level(rng, marginals, order, *, live, by_strength, density=0.5, homes=True, bounded=True):
    """A level of a pass: some of the edges of a random graph are asked, each with a home of its own."""
    n = len(marginals.strength)
    edges = np.array([pair for pair in combinations(range(n), 2) if rng.random() < density], np.int32).reshape(-1, 2)
    asked = edges[rng.random(len(edges)) < 0.8]
    adjacent = [sorted({int(b if a == v else a) for a, b in edges if v in (a, b)}) for v in range(n)]
    degree = np.array([len(members) for members in adjacent], np.int32)
    m = len(asked)
    start = rng.integers(0, n, m).astype(np.int32)
    return Level(
        order=order,
        x=np.ascontiguousarray(asked[:, 0]),
        y=np.ascontiguousarray(asked[:, 1]),
        home_start=start,
        home_stop=np.minimum(start + rng.integers(0, n + 1, m), n).astype(np.int32),
        home_order=(rng.integers(-1, order + 2, m) if homes else np.full(m, -1)).astype(np.int32),
        position=rng.permutation(n).astype(np.int32),
        first=np.concatenate([[0], np.cumsum(degree)[:-1]]).astype(np.int64),
        # In no particular order: the rank decides, not the place in the list.
        neighbors=np.array([z for members in adjacent for z in rng.permutation(members).tolist()], np.int32),
        degree=degree,
        association=marginals.association,
        outer=outer_bounds(marginals, adjacent) if bounded else np.full(n, np.inf),
        by_strength=by_strength,
        live=live,
    )


def outer_bounds(marginals, adjacent):
    """The largest strength of each variable with one that is not its neighbour, itself left out."""
    n = len(adjacent)
    return np.array(
        [max((marginals.strength[v, z] for z in range(n) if z not in (v, *adjacent[v])), default=0.0) for v in range(n)]
    )


def reference(ci, level):
    """What a plain loop over the sets says; it leaves p-values for statistics."""
    m = len(level.x)
    graph = [set(level.neighbors[f : f + d].tolist()) for f, d in zip(level.first, level.degree, strict=True)]
    strength = np.abs(level.association) if level.by_strength else None
    tests, given, p_value = np.zeros(m, np.int64), np.zeros((m, level.order), np.int32), np.full(m, np.nan)
    for e, (x, y) in enumerate(zip(level.x.tolist(), level.y.tolist(), strict=True)):
        inside = (level.home_start[e] <= level.position) & (level.position < level.home_stop[e])
        home = set(np.flatnonzero(inside).tolist()) if level.order <= level.home_order[e] else set()
        found, p_value[e], tests[e] = first_separating_set(
            ci, x, y, level.order, graph[x] - {y}, graph[y] - {x}, strength, home
        )
        if found is not None:
            tests[e], given[e] = -tests[e], found
            if level.live:
                graph[x].discard(y)
                graph[y].discard(x)
    return LevelOutcome(tests, given, p_value, np.zeros(m, np.int64))


def assert_equal(one, other, what):
    """Both outcomes have the same kind of statistic."""
    assert np.array_equal(one.tests, other.tests), what
    assert np.array_equal(one.given[one.removed], other.given[other.removed]), what
    np.testing.assert_allclose(
        one.statistic[one.removed], other.statistic[other.removed], rtol=1e-12, atol=1e-12, err_msg=str(what)
    )


class Called(BoundCITest):
    """A test that answers through Python, as a user's own does."""

    def __init__(self, base):
        self.base = base

    @property
    def n_variables(self):
        return self.base.n_variables

    def test(self, x, y, given=()):
        return self.base.test(x, y, given)
