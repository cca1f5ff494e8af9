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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidParameterError
from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Marginals

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


class _Pair(NamedTuple):
    """A separated pair with common neighbours, and the set that separated it."""

    x: int
    y: int
    middles: tuple[int, ...]
    row: int
    given: tuple[int, ...]


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
        judged, counts = _by_separating_set(pairs, evidence, ci), _NO_TESTS
    else:
        judged, counts = _by_all_sets(pairs, adjacent, evidence, marginals, ci, rule, max_order, by_strength)
    return sorted(judged, key=lambda triple: (triple.z, triple.x, triple.y)), counts


def _separated_pairs(n: int, adjacent: Sequence[set[int]], evidence: Evidence, marginals: Marginals) -> list[_Pair]:
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
            pairs.append(_Pair(x, y, tuple(middles[x, y]), row, evidence.separations.given_of(row)))
        elif marginals.independent[x, y]:
            pairs.append(_Pair(x, y, tuple(middles[x, y]), -1, ()))
    return pairs


def _own_p_values(pairs: Sequence[_Pair], evidence: Evidence, ci: BoundCITest) -> NDArray[np.float64]:
    """Return the p-value that each pair was separated with; those of order 0 are read off again, not counted."""
    rows = np.array([pair.row for pair in pairs], np.int64)
    result = np.full(len(pairs), np.nan)
    result[rows >= 0] = evidence.separations.p_value[rows[rows >= 0]]
    marginal = np.flatnonzero(rows < 0).tolist()
    if marginal and ci.has_p_values:
        x = np.array([pairs[i].x for i in marginal], np.int32)
        y = np.array([pairs[i].y for i in marginal], np.int32)
        result[marginal] = ci.test_many(x, y, np.zeros((len(x), 0), np.int32)).p_value
    return result


def _by_separating_set(pairs: Sequence[_Pair], evidence: Evidence, ci: BoundCITest) -> list[Triple]:
    own = _own_p_values(pairs, evidence, ci)
    return [
        Triple(pair.x, z, pair.y, z not in pair.given, pair.given, float(own[i]))
        for i, pair in enumerate(pairs)
        for z in pair.middles
    ]


def _by_all_sets(
    pairs: Sequence[_Pair],
    adjacent: Sequence[set[int]],
    evidence: Evidence,
    marginals: Marginals,
    ci: BoundCITest,
    rule: ColliderRule,
    max_order: int | None,
    by_strength: bool,
) -> tuple[list[Triple], tuple[int, ...]]:
    """Ask about the sets near each pair and let the rule decide."""
    own = _own_p_values(pairs, evidence, ci)
    votes: list[list[tuple[float, tuple[int, ...]]]] = [[(float(own[i]), pair.given)] for i, pair in enumerate(pairs)]
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
        for given in _untested_sets(pair, adjacent, evidence, marginals, largest, by_strength):
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


def _verdict(pair: _Pair, z: int, candidates: Sequence[tuple[float, tuple[int, ...]]], rule: ColliderRule) -> Triple:
    """Let the separating sets of a pair decide about one variable between them."""
    if rule.startswith("max-p"):
        # The separating set comes first and wins ties; nan never wins.
        p, given = max(candidates, key=lambda vote: -1.0 if vote[0] != vote[0] else vote[0])
        return Triple(pair.x, z, pair.y, z not in given, given, p)
    p, given = candidates[0]
    share = sum(z in vote[1] for vote in candidates) / len(candidates)
    undecided = 0.0 < share < 1.0 if rule == "conservative" else share == 0.5
    return Triple(pair.x, z, pair.y, None if undecided else share < 0.5, given, p)


def _untested_sets(
    pair: _Pair,
    adjacent: Sequence[set[int]],
    evidence: Evidence,
    marginals: Marginals,
    largest: int | None,
    by_strength: bool,
) -> Iterator[tuple[int, ...]]:
    """List the sets among the neighbours of x or of y, up to a size, whose answer is not known yet."""
    x, y = pair.x, pair.y
    separator = frozenset(pair.given)
    strength = marginals.strength

    def rank(z: int) -> tuple[float, int]:
        return (-min(strength[x, z], strength[y, z]) if by_strength else 0.0), z

    ranks = {z: rank(z) for z in adjacent[x] | adjacent[y] | separator}
    found = sorted(ranks[z] for z in separator)

    def known(given: tuple[int, ...]) -> bool:
        """Whether the skeleton search has this answer."""
        if frozenset(given) == separator or not given:
            # Order 0 was asked for every pair: it separated (then it is the separator) or it is dependent.
            return True
        if pair.row < 0:
            return False
        places = [evidence.position[z] for z in given]
        row = pair.row
        if len(given) <= evidence.home_order[row] and all(
            evidence.home_start[row] <= place < evidence.home_stop[row] for place in places
        ):
            return True
        if not all(evidence.cluster_start[row] <= place < evidence.cluster_stop[row] for place in places):
            return False
        # The pass visits smaller sets first, and sets of one size in the order of their ranks.
        return len(given) < len(separator) or (len(given) == len(separator) and sorted(ranks[z] for z in given) < found)

    limit = max(len(adjacent[x]), len(adjacent[y])) if largest is None else largest
    for size in range(limit + 1):
        seen = set()
        for side in (adjacent[x], adjacent[y]):
            for given in combinations(sorted(side), size):
                if given not in seen and not known(given):
                    seen.add(given)
                    yield given
