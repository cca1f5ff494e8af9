"""Bounds over a class, against the sums over all its members; the costs are arbitrary, not those of a metric."""

from __future__ import annotations

from itertools import combinations
from zlib import crc32

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from metrics_by_definition import as_bits, members, random_dag, random_pdag, subsets

from hccd.graphs import PDAG, dag_to_cpdag, meek_closure
from hccd.metrics.class_bounds import Bounds, bounds_over_class

WORST = 10
SEEDS = st.integers(0, 2**32 - 1)


def arbitrary(x: int, parents: int) -> int:
    return crc32(f"{x} {parents}".encode()) % (WORST + 1)


def by_enumeration(graph: PDAG) -> Bounds:
    sums = [sum(arbitrary(x, as_bits(dag.parents(x))) for x in range(graph.n)) for dag in members(graph)]
    return Bounds(min(sums), max(sums), True)


def found(graph: PDAG, limit: int = 10_000) -> Bounds:
    return bounds_over_class(graph, arbitrary, WORST, limit)


@settings(max_examples=120, deadline=None)
@given(SEEDS, st.integers(1, 6), st.floats(0.2, 0.7))
def test_bounds_of_a_cpdag_are_attained(seed: int, n: int, density: float) -> None:
    cpdag = dag_to_cpdag(random_dag(np.random.default_rng(seed), n, density))
    assume(len(cpdag.undirected_edges()) <= 9)
    assert found(cpdag) == by_enumeration(cpdag)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_bounds_of_complete_graphs(n: int) -> None:
    complete = PDAG.from_edges(n, undirected=list(combinations(range(n), 2)))
    assert found(complete) == by_enumeration(complete)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)], id="path"),
        pytest.param([(3, i) for i in range(7) if i != 3], id="star"),
        pytest.param([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (3, 5), (4, 5)], id="strip of triangles"),
        pytest.param([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)], id="two triangles and a bridge"),
        pytest.param([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (3, 4), (5, 6)], id="two components"),
    ],
)
def test_bounds_of_undirected_graphs(lines: list[tuple[int, int]]) -> None:
    graph = PDAG.from_edges(7, undirected=lines)
    assert found(graph) == by_enumeration(graph)


@settings(max_examples=120, deadline=None)
@given(SEEDS, st.integers(3, 6), st.floats(0.3, 0.9))
def test_bounds_with_background_knowledge(seed: int, n: int, density: float) -> None:
    """Some edges of a class are directed beyond its CPDAG, with or without all that follows from them."""
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, n, density)
    cpdag = dag_to_cpdag(dag)
    assume(1 <= len(cpdag.undirected_edges()) <= 9)
    known = rng.random((n, n)) < 0.25
    graph = PDAG(np.where(known | known.T, dag.marks, cpdag.marks))
    assert found(graph) == by_enumeration(graph)


@settings(max_examples=80, deadline=None)
@given(SEEDS, st.integers(2, 6), st.floats(0.3, 0.9))
def test_any_variable_can_come_first_once_the_rules_are_exhausted(seed: int, n: int, density: float) -> None:
    """What the search relies on, by enumeration."""
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, n, density)
    known = rng.random((n, n)) < 0.25
    graph = meek_closure(PDAG(np.where(known | known.T, dag.marks, dag_to_cpdag(dag).marks)))
    assume(len(graph.undirected_edges()) <= 9)
    every = members(graph)
    for x in range(n):
        assert any(set(member.parents(x)) == set(graph.parents(x)) for member in every)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(3, 6), st.floats(0.2, 0.7), st.integers(0, 12))
def test_local_bounds_enclose_the_exact_ones(seed: int, n: int, density: float, limit: int) -> None:
    cpdag = dag_to_cpdag(random_dag(np.random.default_rng(seed), n, density))
    assume(len(cpdag.undirected_edges()) <= 9)
    exact, loose = by_enumeration(cpdag), found(cpdag, limit)
    assert loose.lower <= exact.lower <= exact.upper <= loose.upper
    if loose.exact:
        assert loose == exact


def test_local_bounds_take_sets_that_make_no_collider() -> None:
    # One step is too few for the path, and enough to try the parent sets {}, {0}, {2} of its middle, not {0, 2}.
    def cost(x: int, parents: int) -> int:
        return 7 if parents == 0b101 else 2 if parents else 1

    path = PDAG.from_edges(3, undirected=[(0, 1), (1, 2)])
    assert bounds_over_class(path, cost, worst=9, limit=0) == (0, 27, False)
    assert bounds_over_class(path, cost, worst=9, limit=2) == (2, 2 + 2 + 9, False)
    assert bounds_over_class(PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3)]), cost, 9, 3) == (4, 8, False)
    assert bounds_over_class(path, cost, worst=9, limit=3) == (5, 5, True)


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.integers(2, 5), st.floats(0.2, 0.8))
def test_any_graph_has_bounds(seed: int, n: int, density: float) -> None:
    """Those of its members, or if it has none, those of each variable by itself with any of its neighbours."""
    graph = random_pdag(np.random.default_rng(seed), n, density)
    if members(graph):
        assert found(graph) == by_enumeration(graph)
        return
    costs = [
        [arbitrary(x, as_bits([*graph.parents(x), *more])) for more in subsets(graph.undirected_neighbors(x))]
        for x in range(n)
    ]
    assert found(graph) == (sum(map(min, costs)), sum(map(max, costs)), False)
