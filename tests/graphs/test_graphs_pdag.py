"""PDAG: the meaning of marks, value semantics and immutability; cycles against networkx."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest
from graphs_by_definition import random_dag
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs import PDAG, Skeleton


@st.composite
def mark_matrices(draw: st.DrawFn, max_n: int = 8) -> np.ndarray:
    n = draw(st.integers(0, max_n))
    marks = draw(npst.arrays(np.int8, (n, n), elements=st.integers(0, 1)))
    np.fill_diagonal(marks, 0)
    return marks


def test_direction_is_from_row_to_column() -> None:
    graph = PDAG(np.array([[0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0]], dtype=np.int8))
    assert graph.directed_edges().tolist() == [[0, 1], [3, 2]]
    assert graph.undirected_edges().tolist() == [[1, 2]]
    assert graph.children(0) == (1,)
    assert graph.parents(1) == (0,)
    assert graph.parents(2) == (3,)
    assert graph.undirected_neighbors(1) == (2,)
    assert graph.neighbors(1) == (0, 2)
    assert graph.skeleton() == Skeleton.from_edges(4, [(0, 1), (1, 2), (2, 3)])


@given(mark_matrices())
def test_edges_and_neighbourhoods_agree_with_the_matrix(marks: np.ndarray) -> None:
    graph = PDAG(marks)
    n = len(marks)
    directed = [[i, j] for i in range(n) for j in range(n) if marks[i, j] and not marks[j, i]]
    undirected = [[i, j] for i in range(n) for j in range(i + 1, n) if marks[i, j] and marks[j, i]]
    assert graph.n == n
    assert graph.directed_edges().tolist() == directed
    assert graph.undirected_edges().tolist() == undirected
    assert PDAG.from_edges(n, directed, undirected) == graph
    assert PDAG.from_edges(n, directed[::-1], [pair[::-1] for pair in undirected]) == graph
    assert graph.skeleton() == Skeleton.from_adjacency(marks | marks.T)
    for x in range(n):
        assert graph.parents(x) == tuple(i for i, j in directed if j == x)
        assert graph.children(x) == tuple(j for i, j in directed if i == x)
        joined = sorted({i + j - x for i, j in undirected if x in (i, j)})
        assert graph.undirected_neighbors(x) == tuple(joined)
        assert graph.neighbors(x) == graph.skeleton().neighbors(x)


@given(mark_matrices(), st.randoms(use_true_random=False))
def test_relabelled_moves_marks_and_back(marks: np.ndarray, random: object) -> None:
    order = list(range(len(marks)))
    random.shuffle(order)  # type: ignore[attr-defined]
    graph = PDAG(marks)
    moved = graph.relabelled(order)
    assert all(moved.marks[order[i], order[j]] == marks[i, j] for i in range(len(marks)) for j in range(len(marks)))
    assert moved.relabelled(np.argsort(order)) == graph
    assert moved.skeleton() == graph.skeleton().relabelled(order)


@given(mark_matrices())
def test_acyclicity_and_order_agree_with_networkx(marks: np.ndarray) -> None:
    graph = PDAG(marks)
    reference = nx.DiGraph()
    reference.add_nodes_from(range(graph.n))
    reference.add_edges_from(graph.directed_edges().tolist())
    order = graph.topological_order()
    if nx.is_directed_acyclic_graph(reference):
        assert order == tuple(nx.lexicographical_topological_sort(reference))
    else:
        assert order is None
    assert graph.is_dag() == (order is not None and not graph.undirected_edges().size)


def test_random_dags_are_dags_and_one_reversed_path_is_not() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        assert random_dag(rng, 30, 0.2).is_dag()
    assert not PDAG.from_edges(3, [(0, 1), (1, 2), (2, 0)]).is_dag()
    assert not PDAG.from_edges(2, undirected=[(0, 1)]).is_dag()
    assert PDAG.empty(0).is_dag()


@given(mark_matrices(max_n=3), mark_matrices(max_n=3))
def test_equality_and_hash_are_by_value(one: np.ndarray, two: np.ndarray) -> None:
    same = one.shape == two.shape and bool((one == two).all())
    assert (PDAG(one) == PDAG(two)) == same
    assert len({PDAG(one), PDAG(two)}) == (1 if same else 2)
    assert PDAG(one) != one.tolist()


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int64, np.uint8, float])
def test_other_types_of_number_are_converted(dtype: type) -> None:
    marks = np.array([[0, 1], [0, 0]])
    graph = PDAG(marks.astype(dtype))
    assert graph.marks.dtype == np.int8
    assert graph == PDAG.from_edges(2, [(0, 1)])


def test_column_major_marks_mean_the_same() -> None:
    marks = np.array([[0, 1, 0], [0, 0, 0], [1, 1, 0]], dtype=np.int8)
    assert PDAG(np.asfortranarray(marks)) == PDAG(marks)
    assert hash(PDAG(np.asfortranarray(marks))) == hash(PDAG(marks))
    assert PDAG(marks.T).directed_edges().tolist() == [[0, 2], [1, 0], [1, 2]]


def test_nothing_can_be_changed_and_nothing_given_is_changed() -> None:
    mine = np.zeros((3, 3), dtype=np.int8)
    graph = PDAG(mine)
    mine[0, 1] = 1
    assert graph == PDAG.empty(3)
    filled = PDAG.from_edges(3, [(0, 1)], [(1, 2)])
    for array in (graph.marks, filled.directed_edges(), filled.undirected_edges()):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    with pytest.raises(AttributeError):
        graph.marks = mine  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(filled))
    assert again == filled
    assert not again.marks.flags.writeable


def test_repr_is_short() -> None:
    assert repr(PDAG.from_edges(9, [(0, 1)], [(1, 2), (3, 4)])) == "PDAG(n=9, directed=1, undirected=2)"


@pytest.mark.parametrize(
    ("marks", "text"),
    [
        ([[0, 1]], "square"),
        ([0, 1], "square"),
        ([[0, 2], [0, 0]], "got 2"),
        ([[0, -1], [0, 0]], "got -1"),
        ([[0, 0.5], [0, 0]], r"got 0\.5"),
        ([[0, float("nan")], [0, 0]], "got nan"),
        ([[0, 1], [0, 1]], "variable 1 to itself"),
        ([["0", "1"], ["0", "0"]], "type"),
    ],
)
def test_bad_marks_are_refused(marks: object, text: str) -> None:
    with pytest.raises(InvalidGraphError, match=text):
        PDAG(marks)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("directed", "undirected", "text"),
    [
        ([(0, 1), (1, 0)], [], "exclude each other"),
        ([(0, 1)], [(1, 0)], "both directed and undirected"),
        ([(0, 3)], [], "does not exist"),
        ([], [(1, 1)], "to itself"),
    ],
)
def test_from_edges_refuses(directed: list, undirected: list, text: str) -> None:
    with pytest.raises(InvalidGraphError, match=text):
        PDAG.from_edges(3, directed, undirected)


def test_repeated_edges_count_once() -> None:
    graph = PDAG.from_edges(4, [(0, 1), (0, 1)], [(2, 3), (3, 2)])
    assert repr(graph) == "PDAG(n=4, directed=1, undirected=1)"


def test_unknown_variables_and_orders_are_refused() -> None:
    graph = PDAG.from_edges(3, [(0, 1)])
    for ask in (graph.parents, graph.children, graph.neighbors, graph.undirected_neighbors):
        for x in (-1, 3, 0.5):
            with pytest.raises(InvalidParameterError, match="does not exist"):
                ask(x)
    with pytest.raises(InvalidParameterError, match="permutation"):
        graph.relabelled([0, 1, 1])
