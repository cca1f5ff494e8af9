"""Discrete columns as codes: which states there are, and how many rows have each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.tables.columns import count_states
from hccd.tables.numbers import Numbers
from hccd.tables.texts import Text


@dataclass(frozen=True, eq=False)
class Codes:
    """Discrete columns as small integers.

    Attributes
    ----------
    codes
        ``uint16``, rows by columns, each column contiguous in memory (Fortran order); a missing cell has the code one
        above the last state.
    cardinalities
        How many states each column has.
    gaps
        Which columns have missing cells.
    blocks, texts
        What was coded, as in the table.
    """

    codes: NDArray[np.uint16]
    cardinalities: NDArray[np.int64]
    gaps: NDArray[np.bool_]
    blocks: tuple[Numbers, ...]
    texts: Mapping[int, Text]

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """Where in ``counts`` each column begins, and behind the last one the end."""
        return np.concatenate([[0], np.cumsum(self.cardinalities + self.gaps)])

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many rows have each state, one column after the other; missing cells follow the states of theirs."""
        counts = np.zeros(self.first[-1], np.int64)
        count_states(self.codes.T, self.first, counts)
        return counts

    @cached_property
    def states(self) -> tuple[tuple[Any, ...], ...]:
        """For each column its states, sorted: ``states[j][codes[i, j]]`` is the value in row i.

        Only states that occur are listed; whole numbers are ``int``, however the table stores them.
        """
        states: dict[int, tuple[Any, ...]] = {i: text.states for i, text in self.texts.items()}
        for block in self.blocks:
            for i, values, whole in zip(block.positions.tolist(), block.values, block.whole, strict=True):
                occurring = np.empty(self.cardinalities[i] + 1, dtype=values.dtype)
                occurring[self.codes[:, i]] = values
                occurring = occurring[:-1]
                is_int = whole and values.dtype.kind == "f"
                states[i] = tuple(map(int, occurring.tolist()) if is_int else occurring.tolist())
        return tuple(states[i] for i in range(len(states)))
