"""A sample of rows, to look at: chosen by the numbers of the rows and nothing else.

Stretches of ``STRETCH`` rows are drawn, so that it shows whether rows resemble the row before. Each stretch has a
number that looks random, made of its place; those with the smallest numbers are the sample. So it does not depend on
how the rows were divided into batches, and samples of two parts of the rows merge into that of both.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.streams.source import table_of

STRETCH = 64
#: So many rows are in the sample at most; of many columns fewer, so that there are about so many cells.
MOST_ROWS, FEWEST_ROWS, CELLS = 1 << 16, 1 << 12, 1 << 22

_LARGEST = np.uint64((1 << 64) - 1)


def scattered(places: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers that look random, the same for the same places (splitmix64)."""
    with np.errstate(over="ignore"):
        mixed = places * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(mixed ^ (mixed >> np.uint64(31)))


@dataclass(eq=False)
class Sample:
    """The rows of the stretches with the smallest numbers so far, in parts: rows, their places, and these numbers."""

    most: int = MOST_ROWS // STRETCH
    parts: list[tuple[Any, NDArray[np.int64], NDArray[np.uint64]]] = field(default_factory=list)
    held: int = 0
    limit: np.uint64 = _LARGEST

    @classmethod
    def of(cls, n_columns: int, n_rows: int | None = None) -> Sample:
        """Return a sample of no rows yet, of so many columns; of which rows is clear if their number is known."""
        own = cls(min(MOST_ROWS, max(FEWEST_ROWS, CELLS // max(n_columns, 1))) // STRETCH)
        smallest = np.zeros(0, np.uint64)
        for start in range(0, -(-(n_rows or 0) // STRETCH), MOST_ROWS):
            places = np.arange(start, min(start + MOST_ROWS, -(-(n_rows or 0) // STRETCH)), dtype=np.uint64)
            smallest = np.sort(np.concatenate([smallest, scattered(places)]))[: own.most]
        return replace(own, limit=smallest[-1]) if len(smallest) == own.most else own

    def further(self) -> Sample:
        """Return a sample of no rows, for other ones, which leaves out what cannot belong to that of all."""
        return Sample(self.most, limit=self.limit)

    def take(self, start: int, batch: Any) -> None:
        """Take what belongs to the sample of a batch of rows, of which the first has the place ``start``."""
        first, last = start // STRETCH, (start + batch.num_rows - 1) // STRETCH
        numbers = scattered(np.arange(first, last + 1, dtype=np.uint64))
        small = np.flatnonzero(numbers <= self.limit)
        rows = ((first + small)[:, None] * STRETCH + np.arange(STRETCH)).ravel() - start
        there = (rows >= 0) & (rows < batch.num_rows)
        rows = rows[there]
        if len(rows):
            # A slice would keep its whole batch in memory.
            self.parts.append((batch.take(rows), rows + start, np.repeat(numbers[small], STRETCH)[there]))
            self.held += len(rows)
        if self.held > 2 * self.most * STRETCH:
            self._thin()

    def merge(self, other: Sample) -> None:
        """Take the rows of another part."""
        self.parts += other.parts
        self.held += other.held
        self.limit = min(self.limit, other.limit)
        if self.held > 2 * self.most * STRETCH:
            self._thin()

    def _thin(self) -> None:
        """Leave out the stretches that are too many."""
        stretches = np.unique(np.concatenate([numbers for _, _, numbers in self.parts]))
        if len(stretches) <= self.most:
            return
        self.limit = stretches[self.most - 1]
        kept = [(each, np.flatnonzero(each[2] <= self.limit)) for each in self.parts]
        self.parts = [(rows.take(own), places[own], numbers[own]) for (rows, places, numbers), own in kept if len(own)]
        self.held = sum(len(places) for _, places, _ in self.parts)

    def rows(self) -> tuple[Any, NDArray[np.int64]]:
        """Return the sample as a table of Arrow, in the order of the rows, and their places."""
        self._thin()
        table = table_of([batch for batch, _, _ in self.parts]).unify_dictionaries().combine_chunks()
        places = np.concatenate([places for _, places, _ in self.parts])
        order = np.argsort(places)
        return table.take(order), places[order]
