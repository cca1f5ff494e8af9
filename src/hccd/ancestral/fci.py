"""FCI's last step: from a skeleton and judged triples to a valid PAG (Spirtes et al. 2000, Zhang 2008).

Colliders put arrowheads, the rules find all marks that follow, a MAG is made that follows these as far as one can, and
its PAG is the result. A collider that it does not have is a conflict; so is one that nobody claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hccd.ancestral.contested import claims_to_follow
from hccd.ancestral.ends import Ends
from hccd.ancestral.mag import colliders_of, pag_of
from hccd.ancestral.member import member_of
from hccd.ancestral.rules import close
from hccd.graphs.pag import PAG
from hccd.graphs.skeleton import Skeleton
from hccd.orientation import ArrowReasons, Conflicts, Triples
from hccd.orientation.conflicts import FORCED, OTHERWISE, WEAKER, reason_code
from hccd.orientation.triples import COLLIDER

#: The set that separates two variables, None if there is none.
SeparatedBy = Callable[[int, int], Sequence[int] | None]


@dataclass(frozen=True, eq=False)
class OrientedPAG:
    """The graph, the conflicts, why each mark is there, and which triples (rows) are colliders in fact as claimed."""

    graph: PAG
    conflicts: Conflicts
    reasons: ArrowReasons
    followed: NDArray[np.int64]


def with_colliders(skeleton: Skeleton, triples: Triples, rows: NDArray[np.int64]) -> Ends:
    """Return a skeleton with the arrowheads of some triples, which are colliders, and circles elsewhere."""
    ends = Ends(skeleton.n, skeleton.edges.tolist())
    ends.put_colliders(members(triples, rows))
    return ends


def members(triples: Triples, rows: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """List triples as (x, z, y)."""
    return list(zip(*(column[rows].tolist() for column in (triples.x, triples.z, triples.y)), strict=True))


def orient_pag(
    skeleton: Skeleton, triples: Triples, separated_by: SeparatedBy, level: float | None = None
) -> OrientedPAG:
    """Orient ``skeleton`` by judged ``triples``; what separated the ends of a path decides about the path (R4).

    ``level`` is for claims that contradict each other: see ``claims_to_follow``.
    """

    def discriminate(path: list[int]) -> bool | None:
        given = separated_by(path[0], path[-1])
        return None if given is None else path[-2] not in given

    stand = claims_to_follow(triples, level)
    marks = with_colliders(skeleton, triples, stand)
    close(marks, discriminate)
    ends = pag_of(member_of(marks))
    return followed_by(ends, triples, stand)


def followed_by(ends: Ends, triples: Triples, stand: NDArray[np.int64]) -> OrientedPAG:
    """Compare a graph with the triples that it was made of, by the claims in the rows ``stand``."""
    claimed = np.flatnonzero(triples.collider == COLLIDER)
    claims = members(triples, claimed)
    there = set(colliders_of(ends))
    present = np.array([claim in there for claim in claims], np.bool_)
    forced = sorted(there.difference(claims), key=lambda triple: (triple[1], triple))
    supported = {(end, z) for x, z, y in there.intersection(claims) for end in (x, y)}
    refusal = np.where(np.isin(claimed, stand), OTHERWISE, WEAKER)
    return OrientedPAG(
        ends.pag(),
        _conflicts(triples, claimed[~present], refusal[~present], forced),
        reasons_of(ends, supported),
        claimed[present],
    )


def _conflicts(
    triples: Triples,
    dropped: NDArray[np.int64],
    refusal: NDArray[np.int64],
    forced: Iterable[tuple[int, int, int]],
) -> Conflicts:
    """List the claims that the graph does not have, and the colliders that nobody claimed."""
    added = np.array(list(forced), np.int32).reshape(-1, 3)
    return Conflicts(
        np.concatenate([triples.x[dropped], added[:, 0]]),
        np.concatenate([triples.z[dropped], added[:, 1]]),
        np.concatenate([triples.y[dropped], added[:, 2]]),
        np.concatenate([triples.p_value[dropped], np.full(len(added), np.nan)]),
        np.concatenate([refusal, np.full(len(added), FORCED)]).astype(np.int8),
    )


def reasons_of(ends: Ends, supported: set[tuple[int, int]]) -> ArrowReasons:
    """Return why each mark is there; an unshielded collider's arrowhead that is not supported is forced."""
    marks = sorted(ends.why)
    words = [
        f"R{ends.why[mark]}" if ends.why[mark] else "collider" if mark in supported else "forced" for mark in marks
    ]
    codes = np.array([reason_code(word) for word in words], np.int8)
    return ArrowReasons(np.array(marks, np.int32).reshape(-1, 2), codes)
