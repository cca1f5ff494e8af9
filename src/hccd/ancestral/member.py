"""A MAG for marks that need not agree with each other: what makes the PAG of real data a valid one.

Marks that come from tests may contradict each other: they may close a cycle, or join by an inducing path what a test
has separated. So a MAG is made that follows them as far as one can, and its PAG is the result:

1. The variables are ordered, the last one first: a variable may come last if no arrow leaves it, and if the circles at
   it can be arrowheads without a new unshielded collider. If none can, the one that contradicts least does.
2. Edges follow this order. An edge with two arrowheads keeps them, unless one of its ends is an ancestor of the other;
   an undirected edge stays one unless an arrowhead meets it.
3. As long as an inducing path joins two variables without an edge, one of its edges with two arrowheads becomes an
   arrow.

Where the marks agree, as with an oracle, this is the construction of Zhang (2008, theorem 2), and the PAG is the one
that the marks come from.
"""

from __future__ import annotations

from itertools import combinations

from hccd.ancestral.ends import Ends
from hccd.ancestral.mag import almost_cycles, ancestors_of, inducing_path
from hccd.graphs.pag import ARROW, CIRCLE, TAIL


def member_of(marks: Ends) -> Ends:
    """Return a MAG on the same edges that follows the marks as far as one can."""
    order = _ordered(marks)
    place = {v: i for i, v in enumerate(order)}
    mag = Ends(marks.n, marks.edges())
    for x, y in marks.edges():
        ends = marks.at[y][x], marks.at[x][y]
        if ends in ((ARROW, ARROW), (TAIL, TAIL)):
            mag.at[y][x], mag.at[x][y] = ends
        else:
            _direct(mag, *sorted((x, y), key=place.__getitem__))
    _direct_lines_that_heads_meet(mag, place)
    while True:
        ancestors = ancestors_of(mag, order)
        wrong = almost_cycles(mag, ancestors)
        if not wrong:
            path = inducing_path(mag, ancestors)
            if path is None:
                return mag
            # Inside the path all edges have two arrowheads, and there is at least one.
            wrong = [(path[1], path[2])]
        for u, v in wrong:
            _direct(mag, *sorted((u, v), key=place.__getitem__))


def _direct(mag: Ends, tail: int, head: int) -> None:
    """Make an edge an arrow."""
    mag.at[head][tail], mag.at[tail][head] = TAIL, ARROW


def _direct_lines_that_heads_meet(mag: Ends, place: dict[int, int]) -> None:
    """Make arrows of undirected edges that an arrowhead meets, until there are none."""
    at = mag.at
    met = [v for v in range(mag.n) if any(at[u][v] == ARROW for u in at[v])]
    for v in met:
        for u in at[v]:
            if at[u][v] == TAIL and at[v][u] == TAIL:
                tail, head = sorted((u, v), key=place.__getitem__)
                _direct(mag, tail, head)
                if head not in met:
                    met.append(head)


def _ordered(marks: Ends) -> list[int]:
    """List the variables so that arrows lead onwards, as far as they can."""
    rest = set(range(marks.n))
    price = {v: _price(marks, v, rest) for v in rest}
    backwards = []
    while rest:
        v = min(rest, key=lambda v: (price[v], -v))
        rest.discard(v)
        backwards.append(v)
        for u in marks.at[v]:
            if u in rest:
                price[u] = _price(marks, u, rest)
    return backwards[::-1]


def _price(marks: Ends, v: int, rest: set[int]) -> tuple[int, int]:
    """Return how many arrows leave v, and how many unshielded colliders it becomes, if it comes last of the rest."""
    at = marks.at
    leaving = sum(1 for u in at[v] if u in rest and at[u][v] != ARROW and at[v][u] == ARROW)
    leaving += sum(1 for u in at[v] if u in rest and at[u][v] == TAIL and at[v][u] == CIRCLE)
    open_ends = [u for u in at[v] if u in rest and at[u][v] == CIRCLE and at[v][u] == CIRCLE]
    heads = [u for u in at[v] if at[u][v] == ARROW]
    new = sum(1 for u in open_ends for w in heads if w not in at[u])
    new += sum(1 for u, w in combinations(open_ends, 2) if w not in at[u])
    return leaving, new
