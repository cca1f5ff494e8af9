"""How sure the edges of a graph are: how often each pair was joined, and how, when the rows were drawn again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Probabilities(NamedTuple):
    """The probabilities of the four kinds that a pair can be of; they add up to one."""

    forward: float
    backward: float
    undirected: float
    none: float

    @property
    def adjacent(self) -> float:
        """The probability that there is an edge, whatever its direction."""
        return 1.0 - self.none


@dataclass(frozen=True, eq=False)
class Confidence:
    """The pairs that were adjacent in at least one resample.

    Attributes
    ----------
    pairs : array of int, one row for each pair
        x < y, sorted.
    probabilities : array of float, one row for each pair
        Those of x -> y, x <- y and x - y.
    resamples : int
        How often a graph was learned again.
    """

    pairs: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    resamples: int

    def of(self, i: int, j: int) -> Probabilities:
        """Return the probabilities of a pair; ``forward`` is from ``i`` to ``j``."""
        x, y = min(i, j), max(i, j)
        (rows,) = np.nonzero((self.pairs[:, 0] == x) & (self.pairs[:, 1] == y))
        if not len(rows):
            return Probabilities(0.0, 0.0, 0.0, 1.0)
        forward, backward, undirected = self.probabilities[rows[0]].tolist()
        if i > j:
            forward, backward = backward, forward
        return Probabilities(forward, backward, undirected, max(0.0, 1.0 - forward - backward - undirected))
