"""From a skeleton and judged triples to a graph that is always valid.

Colliders contradict each other on real data. Three steps make the best of it:

1. Colliders are accepted one after the other, best evidence first; one that would turn an accepted arrow round, or
   close a directed cycle, is dropped.
2. The accepted arrows are extended to a DAG on the skeleton, sink by sink (Dor and Tarsi 1992). If some variable can
   be a sink without becoming a collider that nothing speaks for, it is taken; if none can, the one that does least
   violence to the verdicts. Since the arrows have no cycle, this always ends.
3. The result is the equivalence class of that DAG: its colliders, closed under Meek's rules.

Where the verdicts agree, as with an oracle, nothing is dropped or forced, and the result is the CPDAG itself. Every
triple whose verdict the graph does not follow is listed as a conflict.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from hccd.errors import InvalidParameterError
from hccd.graphs.meek import Orienter
from hccd.graphs.pdag import PDAG
from hccd.graphs.skeleton import Skeleton
from hccd.orientation.colliders import Triple

ConflictPolicy = Literal["strongest", "first", "undirected"]
CONFLICT_POLICIES: tuple[str, ...] = get_args(ConflictPolicy)
Key = tuple[int, int, int]


class Conflict(NamedTuple):
    """A triple x - z - y whose verdict the graph does not follow.

    ``kind`` is ``dropped`` (judged a collider, but it is none) or ``forced`` (a collider that was not judged one);
    ``reason`` says what stood against it.
    """

    kind: Literal["dropped", "forced"]
    x: int
    z: int
    y: int
    p_value: float
    reason: str


@dataclass(frozen=True, eq=False)
class Oriented:
    """The graph, the conflicts, and why each arrow is there (``collider``, ``forced``, ``R1`` .. ``R4``)."""

    graph: PDAG
    conflicts: tuple[Conflict, ...]
    reasons: Mapping[tuple[int, int], str]


def orient(skeleton: Skeleton, triples: Sequence[Triple], policy: ConflictPolicy) -> Oriented:
    """Orient ``skeleton`` by the judged ``triples``.

    ``policy`` decides between colliders that contradict each other: ``strongest`` takes the higher p-value first,
    ``first`` the order of the variables; ``undirected`` (as in the paper's experiments) leaves out both claims on an
    edge that colliders want in both directions.
    """
    if policy not in CONFLICT_POLICIES:
        raise InvalidParameterError(f"conflicts is {policy!r}; choose one of {', '.join(CONFLICT_POLICIES)}")
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
    return Oriented(
        orienter.to_pdag(),
        tuple(_conflicts(triples, set(colliders), forced, verdicts, refusals)),
        orienter.reasons,
    )


def _judged(verdicts: Mapping[Key, Triple], key: Key) -> bool:
    """Whether the triple was judged a collider."""
    return key in verdicts and bool(verdicts[key].collider)


def _accept(n: int, triples: Sequence[Triple], policy: ConflictPolicy) -> tuple[list[set[int]], dict[Key, str]]:
    """Return the children of every variable by accepted colliders, and why the others were dropped."""
    claimed = [triple for triple in triples if triple.collider]
    if policy != "first":
        # nan: a test without p-values; all are equal then, and the order of the variables decides.
        claimed.sort(key=lambda triple: 0.0 if triple.p_value != triple.p_value else -triple.p_value)
    contested = _contested(claimed) if policy == "undirected" else set()
    children: list[set[int]] = [set() for _ in range(n)]
    refusals: dict[Key, str] = {}
    for triple in claimed:
        x, z, y = triple.x, triple.z, triple.y
        ends = [end for end in (x, y) if (end, z) not in contested]
        if len(ends) < 2:
            refusals[x, z, y] = "one of its edges is claimed in both directions"
        if any(end in children[z] for end in ends):
            refusals[x, z, y] = "better evidence directs one of its edges the other way"
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
            yield Conflict("dropped", *key, triple.p_value, refusals.get(key, "its edges are directed otherwise"))
    for key in forced:
        p = verdicts[key].p_value if key in verdicts else float("nan")
        yield Conflict("forced", *key, p, "the other directions of its edges contradict more verdicts")
