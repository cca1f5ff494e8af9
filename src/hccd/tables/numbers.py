"""Columns of numbers of one type, side by side: looked at and coded all at once.

A block holds ``bool``, ``int64`` (``uint64`` where needed) or ``float64``, each column contiguous in memory. One pass
finds the smallest and the largest number of every column, and with them whether all are finite; a second one, for
whole numbers of a small range only, gives every state its code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.tables.columns import code_whole
from hccd.tables.columns import Array
from hccd.tables.texts import Text

MOST_STATES_GUESSED = 20
"""More distinct whole numbers than this are not taken for the states of a discrete variable."""

# Beyond this many possible values sorting is cheaper than a table of them all.
_DIRECT_CODING_RANGE = 1 << 17
# Up to this range, or up to the number of rows, coding costs no more than copying, and is done at once.
_NARROW = 1 << 10


@dataclass(frozen=True, eq=False)
class Numbers:
    """Columns of one type.

    Attributes
    ----------
    positions
        Where the columns stand in the table.
    values
        Columns by rows; read-only, C order.
    low, high
        The smallest and the largest number of each column; one is not finite where some number is not.
    gaps
        Which columns miss some numbers, which are NaN: all of a block, or none.
    """

    positions: NDArray[np.intp]
    values: Array
    low: Array
    high: Array
    gaps: NDArray[np.bool_]

    @classmethod
    def blocks(cls, positions: NDArray[np.intp], columns: Array | Sequence[Array]) -> list[Numbers]:
        """Copy real numbers of any type, columns by rows, into normal form.

        Unsigned numbers that ``int64`` cannot hold make a block of their own, and so do columns with missing numbers.
        """
        raw = np.asarray(columns)
        if raw.dtype.kind == "f":
            with np.errstate(over="ignore"):
                # Adding zero turns -0.0 into 0.0: equal numbers must have equal bytes.
                values = np.add(raw, 0.0, out=np.empty(raw.shape), dtype=np.float64, casting="same_kind")
            block = cls._of(positions, values)
            if not block.gaps.any() or block.gaps.all():
                return [block]
            return [cls._of(positions[part], values[part]) for part in (~block.gaps, block.gaps)]
        if raw.dtype.kind == "b":
            return [cls._of(positions, np.array(raw, dtype=np.bool_, order="C"))]
        if raw.dtype.kind == "u" and raw.dtype.itemsize == 8:
            beyond = raw.max(axis=1) > np.iinfo(np.int64).max
            parts = [(~beyond, np.int64), (beyond, np.uint64)]
            return [cls._of(positions[part], raw[part].astype(dtype)) for part, dtype in parts if part.any()]
        return [cls._of(positions, np.array(raw, dtype=np.int64, order="C"))]

    @classmethod
    def _of(cls, positions: NDArray[np.intp], values: Array) -> Numbers:
        with np.errstate(invalid="ignore"):
            low, high = values.min(axis=1), values.max(axis=1)
        gaps = np.isnan(low) if values.dtype.kind == "f" else np.zeros(len(low), np.bool_)
        if gaps.any():
            # NaN has many bytes, and equal columns must have equal ones.
            values[np.isnan(values)] = np.nan
            low[gaps], high[gaps] = np.fmin.reduce(values[gaps], axis=1), np.fmax.reduce(values[gaps], axis=1)
        values.flags.writeable = False
        return cls(positions, values, low, high, gaps)

    def part(self, place: Mapping[int, int]) -> Numbers:
        """Return those columns that have a place in another table, there."""
        kept = [i for i, position in enumerate(self.positions.tolist()) if position in place]
        positions = np.array([place[position] for position in self.positions[kept].tolist()], dtype=np.intp)
        values = self.values[kept]
        values.flags.writeable = False
        return Numbers(positions, values, self.low[kept], self.high[kept], self.gaps[kept])

    @property
    def finite(self) -> NDArray[np.bool_]:
        """Which columns hold numbers, and no infinite ones."""
        return np.isfinite(self.low) & np.isfinite(self.high)

    @cached_property
    def observed(self) -> Array:
        """The values, the smallest one in place of those that miss: as many different ones as there are."""
        if not self.gaps.any():
            return self.values
        return np.where(np.isnan(self.values), self.low[:, None], self.values)

    @cached_property
    def n_observed(self) -> NDArray[np.int64]:
        """How many numbers each column has."""
        if not self.gaps.any():
            return np.full(len(self.values), self.values.shape[1])
        return np.asarray(self.values.shape[1] - np.isnan(self.values).sum(axis=1))

    @cached_property
    def whole(self) -> NDArray[np.bool_]:
        """Which columns hold whole numbers only."""
        if self.values.dtype.kind != "f":
            return np.ones(len(self.values), dtype=np.bool_)
        # Most measured columns show a fraction in their first cells.
        values = self.observed
        whole = _whole(values[:, :8])
        if whole.any():
            whole[whole] = _whole(values if whole.all() else values[whole])
        return whole

    @cached_property
    def _width(self) -> NDArray[np.int64]:
        """How many whole numbers there are from the lowest to the highest; 0 for fractions and large ranges."""
        width = np.zeros(len(self.values), dtype=np.int64)
        with np.errstate(over="ignore"):
            if self.values.dtype.kind == "f":
                # Exact where it is small: both ends are multiples of the same power of two.
                span = self.high - self.low
            else:
                # The difference of unsigned numbers is right where that of signed ones overflows.
                span = self.high.astype(np.uint64) - self.low.astype(np.uint64)
        small = self.whole & (span < _DIRECT_CODING_RANGE)
        width[small] = span[small].astype(np.int64) + 1
        return width

    @cached_property
    def _narrow(self) -> tuple[NDArray[np.intp], NDArray[np.uint16], NDArray[np.int64]]:
        """The columns that are cheap to code, their codes and their numbers of states."""
        width = self._width
        which = np.flatnonzero((width > 0) & (width <= max(_NARROW, self.values.shape[1])))
        return (which, *self._coded(which))

    @cached_property
    def _states(self) -> NDArray[np.int64]:
        """Number of states of the narrow columns, -1 of the others."""
        states = np.full(len(self.values), -1)
        which, _, counted = self._narrow
        states[which] = counted
        return states

    def _coded(self, which: NDArray[np.intp]) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Code columns of small ranges by counting."""
        values, low = self.observed, self.low
        if len(which) < len(values):
            values, low = values[which], low[which]
        if values.dtype != np.int64:
            low = low.astype(np.uint8) if values.dtype == np.bool_ else low
            values = (values.view(low.dtype) - low[:, None]).astype(np.int64)
            low = np.zeros(len(values), dtype=np.int64)
        codes = np.empty(values.shape, dtype=np.uint16)
        states = np.empty(len(values), dtype=np.int64)
        code_whole(values, low, self._width[which], codes, states)
        return codes, states

    def rows_known(self, n_samples: int) -> NDArray[np.int64]:
        """Return in how many of the rows, which count as ``n_samples``, each column is known."""
        return np.asarray(self.n_observed * n_samples // max(self.values.shape[1], 1))

    def whole_of_few(self, most: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which columns hold whole numbers, or truth values, with at most so many distinct values."""
        if self.values.dtype.kind == "b":
            return np.ones(len(self.values), dtype=np.bool_)
        few = (self._states >= 0) & (self._states <= most)
        for i in np.flatnonzero(self.whole & (self._states < 0)).tolist():
            few[i] = not exceeds(self.observed[i], int(most[i]))
        return few

    def n_states(self, i: int) -> int:
        """Return how many distinct values column ``i`` has."""
        return int(self._states[i]) if self._states[i] >= 0 else np.unique(self.observed[i]).size

    def repeats_sparsely(self, i: int) -> bool:
        """Whether the whole numbers of column ``i`` have ten rows for each, and leave most numbers between them out."""
        most = len(self.observed[i]) // 10
        if self._states[i] < 0 and exceeds(self.observed[i], most):
            return False
        found = self.n_states(i)
        return found <= most and 2 * found < float(self.high[i]) - float(self.low[i]) + 1.0

    def goes_with(self, i: int, text: Text) -> bool:
        """Whether column ``i`` goes one to one with a column of text of as many states."""
        n_states = len(text.states)
        pairs = text.codes.astype(np.int64) * n_states + np.unique(self.values[i], return_inverse=True)[1]
        return len(np.unique(pairs)) == n_states

    @cached_property
    def two_valued(self) -> NDArray[np.bool_]:
        """Which columns hold two distinct numbers."""
        two = self._only_ends(np.flatnonzero((self.low < self.high) & (self._states < 0)), 8)
        return np.asarray(self._only_ends(np.flatnonzero(two), self.values.shape[1]) | (self._states == 2))

    def _only_ends(self, which: NDArray[np.intp], rows: int) -> NDArray[np.bool_]:
        """Tell which of some columns hold nothing but their smallest and largest number in the first rows."""
        found = np.zeros(len(self.values), dtype=np.bool_)
        head = self.observed[which, :rows]
        found[which] = ((head == self.low[which, None]) | (head == self.high[which, None])).all(axis=1)
        return found

    def is_measured(self, i: int, n_samples: int) -> bool:
        """Whether column ``i`` has too many values to be discrete even when a user wants it to be."""
        most = MOST_STATES_GUESSED
        if self.whole[i]:
            most = max(most, int(self.rows_known(n_samples)[i]) // 2)
        return bool(self._states[i] > most) if self._states[i] >= 0 else exceeds(self.observed[i], most)

    def codes(self) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Give the states of each column their numbers, in sorted order.

        Returns
        -------
        codes : numpy.ndarray
            Columns by rows, one above the last state where a number misses; meaningless for a column of more than
            65,536 states.
        states : numpy.ndarray
            How many states each column has.
        """
        codes, states = self._all_coded()
        if self.gaps.any():
            codes = np.where(np.isnan(self.values), states[:, None].astype(np.uint16), codes)
        return codes, states

    def _all_coded(self) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Code every column."""
        which, codes, states = self._narrow
        if len(which) == len(self.values):
            return codes, states
        all_codes = np.empty(self.values.shape, dtype=np.uint16)
        all_states = np.empty(len(self.values), dtype=np.int64)
        all_codes[which], all_states[which] = codes, states
        for i in np.flatnonzero(self._states < 0):
            if self._width[i]:
                all_codes[[i]], all_states[[i]] = self._coded(np.array([i]))
            else:
                occurring, inverse = np.unique(self.observed[i], return_inverse=True)
                all_codes[i], all_states[i] = inverse.astype(np.uint16), len(occurring)
        return all_codes, all_states


def _whole(values: Array) -> NDArray[np.bool_]:
    whole: NDArray[np.bool_] = (np.floor(values) == values).all(axis=1)
    return whole


def exceeds(values: Array, states: int) -> bool:
    """Whether a column of numbers has more than ``states`` distinct values."""
    # The first rows settle it for almost every measured column, without sorting the whole.
    for rows in (2 * states + 10, 50 * states):
        if np.unique(values[:rows]).size > states:
            return True
    return 50 * states < values.size and np.unique(values).size > states


def code_columns(values: NDArray[Any]) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Code the columns of an array of numbers, rows by columns.

    Returns
    -------
    codes : numpy.ndarray
        Columns by rows: the rank of each number among those that occur in its column. Meaningless for a column of
        more than 65,536 states.
    states : numpy.ndarray
        How many states each column has.

    Examples
    --------
    >>> import numpy as np
    >>> codes, states = code_columns(np.array([[7, -1], [5, -1], [7, -1]]))
    >>> codes.tolist(), states.tolist()
    ([[1, 0, 1], [0, 0, 0]], [2, 1])
    """
    codes = np.empty(values.T.shape, dtype=np.uint16)
    states = np.empty(len(codes), dtype=np.int64)
    blocks = Numbers.blocks(np.arange(len(codes)), values.T)
    if len(blocks) == 1:
        return blocks[0].codes()
    for block in blocks:
        codes[block.positions], states[block.positions] = block.codes()
    return codes, states
