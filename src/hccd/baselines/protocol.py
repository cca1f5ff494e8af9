"""The paper's Alg: a causal discovery algorithm that takes an initial graph and the edges to be learned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Marginals


@dataclass(frozen=True, eq=False)
class KnownDependent:
    """The home rule: what earlier passes already know about the edges to be learned, one row per edge.

    An edge that survived a pass over a cluster, up to some order, has been found dependent given every set of its
    neighbours there. Neighbourhoods only shrink, so any later question about a set within the cluster's
    positions (``start`` to ``stop - 1``) and of at most ``order`` variables has a known answer. ``whole`` marks
    edges whose home holds everything that the pass at hand could condition on.
    """

    position: NDArray[np.int32]
    start: NDArray[np.int32]
    stop: NDArray[np.int32]
    order: NDArray[np.int32]
    whole: NDArray[np.bool_]

    @classmethod
    def nothing(cls, n_variables: int, n_edges: int) -> KnownDependent:
        """Nothing has been asked yet, not even order 0."""
        zeros = np.zeros(n_edges, np.int32)
        return cls(np.arange(n_variables, dtype=np.int32), zeros, zeros, zeros - 1, np.zeros(n_edges, dtype=np.bool_))


class LevelReport(NamedTuple):
    """Told after each level: the order, how many edges were asked, how many tests that took."""

    order: int
    edges: int
    tests: int


@dataclass(frozen=True)
class PassContext:
    """What a pass may use beyond the paper's arguments; everything has a default that changes no result.

    ``marginals`` are the unconditional tests if they are there already; ``known`` says which questions need not be
    asked; ``outer`` bounds each variable's strength with any that is not its neighbour (see ``Level``);
    ``order_limit`` bounds the size of the sets in this pass, and smaller ones than ``first_order`` were tried already;
    ``groups`` numbers the disjoint clusters that are learned
    together (edges of different groups share no variable).
    """

    marginals: Marginals | None = None
    known: KnownDependent | None = None
    outer: NDArray[np.float64] | None = None
    order_limit: int | None = None
    first_order: int = 0
    groups: NDArray[np.int32] | None = None
    n_jobs: int | None = None
    report: Callable[[LevelReport], None] | None = None


@dataclass(frozen=True, eq=False)
class LocalResult:
    """What a pass found: which edges of the initial graph fell, why, and the tests made for every edge asked.

    ``removed`` marks edges of ``initial``; ``tests`` has a row for each edge to be learned and a column for each order.
    """

    initial: Skeleton
    removed: NDArray[np.bool_]
    separations: Separations
    tests: NDArray[np.int64]

    @property
    def graph(self) -> Skeleton:
        """The graph that is left."""
        return self.initial.without(self.removed)


class Baseline(Protocol):
    """An algorithm that the wrapper can run on clusters.

    ``exhaustive`` says that a surviving edge was asked about all sets of its neighbours up to the order limit,
    which the home rule relies on; ``joint`` that several clusters without common variables may be learned in one
    call, as if each were alone.
    """

    @property
    def exhaustive(self) -> bool:
        """Whether the home rule holds."""
        ...

    @property
    def joint(self) -> bool:
        """Whether disjoint clusters may be learned in one call."""
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
        context: PassContext | None = None,
    ) -> LocalResult:
        """Remove from ``initial`` what falls among the edges marked in ``edges`` (along ``initial.edges``).

        All other edges stay, and count as neighbours.
        """
        ...

    def describe(self) -> dict[str, object]:
        """Name and settings, for the record of a run."""
        ...
