"""What a graph must have and may not have, as matrices over its variables: the form in which knowledge is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.pdag import PDAG
from hccd.graphs.rows import Rows
from hccd.graphs.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Constraints:
    """Constraints on a graph that do not contradict each other.

    ``forbidden[x, y]``: there is no arrow from x to y. ``adjacent[x, y]``, symmetric: there is an edge between x and y.
    ``copies`` are pairs (x, copy of x), among those that are adjacent.
    """

    forbidden: NDArray[np.bool_]
    adjacent: NDArray[np.bool_]
    copies: tuple[tuple[int, int], ...] = ()

    @classmethod
    def none(cls, n: int) -> Constraints:
        """Return constraints that leave everything open."""
        return cls(np.zeros((n, n), np.bool_), np.zeros((n, n), np.bool_))

    def with_copies(self, copies: Sequence[tuple[int, int]]) -> Constraints:
        """Hang copies on what they are copies of: an arrow leads there, and they have no other edge."""
        if not copies:
            return self
        forbidden, adjacent = self.forbidden.copy(), self.adjacent.copy()
        for x, copy in copies:
            forbidden[copy, :] = forbidden[:, copy] = True
            forbidden[copy, copy] = forbidden[x, copy] = False
            adjacent[x, copy] = adjacent[copy, x] = True
        return replace(self, forbidden=forbidden, adjacent=adjacent, copies=(*self.copies, *copies))

    def within(self, skeleton: Skeleton) -> Constraints:
        """Return the same with no edges but those of a skeleton, which has all that there must be."""
        apart = ~skeleton.adjacency
        np.fill_diagonal(apart, False)
        return replace(self, forbidden=self.forbidden | apart)

    @property
    def excluded(self) -> NDArray[np.bool_]:
        """The pairs that have no edge: forbidden both ways; symmetric, False on the diagonal."""
        return self.forbidden & self.forbidden.T

    @property
    def required(self) -> NDArray[np.bool_]:
        """The arrows that there must be: ``required[x, y]`` from x to y."""
        return self.adjacent & self.forbidden.T

    def arrows(self, rows: Rows) -> NDArray[np.int32]:
        """Return the slots of edges that have one direction left: each is an arrow out of the owner of the row."""
        return np.flatnonzero(self.forbidden[rows.neighbors, rows.owner]).astype(np.int32)

    def told(self, rows: Rows) -> NDArray[np.int32]:
        """Return those of the arrows that the caller knows: nobody knows which of two copies comes first."""
        slots = self.arrows(rows)
        copies = {copy for _, copy in self.copies}
        return slots[~np.isin(rows.neighbors[slots], list(copies))] if copies else slots

    def with_arrows_to_copies(self, graph: PDAG) -> PDAG:
        """Return a graph in which every edge between a copy and its original leads to the copy."""
        if not self.copies:
            return graph
        copies = [copy for _, copy in self.copies]
        directed, undirected = (
            edges[~np.isin(edges, copies).any(axis=1)] for edges in (graph.directed_edges(), graph.undirected_edges())
        )
        return PDAG.from_edges(graph.n, [*directed.tolist(), *self.copies], undirected)

    def admitted(self, skeleton: Skeleton, strength: NDArray[np.float64]) -> Skeleton:
        """Return the skeleton without edges whose one direction left closes a cycle with those of stronger edges.

        Forbidden directions may leave a cycle only if all its edges are there, so this is no contradiction in itself.
        """
        slots = self.arrows(skeleton.rows)
        tail, head = skeleton.rows.owner[slots], skeleton.rows.neighbors[slots]
        if cycle_of(skeleton.n, tail, head) is None:
            return skeleton
        # Required arrows come first: among them there is no cycle.
        order = np.lexsort((-strength[tail, head], ~self.adjacent[tail, head]))
        above: list[set[int]] = [{v} for v in range(skeleton.n)]
        gone = set()
        for x, y in zip(tail[order].tolist(), head[order].tolist(), strict=True):
            if y in above[x]:
                gone.add((min(x, y), max(x, y)))
                continue
            for v in range(skeleton.n):
                if y in above[v]:
                    above[v] |= above[x]
        stays = [edge not in gone for edge in map(tuple, skeleton.edges.tolist())]
        return Skeleton(skeleton.n, skeleton.edges[np.array(stays, bool)])


def cycle_of(n: int, tail: NDArray[np.int32], head: NDArray[np.int32]) -> Sequence[int] | None:
    """Return a directed cycle among arrows, from its smallest variable on, or None if there is none."""
    children: list[list[int]] = [[] for _ in range(n)]
    parents: list[list[int]] = [[] for _ in range(n)]
    for x, y in zip(tail.tolist(), head.tolist(), strict=True):
        children[x].append(y)
        parents[y].append(x)
    waiting = [v for v in range(n) if not parents[v]]
    open_parents = [len(some) for some in parents]
    left = set(range(n))
    while waiting:
        v = waiting.pop()
        left.discard(v)
        for y in children[v]:
            open_parents[y] -= 1
            if open_parents[y] == 0:
                waiting.append(y)
    if not left:
        return None
    # Everybody who is left has a parent that is left: going upwards must come back.
    path = [min(left)]
    while True:
        path.append(min(x for x in parents[path[-1]] if x in left))
        if path[-1] in path[:-1]:
            cycle = path[path.index(path[-1]) + 1 :][::-1]
            smallest = cycle.index(min(cycle))
            return cycle[smallest:] + cycle[:smallest]
