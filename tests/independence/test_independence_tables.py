"""Tests on contingency tables against scipy, scikit-learn and causal-learn, and where a table says nothing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency
from sklearn.metrics import mutual_info_score

from hccd import ChiSquareTest, GTest, MutualInformation
from hccd.errors import InvalidDataError
from hccd.independence.table_data import recode
from method_cases import discrete_net

P_TESTS = [(GTest, "log-likelihood", "gsq"), (ChiSquareTest, "pearson", "chisq")]


def strata(data, given):
    if not given:
        return [data]
    _, label = np.unique(data[:, list(given)], axis=0, return_inverse=True)
    return [data[label.ravel() == value] for value in range(label.max() + 1)]


def table_of(x, y):
    """Counts with the empty rows and columns left out."""
    _, row = np.unique(x, return_inverse=True)
    _, column = np.unique(y, return_inverse=True)
    table = np.zeros((row.max() + 1, column.max() + 1))
    np.add.at(table, (row, column), 1)
    return table


def by_scipy(data, x, y, given, lambda_):
    """Statistic and degrees of freedom of chi2_contingency, summed over strata."""
    statistic, freedom = 0.0, 0
    for rows in strata(data, given):
        if len(rows) < 2:
            continue
        table = table_of(rows[:, x], rows[:, y])
        if min(table.shape) < 2:
            continue
        answer = chi2_contingency(table, correction=False, lambda_=lambda_)
        statistic += answer.statistic
        freedom += answer.dof
    return statistic, freedom


def by_sklearn(data, x, y, given):
    # One row has no information about anything; thousands of such strata would only take time.
    parts = [rows for rows in strata(data, given) if len(rows) > 1]
    return sum(len(rows) / len(data) * mutual_info_score(rows[:, x], rows[:, y]) for rows in parts)


def questions(n, largest, rng, per_size=15):
    for size in range(largest + 1):
        for _ in range(per_size):
            x, y, *given = rng.permutation(n)[: size + 2].tolist()
            yield x, y, tuple(given)


DATA = {
    "dense": lambda rng: discrete_net(rng, 7, 2.5, 800, states=(2, 3)),
    "sparse": lambda rng: discrete_net(rng, 7, 3, 60, states=(2, 6)),
    "wide": lambda rng: np.column_stack(
        [rng.integers(0, 100, (320, 3)), rng.integers(0, 300, (320, 1)), rng.integers(0, 3, (320, 3))]
    ),
}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize(("spec", "lambda_", "method"), P_TESTS)
def test_against_scipy_and_causal_learn(spec, lambda_, method, name):
    from causallearn.utils.cit import CIT

    rng = np.random.default_rng([1, len(name)])
    data = DATA[name](rng)
    ci, theirs = spec(0.05).bind(data), CIT(data, method)
    judged = 0
    for x, y, given in questions(7, 4, rng):
        answer = ci.test(x, y, given)
        statistic, freedom = by_scipy(data, x, y, given, lambda_)
        assert answer.statistic == pytest.approx(statistic, rel=1e-10, abs=1e-10)
        # The conventions are the same: empty rows, columns and strata count for nothing.
        p = theirs(x, y, list(given))
        if freedom:
            assert answer.independent == (p >= 0.05)
            assert answer.p_value == pytest.approx(p, abs=1e-10)
            assert answer.p_value == pytest.approx(chi2.sf(statistic, freedom), abs=1e-10, rel=1e-8)
            judged += 1
        else:
            # causal-learn says 1; ours has no p-value to compare with others, but the same decision, unless every row
            # is alone in its stratum.
            alone = len(np.unique(data[:, given], axis=0)) == len(data) if given else False
            assert p == 1 and answer.independent == (not alone) and np.isnan(answer.p_value)
    assert judged > 30


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("spec", [GTest(), ChiSquareTest(), MutualInformation(0.05)], ids=lambda s: type(s).__name__)
def test_strength_is_mutual_information(spec, name):
    rng = np.random.default_rng([2, len(name)])
    data = DATA[name](rng)
    ci = spec.bind(data)
    for x, y, given in questions(7, 3, rng, per_size=5):
        answer = ci.test(x, y, given)
        information = by_sklearn(data, x, y, given)
        assert answer.strength == pytest.approx(information, abs=1e-10)
        if isinstance(spec, MutualInformation):
            assert answer.independent == (information <= 0.05)
            assert np.isnan(answer.p_value)


def test_bias_is_the_expected_information_of_independent_variables():
    rng = np.random.default_rng(3)
    data = DATA["sparse"](rng)
    bias = GTest().bind(data).marginals().bias
    for x, y in combinations(range(7), 2):
        _, freedom = by_scipy(data, x, y, (), "pearson")
        assert bias[x, y] == bias[y, x] == pytest.approx(freedom / (2 * len(data)))


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-4, 1e-12])
@pytest.mark.parametrize("spec", [GTest, ChiSquareTest])
def test_the_decision_is_the_p_value(spec, alpha):
    rng = np.random.default_rng(4)
    ci = spec(alpha).bind(DATA["dense"](rng))
    for x, y, given in questions(7, 3, rng, per_size=15):
        answer = ci.test(x, y, given)
        assert answer.independent == (answer.p_value >= alpha)


@pytest.mark.parametrize("spec", [GTest(), ChiSquareTest()], ids=lambda s: type(s).__name__)
def test_nothing_to_judge_by(spec):
    """Zero degrees of freedom: nothing is left to share (a constant, a determined end), or every row is alone."""
    rng = np.random.default_rng(5)
    base = rng.integers(0, 3, 90)
    data = np.column_stack([base, base, rng.integers(0, 2, 90), np.zeros(90, int), np.arange(90)])
    ci = spec.bind(data)
    for x, y, given in ((3, 0, ()), (0, 3, (2,)), (0, 2, (1,)), (0, 2, (4,)), (0, 2, (1, 3, 4))):
        answer = ci.test(x, y, given)
        assert answer.independent == (4 not in given)
        assert np.isnan(answer.p_value)
        assert answer.statistic == 0.0 and answer.strength == 0.0
        asked = np.array([[x, y, *given]], np.int32)
        many = ci.test_many(asked[:, 0], asked[:, 1], asked[:, 2:])
        assert many.independent[0] == answer.independent and np.isnan(many.p_value[0])
    assert not ci.test(0, 1).independent


def test_a_column_of_row_numbers_removes_no_edge():
    rng = np.random.default_rng(8)
    x = rng.integers(0, 3, 120)
    y = np.where(rng.random(120) < 0.8, x, rng.integers(0, 3, 120))
    ci = GTest().bind(np.column_stack([x, y, np.arange(120)]))
    assert not ci.test(0, 1).independent
    assert not ci.test(0, 1, (2,)).independent


def test_as_many_states_as_can_be_coded():
    """A table of 50,000 by 50,000 states has more cells than a C int can count; only those that occur matter."""
    states = np.arange(50_000)
    ci = GTest().bind(np.column_stack([states, states[::-1], states % 2]))
    answer = ci.test(0, 1)
    assert answer.statistic == pytest.approx(2 * 50_000 * np.log(50_000), rel=1e-10)
    assert ci.test(0, 2).strength == pytest.approx(np.log(2), rel=1e-10)


def test_information_of_nothing_is_nothing():
    rng = np.random.default_rng(6)
    data = np.column_stack([rng.integers(0, 3, 50), np.zeros(50, int), np.arange(50)])
    ci = MutualInformation(0.0).bind(data)
    assert ci.test(0, 1).independent
    assert ci.test(0, 1, (2,)).independent
    assert not ci.test(0, 2).independent


def test_names_of_states_do_not_matter():
    rng = np.random.default_rng(7)
    data = DATA["sparse"](rng)
    other = np.array([-700, 65_000, 3, 4, 2**40, -1])[data]
    wide = data.astype(float) * 1000
    for spec in (GTest(), ChiSquareTest(), MutualInformation()):
        expected = spec.bind(data)
        for renamed in (other, wide, data.astype(np.uint8), data.astype(np.int8)):
            ci = spec.bind(renamed)
            for x, y, given in questions(7, 2, np.random.default_rng(8), per_size=10):
                # The order of the states changes the order of sums, nothing else.
                np.testing.assert_allclose(ci.test(x, y, given), expected.test(x, y, given), rtol=1e-9, atol=1e-12)


def test_a_state_that_never_occurs_costs_no_freedom():
    data = np.array([[0, 0], [0, 5], [9, 0], [9, 5]] * 10 + [[0, 0]] * 5)
    answer = GTest().bind(data).test(0, 1)
    expected = chi2_contingency([[15, 10], [10, 10]], correction=False, lambda_="log-likelihood")
    assert answer.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert answer.p_value == pytest.approx(expected.pvalue, rel=1e-12)


def test_truth_values_are_states():
    rng = np.random.default_rng(9)
    data = rng.random((100, 3)) < 0.4
    assert GTest().bind(data).test(0, 1, (2,)) == GTest().bind(data.astype(int)).test(0, 1, (2,))


def test_hundred_states_in_every_variable():
    """Tables of 10,000 cells, 100 strata, 3,000 rows: only cells that occur are counted."""
    rng = np.random.default_rng(10)
    z = rng.integers(0, 100, 3000)
    data = np.column_stack([(z + rng.integers(0, 40, 3000)) % 100, (z + rng.integers(0, 40, 3000)) % 100, z])
    for spec, lambda_, _ in P_TESTS:
        ci = spec(0.05).bind(data)
        for x, y, given in ((0, 1, ()), (0, 1, (2,)), (0, 2, (1,))):
            statistic, freedom = by_scipy(data, x, y, given, lambda_)
            answer = ci.test(x, y, given)
            assert answer.statistic == pytest.approx(statistic, rel=1e-10)
            assert answer.p_value == pytest.approx(chi2.sf(statistic, freedom), abs=1e-10)


def test_states_of_any_width_are_coded():
    """Differences of small integers do not fit into small integers."""
    wide = np.arange(-100, 100, dtype=np.int8).reshape(-1, 2)
    assert np.array_equal(recode(wide)[0], recode(wide.astype(np.int64))[0])
    with pytest.raises(InvalidDataError, match="whole numbers"):
        recode(np.array([[np.inf, 1.0], [2.0, 3.0]]))
