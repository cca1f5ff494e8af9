"""The skeleton of PC-stable does not depend on the order of anything, so two correct programs find the same one.

causal-learn's PC (``stable=True``) uses the same Fisher z, and for tables the same degrees of freedom: empty rows,
columns and strata count for nothing, and without any the pair is independent. Its separating sets are unions of all
that separate, so directions are not compared.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import hccd
from method_cases import discrete_net, linear_gaussian

pytestmark = pytest.mark.slow


def causal_learn_skeleton(data, alpha, test, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from causallearn.search.ConstraintBased.PC import pc

        graph = pc(data, alpha=alpha, indep_test=test, stable=True, show_progress=False, **options).G.graph
    n = len(graph)
    return {(x, y) for x in range(n) for y in range(x + 1, n) if graph[x, y] != 0}


def pairs(result):
    return set(map(tuple, result.skeleton.edges.tolist()))


def equivalents(data, alpha, test, **options):
    """The same skeleton by every way that must lead to it."""
    spec = {"fisherz": hccd.FisherZ, "gsq": hccd.GTest, "chisq": hccd.ChiSquareTest}[test](alpha)
    for ordering in ("strength", "column"):
        baseline = hccd.PC(stable=True, ordering=ordering, **options)
        yield hccd.discover(spec.bind(data), method="pc", correction="none", baseline=baseline)
    yield hccd.discover(data, test=spec, method="pc", correction="none", baseline=hccd.PC(**options))


@pytest.mark.parametrize(
    ("n", "degree", "rows", "alpha"),
    [
        (20, 2, 500, 0.01),
        (20, 3, 700, 0.05),
        (25, 4, 1000, 0.01),
        (30, 3, 500, 0.001),
        (30, 2, 1000, 0.05),
        (40, 2, 500, 0.01),
        (40, 3, 1000, 0.01),
    ],
)
def test_gaussian_skeletons(n, degree, rows, alpha):
    data = linear_gaussian(np.random.default_rng([n, degree, rows]), n, degree, rows)
    expected = causal_learn_skeleton(data, alpha, "fisherz")
    assert len(expected) > n / 2
    for result in equivalents(data, alpha, "fisherz"):
        assert pairs(result) == expected


@pytest.mark.parametrize("order", [0, 1, 2])
def test_gaussian_skeletons_with_bounded_sets(order):
    data = linear_gaussian(np.random.default_rng([5, order]), 25, 4, 500)
    expected = causal_learn_skeleton(data, 0.05, "fisherz", max_k=order)
    for result in equivalents(data, 0.05, "fisherz", max_order=order):
        assert pairs(result) == expected


@pytest.mark.parametrize("test", ["gsq", "chisq"])
@pytest.mark.parametrize(
    ("n", "degree", "rows", "states"),
    [(20, 2, 1000, (2, 2)), (15, 3, 500, (2, 4)), (20, 2, 150, (3, 6)), (12, 3, 2000, (2, 3))],
    ids=["binary", "mixed", "sparse", "dense"],
)
def test_discrete_skeletons(n, degree, rows, states, test):
    data = discrete_net(np.random.default_rng([n, rows]), n, degree, rows, states)
    expected = causal_learn_skeleton(data, 0.05, test)
    assert len(expected) > 5
    for result in equivalents(data, 0.05, test):
        assert pairs(result) == expected
