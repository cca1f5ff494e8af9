"""Tests without condition, corrected for their number: Benjamini and Hochberg's procedure as scipy has it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import false_discovery_control, spearmanr

import hccd
from hccd.errors import DataWarning
from hccd.independence import BoundCITest, CIResult, Marginals
from method_cases import discrete_net, linear_gaussian, random_dag

N = 15


def bound(kind, seed, alpha):
    rng = np.random.default_rng([77, seed])
    if kind == "fisher-z":
        return hccd.FisherZ(alpha).bind(linear_gaussian(rng, N, 2, 60))
    if kind == "g":
        return hccd.GTest(alpha).bind(discrete_net(rng, N, 2, 150))

    def rank_correlation(data, x, y, given):
        return spearmanr(data[:, x], data[:, y]).pvalue

    return hccd.CustomTest(rank_correlation, alpha).bind(linear_gaussian(rng, N, 2, 60))


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("kind", ["fisher-z", "g", "own function"])
def test_the_pairs_are_those_of_scipy(kind, alpha):
    x, y = np.triu_indices(N, 1)
    fewer = 0
    for seed in range(4):
        ci = bound(kind, seed, alpha)
        before = ci.marginals()
        after = before.corrected(ci.alpha)
        p_value = np.array([ci.test(a, b).p_value for a, b in zip(x, y, strict=True)])
        assert np.array_equal(~after.independent[x, y], false_discovery_control(p_value) <= alpha)
        assert np.array_equal(after.independent, after.independent.T) and not after.independent.diagonal().any()
        # It takes pairs away and adds none, and what each test said by itself is kept.
        assert not (before.independent & ~after.independent).any()
        assert np.array_equal(after.uncorrected, before.independent)
        # The bound by which the search stops looking holds for what is independent now.
        assert (np.where(after.independent, after.strength, 0.0).max(axis=1) <= after.outer()).all()
        fewer += int(after.independent.sum()) - int(before.independent.sum())
    assert fewer > 0


def test_a_pair_without_a_p_value_stays():
    p_value = np.array([[1, 0.04, math.nan], [0.04, 1, 0.5], [math.nan, 0.5, 1]])
    independent = np.array([[False, False, False], [False, False, True], [False, True, False]])
    after = Marginals(independent, np.ones((3, 3)), p_value=p_value).corrected(0.05)
    assert after.independent.tolist() == [[False, True, False], [True, False, True], [False, True, False]]


def test_one_variable_and_none_related():
    for n in (1, 2):
        nobody = Marginals(~np.eye(n, dtype=bool), np.zeros((n, n)), p_value=np.ones((n, n)))
        assert nobody.corrected(0.05) is nobody


def test_a_decision_of_somebody_elses_is_not_touched():
    """A function that returns whole answers has a level of its own, and a threshold is no level."""
    rng = np.random.default_rng(0)
    data = rng.normal(size=(60, 12))

    def at_a_fifth(values, x, y, given):
        p = spearmanr(values[:, x], values[:, y]).pvalue if not given else 0.0
        return CIResult(p >= 0.2, 1.0 - p, p)

    for ci, options in (
        (hccd.CustomTest(at_a_fifth, 0.01).bind(data), {"max_order": 0}),
        (hccd.MutualInformation(0.01).bind(rng.integers(0, 2, (100, 8))), {}),
        (hccd.Oracle(random_dag(rng, 8, 0.3)).bind(), {}),
    ):
        found, plain = (hccd.learn_skeleton(ci, correction=word, **options) for word in ("fdr", "none"))
        assert np.array_equal(found.marginal.independent, plain.marginal.independent)
        assert not found.marginal.independent.all()


class Levelled(BoundCITest):
    """A test of one's own with p-values, with a level that it tells or keeps to itself."""

    n_variables = 4

    def __init__(self, alpha):
        self.alpha = alpha

    def test(self, x, y, given=()):
        p = 0.04 if {x, y} == {0, 1} else 0.5
        return CIResult(p >= 0.05, 0.5, p)


@pytest.mark.parametrize(("alpha", "edges"), [(0.05, 0), (None, 1)])
def test_a_test_of_ones_own_is_corrected_if_it_tells_its_level(alpha, edges):
    assert hccd.learn_skeleton(Levelled(alpha), max_order=0).skeleton.n_edges == edges


@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
def test_noise_stays_empty(kind):
    """Of 4,950 independent pairs alpha alone leaves dozens."""
    edges = {"fdr": 0, "none": 0}
    for seed in range(3):
        rng = np.random.default_rng([5, seed])
        data = rng.normal(size=(150, 100)) if kind == "gaussian" else rng.integers(0, 3, (200, 100))
        for correction in edges:
            found = hccd.learn_skeleton(data, correction=correction)
            edges[correction] += found.skeleton.n_edges
    assert edges["fdr"] <= 3 and edges["none"] > 90


@pytest.mark.filterwarnings(f"ignore::{DataWarning.__module__}.{DataWarning.__name__}")
def test_with_many_rows_nothing_is_lost():
    """A chain of 30 among 70 strangers: with 20,000 rows every dependence along the chain's edges is kept."""
    rng = np.random.default_rng(1)
    data = rng.normal(size=(20_000, 100))
    for i in range(1, 30):
        data[:, i] += 0.3 * data[:, i - 1]
    found = hccd.learn_skeleton(data)
    assert {(i, i + 1) for i in range(29)} <= {tuple(edge) for edge in found.skeleton.edges.tolist()}
    assert found.skeleton.n_edges <= 31


def test_the_score_looks_at_what_each_test_said():
    """A score has a price of its own for the number of pairs: its candidates do not change with the correction."""
    data = discrete_net(np.random.default_rng(2), 20, 2, 150)
    scored = [hccd.discover(data, correction=word).score.candidates for word in ("fdr", "none")]
    tested = [hccd.learn_skeleton(data, correction=word).marginal.independent.sum() for word in ("fdr", "none")]
    assert scored[0] == scored[1] and tested[0] > tested[1]
