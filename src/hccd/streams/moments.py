"""Means and co-moments of columns, added up chunk by chunk: all that tests by correlations need to know of rows.

Values are told from an origin among the first ones, and the products of a chunk from its own mean. Chunks are merged by
the formula of Chan, Golub and LeVeque (1983). So a mean that is large beside the deviation costs no digits.

Chunks go round the blocks, one after the other, and a resample draws blocks: rows that stand together are drawn
together. Far on in the rows, runs of 2, 4, 8 chunks take turns, so that few runs describe a part of the rows. Which
chunks form a run, and in which order they are merged, follows from their places alone. So parts of the rows that were
added up apart merge into the same bits as all of them in one go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Rows of a chunk, and how many of its columns are converted at once: more would leave the cache of a core.
CHUNK, AT_ONCE = 1 << 11, 1 << 9
#: So many blocks are kept, if their co-moments take no more bytes than this; of fewer than the second, none.
MOST_BLOCKS, FEWEST_BLOCKS = 100, 20
MOST_BYTES = 1 << 27
#: Of runs of each length, a block gets so many; of single chunks, twice as many.
TURNS = 4
# A chunk whose mean is so many deviations from the origin is told from its own mean.
_FAR = 8.0


@dataclass(frozen=True, eq=False)
class Moments:
    """So many rows, their means from an origin, and the sums of products of deviations from these.

    The matrix of these sums is symmetric to the last bit.
    """

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
        return cls.of_chunks(_with_ones(values - origin[:, None])[None], origin)[0]

    @classmethod
    def of_chunks(cls, apart: Floats, origin: Floats) -> list[Moments]:
        """Return those of several chunks, given as deviations from an origin.

        Below the columns of a chunk stands a row of ones: products with it are sums.
        """
        n = float(apart.shape[2])
        products = apart @ apart.transpose(0, 2, 1)
        mean = products[:, -1, :-1] / n
        products = products[:, :-1, :-1] - mean[:, :, None] * mean[:, None, :] * n
        # Where a row is incomplete, or large sums are close to each other, so that their difference has lost digits.
        gaps = np.isnan(mean).any(axis=1)
        far = (mean * mean > _FAR * _FAR / n * products.diagonal(axis1=1, axis2=2)).any(axis=1)
        once_more = np.asarray(gaps | far).tolist()
        return [
            cls._of_complete(apart[i, :-1], origin) if again else cls(n, origin, mean[i], products[i])
            for i, again in enumerate(once_more)
        ]

    @classmethod
    def _of_complete(cls, apart: Floats, origin: Floats) -> Moments:
        """Return those of the complete rows, told from their own mean."""
        apart = apart[:, ~np.isnan(apart).any(axis=0)]
        if not apart.shape[1]:
            return cls.none(len(apart))
        mean = apart.mean(axis=1)
        apart = apart - mean[:, None]
        return cls(float(apart.shape[1]), origin, mean, apart @ apart.T)

    def merge(self, other: Moments) -> Moments:
        """Return those of both."""
        if not self.n or not other.n:
            return self if self.n else other
        n = self.n + other.n
        apart = other.mean - self.mean
        if other.origin is not self.origin:
            apart += other.origin - self.origin
        products = self.products + other.products
        products += np.outer(apart, apart) * (self.n * other.n / n)
        return Moments(n, self.origin, self.mean + apart * (other.n / n), products)

    def __reduce__(self) -> tuple[Any, ...]:
        # Half of a symmetric matrix.
        upper = self.products[np.triu_indices(len(self.mean))]
        return _from_half, (self.n, self.origin, self.mean, upper)

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


@dataclass(frozen=True, eq=False)
class Run:
    """Chunks that follow each other: the place of the first one, how many, and their moments."""

    first: int
    chunks: int
    moments: Moments


@dataclass(eq=False)
class BlockMoments:
    """Moments by blocks of rows; a single block where there is no room for more.

    ``runs`` are those of the latest chunks that have not gone into the blocks; in a ``part`` of the rows, all.
    """

    origin: Floats
    blocks: list[Moments]
    part: bool = False
    runs: list[Run] = field(default_factory=list)

    @classmethod
    def none(cls, head: Floats) -> BlockMoments:
        """Return those of no rows; ``head`` are the first ones, as columns."""
        # Any value of the column will do, if it is not far from the others beside their deviation.
        first = np.argmax(~np.isnan(head), axis=1)
        origin = np.nan_to_num(head[np.arange(len(head)), first].astype(np.float64))
        n_blocks = min(MOST_BLOCKS, MOST_BYTES // (8 * len(head) * len(head) + 1))
        return cls(origin, [Moments.none(len(head))] * (n_blocks if n_blocks >= FEWEST_BLOCKS else 1))

    def further(self) -> BlockMoments:
        """Return those of no rows, for a part of them."""
        return BlockMoments(self.origin, [Moments.none(len(self.origin))] * len(self.blocks), part=True)

    def add(self, start: int, columns: Sequence[NDArray[Any]]) -> None:
        """Add rows from ``start`` on, as columns of numbers; whole chunks, but for the last ones of all."""
        place = start // CHUNK
        # Infinite numbers are refused when all rows have been looked at.
        with np.errstate(invalid="ignore", over="ignore"):
            for apart in self._chunks(columns):
                for moments in Moments.of_chunks(apart, self.origin):
                    self._take(Run(place, 1, moments))
                    place += 1

    def _chunks(self, columns: Sequence[NDArray[Any]]) -> Iterator[Floats]:
        """Yield a few chunks at a time as deviations from the origin; the next ones take their place."""
        n_rows = len(columns[0])
        several = np.ones((max(1, AT_ONCE // (len(columns) + 1)), len(columns) + 1, CHUNK))
        start = 0
        while start < n_rows:
            whole = min(len(several), (n_rows - start) // CHUNK)
            apart = several[:whole] if whole else np.ones((1, len(columns) + 1, n_rows - start))
            end = start + apart.shape[0] * apart.shape[2]
            for i, column in enumerate(columns):
                np.subtract(column[start:end].reshape(len(apart), -1), self.origin[i], out=apart[:, i])
            yield apart
            start = end

    def merge(self, later: BlockMoments) -> None:
        """Add those of the rows that follow."""
        for run in later.runs:
            self._take(run)

    def _take(self, run: Run) -> None:
        """Take the next run: put halves together, and what is a whole turn into its block."""
        self.runs.append(run)
        while len(self.runs) > 1 and self.runs[-2].chunks == self.runs[-1].chunks:
            one, two = self.runs[-2:]
            if one.first % (2 * one.chunks) or one.chunks == self._turn(one.first):
                break
            self.runs[-2:] = [Run(one.first, 2 * one.chunks, one.moments.merge(two.moments))]
        while not self.part and self.runs and self.runs[0].chunks == self._turn(self.runs[0].first):
            self._put(self.blocks, self.runs.pop(0))

    def _turn(self, chunk: int) -> int:
        """Return how many chunks form a run at this place."""
        return 1 << (max(chunk // (TURNS * len(self.blocks)), 1).bit_length() - 1)

    def _put(self, blocks: list[Moments], run: Run) -> None:
        """Put a run, or the beginning of one, into its block."""
        which = run.first // self._turn(run.first) % len(blocks)
        blocks[which] = blocks[which].merge(run.moments)

    def held(self) -> list[Moments]:
        """Return the blocks that hold rows, the latest ones included."""
        blocks = list(self.blocks)
        for run in self.runs:
            self._put(blocks, run)
        return [block for block in blocks if block.n]

    def drawn(self) -> list[Moments] | None:
        """Return the blocks that resamples can be drawn of; None if there are too few."""
        held = self.held()
        return held if len(held) >= FEWEST_BLOCKS else None

    def all(self) -> Moments:
        """Return the moments of all rows."""
        return total(self.held() or self.blocks[:1])


def _from_half(n: float, origin: Floats, mean: Floats, upper: Floats) -> Moments:
    products = np.empty((len(mean), len(mean)))
    rows, columns = np.triu_indices(len(mean))
    products[rows, columns] = products[columns, rows] = upper
    return Moments(n, origin, mean, products)


def _with_ones(apart: Floats) -> Floats:
    return np.append(apart, np.ones((1, apart.shape[1])), axis=0)


def total(blocks: list[Moments]) -> Moments:
    """Merge moments in their order, in pairs: errors of rounding grow with the depth alone."""
    while len(blocks) > 1:
        pairs = zip(blocks[::2], blocks[1::2], strict=False)
        blocks = [a.merge(b) for a, b in pairs] + ([blocks[-1]] if len(blocks) % 2 else [])
    return blocks[0]
