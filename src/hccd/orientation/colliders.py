"""Which unshielded triples are colliders: the evidence of the data, before any conflict is looked at.

A triple x - z - y with x, y not adjacent is a collider x -> z <- y if z is not in what separates x and y. The rules
differ in whom they ask:

``separating-set``  the set that removed the edge x - y
``max-p``           of all sets among the neighbours of x or of y, no larger than the separating set, the one with the
                    highest p-value: cheap, and far more accurate
``max-p-full``      the same over sets up to ``max_order``
``conservative``    all separating sets among them must agree, else the triple is ambiguous and claims nothing
``majority``        more than half of them decide; at exactly half the triple is ambiguous

Sets already known to be dependent are not tested again. A set without evidence (zero degrees of freedom) never
wins. A test without p-values falls back to the separating set under the max-p rules. A pair that nothing ever
separated claims nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidParameterError
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Marginals
from hccd.orientation.untested import Evidence, SeparatedPair, UntestedSets

ColliderRule = Literal["separating-set", "max-p", "max-p-full", "conservative", "majority"]
COLLIDER_RULES: tuple[str, ...] = get_args(ColliderRule)
_NO_TESTS: tuple[int, ...] = ()
_BATCH = 50_000


class Triple(NamedTuple):
    """An unshielded triple x - z - y (x < y) and what the rule says of it.

    ``collider`` is None if the evidence is ambiguous; ``given`` is the set that decided, ``p_value`` its p-value.
    """

    x: int
    z: int
    y: int
    collider: bool | None
    given: tuple[int, ...]
    p_value: float


def judge_triples(
    skeleton: Skeleton,
    evidence: Evidence,
    marginals: Marginals,
    ci: BoundCITest,
    rule: ColliderRule,
    max_order: int | None,
    by_strength: bool,
) -> tuple[list[Triple], tuple[int, ...]]:
    """Judge every unshielded triple; return the triples, sorted, and the tests made by order."""
    if rule not in COLLIDER_RULES:
        raise InvalidParameterError(f"colliders is {rule!r}; choose one of {', '.join(COLLIDER_RULES)}")
    adjacent = [set(skeleton.neighbors(v)) for v in range(skeleton.n)]
    pairs = _separated_pairs(skeleton.n, adjacent, evidence, marginals)
    if rule == "separating-set" or (rule.startswith("max-p") and not ci.has_p_values):
        judged, counts = _by_separating_set(pairs, evidence, marginals), _NO_TESTS
    else:
        judged, counts = _by_all_sets(pairs, adjacent, evidence, marginals, ci, rule, max_order, by_strength)
    return sorted(judged, key=lambda triple: (triple.z, triple.x, triple.y)), counts


def _separated_pairs(
    n: int, adjacent: Sequence[set[int]], evidence: Evidence, marginals: Marginals
) -> list[SeparatedPair]:
    """List the pairs at distance two that something separated, with the variables between them."""
    middles: dict[tuple[int, int], list[int]] = {}
    for z in range(n):
        around = sorted(adjacent[z])
        for i, x in enumerate(around):
            for y in around[i + 1 :]:
                if y not in adjacent[x]:
                    middles.setdefault((x, y), []).append(z)
    keys = sorted(middles)
    rows = evidence.separations.rows_of(np.array(keys, np.int32).reshape(-1, 2)).tolist()
    pairs = []
    for (x, y), row in zip(keys, rows, strict=True):
        if row >= 0:
            pairs.append(SeparatedPair(x, y, tuple(middles[x, y]), row, evidence.separations.given_of(row)))
        elif marginals.independent[x, y]:
            pairs.append(SeparatedPair(x, y, tuple(middles[x, y]), -1, ()))
    return pairs


def _own_p_values(pairs: Sequence[SeparatedPair], evidence: Evidence, marginals: Marginals) -> NDArray[np.float64]:
    """Return the p-value that each pair was separated with."""
    rows = np.array([pair.row for pair in pairs], np.int64)
    ends = np.array([(pair.x, pair.y) for pair in pairs], np.int64).reshape(-1, 2)
    later = rows >= 0
    result = np.empty(len(pairs))
    result[later] = evidence.separations.p_value[rows[later]]
    result[~later] = marginals.p_values(ends[~later, 0], ends[~later, 1])
    return result


def _by_separating_set(pairs: Sequence[SeparatedPair], evidence: Evidence, marginals: Marginals) -> list[Triple]:
    own = _own_p_values(pairs, evidence, marginals)
    return [
        Triple(pair.x, z, pair.y, z not in pair.given, pair.given, float(own[i]))
        for i, pair in enumerate(pairs)
        for z in pair.middles
    ]


def _by_all_sets(
    pairs: Sequence[SeparatedPair],
    adjacent: Sequence[set[int]],
    evidence: Evidence,
    marginals: Marginals,
    ci: BoundCITest,
    rule: ColliderRule,
    max_order: int | None,
    by_strength: bool,
) -> tuple[list[Triple], tuple[int, ...]]:
    """Ask about the sets near each pair and let the rule decide."""
    own = _own_p_values(pairs, evidence, marginals)
    votes: list[list[tuple[float, tuple[int, ...]]]] = [[(float(own[i]), pair.given)] for i, pair in enumerate(pairs)]
    untested = UntestedSets(evidence, marginals, by_strength)
    counts: dict[int, int] = {}
    questions: dict[int, list[tuple[int, tuple[int, ...]]]] = {}

    def ask(order: int) -> None:
        batch = questions.pop(order)
        counts[order] = counts.get(order, 0) + len(batch)
        answers = ci.test_many(
            np.array([pairs[i].x for i, _ in batch], np.int32),
            np.array([pairs[i].y for i, _ in batch], np.int32),
            np.array([given for _, given in batch], np.int32).reshape(len(batch), order),
        )
        for (i, given), independent, p in zip(
            batch, answers.independent.tolist(), answers.p_value.tolist(), strict=True
        ):
            # Without a p-value from a test that has them there was nothing to judge by.
            if independent and (p == p or not ci.has_p_values):
                votes[i].append((p, given))

    for i, pair in enumerate(pairs):
        largest = len(pair.given) if rule == "max-p" else max_order
        for given in untested.sets(pair, adjacent, largest):
            batch = questions.setdefault(len(given), [])
            batch.append((i, given))
            if len(batch) >= _BATCH:
                ask(len(given))
    for order in sorted(questions):
        ask(order)

    judged = [
        _verdict(pair, z, candidates, rule) for pair, candidates in zip(pairs, votes, strict=True) for z in pair.middles
    ]
    width = max(counts, default=-1) + 1
    return judged, tuple(counts.get(order, 0) for order in range(width))


def _verdict(
    pair: SeparatedPair, z: int, candidates: Sequence[tuple[float, tuple[int, ...]]], rule: ColliderRule
) -> Triple:
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
