"""FCI's last step: from a skeleton and judged triples to a valid PAG (Spirtes et al. 2000, Zhang 2008).

Colliders put arrowheads, the rules find all marks that follow, a MAG is made that follows these as far as one can, and
its PAG is the result. A collider that it does not have is a conflict; so is one that nobody claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hccd.ancestral.ends import BY_COLLIDER, Ends
from hccd.ancestral.mag import pag_of
from hccd.ancestral.member import member_of
from hccd.ancestral.rules import close
from hccd.graphs.pag import ARROW

#: The set that separates two variables, None if there is none.
SeparatedBy = Callable[[int, int], Sequence[int] | None]


def with_colliders(n: int, edges: Iterable[Iterable[int]], colliders: Iterable[tuple[int, int, int]]) -> Ends:
    """Return a skeleton with the arrowheads x *-> z <-* y of its colliders (x, z, y), and circles elsewhere."""
    ends = Ends(n, edges)
    for x, z, y in colliders:
        ends.put(x, z, ARROW, BY_COLLIDER)
        ends.put(y, z, ARROW, BY_COLLIDER)
    return ends


def marks_of(start: Ends, separated_by: SeparatedBy) -> Ends:
    """Apply the rules to a skeleton with its colliders, and return the marks as the tests have them."""

    def discriminate(path: list[int]) -> bool | None:
        given = separated_by(path[0], path[-1])
        return None if given is None else path[-2] not in given

    close(start, discriminate)
    return start


def valid_pag(marks: Ends) -> Ends:
    """Return the PAG of a MAG that follows the marks as far as one can: the same marks if they agree."""
    return pag_of(member_of(marks))
