"""The estimate of tests against the tests that runs really make."""

import time

import numpy as np
import pytest

import hccd
from hccd.confidence import cost
from hccd.datasets import alarm_path, random_network
from hccd.errors import InvalidParameterError
from hccd.preflight.data_check import FACTOR, WorkEstimate
from hccd.preflight.memory import gigabytes_needed, gigabytes_there

pytestmark = pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")


def random_data(n, connectivity, rows=1000, seed=3):
    return random_network(n, connectivity, seed).network.sample(rows, seed)


def one_factor(n=13, rows=300):
    rng = np.random.default_rng(0)
    return rng.normal(size=(rows, 1)) + rng.normal(size=(rows, n))


def coded(n, states, rows, seed):
    """Discrete data from a random linear model, by quantiles."""
    values = random_data(n, 3, rows, seed)
    ranks = values.argsort(axis=0).argsort(axis=0)
    return ranks * states // rows


CASES = {
    "alarm": lambda: hccd.read_table(alarm_path()),
    "50 variables, connectivity 3": lambda: random_data(50, 3),
    "100 variables, connectivity 5": lambda: random_data(100, 5),
    "100 variables, connectivity 7": lambda: random_data(100, 7, rows=500),
    "300 variables, connectivity 3": lambda: random_data(300, 3),
    "few rows": lambda: random_data(100, 3, rows=60),
    "everything depends on everything": one_factor,
    "three states": lambda: coded(60, 3, 1000, 5),
    "six states": lambda: coded(40, 6, 800, 6),
    "independent": lambda: np.random.default_rng(1).normal(size=(200, 40)),
}


@pytest.mark.parametrize("method", ["pc", "hccd"])
@pytest.mark.parametrize("case", CASES)
def test_tests_are_within_the_factor_that_is_promised(case, method):
    data = CASES[case]()
    expected = hccd.check_data(data, method=method).estimate
    made = hccd.discover(data, method=method).tests
    assert expected.by_order[0] == made.by_order[0]
    assert expected.tests / FACTOR <= made.total <= expected.tests * FACTOR
    beyond, beyond_expected = made.total - made.by_order[0], expected.tests - expected.by_order[0]
    assert beyond_expected / FACTOR - 30 <= beyond <= beyond_expected * FACTOR + 30


@pytest.mark.parametrize(
    ("data", "options", "drawn"),
    [
        (lambda: random_data(50, 3), {}, True),
        (lambda: random_data(50, 3), {"scoring": "none"}, True),
        (lambda: hccd.read_table(alarm_path()), {}, True),
        (lambda: random_data(50, 3), {"bootstrap": "none"}, False),
        (lambda: random_data(1000, 3), {}, False),
        (lambda: random_data(50, 3), {"preset": "paper"}, False),
    ],
)
def test_the_estimate_includes_resamples(monkeypatch, data, options, drawn):
    """About what `auto` decides by after a run, though nothing has been learned yet."""
    monkeypatch.setattr(cost, "MOST_WORK", 5e9)
    table = data()
    expected = hccd.check_data(table, **options).estimate.phases["bootstrap"]
    assert (expected > 0) == drawn
    if drawn:
        start = time.process_time()
        result = hccd.discover(table, **options)
        assert result.confidence.resamples == 100
        assert 0.1 < expected / (time.process_time() - start) < 10
        twice = hccd.check_data(table, **{**options, "bootstrap": 200}).estimate.phases["bootstrap"]
        assert twice == pytest.approx(2 * expected)


def test_the_same_data_give_the_same_tests():
    data = random_data(300, 5)
    first, second = (hccd.check_data(data).estimate.by_order for _ in range(2))
    assert first == second


def test_a_largest_order_bounds_the_estimate():
    data = one_factor()
    assert len(hccd.check_data(data, max_order=2).estimate.by_order) == 3
    assert len(hccd.check_data(data, method="pc").estimate.by_order) > 4
    # Where a score follows, tests stop at three variables.
    assert len(hccd.check_data(data).estimate.by_order) == 4
    assert hccd.check_data(data, max_order=0).estimate.tests == 13 * 12 // 2


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scoring": "none"},
        {"method": "pc"},
        {"method": "pc", "scoring": "auto"},
        {"preset": "paper", "scoring": "bic"},
        {"baseline": hccd.PC()},
        {"baseline": hccd.PC(max_order=1)},
        {"test": hccd.FisherZ(0.02), "scoring": "bic"},
    ],
    ids=str,
)
def test_the_estimate_goes_as_far_as_the_run(options):
    """Where a score follows, tests stop at three variables: the same rule for both."""
    data = one_factor(n=9)
    expected, made = hccd.check_data(data, **options).estimate, hccd.discover(data, **options)
    skeleton = made.tests.total - sum(made.tests.by_stage["colliders"])
    assert (len(expected.by_order) > 4) == (made.parameters["baseline"]["max_order"] is None)
    assert expected.tests / FACTOR <= skeleton <= expected.tests * FACTOR


def test_a_score_that_does_not_fit_is_refused():
    for taker in (hccd.check_data, hccd.discover):
        with pytest.raises(InvalidParameterError, match=r"^scoring is 'bd', which is for"):
            taker(one_factor(), scoring="bd")


def test_a_search_that_would_never_end_is_estimated_at_once():
    data = one_factor(n=80, rows=2000)
    started = time.process_time()
    check = hccd.check_data(data, method="pc")
    assert time.process_time() - started < 3.0
    assert check.estimate.tests > 1e9
    assert "years" in str(check.estimate) or "days" in str(check.estimate) or "hours" in str(check.estimate)


def test_a_thousand_variables_take_less_than_a_second():
    data = random_data(1000, 3)
    hccd.check_data(data)
    started = time.process_time()
    hccd.check_data(data)
    assert time.process_time() - started < 1.0


def test_words_for_the_cost():
    def said(tests, seconds):
        return str(WorkEstimate(tests, (tests,), {"tests": seconds}, 0.0))

    assert said(45, 0.2) == "about 45 tests, less than a second"
    assert said(12_345, 1.2) == "about 12,000 tests, about 1 second"
    assert said(12_345, 88) == "about 12,000 tests, about 88 seconds"
    assert said(10**9, 600) == "about 1,000,000,000 tests, about 10 minutes"
    assert said(3 * 10**13, 86400 * 5) == "about 3 x 10^13 tests, about 5 days"
    assert said(10**15, 1e12).endswith("years")


def test_memory():
    assert gigabytes_needed(10_000) == pytest.approx(1.9)
    assert gigabytes_there() is None or gigabytes_there() > 0.1
