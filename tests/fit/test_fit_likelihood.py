"""Held-out likelihoods against scipy's normal distribution, and against tables counted by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from fit_cases import linear, numbers
from scipy.stats import multivariate_normal

from hccd.fit.likelihood import of_numbers, of_tables
from hccd.fit.numbers import FOLDS, Numbers
from hccd.fit.regressions import parents_of


def fitted_normal(values, parents, order):
    """The normal distribution of a linear model on a DAG, fitted to columns as rows."""
    n = len(values)
    mean = values.mean(axis=1)
    covariance = np.cov(values, bias=True)
    slopes, noise = np.zeros((n, n)), np.zeros(n)
    for y in order:
        own = parents[y]
        slope = np.linalg.solve(covariance[np.ix_(own, own)], covariance[own, y])
        slopes[y, own] = slope
        noise[y] = covariance[y, y] - slope @ covariance[own, y]
    mixing = np.linalg.inv(np.eye(n) - slopes)
    return multivariate_normal(mean, mixing @ np.diag(noise) @ mixing.T)


@pytest.mark.parametrize(("n", "rows"), [(6, 200), (10, 83)])
def test_normal_densities_are_those_of_scipy(n, rows):
    values, dag = linear(n, rows, seed=n)
    data, parents, order = numbers(values), parents_of(dag), list(range(n))
    found = of_numbers(data, parents, order)
    graphs = {
        "learned": parents,
        "empty": [np.zeros(0, int)] * n,
        "full": [np.arange(y) for y in range(n)],
    }
    for name, own in graphs.items():
        total = 0.0
        for fold in range(FOLDS):
            held = data.fold == fold
            total += fitted_normal(data.values[:, ~held], own, order).logpdf(data.values[:, held].T).sum()
        assert getattr(found, name) == pytest.approx(total / rows, abs=1e-6)
    assert found.learned > found.full > found.empty


def test_blocks_are_predicted_as_a_whole():
    """Two columns of one variable given its parent: their joint density, whichever comes first."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    block = np.stack([x + rng.normal(size=300), 0.5 * x + rng.normal(size=300)])
    block[1] += 0.7 * block[0]
    parents, found = [np.zeros(0, int), np.array([0])], []
    for order in ([0, 1], [1, 0]):
        values = np.stack([x, *block[order]])
        values = (values - values.mean(axis=1, keepdims=True)) / values.std(axis=1, keepdims=True)
        data = Numbers(values, np.array([0, 1, 3]), np.array([1, 2]), np.array([True, False]), np.arange(300) % FOLDS)
        found.append(of_numbers(data, parents, [0, 1]))
    assert found[0].learned == pytest.approx(found[1].learned, abs=1e-9)
    assert found[0].learned == pytest.approx(found[0].full, abs=1e-6)


def test_tables_are_counted_by_hand():
    rng = np.random.default_rng(1)
    states = np.array([2, 3, 2])
    codes = np.stack([rng.integers(0, k, 60) for k in states]).astype(np.uint16)
    codes[2] = (codes[0] + (rng.random(60) < 0.2)) % 2
    parents = [np.zeros(0, int), np.zeros(0, int), np.array([0, 1])]
    found = of_tables(codes, states, parents, [0, 1, 2])

    def by_hand(own):
        total = 0.0
        for row, y in product(range(60), range(3)):
            others = [r for r in range(60) if r % FOLDS != row % FOLDS]
            same = [r for r in others if all(codes[x, r] == codes[x, row] for x in own[y])]
            hits = sum(codes[y, r] == codes[y, row] for r in same)
            total += np.log((hits + 1 / states[y]) / (len(same) + 1))
        return total / 60

    assert found.learned == pytest.approx(by_hand(parents))
    assert found.empty == pytest.approx(by_hand([[], [], []]))
    assert found.full == pytest.approx(by_hand([[], [0], [0, 1]]))


def test_all_edges_of_many_columns_tell_nothing():
    """Where every row is alone with what came before, all states are equally likely."""
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 4, (30, 100)).astype(np.uint16)
    found = of_tables(codes, np.full(30, 4), [np.zeros(0, int)] * 30, list(range(30)))
    assert found.full < found.empty
    assert found.full == pytest.approx(-30 * np.log(4), rel=0.03)
