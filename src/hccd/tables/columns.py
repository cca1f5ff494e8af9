"""One column of a user's data: whether it holds numbers or text, and if neither, what is wrong with it.

Numbers are an array of truth values, integers or floats of any size, which :mod:`hccd.tables.numbers` brings into
normal form and looks through for infinite ones; whole numbers beyond 64 bits are rounded to ``float64``. Where some are
missing they are floats, NaN being a missing one. Text is coded at once (:mod:`hccd.tables.texts`). Everything else is a
flaw, and so is a column without any value. Nothing here knows the name of a column:
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

from hccd.tables.texts import Encoded, Text
from hccd.wording import quoted

Array = NDArray[Any]
RawColumn = Array | Encoded | Text

TIMES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)


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
    EMPTY = "empty"
    INFINITE = "infinite"


class FlawedColumn(NamedTuple):
    """A refused column: the flaw, how many cells have it, and an example or the name of a type."""

    flaw: Flaw
    cells: int
    example: str = ""


def clean_column(raw: RawColumn, *, categorical: bool = False) -> Array | Text | FlawedColumn:
    """Tell numbers from text, or say what is wrong with a raw column.

    Parameters
    ----------
    raw
        Any array, a masked array's masked cells being missing; a column that its frame has encoded; or text that is
        coded already, which is passed through.
    categorical
        The frame declares the column as categorical: states of foreign types are taken by their text.

    Returns
    -------
    numpy.ndarray, Text or FlawedColumn
        An array of truth values, integers or floats, which may be the caller's own and may still hold missing and
        infinite numbers; or coded text; or the flaw.
    """
    if isinstance(raw, Text):
        return raw
    if isinstance(raw, Encoded):
        return _clean_encoded(raw, categorical)
    if raw.ndim != 1:
        return FlawedColumn(Flaw.NESTED, len(raw) if raw.ndim else 1)
    masked = np.ma.getmaskarray(raw) if isinstance(raw, np.ma.MaskedArray) else None
    if masked is not None and masked.any():
        return _with_gaps(np.ma.getdata(raw)[~masked], masked, categorical)
    values = np.asarray(raw)
    if values.dtype.kind in "OUT":
        return _clean_objects(values.astype(object, copy=False), categorical)
    if values.dtype.kind in "biuf":
        return values
    flaw = {"c": Flaw.COMPLEX, "M": Flaw.DATE, "m": Flaw.DATE, "S": Flaw.BYTES, "V": Flaw.NESTED}
    return FlawedColumn(flaw.get(values.dtype.kind, Flaw.FOREIGN), values.size, str(values.dtype))


def unusable_numbers(values: Array) -> FlawedColumn:
    """Say what is wrong with a column of numbers that are not all finite."""
    infinite = int(np.isinf(values).sum())
    return FlawedColumn(Flaw.INFINITE, infinite) if infinite else FlawedColumn(Flaw.EMPTY, values.size)


def _with_gaps(held: RawColumn, missing: NDArray[np.bool_], categorical: bool) -> Array | Text | FlawedColumn:
    """Judge a column by the cells that hold something, and put the missing ones between them."""
    if missing.all():
        return FlawedColumn(Flaw.EMPTY, missing.size)
    present = clean_column(held, categorical=categorical)
    if isinstance(present, FlawedColumn):
        return present
    if isinstance(present, Text):
        codes = np.full(len(missing), -1, dtype=np.int64)
        codes[~missing] = present.codes
        return Text.numbered(codes, present.states)
    cells = np.full(len(missing), np.nan)
    cells[~missing] = present
    return cells


def _clean_encoded(raw: Encoded, categorical: bool) -> Array | Text | FlawedColumn:
    """Look at the states that occur instead of the cells."""
    # The last place is for the code -1.
    missing = np.append(missing_in(raw.states), True)[np.where(raw.codes < 0, -1, raw.codes)]
    if missing.any():
        return _with_gaps(Encoded(raw.codes[~missing], raw.states), missing, categorical)
    occurring = np.flatnonzero(np.bincount(raw.codes, minlength=len(raw.states)))
    states = clean_column(raw.states[occurring], categorical=categorical)
    if isinstance(states, Text):
        cells = [states.states[0]] * len(raw.states)
        for number, code in zip(occurring.tolist(), states.codes.tolist(), strict=True):
            cells[number] = states.states[code]
        return Text.numbered(raw.codes, cells)
    if not isinstance(states, FlawedColumn):
        values = np.zeros(len(raw.states), dtype=states.dtype)
        values[occurring] = states
        return np.asarray(values[raw.codes])
    return clean_column(raw.cells(), categorical=categorical)


def _clean_objects(values: Array, categorical: bool) -> Array | Text | FlawedColumn:
    """Columns of Python objects: told by the cells that are not missing."""
    cells = values.tolist()
    text = Text.of(cells)
    if text is not None:
        return text
    types = set(map(type, cells))
    if all(issubclass(t, str | int) for t in types):
        return _clean_cells(cells, types, categorical)
    missing = missing_in(values)
    if missing.any():
        return _with_gaps(values[~missing], missing, categorical)
    return _clean_cells(cells, types, categorical)


def _clean_cells(cells: list[Any], types: set[type], categorical: bool) -> Array | Text | FlawedColumn:
    """Tell by the types of the cells whether they are truth values, numbers or text."""
    if all(issubclass(t, bool | np.bool_) for t in types):
        return np.array(cells, dtype=np.bool_)
    if all(map(_is_number, types)):
        return _numbers(cells, types)
    if categorical or all(issubclass(t, str) for t in types):
        # The text of a subclass may again be a subclass; what is kept is the bare text.
        text = Text.of([str.__str__(str(cell)) for cell in cells])
        assert text is not None
        return text
    flaw = _flaw_of_types(cells)
    if flaw is not None:
        return flaw
    text_cell = next(cell for cell in cells if isinstance(cell, str))
    other = next(cell for cell in cells if not isinstance(cell, str))
    return FlawedColumn(Flaw.MIXED, len(cells), f"{quoted(other)} and {quoted(text_cell)}")


def _flaw_of_types(cells: list[Any]) -> FlawedColumn | None:
    """Tell the flaw of cells other than text, numbers and truth values, if there are such cells."""
    for cell in cells:
        if isinstance(cell, str) or _is_number(type(cell)):
            continue
        if isinstance(cell, TIMES):
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


def missing_in(values: Array) -> NDArray[np.bool_]:
    """Tell which cells of a plain array of one dimension hold nothing."""
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind in "Mm":
        return np.asarray(np.isnat(values))
    if values.dtype.kind == "O":
        return np.fromiter(map(is_missing, values.tolist()), dtype=np.bool_, count=len(values))
    return np.zeros(len(values), dtype=np.bool_)


def is_missing(cell: Any) -> bool:
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
