"""Orientation with sets and dictionaries, in plain Python: what the compiled kernels must equal, reasons included.

Where Meek's rules find several arrows at once they are taken in ascending order of the variables.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hccd.orientation import Conflict, Triple

Key = tuple[int, int, int]


def orient(skeleton, triples, policy) -> tuple:
    """Orient ``skeleton`` by the judged ``triples``.

    ``policy`` decides between colliders that contradict each other: ``strongest`` takes first what depends most given
    the middle too, and of equals the higher p-value; ``first`` goes by the order of the variables; ``undirected`` (as
    in the paper's experiments) leaves out both claims on an edge that colliders want in both directions.
    """
    adjacent = [set(skeleton.neighbors(v)) for v in range(skeleton.n)]
    verdicts = {(triple.x, triple.z, triple.y): triple for triple in triples}
    accepted, refusals = _accept(skeleton.n, triples, policy)
    parents = _extension(adjacent, accepted, verdicts)

    orienter = Orienter(skeleton.n, skeleton.edges.tolist())
    colliders = [
        (x, z, y)
        for z in range(skeleton.n)
        for x in sorted(parents[z])
        for y in sorted(parents[z])
        if x < y and y not in adjacent[x]
    ]
    supported = [key for key in colliders if _judged(verdicts, key)]
    forced = [key for key in colliders if not _judged(verdicts, key)]
    # Supported ones first: an arrow that the data speak for is not called forced.
    orienter.assume(
        (end, z, why)
        for keys, why in ((supported, "collider"), (forced, "forced"))
        for x, z, y in keys
        for end in (x, y)
    )
    conflicts = tuple(_conflicts(triples, set(colliders), forced, verdicts, refusals))
    return orienter.children, orienter.undirected, conflicts, orienter.reasons


def _judged(verdicts: Mapping[Key, Triple], key: Key) -> bool:
    """Whether the triple was judged a collider."""
    return key in verdicts and bool(verdicts[key].collider)


def _accept(n: int, triples: Sequence[Triple], policy) -> tuple[list[set[int]], dict[Key, str]]:
    """Return the children of every variable by accepted colliders, and why the others were dropped."""
    claimed = [triple for triple in triples if triple.collider]
    if policy != "first":
        # nan: nothing to judge by, or no p-values; where all are equal the order of the variables decides.
        claimed.sort(key=lambda triple: 0.0 if triple.p_value != triple.p_value else -triple.p_value)
        claimed.sort(key=lambda triple: 2.0 if triple.dependence != triple.dependence else triple.dependence)
    contested = _contested(claimed) if policy == "undirected" else set()
    children: list[set[int]] = [set() for _ in range(n)]
    refusals: dict[Key, str] = {}
    for triple in claimed:
        x, z, y = triple.x, triple.z, triple.y
        ends = [end for end in (x, y) if (end, z) not in contested]
        if len(ends) < 2:
            refusals[x, z, y] = "colliders need opposite directions of one of its edges"
        if any(end in children[z] for end in ends):
            refusals[x, z, y] = "stronger evidence gives one of its edges the other direction"
        elif any(_reaches(children, z, end) for end in ends):
            refusals[x, z, y] = "it would close a directed cycle"
        else:
            for end in ends:
                children[end].add(z)
    return children, refusals


def _contested(claimed: Iterable[Triple]) -> set[tuple[int, int]]:
    """Return the arrows whose reverse is claimed too."""
    arrows = {arrow for triple in claimed for arrow in ((triple.x, triple.z), (triple.y, triple.z))}
    return {(a, b) for a, b in arrows if (b, a) in arrows}


def _reaches(children: Sequence[set[int]], start: int, goal: int) -> bool:
    """Whether a directed path leads from ``start`` to ``goal``."""
    seen = {start}
    stack = [start]
    while stack:
        for child in children[stack.pop()]:
            if child == goal:
                return True
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return False


def _extension(
    adjacent: Sequence[set[int]], children: Sequence[set[int]], verdicts: Mapping[Key, Triple]
) -> list[set[int]]:
    """Return the parents of every variable in a DAG on the skeleton that keeps the accepted arrows.

    Sinks are taken away one by one. The price of a sink is the number of colliders that it becomes without being one
    already and without having been judged one; price 0 is Dor and Tarsi's condition.
    """
    left = [set(neighbors) for neighbors in adjacent]
    into: list[set[int]] = [set() for _ in adjacent]
    for a, targets in enumerate(children):
        for b in targets:
            into[b].add(a)
    out = [set(targets) for targets in children]
    parents: list[set[int]] = [set() for _ in adjacent]

    def price(v: int) -> int:
        undecided = sorted(left[v] - into[v])
        total = 0
        for i, a in enumerate(undecided):
            for b in (*undecided[i + 1 :], *(into[v] & left[v])):
                if b not in adjacent[a] and not _judged(verdicts, (min(a, b), v, max(a, b))):
                    total += 1
        return total

    # Prices only fall while neighbours disappear, so an entry that is out of date has a newer one before it.
    waiting = [(price(v), -v) for v in range(len(adjacent)) if not out[v]]
    heapq.heapify(waiting)
    gone = [False] * len(adjacent)
    while waiting:
        _, minus = heapq.heappop(waiting)
        v = -minus
        if gone[v]:
            continue
        gone[v] = True
        parents[v] = left[v]
        for u in sorted(left[v]):
            left[u].discard(v)
            out[u].discard(v)
            if not out[u]:
                heapq.heappush(waiting, (price(u), -u))
    return parents


def _conflicts(
    triples: Iterable[Triple],
    present: set[Key],
    forced: Iterable[Key],
    verdicts: Mapping[Key, Triple],
    refusals: Mapping[Key, str],
) -> Iterable[Conflict]:
    """Compare the verdicts with the colliders that the graph has."""
    for triple in triples:
        key = (triple.x, triple.z, triple.y)
        if triple.collider and key not in present:
            yield Conflict("dropped", *key, triple.p_value, refusals.get(key, "its edges are re-oriented"))
    for key in forced:
        p = verdicts[key].p_value if key in verdicts else float("nan")
        yield Conflict("forced", *key, p, "its edges contradict fewer tests in this direction")


class Orienter:
    """A skeleton whose edges are being directed; whatever is assumed is closed under R1-R4 at once."""

    def __init__(self, n: int, edges: Iterable[Iterable[int]]) -> None:
        self.n = n
        self.adjacent: list[set[int]] = [set() for _ in range(n)]
        for x, y in edges:
            self.adjacent[x].add(y)
            self.adjacent[y].add(x)
        self.undirected: list[set[int]] = [set(neighbors) for neighbors in self.adjacent]
        self.parents: list[set[int]] = [set() for _ in range(n)]
        self.children: list[set[int]] = [set() for _ in range(n)]
        #: Why each arrow is there: the caller's word for an assumption, or the rule that derived it.
        self.reasons: dict[tuple[int, int], str] = {}

    def assume(self, arrows: Iterable[tuple[int, int, str]]) -> None:
        """Direct all ``arrows`` (from, to, reason), then all that follows from them.

        An edge that is directed already stays as it is. Consequences are drawn only once all the assumed arrows
        stand: before, an edge may look undirected that is not.
        """
        queue = list(arrows)
        n_assumed = len(queue)
        for a, b, why in queue[:n_assumed]:
            self._direct(a, b, why)
        for a, b, _ in queue[:n_assumed]:
            queue.extend(self._consequences(a, b))
        done = n_assumed
        while done < len(queue):
            a, b, why = queue[done]
            done += 1
            if self._direct(a, b, why):
                queue.extend(self._consequences(a, b))

    def _direct(self, a: int, b: int, why: str) -> bool:
        """Make a - b the arrow a -> b; say whether it was still undirected."""
        if b not in self.undirected[a]:
            return False
        self.reasons[a, b] = why
        self.undirected[a].discard(b)
        self.undirected[b].discard(a)
        self.children[a].add(b)
        self.parents[b].add(a)
        return True

    def _consequences(self, a: int, b: int) -> Iterator[tuple[int, int, str]]:
        """All arrows that the new arrow a -> b forces through one rule, with the name of the rule."""
        for name, rule in (
            ("R1", self._rule_1),
            ("R2", self._rule_2),
            ("R3", self._rule_3),
            ("R4", self._rule_4),
        ):
            for c, d in rule(a, b):
                yield c, d, name

    def _rule_1(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """a -> b - c with a, c not adjacent: b -> c, for otherwise b would be a new collider."""
        for c in sorted(self.undirected[b] - self.adjacent[a]):
            yield b, c

    def _rule_2(self, a: int, b: int) -> Iterator[tuple[int, int]]:
        """a -> b -> c with a - c: a -> c, for otherwise there would be a cycle; the new arrow is either one."""
        for c in sorted(self.children[b] & self.undirected[a]):
            yield a, c
        for z in sorted(self.parents[a] & self.undirected[b]):
            yield z, b

    def _rule_3(self, c: int, b: int) -> Iterator[tuple[int, int]]:
        """c -> b <- d, not adjacent, both undirected with a: a - b becomes a -> b."""
        for a in sorted(self.undirected[b] & self.undirected[c]):
            if any(d != c and d not in self.adjacent[c] for d in self.parents[b] & self.undirected[a]):
                yield a, b

    def _rule_4(self, p: int, q: int) -> Iterator[tuple[int, int]]:
        """d -> c -> b, b and d not adjacent, a - d, a ~ c: a - b becomes a -> b; the new arrow is either one."""
        for b in sorted(self.children[q] - self.adjacent[p]):
            for a in sorted(self.undirected[b] & self.undirected[p] & self.adjacent[q]):
                yield a, b
        for d in sorted(self.parents[p] - self.adjacent[q]):
            for a in sorted(self.undirected[q] & self.undirected[d] & self.adjacent[p]):
                yield a, q
