"""Theorem 2 with a perfect test: Algorithm 1 finds the true skeleton and the true CPDAG, for any tree."""

from __future__ import annotations

from functools import cache

import networkx as nx
import numpy as np
import pytest

import hccd
from hccd.graphs import check_validity
from method_cases import random_dag, random_tree, true_cpdag

N_CASES = 150


@cache
def cases():
    """DAGs of 3 to 14 variables, densities 0.1 to 0.6 (at most some three neighbours each), and a tree for each."""
    drawn = []
    for seed in range(N_CASES):
        rng = np.random.default_rng([2021, seed])
        n = 3 + seed % 12
        dag = random_dag(rng, n, rng.uniform(0.1, min(0.6, 3.0 / (n - 1))))
        drawn.append((seed, dag, random_tree(rng, n), true_cpdag(dag)))
    return drawn


def test_the_cases_are_worth_the_name():
    depths = [tree.depth for _, _, tree, _ in cases()]
    edges = [len(dag.directed_edges()) for _, dag, _, _ in cases()]
    assert max(depths) >= 4 and np.mean(np.array(depths) >= 2) > 0.5
    assert max(edges) >= 20
    assert any(len(cpdag.undirected_edges()) and len(cpdag.directed_edges()) for *_, cpdag in cases())


@pytest.mark.parametrize("inner_order", ["none", 1, 2])
@pytest.mark.parametrize("stable", [True, False], ids=["stable", "original"])
@pytest.mark.parametrize("refine", ["each", "root"])
def test_sound_and_complete_for_any_tree(refine, stable, inner_order):
    for seed, dag, tree, cpdag in cases():
        result = hccd.discover(
            hccd.Oracle(dag).bind(),
            tree=tree,
            refine=refine,
            baseline=hccd.PC(stable=stable),
            inner_order=inner_order,
        )
        assert result.skeleton == dag.skeleton(), f"case {seed}"
        assert result.graph == cpdag, f"case {seed}"
        assert not result.conflicts, f"case {seed}"
        assert check_validity(result.graph).valid


@pytest.mark.parametrize("refine", ["each", "root", "never"])
def test_every_separator_separates_in_the_true_graph(refine):
    for seed, dag, tree, _ in cases()[::3]:
        result = hccd.discover(hccd.Oracle(dag).bind(), tree=tree, refine=refine)
        graph = nx.DiGraph(dag.directed_edges().tolist())
        graph.add_nodes_from(range(dag.n))
        gone = {(x, y) for x in range(dag.n) for y in range(x + 1, dag.n) if not result.skeleton.has_edge(x, y)}
        assert set(result.separators) == gone, f"case {seed}"
        for (x, y), given in result.separators.items():
            assert nx.is_d_separator(graph, {x}, {y}, set(given)), f"case {seed}: {x}, {y} given {given}"


@pytest.mark.parametrize("conflicts", ["strongest", "first", "undirected"])
@pytest.mark.parametrize("colliders", ["separating-set", "max-p", "max-p-full", "majority", "conservative"])
def test_every_way_to_orient_is_exact_with_a_perfect_test(colliders, conflicts):
    for seed, dag, tree, cpdag in cases()[::5]:
        result = hccd.discover(hccd.Oracle(dag).bind(), tree=tree, colliders=colliders, conflicts=conflicts)
        assert result.graph == cpdag, f"case {seed}"
        assert not result.conflicts, f"case {seed}"


@pytest.mark.parametrize("method", ["hccd", "not-c", "flat", "pc"])
@pytest.mark.parametrize("preset", ["default", "paper"])
def test_every_complete_method_is_exact_with_the_tree_it_grows(method, preset):
    for seed in range(5):
        rng = np.random.default_rng([7, seed])
        dag = random_dag(rng, 24, 2.5 / 23)
        result = hccd.discover(hccd.Oracle(dag).bind(), method=method, preset=preset)
        assert result.graph == true_cpdag(dag), f"seed {seed}"
        if method != "pc":
            assert result.tree.depth >= 1
