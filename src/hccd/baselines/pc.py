"""PC (Spirtes, Glymour, Scheines) over an initial graph and a list of edges: the paper's Alg.

For sets of size 0, 1, 2, ... every edge still to be learned is tested given all sets of that size among the
neighbours of either end, and removed at the first independence. Only the skeleton is learned here; orientation
runs once, at the very end. ``stable`` takes the neighbours from the graph as it was at the beginning of the level
(Colombo and Maathuis 2014); the original removes an edge at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hccd.baselines.protocol import KnownDependent, LevelReport, LocalResult, PassContext
from hccd.baselines.search import search_level
from hccd.errors import InvalidParameterError
from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Level, Marginals

Ordering = Literal["strength", "column"]


@dataclass(frozen=True)
class PC:
    """The PC algorithm.

    Parameters
    ----------
    stable : bool
        Whether all edges of a level see the same graph (PC-stable) or removed edges disappear at once.
    max_order : int or None
        The largest conditioning set; None for no limit.
    ordering : {"strength", "column"}
        Which conditioning sets come first: those tied most strongly to both ends, or by column.
    """

    stable: bool = True
    max_order: int | None = None
    ordering: Ordering = "strength"

    #: A surviving edge was asked about every set, so the home rule holds.
    exhaustive = True
    #: Clusters without common variables do not notice each other.
    joint = True

    def validate(self) -> None:
        """Refuse settings that have no meaning."""
        if self.max_order is not None and (not isinstance(self.max_order, int) or self.max_order < 0):
            raise InvalidParameterError(
                f"max_order is {self.max_order!r}; give a whole number from 0, or None"
            )
        if self.ordering not in ("strength", "column"):
            raise InvalidParameterError(f"ordering is {self.ordering!r}; choose 'strength' or 'column'")

    def learn(
        self,
        variables: NDArray[np.int32],
        initial: Skeleton,
        edges: NDArray[np.int32],
        ci: BoundCITest,
        context: PassContext | None = None,
    ) -> LocalResult:
        """Remove from ``initial`` those of ``edges`` (rows x < y, sorted) that some set of neighbours separates.

        ``variables`` is the cluster; PC itself only ever looks at neighbours in ``initial``.
        """
        self.validate()
        context = context or PassContext()
        marginals = context.marginals or ci.marginals()
        known = context.known or KnownDependent.nothing(initial.n, len(edges))
        limits = [limit for limit in (context.order_limit, self.max_order) if limit is not None]
        limit = min(limits) if limits else initial.n

        in_graph = np.ones(initial.n_edges, dtype=np.bool_)
        rows = _rows_of(edges, initial)
        left = np.ones(len(edges), dtype=np.bool_)
        tests: list[NDArray[np.int64]] = []
        separations: list[Separations] = []
        order = 0
        while order <= limit:
            open_edges = left
            if order:
                degrees = _degrees(initial, in_graph)
                # The other end does not count among the neighbours.
                open_edges = left & (np.maximum(degrees[edges[:, 0]], degrees[edges[:, 1]]) > order)
                if not open_edges.any():
                    break
            asked = open_edges & ~(known.whole & (known.order >= order))
            count = np.zeros(len(edges), np.int64)
            if asked.any():
                removed, separated, count[asked] = (
                    self._level(
                        order,
                        initial,
                        in_graph,
                        edges[asked],
                        ci,
                        marginals,
                        known.rows(asked),
                        context,
                        asked,
                    )
                    if order
                    else _order_zero(edges[asked], known.rows(asked), marginals, ci)
                )
                fallen = np.flatnonzero(asked)[removed]
                left[fallen] = False
                in_graph[rows[fallen]] = False
                separations.append(separated)
            tests.append(count)
            if context.report is not None:
                context.report(LevelReport(order, int(asked.sum()), int(count.sum())))
            order += 1
        return LocalResult(
            initial.without(~in_graph),
            Separations.joined(separations) if separations else Separations.empty(),
            np.column_stack(tests) if tests else np.zeros((len(edges), 0), np.int64),
        )

    def _level(
        self,
        order: int,
        initial: Skeleton,
        in_graph: NDArray[np.bool_],
        edges: NDArray[np.int32],
        ci: BoundCITest,
        marginals: Marginals,
        known: KnownDependent,
        context: PassContext,
        asked: NDArray[np.bool_],
    ) -> tuple[NDArray[np.bool_], Separations, NDArray[np.int64]]:
        first, neighbors, degree = _neighbor_lists(initial.n, initial.edges[in_graph])
        level = Level(
            order=order,
            x=np.ascontiguousarray(edges[:, 0]),
            y=np.ascontiguousarray(edges[:, 1]),
            home_start=known.start,
            home_stop=known.stop,
            home_order=known.order,
            position=known.position,
            first=first,
            neighbors=neighbors,
            degree=degree,
            strength=marginals.strength,
            by_strength=self.ordering == "strength",
            live=not self.stable,
        )
        groups = None if context.groups is None else context.groups[asked]
        outcome = search_level(ci, level, groups, context.n_jobs)
        removed = outcome.removed
        return (
            removed,
            Separations.of_one_order(edges[removed], outcome.given[removed], outcome.p_value[removed]),
            outcome.n_tests,
        )

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        return {"name": "pc", "stable": self.stable, "max_order": self.max_order, "ordering": self.ordering}


def _order_zero(
    edges: NDArray[np.int32], known: KnownDependent, marginals: Marginals, ci: BoundCITest
) -> tuple[NDArray[np.bool_], Separations, NDArray[np.int64]]:
    """Order 0 reads the unconditional tests, which are made once for all."""
    ask = known.order < 0
    removed = ask & marginals.independent[edges[:, 0], edges[:, 1]]
    nothing = np.zeros((int(removed.sum()), 0), np.int32)
    p_value = ci.test_many(edges[removed, 0], edges[removed, 1], nothing).p_value
    return removed, Separations.of_one_order(edges[removed], nothing, p_value), ask.astype(np.int64)


def _rows_of(edges: NDArray[np.int32], skeleton: Skeleton) -> NDArray[np.int64]:
    """Return the row of each of ``edges`` in the skeleton's list."""
    keys = skeleton.edges[:, 0].astype(np.int64) * skeleton.n + skeleton.edges[:, 1]
    wanted = edges[:, 0].astype(np.int64) * skeleton.n + edges[:, 1]
    rows = np.searchsorted(keys, wanted)
    if len(wanted) and (len(keys) == 0 or not np.array_equal(keys[np.minimum(rows, len(keys) - 1)], wanted)):
        raise InvalidParameterError("an edge to be learned is not in the initial graph: add it there first")
    return rows


def _degrees(skeleton: Skeleton, in_graph: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.bincount(skeleton.edges[in_graph].ravel(), minlength=skeleton.n)


def _neighbor_lists(
    n: int, edges: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return the neighbours of v as neighbors[first[v] : first[v] + degree[v]]."""
    ends = np.concatenate([edges[:, 0], edges[:, 1]])
    others = np.concatenate([edges[:, 1], edges[:, 0]])
    degree = np.bincount(ends, minlength=n)
    first = np.concatenate([[0], np.cumsum(degree)[:-1]]).astype(np.int64)
    neighbors = others[np.argsort(ends, kind="stable")]
    return first, np.ascontiguousarray(neighbors, np.int32), degree.astype(np.int32)
