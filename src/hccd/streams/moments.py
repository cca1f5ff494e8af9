"""Means and co-moments of columns, added up chunk by chunk: all that tests by correlations need to know of rows.

A chunk is centred at its own mean before its products are summed, and chunks are merged by the formula of Chan, Golub
and LeVeque (1983). Means are told from an origin among the values. So a mean that is large beside the deviation costs
no digits. Chunks go round the blocks, one after
the other, and a resample draws blocks: rows that stand together are drawn together.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Rows of a chunk.
CHUNK = 1 << 11
#: So many blocks are kept, if their co-moments take no more bytes than this; of fewer than the second, none.
MOST_BLOCKS, FEWEST_BLOCKS = 100, 20
MOST_BYTES = 1 << 27


def one_thread() -> AbstractContextManager[object]:
    """Keep BLAS to one thread during a pass: chunks are small, and their sums have the same bits everywhere."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1, "blas")  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class Moments:
    """So many rows, their means from an origin, and the sums of products of deviations from these."""

    n: float
    origin: Floats
    mean: Floats
    products: Floats

    @classmethod
    def none(cls, n_columns: int) -> Moments:
        """Return those of no rows."""
        return cls(0.0, np.zeros(n_columns), np.zeros(n_columns), np.zeros((n_columns, n_columns)))

    @classmethod
    def of(cls, values: Floats, origin: Floats) -> Moments:
        """Return those of the rows (along the second axis) that miss nothing."""
        values = values - origin[:, None]
        mean = values.mean(axis=1)
        if np.isnan(mean).any():
            values = values[:, ~np.isnan(values).any(axis=0)]
            if not values.shape[1]:
                return cls.none(len(mean))
            mean = values.mean(axis=1)
        values -= mean[:, None]
        return cls(float(values.shape[1]), origin, mean, values @ values.T)

    def merge(self, other: Moments) -> Moments:
        """Return those of both."""
        if not self.n or not other.n:
            return self if self.n else other
        n = self.n + other.n
        apart = other.mean - self.mean
        if other.origin is not self.origin:
            apart += other.origin - self.origin
        products = self.products + other.products
        products += np.outer(apart, apart * (self.n * other.n / n))
        return Moments(n, self.origin, self.mean + apart * (other.n / n), products)

    def times(self, weight: float) -> Moments:
        """Return those of rows that are there so often."""
        return replace(self, n=self.n * weight, products=self.products * weight)

    def correlation(self) -> Floats:
        """Return the correlations; a constant column has correlation 0 with all."""
        deviation = np.sqrt(np.diag(self.products))
        # What remains of a constant is rounding.
        varies = deviation > 1e-14 * np.abs(self.origin + self.mean) * np.sqrt(max(self.n, 1.0))
        deviation = np.where(varies, deviation, np.inf)
        matrix = self.products / deviation[:, None] / deviation
        matrix = (matrix + matrix.T) / 2.0
        np.clip(matrix, -1.0, 1.0, out=matrix)
        np.fill_diagonal(matrix, 1.0)
        return np.asarray(matrix)


@dataclass(eq=False)
class BlockMoments:
    """Moments by blocks of rows; a single block where there is no room for more."""

    blocks: list[Moments]
    chunks: int = 0
    origin: Floats | None = None

    @classmethod
    def none(cls, n_columns: int) -> BlockMoments:
        """Return those of no rows, in as many blocks as there is room for."""
        n_blocks = min(MOST_BLOCKS, MOST_BYTES // (8 * n_columns * n_columns + 1))
        return cls([Moments.none(n_columns)] * (n_blocks if n_blocks >= FEWEST_BLOCKS else 1))

    def add(self, values: Floats) -> None:
        """Add rows-as-columns that begin with a whole chunk; only the last ones may end within one."""
        if self.origin is None:
            # Any value of the column will do, if it is not far from the others beside their deviation.
            first = np.argmax(~np.isnan(values), axis=1)
            self.origin = np.nan_to_num(values[np.arange(len(values)), first])
        # Infinite numbers are refused when all rows have been looked at.
        with np.errstate(invalid="ignore", over="ignore"):
            for start in range(0, values.shape[1], CHUNK):
                chunk = values[:, start : start + CHUNK]
                which = self.chunks % len(self.blocks)
                self.blocks[which] = self.blocks[which].merge(Moments.of(chunk, self.origin))
                self.chunks += 1

    def merge(self, other: BlockMoments) -> BlockMoments:
        """Return those of two parts of the rows, block by block."""
        both = zip(self.blocks, other.blocks, strict=True)
        return BlockMoments([a.merge(b) for a, b in both], self.chunks + other.chunks, self.origin)

    def drawn(self) -> list[Moments] | None:
        """Return the blocks that resamples can be drawn of; None if there are too few."""
        held = [block for block in self.blocks if block.n]
        return held if len(held) >= FEWEST_BLOCKS else None

    def all(self) -> Moments:
        """Return the moments of all rows."""
        return total(self.blocks)


def total(blocks: list[Moments]) -> Moments:
    """Merge moments in their order, in pairs: errors of rounding grow with the depth alone."""
    while len(blocks) > 1:
        pairs = zip(blocks[::2], blocks[1::2], strict=False)
        blocks = [a.merge(b) for a, b in pairs] + ([blocks[-1]] if len(blocks) % 2 else [])
    return blocks[0]
