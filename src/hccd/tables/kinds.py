"""Which columns are discrete and which continuous, where nobody said so: the rules of docs/DATA.md, all in one place.

Text, truth values and columns of two numbers are discrete, and numbers with fractions continuous. The others are whole
numbers, which may be states or quantities, and are told by how many there are and by the columns beside them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hccd.tables.columns import Kind
from hccd.tables.numbers import MOST_STATES_GUESSED

MOST_BESIDE_CONTINUOUS = 10
"""Beside continuous columns, more distinct whole numbers than this, or fewer rows for each, are continuous as well."""

# In a table of codes one column in so many may have more states than that, with so many rows for each ...
_ONE_IN = 5
_ROWS_FOR_EACH = 5
# ... and of the numbers from 0 to the largest at least so many occur.
_OCCUR = 0.75


class CodedText(Protocol):
    """What the rules ask about a column of text."""

    @property
    def states(self) -> Sequence[str]:
        """The texts that occur."""

    def __len__(self) -> int: ...


class AskedNumbers(Protocol):
    """What the rules ask about columns of numbers, whether these are in memory or were seen passing by."""

    @property
    def positions(self) -> NDArray[np.intp]:
        """Where the columns stand in the table."""

    @property
    def low(self) -> NDArray[Any]:
        """The smallest number of each."""

    @property
    def high(self) -> NDArray[Any]:
        """The largest number of each."""

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Which hold whole numbers only."""

    @property
    def two_valued(self) -> NDArray[np.bool_]:
        """Which hold two distinct numbers."""

    def rows_known(self, n_samples: int) -> NDArray[np.int64]:
        """Return in how many of the rows each is known."""

    def whole_of_few(self, most: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which hold whole numbers with at most so many distinct values."""

    def n_states(self, i: int) -> int:
        """Return how many distinct values one has."""

    def goes_with(self, i: int, text: Any) -> bool:
        """Whether one goes one to one with a column of text of as many states."""


def guessed_kinds_of(
    n_columns: int,
    n_samples: int,
    blocks: Sequence[AskedNumbers],
    texts: Mapping[int, CodedText],
    discrete: Collection[int] = (),
    continuous: Collection[int] = (),
) -> tuple[Kind, ...]:
    """Tell the kind of every column; some are ``discrete`` or ``continuous`` by declaration."""
    states = np.ones(n_columns, dtype=np.bool_)
    for block in blocks:
        states[block.positions] = block.two_valued | block.whole_of_few(
            np.minimum(MOST_STATES_GUESSED, block.rows_known(n_samples) // 2)
        )
    if not states.all() and not texts and not len(continuous):
        states |= _table_of_codes(blocks, states, n_samples)
    for declared, kind in ((discrete, True), (continuous, False)):
        states[list(declared)] = kind
    if not states.all() and states.any():
        for block in blocks:
            few = block.whole_of_few(
                np.minimum(MOST_BESIDE_CONTINUOUS, block.rows_known(n_samples) // MOST_BESIDE_CONTINUOUS)
            )
            states[block.positions] &= (few & (block.low < block.high)) | block.two_valued
            if texts:
                states[block.positions] |= _numbered_texts(block, texts)
        for declared, kind in ((discrete, True), (continuous, False)):
            states[list(declared)] = kind
    return tuple(Kind.DISCRETE if found else Kind.CONTINUOUS for found in states.tolist())


def _table_of_codes(blocks: Sequence[AskedNumbers], few: NDArray[np.bool_], n_samples: int) -> bool:
    """Whether numbers of many values, too, are the numbers of states: those beside them are, and they look like it."""
    if _ONE_IN * np.count_nonzero(~few) > len(few):
        return False
    for block in blocks:
        for i in np.flatnonzero(~few[block.positions]).tolist():
            if not block.whole[i] or block.low[i] not in (0, 1):
                return False
            found, high = block.n_states(i), float(block.high[i])
            if _ROWS_FOR_EACH * found > n_samples or found < _OCCUR * (high + 1.0):
                return False
    return True


def _numbered_texts(block: AskedNumbers, texts: Mapping[int, CodedText]) -> NDArray[np.bool_]:
    """Tell which columns of whole numbers go one to one with a column of text of many states, whose codes they are."""
    many = [text for text in texts.values() if len(text.states) > MOST_BESIDE_CONTINUOUS]
    many = [text for text in many if 2 * len(text.states) <= len(text)]
    found = np.zeros(len(block.positions), dtype=np.bool_)
    for i in np.flatnonzero(block.whole).tolist() if many else ():
        n_states = block.n_states(i)
        for text in many:
            if len(text.states) == n_states:
                found[i] |= block.goes_with(i, text)
    return found
