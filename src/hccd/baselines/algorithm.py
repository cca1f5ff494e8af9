"""The paper's Alg as a protocol: an algorithm that takes an initial graph and the edges to be learned.

PC is built in (``pc.py``). Any other algorithm implements this, and the wrapper calls it for one cluster at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Marginals


@dataclass(frozen=True, eq=False)
class KnownDependent:
    """The homes of the edges to be learned: where each has survived already, one row per edge.

    An edge with an ``order`` above 0 survived a pass of this algorithm over the cluster of the positions ``start`` to
    ``stop - 1``, with sets of at most ``order`` variables. If the algorithm is exhaustive, it has been found dependent
    given every set of its neighbours there. Neighbourhoods only shrink, so any later question about such a set has a
    known answer (the home rule). What else follows, an algorithm has to know itself. ``whole`` marks edges whose home
    holds everything that the pass at hand could condition on.
    """

    position: NDArray[np.int32]
    start: NDArray[np.int32]
    stop: NDArray[np.int32]
    order: NDArray[np.int32]
    whole: NDArray[np.bool_]


@dataclass(frozen=True)
class PassContext:
    """What a pass may use beyond the paper's arguments; ignoring it is correct, only slower.

    ``marginals`` are the unconditional tests, whatever the caller knows about some pairs; ``known`` says where edges
    have survived already; ``order_limit`` bounds the size of the sets in this pass; ``separated`` are the pairs that
    earlier passes removed, all over the graph.
    """

    marginals: Marginals
    known: KnownDependent | None
    order_limit: int | None
    separated: Separations = field(default_factory=Separations.empty)

    def largest_order(self, variables: NDArray[np.int32], max_order: int | None) -> int:
        """Return the size of the largest sets in a cluster, by the limit of the pass and the algorithm's own."""
        return min([len(variables), *(limit for limit in (self.order_limit, max_order) if limit is not None)])


@dataclass(frozen=True, eq=False)
class LocalResult:
    """What a pass found: which edges of the initial graph fell, why, and the tests made for every edge asked.

    ``removed`` marks edges of ``initial``; ``tests`` has a row for each edge to be learned and a column for each order.
    """

    initial: Skeleton
    removed: NDArray[np.bool_]
    separations: Separations
    tests: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        initial: Skeleton,
        separated: Mapping[tuple[int, int], tuple[Sequence[int], float]],
        tests: NDArray[np.int64],
    ) -> LocalResult:
        """Return the result of a pass that found sets for pairs x < y: (x, y) -> (set, p-value)."""
        removed = np.array([(x, y) in separated for x, y in initial.edges.tolist()], np.bool_)
        return cls(initial, removed, Separations.of(separated), tests)

    @property
    def graph(self) -> Skeleton:
        """The graph that is left."""
        return self.initial.without(self.removed)


class Algorithm(Protocol):
    """An algorithm that the wrapper can run on a cluster.

    ``exhaustive`` says that a surviving edge was asked about all sets of its neighbours up to the order limit,
    which the home rule relies on.
    """

    @property
    def exhaustive(self) -> bool:
        """Whether the home rule holds."""
        ...

    @property
    def max_order(self) -> int | None:
        """The largest set ever tried; None: no bound."""
        ...

    @property
    def ordering(self) -> str:
        """Which conditioning sets come first: ``strength`` or ``column``."""
        ...

    def learn(
        self,
        variables: NDArray[np.int32],
        initial: Skeleton,
        edges: NDArray[np.bool_],
        ci: BoundCITest,
        context: PassContext,
    ) -> LocalResult:
        """Remove from ``initial`` what falls among the edges marked in ``edges`` (along ``initial.edges``).

        All other edges stay, and count as neighbours. ``variables`` is the cluster.
        """
        ...

    def describe(self) -> dict[str, object]:
        """Name and settings, for the record of a run."""
        ...
