"""Theorem 1: without the completeness pass nothing true is lost, but not everything false is found out."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import hccd
from hccd import ClusterTree
from hccd.graphs import PDAG
from method_cases import random_dag, random_tree

A, B, C, D, E, F = range(6)


def pairs(result):
    return {tuple(edge) for edge in result.skeleton.edges.tolist()}


@pytest.mark.parametrize("stable", [True, False], ids=["stable", "original"])
def test_never_refining_gives_a_supergraph(stable):
    incomplete = 0
    for seed in range(150):
        rng = np.random.default_rng([1, seed])
        n = 3 + seed % 12
        dag = random_dag(rng, n, rng.uniform(0.1, min(0.6, 3.0 / (n - 1))))
        result = hccd.discover(
            hccd.Oracle(dag).bind(), tree=random_tree(rng, n, leaf=2), refine="never", baseline=hccd.PC(stable=stable)
        )
        truth = {tuple(edge) for edge in dag.skeleton().edges.tolist()}
        assert pairs(result) >= truth, f"seed {seed}"
        incomplete += pairs(result) != truth
    assert incomplete > 30


@pytest.mark.parametrize("inner_order", ["none", 0, 1])
def test_the_papers_example(inner_order):
    """A -> D <- C -> E <- B with the clusters {D, E} and {A, B, C}: only C separates D and E."""
    dag = PDAG.from_edges(5, directed=[(A, D), (C, D), (C, E), (B, E)])
    tree = ClusterTree.from_nested([[D, E], [A, B, C]])
    truth = {(A, D), (C, D), (C, E), (B, E)}

    never = hccd.discover(hccd.Oracle(dag).bind(), tree=tree, refine="never", inner_order=inner_order)
    assert pairs(never) == truth | {(D, E)}

    for refine in ("each", "root"):
        result = hccd.discover(hccd.Oracle(dag).bind(), tree=tree, refine=refine, inner_order=inner_order)
        assert pairs(result) == truth
        assert result.separators[D, E] == (C,)
        assert result.removal(D, E).stage == "refine"


def test_the_papers_lossless_partition():
    """For the same graph the clusters {A}, {B}, {C, D, E} lose nothing."""
    dag = PDAG.from_edges(5, directed=[(A, D), (C, D), (C, E), (B, E)])
    tree = ClusterTree.from_nested([[A], [B], [C, D, E]])
    result = hccd.discover(hccd.Oracle(dag).bind(), tree=tree, refine="never")
    assert result.skeleton == dag.skeleton()


def separable_inside(graph, x, y, cluster):
    others = [v for v in cluster if v not in (x, y)]
    return any(
        nx.is_d_separator(graph, {x}, {y}, set(given))
        for size in range(len(others) + 1)
        for given in combinations(others, size)
    )


def test_the_papers_graph_without_a_lossless_partition():
    """A -> {B, C, D, E} -> F: if both clusters have an independence to find, one of them cannot find its own.

    A partition with nothing to find in one cluster may be lossless, {E, F} and {A, B, C, D} for instance; which
    edges are left over is known in every case: pairs without a separator in their own cluster.
    """
    middle = (B, C, D, E)
    dag = PDAG.from_edges(6, directed=[(A, z) for z in middle] + [(z, F) for z in middle])
    graph = nx.DiGraph(dag.directed_edges().tolist())
    truth = {tuple(edge) for edge in dag.skeleton().edges.tolist()}
    lossless, hopeless = [], 0
    for size in (2, 3):
        for first in combinations(range(6), size):
            clusters = [first, tuple(v for v in range(6) if v not in first)]
            if size == 3 and A not in first:
                continue
            tree = ClusterTree.from_nested([list(cluster) for cluster in clusters])
            to_find = [[p for p in combinations(cluster, 2) if p not in truth] for cluster in clusters]
            lost = {
                pair
                for cluster, inside in zip(clusters, to_find, strict=True)
                for pair in inside
                if not separable_inside(graph, *pair, cluster)
            }
            never = hccd.discover(hccd.Oracle(dag).bind(), tree=tree, refine="never")
            assert pairs(never) == truth | lost, clusters
            if all(to_find):
                hopeless += 1
                assert lost, clusters
            elif not lost:
                lossless.append(clusters)
            each = hccd.discover(hccd.Oracle(dag).bind(), tree=tree, refine="each")
            assert pairs(each) == truth, clusters
    assert hopeless > 5
    assert [(E, F), (A, B, C, D)] in lossless
