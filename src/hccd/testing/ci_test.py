"""The requirements of an independence test: reproducible answers, symmetry, the significance level, and power."""

from __future__ import annotations

import math
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from hccd.errors import HCCDError
from hccd.graphs import PDAG
from hccd.independence import BoundCITest, CIResult, CITest
from hccd.run.specification import specification
from hccd.testing.cases import Columns, require, sample

#: A chain 0 -> 1 -> 2, and three variables that have nothing to do with it or with each other.
_CHAIN = PDAG.from_edges(6, directed=[(0, 1), (1, 2)])
_INDEPENDENT = [(0, 3, ()), (3, 4, ()), (3, 5, ()), (0, 2, (1,)), (0, 3, (1,)), (3, 4, (0,)), (4, 5, (0, 1))]
_DEPENDENT = [(0, 1, ()), (1, 2, ()), (0, 1, (3,)), (1, 2, (0,))]
#: A test that keeps its level has more wrong answers than allowed so rarely; it finds so much of what is plain to see.
_RARELY, _MOSTLY = 1e-4, 0.8


def check_ci_test(
    test: str | CITest | Callable[..., Any],
    columns: Columns = "continuous",
    *,
    rows: int = 300,
    tables: int = 20,
) -> None:
    """Check that an independence test meets the requirements of the algorithms.

    Parameters
    ----------
    test : str, specification or function
        The same as the option ``test``: a name, a specification with ``bind``, or a function ``f(data, x, y, given)``.
    columns : {"continuous", "discrete"}
        The kind of columns in the tables: numbers, or the states 0, 1, 2.
    rows, tables : int
        The number of rows of each table, and the number of tables for level and power; choose fewer for a slow test.

    Raises
    ------
    AssertionError
        A requirement is not met; the message states which.

    Examples
    --------
    >>> from hccd import FisherZ
    >>> from hccd.testing import check_ci_test
    >>> check_ci_test(FisherZ(alpha=0.05))
    >>> check_ci_test("g", "discrete")
    """
    spec = specification(test, None, None)
    data = _table(0, rows, columns)
    kept = data.copy()
    ci = spec.bind(data)
    require(np.array_equal(data, kept), "bind() changed the data")
    require(ci.n_variables == 6, f"n_variables is {ci.n_variables} for a table of 6 columns")
    _answers(ci)
    _one_answer(spec, ci, data)
    _at_once(ci)
    _moved(spec, ci, data)
    _odd_tables(spec, columns)
    _level_and_power(spec, rows, tables, columns)


def _table(seed: int, rows: int, columns: Columns) -> NDArray[Any]:
    return sample(np.random.default_rng([20, seed]), _CHAIN, rows, columns)


def _answers(ci: BoundCITest) -> None:
    """Check that answers are such, and that decisions follow from p-values."""
    for x, y, given in _INDEPENDENT + _DEPENDENT:
        case = f"the answer about {x}, {y} given {given}"
        answer = ci.test(x, y, given)
        require(isinstance(answer, CIResult), f"{case} is {answer!r}: it must be a CIResult")
        require(answer.independent in (True, False), f"{case} is not a decision: {answer.independent!r}")
        p, strength = answer.p_value, answer.strength
        require(math.isnan(p) or 0.0 <= p <= 1.0, f"{case} has the p-value {p}")
        require(math.isnan(strength) or strength >= 0.0, f"{case} has the strength {strength}: it must not be negative")
        if ci.alpha is not None and not math.isnan(p):
            decided = bool(answer.independent) == (p >= ci.alpha)
            require(decided, f"{case} is independent={answer.independent} with p = {p} at the level {ci.alpha}")
        other = ci.test(y, x, given[::-1])
        require(_same(answer, other), f"{case} changes if {x} and {y} change places: {answer} and {other}")


def _one_answer(spec: CITest, ci: BoundCITest, data: NDArray[Any]) -> None:
    """Check that an answer does not depend on what was asked before, nor on the object that is asked."""
    questions = _INDEPENDENT + _DEPENDENT
    first = [ci.test(*question) for question in questions]
    for again, whose in ((ci, "the same test"), (spec.bind(data), "another one of the same data")):
        later = [again.test(*question) for question in reversed(questions)][::-1]
        for question, one, other in zip(questions, first, later, strict=True):
            require(_same(one, other), f"{whose} answers {question} differently: {one} and {other}")
    try:
        copied = pickle.loads(pickle.dumps(ci))
    except (pickle.PicklingError, AttributeError, TypeError):
        # A function that stands in no module: it can be asked by threads only.
        return
    require(_same(copied.test(0, 1), ci.test(0, 1)), "a pickled copy answers differently")


def _at_once(ci: BoundCITest) -> None:
    """Check that many questions at once get the answers that single ones get, with workers as without."""
    marginals, workers = ci.marginals(), ci.marginals(n_jobs=2)
    require(np.array_equal(marginals.independent, workers.independent), "marginals(n_jobs=2) decides otherwise")
    x, y = (side.astype(np.int32) for side in np.triu_indices(6, 1))
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        one = ci.test(a, b)
        for i, j in ((a, b), (b, a)):
            same = bool(marginals.independent[i, j]) == bool(one.independent)
            require(same, f"marginals() has another answer about {i} and {j} than test()")
    for size in range(3):
        given = np.array([[z for z in range(6) if z not in (a, b)][:size] for a, b in zip(x, y, strict=True)], np.int32)
        many = ci.test_many(x, y, given.reshape(len(x), size))
        for row, (a, b) in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
            one = ci.test(a, b, tuple(given[row].tolist()))
            same = bool(many.independent[row]) == bool(one.independent)
            require(same, f"test_many() has another answer about {a}, {b} given {given[row].tolist()} than test()")


def _moved(spec: CITest, ci: BoundCITest, data: NDArray[Any]) -> None:
    """Check that the places of columns do not matter."""
    order = np.array([4, 2, 0, 5, 1, 3])
    place = np.argsort(order)
    for moved, how in ((spec.bind(data[:, order]), "bound to moved columns"), (ci.reordered(order), "reordered()")):
        for x, y, given in _INDEPENDENT + _DEPENDENT:
            own = moved.test(int(place[x]), int(place[y]), tuple(int(place[z]) for z in given))
            one = ci.test(x, y, given)
            require(_same(one, own), f"{how}, the test answers {(x, y, given)} differently: {one} and {own}")


def _odd_tables(spec: CITest, columns: Columns) -> None:
    """Ask about tables that say little: an answer, or one sentence of the library's own, but no other error."""
    constant = _table(1, 50, columns)
    constant[:, 3] = constant[0, 3]
    copied = _table(2, 50, columns)
    copied[:, 3] = copied[:, 0]
    tables = {"a constant column": constant, "two equal columns": copied, "eight rows": _table(3, 8, columns)}
    for what, data in tables.items():
        for x, y, given in ((0, 3, ()), (1, 3, (0,)), (1, 2, (0, 3, 4, 5))):
            try:
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    answer = spec.bind(data).test(x, y, given)
            except HCCDError:
                continue
            except Exception as error:
                kind = type(error).__name__
                raise AssertionError(f"{what}: {x}, {y} given {given} is answered by {kind}: {error}") from error
            p = answer.p_value
            require(math.isnan(p) or 0.0 <= p <= 1.0, f"{what}: {x}, {y} given {given} has the p-value {p}")


def _level_and_power(spec: CITest, rows: int, tables: int, columns: Columns) -> None:
    """Count wrong answers over many tables."""
    bound = [spec.bind(_table(10 + seed, rows, columns)) for seed in range(tables)]
    found = {question: sum(not ci.test(*question).independent for ci in bound) for question in _INDEPENDENT}
    missed = {question: sum(bool(ci.test(*question).independent) for ci in bound) for question in _DEPENDENT}
    alpha = bound[0].alpha
    if alpha is not None:
        asked, wrong = tables * len(found), sum(found.values())
        allowed = int(binom.ppf(1.0 - _RARELY, asked, alpha))
        require(
            wrong <= allowed,
            f"of {asked} independent pairs {wrong} are called dependent, which at the level {alpha} happens to no more "
            f"than {allowed}: {found}",
        )
    plain = all(count <= (1.0 - _MOSTLY) * tables for count in missed.values())
    require(plain, f"strong dependence is missed in {rows} rows; by question, of {tables} tables: {missed}")


def _same(one: CIResult, other: CIResult) -> bool:
    """Tell whether two answers are one, up to rounding."""
    same = np.allclose([one.p_value, one.strength], [other.p_value, other.strength], 1e-6, 1e-9, equal_nan=True)
    return bool(one.independent) == bool(other.independent) and bool(same)
