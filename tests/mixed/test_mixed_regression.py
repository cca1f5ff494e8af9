"""The test by regression: its likelihoods against an optimiser, its answers where there is none, its level."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from mixed_cases import column, table_of
from scipy.optimize import minimize
from scipy.special import expit, logsumexp
from scipy.stats import chi2, f

import hccd
from hccd.errors import DataWarning
from hccd.independence import DegenerateGaussian, RegressionTest
from hccd.independence.regressions import Response, basis, fit


def nominal_likelihood(codes, states, predictors):
    """The largest log-likelihood of a multinomial logistic model, by an optimiser that knows no gradient formula."""

    def minus(beta):
        eta = np.vstack([np.zeros(len(codes)), beta.reshape(states - 1, -1) @ predictors])
        return float((logsumexp(eta, axis=0) - eta[codes, np.arange(len(codes))]).sum())

    return -minimize(minus, np.zeros((states - 1) * len(predictors)), method="BFGS", options={"gtol": 1e-6}).fun


def ordered_likelihood(codes, states, predictors):
    """The same of proportional odds; thresholds by the logarithms of their distances."""

    def minus(beta):
        cuts = np.concatenate([[-np.inf], np.cumsum([beta[0], *np.exp(beta[1 : states - 1])]), [np.inf]])
        eta = beta[states - 1 :] @ predictors[1:]
        share = expit(cuts[codes + 1] - eta) - expit(cuts[codes] - eta)
        return float(-np.log(np.maximum(share, 1e-300)).sum())

    start = np.zeros(states - 1 + len(predictors) - 1)
    start[0] = -1.0
    return -minimize(minus, start, method="BFGS", options={"gtol": 1e-6}).fun


@pytest.mark.parametrize("states", [2, 3, 5])
@pytest.mark.parametrize("predictors", [0, 1, 3])
def test_regression_likelihoods_are_the_largest(states, predictors):
    rng = np.random.default_rng([states, predictors])
    columns = rng.normal(size=(predictors, 150))
    latent = columns.sum(axis=0) + rng.logistic(size=150)
    codes = np.searchsorted(np.quantile(latent, np.arange(1, states) / states), latent)
    given = basis(columns)
    np.testing.assert_allclose(given @ given.T / 150, np.eye(predictors + 1), atol=1e-10)
    nominal = fit(Response(codes.astype(float), states), given)
    assert nominal.log_likelihood == pytest.approx(nominal_likelihood(codes, states, given), abs=1e-4)
    assert nominal.rank == predictors and nominal.open
    ordered = fit(Response(codes.astype(float), states, True), given)
    assert ordered.log_likelihood == pytest.approx(ordered_likelihood(codes, states, given), abs=1e-4)


def test_regression_of_numbers_is_the_f_test():
    rng = np.random.default_rng(0)
    z, group = rng.normal(size=80), rng.integers(0, 4, 80)
    x, y = z + 0.2 * rng.normal(size=(2, 80)) + 0.3 * group
    table = table_of([x, y, z, column("nominal", group)], ["continuous", "continuous", "continuous", "nominal"])
    answer = RegressionTest().bind(table).test(0, 1, [2, 3])
    rest = np.vstack([np.ones(80), z, *[table.columns[3] == state for state in np.unique(table.columns[3])[1:]]]).T

    def left(design):
        return ((x - design @ np.linalg.lstsq(design, x, rcond=None)[0]) ** 2).sum()

    more = np.column_stack([rest, y])
    ratio = (left(rest) / left(more) - 1.0) * (80 - more.shape[1])
    assert answer.statistic == pytest.approx(ratio) and answer.p_value == pytest.approx(
        f.sf(ratio, 1, 80 - more.shape[1])
    )


def test_regression_of_two_nominal_columns_is_the_g_test():
    rng = np.random.default_rng(1)
    a = rng.integers(0, 3, 400)
    b = (a + rng.integers(0, 3, 400) * (rng.random(400) < 0.8)) % 4
    answer = RegressionTest().bind({"a": a.astype(str), "b": b.astype(str)}).test(0, 1)
    g = hccd.GTest().bind(np.column_stack([a, b])).test(0, 1)
    assert answer.statistic == pytest.approx(g.statistic, abs=1e-5) and answer.p_value == pytest.approx(g.p_value)


def test_regression_combines_both_directions():
    rng = np.random.default_rng(2)
    x = rng.normal(size=300)
    sick = rng.random(300) < expit(0.3 * x)
    test = RegressionTest().bind({"x": x, "sick": sick})
    there = f.sf(*[(r := np.corrcoef(x, sick)[0, 1] ** 2) / (1 - r) * 298, 1, 298])
    given = basis(x[None, :])
    ratio = 2 * (nominal_likelihood(sick.astype(int), 2, given) - nominal_likelihood(sick.astype(int), 2, given[:1]))
    back = chi2.sf(ratio, 1)
    expected = min(2 * min(there, back), max(there, back))
    assert test.test(0, 1).p_value == pytest.approx(expected, rel=1e-5)
    assert test.test(1, 0) == test.test(0, 1)


def test_regression_answers_where_there_is_nothing_to_fit():
    rng = np.random.default_rng(3)
    x = rng.normal(size=200)
    state = rng.integers(0, 4, 200)
    table = table_of(
        [x, (x > 0).astype(int), state, state // 2, np.zeros(200), 2.0 * x + 1.0, rng.normal(size=200)],
        ["continuous", "binary", "nominal", "binary", "continuous", "continuous", "continuous"],
    )
    test = RegressionTest().bind(table)
    # States that are separated without error, and a copy: dependent, and no warning from numpy.
    for pair in ((0, 1), (2, 3), (0, 5)):
        answer = test.test(*pair)
        assert not answer.independent and answer.p_value < 1e-20 and 0.0 < answer.strength <= 1.0
    # A constant is independent of everything, in any set.
    assert test.test(4, 0) == test.test(4, 2, [0, 1]) == (True, 0.0, 1.0, 0.0)
    # A set that determines one of the two leaves nothing to judge by; one that is redundant does no harm.
    for question in ((3, 6, [2]), (0, 6, [5]), (1, 6, [0])):
        answer = test.test(*question)
        assert math.isnan(answer.p_value) and not answer.independent
    assert test.test(1, 6, [2, 3]).p_value == pytest.approx(test.test(1, 6, [2]).p_value, abs=1e-6)
    assert test.test(2, 6, [0, 5]).p_value == pytest.approx(test.test(2, 6, [0]).p_value, abs=1e-6)
    few = RegressionTest().bind(rng.normal(size=(10, 11)))
    assert not math.isnan(few.test(0, 1, range(2, 8)).p_value)
    assert math.isnan(few.test(0, 1, range(2, 11)).p_value)


def test_regression_keeps_its_level_where_a_strong_cause_drives_states():
    """The degenerate Gaussian test takes what the cause does to the means for lines, and errs three times as often."""
    rng = np.random.default_rng(4)
    wrong = {RegressionTest: 0, DegenerateGaussian: 0}
    for _ in range(400):
        z = rng.normal(size=1000)
        x, y = (np.searchsorted([-1.0, 0.0], 2.5 * z + rng.logistic(size=1000)) for _ in "xy")
        table = table_of([x, y, z], ["nominal", "nominal", "continuous"])
        for spec in wrong:
            wrong[spec] += not spec(0.05).bind(table).test(0, 1, [2]).independent
    assert 0.02 <= wrong[RegressionTest] / 400 <= 0.083
    assert wrong[DegenerateGaussian] / 400 > 0.15


@pytest.mark.parametrize("kinds", [("binary", "continuous"), ("ordinal", "nominal"), ("ordinal", "ordinal")])
def test_regression_type_one_error(kinds):
    wrong, repetitions = 0, 400
    rng = np.random.default_rng(5)
    for _ in range(repetitions):
        z = rng.normal(size=200)
        x, y = (column(kind, rng.logistic(size=200) + z) for kind in kinds)
        table = table_of([x, y, z, column("nominal", rng.normal(size=200))], [*kinds, "continuous", "nominal"])
        wrong += not RegressionTest(0.05).bind(table).test(0, 1, [2, 3]).independent
    # Three standard errors of 400 repetitions around .05.
    assert 0.017 <= wrong / repetitions <= 0.083


def test_regression_sees_curves_if_told_to():
    rng = np.random.default_rng(6)
    x = rng.normal(size=400)
    data = {"x": x, "y": x**2 + rng.normal(size=400), "state": rng.random(400) < expit(2 * x**2 - 2)}
    with pytest.warns(DataWarning, match="invisible to correlations"):
        lines = hccd.discover(data, test="regression", transform="none", alpha=1e-4)
    curves = hccd.discover(data, test="lrt", transform="curves", alpha=1e-4)
    assert not lines.skeleton.adjacency[0].any() and curves.skeleton.adjacency[0].all(where=np.arange(3) > 0)


def test_regression_in_runs_and_on_other_workers(tmp_path):
    rng = np.random.default_rng(7)
    z = rng.normal(size=300)
    data = {
        "cause": z,
        "grade": np.searchsorted([-1.0, 0.0, 1.0], z + rng.logistic(size=300)),
        "ward": np.array(["a", "b", "c"])[np.searchsorted([-1.0, 1.0], 2 * z + rng.logistic(size=300))],
        "alone": rng.normal(size=300),
    }
    result = hccd.discover(data, test="regression", ordinal=["grade"])
    assert result.parameters["test"] == {"name": "regression", "alpha": 0.01} and result.score is None
    assert {frozenset(edge[:2]) for edge in result.edges()} == {
        frozenset(("cause", "grade")),
        frozenset(("cause", "ward")),
    }
    assert hccd.discover(data, test="regression", ordinal=["grade"], n_jobs=2).graph == result.graph
    result.to_html(tmp_path / "page.html")
    assert "likelihood-ratio test of regressions" in (tmp_path / "page.html").read_text()
    bound = RegressionTest().bind(data)
    again = pickle.loads(pickle.dumps(bound))
    assert again.test(1, 2, [0]) == bound.test(1, 2, [0])
    with pytest.raises(hccd.errors.InvalidDataError, match=r"has 150 states, and the test 'regression' takes 100"):
        RegressionTest().bind(hccd.tables.as_table({"city": np.arange(300) % 150, "x": z}, discrete=["city"]))
