"""Exact linear relations between columns, written as a person would write them: ``TOTAL = A + B``.

A relation is known by the columns in it. Which of them stands alone on the left, and what the numbers are rounded to,
is chosen so that the line is as plain as it can be while it holds in every row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.wording import MOST_LISTED, quoted

Floats = NDArray[np.float64]

EXACT = 1e-7
"""What a relation may leave of a column, in deviations: far above rounding, far below what is measured."""
_DIGITS = 6
_LARGEST_DENOMINATOR = 12


class Relation(NamedTuple):
    """Column ``dependent`` (a place in the list that was given) is made of the others; ``equation`` says how."""

    dependent: int
    equation: str


def linear_relation(columns: Floats, names: Sequence[str]) -> Relation:
    """Write the one relation that holds between columns, given as rows, all of which take part in it.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.array([[1.0, 2.0, 4.0, 3.0], [5.0, 1.0, 2.0, 2.0]])
    >>> linear_relation(np.array([a, a + b, b]), ["a", "total", "b"]).equation
    'total = a + b'
    >>> linear_relation(np.array([a, 1.8 * a + 32]), ["celsius", "fahrenheit"]).equation
    'fahrenheit = 1.8 celsius + 32'
    """
    # Squares of very large numbers must stay finite.
    largest = np.abs(columns).max(axis=1)
    scaled = columns / largest[:, None]
    middle = scaled.mean(axis=1)
    centered = scaled - middle[:, None]
    deviation = np.sqrt((centered * centered).mean(axis=1))
    null = np.linalg.svd(centered / deviation[:, None], full_matrices=False)[0][:, -1] / deviation
    best: tuple[tuple[float, ...], int, Floats, float] | None = None
    for dependent in range(len(columns)):
        share = -null / null[dependent]
        share[dependent] = 0.0
        with np.errstate(over="ignore", under="ignore"):
            exact = share * (largest[dependent] / largest)
        if not np.isfinite(exact).all() or (np.delete(exact, dependent) == 0.0).any():
            continue
        plain, constant, digits = _plain(columns, dependent, exact)
        # A sum rather than a difference, a plain number rather than a long one, a product rather than a quotient.
        cost = (float((plain < 0).sum()), digits, float((np.abs(np.delete(plain, dependent)) < 1.0).sum()))
        # Of equals the last one: the first by name is what copies are called after.
        if best is None or cost <= best[0]:
            best = cost, dependent, plain, constant
    if best is None:
        return Relation(len(columns) - 1, "")
    _, dependent, plain, constant = best
    return Relation(dependent, f"{plain_name(names[dependent])} = {_sum(plain, constant, dependent, names)}")


def plain_name(name: str) -> str:
    """Return a name as it stands in an equation: in quotation marks unless it is one word."""
    return name if re.fullmatch(r"[^\W\d]\w{0,59}", name) else quoted(name)


def _plain(columns: Floats, dependent: int, exact: Floats) -> tuple[Floats, float, float]:
    """Round the coefficients, and the constant that follows, to as few digits as the relation can bear."""
    target = columns[dependent]
    largest = float(np.abs(target).max())
    allowed = EXACT * float((target / largest).std()) * largest
    # What the constant may be off by is no more than rounding makes of a column that is far from zero.
    near = 10.0 * allowed + 1e-12 * largest
    for digits in (*range(1, _DIGITS + 1), _DIGITS + 1):
        plain = exact if digits > _DIGITS else np.array([_rounded(value, digits) for value in exact.tolist()])
        with np.errstate(over="ignore", invalid="ignore"):
            rest = target - plain @ columns
            middle = float(rest.mean())
            holds = float(np.abs(rest - middle).max()) <= 10.0 * allowed
        if holds:
            break
    constants = (0.0, *(_rounded(middle, n) for n in range(1, _DIGITS + 1)))
    constant = next((value for value in constants if abs(value - middle) <= near), middle)
    return plain, constant, float(digits)


def _rounded(value: float, digits: int) -> float:
    """Round to so many digits that count; a fraction of small numbers counts as one of three."""
    if value == 0.0:
        return 0.0
    if digits >= 3 and abs(value) < 1e3:
        near = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
        if near and abs(float(near) - value) <= 1e-7 * abs(value):
            return float(near)
    return float(f"{value:.{digits - 1}e}")


def _sum(plain: Floats, constant: float, dependent: int, names: Sequence[str]) -> str:
    terms = [(value, plain_name(names[i])) for i, value in enumerate(plain.tolist()) if i != dependent]
    shown, more = terms[:MOST_LISTED], len(terms) - MOST_LISTED
    factors = {value for value, _ in terms}
    common = factors.pop() if len(factors) == 1 and len(terms) > 1 else 1.0
    written = _joined(shown) if common in (1.0, -1.0) else _joined([(1.0, name) for _, name in shown])
    if more > 0:
        written += f" + ... ({more:,} more)"
    if common not in (1.0, -1.0):
        written = f"{_number(common)} ({written})"
    if constant and written.startswith("-"):
        return f"{_number(constant)} - {written[1:]}"
    if constant:
        written += f" {'+' if constant > 0 else '-'} {_number(abs(constant))}"
    return written


def _joined(terms: Sequence[tuple[float, str]]) -> str:
    written = ""
    for value, name in terms:
        size = "" if abs(value) == 1.0 else f"{_number(abs(value))} "
        sign = (" - " if value < 0 else " + ") if written else ("-" if value < 0 else "")
        written += f"{sign}{size}{name}"
    return written


def _number(value: float) -> str:
    """Write a number with six digits at most, and thirds and the like as fractions."""
    near = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR) if abs(value) < 1e3 else Fraction(0)
    if float(f"{value:.6g}") != value and near and float(near) == value:
        return f"({near})" if value < 0 else str(near)
    return f"{value:.6g}"
