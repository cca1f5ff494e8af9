"""RFCI: FCI without possible-d-sep sets (Colombo, Maathuis, Kalisch and Richardson, *Annals of Statistics* 40, 2012).

The skeleton may have edges that the PAG lacks. So before a triple or a discriminating path is used, its edges are
tested again, given what separated its ends, and fall if they do not stand (lemmas 3.1 and 3.2 of the article). Each
mark is then right, with a perfect test; but the graph need not be the PAG of any MAG.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, zip_longest
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray

from hccd.ancestral.contested import claims_to_follow
from hccd.ancestral.ends import Ends
from hccd.ancestral.fci import OrientedPAG, SeparatedBy, followed_by, members
from hccd.ancestral.possible_dsep import Further
from hccd.ancestral.rules import close
from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest
from hccd.orientation import Triple, Triples, with_dependence
from hccd.orientation.triples import COLLIDER


def orient_rfci(
    skeleton: Skeleton,
    separated_by: SeparatedBy,
    ci: BoundCITest,
    fixed: NDArray[np.bool_] | None = None,
    level: float | None = None,
) -> tuple[OrientedPAG, Triples, Further]:
    """Orient a skeleton; return the graph, the triples it goes by, and what fell on the way.

    Pairs that are ``fixed`` are adjacent whatever the tests say. ``level`` is for claims that contradict each other:
    see ``claims_to_follow``.
    """
    work = _Work(Ends(skeleton.n, skeleton.edges.tolist()), separated_by, ci, fixed)
    at = work.ends.at
    work.judge([(x, z, y) for z in range(skeleton.n) for x, y in combinations(at[z], 2) if y not in at[x]])
    claims, tests = with_dependence(work.triples(), ci)
    work.ends.put_colliders(members(claims, claims_to_follow(claims, level)))
    close(work.ends, work.discriminate)
    triples = work.triples()
    oriented = followed_by(work.ends, triples, np.flatnonzero(triples.collider == COLLIDER))
    return oriented, triples, work.further(tests)


class _Work:
    """A graph that loses edges while it is oriented."""

    def __init__(self, ends: Ends, separated_by: SeparatedBy, ci: BoundCITest, fixed: NDArray[np.bool_] | None) -> None:
        self.ends, self.ci, self.fixed, self._separated_by = ends, ci, fixed, separated_by
        self.found: dict[tuple[int, int], tuple[tuple[int, ...], float]] = {}
        self.verdicts: dict[tuple[int, int, int], bool] = {}
        self.counts: list[int] = [0]

    def separated_by(self, x: int, y: int) -> Sequence[int] | None:
        """Return what separates two variables, of old or found here."""
        own = self.found.get((min(x, y), max(x, y)))
        return self._separated_by(x, y) if own is None else own[0]

    def judge(self, triples: Iterable[tuple[int, int, int]]) -> None:
        """Say of unshielded triples x - z - y whether they are colliders, once their edges have stood."""
        at, waiting = self.ends.at, deque(triples)
        while waiting:
            x, z, y = waiting.popleft()
            given = self.separated_by(x, y)
            if given is None or z not in at[x] or z not in at[y]:
                continue
            without = [v for v in given if v != z]
            fallen = [v for v in (x, y) if self._falls(v, z, without, smallest=len(without))]
            for v in fallen:
                waiting.extend(self._new_triples(v, z))
            if not fallen:
                self.verdicts[x, z, y] = z not in given

    def standing(self) -> dict[tuple[int, int, int], bool]:
        """Return the verdicts about triples that are there."""
        at = self.ends.at
        return {
            (x, z, y): verdict
            for (x, z, y), verdict in sorted(self.verdicts.items(), key=lambda item: (item[0][1], item[0]))
            if z in at[x] and z in at[y] and y not in at[x]
        }

    def discriminate(self, path: list[int]) -> bool | None:
        """Say whether the last but one is a collider on a discriminating path, if all edges of the path stand."""
        given = self.separated_by(path[0], path[-1])
        if given is None:
            return None
        for u, v in pairwise(path):
            if self._falls(u, v, [z for z in given if z not in (u, v)], smallest=1):
                new = self._new_triples(u, v)
                self.judge(new)
                self.ends.put_colliders(triple for triple in new if self.standing().get(triple))
                return None
        return path[-2] not in given

    def _falls(self, x: int, y: int, given: list[int], smallest: int) -> bool:
        """Remove an edge if some subset of ``given`` separates its ends, from this size on; keep the least that does.

        The empty set does not: it has been asked.
        """
        if not given or (self.fixed is not None and self.fixed[x, y]):
            return False
        if self._least(x, y, given, smallest) is None:
            return False
        least = self._least(x, y, given, 1)
        assert least is not None
        self.found[min(x, y), max(x, y)] = least
        self.ends.drop(x, y)
        return True

    def _least(self, x: int, y: int, given: list[int], smallest: int) -> tuple[tuple[int, ...], float] | None:
        """Return the first subset that separates x and y, smaller ones first, with its p-value."""
        for size in range(smallest, len(given) + 1):
            for some in combinations(given, size):
                p_value = self._separates(x, y, some)
                if p_value is not None:
                    return tuple(sorted(some)), p_value
        return None

    def _separates(self, x: int, y: int, given: tuple[int, ...]) -> float | None:
        """Return the p-value, nan if there is none, if the set separates; None if it does not."""
        order = len(given)
        self.counts.extend([0] * (order + 1 - len(self.counts)))
        self.counts[order] += 1
        answer = self.ci.test(min(x, y), max(x, y), given)
        judged = not self.ci.has_p_values or not isnan(answer.p_value)
        return answer.p_value if answer.independent and judged else None

    def _new_triples(self, x: int, y: int) -> list[tuple[int, int, int]]:
        """List the triples that have lost the edge between their ends."""
        x, y = min(x, y), max(x, y)
        return [(x, z, y) for z in self.ends.at[x] if z in self.ends.at[y]]

    def triples(self) -> Triples:
        """Return the verdicts with what they go by."""
        return Triples.of(
            Triple(x, z, y, collider, tuple(self.separated_by(x, y) or ()), nan)
            for (x, z, y), collider in self.standing().items()
        )

    def further(self, more: tuple[int, ...]) -> Further:
        """Return what fell, sorted by pair, and all tests, these included."""
        return Further(Separations.of(self.found), tuple(map(sum, zip_longest(self.counts, more, fillvalue=0))))
