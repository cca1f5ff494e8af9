"""Connected chordal graphs: their maximal cliques in a rooted tree, and what remains free once a clique comes first.

The undirected parts of a CPDAG are such graphs. A graph is given as the neighbours of each of its vertices. Nothing
here is counted or drawn; that is done in `hccd.graphs.clique_picking`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

Neighbours = Mapping[int, Collection[int]]


class RootedClique(NamedTuple):
    """A maximal clique, and the separators on the way to it from the root that lie inside of it, smallest first."""

    members: tuple[int, ...]
    separators: tuple[frozenset[int], ...]


def induced(graph: Neighbours, vertices: Collection[int]) -> dict[int, set[int]]:
    """Return the part of a graph on some of its vertices."""
    kept = set(vertices)
    return {v: kept.intersection(graph[v]) for v in vertices}


def components(graph: Neighbours, vertices: Iterable[int]) -> list[list[int]]:
    """Return the connected parts of the graph on some of its vertices, each in the order of a search."""
    left = dict.fromkeys(vertices)
    found = []
    while left:
        part = [left.popitem()[0]]
        for v in part:
            for u in graph[v]:
                if u in left:
                    del left[u]
                    part.append(u)
        found.append(part)
    return found


def rooted_cliques(graph: Neighbours) -> list[RootedClique]:
    """Return the maximal cliques of a connected chordal graph, parents before children in a clique tree.

    Maximum cardinality search (Blair and Peyton 1993): each vertex comes after as many of its neighbours as possible.
    A vertex with no more of them than the last one had begins a new clique, the child of the clique in which the
    last of these neighbours was first.
    """
    order, earlier = _by_cardinality(graph)
    place = {v: i for i, v in enumerate(order)}
    cliques: list[list[int]] = []
    parents: list[int] = []
    first_in: dict[int, int] = {}
    last = 0
    for v in order:
        before = earlier[v]
        if not cliques or len(before) <= last:
            parents.append(first_in[max(before, key=place.__getitem__)] if before else -1)
            cliques.append(sorted(before))
        cliques[-1].append(v)
        first_in[v] = len(cliques) - 1
        last = len(before)
    found: list[RootedClique] = []
    for members, parent in zip(cliques, parents, strict=True):
        inside = frozenset(members)
        # What lies in this clique and in one further up lies in all between, so the parent knows the rest.
        above = () if parent < 0 else (*found[parent].separators, inside.intersection(found[parent].members))
        own = {separator for separator in above if separator <= inside}
        found.append(RootedClique(tuple(members), tuple(sorted(own, key=len))))
    return found


def _by_cardinality(graph: Neighbours) -> tuple[list[int], dict[int, list[int]]]:
    """Return the vertices in the order of a maximum cardinality search, and the earlier neighbours of each."""
    earlier: dict[int, list[int]] = {v: [] for v in graph}
    # Vertices by their number of earlier neighbours; a dict keeps the order and forgets in no time.
    waiting: list[dict[int, None]] = [dict.fromkeys(graph)] + [{} for _ in graph]
    order: list[int] = []
    done: set[int] = set()
    most = 0
    while len(order) < len(graph):
        while not waiting[most]:
            most -= 1
        v = next(iter(waiting[most]))
        del waiting[most][v]
        order.append(v)
        done.add(v)
        for u in graph[v]:
            if u not in done:
                del waiting[len(earlier[u])][u]
                earlier[u].append(v)
                waiting[len(earlier[u])][u] = None
        most += 1
    return order, earlier


class _Cell:
    """A set of vertices that look alike so far, in a row of such sets."""

    __slots__ = ("after", "before", "listed", "members", "split_by", "split_into")

    def __init__(self, members: Iterable[int], listed: bool) -> None:
        self.members = dict.fromkeys(members)
        self.listed = listed
        self.before: _Cell | None = None
        self.after: _Cell | None = None
        self.split_by = -1
        self.split_into: _Cell | None = None


def layers_after(graph: Neighbours, clique: Collection[int]) -> list[list[int]]:
    """Return the other vertices in layers: edges between layers are forced once ``clique`` comes first.

    A lexicographic breadth-first search that begins with the clique (Wienöbst, Bannach and Liskiewicz 2021, algorithm
    1): vertices that it cannot tell apart when it reaches the first of them make a layer. Edges from the clique, and
    from a layer to a later one, point away in every orientation without colliders in which the clique comes first; the
    connected parts of each layer are free.
    """
    first = _Cell(clique, True)
    rest = _Cell((v for v in graph if v not in first.members), False)
    first.after, rest.before = rest, first
    cell_of = dict.fromkeys(first.members, first) | dict.fromkeys(rest.members, rest)
    head: _Cell | None = first
    layers: list[list[int]] = []
    while head is not None:
        if not head.members:
            head = head.after
            if head is not None:
                head.before = None
            continue
        if not head.listed:
            head.listed = True
            layers.append(list(head.members))
        v = next(iter(head.members))
        del head.members[v]
        del cell_of[v]
        for u in graph[v]:
            cell = cell_of.get(u)
            if cell is None:
                continue
            if cell.split_by != v or cell.split_into is None:
                near = _Cell((), cell.listed)
                near.before, near.after = cell.before, cell
                if cell.before is not None:
                    cell.before.after = near
                cell.before = near
                cell.split_by, cell.split_into = v, near
                if cell is head:
                    head = near
            del cell.members[u]
            cell.split_into.members[u] = None
            cell_of[u] = cell.split_into
    return layers
