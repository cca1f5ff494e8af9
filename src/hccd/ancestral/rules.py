"""The rules R1 to R10 of Zhang (2008): every mark that follows from the colliders of a graph with hidden variables.

A star (*) is any mark, a circle (o) one that is not settled yet. R1 to R4 find arrowheads, and the tails that come with
them; R5 to R7 the edges that selection leaves undirected; R8 to R10 the tails that are left. With a perfect test all
ten together are complete (Zhang, *Artificial Intelligence* 172, 2008, theorem 4).

Where the verdicts about colliders contradict each other, a rule changes circles only.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from hccd.ancestral.ends import Ends
from hccd.ancestral.paths import circle_step, discriminating_path, possibly_directed_step, uncovered_paths
from hccd.graphs.pag import ARROW, CIRCLE, TAIL

#: Says of a discriminating path <d, ..., a, b, c> whether b is a collider on it; None: nobody knows.
#: It may remove an edge of the graph, and then answers None.
Discriminate = Callable[[list[int]], bool | None]


def close(ends: Ends, discriminate: Discriminate) -> None:
    """Apply all rules until none has anything more to say."""
    for rules in (_ARROWHEADS, _UNDIRECTED, _TAILS):
        before = -1
        while ends.changes != before:
            before = ends.changes
            for rule in rules:
                rule(ends, discriminate)


def _r1(ends: Ends, _: Discriminate) -> None:
    """a *-> b o-* c, a and c not adjacent: b -> c."""
    at = ends.at
    for b in range(ends.n):
        heads = [a for a in at[b] if at[a][b] == ARROW]
        for c in [c for c in at[b] if at[c][b] == CIRCLE]:
            if any(a not in at[c] for a in heads):
                ends.put(c, b, TAIL, 1)
                ends.put(b, c, ARROW, 1)


def _r2(ends: Ends, _: Discriminate) -> None:
    """a -> b *-> c or a *-> b -> c, and a *-o c: a *-> c."""
    at = ends.at
    for a in range(ends.n):
        for c in [c for c in at[a] if at[a][c] == CIRCLE]:
            for b in at[a].keys() & at[c].keys():
                if at[a][b] == ARROW and at[b][c] == ARROW and TAIL in (at[b][a], at[c][b]):
                    ends.put(a, c, ARROW, 2)
                    break


def _r3(ends: Ends, _: Discriminate) -> None:
    """a *-> b <-* c, a *-o d o-* c, a and c not adjacent, d *-o b: d *-> b."""
    at = ends.at
    for b in range(ends.n):
        for d in [d for d in at[b] if at[d][b] == CIRCLE]:
            around = [a for a in at[b] if at[a][b] == ARROW and at[a].get(d) == CIRCLE]
            if any(c not in at[a] for a, c in combinations(around, 2)):
                ends.put(d, b, ARROW, 3)


def _r4(ends: Ends, discriminate: Discriminate) -> None:
    """A discriminating path <d, ..., a, b, c> for b, and b o-* c: a <-> b <-> c if b is a collider, else b -> c."""
    at = ends.at
    for b in range(ends.n):
        for c in [c for c in at[b] if at[c][b] == CIRCLE]:
            path = discriminating_path(ends, b, c) if c in at[b] else None
            if path is None:
                continue
            collider = discriminate(path)
            if collider is None:
                continue
            ends.put(c, b, ARROW if collider else TAIL, 4)
            ends.put(b, c, ARROW, 4)
            if collider:
                ends.put(path[-3], b, ARROW, 4)


def _r5(ends: Ends, _: Discriminate) -> None:
    """a o-o b, and an uncovered circle path <a, c, ..., d, b>, a and d not adjacent, b and c not: all undirected."""
    at, step = ends.at, circle_step(ends)
    for a, b in ends.edges():
        for c in at[a]:
            if c == b or c in at[b] or not step(a, b) or not step(a, c):
                continue
            path = uncovered_paths(ends, a, c, step, [b], not_last=at[a]).get(b)
            if path is not None:
                for u, v in zip(path, [*path[1:], a], strict=True):
                    ends.put(u, v, TAIL, 5)
                    ends.put(v, u, TAIL, 5)


def _r6(ends: Ends, _: Discriminate) -> None:
    """a - b o-* c: b -* c."""
    at = ends.at
    for b in range(ends.n):
        if any(at[a][b] == TAIL and at[b][a] == TAIL for a in at[b]):
            for c in at[b]:
                ends.put(c, b, TAIL, 6)


def _r7(ends: Ends, _: Discriminate) -> None:
    """a -o b o-* c, a and c not adjacent: b -* c."""
    at = ends.at
    for b in range(ends.n):
        before = [a for a in at[b] if at[b][a] == TAIL and at[a][b] == CIRCLE]
        for c in [c for c in at[b] if at[c][b] == CIRCLE]:
            if any(a != c and a not in at[c] for a in before):
                ends.put(c, b, TAIL, 7)


def _r8(ends: Ends, _: Discriminate) -> None:
    """a -> b -> c or a -o b -> c, and a o-> c: a -> c."""
    at = ends.at
    for a, c in _open_arrows(ends):
        if any(
            at[b][a] == TAIL and at[a][b] != TAIL and ends.has(b, c, TAIL, ARROW) for b in at[a].keys() & at[c].keys()
        ):
            ends.put(c, a, TAIL, 8)


def _r9(ends: Ends, _: Discriminate) -> None:
    """a o-> c, and an uncovered path <a, b, ..., c> that may be directed, b and c not adjacent: a -> c."""
    at = ends.at
    step = possibly_directed_step(ends)
    for a, c in _open_arrows(ends):
        for b in at[a]:
            if b != c and b not in at[c] and step(a, b) and uncovered_paths(ends, a, b, step, [c]):
                ends.put(c, a, TAIL, 9)
                break


def _r10(ends: Ends, _: Discriminate) -> None:
    """a o-> c, b -> c <- d, uncovered paths that may be directed from a to b by m, from a to d by w: a -> c.

    m and w are different and not adjacent; m may be b, and w may be d.
    """
    at = ends.at
    step = possibly_directed_step(ends)
    for a, c in _open_arrows(ends):
        parents = [b for b in at[c] if b != a and ends.has(b, c, TAIL, ARROW)]
        if len(parents) < 2:
            continue
        leads_to = {m: set(uncovered_paths(ends, a, m, step, parents)) for m in at[a] if m != c and step(a, m)}
        for m, w in combinations(leads_to, 2):
            ways = leads_to[m], leads_to[w]
            # A parent for each of the two, and not the same one for both.
            if w not in at[m] and all(ways) and len(ways[0] | ways[1]) > 1:
                ends.put(c, a, TAIL, 10)
                break


def _open_arrows(ends: Ends) -> list[tuple[int, int]]:
    """List the edges a o-> c."""
    return [(a, c) for a in range(ends.n) for c in ends.at[a] if ends.has(a, c, CIRCLE, ARROW)]


_ARROWHEADS = (_r1, _r2, _r3, _r4)
_UNDIRECTED = (_r5, _r6, _r7)
_TAILS = (_r8, _r9, _r10)
