"""Tests of other packages, by name or as their objects: functions for ``CustomTest``.

Each call gets a copy of the object as it was given, so that one with random numbers answers a question the same way
whatever was asked before, and from several workers. What a package cannot answer is an error of one sentence.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError, NotInstalledError

Floats = NDArray[np.float64]
#: From x, y and the conditions (columns; None without any) to a p-value.
Answer = Callable[[Floats, Floats, "Floats | None"], float]
#: What permutations are drawn from, where a package lets one say.
SEED = 0


class _Known(NamedTuple):
    package: str
    extra: str
    make: Callable[[], Answer]


def _kci() -> Answer:
    from causallearn.utils.KCI.KCI import KCI_CInd, KCI_UInd

    def answer(x: Floats, y: Floats, z: Floats | None) -> float:
        return float(KCI_UInd().compute_pvalue(x, y)[0] if z is None else KCI_CInd().compute_pvalue(x, y, z)[0])

    return answer


def _pdcorr() -> Answer:
    from hyppo.conditional import PartialDcorr

    return _by_test(PartialDcorr())


def _cmiknn() -> Answer:
    from tigramite.independence_tests.cmiknn import CMIknn

    return _by_run_test_raw(CMIknn(significance="shuffle_test", seed=SEED))


_NAMED = {
    "kci": _Known("causal-learn", "causal-learn", _kci),
    "pdcorr": _Known("hyppo", "hyppo", _pdcorr),
    "cmiknn": _Known("tigramite", "tigramite", _cmiknn),
}


def _by_run_test_raw(test: Any) -> Answer:
    """Return the answers of an object of tigramite, or of one like it."""

    def answer(x: Floats, y: Floats, z: Floats | None) -> float:
        return float(deepcopy(test).run_test_raw(x, y, z)[1])

    return answer


def _by_test(test: Any) -> Answer:
    """Return the answers of an object of hyppo, or of one like it.

    Its tests given something want something: without any condition distance correlation takes their place.
    """
    told = {"random_state": SEED} if "random_state" in inspect.signature(test.test).parameters else {}

    def answer(x: Floats, y: Floats, z: Floats | None) -> float:
        if z is None:
            from hyppo.independence import Dcorr

            return float(Dcorr().test(x, y, random_state=SEED)[1])
        return float(deepcopy(test).test(x, y, z, **told)[1])

    return answer


@dataclass(frozen=True, eq=False)
class ForeignFunction:
    """A test of another package as a function of the data: made anew where it is unpickled."""

    name: str
    test: Any = None
    _answer: list[Answer] = field(default_factory=list, repr=False)

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, data: NDArray[Any], x: int, y: int, given: tuple[int, ...]) -> float:
        """Return the p-value: some tests are not symmetric, so columns are handed over in an order of their content."""
        ends, conditions = (sorted(each, key=lambda v: data[:, v].tobytes()) for each in ((x, y), given))
        columns = np.asarray(data[:, [*ends, *conditions]], np.float64)
        varies = np.ptp(columns, axis=0) > 0.0
        if not varies[:2].all():
            # Nothing depends on a constant, and packages divide by its deviation.
            return 1.0
        others = columns[:, 2:][:, varies[2:]]
        try:
            with np.errstate(all="ignore"):
                p = self.made()(columns[:, [0]], columns[:, [1]], others if others.shape[1] else None)
        except (ValueError, ArithmeticError, np.linalg.LinAlgError) as error:
            raise InvalidDataError(
                f"the test {self.name!r} cannot answer about columns {x} and {y} given {given} ({error}): "
                "choose another test"
            ) from None
        return min(max(p, 0.0), 1.0)

    def made(self) -> Answer:
        """Return the answers, made at first use; say what to install if the package is not there."""
        if not self._answer:
            self._answer.append(_made(self.name, self.test))
        return self._answer[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return ForeignFunction, (self.name, self.test)


def _made(name: str, test: Any) -> Answer:
    if test is not None:
        return _by_run_test_raw(test) if hasattr(test, "run_test_raw") else _by_test(test)
    known = _NAMED[name]
    try:
        return known.make()
    except ImportError:
        raise NotInstalledError(
            f"the test {name!r} needs the package {known.package}: pip install 'hccd[{known.extra}]'"
        ) from None


def named_function(name: str) -> ForeignFunction | None:
    """Return the test of another package that has this name, None if none has; refuse one that is not installed."""
    if name not in _NAMED:
        return None
    function = ForeignFunction(name)
    function.made()
    return function


def function_of(test: Any) -> ForeignFunction | None:
    """Return an object of another package as a function; None if it is none such."""
    like_tigramite = callable(getattr(test, "run_test_raw", None))
    like_hyppo = callable(getattr(test, "test", None)) and callable(getattr(test, "statistic", None))
    if not (like_tigramite or like_hyppo):
        return None
    return ForeignFunction(type(test).__name__, test)
