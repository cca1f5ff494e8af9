"""Fisher's z against causal-learn, against the inverse of a matrix, and where the formula has no answer."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st
from scipy import stats

from hccd import FisherZ
from method_cases import linear_gaussian


def questions(n, largest):
    for x, y in combinations(range(n), 2):
        others = [z for z in range(n) if z not in (x, y)]
        for size in range(largest + 1):
            yield from ((x, y, given) for given in combinations(others, size))


def by_inverse(correlation, rows, x, y, given):
    """Partial correlation, z and p-value from the pseudo-inverse of the block of all variables in the question."""
    block = [x, y, *given]
    inverse = np.linalg.pinv(correlation[np.ix_(block, block)])
    r = -inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1])
    z = np.sqrt(rows - len(given) - 3) * np.arctanh(r)
    return r, z, 2 * stats.norm.sf(abs(z))


def by_residuals(data, x, y, given):
    """The correlation of what is left of x and y after a least-squares fit to the set."""
    centered = data - data.mean(axis=0)
    z = centered[:, list(given)]
    left = [centered[:, v] - z @ np.linalg.lstsq(z, centered[:, v], rcond=1e-9)[0] for v in (x, y)]
    return np.corrcoef(*left)[0, 1]


@pytest.mark.parametrize("seed", range(4))
def test_against_the_inverse_of_the_matrix(seed):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(20, 500))
    data = linear_gaussian(rng, 6, 3, rows)
    ci = FisherZ(0.05).bind(data)
    correlation = np.corrcoef(data, rowvar=False)
    for x, y, given in questions(6, 4):
        answer = ci.test(x, y, given)
        r, z, p = by_inverse(correlation, rows, x, y, given)
        assert answer.strength == pytest.approx(abs(r), abs=1e-10)
        assert answer.statistic == pytest.approx(z, abs=1e-8, rel=1e-10)
        assert answer.p_value == pytest.approx(p, abs=1e-10)
        assert answer.independent == (p >= 0.05)


@pytest.mark.parametrize("seed", range(3))
def test_against_causal_learn(seed):
    from causallearn.utils.cit import CIT

    rng = np.random.default_rng([1, seed])
    data = linear_gaussian(rng, 7, 3, 150)
    ci, theirs = FisherZ(0.05).bind(data), CIT(data, "fisherz")
    for x, y, given in questions(7, 3):
        assert ci.test(x, y, given).p_value == pytest.approx(theirs(x, y, list(given)), abs=1e-10)


def test_small_p_values_keep_their_digits():
    rng = np.random.default_rng(2)
    x = rng.normal(size=400)
    data = np.column_stack([x, x + 0.5 * rng.normal(size=400), rng.normal(size=400)])
    _, _, p = by_inverse(np.corrcoef(data, rowvar=False), 400, 0, 1, (2,))
    assert 0 < p < 1e-80
    assert FisherZ().bind(data).test(0, 1, (2,)).p_value == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-6, 1e-12, 1e-15, 1e-18, 1e-60, 1e-300])
def test_the_decision_is_the_p_value_at_any_level(alpha):
    """Also at levels so small that 1 - alpha is 1 in floating point."""
    rng = np.random.default_rng(3)
    data = linear_gaussian(rng, 8, 3, 300)
    ci = FisherZ(alpha).bind(data)
    marginals = ci.marginals()
    for x, y, given in questions(8, 2):
        answer = ci.test(x, y, given)
        assert answer.independent == (answer.p_value >= alpha)
        if not given:
            assert marginals.independent[x, y] == answer.independent


@pytest.mark.parametrize("scale", [1e-200, 1e-8, 1.0, 1e12, 1e150])
def test_units_do_not_matter(scale):
    rng = np.random.default_rng(4)
    data = linear_gaussian(rng, 4, 2, 100)
    moved = data * scale + np.array([0.0, 3.0, -5.0, 100.0]) * scale
    one, other = FisherZ().bind(data), FisherZ().bind(moved)
    for x, y, given in questions(4, 2):
        assert one.test(x, y, given).p_value == pytest.approx(other.test(x, y, given).p_value, rel=1e-6)


def test_a_matrix_gives_what_the_data_give():
    rng = np.random.default_rng(5)
    data = linear_gaussian(rng, 6, 3, 120)
    from_data = FisherZ(0.05).bind(data)
    from_correlation = FisherZ(0.05).bind_correlation(np.corrcoef(data, rowvar=False), 120)
    from_covariance = FisherZ(0.05).bind_correlation(np.cov(data, rowvar=False) * 7.0, 120)
    for x, y, given in questions(6, 3):
        expected = from_data.test(x, y, given)
        for ci in (from_correlation, from_covariance):
            np.testing.assert_allclose(ci.test(x, y, given), expected, rtol=1e-9, atol=1e-11)


def test_a_constant_is_independent_of_everything():
    rng = np.random.default_rng(6)
    for value in (0.0, 0.1, 1e9, -3.7e-5):
        data = np.column_stack([rng.normal(size=(80, 3)), np.full(80, value)])
        ci = FisherZ(0.05).bind(data)
        for given in ((), (0,), (0, 1)):
            answer = ci.test(3, 2, given)
            assert answer.independent
            assert answer.p_value == 1.0
            assert answer.strength == 0.0
        # Given a constant, only a degree of freedom is lost.
        assert ci.test(0, 1, (3,)).strength == pytest.approx(ci.test(0, 1).strength, abs=1e-14)
        assert ci.test(0, 1, (3,)).p_value == pytest.approx(
            2 * stats.norm.sf(np.sqrt(76) * np.arctanh(ci.test(0, 1).strength)), rel=1e-9
        )


def test_a_redundant_condition_adds_nothing():
    """Duplicates and sums in the set: what is given is what they span."""
    rng = np.random.default_rng(7)
    data = linear_gaussian(rng, 4, 3, 100)
    data = np.column_stack([data, data[:, 2], -3 * data[:, 3], data[:, 2] + data[:, 3]])
    ci = FisherZ(0.05).bind(data)
    plain = ci.test(0, 1, (2, 3)).strength
    assert plain == pytest.approx(abs(by_residuals(data, 0, 1, (2, 3))), abs=1e-10)
    for given in ((2, 3, 4), (2, 4, 3), (5, 3, 2), (6, 2, 3), (2, 6), (6, 5), (2, 3, 4, 5, 6), (6, 5, 4, 3, 2)):
        answer = ci.test(0, 1, given)
        assert answer.strength == pytest.approx(plain, abs=1e-9), given
        z = np.sqrt(100 - len(given) - 3) * np.arctanh(plain)
        assert answer.p_value == pytest.approx(2 * stats.norm.sf(z), abs=1e-9), given


def test_an_end_that_the_set_determines_is_not_judged():
    rng = np.random.default_rng(8)
    data = rng.normal(size=(60, 4))
    data = np.column_stack([data, data[:, 0], data[:, 1] + data[:, 2]])
    ci = FisherZ(0.05).bind(data)
    for x, y, given in ((0, 3, (4,)), (3, 0, (4, 1)), (5, 3, (1, 2)), (3, 5, (0, 1, 2)), (0, 4, (4 - 3, 5 - 3, 5))):
        answer = ci.test(x, y, given)
        if {x, y} == {0, 4}:
            # Duplicates of each other, not determined by the set: as dependent as can be.
            assert not answer.independent and answer.p_value == 0.0 and answer.strength == 1.0
            continue
        assert not answer.independent
        assert np.isnan(answer.p_value) and np.isnan(answer.statistic)


def test_too_few_rows_judge_nothing():
    rng = np.random.default_rng(9)
    ci = FisherZ(0.05).bind(rng.normal(size=(6, 6)))
    assert np.isfinite(ci.test(0, 1).p_value)
    assert np.isfinite(ci.test(0, 1, (2, 3)).p_value)
    for given in ((2, 3, 4), (2, 3, 4, 5)):
        answer = ci.test(0, 1, given)
        assert not answer.independent
        assert np.isnan(answer.p_value)
    nothing = FisherZ(0.05).bind(rng.normal(size=(3, 4)))
    assert not nothing.marginals().independent.any()
    assert np.isnan(nothing.test(0, 1).p_value)


def test_perfect_correlation_needs_no_warning():
    data = np.column_stack([np.arange(20.0), np.arange(20.0) * 2, -np.arange(20.0)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ci = FisherZ().bind(data)
        assert ci.test(0, 1).p_value == 0.0
        assert not ci.test(0, 2).independent
        assert ci.marginals().strength[0, 2] == 1.0


@settings(max_examples=60, deadline=None, derandomize=True)
@hypothesis_given(st.integers(0, 10_000), st.integers(8, 40), st.integers(0, 5))
def test_against_residuals(seed, rows, size):
    rng = np.random.default_rng(seed)
    data = linear_gaussian(rng, 7, 4, rows + 8)
    x, y, *given = rng.permutation(7)[: size + 2].tolist()
    expected = by_residuals(data, x, y, given) if given else np.corrcoef(data[:, x], data[:, y])[0, 1]
    assert FisherZ().bind(data).test(x, y, given).strength == pytest.approx(abs(expected), abs=1e-8)
