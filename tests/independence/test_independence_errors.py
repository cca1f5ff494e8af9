"""Wrong questions, wrong levels, wrong data: refused by name, in one sentence."""

from __future__ import annotations

import numpy as np
import pytest

from hccd import ChiSquareTest, CustomTest, FisherZ, GTest, MutualInformation
from hccd.errors import HCCDError, InvalidDataError, InvalidParameterError

RNG = np.random.default_rng(0)
CONTINUOUS = RNG.normal(size=(30, 4))
STATES = RNG.integers(0, 3, (30, 4))
BOUND = {
    "fisher-z": FisherZ().bind(CONTINUOUS),
    "g": GTest().bind(STATES),
    "chi2": ChiSquareTest().bind(STATES),
    "mi": MutualInformation().bind(STATES),
    "function": CustomTest(lambda *_: 0.5).bind(CONTINUOUS),
}


def sentence(caught):
    text = str(caught.value)
    assert "\n" not in text and len(text) > 20
    return text


@pytest.mark.parametrize("name", BOUND)
@pytest.mark.parametrize(
    "question",
    [(0, 0, ()), (1, 1, (2,)), (0, 1, (0,)), (0, 1, (2, 1)), (0, 1, (2, 2))],
    ids=["x=y", "x=y|z", "x in given", "y in given", "z twice"],
)
def test_variables_of_a_question_differ(name, question):
    with pytest.raises(InvalidParameterError, match="different variables") as caught:
        BOUND[name].test(*question)
    sentence(caught)


@pytest.mark.parametrize("name", BOUND)
@pytest.mark.parametrize("question", [(0, 4, ()), (-1, 0, ()), (0, 1, (7,)), (0, 1, (-2,)), (4, 5, (6,))])
def test_variables_of_a_question_exist(name, question):
    """A wrong number must never reach compiled code, which would read beyond its arrays."""
    with pytest.raises(InvalidParameterError, match="0 to 3") as caught:
        BOUND[name].test(*question)
    sentence(caught)


@pytest.mark.parametrize("alpha", [0, 1, 0.0, 1.0, -0.1, 1.5, float("nan"), "0.05", None])
@pytest.mark.parametrize("spec", [FisherZ, GTest, ChiSquareTest, lambda alpha: CustomTest(print, alpha)])
def test_alpha_lies_between_0_and_1(spec, alpha):
    with pytest.raises(InvalidParameterError, match=r"alpha is .* between 0 and 1") as caught:
        spec(alpha).bind(STATES)
    sentence(caught)


def test_alpha_is_checked_for_a_matrix_too():
    with pytest.raises(InvalidParameterError, match="alpha"):
        FisherZ(2).bind_correlation(np.eye(3), 100)


@pytest.mark.parametrize("threshold", [-0.1, float("nan"), float("inf"), "0.1", None])
def test_threshold_is_an_amount(threshold):
    with pytest.raises(InvalidParameterError, match="threshold is") as caught:
        MutualInformation(threshold).bind(STATES)
    sentence(caught)


@pytest.mark.parametrize(
    ("matrix", "error"),
    [
        (np.ones((2, 3)), "square"),
        (np.ones(4), "square"),
        (np.array([[1, 0.5], [0.2, 1]]), "symmetric"),
        (np.array([[1, np.nan], [np.nan, 1]]), "finite"),
        (np.array([[-1.0, 0.0], [0.0, 1.0]]), "negative variance"),
    ],
)
def test_a_correlation_matrix_is_square_finite_and_symmetric(matrix, error):
    with pytest.raises(InvalidDataError, match=error) as caught:
        FisherZ().bind_correlation(matrix, 100)
    sentence(caught)


@pytest.mark.parametrize("n_samples", [3, 0, -5, float("nan")])
def test_a_matrix_stands_for_enough_rows(n_samples):
    with pytest.raises(InvalidParameterError, match="n_samples") as caught:
        FisherZ().bind_correlation(np.eye(3), n_samples)
    sentence(caught)


@pytest.mark.parametrize("spec", [FisherZ(), GTest(), ChiSquareTest(), MutualInformation(), CustomTest(print)])
@pytest.mark.parametrize("data", [np.arange(5), np.zeros((2, 2, 2), int)])
def test_data_have_rows_and_columns(spec, data):
    with pytest.raises(InvalidDataError, match="rows and columns") as caught:
        spec.bind(data)
    sentence(caught)


@pytest.mark.parametrize("spec", [GTest(), ChiSquareTest(), MutualInformation()])
@pytest.mark.parametrize("bad", [0.5, np.inf])
def test_states_are_whole_numbers(spec, bad):
    data = STATES.astype(float)
    data[3, 1] = bad
    with pytest.raises(InvalidDataError, match="whole numbers") as caught:
        spec.bind(data)
    sentence(caught)


def test_too_many_states_are_refused():
    data = np.column_stack([np.arange(65_536), np.zeros(65_536, int)])
    with pytest.raises(InvalidDataError, match="65,535") as caught:
        GTest().bind(data)
    assert isinstance(caught.value, HCCDError)


def test_values_that_are_not_finite_are_refused():
    data = np.random.default_rng(0).normal(size=(30, 3))
    data[4, 1] = np.nan
    with pytest.raises(InvalidDataError, match="missing or infinite"):
        FisherZ().bind(data)


def test_a_matrix_of_impossible_correlations_is_refused():
    """Pairwise correlations from different rows need not fit together."""
    with pytest.raises(InvalidDataError, match="negative eigenvalue"):
        FisherZ().bind_correlation([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]], 100)
    singular = FisherZ().bind_correlation([[1, 1, 0.5], [1, 1, 0.5], [0.5, 0.5, 1]], 100)
    assert not singular.test(0, 2, (1,)).independent
