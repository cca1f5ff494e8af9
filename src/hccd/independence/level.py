"""One level of a pass apart from its run: some edges are asked about their sets of one size.

A run itself keeps its levels in the ledger (``_kernels/search/ledger.py``). This is for whoever must carry the
questions elsewhere: to another process, or to an estimate that asks a sample only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.search.level import LevelSearch
from hccd.independence.protocol import BoundCITest


class Level(NamedTuple):
    """The questions of one level of one pass: all sets of ``order`` variables for every edge (x[e], y[e]).

    ``neighbors[first[v] : first[v] + degree[v]]`` are the neighbours of v. A set within the positions
    ``home_start[e] .. home_stop[e] - 1`` and of at most ``home_order[e]`` variables is known to be dependent.
    With ``live`` a removed edge is gone at once (original PC), otherwise all edges see the same graph. The sizes of
    ``association`` are the strengths; ``outer`` bounds those of each variable with any that is not its neighbour
    (infinity is always true).
    """

    order: int
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    home_start: NDArray[np.int32]
    home_stop: NDArray[np.int32]
    home_order: NDArray[np.int32]
    position: NDArray[np.int32]
    first: NDArray[np.int64]
    neighbors: NDArray[np.int32]
    degree: NDArray[np.int32]
    association: NDArray[np.float64]
    outer: NDArray[np.float64]
    by_strength: bool
    live: bool

    def part(self, rows: NDArray[np.int64]) -> Level:
        """Return the same questions for some of the edges."""
        return self._replace(
            x=self.x[rows],
            y=self.y[rows],
            home_start=self.home_start[rows],
            home_stop=self.home_stop[rows],
            home_order=self.home_order[rows],
        )


class LevelOutcome(NamedTuple):
    """The answers of one level: the tests that each edge took, negative if it fell; then also by which set and why."""

    tests: NDArray[np.int64]
    given: NDArray[np.int32]
    statistic: NDArray[np.float64]
    freedom: NDArray[np.int64]

    @property
    def removed(self) -> NDArray[np.bool_]:
        """Which edges fell."""
        return self.tests < 0


def answer(ci: BoundCITest, level: Level) -> LevelOutcome:
    """Ask the questions of a level by the test's own search."""
    return answer_by(ci.searcher(level.association, level.outer, level.by_strength, level.position), level)


def answer_by(search: LevelSearch, level: Level) -> LevelOutcome:
    """Ask the questions of a level by a search that is there already, made for the same strengths and positions."""
    m = len(level.x)
    owner = np.repeat(np.arange(len(level.degree)), np.diff(level.first, append=len(level.neighbors)))
    graph = level.neighbors, level.degree, np.abs(level.association[owner, level.neighbors])
    while True:
        outcome = LevelOutcome(
            np.zeros(m, np.int64), np.zeros((m, level.order), np.int32), np.full(m, np.nan), np.zeros(m, np.int64)
        )
        # In a live level the search changes the lists.
        search.attach(level.first, *(array.copy() if level.live else array for array in graph))
        search.enter(level.order, level.live)
        missing = search.search(level.x, level.y, level.home_start, level.home_stop, level.home_order, *outcome)
        if missing < 0:
            return outcome
        search.need_critical(missing)
