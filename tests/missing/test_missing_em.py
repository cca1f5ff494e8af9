"""The EM estimate beside a direct maximisation of the likelihood, and the rows that tests are worth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from tests.uncompiled import compiled, uncompiled

from hccd.independence import DegenerateGaussian, FisherZ, em, with_gaps
from hccd.independence.transforms import correlations, normal_scores, transformed
from hccd.independence.with_gaps import bind_em
from hccd.tables import MixedColumns, column_keys


def mixed(values, states=None):
    values = np.ascontiguousarray(values)
    return MixedColumns(values, np.zeros(len(values), np.int64) if states is None else states, column_keys(values.T))


def rows_of(rng, n_rows=200, n=4, rate=0.2):
    values = np.cumsum(rng.normal(size=(n, n_rows)), axis=0)
    complete = values.copy()
    values[rng.random(values.shape) < rate] = np.nan
    return complete, values


def likelihood(parameters, values):
    """Return minus the log-likelihood of what is observed."""
    n = len(values)
    root = np.zeros((n, n))
    root[np.tril_indices(n)] = parameters[n:]
    covariance = root @ root.T + 1e-9 * np.eye(n)
    total = 0.0
    for row in values.T:
        held = np.flatnonzero(~np.isnan(row))
        if len(held):
            total -= multivariate_normal.logpdf(row[held], parameters[held], covariance[np.ix_(held, held)])
    return total


def test_em_is_the_maximum_of_the_likelihood(monkeypatch):
    monkeypatch.setattr(em, "DRAWN", 0.0)
    monkeypatch.setattr(em, "TOLERANCE", 1e-9)
    _, values = rows_of(np.random.default_rng(1), 60, 3)
    values /= np.nanstd(values, axis=1, keepdims=True)
    start = np.concatenate([np.nanmean(values, axis=1), np.eye(3)[np.tril_indices(3)]])
    best = minimize(likelihood, start, args=(values,), method="BFGS").x
    root = np.zeros((3, 3))
    root[np.tril_indices(3)] = best[3:]
    covariance = root @ root.T
    deviation = np.sqrt(np.diag(covariance))
    np.testing.assert_allclose(em.estimated(values).correlation, covariance / np.outer(deviation, deviation), atol=1e-4)


def test_without_gaps_em_is_the_correlation():
    complete, _ = rows_of(np.random.default_rng(2))
    np.testing.assert_allclose(em.estimated(complete).correlation, correlations(complete), atol=1e-10)
    bound = bind_em(FisherZ(), mixed(complete))
    assert bound.gaps.rows().rows_of(0, 1, np.array([2], np.int32)) == pytest.approx(200)
    plain = FisherZ().bind(complete.T)
    assert bound.test(0, 3, [1]).p_value == pytest.approx(plain.test(0, 3, [1]).p_value, rel=0.05)


def test_a_constant_and_columns_apart():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(4, 100))
    values[3] = 7.0
    values[0, :50], values[1, 50:], values[3, 10:20] = np.nan, np.nan, np.nan
    bound = bind_em(FisherZ(), mixed(values))
    found = bound.marginals()
    assert found.independent[0, 1] and found.independent[3, 0] and np.isfinite(bound.correlation).all()
    assert with_gaps.Testwise(FisherZ(), mixed(values)).test(0, 1).independent


@pytest.mark.parametrize("order", [0, 1, 2])
def test_rows_lie_between_the_complete_ones_and_all(order):
    _, values = rows_of(np.random.default_rng(4), 500, 5, 0.3)
    bound = bind_em(FisherZ(), mixed(values))
    given = np.arange(2, 2 + order, dtype=np.int32)
    rows = bound.gaps.rows().rows_of(0, 1, given)
    complete = (~np.isnan(values[: 2 + order])).all(axis=0).sum()
    assert 0.97 * complete <= rows <= 500


def test_compiled_and_uncompiled_rows_are_the_same():
    rng = np.random.default_rng(5)
    _, values = rows_of(rng, 80, 6, 0.3)
    gaps = bind_em(FisherZ(), mixed(values)).gaps
    arrays = (gaps.correlation, gaps.place, gaps.start, gaps.size, gaps.lost, gaps.weight, 1e-6)
    fast, plain = (find("effective_rows").EffectiveRows(*arrays) for find in (compiled, uncompiled))
    for order in range(5):
        for _ in range(5):
            x, y, *given = rng.permutation(6)[: 2 + order].tolist()
            asked = np.array(given, np.int32)
            assert fast.rows_of(x, y, asked) == plain.rows_of(x, y, asked)


def test_compiled_and_uncompiled_searches_are_the_same():
    _, values = rows_of(np.random.default_rng(6), 150, 6, 0.2)
    bound = bind_em(DegenerateGaussian(), mixed(values))
    gaps = bound.gaps
    arrays = (gaps.correlation, gaps.place, gaps.start, gaps.size, gaps.lost, gaps.weight, 1e-6)
    found = []
    for find in (compiled, uncompiled):
        rows = find("effective_rows").EffectiveRows(*arrays)
        search = find("gap_blocks").GapSearch(
            bound._matrix, bound._first, rows, 1e-6, bound._critical, np.zeros((0, 0)), np.zeros(0), False,
            np.zeros(0, np.int32),
        )  # fmt: skip
        asked = np.array([0, 0, 2, 1], np.int32), np.array([1, 5, 3, 4], np.int32)
        given = np.array([[2, 3], [2, 3], [0, 5], [0, 2]], np.int32)
        answers = np.empty(4), np.empty(4, np.int64), np.empty(4)
        search.statistics(*asked, given, *answers)
        found.append(answers)
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("bind", [bind_em, with_gaps.Testwise])
@pytest.mark.parametrize("spec", [FisherZ(0.05), DegenerateGaussian(0.05)])
def test_tests_reject_as_often_as_they_say(bind, spec):
    # One in twenty; 99.9 % of such runs lie within these bounds. In large: python -m benchmarks missing --errors.
    rng, rejected = np.random.default_rng(7), 0
    for _ in range(300):
        z = rng.normal(size=200)
        values = np.array([z, z + rng.normal(size=200), z + rng.normal(size=200)])
        states = np.zeros(3, np.int64)
        if isinstance(spec, DegenerateGaussian):
            values[1], states[1] = np.digitize(values[1], [-1.0, 1.0]), 3
        values[rng.random(values.shape) < 0.2] = np.nan
        rejected += not bind(spec, mixed(values, states)).test(1, 2, [0]).independent
    assert 4 <= rejected <= 30


def test_normal_scores_are_those_of_the_observed_values():
    values = np.array([[3.0, np.nan, 1.0, 2.0, np.nan]])
    found = transformed("normal-scores", values)
    assert np.isnan(found[0, [1, 4]]).all()
    np.testing.assert_array_equal(found[0, [0, 2, 3]], normal_scores(np.array([[3.0, 1.0, 2.0]]))[0])


def test_weights_count_rows():
    _, values = rows_of(np.random.default_rng(3), 150)
    counts = np.random.default_rng(4).integers(1, 5, 150)
    one, other = (em.estimated(each, own) for each, own in ((values, counts * 1.0), (values.repeat(counts, 1), None)))
    np.testing.assert_allclose(one.correlation, other.correlation, atol=1e-7)
    for most in (256, 5):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(with_gaps, "MOST_PATTERNS", most)
            bound = bind_em(FisherZ(0.05), mixed(values), counts * 1.0)
            # The same keys, so that the columns are in the same order.
            longer = mixed(values)._replace(values=values.repeat(counts, 1))
            repeated = bind_em(FisherZ(0.05), longer)
        np.testing.assert_allclose(bound.gaps.together, repeated.gaps.together)
        if most == 256:
            np.testing.assert_allclose(bound.gaps.worth(), repeated.gaps.worth(), rtol=1e-5)
        assert bound.n_samples == pytest.approx(repeated.n_samples, rel=0.1)


def test_going_ahead_ends_where_single_steps_do(monkeypatch):
    _, values = rows_of(np.random.default_rng(5), 300, 8, 0.4)
    found = em.estimated(values).correlation
    standard, _ = em._standardised(values, np.ones(300))
    step = em._Step(standard, np.ones(300))
    here = np.vstack([np.zeros(8), np.eye(8)])
    for _ in range(2000):
        here = step(here)
    deviation = np.sqrt(np.diag(here[1:]))
    np.testing.assert_allclose(found, here[1:] / np.outer(deviation, deviation), atol=2e-4)
