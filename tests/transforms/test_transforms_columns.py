"""What is done to columns before they are correlated, compared with scipy's own ranks, quantiles and correlations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, rankdata, spearmanr

import hccd
from hccd.errors import InvalidDataError, InvalidParameterError
from hccd.independence.transforms import (
    average_ranks,
    correlations_after,
    normal_scores,
    outlying_rows,
    rank_correlations,
)

CONTINUOUS = ["none", "trim", "trim-cells", "normal-scores", "ranks", "log"]


def columns(n=6, rows=80, seed=0, ties=False):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, rows))
    values += rng.normal(size=rows)
    return np.round(values) if ties else values


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(2, 40), st.integers(1, 5), st.integers(0, 1000))
def test_ranks_are_those_of_scipy_with_ties_and_signed_zeros(rows, states, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, states, size=(4, rows)) * rng.choice([-1.0, 1.0], size=(4, rows))
    values[0] = rng.normal(size=rows)
    np.testing.assert_array_equal(average_ranks(values), rankdata(values, axis=1))
    expected = norm.ppf(rankdata(values, axis=1) / (rows + 1))
    np.testing.assert_allclose(normal_scores(values), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("ties", [False, True])
def test_rank_correlations_are_the_sine_of_spearmans(ties):
    values = columns(ties=ties)
    expected = 2 * np.sin(np.pi / 6 * spearmanr(values.T).statistic)
    np.fill_diagonal(expected, 1.0)
    np.testing.assert_allclose(rank_correlations(values), expected, atol=1e-12)


@pytest.mark.parametrize(("n", "rows"), [(60, 30), (40, 45), (30, 500)])
@pytest.mark.parametrize("transform", CONTINUOUS)
def test_every_matrix_is_one_of_correlations(n, rows, transform):
    """Copies, near copies and constants included; with few rows the sine alone has negative eigenvalues."""
    values = columns(n, rows, seed=n)
    values[1], values[2], values[3] = values[0], -values[0] + 1e-3 * values[4], 1.0
    matrix, used = correlations_after(transform, np.exp(values))
    assert used == rows
    assert np.linalg.eigvalsh(matrix).min() > -1e-12
    assert (np.diag(matrix) == 1.0).all() and (np.abs(matrix) <= 1.0).all() and (matrix == matrix.T).all()
    np.testing.assert_array_equal(matrix[3], np.eye(n)[3])


def test_the_sine_alone_would_not_do():
    """So that the test above can fail."""
    latent = 2 * np.sin(np.pi / 6 * spearmanr(columns(60, 30).T).statistic)
    assert np.linalg.eigvalsh(latent).min() < -1e-3


@pytest.mark.parametrize("transform", ["normal-scores", "ranks"])
def test_only_the_order_of_values_counts(transform):
    values = columns(rows=200)
    matrix, _ = correlations_after(transform, values)
    bent = np.vstack([np.exp(values[:2]), values[2:4] ** 3, 1e9 * values[4:]])
    np.testing.assert_array_equal(correlations_after(transform, bent)[0], matrix)


def test_ranks_find_the_correlation_of_normal_columns():
    rng = np.random.default_rng(2)
    x = rng.normal(size=20_000)
    y = 0.6 * x + 0.8 * rng.normal(size=20_000)
    for transform in ("ranks", "normal-scores"):
        matrix, _ = correlations_after(transform, np.vstack([np.exp(x), np.exp(y)]))
        assert abs(matrix[0, 1] - 0.6) < 0.015


def test_rows_that_contradict_the_others_are_outlying_though_no_value_is_far():
    """Three deviations are nothing for a value, but not where the other columns tell it all but exactly."""
    rng = np.random.default_rng(3)
    common = rng.normal(size=2000)
    values = common + 0.3 * rng.normal(size=(12, 2000))
    assert not outlying_rows(values).any()
    values[:, [5, 70]] = 3.0 * rng.choice([-1.0, 1.0], (12, 2))
    assert np.flatnonzero(outlying_rows(values)).tolist() == [5, 70]
    # One wrong cell does not make a wrong row.
    values[0, 9] = 60.0
    assert np.flatnonzero(outlying_rows(values)).tolist() == [5, 70]


def test_outlying_rows_are_far_in_many_columns():
    values = columns(12, 300)
    assert not outlying_rows(values).any()
    values[:, 7] = 30.0
    values[:3, 50] = -40.0
    values[:2, 60] = 40.0
    assert np.flatnonzero(outlying_rows(values)).tolist() == [7, 50]
    matrix, used = correlations_after("trim", values)
    assert used == 298
    np.testing.assert_allclose(matrix, np.corrcoef(np.delete(values, [7, 50], axis=1)), atol=1e-12)
    # Six rows of a hundred are no outliers but a group, and columns of one value mostly have no bulk.
    assert not outlying_rows(np.hstack([columns(12, 94), np.full((12, 6), 50.0)])).any()
    assert not outlying_rows(np.eye(12, 300)).any()


def test_what_a_run_does_is_what_the_columns_give():
    data = np.exp(columns(5, 150)).T
    for transform, own in (("log", np.log(data)), ("normal-scores", normal_scores(data.T).T)):
        learned = hccd.discover(data, transform=transform)
        assert learned.parameters["transform"] == transform
        expected = hccd.discover(own, transform="none")
        assert learned.skeleton == expected.skeleton
        np.testing.assert_allclose(learned.strength, expected.strength, rtol=1e-9)


def test_logarithms_of_zero_are_refused_by_name():
    table = dict(zip("abc", np.exp(columns(3, 40)), strict=True))
    table["a"][3], table["b"][5] = 0.0, -2.5
    with pytest.raises(InvalidDataError, match=r"^columns 'a' and 'b' have zero or negative values, .*: choose"):
        hccd.discover(table, transform="log")
    del table["b"]
    with pytest.raises(InvalidDataError, match=r"^column 'a' has zero or negative values"):
        hccd.learn_skeleton(table, transform="log")
    check = hccd.check_data(table, transform="log")
    assert not check.ok and "column 'a' has zero" in check.findings[0].sentence


def test_states_and_bound_tests_have_no_transform():
    states = np.random.default_rng(0).integers(0, 3, size=(60, 3))
    with pytest.raises(InvalidParameterError, match=r"^transform is 'ranks', which is for continuous data"):
        hccd.discover(states, transform="ranks")
    with pytest.raises(InvalidParameterError, match=r"^transform is 'log', which is for continuous data"):
        hccd.discover(states.astype(float) + 0.5, test=lambda data, x, y, given: 0.5, transform="log")
    bound = hccd.FisherZ().bind(np.random.default_rng(0).normal(size=(60, 3)))
    with pytest.raises(InvalidParameterError, match="transform cannot be set any more"):
        hccd.discover(bound, transform="trim")
    for transform in ("auto", "none"):
        assert "transform" not in hccd.discover(states, transform=transform).parameters
        assert "transform" not in hccd.discover(bound, transform=transform).parameters


def test_the_estimator_has_it_under_another_name():
    data = np.exp(columns(5, 150)).T
    assert hccd.HCCD(transformation="ranks").fit(data).result_.parameters["transform"] == "ranks"
    assert not hasattr(hccd.HCCD(), "transform")
