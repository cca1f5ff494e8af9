"""What the cells of a text file mean: numbers, truth values, dates or text.

A column holds numbers (or truth values) if every cell does, apart from empty ones and marks of missing values
(``NA``, ``NaN``, ``null``, ``?`` ...). In a column of text only an empty cell is missing: there ``NA`` may
well be a state, so it is kept, and the user is told.

Plain numbers are read where they lie. Everything else is told from the distinct cells: usually few.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.tables.delimited import parse_numbers
from hccd._kernels.tables.text import code_slices
from hccd.tables.columns import Array, RawColumn
from hccd.tables.gaps import with_marks
from hccd.tables.text.spelling import Spelling, as_number, read_spelled
from hccd.tables.text.times import all_times
from hccd.tables.texts import Encoded, Text
from hccd.wording import counted, listed, quoted

SURE_MARKS = ("NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "?")
MISSING_MARKS = (*SURE_MARKS, "None", "none", ".", "-")
"""Stand for a missing value in a column of numbers; the last four are too common as states to mention."""


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
    def padded(self) -> bool:
        """Whether cells are equally long, and some are filled up with a zero: ``007`` is no quantity."""
        length = self.stop[0] - self.start[0] if len(self) else 0
        if length < 2 or self.stop[-1] - self.start[-1] != length or (self.stop - self.start != length).any():
            return False
        return bool((np.frombuffer(self.text, np.uint8)[self.start] == ord("0")).any())

    @property
    def all_empty(self) -> bool:
        """Whether there is nothing in any cell."""
        return not self.distinct

    @property
    def all_different(self) -> bool:
        """Whether no two cells are equal, and none is empty."""
        return len(self.distinct) == len(self)


def column_values(
    cells: Cells,
    name: str,
    *,
    delimiter: str,
    decimal: str | None = None,
    missing: Sequence[str] = (),
    states: bool = False,
    quantities: bool = False,
) -> tuple[RawColumn, str]:
    """Turn cells of text into a raw column.

    Parameters
    ----------
    cells
        A column of the file.
    name
        For the note.
    delimiter
        What separates the cells: with semicolons ``1,5`` is a number (see :mod:`hccd.tables.text.spelling`).
    decimal
        The decimal sign, where the user named it.
    missing
        More marks of missing values, in columns of text too.
    states
        The user says that the column is discrete: dates are states like any others.
    quantities
        The user says that the column holds numbers: leading zeros mean nothing.

    Returns
    -------
    values : numpy.ndarray, Encoded or Text
        Numbers, truth values, days or text, missing where the cell is empty or a mark says so.
    note : str
        A sentence for the user, or nothing.
    """
    plain = cells.numbers()
    if plain is not None and plain.dtype.kind == "i" and not quantities and cells.padded:
        said = f"column {quoted(name)} is read as codes, since its numbers have leading zeros: "
        return _as_text(cells, missing), said + "declare it continuous if they are quantities"
    if plain is not None and (decimal != "," or plain.dtype.kind == "i"):
        return with_marks(plain, missing), ""
    marks = {*missing, *(cell for cell in cells.distinct if _is_marked_number(cell, missing))}
    if decimal != "," and all(as_number(cell) is not None or cell in marks for cell in cells.distinct):
        return _with_states(cells, [None if cell in marks else as_number(cell) for cell in cells.distinct]), ""
    present = [cell for cell in cells.distinct if cell not in MISSING_MARKS and cell not in marks]
    if decimal != "," and all(as_number(cell) is not None for cell in present):
        number_of: dict[str, float | None] = {cell: as_number(cell) for cell in present}
        return _with_states(cells, [number_of.get(cell) for cell in cells.distinct]), ""
    spelled = read_spelled(present, name, decimal, delimiter)
    if spelled.numbers is not None:
        number_of = dict(zip(present, spelled.numbers, strict=True))
        return _with_states(cells, [number_of.get(cell) for cell in cells.distinct]), spelled.note
    if all(cell.lower() in ("true", "false") for cell in present):
        truth = {"true": True, "false": False}
        return _with_states(
            cells, [truth.get(cell.lower()) if cell in present else None for cell in cells.distinct]
        ), ""
    if not states and all_times(present):
        return _without(np.zeros(len(cells), dtype="datetime64[D]"), cells, {*cells.distinct} - {*present}), ""
    return _as_text(cells, marks), spelled.note or _note_on_text(cells, present, name, marks, decimal)


def _is_marked_number(cell: str, missing: Sequence[str]) -> bool:
    """Whether a cell is the same number as a mark, in another spelling."""
    number = as_number(cell) if missing else None
    return number is not None and any(number == as_number(mark) for mark in missing)


def _without(values: Array, cells: Cells, gone: Collection[str]) -> RawColumn:
    """Return a column without the cells that are empty or say one of ``gone``."""
    of_state = np.append([cell in gone for cell in cells.distinct], True)
    missing = of_state[cells.codes]
    return np.ma.MaskedArray(values, missing) if missing.any() else values


def _with_states(cells: Cells, states: Sequence[float | bool | None]) -> RawColumn:
    """Return a column of numbers or truth values; None is missing."""
    there = [state for state in states if state is not None]
    values = np.array(there) if there else np.empty(0)
    if len(there) == len(states) and cells.codes.min() >= 0:
        return np.asarray(values[cells.codes])
    place = np.cumsum([state is not None for state in states], dtype=np.intc) - 1
    place[[state is None for state in states]] = -1
    return Encoded(np.append(place, np.intc(-1))[cells.codes], values)


def _as_text(cells: Cells, marks: Collection[str]) -> RawColumn:
    """Return a column of text; an empty cell is missing."""
    gone = [cell in marks for cell in cells.distinct]
    codes = np.append(np.where(gone, -1, np.arange(len(gone))), -1)[cells.codes] if any(gone) else cells.codes
    if codes.min() >= 0:
        return Text.numbered(codes, cells.distinct)
    return Encoded(codes, np.array([*cells.distinct, None], dtype=object)[:-1])


def _note_on_text(
    cells: Cells, present: Sequence[str], name: str, missing: Collection[str], decimal: str | None
) -> str:
    """Warn of a column that was perhaps not meant to be text."""
    number = as_number if decimal != "," else Spelling(",").number
    times = dict(zip(cells.distinct, np.bincount(cells.codes[cells.codes >= 0]).tolist(), strict=True))
    odd = [cell for cell in present if number(cell) is None]
    odd_times = sum(times[cell] for cell in odd) if len(odd) < len(present) else len(cells)
    if 2 * odd_times < len(cells):
        shown = listed([quoted(cell) for cell in odd], most=3)
        cells_are = counted(odd_times, "cell is not a number", "cells are not numbers")
        return f"column {quoted(name)} is read as text, since {cells_are}: {shown}"
    marks = [cell for cell in cells.distinct if cell in SURE_MARKS and cell not in missing]
    if marks:
        shown = listed([quoted(mark) for mark in marks], most=3)
        rows = counted(sum(times[mark] for mark in marks), "row")
        return (
            f"column {quoted(name)} holds {shown} in {rows}, treated as a state: "
            "to treat such cells as missing, name the mark (option na)"
        )
    return ""
