"""Levels with random graphs, random homes and random subsets of edges, and the three ways to answer them."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from hccd.baselines.search import plain_loop
from hccd.independence import Level


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
        ties=marginals.ties,
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
    """What the plain loop says."""
    return plain_loop(ci, level)


def assert_equal(one, other, what):
    assert np.array_equal(one.removed, other.removed), what
    assert np.array_equal(one.n_tests, other.n_tests), what
    assert np.array_equal(one.given[one.removed], other.given[other.removed]), what
    np.testing.assert_allclose(
        one.p_value[one.removed], other.p_value[other.removed], rtol=1e-12, atol=1e-12, err_msg=str(what)
    )
