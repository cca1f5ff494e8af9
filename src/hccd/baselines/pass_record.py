"""What a pass of an algorithm writes down while it goes on, and the result that this makes at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hccd.baselines.algorithm import LocalResult
from hccd.graphs.skeleton import Skeleton


class PassRecord:
    """The edges that fell, by which set and with which p-value, and the tests of every edge asked, by order.

    Edges are named by their rows in ``initial.edges``; only those marked in ``asked`` may fall.
    """

    def __init__(self, initial: Skeleton, asked: NDArray[np.bool_]) -> None:
        self.initial, self.asked = initial, asked
        self.place = np.cumsum(asked) - 1
        self._tests = np.zeros((int(asked.sum()), 1), np.int64)
        self._given: dict[int, tuple[Sequence[int], float]] = {}

    def count(self, rows: NDArray[np.intp], tests: NDArray[np.int64] | int, order: int) -> None:
        """Add to the tests of edges; those of an edge that is not asked about are counted with the first that is."""
        more = order + 1 - self._tests.shape[1]
        if more > 0:
            self._tests = np.pad(self._tests, ((0, 0), (0, more)))
        np.add.at(self._tests[:, order], np.where(self.asked[rows], self.place[rows], 0), tests)

    def remove(self, row: int, given: Sequence[int], p_value: float) -> None:
        """Let an edge fall."""
        self._given[row] = given, p_value

    def state(self) -> dict[int, tuple[Sequence[int], float]]:
        """Return a copy of what fell."""
        return dict(self._given)

    def restore(self, state: Mapping[int, tuple[Sequence[int], float]]) -> None:
        """Go back to what had fallen; the tests that were made stay counted."""
        self._given = dict(state)

    def result(self) -> LocalResult:
        """Return what was found, in the order of the edges."""
        edges = self.initial.edges.tolist()
        return LocalResult.of(self.initial, {tuple(edges[row]): why for row, why in self._given.items()}, self._tests)
