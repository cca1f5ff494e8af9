"""Separators of the true graph, against networkx and by hand."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from hccd.clustering import ClusterTree
from hccd.datasets import random_dag
from hccd.graphs import PDAG
from hccd.studies.alarm_clusters import level_labels
from hccd.studies.assumption_runs import _looked_at, separated_pairs


@pytest.mark.parametrize("seed", range(6))
def test_separators_separate_and_are_minimal(seed):
    dag = random_dag(9, 3, seed).dag
    strength = np.random.default_rng(seed).random((9, 9))
    graph = nx.DiGraph(dag.astype(int))
    found = list(separated_pairs(PDAG(dag.astype(np.int8)), strength, combinations(range(9), 2)))
    expected = {
        (x, y)
        for x in range(9)
        for y in range(x + 1, 9)
        if not dag[x, y] and not nx.is_d_separator(graph, {x}, {y}, set())
    }
    assert {(x, y) for x, y, _ in found} == expected
    for x, y, given in found:
        assert nx.is_minimal_d_separator(graph, {x}, {y}, set(given))


def test_weak_members_are_dropped_first():
    """0 -> 2 -> 3 -> 1: either of 2 and 3 separates 0 and 1; the stronger is kept."""
    truth = PDAG.from_edges(4, [(0, 2), (2, 3), (3, 1)])
    strength = np.zeros((4, 4))
    strength[0, 2] = strength[2, 0] = 0.9
    strength[1, 3] = strength[3, 1] = 0.5
    given = {(x, y): given for x, y, given in separated_pairs(truth, strength, combinations(range(4), 2))}
    assert given[0, 1] == (2,)


def test_clusters_of_a_level():
    tree = ClusterTree.from_nested([["A", "B"], ["C", ["D", "E"]]], names="ABCDE")
    assert level_labels(tree, 1).tolist() == [0, 0, 1, 1, 1]
    assert level_labels(tree, 2).tolist() == [0, 0, 1, 2, 2]
    assert level_labels(tree, 0).tolist() == [0, 0, 0, 0, 0]


def test_pairs_are_drawn_once_each():
    assert _looked_at(5, 10, 1) == list(combinations(range(5), 2))
    drawn = _looked_at(30, 100, 1)
    assert len(set(drawn)) == 100 and drawn == sorted(drawn) and all(x < y < 30 for x, y in drawn)
    assert drawn == _looked_at(30, 100, 1) != _looked_at(30, 100, 2)
