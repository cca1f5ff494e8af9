"""Possible-d-sep: the sets that separate what no set of neighbours does, if there are hidden variables.

Without hidden variables every pair without an edge is separated by neighbours of one of the two. With them it may take
variables further away: those that a path leads to on which each variable is a collider, or stands in a triangle with
the two beside it (Spirtes, Glymour and Scheines, *Causation, Prediction, and Search*, section 6.7). That set is
computed once, from the graph that the skeleton search leaves and the colliders in it, so that the order in which pairs
are asked changes nothing.

A path between x and y stays within their biconnected component, and so does what has to be given (Colombo, Maathuis,
Kalisch and Richardson, *Annals of Statistics* 40, 2012).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb

import numpy as np
from numpy.typing import NDArray

from hccd.ancestral.blocks import blocks_of
from hccd.ancestral.ends import Ends
from hccd.graphs.dseparation import bits
from hccd.graphs.pag import ARROW
from hccd.graphs.separators import Separations
from hccd.independence import BoundCITest

#: How many sets a pair is asked about at once, at first and at most.
_FIRST, _MOST = 32, 4096


@dataclass(frozen=True, eq=False)
class Further:
    """What possible-d-sep sets separated: sorted pairs with their sets, and the tests by order."""

    separations: Separations
    tests: tuple[int, ...]


def possible_dsep(ends: Ends, length: int | None = None) -> list[int]:
    """Return the possible-d-sep set of each variable as bits, by paths of at most ``length`` edges."""
    at = ends.at
    edges = [(u, v) for u in range(ends.n) for v in at[u]]
    number = {edge: i for i, edge in enumerate(edges)}
    onwards = [
        [
            number[v, w]
            for w in at[v]
            if w != u and (w in at[u] or (at[u][v] == ARROW and at[w][v] == ARROW))
        ]
        for u, v in edges
    ]  # fmt: skip
    reach = [1 << v for _, v in edges]
    steps, changed = 1, True
    while changed and (length is None or steps < length):
        further = []
        for i, after in enumerate(onwards):
            found = reach[i]
            for j in after:
                found |= reach[j]
            further.append(found)
        changed, reach, steps = further != reach, further, steps + 1
    sets = [0] * ends.n
    for (u, _), found in zip(edges, reach, strict=True):
        sets[u] |= found & ~(1 << u)
    return sets


def separate_further(
    ends: Ends,
    ci: BoundCITest,
    strength: NDArray[np.float64],
    *,
    by_strength: bool,
    fixed: NDArray[np.bool_] | None,
    known_order: int,
    max_order: int | None,
    max_sets: int | None,
    length: int | None,
) -> Further:
    """Ask about every adjacent pair given its possible-d-sep sets, up to ``max_order`` variables.

    Parameters
    ----------
    ends : Ends
        The skeleton with the arrowheads of its unshielded colliders.
    ci, strength, by_strength
        The test; the unconditional strengths, and whether they decide which sets come first.
    fixed : array or None
        Pairs that are adjacent whatever the tests say.
    known_order : int
        Sets of so many neighbours of one end are known not to separate.
    max_order, max_sets, length
        The largest sets; the most sets of one pair, larger orders are left out; the longest paths.
    """
    reach = possible_dsep(ends, length)
    blocks = blocks_of(ends)
    separated: dict[tuple[int, int], tuple[tuple[int, ...], float]] = {}
    counts = [0]
    for x, y in ends.edges():
        if fixed is not None and fixed[x, y]:
            continue
        ends_of_pair = ~(1 << x | 1 << y)
        pools = [set(bits(reach[v] & blocks[x, y] & ends_of_pair)) for v in (x, y)]
        known = [set(ends.at[v]) for v in (x, y)]

        def rank(z: int, x: int = x, y: int = y) -> tuple[float, int]:
            return (-min(strength[x, z], strength[y, z]) if by_strength else 0.0, z)

        ranked = [sorted(pool, key=rank) for pool in pools]
        limit = _largest(max(map(len, ranked)), max_order, max_sets)
        found = None
        for order in range(1, limit + 1):
            counts.extend([0] * (order + 1 - len(counts)))
            sets = _sets(ranked, pools, known if order <= known_order else None, order)
            found, asked = _first_that_separates(ci, x, y, sets, order)
            counts[order] += asked
            if found is not None:
                separated[x, y] = found
                break
    return Further(Separations.of(separated), tuple(counts))


def _largest(size: int, max_order: int | None, max_sets: int | None) -> int:
    """Return the largest order to ask about, of sets out of so many variables."""
    limit = size if max_order is None else min(size, max_order)
    if max_sets is None:
        return limit
    order, sets = 0, 0
    while order < limit and sets + comb(size, order + 1) <= max_sets:
        order += 1
        sets += comb(size, order)
    return order


def _sets(
    ranked: Sequence[Sequence[int]], pools: Sequence[set[int]], known: Sequence[set[int]] | None, order: int
) -> Iterator[tuple[int, ...]]:
    """List the sets of one size out of either pool, each once, without those that are known not to separate."""
    for side in range(2):
        for chosen in combinations(ranked[side], order):
            if side == 1 and pools[0].issuperset(chosen):
                continue
            if known is None or not (known[0].issuperset(chosen) or known[1].issuperset(chosen)):
                yield chosen


def _first_that_separates(
    ci: BoundCITest, x: int, y: int, sets: Iterator[tuple[int, ...]], order: int
) -> tuple[tuple[tuple[int, ...], float] | None, int]:
    """Return the first set that separates x and y with its p-value, and how many sets it took."""
    asked, size = 0, _FIRST
    while True:
        part = list(islice(sets, size))
        if not part:
            return None, asked
        rows = np.array(part, np.int32).reshape(len(part), order)
        answers = ci.test_many(np.full(len(part), x, np.int32), np.full(len(part), y, np.int32), rows)
        separates = answers.independent
        if ci.has_p_values:
            # Large sets may leave nothing to judge by: that is no reason to remove an edge.
            separates = separates & ~np.isnan(answers.p_value)
        if separates.any():
            first = int(np.argmax(separates))
            return (tuple(sorted(part[first])), float(answers.p_value[first])), asked + first + 1
        asked += len(part)
        size = min(2 * size, _MOST)
