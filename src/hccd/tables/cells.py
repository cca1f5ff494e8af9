"""What the cells of a text file mean: numbers, truth values, dates or text.

A column holds numbers (or truth values) if every cell does, apart from empty ones and marks of missing values
(``NA``, ``NaN``, ``null``, ``?`` ...). In a column of text only an empty cell is missing: there ``NA`` may
well be a state, so it is kept, and the user is told.

Plain numbers are read where they lie. Everything else is told from the distinct cells: usually few.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.delimited import parse_numbers
from hccd._kernels.text import code_slices
from hccd.tables.columns import Array, RawColumn
from hccd.tables.texts import Encoded, Text
from hccd.tables.wording import counted, listed, quoted

_SURE_MARKS = ("NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "?")
MISSING_MARKS = (*_SURE_MARKS, "None", "none", ".", "-")
"""Stand for a missing value in a column of numbers; the last four are too common as states to mention."""

_ISO_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)


@dataclass(frozen=True, eq=False)
class Cells:
    """A column of a file: cell i is ``text[start[i] : stop[i]]``, in UTF-8."""

    text: bytes
    start: NDArray[np.int64]
    stop: NDArray[np.int64]

    @classmethod
    def of(cls, cells: Sequence[str]) -> Cells:
        """Put cells into one run of bytes."""
        encoded = [cell.strip().encode() for cell in cells]
        stop = np.cumsum([len(cell) for cell in encoded], dtype=np.int64)
        return cls(b"".join(encoded), np.concatenate([[0], stop[:-1]]), stop)

    def __len__(self) -> int:
        return len(self.start)

    def numbers(self) -> Array | None:
        """Return the cells as int64 or float64 if all of them are plain numbers."""
        whole, real = np.empty(len(self), dtype=np.int64), np.empty(len(self))
        found = parse_numbers(self.text, self.text, self.start, self.stop, whole, real)
        return (None, real, whole)[found]

    @cached_property
    def _coded(self) -> tuple[NDArray[np.int32], list[str]]:
        codes = np.empty(len(self), dtype=np.intc)
        first = np.empty(len(self), dtype=np.int64)
        first = first[: code_slices(self.text, self.start, self.stop, codes, first)]
        slices = zip(self.start[first].tolist(), self.stop[first].tolist(), strict=True)
        # Blanks beyond those of ASCII are told only now, and may make cells equal, or empty.
        stripped = [self.text[a:b].decode().strip() for a, b in slices]
        position = {cell: code for code, cell in enumerate(dict.fromkeys(filter(None, stripped)))}
        return np.array([position.get(cell, -1) for cell in stripped], dtype=np.intc)[codes], list(position)

    @property
    def codes(self) -> NDArray[np.int32]:
        """For each cell its place in ``distinct``; -1 for an empty one."""
        return self._coded[0]

    @property
    def distinct(self) -> list[str]:
        """The distinct cells, empty ones apart, in the order in which they first occur."""
        return self._coded[1]

    @property
    def all_empty(self) -> bool:
        """Whether there is nothing in any cell."""
        return not self.distinct

    @property
    def all_different(self) -> bool:
        """Whether no two cells are equal, and none is empty."""
        return len(self.distinct) == len(self)


def column_values(cells: Cells, name: str, *, decimal_comma: bool) -> tuple[RawColumn, str]:
    """Turn cells of text into a raw column.

    Parameters
    ----------
    cells
        A column of the file.
    name
        For the note.
    decimal_comma
        Whether ``1,5`` may be a number; it is only where no cell of the column has a point.

    Returns
    -------
    values : numpy.ndarray, Encoded or Text
        Numbers, truth values, days or text, missing where the cell is empty or a mark says so.
    note : str
        A sentence for the user, or nothing.
    """
    plain = cells.numbers()
    if plain is not None:
        return plain, ""
    if all(_as_number(cell) is not None for cell in cells.distinct):
        return _with_states(cells, [_as_number(cell) for cell in cells.distinct]), ""
    present = [cell for cell in cells.distinct if cell not in MISSING_MARKS]
    comma = decimal_comma and any("," in cell for cell in present) and not any("." in cell for cell in present)
    if all(_as_number(cell, comma) is not None for cell in present):
        return _with_states(cells, [_as_number(cell, comma) for cell in cells.distinct]), ""
    if all(cell.lower() in ("true", "false") for cell in present):
        truth = {"true": True, "false": False}
        return _with_states(cells, [truth.get(cell.lower()) for cell in cells.distinct]), ""
    if all(_ISO_TIME.fullmatch(cell) for cell in present):
        return np.zeros(len(cells), dtype="datetime64[D]"), ""
    return _as_text(cells), _note_on_text(cells, present, name)


def _as_number(cell: str, comma: bool = False) -> float | None:
    """Return a cell as a number; None if it is none. Python knows more spellings of numbers than people use."""
    if not cell.isascii() or "_" in cell:
        return None
    try:
        return float(cell.replace(",", ".", 1) if comma else cell)
    except ValueError:
        return None


def _with_states(cells: Cells, states: Sequence[float | bool | None]) -> RawColumn:
    """Return a column of numbers or truth values; None is missing."""
    there = [state for state in states if state is not None]
    values = np.array(there) if there else np.empty(0)
    if len(there) == len(states) and cells.codes.min() >= 0:
        return np.asarray(values[cells.codes])
    place = np.cumsum([state is not None for state in states], dtype=np.intc) - 1
    place[[state is None for state in states]] = -1
    return Encoded(np.append(place, np.intc(-1))[cells.codes], values)


def _as_text(cells: Cells) -> RawColumn:
    """Return a column of text; an empty cell is missing."""
    if cells.codes.min() >= 0:
        return Text.numbered(cells.codes, cells.distinct)
    return Encoded(cells.codes, np.array([*cells.distinct, None], dtype=object)[:-1])


def _note_on_text(cells: Cells, present: Sequence[str], name: str) -> str:
    """Warn of a column that was perhaps not meant to be text."""
    times = dict(zip(cells.distinct, np.bincount(cells.codes[cells.codes >= 0]).tolist(), strict=True))
    odd = [cell for cell in present if _as_number(cell) is None]
    odd_times = sum(times[cell] for cell in odd) if len(odd) < len(present) else len(cells)
    if 2 * odd_times < len(cells):
        shown = listed([quoted(cell) for cell in odd], most=3)
        cells_are = counted(odd_times, "cell is", "cells are")
        return f"column {quoted(name)} is read as text, since {cells_are} no number: {shown}"
    marks = [cell for cell in cells.distinct if cell in _SURE_MARKS]
    if marks:
        shown = listed([quoted(mark) for mark in marks], most=3)
        rows = counted(sum(times[mark] for mark in marks), "row")
        return (
            f"column {quoted(name)} holds {shown} in {rows}, taken as a state: "
            "leave the cells empty if the values are missing"
        )
    return ""
