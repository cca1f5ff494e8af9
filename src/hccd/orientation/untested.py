"""Which sets a collider rule still has to ask about: those whose answer the skeleton search does not have.

The search visits sets in a known order (see ``baselines/candidates.py``), and neighbourhoods only shrink. So whether a
set among the final neighbours of a separated pair has been asked can be told from where the pair was separated, by
what, and what its home was; nothing needs to be remembered per question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.separators import Separations
from hccd.independence import Marginals


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the skeleton search knows about separated pairs, as columns along ``separations``.

    A set is known to be dependent if it lies in the pair's earlier home (positions ``home_start`` to
    ``home_stop - 1``, at most ``home_order`` variables), or if the pass over the cluster (``cluster_start`` to
    ``cluster_stop - 1``) that removed the pair came to it before the separating set.
    """

    separations: Separations
    position: NDArray[np.int32]
    home_start: NDArray[np.int32]
    home_stop: NDArray[np.int32]
    home_order: NDArray[np.int32]
    cluster_start: NDArray[np.int32]
    cluster_stop: NDArray[np.int32]


class SeparatedPair(NamedTuple):
    """A separated pair with common neighbours, and the set that separated it; ``row`` -1: the empty set, at order 0."""

    x: int
    y: int
    middles: tuple[int, ...]
    row: int
    given: tuple[int, ...]


class UntestedSets:
    """The questions that are left for a collider rule."""

    def __init__(self, evidence: Evidence, marginals: Marginals, by_strength: bool) -> None:
        # Plain lists: they are read one number at a time.
        self._position = evidence.position.tolist()
        self._home = list(
            zip(evidence.home_start.tolist(), evidence.home_stop.tolist(), evidence.home_order.tolist(), strict=True)
        )
        self._cluster = list(zip(evidence.cluster_start.tolist(), evidence.cluster_stop.tolist(), strict=True))
        self._strength = marginals.strength
        self._by_strength = by_strength

    def sets(self, pair: SeparatedPair, adjacent: Sequence[set[int]], largest: int | None) -> Iterator[tuple[int, ...]]:
        """List the sets among the neighbours of x or of y, up to a size, whose answer is not known yet."""
        sides = sorted(adjacent[pair.x]), sorted(adjacent[pair.y])
        limit = max(map(len, sides)) if largest is None else largest
        separator = frozenset(pair.given)
        ranks = self._ranks(pair, adjacent) if limit >= len(separator) > 0 else {}
        found = sorted(ranks[z] for z in separator) if ranks else []
        # The empty set was asked for every pair, so sizes begin at 1.
        for size in range(1, limit + 1):
            seen = set()
            for side in sides:
                for given in combinations(side, size):
                    if given not in seen and frozenset(given) != separator:
                        seen.add(given)
                        if pair.row < 0 or not self._asked(pair.row, given, len(separator), ranks, found):
                            yield given

    def _ranks(self, pair: SeparatedPair, adjacent: Sequence[set[int]]) -> dict[int, tuple[float, int]]:
        """Return the rank of every candidate, as the search had it."""
        pool = sorted(adjacent[pair.x] | adjacent[pair.y] | set(pair.given))
        if not self._by_strength:
            return {z: (0.0, z) for z in pool}
        ties = np.minimum(self._strength[pair.x, pool], self._strength[pair.y, pool]).tolist()
        return {z: (-tie, z) for z, tie in zip(pool, ties, strict=True)}

    def _asked(
        self,
        row: int,
        given: tuple[int, ...],
        size: int,
        ranks: dict[int, tuple[float, int]],
        found: list[tuple[float, int]],
    ) -> bool:
        """Whether the skeleton search asked about this set, and so found it dependent."""
        places = [self._position[z] for z in given]
        low, high = min(places), max(places)
        start, stop, order = self._home[row]
        if len(given) <= order and start <= low and high < stop:
            return True
        start, stop = self._cluster[row]
        if low < start or high >= stop:
            return False
        # The pass visits smaller sets first, and sets of one size in the order of their ranks.
        return len(given) < size or (len(given) == size and sorted(ranks[z] for z in given) < found)
