"""Rows of neighbours and unshielded triples against sets of pairs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from hccd.graphs import PDAG, Skeleton


@pytest.mark.parametrize("seed", range(20))
def test_rows_mirrors_and_slots(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(0, 15))
    adjacent = np.triu(rng.random((n, n)) < 0.4, 1)
    graph = Skeleton.from_adjacency(adjacent | adjacent.T)
    rows = graph.rows
    assert graph.rows is rows
    assert rows.n_slots == 2 * graph.n_edges
    for v in range(n):
        assert rows.row(v).tolist() == np.flatnonzero(graph.adjacency[v]).tolist()
    for slot in range(rows.n_slots):
        twin = rows.mirror[slot]
        assert (rows.owner[twin], rows.neighbors[twin]) == (rows.neighbors[slot], rows.owner[slot])
        assert rows.mirror[twin] == slot
    v, u = (side.ravel() for side in np.meshgrid(np.arange(-1, n + 1), np.arange(-1, n + 1)))
    for slot, a, b in zip(rows.slots(v, u).tolist(), v.tolist(), u.tolist(), strict=True):
        inside = 0 <= a < n and 0 <= b < n
        assert (slot >= 0) == bool(inside and graph.adjacency[a, b])
        assert slot < 0 or (rows.owner[slot], rows.neighbors[slot]) == (a, b)


@pytest.mark.parametrize("seed", range(20))
def test_unshielded_triples(seed: int) -> None:
    rng = np.random.default_rng([1, seed])
    n = int(rng.integers(0, 12))
    adjacent = np.triu(rng.random((n, n)) < rng.uniform(0.1, 0.7), 1)
    graph = Skeleton.from_adjacency(adjacent | adjacent.T)
    rows = graph.rows
    kept = rng.random(rows.n_slots) < 0.7
    for mask in (None, kept):
        found = rows.unshielded(mask)
        triples = list(
            zip(
                rows.owner[found.x_slot].tolist(),
                rows.neighbors[found.x_slot].tolist(),
                rows.neighbors[found.y_slot].tolist(),
                strict=True,
            )
        )
        expected = [
            (z, x, y)
            for z in range(n)
            for x, y in combinations(
                [
                    int(rows.neighbors[slot])
                    for slot in range(int(rows.first[z]), int(rows.first[z + 1]))
                    if mask is None or mask[slot]
                ],
                2,
            )
            if not graph.has_edge(x, y)
        ]
        assert triples == expected
        assert rows.owner[found.y_slot].tolist() == [z for z, _, _ in expected]
        pairs = list(zip(found.pair_x.tolist(), found.pair_y.tolist(), strict=True))
        assert [pairs[number] for number in found.pair.tolist()] == [(x, y) for _, x, y in expected]
        assert len(set(pairs)) == len(pairs) and set(pairs) == {(x, y) for _, x, y in expected}
        assert found.pair_x.tolist() == sorted(found.pair_x.tolist())


def test_ten_thousand_variables_need_no_matrix() -> None:
    """Making, renaming, comparing and asking: the matrix of a hundred million marks is made for nobody."""
    n = 10_000
    rng = np.random.default_rng(2)
    ends = np.sort(rng.integers(0, n, (20_000, 2)), axis=1)
    ends = ends[ends[:, 0] < ends[:, 1]]
    graph = PDAG.from_edges(n, ends)
    order = rng.permutation(n)
    moved = graph.relabelled(order)
    assert moved != graph and hash(moved) != hash(graph)
    assert moved.relabelled(np.argsort(order)) == graph
    assert sum(len(moved.children(v)) for v in range(n)) == len(graph.directed_edges())
    assert "marks" not in vars(graph) and "marks" not in vars(moved)


def test_marks_of_slots_make_the_graph() -> None:
    graph = PDAG.from_edges(5, directed=[(0, 1), (3, 1), (1, 4)], undirected=[(2, 3)])
    assert PDAG.from_slot_marks(graph.skeleton(), graph.slot_marks) == graph
    assert graph.slot_marks.tolist() == [1, 2, 2, 1, 0, 1, 0, 2]
    assert PDAG.from_slot_marks(graph.skeleton(), np.zeros(8, np.int8)) == PDAG.from_edges(
        5, undirected=[(0, 1), (1, 3), (1, 4), (2, 3)]
    )
