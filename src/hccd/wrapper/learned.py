"""The record of a run: which edge fell where, why, and what it cost.

Stages are those of Algorithm 1: ``leaf`` (line 1), ``between`` (line 17), ``refine`` (line 18), and what may follow it
where hidden variables are allowed for: ``possible-d-sep``, ``rfci``. Tests that the orientation needs are counted apart
as ``colliders``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.search.ledger import Ledger
from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.wrapper.passes import ALL_STAGES, STAGES


@dataclass(frozen=True, eq=False)
class Removals:
    """Edges removed by a set of at least one variable, sorted by pair; the columns run along ``separations``.

    ``stage`` indexes ``ALL_STAGES``; ``cluster`` is the cluster's number in the tree, 0 (the whole) after Algorithm 1.
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
        """Return these counts and some more of one stage."""
        added = tuple(map(sum, zip_longest(self.by_stage.get(stage, ()), by_order, fillvalue=0)))
        return TestCounts({**self.by_stage, stage: added}, self.by_cluster)


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

    def and_removed(self, found: Separations, stage: str, tests: tuple[int, ...], known_order: int) -> Learned:
        """Return the record with pairs that fell later.

        Sets of up to ``known_order`` neighbours are known not to separate them, wherever these variables are.
        """
        counted = self.tests.with_stage(stage, tests)
        if not len(found):
            return replace(self, tests=counted)
        n, size = self.skeleton.n, len(found)
        both, rows = Separations.together(n, self.removals.separations, found)

        def column(old: NDArray[Any], value: int) -> NDArray[Any]:
            return np.concatenate([old, np.full(size, value, old.dtype)])[rows]

        fallen = Skeleton.from_edges(n, found.pairs)
        return Learned(
            self.skeleton.without(fallen.adjacency[tuple(self.skeleton.edges.T)]),
            Removals(both, column(self.removals.stage, ALL_STAGES.index(stage)), column(self.removals.cluster, 0)),
            column(self.home_start, 0),
            column(self.home_stop, n),
            column(self.home_order, known_order),
            counted,
        )


def learned_from(
    ledger: Ledger,
    n_variables: int,
    x: NDArray[np.int32],
    y: NDArray[np.int32],
    p_values: Callable[..., NDArray[np.float64]],
) -> Learned:
    """Put the record of a ledger together, sorted by pair; its rows are the pairs ``x``, ``y``."""
    column = ledger.record()
    pairs = np.column_stack([x, y])
    separations, rows = separations_of(column, pairs, p_values)
    counts = {name: tuple(counts) for name, counts in zip(STAGES, ledger.by_stage, strict=True)}
    return Learned(
        Skeleton(n_variables, pairs[column["fell_order"] < 0]),
        Removals(separations, column["fell_stage"][rows], column["fell_cluster"][rows]),
        column["home_start"][rows],
        column["home_stop"][rows],
        column["home_order"][rows],
        TestCounts(counts, tuple(column["by_cluster"].tolist())),
    )


def separations_of(
    column: Mapping[str, NDArray[Any]], pairs: NDArray[np.int32], p_values: Callable[..., NDArray[np.float64]]
) -> tuple[Separations, NDArray[np.int64]]:
    """Return what the columns of a ledger have separated so far, and the rows of these pairs."""
    rows = np.flatnonzero(column["fell_order"] >= 0)
    sizes = column["fell_order"][rows]
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    place = np.repeat(column["given_start"][rows] - start[:-1], sizes) + np.arange(start[-1])
    p_value = p_values(sizes, column["statistic"][rows], column["freedom"][rows])
    return Separations(pairs[rows], start, column["given"][place], p_value), rows
