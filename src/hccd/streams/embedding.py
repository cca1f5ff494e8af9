"""What is done to the columns of a stream before their moments are added up: the same as in memory, batch by batch.

A nominal column becomes the block of its states, a number its value, its logarithm, its normal score, or its curves.
What a batch cannot know (ranks, medians) comes from the sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.independence.transforms import CURVES, Bulk, normal_scores
from hccd.streams.cells import MISSING, Coder, numbers
from hccd.streams.moments import CHUNK, BlockMoments

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scores:
    """Normal scores of values, by the ranks of a sample; between its values they are interpolated."""

    values: Floats
    scores: Floats

    @classmethod
    def of(cls, sample: Floats) -> Scores:
        """Take the values of a column in a sample."""
        values, first = np.unique(sample, return_index=True)
        return cls(values, normal_scores(sample[None, :])[0][first])

    def __call__(self, values: Floats) -> Floats:
        """Return the scores of values; NaN where there is none."""
        return np.asarray(np.where(np.isnan(values), np.nan, np.interp(values, self.values, self.scores)))


@dataclass(frozen=True, eq=False)
class Embedded:
    """One column: its name, its states if it is nominal (``ranked``: if they are ranks), or what becomes of numbers."""

    name: str
    states: tuple[Any, ...] = ()
    ranked: bool = False
    scale: float = 1.0
    transform: str = "none"
    scores: Scores | None = None
    middle: float = 0.0
    largest: float = 1.0

    @cached_property
    def coder(self) -> Coder:
        """What numbers the states."""
        return Coder(self.states)

    @property
    def width(self) -> int:
        """How many columns it becomes."""
        if self.states and not self.ranked:
            return max(len(self.states) - 1, 1)
        return CURVES if self.transform == "curves" else 1

    def __call__(self, cells: Any) -> Floats:
        """Return the columns that cells of Arrow become, as rows; NaN where there is nothing."""
        if self.states:
            codes = self.coder(cells)
            gaps = codes == MISSING
            if not self.ranked:
                block = (codes == np.arange(min(1, len(self.states) - 1), len(self.states))[:, None]).astype(np.float64)
                block[:, gaps] = np.nan
                return np.asarray(block if len(self.states) > 1 else block * 0.0)
            values = np.where(gaps, np.nan, codes.astype(np.float64))
        else:
            values = np.asarray(numbers(cells) * np.float64(self.scale))
        if self.transform == "log":
            return np.asarray(np.log(values))[None, :]
        if self.transform == "normal-scores":
            assert self.scores is not None
            return self.scores(values)[None, :]
        if self.transform == "curves":
            assert self.scores is not None
            scaled = (values - self.middle) / self.largest
            return np.stack([scaled, scaled * scaled, self.scores(values) ** 3])
        return np.asarray(values[None, :])


@dataclass(frozen=True, eq=False)
class Embedding:
    """Columns in their canonical order; rows are left out that are outlying by the bulk of the sample, if given."""

    columns: Sequence[Embedded]
    bulk: Bulk | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def first(self) -> NDArray[np.int32]:
        """Where the block of each column begins, and behind the last one the end."""
        return np.concatenate([[0], np.cumsum([column.width for column in self.columns])]).astype(np.int32)

    def __call__(self, batch: Any) -> Floats:
        """Return the embedded columns of a batch, as rows; outlying rows are missing."""
        first = self.first
        values = np.empty((first[-1], batch.num_rows))
        for at, column in enumerate(self.columns):
            values[first[at] : first[at + 1]] = column(batch.column(batch.schema.get_field_index(column.name)))
        if self.bulk is not None:
            for start in range(0, batch.num_rows, CHUNK):
                rows = values[:, start : start + CHUNK]
                rows[:, self.bulk.outlying(rows)] = np.nan
        return values


@dataclass(eq=False)
class EmbeddedMoments:
    """The moments of embedded columns, in a pass over the rows."""

    embedding: Embedding
    moments: BlockMoments

    @classmethod
    def none(cls, embedding: Embedding, first: Any) -> EmbeddedMoments:
        """Return those of no rows; ``first`` are the first ones."""
        return cls(embedding, BlockMoments.none(embedding(first.slice(0, CHUNK))))

    def further(self) -> EmbeddedMoments:
        """Return those of no rows."""
        return EmbeddedMoments(self.embedding, self.moments.further())

    def add(self, start: int, batch: Any) -> None:
        """Add the next rows."""
        self.moments.add(start, list(self.embedding(batch)))

    def merge(self, later: EmbeddedMoments) -> None:
        """Add those of the rows that follow."""
        self.moments.merge(later.moments)
