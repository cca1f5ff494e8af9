"""PC (Spirtes, Glymour, Scheines) over an initial graph and a list of edges: the paper's Alg.

For sets of size 0, 1, 2, ... every edge still to be learned is tested given all sets of that size among the
neighbours of either end, and removed at the first independence. Only the skeleton is learned here; orientation
runs once, at the very end. ``stable`` takes the neighbours from the graph as it was at the beginning of the level
(Colombo and Maathuis 2014); the original removes an edge at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hccd.baselines.protocol import KnownDependent, LevelReport, LocalResult, PassContext
from hccd.baselines.search import search_level
from hccd.errors import InvalidParameterError
from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Level, LevelOutcome, Marginals

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
        if self.max_order is not None and not (isinstance(self.max_order, Integral) and self.max_order >= 0):
            raise InvalidParameterError(f"max_order is {self.max_order!r}; give a whole number from 0, or None")
        if self.ordering not in ("strength", "column"):
            raise InvalidParameterError(f"ordering is {self.ordering!r}; choose 'strength' or 'column'")

    def learn(
        self,
        variables: NDArray[np.int32],
        initial: Skeleton,
        edges: NDArray[np.bool_],
        ci: BoundCITest,
        context: PassContext | None = None,
    ) -> LocalResult:
        """Remove from ``initial`` those of the marked ``edges`` that some set of neighbours separates.

        ``variables`` is the cluster; PC itself only ever looks at neighbours in ``initial``.
        """
        self.validate()
        context = context or PassContext()
        marginals = context.marginals or ci.marginals()
        rows = np.flatnonzero(edges)
        x, y = (np.ascontiguousarray(initial.edges[rows, end]) for end in (0, 1))
        known = context.known or KnownDependent.nothing(initial.n, len(rows))
        limit = self.limit(context.order_limit, initial.n)
        outer = np.full(initial.n, np.inf) if context.outer is None else context.outer.copy()

        in_graph = np.ones(initial.n_edges, dtype=np.bool_)
        left = np.ones(len(rows), dtype=np.bool_)
        tests: list[NDArray[np.int64]] = []
        separations: list[Separations] = []
        # Where order 0 is known of every edge, as it is inside the wrapper, the levels begin at 1.
        lowest = max(context.first_order, 0 if np.any(known.order < 0) else 1)
        tests += [np.zeros(len(rows), np.int64)] * lowest
        for order in range(lowest, limit + 1):
            first, neighbors, degree = neighbor_lists(initial.n, initial.edges[in_graph])
            # An end needs enough neighbours, the other end not counted.
            able = left & (np.maximum(degree[x], degree[y]) > order)
            if not able.any():
                break
            # Order 0 has only one set, the empty one, which lies in every home.
            settled = known.order >= order if order == 0 else known.whole & (known.order >= order)
            asked = np.flatnonzero(able & ~settled)
            count = np.zeros(len(rows), np.int64)
            if len(asked):
                level = Level(
                    order=order,
                    x=x[asked],
                    y=y[asked],
                    home_start=known.start[asked],
                    home_stop=known.stop[asked],
                    home_order=known.order[asked],
                    position=known.position,
                    first=first,
                    neighbors=neighbors,
                    degree=degree,
                    ties=marginals.ties,
                    outer=outer,
                    by_strength=self.ordering == "strength",
                    live=not self.stable,
                )
                groups = None if context.groups is None else context.groups[asked]
                outcome = search_level(ci, level, groups, context.n_jobs) if order else _order_zero(level, marginals)
                fallen = asked[outcome.removed]
                left[fallen] = False
                in_graph[rows[fallen]] = False
                lost = np.abs(marginals.ties[x[fallen], y[fallen]])
                np.maximum.at(outer, x[fallen], lost)
                np.maximum.at(outer, y[fallen], lost)
                count[asked] = outcome.n_tests
                separations.append(
                    Separations.of_one_order(
                        initial.edges[rows[fallen]], outcome.given[outcome.removed], outcome.p_value[outcome.removed]
                    )
                )
            tests.append(count)
            if context.report is not None:
                context.report(LevelReport(order, len(asked), int(count.sum())))
        return LocalResult(
            initial,
            ~in_graph,
            Separations.joined(separations),
            np.column_stack(tests) if tests else np.zeros((len(rows), 0), np.int64),
        )

    def limit(self, order_limit: int | None, n_variables: int) -> int:
        """Return the largest order of a pass, by the wrapper's limit and PC's own; beyond all sets if there is none."""
        limits = [limit for limit in (order_limit, self.max_order) if limit is not None]
        return min([*limits, n_variables])

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        return {"name": "pc", "stable": self.stable, "max_order": self.max_order, "ordering": self.ordering}


def _order_zero(level: Level, marginals: Marginals) -> LevelOutcome:
    """Order 0 reads the unconditional tests, which are made once for all."""
    removed = marginals.independent[level.x, level.y]
    p_value = np.full(len(removed), np.nan)
    nothing = np.zeros((len(removed), 0), np.int32)
    p_value[removed] = marginals.p_values(level.x[removed], level.y[removed])
    return LevelOutcome(removed, nothing, p_value, np.ones(len(removed), np.int64))


def neighbor_lists(n: int, edges: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return the neighbours of v as neighbors[first[v] : first[v] + degree[v]]."""
    ends = np.concatenate([edges[:, 0], edges[:, 1]])
    others = np.concatenate([edges[:, 1], edges[:, 0]])
    degree = np.bincount(ends, minlength=n)
    first = np.concatenate([[0], np.cumsum(degree)[:-1]]).astype(np.int64)
    neighbors = others[np.argsort(ends, kind="stable")]
    return first, np.ascontiguousarray(neighbors, np.int32), degree.astype(np.int32)
