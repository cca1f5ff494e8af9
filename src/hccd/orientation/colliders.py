"""Which unshielded triples are colliders according to the tests, before conflicts are resolved.

A triple x - z - y with x, y not adjacent is a collider x -> z <- y if z is not in the set that separates x and y. The
rules differ in the sets that they use:

``separating-set``  the set that removed the edge x - y
``max-p``           of all sets among the neighbours of x or of y, no larger than the separating set, the one with the
                    highest p-value: cheap, and far more accurate
``max-p-full``      the same over sets up to ``max_order``
``conservative``    all separating sets among them must agree; otherwise the triple is ambiguous and not used
``majority``        more than half of them decide; at exactly half the triple is ambiguous

Sets given which the pair is known to be dependent are not tested again. A set without evidence (zero degrees of
freedom) is never preferred. For a test without p-values the max-p rules use the separating set. A pair that no set
separated decides no triple.

Every separating set of a pair has a vote about the variables between its ends; a rule is a choice of votes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.graphs.untested import count_votes
from hccd.choices import COLLIDER_RULES, ColliderRule
from hccd.errors import InvalidParameterError
from hccd.graphs.rows import Rows, Unshielded
from hccd.graphs.separators import sets_of
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Marginals
from hccd.orientation.triples import Triples
from hccd.orientation.untested import Evidence, SeparatedPairs, untested_sets

_NO_TESTS: tuple[int, ...] = ()


class _Votes(NamedTuple):
    """Separating sets of pairs, the pair's own one before all others; ``given[start[i] : start[i + 1]]`` is set i."""

    pair: NDArray[np.int32]
    p_value: NDArray[np.float64]
    start: NDArray[np.int64]
    given: NDArray[np.int32]

    def taken(self, rows: NDArray[np.int64]) -> _Votes:
        return _Votes(self.pair[rows], self.p_value[rows], *sets_of(rows, self.start, self.given))


def judge_triples(
    skeleton: Skeleton,
    evidence: Evidence,
    marginals: Marginals,
    ci: BoundCITest,
    rule: ColliderRule,
    max_order: int | None,
    by_strength: bool,
) -> tuple[Triples, tuple[int, ...]]:
    """Decide about every unshielded triple; return the triples, sorted by (z, x, y), and the tests made by order."""
    if rule not in COLLIDER_RULES:
        raise InvalidParameterError(f"colliders is {rule!r}; choose one of {', '.join(COLLIDER_RULES)}")
    if np.max(evidence.separations.given, initial=-1) >= skeleton.n:
        raise InvalidParameterError(f"a separating set has a variable beyond the {skeleton.n} of the skeleton")
    rows = skeleton.rows
    found, pairs = _separated(rows.unshielded(), evidence, marginals)
    own = _own_votes(pairs, evidence)
    if rule == "separating-set" or (rule.startswith("max-p") and not ci.has_p_values):
        votes, counts = own, _NO_TESTS
    else:
        largest = np.diff(own.start) if rule == "max-p" else max_order
        limit = _limits(rows, pairs, largest)
        votes, counts = _asked(own, rows, pairs, limit, evidence, marginals, ci, by_strength)
        votes = _by_pair(_strongest(votes, len(pairs.x)) if rule.startswith("max-p") else votes)
    return _judged(rows, found, votes, len(pairs.x), rule == "majority"), counts


def _separated(found: Unshielded, evidence: Evidence, marginals: Marginals) -> tuple[Unshielded, SeparatedPairs]:
    """Return the triples whose ends are separated by some set, and the pairs of these ends."""
    row = evidence.separations.rows_of(found.pair_x, found.pair_y)
    at_once = row < 0
    separated = ~at_once
    separated[at_once] = marginals.independent[found.pair_x[at_once], found.pair_y[at_once]]
    if not separated.all():
        number = (np.cumsum(separated) - 1).astype(np.int32)
        kept = separated[found.pair]
        found = Unshielded(
            found.x_slot[kept], found.y_slot[kept], number[found.pair[kept]],
            found.pair_x[separated], found.pair_y[separated],
        )  # fmt: skip
        row, at_once = row[separated], at_once[separated]
    p_value = np.empty(len(row))
    p_value[~at_once] = evidence.separations.p_value[row[~at_once]]
    p_value[at_once] = marginals.p_values(found.pair_x[at_once], found.pair_y[at_once])
    return found, SeparatedPairs(found.pair_x, found.pair_y, row, p_value)


def _own_votes(pairs: SeparatedPairs, evidence: Evidence) -> _Votes:
    """Return the sets that the skeleton search found, one for each pair."""
    separations = evidence.separations
    return _Votes(
        np.arange(len(pairs.x), dtype=np.int32),
        pairs.p_value,
        *sets_of(pairs.row, separations.start, separations.given),
    )


def _limits(rows: Rows, pairs: SeparatedPairs, largest: NDArray[np.int64] | int | None) -> NDArray[np.int32]:
    """Return the size of the largest sets to test for each pair."""
    degree = np.diff(rows.first)
    near = np.maximum(degree[pairs.x], degree[pairs.y])
    return (near if largest is None else np.minimum(near, largest)).astype(np.int32)


def _asked(
    own: _Votes,
    rows: Rows,
    pairs: SeparatedPairs,
    limit: NDArray[np.int32],
    evidence: Evidence,
    marginals: Marginals,
    ci: BoundCITest,
    by_strength: bool,
) -> tuple[_Votes, tuple[int, ...]]:
    """Test the sets near each pair; return all that separate it, and the tests made by order."""
    parts = [own]
    counts: list[int] = []
    for pair, given in untested_sets(rows, pairs, limit, evidence, marginals, by_strength):
        order = given.shape[1]
        counts.extend([0] * (order + 1 - len(counts)))
        counts[order] += len(pair)
        answers = ci.test_many(pairs.x[pair], pairs.y[pair], given)
        # Without a p-value from a test that has them there was nothing to judge by.
        separates = answers.independent & ~np.isnan(answers.p_value) if ci.has_p_values else answers.independent
        chosen = given[separates]
        start = np.arange(len(chosen) + 1, dtype=np.int64) * order
        parts.append(_Votes(pair[separates], answers.p_value[separates], start, chosen.ravel()))
    if len(parts) == 1:
        return own, tuple(counts)
    sizes = np.concatenate([np.diff(part.start) for part in parts])
    votes = _Votes(
        np.concatenate([part.pair for part in parts]),
        np.concatenate([part.p_value for part in parts]),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate([part.given for part in parts]),
    )
    return votes, tuple(counts)


def _strongest(votes: _Votes, n_pairs: int) -> _Votes:
    """Return the votes with the highest p-value of their pair: several where they are exactly equal."""
    best = votes.p_value[:n_pairs].copy()
    np.fmax.at(best, votes.pair, votes.p_value)
    wins = votes.p_value == best[votes.pair]
    # Nothing but sets without evidence: then the separating set, which comes first, has the word.
    wins[:n_pairs] |= np.isnan(best)
    return votes.taken(np.flatnonzero(wins))


def _by_pair(votes: _Votes) -> _Votes:
    """Return the votes sorted by pair; those of one pair keep their order."""
    return votes.taken(np.argsort(votes.pair, kind="stable"))


def _judged(rows: Rows, found: Unshielded, votes: _Votes, n_pairs: int, majority: bool) -> Triples:
    """Let the votes decide about each triple.

    Under max-p sets with exactly the same p-value may disagree, as copies of a column do: then the triple is ambiguous.
    """
    z = rows.owner[found.x_slot]
    first = np.zeros(n_pairs + 1, np.int64)
    np.cumsum(np.bincount(votes.pair, minlength=n_pairs), out=first[1:])
    collider = np.empty(len(z), np.int8)
    decisive = np.empty(len(z), np.int64)
    count_votes(z, found.pair, first, votes.start, votes.given, votes.p_value, majority, collider, decisive)
    return Triples(
        rows.neighbors[found.x_slot],
        z,
        rows.neighbors[found.y_slot],
        collider,
        *sets_of(decisive, votes.start, votes.given),
        votes.p_value[decisive],
        np.full(len(z), np.nan),
    )
