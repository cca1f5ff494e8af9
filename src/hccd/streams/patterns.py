"""Means and co-moments of the rows of each pattern of missing cells: all that EM needs to know of rows.

EM itself takes rows (``independence/em.py``). So each pattern is written as a few weighted ones that have its number of
rows, its means and its co-moments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hccd.independence.with_gaps import MOST_PATTERNS
from hccd.streams.moments import CHUNK, FEWEST_BLOCKS, MOST_BLOCKS, MOST_BYTES, Moments, total

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Patterns:
    """The moments of the rows of each pattern, by the columns that are observed; all have one origin."""

    moments: Mapping[bytes, Moments]
    origin: Floats

    @property
    def n(self) -> float:
        """How many rows there are."""
        return sum(each.n for each in self.moments.values())

    @classmethod
    def of(cls, values: Floats, origin: Floats) -> Patterns:
        """Return those of rows, which go along the second axis."""
        observed = ~np.isnan(values)
        gapped = np.flatnonzero(~observed.all(axis=1))
        # Rows of one pattern have the same bits of the columns with gaps.
        bits = np.packbits(observed[gapped], axis=0)
        bits = np.vstack([bits, np.zeros((-len(bits) % 8, bits.shape[1]), np.uint8)])
        words = np.ascontiguousarray(bits.T).view(np.uint64)
        order = np.lexsort(words.T) if len(gapped) else np.arange(values.shape[1])
        ends = np.flatnonzero((words[order[1:]] != words[order[:-1]]).any(axis=1)) + 1
        found = {}
        for rows in np.split(order, ends):
            there = np.flatnonzero(observed[:, rows[0]])
            own = values if len(rows) == values.shape[1] and len(there) == len(values) else values[np.ix_(there, rows)]
            pattern = np.packbits(observed[:, rows[0]]).tobytes()
            found[pattern] = (
                Moments.of(own, origin[there]) if len(there) else replace(Moments.none(0), n=float(len(rows)))
            )
        return cls(found, origin)

    def merge(self, other: Patterns) -> Patterns:
        """Return those of both."""
        if not self.moments or not other.moments:
            return self if self.moments else other
        both = dict(self.moments)
        for pattern, own in other.moments.items():
            both[pattern] = both[pattern].merge(own) if pattern in both else own
        return Patterns(both, other.origin)

    def times(self, weight: float) -> Patterns:
        """Return those of rows that are there so often."""
        return Patterns({pattern: own.times(weight) for pattern, own in self.moments.items()}, self.origin)

    def rows(self) -> tuple[Floats, Floats]:
        """Return rows of these moments, along the second axis, told from the origin; and their weights."""
        n_columns = len(self.origin)
        rows, weights = [], []
        for pattern, own in sorted(self.moments.items()):
            deviation = np.sqrt(np.diag(own.products) / own.n)
            # What remains of a constant is rounding.
            varies = deviation > 1e-14 * np.abs(own.origin + own.mean)
            shrunk = np.divide(1.0, deviation, out=np.zeros_like(deviation), where=varies)
            values, vectors = np.linalg.eigh(own.products / own.n * np.outer(shrunk, shrunk))
            held = values > 0.0
            spread = vectors[:, held] * np.sqrt(values[held]) * np.where(varies, deviation, 0.0)[:, None]
            width = int(held.sum())
            made = np.full((n_columns, max(2 * width, 1)), np.nan)
            apart = np.sqrt(width) * np.hstack([spread, -spread]) if width else np.zeros((len(varies), 1))
            made[_columns(pattern, n_columns)] = own.mean[:, None] + apart
            rows.append(made)
            weights.append(np.full(made.shape[1], own.n / made.shape[1]))
        return np.hstack(rows), np.concatenate(weights)


class PatternMoments:
    """Patterns by blocks of rows, of which resamples are drawn; ``full`` if there are too many patterns."""

    def __init__(self) -> None:
        self.blocks = [Patterns({}, np.zeros(0))] * MOST_BLOCKS
        self.chunks = 0
        self.origin: Floats | None = None
        self.full = False

    def add(self, values: Floats) -> None:
        """Add rows-as-columns that begin with a whole chunk; only the last ones may end within one."""
        if self.origin is None:
            first = np.argmax(~np.isnan(values), axis=1)
            self.origin = np.nan_to_num(values[np.arange(len(values)), first])
        for start in range(0, values.shape[1], CHUNK):
            if self.full:
                return
            which = self.chunks % len(self.blocks)
            held = len(self.blocks[which].moments)
            own = Patterns.of(values[:, start : start + CHUNK], self.origin)
            self.blocks[which] = self.blocks[which].merge(own)
            self.chunks += 1
            if len(self.blocks[which].moments) > held:
                self._fit()

    def _fit(self) -> None:
        """Keep fewer blocks where there is no room for more."""
        while self._bytes() > MOST_BYTES // 2 and len(self.blocks) > 1:
            half = len(self.blocks) // 2
            if half < FEWEST_BLOCKS or len(self.blocks) % 2:
                self.blocks = [total(list(self.blocks))]  # type: ignore[list-item, arg-type]
            else:
                self.blocks = [a.merge(b) for a, b in zip(self.blocks[:half], self.blocks[half:], strict=True)]
        patterns = {pattern for block in self.blocks for pattern in block.moments}
        if self._bytes() > MOST_BYTES // 2 or len(patterns) > MOST_PATTERNS:
            self.blocks, self.full = [], True

    def _bytes(self) -> int:
        return sum(own.products.nbytes for block in self.blocks for own in block.moments.values())

    def drawn(self) -> list[Patterns] | None:
        """Return the blocks that resamples can be drawn of; None if there are too few."""
        held = [block for block in self.blocks if block.n]
        return held if len(held) >= FEWEST_BLOCKS else None

    def all(self) -> Patterns:
        """Return the moments of all rows."""
        return total(list(self.blocks))  # type: ignore[return-value, arg-type]


def _columns(pattern: bytes, n_columns: int) -> NDArray[np.bool_]:
    """Return which columns are observed."""
    return np.unpackbits(np.frombuffer(pattern, np.uint8), count=n_columns).astype(np.bool_)
