"""A sample of rows, to look at: chosen by the numbers of the rows and nothing else.

Stretches of ``STRETCH`` rows are drawn, so that it shows whether rows resemble the row before. Each stretch has a
number that looks random, made of its place; those with the smallest numbers are the sample. So it does not depend on how
the rows were divided into batches, and samples of two parts of the rows merge into that of both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

STRETCH = 64
#: So many rows at most are in the sample.
MOST_ROWS = 1 << 16

_MASK = (1 << 64) - 1


def scattered(places: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers that look random, the same for the same places (splitmix64)."""
    with np.errstate(over="ignore"):
        mixed = places * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(mixed ^ (mixed >> np.uint64(31)))


@dataclass(eq=False)
class Sample:
    """The stretches with the smallest numbers so far: number and place of each, and its rows."""

    most: int = MOST_ROWS // STRETCH
    held: dict[tuple[int, int], list[Any]] = field(default_factory=dict)
    limit: int = _MASK

    def take(self, start: int, batch: Any) -> None:
        """Take what belongs to the sample of a batch of rows, of which the first has the number ``start``."""
        first, last = start // STRETCH, (start + batch.num_rows - 1) // STRETCH
        places = np.arange(first, last + 1, dtype=np.uint64)
        numbers = scattered(places)
        for at in np.flatnonzero(numbers <= np.uint64(self.limit)).tolist():
            place = first + at
            begin, end = max(place * STRETCH, start), min((place + 1) * STRETCH, start + batch.num_rows)
            rows = batch.slice(begin - start, end - begin)
            # A slice would keep its whole batch in memory.
            self.held.setdefault((int(numbers[at]), place), []).append((begin, rows.take(list(range(len(rows))))))
        if len(self.held) > 2 * self.most:
            self._thin()

    def merge(self, other: Sample) -> None:
        """Take the stretches of another part of the rows."""
        for key, rows in other.held.items():
            self.held.setdefault(key, []).extend(rows)
        self._thin()

    def _thin(self) -> None:
        kept = sorted(self.held)[: self.most]
        self.held = {key: self.held[key] for key in kept}
        self.limit = kept[-1][0] if len(kept) == self.most else _MASK

    def rows(self) -> tuple[Any, NDArray[np.int64]]:
        """Return the sample as a table of Arrow, in the order of the rows, and the numbers of these."""
        import pyarrow as pa

        self._thin()
        parts = sorted((part for stretch in self.held.values() for part in stretch), key=lambda part: part[0])
        numbers = [np.arange(begin, begin + rows.num_rows) for begin, rows in parts]
        table = pa.Table.from_batches([rows for _, rows in parts]).unify_dictionaries().combine_chunks()
        return table, np.concatenate(numbers)
