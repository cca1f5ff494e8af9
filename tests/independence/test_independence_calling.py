"""A test in Python behind the compiled walk: what it raises comes out, at once, from every kind of worker."""

from __future__ import annotations

import joblib
import numpy as np
import pytest

import hccd
from hccd import CIResult, CustomTest
from method_cases import linear_gaussian


class Broken(Exception):
    """What a user's function may raise."""


class Counting:
    """Everything is dependent; the question with this number raises."""

    def __init__(self, fails_at, error):
        self.fails_at, self.error, self.asked = fails_at, error, 0

    def __call__(self, data, x, y, given):
        if not given:
            return 1e-9
        self.asked += 1
        if self.asked == self.fails_at:
            raise self.error
        return 1e-9


def data():
    return linear_gaussian(np.random.default_rng(0), 8, 3, 50)


@pytest.mark.parametrize(
    "error", [Broken("no"), KeyboardInterrupt(), SystemExit(3)], ids=lambda error: type(error).__name__
)
@pytest.mark.parametrize("stable", [True, False])
@pytest.mark.parametrize("fails_at", [1, 5, 100])
def test_what_the_function_raises_ends_the_run(fails_at, stable, error):
    function = Counting(fails_at, error)
    with pytest.raises(type(error)) as raised:
        hccd.discover(data(), test=function, baseline=hccd.PC(stable=stable))
    assert raised.value is error
    assert function.asked == fails_at


def test_other_threads_do_not_go_on():
    function = Counting(20, Broken())
    with pytest.raises(Broken):
        hccd.discover(data(), test=function, n_jobs=2)
    # The other thread may be in the midst of one edge, which has at most 6 sets of the first order.
    assert 20 <= function.asked <= 20 + 6


def breaks(data, x, y, given):
    if given:
        raise ValueError("broken in another process")
    return 1e-9


def test_other_processes():
    with joblib.parallel_config(backend="loky"), pytest.raises(ValueError, match="broken in another process"):
        hccd.discover(data(), test=breaks, n_jobs=2)


@pytest.mark.parametrize("answer", ["no", None, 1.5])
def test_answers_that_are_none(answer):
    with pytest.raises(hccd.errors.InvalidParameterError, match="returned"):
        hccd.discover(data(), test=lambda data, x, y, given: answer if given else 1e-9)


def test_questions_are_plain_numbers():
    kinds = set()

    def function(data, x, y, given):
        kinds.update(map(type, (x, y, given, *given)))
        return CIResult(bool(given), 1.0, 0.5 if given else 1e-9)

    result = hccd.discover(data(), test=CustomTest(function))
    assert kinds == {int, tuple}
    assert result.skeleton.n_edges == 0 and all(p == 0.5 for p in result.removals.separations.p_value)
