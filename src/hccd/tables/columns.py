"""One column of a user's data: what it holds, its normal form, its kind and its discrete codes.

A column in normal form is a one-dimensional array of ``bool``, ``int64`` (``uint64`` where needed),
``float64`` or, for text, ``object`` holding ``str``; it has no missing and no infinite value. Everything else
is a flaw. Whole numbers beyond 64 bits are rounded to ``float64``. Nothing here knows the name of a column:
the sentences about flaws are written in :mod:`hccd.tables.checks`.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import math
import numbers
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.tables.wording import quoted

Array = NDArray[Any]

MOST_STATES_GUESSED = 20
"""More distinct whole numbers than this are not taken for the states of a discrete variable."""

MOST_STATES = 65_535
"""Codes are ``uint16``."""

_DIRECT_CODING_RANGE = 1 << 17
_TIMES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)


class Kind(enum.Enum):
    """What a column measures, as a person would guess."""

    DISCRETE = "discrete"
    CONTINUOUS = "continuous"


class Flaw(enum.Enum):
    """Why a column cannot be used."""

    NESTED = "nested"
    COMPLEX = "complex"
    DATE = "date"
    BYTES = "bytes"
    MIXED = "mixed"
    FOREIGN = "foreign"
    MISSING = "missing"
    INFINITE = "infinite"


class FlawedColumn(NamedTuple):
    """A refused column: the flaw, how many cells have it, and an example or the name of a type."""

    flaw: Flaw
    cells: int
    example: str = ""


def clean_column(raw: Array, *, categorical: bool = False) -> Array | FlawedColumn:
    """Bring a raw column into normal form, or say what is wrong with it.

    Parameters
    ----------
    raw
        Any array; a masked array's masked cells are missing.
    categorical
        The frame declares the column as categorical: states of foreign types are taken by their text.

    Returns
    -------
    numpy.ndarray or FlawedColumn
        The normal form, an array of its own and read-only, or the flaw.
    """
    if raw.ndim != 1:
        return FlawedColumn(Flaw.NESTED, len(raw) if raw.ndim else 1)
    masked = int(np.ma.getmaskarray(raw).sum()) if isinstance(raw, np.ma.MaskedArray) else 0
    if masked:
        return FlawedColumn(Flaw.MISSING, masked)
    values = np.asarray(raw)
    if values.dtype.kind in "OUT":
        return _clean_objects(values.astype(object), categorical)
    return _clean_typed(values)


def _clean_typed(values: Array) -> Array | FlawedColumn:
    """Columns whose dtype says what they are."""
    kind = values.dtype.kind
    if kind == "b":
        return _frozen(values.astype(np.bool_))
    if kind in "iu":
        beyond = kind == "u" and values.size > 0 and int(values.max()) > np.iinfo(np.int64).max
        return _frozen(values.astype(np.uint64 if beyond else np.int64))
    if kind == "f":
        with np.errstate(over="ignore"):
            # Adding zero turns -0.0 into 0.0: equal numbers must have equal bytes.
            numbers_ = np.add(values, 0.0, dtype=np.float64)
        if np.isfinite(numbers_).all():
            return _frozen(numbers_)
        missing = int(np.isnan(numbers_).sum())
        if missing:
            return FlawedColumn(Flaw.MISSING, missing)
        return FlawedColumn(Flaw.INFINITE, int(np.isinf(numbers_).sum()))
    flaw = {"c": Flaw.COMPLEX, "M": Flaw.DATE, "m": Flaw.DATE, "S": Flaw.BYTES, "V": Flaw.NESTED}
    return FlawedColumn(flaw.get(kind, Flaw.FOREIGN), values.size, str(values.dtype))


def _clean_objects(values: Array, categorical: bool) -> Array | FlawedColumn:
    """Columns of Python objects: told by the cells that are not missing."""
    cells = values.tolist()
    types = set(map(type, cells))
    if all(issubclass(t, str | int) for t in types):
        return _clean_cells(cells, types, categorical)
    present = [cell for cell in cells if not _is_missing(cell)]
    missing = len(cells) - len(present)
    cleaned = _clean_cells(present, set(map(type, present)), categorical)
    usable = isinstance(cleaned, np.ndarray) or cleaned.flaw is Flaw.INFINITE
    return FlawedColumn(Flaw.MISSING, missing) if missing and usable else cleaned


def _clean_cells(cells: list[Any], types: set[type], categorical: bool) -> Array | FlawedColumn:
    """Tell by the types of the cells whether they are truth values, numbers or text."""
    if all(issubclass(t, bool | np.bool_) for t in types):
        return _frozen(np.array(cells, dtype=np.bool_))
    if all(map(_is_number, types)):
        return _clean_typed(_numbers(cells, types))
    if categorical or all(issubclass(t, str) for t in types):
        texts = cells if types == {str} else map(str, cells)
        return _frozen(np.fromiter(texts, dtype=object, count=len(cells)))
    flaw = _flaw_of_types(cells)
    if flaw is not None:
        return flaw
    text = next(cell for cell in cells if isinstance(cell, str))
    other = next(cell for cell in cells if not isinstance(cell, str))
    return FlawedColumn(Flaw.MIXED, len(cells), f"{quoted(other)} and {quoted(text)}")


def _flaw_of_types(cells: list[Any]) -> FlawedColumn | None:
    """Tell the flaw of cells other than text, numbers and truth values, if there are such cells."""
    for cell in cells:
        if isinstance(cell, str) or _is_number(type(cell)):
            continue
        if isinstance(cell, _TIMES):
            return FlawedColumn(Flaw.DATE, len(cells))
        if isinstance(cell, complex | np.complexfloating):
            return FlawedColumn(Flaw.COMPLEX, len(cells))
        if isinstance(cell, bytes | bytearray):
            return FlawedColumn(Flaw.BYTES, len(cells))
        if isinstance(cell, dict | list | tuple | set | frozenset) or hasattr(cell, "__array__"):
            return FlawedColumn(Flaw.NESTED, len(cells))
        return FlawedColumn(Flaw.FOREIGN, len(cells), type(cell).__name__)
    return None


def _is_number(cell_type: type) -> bool:
    """Whether cells of this type are real numbers; truth values among numbers count as 0 and 1."""
    return issubclass(cell_type, numbers.Real | decimal.Decimal | np.bool_)


def _is_missing(cell: Any) -> bool:
    """Whether a cell of an object column stands for no value, in the spelling of any library."""
    if cell is None or type(cell).__name__ in {"NAType", "NaTType", "MaskedConstant"}:
        return True
    if isinstance(cell, decimal.Decimal):
        return cell.is_nan()
    if isinstance(cell, float | np.floating):
        return math.isnan(cell)
    return isinstance(cell, np.datetime64 | np.timedelta64) and bool(np.isnat(cell))


def _numbers(cells: list[Any], types: set[type]) -> Array:
    """Python numbers as an array: exact 64-bit integers where they all fit, else float64."""
    if all(issubclass(t, int | np.integer | np.bool_) for t in types):
        low, high = int(min(cells)), int(max(cells))
        for dtype in (np.int64, np.uint64):
            if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
                return np.array(cells, dtype=dtype)
    return np.fromiter(map(_as_float, cells), dtype=np.float64, count=len(cells))


def _as_float(cell: Any) -> float:
    """Convert one number; what exceeds float64 becomes infinite, and is refused as such."""
    try:
        return float(cell)
    except OverflowError:
        return math.inf


def _frozen(values: Array) -> Array:
    """Make an array that is ours read-only and contiguous."""
    values = np.ascontiguousarray(values)
    values.flags.writeable = False
    return values


def is_text(values: Array) -> bool:
    """Whether a column in normal form holds text."""
    return values.dtype.kind == "O"


def is_whole(values: Array) -> bool:
    """Whether every number of a column in normal form is a whole number."""
    if values.dtype.kind != "f":
        return not is_text(values)
    # Most measured columns show a fraction in their first cells.
    return bool((np.floor(values[:64]) == values[:64]).all() and (np.floor(values) == values).all())


def exceeds(values: Array, states: int) -> bool:
    """Whether a column of numbers has more than ``states`` distinct values."""
    # The first rows settle it for almost every measured column, without sorting the whole.
    head = values[: 50 * states]
    return np.unique(head).size > states or (head.size < values.size and np.unique(values).size > states)


def guess_kind(values: Array) -> Kind:
    """Tell whether a column in normal form is discrete or continuous.

    Text and truth values are discrete. Whole numbers, also when stored as floats, are discrete when they have
    at most 20 distinct values and at least two rows for each of them. Other numbers are continuous.
    """
    if is_text(values) or values.dtype.kind == "b":
        return Kind.DISCRETE
    most = min(MOST_STATES_GUESSED, values.size // 2)
    return Kind.DISCRETE if is_whole(values) and not exceeds(values, most) else Kind.CONTINUOUS


def code_column(values: Array) -> tuple[NDArray[np.intp], tuple[Any, ...]]:
    """Give the states of a column in normal form their numbers, in sorted order.

    Returns
    -------
    codes : numpy.ndarray
        For each row the position of its state in ``states``.
    states : tuple
        The states that occur: text by code point, numbers by value; whole numbers as ``int``.
    """
    if is_text(values):
        cells = values.tolist()
        states = sorted(set(cells))
        position = {state: code for code, state in enumerate(states)}
        codes = np.fromiter(map(position.__getitem__, cells), dtype=np.intp, count=len(cells))
        return codes, tuple(states)
    if values.dtype.kind == "b":
        occurring, codes = np.unique(values, return_inverse=True)
        return codes.astype(np.intp), tuple(occurring.tolist())
    whole = is_whole(values)
    low = values.min()
    if whole and float(values.max()) - float(low) < _DIRECT_CODING_RANGE:
        # Few possible values: counting is linear where sorting is not. The float64 differences of the guard
        # are close enough for it, the subtraction itself is exact.
        offsets = (values - low).astype(np.intp)
        present = np.bincount(offsets) > 0
        occurring = np.flatnonzero(present)
        codes = (np.cumsum(present) - 1)[offsets]
        return codes, tuple(int(low) + int(offset) for offset in occurring)
    occurring, codes = np.unique(values, return_inverse=True)
    return codes.astype(np.intp), tuple(int(v) if whole else float(v) for v in occurring.tolist())
