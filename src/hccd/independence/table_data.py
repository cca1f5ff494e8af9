"""Coded columns as the tests and the score for discrete data take them: with missing cells, and with weights of rows.

Kernels count by whole numbers. Weights that are whole numbers say how often a row is there, and are counted as they
are: the same as a table with that many copies. Others are sampling weights, whose sum is the effective number of rows
(:mod:`hccd.tables.weights`); they are counted in small units, some billionth of the sum: the statistics grow in
proportion to the unit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy

from hccd.errors import InvalidDataError
from hccd.independence.protocol import rows_and_columns
from hccd.tables import column_keys
from hccd.tables.weights import are_counts, row_weights

#: What weights add up to, in units, where one row is not one unit; counts have 31 bits.
MOST_UNITS = 1 << 30
#: Products n log n are tabled up to here; looking for those of more rows in memory takes as long as computing them.
_MOST_TABLED = 1 << 20

#: Rows are repeated up to here where somebody needs that.
_MOST_REPEATED = 1 << 22


class RowCounts(NamedTuple):
    """How often each row counts, in units of ``unit`` rows; no row alone counts more than ``alone``."""

    counts: NDArray[np.int32]
    unit: float
    alone: int


def row_counts(weights: NDArray[np.float64]) -> RowCounts | None:
    """Return weights above 0, scaled as ``row_weights`` does it, as counts; None if all are 1."""
    if (weights == 1.0).all():
        return None
    total = float(weights.sum())
    if are_counts(weights) and total <= MOST_UNITS:
        return RowCounts(weights.astype(np.int32), 1.0, 1)
    counts = np.maximum(np.rint(weights * (MOST_UNITS / total)), 1.0).astype(np.int32)
    return RowCounts(counts, total / float(counts.sum(dtype=np.int64)), int(counts.max()))


class TableData(NamedTuple):
    """Columns as rows of codes, how many states each has, which have gaps (the code behind the last), and counts."""

    codes: NDArray[np.uint16]
    states: NDArray[np.int32]
    gaps: NDArray[np.bool_] | None
    counted: RowCounts | None

    @classmethod
    def of(cls, codes: NDArray[np.uint16], gaps: NDArray[np.bool_] | None, weights: ArrayLike | None) -> TableData:
        """Check the weights, and leave out the rows that have none."""
        own = None if weights is None else row_weights(np.asarray(weights), codes.shape[1], "the weights")
        gaps = None if gaps is None or not np.any(gaps) else np.asarray(gaps, bool)
        states = codes.max(axis=1).astype(np.int32) + 1
        if gaps is not None:
            states -= gaps
        if own is not None and own.kept is not None:
            codes, states, gaps = _recoded(codes[:, own.kept], states, gaps)
        codes = np.ascontiguousarray(codes)
        codes.flags.writeable = False
        return cls(codes, states, gaps, None if own is None else row_counts(own.weights))

    @property
    def n_samples(self) -> float:
        """How many rows there are, as far as counts go."""
        if self.counted is None:
            return int(self.codes.shape[1])
        total = int(self.counted.counts.sum(dtype=np.int64))
        return total if self.counted.unit == 1.0 else total * self.counted.unit

    def for_kernels(self) -> tuple[Any, ...]:
        """Return what the kernels' ``CodedColumns`` are made of."""
        counts, unit, alone = (None, 1.0, 1) if self.counted is None else self.counted
        tabled = self.codes.shape[1] if counts is None else min(int(counts.sum(dtype=np.int64)), _MOST_TABLED)
        numbers = np.arange(tabled + 1, dtype=np.float64)
        return self.codes, self.states, xlogy(numbers, numbers), self.gaps, counts, unit, alone

    def repeated(self) -> tuple[NDArray[np.uint16], NDArray[np.int32]]:
        """Return codes and states for those who count every row once, and know no gaps.

        A missing cell is one more state. Rows are there as often as they count, to a whole number, and some millions
        at most.
        """
        states = self.states if self.gaps is None else self.states + self.gaps
        if self.counted is None:
            return self.codes, states
        times = np.rint(self.counted.counts * (self.counted.unit * min(1.0, _MOST_REPEATED / self.n_samples)))
        return np.repeat(self.codes, times.astype(np.int64), axis=1), states

    def reordered(self, order: NDArray[np.int64]) -> TableData:
        """Permute the columns."""
        codes = np.ascontiguousarray(self.codes[order])
        codes.flags.writeable = False
        return TableData(codes, self.states[order], None if self.gaps is None else self.gaps[order], self.counted)

    def reweighted(self, weights: NDArray[np.float64]) -> TableData:
        """Return the same rows with other weights, 0 for those that are left out; states stay, drawn or not.

        Rows that add up to no more than there are stand there repeatedly: bits count them faster than weights.
        """
        kept = np.flatnonzero(weights)
        own = weights[kept]
        if self.counted is None and are_counts(own) and own.sum() <= self.codes.shape[1]:
            kept, counted = np.repeat(kept, own.astype(np.int64)), None
        else:
            counted = row_counts(own)
        codes = np.take(self.codes, kept, axis=1)
        codes.flags.writeable = False
        return TableData(codes, self.states, self.gaps, counted)

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return what decides the answers; of clean columns the codes alone."""
        more = () if self.gaps is None else (self.states,)
        return (self.codes, *more) + (
            () if self.counted is None else (self.counted.counts, np.array(self.counted.unit))
        )

    def pair_rows(self) -> NDArray[np.float64] | float:
        """Return in how many rows each pair is known."""
        if self.gaps is None:
            return self.n_samples
        known = (self.codes < self.states[:, None]).astype(np.float64)
        return np.asarray(
            (known if self.counted is None else known * self.counted.counts * self.counted.unit) @ known.T
        )


def _recoded(
    codes: NDArray[np.uint16], states: NDArray[np.int32], gaps: NDArray[np.bool_] | None
) -> tuple[NDArray[np.uint16], NDArray[np.int32], NDArray[np.bool_] | None]:
    """Leave out states that do not occur any more."""
    own, left, holes = np.empty_like(codes), np.empty_like(states), np.zeros(len(codes), bool)
    for i, column in enumerate(codes):
        occurs = np.bincount(column, minlength=states[i] + 1) > 0
        holes[i] = occurs[states[i]]
        left[i] = np.count_nonzero(occurs[: states[i]])
        own[i] = (np.cumsum(occurs) - 1)[column]
    return own, left, holes if gaps is not None and holes.any() else None


def coded(data: ArrayLike) -> tuple[NDArray[np.uint16], list[bytes], NDArray[np.bool_] | None]:
    """Return columns of whole numbers as rows of codes, their digests, and which have missing cells if any has."""
    codes, gaps = recode(data)
    return codes, column_keys(codes.T), gaps


def recode(data: ArrayLike) -> tuple[NDArray[np.uint16], NDArray[np.bool_] | None]:
    """Return columns as rows of codes 0 .. states - 1, in the order of their values, states that occur only.

    A missing cell (nan) gets the code behind them, and its column is marked.
    """
    values = rows_and_columns(data)
    missing = np.isnan(values) if np.issubdtype(values.dtype, np.floating) else None
    if not (np.issubdtype(values.dtype, np.integer) or values.dtype == np.bool_):
        whole = missing is not None and bool(np.all(missing | (np.isfinite(values) & (values == np.floor(values)))))
        if not whole:
            raise InvalidDataError(
                "a test for discrete data needs whole numbers as states: code the states, or use fisher-z"
            )
    gaps = missing.any(axis=0) if missing is not None and missing.any() else None
    codes = np.empty(values.shape[::-1], np.uint16)
    for i, column in enumerate(values.T):
        low, high = (int(column.min()), int(column.max())) if len(column) and values.dtype.kind in "iu" else (0, 0)
        if values.dtype.kind in "iu" and high - low <= max(255, len(column)):
            # A narrow range, as codes have: counting is quicker than sorting.
            place = column if low == 0 else column.astype(np.int64) - low
            occurs = np.bincount(place) > 0
            n_states = int(np.count_nonzero(occurs))
            inverse = place if n_states == len(occurs) else (np.cumsum(occurs) - 1)[place]
        else:
            # All nan are one value, behind all others.
            states, inverse = np.unique(column, return_inverse=True)
            n_states = len(states)
        if n_states > np.iinfo(np.uint16).max:
            raise InvalidDataError(f"column {i} has {n_states} states; at most 65,535 can be used")
        codes[i] = inverse
    return codes, gaps
