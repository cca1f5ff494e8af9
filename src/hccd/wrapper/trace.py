"""The record of a run: which edge fell where, why, and what it cost.

Stages are those of Algorithm 1: ``leaf`` (line 1), ``between`` (line 17), ``refine`` (line 18); tests that the
orientation needs are counted apart as ``colliders``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton

STAGES = ("leaf", "between", "refine")


@dataclass(frozen=True, eq=False)
class Removals:
    """Edges removed by a set of at least one variable, sorted by pair; the columns run along ``separations``.

    ``stage`` indexes ``STAGES``; ``cluster`` is the cluster's number in the tree.
    """

    separations: Separations
    stage: NDArray[np.int8]
    cluster: NDArray[np.int32]


@dataclass(frozen=True)
class TestCounts:
    """Tests made, by stage and order, and by cluster of the tree; sums are derived."""

    by_stage: Mapping[str, tuple[int, ...]]
    by_cluster: tuple[int, ...] = ()

    __test__ = False  # not a test case, whatever a test runner thinks of the name

    @property
    def by_order(self) -> tuple[int, ...]:
        """Tests for each size of the conditioning set, orientation included."""
        rows = list(self.by_stage.values())
        width = max((len(row) for row in rows), default=0)
        return tuple(sum(row[order] for row in rows if order < len(row)) for order in range(width))

    @property
    def total(self) -> int:
        """All tests."""
        return sum(self.by_order)

    def with_stage(self, stage: str, by_order: tuple[int, ...]) -> TestCounts:
        """Return these counts and those of one more stage."""
        return TestCounts({**self.by_stage, stage: by_order}, self.by_cluster)


@dataclass(frozen=True, eq=False)
class Learned:
    """The skeleton, why each missing edge is missing, and what it cost.

    ``home_start``, ``home_stop`` and ``home_order`` run along ``removals``: what was known of an edge before the pass
    that removed it.
    """

    skeleton: Skeleton
    removals: Removals
    home_start: NDArray[np.int32]
    home_stop: NDArray[np.int32]
    home_order: NDArray[np.int32]
    tests: TestCounts
