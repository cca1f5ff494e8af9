"""With a perfect test RAI, B-RAI and MMPC find the true CPDAG, alone and inside the wrapper, for any tree."""

from __future__ import annotations

from functools import cache

import networkx as nx
import numpy as np
import pytest

import hccd
from hccd.baselines import BRAI, MMPC, RAI, PassContext
from hccd.baselines.rai import Thinning
from hccd.graphs import Skeleton
from method_cases import random_dag, random_tree, true_cpdag

N_CASES = 200
BASELINES = {"rai": RAI(), "rai by column": RAI(ordering="column"), "b-rai": BRAI(), "mmpc": MMPC()}


@cache
def cases():
    """DAGs of 3 to 14 variables, with up to some three and a half neighbours each, and a tree for each."""
    drawn = []
    for seed in range(N_CASES):
        rng = np.random.default_rng([1509, seed])
        n = 3 + seed % 12
        dag = random_dag(rng, n, rng.uniform(0.15, min(0.7, 3.5 / (n - 1))))
        drawn.append((seed, dag, random_tree(rng, n), true_cpdag(dag)))
    return drawn


@pytest.mark.parametrize("name", BASELINES)
def test_alone(name):
    for seed, dag, _, cpdag in cases():
        result = hccd.discover(hccd.Oracle(dag).bind(), method="pc", baseline=BASELINES[name])
        assert result.skeleton == dag.skeleton(), f"case {seed}"
        assert result.graph == cpdag, f"case {seed}"


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize(("refine", "inner_order"), [("each", 2), ("each", "none"), ("root", 1)])
def test_inside_the_wrapper_for_any_tree(name, refine, inner_order):
    skip = 1 if (refine, inner_order) == ("each", 2) else 3
    for seed, dag, tree, cpdag in cases()[::skip]:
        result = hccd.discover(
            hccd.Oracle(dag).bind(), tree=tree, baseline=BASELINES[name], refine=refine, inner_order=inner_order
        )
        assert result.skeleton == dag.skeleton(), f"case {seed}"
        assert result.graph == cpdag, f"case {seed}"


@pytest.mark.parametrize("name", ["rai", "mmpc"])
def test_every_separating_set_separates(name):
    for seed, dag, tree, _ in cases()[::4]:
        result = hccd.discover(hccd.Oracle(dag).bind(), tree=tree, baseline=BASELINES[name])
        graph = digraph(dag)
        for (x, y), given in result.separators.items():
            assert nx.is_d_separator(graph, {x}, {y}, set(given)), f"case {seed}: {x}, {y} given {given}"


def digraph(dag):
    graph = nx.DiGraph(dag.directed_edges().tolist())
    graph.add_nodes_from(range(dag.n))
    return graph


def denser(seed):
    """A DAG of 6 to 14 variables with up to four and a half neighbours each."""
    rng = np.random.default_rng([99, seed])
    n = 6 + seed % 9
    return random_dag(rng, n, rng.uniform(0.2, min(0.8, 4.5 / (n - 1))))


def test_the_marks_of_rai_are_true_at_every_order():
    """Below the last order edges are left that will fall, and what is said of them must be true all the same.

    In 39, 84, 91, 116, 122 and 183 a collider is false that is claimed without asking whether its middle depends.
    """
    heads = ancestors = spare = 0
    for seed in (*range(30, 60), 84, 91, 116, 122, 183):
        dag = denser(seed)
        ci = hccd.Oracle(dag).bind()
        marginals = ci.marginals()
        initial = Skeleton.from_edges(dag.n, np.column_stack(marginals.dependent_pairs()))
        above = [nx.ancestors(digraph(dag), v) for v in range(dag.n)]
        for limit in (1, 2, 3):
            everybody = np.ones(dag.n, bool)
            edges, variables = np.ones(initial.n_edges, bool), np.arange(dag.n, dtype=np.int32)
            thinning = Thinning(variables, initial, edges, ci, PassContext(marginals, None, None), True)
            thinning.recurse(everybody, ~everybody, 1, limit)
            arrows = thinning.arrows
            for x, y in np.argwhere(arrows.adjacent & arrows.head).tolist():
                assert y not in above[x], f"case {seed}, order {limit}: an arrowhead at {y} of {x}"
            for x, y in np.argwhere(arrows.adjacent & arrows.before).tolist():
                assert x in above[y], f"case {seed}, order {limit}: {x} before {y}"
            heads += int((arrows.adjacent & arrows.head).sum())
            ancestors += int((arrows.adjacent & arrows.before).sum())
            spare += int(arrows.adjacent.sum()) // 2 - dag.skeleton().n_edges
    assert heads > 1000 and ancestors > 80 and spare > 200


def test_rai_and_mmpc_ask_less_than_pc():
    def tests(**options):
        return sum(
            hccd.learn_skeleton(hccd.Oracle(dag).bind(), method="pc", **options).tests.total
            for _, dag, _, _ in cases()[::5]
        )

    pc = tests()
    assert tests(baseline=RAI()) < 0.9 * pc
    assert tests(baseline=MMPC()) < 0.9 * pc


@pytest.mark.parametrize("name", BASELINES)
def test_no_set_is_larger_than_the_limit(name):
    for seed, dag, tree, _ in cases()[5::20]:
        whole = hccd.learn_skeleton(hccd.Oracle(dag).bind(), tree=tree, baseline=BASELINES[name])
        few = hccd.learn_skeleton(hccd.Oracle(dag).bind(), tree=tree, baseline=type(BASELINES[name])(max_order=1))
        assert max(map(len, few.separators.values()), default=0) <= 1, f"case {seed}"
        assert len(few.tests.by_order) <= 2 and few.skeleton.n_edges >= whole.skeleton.n_edges
