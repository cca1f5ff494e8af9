"""Who is an ancestor of whom, after any order of insertions and removals, against networkx."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from hccd._kernels.graphs.ancestors import Ancestors


@pytest.mark.parametrize("n", [1, 2, 9, 63, 64, 65, 130])
def test_insertions_and_removals(n):
    rng = np.random.default_rng(n)
    most = 6
    kept, graph = Ancestors(n, most), nx.DiGraph()
    graph.add_nodes_from(range(n))
    turned = refused = 0
    for step in range(800 if n > 1 else 3):
        x, y = rng.integers(0, n, 2).tolist()
        edges = list(graph.edges)
        if edges and rng.random() < 0.25:
            x, y = edges[int(rng.integers(len(edges)))]
            graph.remove_edge(x, y)
            free = not nx.has_path(graph, x, y)
            assert kept.can_turn(x, y) == free
            kept.remove(x, y)
            turned, refused = turned + free, refused + (not free)
        elif x != y and not graph.has_edge(x, y) and not nx.has_path(graph, y, x) and graph.in_degree(y) < most:
            kept.insert(x, y)
            graph.add_edge(x, y)
        if step % 40 == 0 or n < 10:
            above = {v: nx.ancestors(graph, v) for v in graph}
            assert all(kept.is_ancestor(a, b) == (a in above[b]) for a in range(n) for b in range(n))
    for v in range(n):
        assert list(kept.parents[v])[: kept.n_parents[v]] == sorted(graph.predecessors(v))
    assert n < 9 or turned > 20
    assert n < 9 or refused > 3
