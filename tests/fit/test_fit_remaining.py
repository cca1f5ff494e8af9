"""What a graph leaves unexplained: q-values by brute force, and few false ones where the graph is true."""

from __future__ import annotations

import numpy as np
import pytest
from fit_cases import linear
from statsmodels.stats.multitest import multipletests

from hccd.fit.regressions import parents_of
from hccd.fit.remaining import q_values, remaining_pairs
from hccd.graphs import PDAG
from hccd.independence import FisherZ, GTest, MutualInformation


@pytest.mark.parametrize("seed", range(3))
def test_q_values_are_those_of_statsmodels(seed):
    p = np.random.default_rng(seed).random(40) ** 3
    assert q_values(p, 40) == pytest.approx(multipletests(p, method="fdr_bh")[1])
    # Those that were not asked count as 1.
    assert q_values(p, 100) == pytest.approx(multipletests(np.append(p, np.ones(60)), method="fdr_bh")[1][:40])


def asked(values, dag, spec=None, n_tests=10**9):
    ci = (spec or FisherZ()).bind(values.T)
    order = ci.canonical_order([""] * len(values))
    assert len(order) == len(values)
    return remaining_pairs(ci, ci.marginals(), dag, parents_of(dag), dag.topological_order(), n_tests), ci


def test_each_pair_is_asked_given_the_parents_of_the_later_one():
    values, dag = linear(12, 400, seed=3)
    (pairs, p_value, n_pairs), ci = asked(values, dag)
    assert n_pairs == len(pairs) == 66 - len(dag.directed_edges())
    for (x, y), p in zip(pairs.tolist(), p_value, strict=True):
        # The variables are in the order of the DAG here.
        assert p == pytest.approx(ci.test(x, y, sorted(dag.parents(y))).p_value)


def test_a_true_graph_leaves_nothing_and_a_missing_edge_is_listed():
    false = 0
    for seed in range(40):
        values, dag = linear(15, 500, seed)
        (_, p_value, n_pairs), _ = asked(values, dag)
        false += (q_values(p_value, n_pairs) < 0.05).any()
        edges = dag.directed_edges()
        (pairs, p_value, n_pairs), _ = asked(values, PDAG.from_edges(15, edges[1:]))
        q = dict(zip(map(tuple, pairs.tolist()), q_values(p_value, n_pairs), strict=True))
        assert q[tuple(edges[0].tolist())] < 0.05
    assert false <= 6


def test_few_pairs_are_asked_where_there_are_many():
    values, dag = linear(60, 100, seed=1)
    (pairs, _, n_pairs), ci = asked(values, dag, n_tests=100)
    assert len(pairs) == 500 < n_pairs
    strength = np.abs(ci.correlation)
    left = np.triu(~dag.skeleton().adjacency, 1)
    left[pairs[:, 0], pairs[:, 1]] = False
    assert strength[left].max() <= strength[pairs[:, 0], pairs[:, 1]].min()


def test_mutual_information_is_asked_as_the_g_test():
    codes = np.random.default_rng(0).integers(0, 3, (6, 300))
    dag = PDAG.from_edges(6, [(0, 1)])
    by_threshold, by_level = (asked(codes, dag, spec)[0] for spec in (MutualInformation(), GTest()))
    assert by_threshold[1] == pytest.approx(by_level[1])
