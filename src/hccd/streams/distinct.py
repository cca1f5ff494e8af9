"""Distinct rows of discrete columns with their counts: all that tests of tables need to know of rows.

States have the numbers of their first occurrence while rows are counted, and their proper codes afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.tables.distinct_rows import RowCounter, pack

Codes = NDArray[np.uint16]
Counts = NDArray[np.int64]

#: Distinct rows take so many bytes at most, and are so many at most.
MOST_BYTES, MOST_ROWS = 1 << 27, 1 << 22
_ONCE = np.zeros(0, np.int64)


@dataclass(eq=False)
class Distinct:
    """Distinct rows so far, in the order in which they first occur, and their counts; ``full`` if they are too many.

    A row is packed into words of 64 bits: each column has so many of them as its largest code so far takes.
    """

    widths: list[int] = field(default_factory=list)
    counter: RowCounter | None = None
    full: bool = False

    def add(self, codes: Sequence[Codes] | Codes, counts: Counts = _ONCE) -> None:
        """Count rows of codes (columns by rows), each once or as often as ``counts`` says."""
        if self.full or not len(codes) or not len(codes[0]):
            return
        columns = [np.ascontiguousarray(own, np.uint16) for own in codes]
        words, needed = self._packed(columns)
        if needed != self.widths:
            # A code beyond those so far: the rows that are there are packed anew.
            held, self.widths = self.rows() if self.counter is not None else None, needed
            self.counter = None
            words, _ = self._packed(columns)
            if held is not None:
                self.add(np.ascontiguousarray(held[0].T), held[1])
        most = most_rows(len(columns))
        self.counter = self.counter or RowCounter(len(words))
        if self.counter.add(words, counts, most) > most:
            self.counter, self.full = None, True

    @property
    def held(self) -> int:
        """How many distinct rows there are."""
        return 0 if self.counter is None else len(self.counter.rows()[0])

    def _packed(self, columns: list[Codes]) -> tuple[NDArray[np.uint64], list[int]]:
        """Return rows as words, and how many bits each column needs; the words are void if it has fewer."""
        widths = self.widths or [0] * len(columns)
        words = np.zeros((_places(widths)[-1][0] + 1, len(columns[0])), np.uint64)
        needed = []
        for own, width, (word, shift) in zip(columns, widths, _places(widths), strict=True):
            needed.append(max(width, int(pack(own, shift, words[word])).bit_length()))
        return words, needed

    def merge(self, other: Distinct) -> None:
        """Add the rows of another part, coded alike."""
        self.full = self.full or other.full
        if self.full:
            self.counter = None
        elif other.counter is not None:
            rows, counts = other.rows()
            self.add(np.ascontiguousarray(rows.T), counts)

    def renumbered(self, places: list[NDArray[np.uint16]]) -> Distinct:
        """Return the same with other numbers of states: for each column by its old one, and behind the states that of
        none.
        """  # noqa: D205
        found = Distinct(full=self.full)
        if self.counter is not None:
            rows, counts = self.rows()
            own = [place[np.minimum(column, len(place) - 1)] for place, column in zip(places, rows.T, strict=True)]
            found.add(own, counts)
        return found

    def rows(self) -> tuple[Codes, Counts]:
        """Return the distinct rows and their counts."""
        if self.counter is None:
            return np.zeros((0, len(self.widths)), np.uint16), _ONCE
        words, counts = self.counter.rows()
        rows = np.empty((len(words), len(self.widths)), np.uint16)
        for own, width, (word, shift) in zip(rows.T, self.widths, _places(self.widths), strict=True):
            own[:] = (words[:, word] >> np.uint64(shift)) & np.uint64((1 << width) - 1)
        # What is 0 in a word misses the cell, and has the highest code.
        rows -= np.uint16(1)
        return rows, counts.copy()

    def __getstate__(self) -> dict[str, object]:
        # Compiled objects do not travel.
        return {"widths": self.widths, "full": self.full, "counted": self.rows()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.widths, self.full, self.counter = state["widths"], state["full"], None
        rows, counts = state["counted"]
        self.add(np.ascontiguousarray(rows.T), counts)


def most_rows(n_columns: int) -> int:
    """Return how many distinct rows there may be."""
    return min(MOST_ROWS, MOST_BYTES // (2 * n_columns))


def _places(widths: list[int]) -> list[tuple[int, int]]:
    """Return in which word each column is, and from which bit on."""
    found = []
    word = bits = 0
    for width in widths:
        if bits + width > 64:
            word, bits = word + 1, 0
        found.append((word, min(bits, 63)))
        bits += width
    return found
