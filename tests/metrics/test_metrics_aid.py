"""Adjustment identification distances: the right matrices reach gadjid, and what it cannot take does not."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from metrics_by_definition import as_networkx, is_valid_adjustment, members, possibly_directed_paths, random_dag

from hccd.errors import InvalidGraphError, InvalidParameterError, NotInstalledError
from hccd.graphs import PDAG, dag_to_cpdag
from hccd.metrics import aid, sid

SEEDS = st.integers(0, 2**32 - 1)


def claim(graph: PDAG, x: int, y: int) -> tuple[int, ...] | str:
    """What a graph says about the effect of x on y: unknown, none, or to be adjusted for the ancestors of x."""
    paths = list(possibly_directed_paths(graph, x, y))
    if not paths:
        return "none"
    if any(graph.marks[path[1], x] for path in paths):
        return "unknown"
    return tuple(z for z in range(graph.n) if z != x and reaches(graph, z, x))


def reaches(graph: PDAG, z: int, x: int) -> bool:
    """Whether a directed path leads from z to x."""
    front, seen = {z}, {z}
    while front:
        front = {child for each in front for child in graph.children(each)} - seen
        seen |= front
    return x in seen


def ancestor_mistakes(truth: PDAG, learned: PDAG) -> int:
    mistakes = 0
    for x in range(truth.n):
        for y in set(range(truth.n)) - {x}:
            true, claimed = claim(truth, x, y), claim(learned, x, y)
            if isinstance(claimed, str):
                mistakes += true != claimed
            else:
                mistakes += true == "unknown" or not all(
                    is_valid_adjustment(as_networkx(member), x, y, claimed) for member in members(truth)
                )
    return mistakes


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(2, 5), st.floats(0.2, 0.8), st.floats(0.2, 0.8), st.booleans())
def test_ancestor_distances_are_those_of_the_definition(
    seed: int, n: int, density: float, other: float, as_cpdag: bool
) -> None:
    rng = np.random.default_rng(seed)
    truth, learned = random_dag(rng, n, density), random_dag(rng, n, other)
    graphs = (dag_to_cpdag(truth), dag_to_cpdag(learned)) if as_cpdag else (truth, learned)
    found = aid(truth, learned, as_cpdag=as_cpdag)
    assert found.mistakes == ancestor_mistakes(*graphs)
    assert found == aid(*graphs, "ancestor", as_cpdag=as_cpdag)
    assert found.normalised == found.mistakes / (n * (n - 1))


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(2, 12))
def test_the_parent_distance_of_dags_is_the_sid(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    truth, learned = random_dag(rng, n, 0.3), random_dag(rng, n, 0.3)
    assert aid(truth, learned, "parent", as_cpdag=False).mistakes == sid(truth, learned).lower


@pytest.mark.parametrize("adjustment", ["ancestor", "oset", "parent"])
@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, n=st.integers(1, 12))
def test_a_graph_has_no_distance_to_itself_or_its_class(adjustment: str, seed: int, n: int) -> None:
    dag = random_dag(np.random.default_rng(seed), n, 0.3)
    assert aid(dag, dag, adjustment, as_cpdag=False).mistakes == 0
    assert aid(dag, dag_to_cpdag(dag), adjustment).mistakes == 0
    assert aid(dag, dag, adjustment).normalised == 0.0


def test_the_three_distances_differ() -> None:
    truth, learned = random_dag(np.random.default_rng(8), 30, 0.15), random_dag(np.random.default_rng(9), 30, 0.15)
    assert len({aid(truth, learned, each).mistakes for each in ("ancestor", "oset", "parent")}) == 3


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(2, 7), st.floats(0.2, 0.8))
def test_any_graph_gives_a_distance_or_a_refusal_never_a_panic(seed: int, n: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.random((n, n)) < density
    np.fill_diagonal(matrix, False)
    graph, truth = PDAG(matrix), random_dag(rng, n, 0.4)
    classes = members(graph)
    is_cpdag = bool(classes) and dag_to_cpdag(classes[0]) == graph
    assume(len(graph.undirected_edges()) <= 9)
    if graph.is_dag() or is_cpdag:
        assert aid(truth, graph).mistakes >= 0
        return
    for pair in ((truth, graph), (graph, truth)):
        with pytest.raises(InvalidGraphError, match="neither a DAG nor the CPDAG of one"):
            aid(*pair)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gadjid", None)
    with pytest.raises(NotInstalledError, match=r"pip install 'hccd\[experiments\]'"):
        aid(PDAG.empty(3), PDAG.empty(3))


def test_unknown_adjustments_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="'child': choose one of ancestor, oset, parent"):
        aid(PDAG.empty(3), PDAG.empty(3), "child")
