"""Statistics of residuals against statsmodels; what they say of data that break the assumption, or keep it."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from fit_cases import numbers, standard
from statsmodels.stats.diagnostic import het_breuschpagan

from hccd.fit import spread as spread_module
from hccd.fit.bends import Bends
from hccd.fit.regressions import grouped, residuals
from hccd.fit.residuals import Families
from hccd.fit.spread import Spread


def pair(rows, seed, bent=0.0, uneven=0.0):
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, rows))
    y = 0.8 * x + 0.5 * z + bent * x * x + np.exp(uneven * x) * rng.normal(size=rows)
    return np.stack([x, y, z])


PARENTS = [np.zeros(0, int), np.array([0, 2]), np.zeros(0, int)]


def test_residuals_are_those_of_least_squares():
    values = standard(pair(200, 0))
    (group,) = grouped(values, [[1, 0, 2]])
    expected = sm.OLS(values[1], values[[0, 2]].T).fit().resid
    assert residuals(group)[0] == pytest.approx(expected, abs=1e-7)


def test_uneven_noise_is_koenkers_statistic(monkeypatch):
    """Breusch and Pagan's test with Koenker's statistic, where nothing is far enough to be drawn in."""
    monkeypatch.setattr(spread_module, "FAR", np.inf)
    values = standard(pair(300, 1, uneven=0.2))
    resid = sm.OLS(values[1], values[[0, 2]].T).fit().resid
    for power, function in enumerate(Spread().functions(values[:1]), start=1):
        own = Spread().deviations(function, Spread().measured(resid[None]))[0]
        expected, *_ = het_breuschpagan(resid, sm.add_constant(values[0] ** power))
        assert own**2 == pytest.approx(expected)


def test_a_bend_is_the_regression_of_ones_on_products():
    """The heteroscedasticity-robust Lagrange multiplier test: rows less the squares that ones leave (Wooldridge)."""
    values = standard(pair(300, 2, bent=0.1))
    resid = sm.OLS(values[1], values[[0, 2]].T).fit().resid
    for power, function in enumerate(Bends().functions(values[:1]), start=2):
        curve = sm.OLS(values[0] ** power, sm.add_constant(values[0])).fit().resid
        assert function[0] == pytest.approx(curve)
        products = curve * resid
        expected = 300 - sm.OLS(np.ones(300), products).fit().ssr
        assert Bends().deviations(function, Bends().measured(resid[None]))[0] ** 2 == pytest.approx(expected)


@pytest.mark.parametrize(
    ("broken", "speaks", "silent"), [({"bent": 0.5}, Bends, None), ({"uneven": 0.5}, Spread, Bends)]
)
def test_what_breaks_is_told(broken, speaks, silent):
    families = Families(numbers(pair(1000, 3, **broken)), PARENTS)
    found = families.that_show(speaks())
    assert found.edges.tolist() == [[0, 1]] and found.asked == 2
    if silent is not None:
        assert not len(families.that_show(silent()).edges)


@pytest.mark.parametrize("statistic", [Bends, Spread])
def test_linear_models_are_straight_and_even_in_either_direction(statistic):
    """Skewed noise: the regression against the true direction bends, and still nothing is said."""
    spoke = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        x = rng.exponential(size=500)
        y = x + rng.exponential(size=500)
        reverse = [np.array([1]), np.zeros(0, int)]
        spoke += len(Families(numbers(np.stack([x, y])), reverse).that_show(statistic()).edges)
    assert spoke <= 3


def test_few_rows_are_not_judged():
    assert Families(numbers(pair(40, 0, bent=2.0)), PARENTS).that_show(Bends()).asked == 0
