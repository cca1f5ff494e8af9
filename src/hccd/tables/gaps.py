"""Missing cells of raw columns: where they are, which marks stand for them, and what is left without their rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.tables.columns import Array, RawColumn, missing_in
from hccd.tables.text.spelling import as_number
from hccd.tables.texts import Encoded, Text

Flags = NDArray[np.bool_]


def missing_cells(column: RawColumn) -> Flags:
    """Tell which cells of a raw column hold nothing.

    Examples
    --------
    >>> import numpy as np
    >>> missing_cells(np.array([1.0, np.nan])).tolist(), missing_cells(np.array(["a", None], dtype=object)).tolist()
    ([False, True], [False, True])
    """
    if isinstance(column, Text):
        return column.missing
    if isinstance(column, Encoded):
        # The last place is for the code -1.
        of_state = np.append(missing_cells(column.states), True)
        return np.asarray(of_state[np.where(column.codes < 0, -1, column.codes)])
    values = np.ma.getdata(column)
    if values.ndim != 1:
        return _none(values)
    return missing_in(values) | np.ma.getmaskarray(column)


def rows_with_gaps(columns: Sequence[RawColumn] | Array, n_rows: int) -> Flags:
    """Tell which rows miss something in any column."""
    if isinstance(columns, np.ndarray) and columns.dtype.kind in "biu" and not np.ma.is_masked(columns):
        return np.zeros(n_rows, dtype=np.bool_)
    return reduce(np.logical_or, map(missing_cells, columns), np.zeros(n_rows, dtype=np.bool_))


def taken(column: RawColumn, rows: Flags) -> RawColumn:
    """Return a raw column with some of its rows only."""
    if isinstance(column, Text):
        return Encoded(_signed(column)[rows], np.array([*column.states, None], dtype=object)[:-1])
    if isinstance(column, Encoded):
        return Encoded(column.codes[rows], column.states)
    return np.asarray(column[rows]) if not np.ma.is_masked(column[rows]) else column[rows]


def with_marks(column: RawColumn, marks: Sequence[str]) -> RawColumn:
    """Return a raw column in which cells that say one of the marks hold nothing; numbers are compared as numbers."""
    if isinstance(column, Text):
        column = Encoded(_signed(column), np.array([*column.states, None], dtype=object)[:-1])
    if isinstance(column, Encoded):
        gone = np.append(_marked(column.states, marks), False)
        marked = gone[column.codes]
        return Encoded(np.where(marked, -1, column.codes), column.states) if marked.any() else column
    marked = _marked(column, marks)
    if not marked.any():
        return column
    return np.ma.MaskedArray(np.ma.getdata(column), np.ma.getmaskarray(column) | marked)


def _signed(column: Text) -> NDArray[np.int64]:
    """Return the codes of text, -1 for a missing cell."""
    return np.where(column.missing, -1, column.codes.astype(np.int64))


def _marked(values: Array, marks: Sequence[str]) -> Flags:
    """Tell which cells say one of the marks."""
    numbers = [value for value in map(as_number, marks) if value is not None]
    if values.ndim != 1 or values.dtype.kind in "biuf":
        return np.isin(values, numbers) if values.ndim == 1 else _none(values)
    if values.dtype.kind not in "OUT":
        return _none(values)

    def is_mark(cell: Any) -> bool:
        return cell in marks if isinstance(cell, str) else isinstance(cell, int | float) and cell in numbers

    return np.fromiter(map(is_mark, values.tolist()), dtype=np.bool_, count=len(values))


def _none(column: Array) -> Flags:
    return np.zeros(len(column), dtype=np.bool_)
