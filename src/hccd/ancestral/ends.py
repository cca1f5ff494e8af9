"""A graph with marks at the ends of its edges, while it is being oriented."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hccd.graphs.pag import ARROW, CIRCLE, PAG

#: Why a mark is there: 1 to 10 are Zhang's rules, this is an unshielded collider's arrowhead.
BY_COLLIDER = 0


class Ends:
    """The marks of a graph: ``at[x][y]`` is the mark at y of the edge between x and y, which both ``at`` lists hold.

    ``why[x, y]`` says what put that mark there. Neighbours of a variable are listed in ascending order, so that
    everything that goes through them is determined by the graph. ``changes`` counts what happened to it.
    """

    def __init__(self, n: int, edges: Iterable[Iterable[int]]) -> None:
        self.n = n
        self.at: list[dict[int, int]] = [{} for _ in range(n)]
        self.why: dict[tuple[int, int], int] = {}
        self.changes = 0
        both = [(x, y) for x, y in edges]
        for x, y in sorted(both + [(y, x) for x, y in both]):
            self.at[x][y] = CIRCLE

    @classmethod
    def of(cls, graph: PAG) -> Ends:
        """Take the marks of a graph."""
        x, y = np.nonzero(graph.marks)
        ends = cls(graph.n, [])
        for a, b in zip(x.tolist(), y.tolist(), strict=True):
            ends.at[a][b] = int(graph.marks[a, b])
        return ends

    def put(self, x: int, y: int, mark: int, why: int) -> None:
        """Replace a circle at y of the edge between x and y, if there is one."""
        if self.at[x][y] == CIRCLE:
            self.at[x][y] = mark
            self.why[x, y] = why
            self.changes += 1

    def put_colliders(self, colliders: Iterable[tuple[int, int, int]]) -> None:
        """Put the arrowheads x *-> z <-* y of unshielded colliders (x, z, y)."""
        for x, z, y in colliders:
            self.put(x, z, ARROW, BY_COLLIDER)
            self.put(y, z, ARROW, BY_COLLIDER)

    def has(self, x: int, y: int, at_x: int, at_y: int) -> bool:
        """Whether x and y are adjacent by an edge with these marks."""
        return self.at[x].get(y) == at_y and self.at[y][x] == at_x

    def drop(self, x: int, y: int) -> None:
        """Remove an edge."""
        del self.at[x][y], self.at[y][x]
        self.why.pop((x, y), None)
        self.why.pop((y, x), None)
        self.changes += 1

    def edges(self) -> list[tuple[int, int]]:
        """List the pairs x < y that are adjacent, sorted."""
        return [(x, y) for x in range(self.n) for y in self.at[x] if x < y]

    def pag(self) -> PAG:
        """Return the marks as a value."""
        marks = np.zeros((self.n, self.n), np.int8)
        for x, ends in enumerate(self.at):
            for y, mark in ends.items():
                marks[x, y] = mark
        return PAG(marks)
