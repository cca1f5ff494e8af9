"""Distinct rows of discrete columns with their counts: all that tests of tables need to know of rows.

States have the numbers of their first occurrence while rows are counted, and their proper codes afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint16]

#: Distinct rows take so many bytes at most, and are so many at most.
MOST_BYTES, MOST_ROWS = 1 << 27, 1 << 22
# Counted batches wait until they are so many rows.
_WAITING = 1 << 18


@dataclass(eq=False)
class Distinct:
    """Distinct rows so far, in the order in which they first occur, and their counts; ``full`` if they are too many."""

    parts: list[tuple[Codes, NDArray[np.int64]]] = field(default_factory=list)
    held: int = 0
    sorted: int = 0
    full: bool = False

    def add(self, codes: Codes) -> None:
        """Count rows of codes (columns by rows)."""
        if not self.full:
            self._take(*_counted(np.ascontiguousarray(codes.T), np.ones(codes.shape[1], np.int64)))

    def merge(self, other: Distinct) -> None:
        """Add the rows of another part, coded alike."""
        self.full = self.full or other.full
        for rows, counts in other.parts:
            if not self.full:
                self._take(rows, counts)

    def renumbered(self, places: list[NDArray[np.uint16]]) -> Distinct:
        """Return the same with other numbers of states: for each column by its old one, and behind the states that of
        none.
        """  # noqa: D205
        parts = []
        for rows, counts in self.parts:
            own = [place[np.minimum(column, len(place) - 1)] for place, column in zip(places, rows.T, strict=True)]
            parts.append((np.ascontiguousarray(np.array(own).T), counts))
        return Distinct(parts, self.held, self.sorted, self.full)

    def _take(self, rows: Codes, counts: NDArray[np.int64]) -> None:
        self.parts.append((rows, counts))
        self.held += len(rows)
        most = most_rows(rows.shape[1])
        # Merged when they may have doubled, so that every row is sorted a few times only.
        if self.held > max(2 * self.sorted, _WAITING) or self.held > 2 * most:
            self._compact()
            if self.sorted > most:
                self.parts, self.full = [], True

    def _compact(self) -> None:
        rows = np.concatenate([rows for rows, _ in self.parts])
        counts = np.concatenate([counts for _, counts in self.parts])
        self.parts = [_counted(rows, counts)]
        self.held = self.sorted = len(self.parts[0][0])

    def rows(self) -> tuple[Codes, NDArray[np.int64]]:
        """Return the distinct rows and their counts."""
        self._compact()
        if self.sorted > most_rows(self.parts[0][0].shape[1]):
            self.full = True
        return self.parts[0]


def most_rows(n_columns: int) -> int:
    """Return how many distinct rows there may be."""
    return min(MOST_ROWS, MOST_BYTES // (2 * n_columns))


def _counted(rows: Codes, counts: NDArray[np.int64]) -> tuple[Codes, NDArray[np.int64]]:
    """Put equal rows together."""
    keys = _keys(rows)
    order = np.lexsort(keys) if len(keys) > 1 else np.argsort(keys[0], kind="stable")
    begins = np.ones(len(order), np.bool_)
    begins[1:] = False
    for key in keys:
        ordered = key[order]
        begins[1:] |= ordered[1:] != ordered[:-1]
    first = np.flatnonzero(begins)
    total = np.add.reduceat(counts[order], first)
    # In the order in which they first occur, which is the same whatever the order of the columns is.
    occurred = order[first]
    by_place = np.argsort(occurred)
    return rows[occurred[by_place]], total[by_place]


def _keys(rows: Codes) -> list[NDArray[np.uint64]]:
    """Pack the codes of each row into few whole numbers, different for different rows."""
    # A missing cell has the highest code there is, and becomes 0.
    rows = rows + np.uint16(1)
    widths = [int(states).bit_length() for states in rows.max(axis=0).tolist()]
    keys: list[NDArray[np.uint64]] = [np.zeros(len(rows), np.uint64)]
    bits = 0
    for column, width in zip(rows.T, widths, strict=True):
        if bits + width > 64:
            keys.append(np.zeros(len(rows), np.uint64))
            bits = 0
        keys[-1] |= column.astype(np.uint64) << np.uint64(bits)
        bits += width
    return keys
