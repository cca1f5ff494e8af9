"""Columns of text as numbers: which of the distinct texts each row holds.

Text is coded where it is met and never spelled out again, unless somebody asks for the cells. A frame that numbers its
texts itself (categories, dictionaries) hands over those numbers as an :class:`Encoded` column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.tables.text import code_objects, code_slices


@dataclass(frozen=True, eq=False)
class Encoded:
    """A raw column as its frame keeps it: row i holds ``states[codes[i]]``, or nothing where the code is negative."""

    codes: NDArray[Any]
    states: NDArray[Any]

    def __len__(self) -> int:
        return len(self.codes)

    def cells(self) -> NDArray[Any]:
        """Spell the column out; None where nothing is."""
        held = self.codes >= 0
        if held.all():
            return np.asarray(self.states[self.codes])
        cells = np.full(len(self.codes), None, dtype=object)
        cells[held] = self.states.astype(object)[self.codes[held]]
        return cells


@dataclass(frozen=True, eq=False)
class Text:
    """A column of text: ``states[codes[i]]`` is the cell in row i, which is missing if the code is one too high.

    Attributes
    ----------
    codes
        ``uint16``, or ``int32`` where there are more states than that can number; read-only.
    states
        The texts that occur, sorted by code point.
    """

    codes: NDArray[Any]
    states: tuple[str, ...]

    @classmethod
    def numbered(cls, codes: NDArray[Any], cells: Sequence[str]) -> Text:
        """Bring numbered texts into order; every text occurs, and may have several numbers; -1 is a missing cell."""
        states = sorted(set(cells))
        position = {state: code for code, state in enumerate(states)}
        ranks = np.array(
            [*(position[cell] for cell in cells), len(states)], dtype=np.uint16 if len(states) < 1 << 16 else np.int32
        )
        ordered = ranks.take(codes)
        ordered.flags.writeable = False
        return cls(ordered, tuple(states))

    @classmethod
    def of(cls, cells: list[Any]) -> Text | None:
        """Code a list of strings; None if one cell is something else (a subclass of ``str`` included)."""
        codes = np.empty(len(cells), np.intc)
        position: dict[str, int] = {}
        if code_objects(cells, position, codes) < len(cells):
            return None
        return cls.numbered(codes, list(position))

    @classmethod
    def in_bytes(cls, text: NDArray[np.uint8], start: NDArray[np.int64], stop: NDArray[np.int64]) -> Text:
        """Code cells that lie in one run of UTF-8: cell i is ``text[start[i] : stop[i]]``."""
        codes = np.empty(len(start), dtype=np.intc)
        first = np.empty(len(start), dtype=np.int64)
        distinct = first[: code_slices(text, start, stop, codes, first)]
        slices = zip(start[distinct].tolist(), stop[distinct].tolist(), strict=True)
        return cls.numbered(codes, [text[a:b].tobytes().decode() for a, b in slices])

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells are missing."""
        return np.asarray(self.codes == len(self.states))

    def cells(self) -> NDArray[Any]:
        """Spell the column out, as a read-only array of ``str``; None where a cell is missing."""
        cells: NDArray[Any] = np.array([*self.states, None], dtype=object)[self.codes]
        cells.flags.writeable = False
        return cells
