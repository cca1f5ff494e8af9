"""Compiled kernels of the search by a score, and the same files run by Python: the same scores and DAGs, to the bit."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES

import numpy as np
import pytest

import hccd
from hccd._kernels.scores.ascent import Ascent
from hccd._kernels.scores.permutation import PermutationSearch
from hccd.graphs.constraints import Constraints
from hccd.independence.fisher_z import SINGULAR
from hccd.independence.tables import EQUIVALENT_ROWS
from hccd.scoring import CandidateParents
from method_cases import discrete_net, linear_gaussian, mixed_columns, random_dag
from uncompiled import compiled, uncompiled

NAMES = (
    "ancestors", "ascent", "block_families", "families", "gaussian_families", "grow_shrink", "log_gamma", "permutation",
    "redraw", "set_memory", "set_tables", "table_families", "tree_store",
)  # fmt: skip
WEIGHTS = {
    "discrete": lambda rng, rows: None,
    "discrete, counts": lambda rng, rows: rng.integers(1, 4, rows),
    "discrete, sampling weights": lambda rng, rows: rng.gamma(2.0, size=rows),
}
ROOM = 6


@pytest.mark.parametrize("name", NAMES)
def test_one_side_is_compiled_and_the_other_is_not(name):
    assert compiled(name).__file__.endswith(tuple(EXTENSION_SUFFIXES))
    assert uncompiled(name).__file__.endswith(".py")
    assert not uncompiled(name).cython.compiled


def both(kind, rng, n, rows):
    """A bound test, and the score compiled and not."""
    if kind in WEIGHTS:
        ci = hccd.GTest(0.05).bind(discrete_net(rng, n, 3, rows, (2, 5)), WEIGHTS[kind](rng, rows))
        columns = uncompiled("coded_columns").CodedColumns(*ci.data.for_kernels())
        return ci, ci.families(ROOM), uncompiled("table_families").TableFamilies(columns, EQUIVALENT_ROWS, ROOM)
    data = linear_gaussian(rng, n, 3, rows)
    if kind == "mixed":
        ci = hccd.DegenerateGaussian(0.05).bind(mixed_columns(data))
        plain = uncompiled("block_families").BlockFamilies(*ci.content()[:4], ci.n_samples - 3.0, SINGULAR, ROOM)
        return ci, ci.families(ROOM), plain
    if kind == "nearly determined":
        data[:, 1:4] = data[:, [0]] + 1e-4 * data[:, 1:4]
    ci = hccd.FisherZ(0.05).bind(data)
    plain = uncompiled("gaussian_families").GaussianFamilies(
        np.array(ci.correlation), ci.n_samples - 3.0, SINGULAR, ROOM
    )
    return ci, ci.families(ROOM), plain


KINDS = ["gaussian", "nearly determined", "mixed", *WEIGHTS]


@pytest.mark.parametrize("kind", KINDS)
def test_families(kind):
    rng = np.random.default_rng(81)
    _, compiled, plain = both(kind, rng, 7, 40)
    for _ in range(40):
        child, *parents = rng.permutation(7)[: 1 + int(rng.integers(0, 5))].tolist()
        members = np.array(sorted(parents), np.int32)
        assert compiled.score(child, members) == plain.score(child, members)
    gains = np.zeros((2, 7, 7))
    for child in range(7):
        parents = np.array([] if child else [3, 5], np.int32)
        compiled.gains(child, parents, gains[0, child])
        plain.gains(child, parents, gains[1, child])
    assert np.array_equal(gains[0], gains[1]) and np.count_nonzero(gains[0]) == 40


def test_families_of_many_rows():
    """Rows enough for tables to be remembered, summed up, and counted in four arrays."""
    rng = np.random.default_rng(85)
    _, compiled, plain = both("discrete", rng, 7, 303)
    for _ in range(80):
        child, *parents = rng.permutation(7)[: 1 + int(rng.integers(1, 5))].tolist()
        members = np.array(sorted(parents), np.int32)
        assert compiled.score(child, members) == plain.score(child, members)
        assert compiled.work == plain.work


@pytest.mark.parametrize("share", [0.0, 0.25], ids=["free", "barred"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_searches(kind, seed, share):
    rng = np.random.default_rng([82, seed])
    n = 7
    ci, compiled, plain = both(kind, rng, n, 60)
    start = random_dag(rng, n, 0.3)
    candidates = CandidateParents.of(compiled, ci.marginals().independent, start, 8)
    rows, slots = candidates.rows, candidates.slots_of(start)
    barred = (rng.random(rows.n_slots) < share).astype(np.uint8)
    sides = [
        ascent(families, rows.first, rows.neighbors, rows.mirror, slots, candidates.price, ROOM, barred)
        for ascent, families in ((Ascent, compiled), (uncompiled("ascent").Ascent, plain))
    ]
    for at in range(3):
        assert sides[0].total() == sides[1].total()
        for side in sides:
            side.climb()
        assert sides[0].n_moves == sides[1].n_moves
        counts = [side.shake(0, n) for side in sides]
        assert counts[0] == counts[1]
        assert np.array_equal(np.array(sides[0].edge), np.array(sides[1].edge)), at
    assert np.array_equal(np.array(sides[0].edge)[barred == 1], slots[barred == 1])
    assert sides[0].n_moves > (1 if share else 3)


def known(rng, n):
    """Constraints that follow an order: some arrows forbidden, some required, some pairs adjacent."""
    order = rng.permutation(n)
    along = np.triu(np.ones((n, n), bool), 1)[np.ix_(np.argsort(order), np.argsort(order))]
    drawn = rng.random((n, n))
    adjacent = along & (drawn < 0.3)
    forbidden = (along.T & (drawn < 0.4)) | (along & (drawn > 0.9))
    return Constraints(forbidden, adjacent | adjacent.T), order.astype(np.int32)


@pytest.mark.parametrize("constrained", [False, True], ids=["free", "constrained"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_searches_over_orders(kind, seed, constrained):
    rng = np.random.default_rng([84, seed])
    n = 8
    ci, fast, plain = both(kind, rng, n, 60)
    everybody = np.zeros(n, np.int64), np.full(n, n), np.arange(n, dtype=np.int32)
    some = CandidateParents.of(fast, ci.marginals().independent, random_dag(rng, n, 0.3), 4).lists()
    lists = some if kind in WEIGHTS else everybody
    order, musts = rng.permutation(n).astype(np.int32), None
    if constrained:
        constraints, order = known(rng, n)
        candidates = CandidateParents.everybody(n, 60, constraints)
        lists, musts = candidates.lists(), candidates.musts()
        assert len(musts[1]) > 3
    sides = [
        search(families, *lists, order, 1.5, ROOM, musts)
        for search, families in (
            (PermutationSearch, fast),
            (uncompiled("permutation").PermutationSearch, plain),
        )
    ]
    for warmth, along in ((0.0, 0), (1.0, 1), (8.0, 2), (32.0, 1)):
        found = []
        for side in sides:
            found.append(side.kick(0, n, warmth, along, 1e-6) if warmth else side.improve(5))
            found.append(side.look_ahead())
            while side.improve(1000):
                pass
        assert found[:2] == found[2:]
        assert sides[0].total() == sides[1].total()
        assert np.array_equal(np.array(sides[0].sequence), sides[1].sequence)
        for y in range(n):
            assert np.array_equal(sides[0].parents(y), sides[1].parents(y))
    assert sides[0].trees.n_nodes == sides[1].trees.n_nodes > n


def test_ancestors():
    rng = np.random.default_rng(83)
    n = 70
    one, other = (
        compiled("ancestors").Ancestors(n, 4),
        uncompiled("ancestors").Ancestors(n, 4),
    )
    edges = []
    for _ in range(200):
        x, y = rng.integers(0, n, 2).tolist()
        if edges and rng.random() < 0.3:
            x, y = edges.pop(int(rng.integers(len(edges))))
            assert one.can_turn(x, y) == other.can_turn(x, y)
            one.remove(x, y)
            other.remove(x, y)
        elif x != y and (x, y) not in edges and not one.is_ancestor(y, x) and one.n_parents[y] < 4:
            edges.append((x, y))
            one.insert(x, y)
            other.insert(x, y)
    assert len(edges) > 50
    assert all(one.is_ancestor(x, y) == bool(other.is_ancestor(x, y)) for x in range(n) for y in range(n))
    assert np.array_equal(np.array(one.parents), other.parents)
