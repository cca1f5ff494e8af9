"""Compiled kernels, the same files run by Python, and the plain loop: same separators, p-values and counts."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from inspect import isfunction
from itertools import product
from types import SimpleNamespace

import cython
import numpy as np
import pytest
from random_levels import Called, assert_equal, random_level, reference

from hccd import ChiSquareTest, DegenerateGaussian, FisherZ, GTest, MutualInformation
from hccd._kernels.search import level
from hccd.independence import BoundCITest, CIResult, answer
from method_cases import discrete_net, linear_gaussian, mixed_columns
from uncompiled import compiled
from uncompiled import uncompiled as plain_kernel

SEARCH_KERNELS = (
    "candidates",
    "level",
    "calling",
    "correlation",
    "block_factor",
    "blocks",
    "coded_columns",
    "strata_sum",
    "bit_tables",
    "row_codes",
    "row_tables",
    "contingency",
    "ledger",
)
TABLE_TESTS = [GTest(0.05), ChiSquareTest(0.05), MutualInformation(0.02)]
MODES = [(live, by_strength) for live in (False, True) for by_strength in (True, False)]


def test_one_side_is_compiled_and_the_other_is_not():
    own, of_correlations, of_tables, calling = (
        plain_kernel(name) for name in ("level", "correlation", "contingency", "calling")
    )
    assert not cython.compiled
    for name in SEARCH_KERNELS:
        assert compiled(name).__file__.endswith(tuple(EXTENSION_SUFFIXES))
        plain = plain_kernel(name)
        assert plain.__file__.endswith(".py")
        assert not plain.cython.compiled
    assert issubclass(of_correlations.CorrelationSearch, own.LevelSearch)
    assert issubclass(of_tables.TableSearch, own.LevelSearch)
    assert not issubclass(of_correlations.CorrelationSearch, level.LevelSearch)
    assert issubclass(calling.CallingSearch, own.LevelSearch)
    assert isfunction(own.LevelSearch.search)
    assert not isfunction(level.LevelSearch.search)


def with_p_values(ci, outcome):
    fell = outcome.removed
    p_value = np.full(len(fell), np.nan)
    order = np.full(fell.sum(), outcome.given.shape[1], np.int32)
    p_value[fell] = ci.p_values(order, outcome.statistic[fell], outcome.freedom[fell])
    return outcome._replace(statistic=p_value)


def agree(ci, asked, uncompiled, what):
    before = asked.neighbors.tolist(), asked.degree.tolist()
    compiled = answer(ci, asked)
    with uncompiled():
        plain = answer(ci, asked)
    assert_equal(compiled, plain, ("uncompiled", *what))
    # Whether other candidates can be left aside for a while or not makes no difference.
    unbounded = answer(ci, asked._replace(outer=np.full_like(asked.outer, np.inf)))
    assert_equal(compiled, unbounded, ("unbounded", *what))
    loop = reference(ci, asked)
    assert_equal(with_p_values(ci, compiled), loop, ("loop", *what))
    assert_equal(answer(Called(ci), asked), loop, ("called", *what))
    with uncompiled():
        assert_equal(answer(Called(ci), asked), loop, ("called, uncompiled", *what))
    assert before == (asked.neighbors.tolist(), asked.degree.tolist())
    return compiled


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize(("live", "by_strength"), MODES)
def test_gaussian_levels(live, by_strength, order, uncompiled):
    removed = tested = 0
    for seed in range(4):
        rng = np.random.default_rng([1, order, seed])
        ci = FisherZ(0.05).bind(linear_gaussian(rng, 11, 3, 80))
        asked = random_level(
            rng, ci.marginals(), order, live=live, by_strength=by_strength, density=(0.7, 0.7, 0.55, 0.5)[order - 1]
        )
        outcome = agree(ci, asked, uncompiled, (order, seed))
        removed += outcome.removed.sum()
        tested += np.abs(outcome.tests).sum()
    assert removed > 10 and tested > 150


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize(("live", "by_strength"), MODES)
def test_mixed_levels(live, by_strength, order, uncompiled):
    removed = tested = 0
    for seed in range(3):
        rng = np.random.default_rng([11, order, seed])
        ci = DegenerateGaussian(0.05).bind(mixed_columns(linear_gaussian(rng, 9, 3, 90)))
        asked = random_level(rng, ci.marginals(), order, live=live, by_strength=by_strength, density=0.6)
        outcome = agree(ci, asked, uncompiled, (order, seed))
        removed += outcome.removed.sum()
        tested += np.abs(outcome.tests).sum()
    assert removed > 10 and tested > 80


class Hashed(BoundCITest):
    """Answers that belong to no graph: any set may be the one that separates, the last as well as the first."""

    def __init__(self, n, share):
        self.n, self.share = n, share

    @property
    def n_variables(self):
        return self.n

    def test(self, x, y, given=()):
        p_value = (hash((x, y, *sorted(given))) % 9973) / 9973
        return CIResult(p_value < self.share, 0.0, p_value)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(("live", "by_strength"), MODES)
def test_many_candidates_of_equal_strength(live, by_strength, order, uncompiled):
    """More than 16 candidates are a heap and not a list; most of them have equals in strength, told by number."""
    late = []
    for seed in range(3):
        rng = np.random.default_rng([10, order, seed])
        n = 36
        strength = np.triu(rng.integers(1, 6, (n, n)) / 8.0, 1)
        strength += strength.T
        marginals = SimpleNamespace(association=strength, strength=strength)
        whole = random_level(rng, marginals, order, live=live, by_strength=by_strength, density=0.8)
        asked = whole.part(np.sort(rng.choice(len(whole.x), 80, replace=False)))
        assert np.mean(np.maximum(asked.degree[asked.x], asked.degree[asked.y]) > 20) > 0.9
        outcome = agree(Hashed(n, 0.05 / order**2), asked, uncompiled, (order, seed))
        late += outcome.tests[outcome.tests < -4].tolist()
    assert len(late) > 60 and np.count_nonzero(np.array(late) < -16) > 20


def singular_data(rng, rows):
    """Duplicates, opposites, sums, constants, and columns of very different scale."""
    data = linear_gaussian(rng, 12, 3, rows)
    data[:, 3] = data[:, 0]
    data[:, 4] = -2.0 * data[:, 1]
    data[:, 5] = data[:, 1] + data[:, 2]
    data[:, 6] = 7.5
    data[:, 7] = 1e9 * data[:, 7]
    data[:, 8] = 0.1
    data[:, 9] = data[:, 2] + 1e-7 * data[:, 9]
    return data


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize(("live", "by_strength"), MODES)
def test_gaussian_levels_of_singular_data(live, by_strength, order, uncompiled):
    for seed, rows in enumerate((60, 5, 400)):
        rng = np.random.default_rng([2, order, seed])
        ci = FisherZ(0.05).bind(singular_data(rng, rows))
        asked = random_level(rng, ci.marginals(), order, live=live, by_strength=by_strength, density=0.6)
        agree(ci, asked, uncompiled, (order, rows))


def test_gaussian_questions(uncompiled):
    for seed, order in enumerate((0, 1, 2, 5)):
        rng = np.random.default_rng([3, seed])
        ci = FisherZ(0.05).bind(singular_data(rng, 50))
        asked = np.array([rng.permutation(12)[: order + 2] for _ in range(60)], np.int32)
        compiled = ci.test_many(asked[:, 0], asked[:, 1], asked[:, 2:])
        with uncompiled():
            plain = ci.test_many(asked[:, 0], asked[:, 1], asked[:, 2:])
        assert np.array_equal(compiled.independent, plain.independent)
        np.testing.assert_allclose(compiled.p_value, plain.p_value, rtol=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize(("live", "by_strength"), MODES)
@pytest.mark.parametrize("spec", TABLE_TESTS, ids=lambda spec: type(spec).__name__)
def test_discrete_levels(spec, live, by_strength, order, uncompiled):
    rng = np.random.default_rng([4, order])
    ci = spec.bind(discrete_net(rng, 9, 3, 60, states=(2, 4)))
    asked = random_level(rng, ci.marginals(), order, live=live, by_strength=by_strength, density=0.6)
    outcome = agree(ci, asked, uncompiled, (order,))
    assert np.abs(outcome.tests).sum() > 10


def with_gaps(rng, data):
    """Data with an eighth of the cells missing in all columns but the last."""
    data = data.astype(float)
    data[:, :-1][rng.random((len(data), data.shape[1] - 1)) < 0.125] = np.nan
    return data


#: Gaps or not, and no weights, counts of equal rows, or sampling weights.
KINDS_OF_ROWS = {
    "gaps": (True, lambda rng, rows: None),
    "counts": (False, lambda rng, rows: rng.integers(0, 4, rows)),
    "gaps, counts": (True, lambda rng, rows: rng.integers(0, 4, rows)),
    "gaps, sampling weights": (True, lambda rng, rows: rng.gamma(2.0, size=rows)),
}


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("rows", KINDS_OF_ROWS)
@pytest.mark.parametrize("spec", TABLE_TESTS, ids=lambda spec: type(spec).__name__)
def test_discrete_levels_with_gaps_and_weights(spec, rows, order, uncompiled):
    rng = np.random.default_rng([12, order])
    gaps, weights = KINDS_OF_ROWS[rows]
    data = discrete_net(rng, 9, 3, 90, states=(2, 4))
    ci = spec.bind(with_gaps(rng, data) if gaps else data, weights(rng, 90))
    asked = random_level(rng, ci.marginals(), order, live=order == 2, by_strength=True, density=0.6)
    outcome = agree(ci, asked, uncompiled, (order,))
    assert np.abs(outcome.tests).sum() > 10


def awkward_data(rng, rows):
    """Hundreds of states, codes beyond one byte, a constant, a row number, a duplicate, and ordinary columns."""
    base = rng.integers(0, 3, rows)
    columns = [
        base,
        (base + (rng.random(rows) < 0.3)) % 3,
        rng.integers(0, 100, rows),
        (rng.integers(0, 100, rows) + base) % 100,
        np.zeros(rows, int),
        np.arange(rows),
        base * 130 + rng.integers(0, 130, rows),
        base,
        rng.integers(0, 2, rows),
    ]
    return np.column_stack(columns)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("live", [False, True], ids=["stable", "live"])
@pytest.mark.parametrize("spec", TABLE_TESTS, ids=lambda spec: type(spec).__name__)
def test_discrete_levels_of_awkward_data(spec, live, order, uncompiled):
    """With 320 rows strata soon outnumber rows, and codes go beyond 255."""
    rng = np.random.default_rng([5, order])
    ci = spec.bind(awkward_data(rng, 320))
    assert ci.codes.max() > 255 and ci.codes.dtype == np.uint16
    asked = random_level(
        rng, ci.marginals(), order, live=live, by_strength=order % 2 == 0, density=(0.5, 0.6, 0.6, 0.7)[order - 1]
    )
    few = np.flatnonzero(np.arange(len(asked.x)) % 3 == 0)
    outcome = agree(ci, asked.part(few), uncompiled, (order,))
    assert np.abs(outcome.tests).sum() > 3


def test_critical_values_are_found_for_any_degrees_of_freedom(uncompiled):
    """Tables of 100 by 100 states have thousands of degrees of freedom; the search comes back for more."""
    rng = np.random.default_rng(6)
    z = rng.integers(0, 2, 2500)
    wide = (rng.integers(0, 50, (2500, 2)) + 50 * z[:, None]) % 100
    other = (rng.integers(0, 60, (2500, 2)) + 40 * z[:, None]) % 100
    ci = GTest(0.05).bind(np.column_stack([wide, z, other]))
    assert len(ci._critical) < 2000
    for live in (False, True):
        asked = random_level(rng, ci.marginals(), 1, live=live, by_strength=True, density=1.0, homes=False)
        outcome = agree(ci, asked, uncompiled, (live,))
        assert outcome.removed.sum() >= 3


def test_table_questions(uncompiled):
    """Statistic, degrees of freedom and information, not only the decision."""
    rng = np.random.default_rng(7)
    data = awkward_data(rng, 200)
    kinds = [(data, None)]
    kinds += [(with_gaps(rng, data) if gaps else data, weights(rng, 200)) for gaps, weights in KINDS_OF_ROWS.values()]
    for spec, (rows, weights) in product(TABLE_TESTS, kinds):
        ci = spec.bind(rows, weights)
        for order in (0, 1, 2, 4):
            asked = np.array([rng.permutation(9)[: order + 2] for _ in range(12)], np.int32)
            compiled = ci._evaluate(asked[:, 0], asked[:, 1], asked[:, 2:])
            with uncompiled():
                plain = ci._evaluate(asked[:, 0], asked[:, 1], asked[:, 2:])
            for one, other in zip(compiled, plain, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_an_end_without_neighbours_asks_nothing(uncompiled):
    rng = np.random.default_rng(8)
    ci = FisherZ(0.05).bind(rng.normal(size=(50, 4)))
    asked = random_level(rng, ci.marginals(), 1, live=False, by_strength=True, density=0.0)._replace(
        x=np.array([0], np.int32),
        y=np.array([1], np.int32),
        home_start=np.zeros(1, np.int32),
        home_stop=np.zeros(1, np.int32),
        home_order=np.full(1, -1, np.int32),
        first=np.array([0, 1, 2, 2], np.int64),
        neighbors=np.array([1, 0], np.int32),
        degree=np.array([1, 1, 0, 0], np.int32),
    )
    outcome = agree(ci, asked, uncompiled, ())
    assert outcome.tests.tolist() == [0] and not outcome.removed.any()
