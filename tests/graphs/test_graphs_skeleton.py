"""Skeleton: normal form, value semantics and immutability, against sets of pairs and dense matrices."""

from __future__ import annotations

import copy
import pickle
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs import Skeleton


@st.composite
def pair_lists(draw: st.DrawFn, max_n: int = 12) -> tuple[int, list[tuple[int, int]]]:
    n = draw(st.integers(2, max_n))
    label = st.integers(0, n - 1)
    pairs = draw(st.lists(st.tuples(label, label).filter(lambda p: p[0] != p[1]), max_size=30))
    return n, pairs


def as_set(graph: Skeleton) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in graph.edges.tolist()}


@given(pair_lists())
def test_from_edges_normalises(case: tuple[int, list[tuple[int, int]]]) -> None:
    n, pairs = case
    graph = Skeleton.from_edges(n, pairs)
    rows = graph.edges.tolist()
    assert rows == sorted(rows)
    assert all(x < y for x, y in rows)
    assert len(rows) == len(as_set(graph)) == graph.n_edges
    assert as_set(graph) == {frozenset(pair) for pair in pairs}
    assert graph.edges.dtype == np.int32
    assert graph == Skeleton(n, graph.edges)


@given(pair_lists())
def test_matrix_neighbors_degrees_and_has_edge_agree(case: tuple[int, list[tuple[int, int]]]) -> None:
    n, pairs = case
    graph = Skeleton.from_edges(n, pairs)
    expected = np.zeros((n, n), dtype=bool)
    for x, y in pairs:
        expected[x, y] = expected[y, x] = True
    assert np.array_equal(graph.adjacency, expected)
    assert Skeleton.from_adjacency(expected) == graph
    assert np.array_equal(graph.degrees(), expected.sum(axis=1))
    for x in range(n):
        assert graph.neighbors(x) == tuple(np.flatnonzero(expected[x]).tolist())
        assert all(graph.has_edge(x, y) == expected[x, y] for y in range(n))


@given(pair_lists(), st.randoms(use_true_random=False))
def test_relabelled_moves_edges_and_back(case: tuple[int, list[tuple[int, int]]], random: object) -> None:
    n, pairs = case
    graph = Skeleton.from_edges(n, pairs)
    order = list(range(n))
    random.shuffle(order)  # type: ignore[attr-defined]
    moved = graph.relabelled(order)
    assert as_set(moved) == {frozenset((order[x], order[y])) for x, y in pairs}
    assert moved == Skeleton(n, moved.edges)
    assert moved.relabelled(np.argsort(order)) == graph


@given(pair_lists(), st.data())
def test_without_keeps_the_unmarked_edges(case: tuple[int, list[tuple[int, int]]], data: st.DataObject) -> None:
    n, pairs = case
    graph = Skeleton.from_edges(n, pairs)
    m = graph.n_edges
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=m, max_size=m)), dtype=bool)
    smaller = graph.without(mask)
    kept = [pair for pair, drop in zip(graph.edges.tolist(), mask, strict=True) if not drop]
    assert smaller.edges.tolist() == kept
    assert smaller == Skeleton(n, smaller.edges)
    assert graph.n_edges == m


@pytest.mark.parametrize(("n", "variables"), [(0, None), (1, None), (7, None), (9, ()), (9, (8,)), (9, (8, 0, 3, 5))])
def test_complete(n: int, variables: tuple[int, ...] | None) -> None:
    graph = Skeleton.complete(n, variables)
    members = sorted(range(n) if variables is None else variables)
    assert [tuple(pair) for pair in graph.edges.tolist()] == list(combinations(members, 2))
    assert graph == Skeleton(n, graph.edges)


def test_complete_takes_numpy_variables() -> None:
    assert Skeleton.complete(6, np.array([5, 1, 2])) == Skeleton.from_edges(6, [(1, 2), (1, 5), (2, 5)])


@given(pair_lists(max_n=4), pair_lists(max_n=4))
def test_equality_and_hash_are_by_value(
    one: tuple[int, list[tuple[int, int]]], two: tuple[int, list[tuple[int, int]]]
) -> None:
    a, b = Skeleton.from_edges(*one), Skeleton.from_edges(*two)
    same = one[0] == two[0] and as_set(a) == as_set(b)
    assert (a == b) == same
    assert len({a, b}) == (1 if same else 2)
    assert a != "not a graph"


def test_a_larger_n_is_another_graph() -> None:
    assert Skeleton.from_edges(3, [(0, 1)]) != Skeleton.from_edges(4, [(0, 1)])


def test_nothing_can_be_changed_and_nothing_given_is_changed() -> None:
    mine = np.array([[0, 1], [1, 2]], dtype=np.int32)
    graph = Skeleton(3, mine)
    mine[0, 1] = 2
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    for array in (graph.edges, graph.adjacency, graph.without(np.array([True, False])).edges):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    with pytest.raises(AttributeError):
        graph.n = 5  # type: ignore[misc]


def test_a_read_only_array_is_shared_and_a_view_is_not() -> None:
    base = np.array([[0, 1], [1, 2]], dtype=np.int32)
    view = base.view()
    view.flags.writeable = False
    graph = Skeleton(3, view)
    base[0, 1] = 2
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert Skeleton(3, graph.edges).edges is graph.edges


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_copies_are_equal_and_immutable(clone: object) -> None:
    graph = Skeleton.from_edges(5, [(0, 4), (1, 4)])
    assert graph.neighbors(4) == (0, 1)
    again = clone(graph)  # type: ignore[operator]
    assert again == graph
    assert again.neighbors(4) == (0, 1)
    assert not again.edges.flags.writeable


def test_repr_is_short() -> None:
    assert repr(Skeleton.complete(100)) == "Skeleton(n=100, edges=4950)"


@pytest.mark.parametrize(
    "edges",
    [
        [[1, 0]],
        [[0, 0]],
        [[0, 3]],
        [[-1, 2]],
        [[0, 2], [0, 1]],
        [[1, 2], [0, 1]],
        [[0, 1], [0, 1]],
        [0, 1],
        [[0, 1, 2]],
    ],
)
def test_the_constructor_refuses_what_is_not_in_normal_form(edges: list[object]) -> None:
    with pytest.raises(InvalidGraphError):
        Skeleton(3, np.array(edges, dtype=np.int32))


def test_the_constructor_refuses_other_types() -> None:
    with pytest.raises(InvalidGraphError, match="from_edges"):
        Skeleton(3, np.array([[0, 1]], dtype=np.int64))  # type: ignore[arg-type]


@pytest.mark.parametrize("pairs", [[(0, 0)], [(0, 3)], [(-1, 0)], [(0, 1), (1,)], [(0.5, 1.0)], [(True, False)]])
def test_from_edges_refuses(pairs: list[tuple[int, ...]]) -> None:
    with pytest.raises(InvalidGraphError):
        Skeleton.from_edges(3, pairs)


@pytest.mark.parametrize("n", [-1, 2.5, "3", None])
def test_the_number_of_variables_is_checked(n: object) -> None:
    with pytest.raises(InvalidGraphError, match="number of variables"):
        Skeleton.from_edges(n, [])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "matrix",
    [
        [[0, 1], [0, 0]],
        [[1, 0], [0, 0]],
        [[0, 2], [2, 0]],
        [[0, 1, 0], [1, 0, 0]],
        [0, 1],
        [["a", "b"], ["c", "d"]],
    ],
)
def test_from_adjacency_refuses(matrix: object) -> None:
    with pytest.raises(InvalidGraphError):
        Skeleton.from_adjacency(matrix)  # type: ignore[arg-type]


@pytest.mark.parametrize("mask", [[True], [1, 0], [True, False, True]])
def test_without_refuses_other_masks(mask: list[object]) -> None:
    with pytest.raises(InvalidParameterError, match="per edge"):
        Skeleton.from_edges(3, [(0, 1), (1, 2)]).without(np.array(mask))


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [1, 2, 3], [0.0, 1.0, 2.0], [[0, 1, 2]]])
def test_relabelled_refuses_what_is_no_permutation(order: list[object]) -> None:
    with pytest.raises(InvalidParameterError, match="permutation"):
        Skeleton.from_edges(3, [(0, 1)]).relabelled(order)  # type: ignore[arg-type]


def test_unknown_variables_are_refused() -> None:
    graph = Skeleton.from_edges(3, [(0, 1)])
    for ask in (
        lambda: graph.neighbors(-1),
        lambda: graph.has_edge(0, 3),
        lambda: Skeleton.complete(3, (0, 3)),
    ):
        with pytest.raises(InvalidParameterError, match="does not exist"):
            ask()
    with pytest.raises(InvalidParameterError, match="distinct"):
        Skeleton.complete(3, (0, 0, 1))
