"""Collider rules set by set and triple by triple, in plain Python: what the compiled judgement must equal.

Sets, dictionaries and named tuples instead of arrays, and no batches: for each pair the sets come by size, those
among the neighbours of x before those among the neighbours of y.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from hccd.orientation import Triple

NO_TESTS: tuple[int, ...] = ()


def judge_triples(skeleton, evidence, marginals, ci, rule, max_order, by_strength):
    """Judge every unshielded triple; return the triples, sorted, and the tests made by order."""
    adjacent = [set(skeleton.neighbors(v)) for v in range(skeleton.n)]
    pairs = _separated_pairs(skeleton.n, adjacent, evidence, marginals)
    if rule == "separating-set" or (rule.startswith("max-p") and not ci.has_p_values):
        judged, counts = _by_separating_set(pairs, evidence, marginals), NO_TESTS
    else:
        judged, counts = _by_all_sets(pairs, adjacent, evidence, marginals, ci, rule, max_order, by_strength)
    return sorted(judged, key=lambda triple: (triple.z, triple.x, triple.y)), counts


def _separated_pairs(n, adjacent, evidence, marginals):
    """List the pairs at distance two that something separated, with the variables between them."""
    middles: dict[tuple[int, int], list[int]] = {}
    for z in range(n):
        around = sorted(adjacent[z])
        for i, x in enumerate(around):
            for y in around[i + 1 :]:
                if y not in adjacent[x]:
                    middles.setdefault((x, y), []).append(z)
    keys = sorted(middles)
    rows = [find_row(evidence.separations, x, y) for x, y in keys]
    pairs = []
    for (x, y), row in zip(keys, rows, strict=True):
        if row >= 0:
            pairs.append(SeparatedPair(x, y, tuple(middles[x, y]), row, evidence.separations.given_of(row)))
        elif marginals.independent[x, y]:
            pairs.append(SeparatedPair(x, y, tuple(middles[x, y]), -1, ()))
    return pairs


def _own_p_values(pairs, evidence, marginals):
    """Return the p-value that each pair was separated with."""
    rows = np.array([pair.row for pair in pairs], np.int64)
    ends = np.array([(pair.x, pair.y) for pair in pairs], np.int64).reshape(-1, 2)
    later = rows >= 0
    result = np.empty(len(pairs))
    result[later] = evidence.separations.p_value[rows[later]]
    result[~later] = marginals.p_values(ends[~later, 0], ends[~later, 1])
    return result


def _by_separating_set(pairs, evidence, marginals):
    own = _own_p_values(pairs, evidence, marginals)
    return [
        Triple(pair.x, z, pair.y, z not in pair.given, pair.given, float(own[i]))
        for i, pair in enumerate(pairs)
        for z in pair.middles
    ]


def find_row(separations, x, y):
    """Where a pair is among the separations, by looking at each; -1 if it is not there."""
    rows = [i for i, pair in enumerate(separations.pairs.tolist()) if pair == [x, y]]
    return rows[0] if rows else -1


def _by_all_sets(pairs, adjacent, evidence, marginals, ci, rule, max_order, by_strength):
    """Ask about the sets near each pair and let the rule decide."""
    own = _own_p_values(pairs, evidence, marginals)
    votes: list[list[tuple[float, tuple[int, ...]]]] = [[(float(own[i]), pair.given)] for i, pair in enumerate(pairs)]
    untested = UntestedSets(evidence, marginals, by_strength)
    counts: dict[int, int] = {}
    for i, pair in enumerate(pairs):
        largest = len(pair.given) if rule == "max-p" else max_order
        for given in untested.sets(pair, adjacent, largest):
            counts[len(given)] = counts.get(len(given), 0) + 1
            answer = ci.test_many(
                np.array([pair.x], np.int32), np.array([pair.y], np.int32), np.array([given], np.int32)
            )
            independent, p = bool(answer.independent[0]), float(answer.p_value[0])
            # Without a p-value from a test that has them there was nothing to judge by.
            if independent and (p == p or not ci.has_p_values):
                votes[i].append((p, given))

    judged = [
        _verdict(pair, z, candidates, rule) for pair, candidates in zip(pairs, votes, strict=True) for z in pair.middles
    ]
    width = max(counts, default=-1) + 1
    return judged, tuple(counts.get(order, 0) for order in range(width))


def _verdict(pair, z, candidates, rule):
    """Let the separating sets of a pair decide about one variable between them."""
    if rule.startswith("max-p"):
        best = max((p for p, _ in candidates if p == p), default=math.nan)
        # Nothing but sets without evidence: then the separating set, which comes first, has the word.
        winners = [vote for vote in candidates if vote[0] == best] or candidates[:1]
    else:
        winners = list(candidates)
    share = sum(z in given for _, given in winners) / len(winners)
    # Under max-p sets with exactly the same p-value may disagree: copies of a column do.
    undecided = share == 0.5 if rule == "majority" else 0.0 < share < 1.0
    collider = None if undecided else share < 0.5
    agreeing = [vote for vote in winners if collider is None or (z not in vote[1]) == collider]
    p, given = max(agreeing, key=lambda vote: -1.0 if vote[0] != vote[0] else vote[0])
    return Triple(pair.x, z, pair.y, collider, given, p)


class SeparatedPair(NamedTuple):
    """A separated pair with common neighbours, and the set that separated it; ``row`` -1: the empty set, at order 0."""

    x: int
    y: int
    middles: tuple[int, ...]
    row: int
    given: tuple[int, ...]


class UntestedSets:
    """The questions that are left for a collider rule."""

    def __init__(self, evidence, marginals, by_strength):
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
