"""What every test promises: symmetry, no memory, no eye for columns' places; and one answer by every way to ask."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st
from scipy.stats import pearsonr

import hccd
from hccd import ChiSquareTest, CIResult, CustomTest, FisherZ, GTest, MutualInformation, Oracle, RegressionTest
from hccd.independence import BoundCITest
from method_cases import discrete_net, linear_gaussian, random_dag

N = 7


def residual_correlation(data, x, y, given):
    """A user's own function, at module level so that it can be pickled."""
    columns = data - data.mean(axis=0)
    if given:
        z = columns[:, list(given)]
        columns = columns - z @ np.linalg.lstsq(z, columns, rcond=None)[0]
    return float(pearsonr(columns[:, x], columns[:, y])[1])


def signed_answer(data, x, y, given):
    p = residual_correlation(data, x, y, given)
    return CIResult(p > 0.2, 1.0 - p, p)


class TwoMethodsOnly(BoundCITest):
    """The least that a user's own class must have."""

    def __init__(self, data):
        self.data = data

    @property
    def n_variables(self):
        return self.data.shape[1]

    def test(self, x, y, given=()):
        p = residual_correlation(self.data, min(x, y), max(x, y), tuple(sorted(given)))
        return CIResult(p >= 0.05, 1.0 - p, p)


class LeastSpecification:
    def bind(self, data):
        return TwoMethodsOnly(data)


SPECS = {
    "fisher-z": FisherZ(0.05),
    "g": GTest(0.05),
    "chi2": ChiSquareTest(0.05),
    "mi": MutualInformation(0.02),
    "regression": RegressionTest(0.05),
    "function": CustomTest(residual_correlation, 0.05),
    "function-result": CustomTest(signed_answer),
    "own-class": LeastSpecification(),
}
CONTINUOUS = {"fisher-z", "function", "function-result", "own-class"}


def data_for(name, seed, n=N):
    rng = np.random.default_rng([11, seed])
    return linear_gaussian(rng, n, 3, 60) if name in CONTINUOUS else discrete_net(rng, n, 3, 150, states=(2, 4))


def bound(name, seed=0):
    if name == "oracle":
        return Oracle(random_dag(np.random.default_rng(seed), N, 0.35)).bind()
    return SPECS[name].bind(data_for(name, seed))


ALL = [*SPECS, "oracle"]


def draw(rng, n=N, largest=4):
    x, y, *given = rng.permutation(n)[: 2 + int(rng.integers(0, largest + 1))].tolist()
    return x, y, tuple(given)


def same(one, other, rtol=1e-9):
    assert one.independent == other.independent
    np.testing.assert_allclose(np.abs(one[1:]), np.abs(other[1:]), rtol=rtol, atol=1e-11)


@pytest.mark.parametrize("name", ALL)
def test_symmetric_and_blind_to_the_order_of_conditions(name):
    ci = bound(name)
    rng = np.random.default_rng(1)
    for _ in range(60):
        x, y, given = draw(rng)
        same(ci.test(x, y, given), ci.test(y, x, given))
        same(ci.test(x, y, given), ci.test(x, y, tuple(rng.permutation(given).tolist())))
        same(ci.test(x, y, given), ci.test(x, y, list(given)))


@pytest.mark.parametrize("name", SPECS)
@settings(max_examples=15, deadline=None, derandomize=True)
@hypothesis_given(seed=st.integers(0, 1000), permutation=st.permutations(range(N)))
def test_columns_may_be_permuted(name, seed, permutation):
    """The test that finds a test which looks at the wrong columns."""
    data = data_for(name, seed)
    ci, moved = SPECS[name].bind(data), SPECS[name].bind(data[:, permutation])
    place = np.argsort(permutation)
    rng = np.random.default_rng(seed)
    for _ in range(8):
        x, y, given = draw(rng)
        same(ci.test(x, y, given), moved.test(int(place[x]), int(place[y]), tuple(int(place[z]) for z in given)))


@pytest.mark.parametrize("name", ALL)
def test_reordered_variables_are_the_same_variables(name):
    ci = bound(name)
    order = np.random.default_rng(2).permutation(N)
    moved = ci.reordered(order)
    rng = np.random.default_rng(3)
    for _ in range(30):
        x, y, given = draw(rng)
        asked = (int(order[x]), int(order[y]), tuple(int(order[z]) for z in given))
        same(moved.test(x, y, given), ci.test(*asked))
    assert moved.n_variables == ci.n_variables
    assert moved.has_p_values == ci.has_p_values
    assert moved.describe() == ci.describe()


@pytest.mark.parametrize("name", ALL)
def test_many_questions_get_the_answers_of_single_ones(name):
    ci = bound(name)
    rng = np.random.default_rng(4)
    for size in range(5):
        asked = np.array([rng.permutation(N)[: size + 2] for _ in range(20)], np.int32)
        # Columns of a table are not contiguous in memory; that must not matter.
        many = ci.test_many(asked[:, 0], asked[:, 1], asked[:, 2:])
        for e, (x, y, *given) in enumerate(asked.tolist()):
            one = ci.test(x, y, given)
            assert many.independent[e] == one.independent
            assert many.strength[e] == pytest.approx(one.strength, rel=1e-12, nan_ok=True)
            if np.isnan(many.p_value[e]):
                assert np.isnan(one.p_value) or one.p_value == 1.0
            else:
                assert many.p_value[e] == pytest.approx(one.p_value, rel=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_marginals_are_the_tests_without_condition(name):
    ci = bound(name)
    marginals = ci.marginals()
    assert marginals.independent.dtype == np.bool_
    for matrix in (marginals.independent, marginals.strength):
        assert matrix.shape == (N, N)
        assert np.array_equal(matrix, matrix.T)
        assert not matrix.diagonal().any()
    for x in range(N):
        others = np.array([y for y in range(N) if y != x])
        p_values = marginals.p_values(x, others)
        for y, p in zip(others.tolist(), p_values, strict=True):
            one = ci.test(x, y)
            assert marginals.independent[x, y] == one.independent
            assert marginals.strength[x, y] == pytest.approx(one.strength, rel=1e-12, abs=1e-14)
            assert p == pytest.approx(one.p_value, rel=1e-12, nan_ok=True)
            assert np.isnan(p) != ci.has_p_values


@pytest.mark.parametrize("name", ALL)
def test_a_pickled_test_answers_the_same(name):
    ci = bound(name)
    again = pickle.loads(pickle.dumps(ci))
    rng = np.random.default_rng(5)
    for _ in range(30):
        question = draw(rng)
        assert repr(again.test(*question)) == repr(ci.test(*question))
    assert (
        again.canonical_order([str(i) for i in range(N)]).tolist()
        == ci.canonical_order([str(i) for i in range(N)]).tolist()
    )


@pytest.mark.parametrize("name", ALL)
def test_asking_changes_nothing(name):
    ci = bound(name)
    before = pickle.dumps(ci)
    rng = np.random.default_rng(6)
    asked = [draw(rng) for _ in range(40)]
    first = [repr(ci.test(*question)) for question in asked]
    ci.marginals()
    ci.test_many(np.array([0], np.int32), np.array([1], np.int32), np.array([[2, 3]], np.int32))
    assert [repr(ci.test(*question)) for question in reversed(asked)] == first[::-1]
    assert pickle.dumps(ci) == before


@pytest.mark.parametrize("name", ["fisher-z", "g", "chi2", "mi"])
def test_the_callers_data_are_left_alone(name):
    data = data_for(name, 7)
    kept = data.copy()
    ci = SPECS[name].bind(data)
    first = ci.test(0, 1, (2,))
    assert np.array_equal(data, kept)
    assert data.flags.writeable
    data[:] = 0
    assert repr(ci.test(0, 1, (2,))) == repr(first)


@pytest.mark.parametrize("name", ["fisher-z", "g", "chi2", "mi"])
def test_what_a_test_holds_cannot_be_written(name):
    ci = bound(name)
    held = ci.correlation if name == "fisher-z" else ci.codes
    with pytest.raises(ValueError, match="read-only"):
        held[0, 0] = 0


@pytest.mark.parametrize("name", [name for name in SPECS if name != "own-class"])
def test_canonical_order_follows_the_content(name):
    """Names play no part unless two columns are identical."""
    data = data_for(name, 8)
    permutation = np.random.default_rng(9).permutation(N)
    one = SPECS[name].bind(data).canonical_order(["n"] * N)
    other = SPECS[name].bind(data[:, permutation]).canonical_order(list("gfedcba"))
    assert permutation[other].tolist() == one.tolist()
    twins = data.copy()
    twins[:, 4] = twins[:, 1]
    for first, second in ((1, 4), (4, 1)):
        names = [f"m{i}" for i in range(N)]
        names[first], names[second] = "a", "z"
        order = SPECS[name].bind(twins).canonical_order(names).tolist()
        assert order.index(first) == order.index(second) - 1


@pytest.mark.parametrize("name", ["function", "function-result"])
def test_a_function_sees_one_form_of_a_question(name):
    seen = set()

    def spy(data, x, y, given):
        seen.add((x, y, given))
        return 0.5

    ci = CustomTest(spy).bind(data_for(name, 1))
    for question in ((3, 1, (5, 2)), (1, 3, (2, 5)), (3, 1, [2, 5])):
        assert ci.test(*question).p_value == 0.5
    assert seen == {(1, 3, (2, 5))}


def test_a_functions_p_value_is_judged_by_alpha():
    data = np.zeros((20, 3))
    answers = iter([0.05, 0.0499, 1.0, 0.0, float("nan")])
    ci = CustomTest(lambda *_: next(answers), alpha=0.05).bind(data)
    assert [ci.test(0, 1).independent for _ in range(5)] == [True, False, True, False, False]


def test_a_test_that_names_no_strength_can_be_clustered_by():
    """A user's own test may answer yes or no and nothing else."""
    rng = np.random.default_rng(9)
    x = rng.normal(size=(200, 2)).repeat(8, axis=1) + rng.normal(size=(200, 16))

    def blunt(data, a, b, given):
        rest = data[:, [a, b]]
        if given:
            z = data[:, list(given)]
            rest = rest - z @ np.linalg.lstsq(z, rest, rcond=None)[0]
        return hccd.CIResult(abs(np.corrcoef(rest.T)[0, 1]) < 0.2)

    result = hccd.discover(x, test=blunt)
    assert len(result.tree.leaves()) > 1
    assert result.skeleton.n_edges > 0
