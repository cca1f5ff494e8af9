"""A graph as rows of neighbours: what the compiled kernels walk on.

The neighbours of all variables stand end to end in one array; a place in it is called a *slot*. The slot of u in the
row of v stands for the edge v - u as seen from v, so whatever is known about edges and arrows is an array along the
slots. This file knows nothing about direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.graphs.adjacency import fill_rows, find_slots, walk_unshielded
from hccd.graphs.edges import EdgeArray, sealed

_NOTHING = np.zeros(0, np.int32)


class Unshielded(NamedTuple):
    """Triples x - z - y, x < y not adjacent, sorted by (z, x, y), as columns.

    ``x_slot`` and ``y_slot`` are the slots of x and y in the row of z. ``pair`` is the number of the pair x, y, whose
    ends are ``pair_x`` and ``pair_y``: a pair has one triple for every variable between its ends.
    """

    x_slot: NDArray[np.int32]
    y_slot: NDArray[np.int32]
    pair: NDArray[np.int32]
    pair_x: NDArray[np.int32]
    pair_y: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Rows:
    """The neighbours of v are ``neighbors[first[v] : first[v + 1]]``, ascending.

    ``mirror[s]`` is the slot of the same edge in the row of its other end.
    """

    first: NDArray[np.int64]
    neighbors: NDArray[np.int32]
    mirror: NDArray[np.int32]

    @classmethod
    def of_edges(cls, n: int, edges: EdgeArray) -> Rows:
        """Return the rows of sorted edges x < y."""
        first = np.zeros(n + 1, np.int64)
        neighbors = np.empty(2 * len(edges), np.int32)
        mirror = np.empty(2 * len(edges), np.int32)
        fill_rows(edges, first, neighbors, mirror)
        return cls(sealed(first), sealed(neighbors), sealed(mirror))

    @property
    def n_slots(self) -> int:
        """Twice the number of edges."""
        return len(self.neighbors)

    @cached_property
    def owner(self) -> NDArray[np.int32]:
        """The variable whose row each slot is in."""
        return sealed(np.repeat(np.arange(len(self.first) - 1, dtype=np.int32), np.diff(self.first)))

    def row(self, v: int) -> NDArray[np.int32]:
        """Return the neighbours of ``v``, ascending."""
        return self.neighbors[self.first[v] : self.first[v + 1]]

    def slots(self, v: NDArray[np.integer[Any]], u: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
        """Return the slot of each u in the row of each v, -1 where they are not adjacent or do not exist."""
        found = np.empty(len(v), np.int32)
        find_slots(
            self.first, self.neighbors, np.ascontiguousarray(v, np.int32), np.ascontiguousarray(u, np.int32), found
        )
        return found

    def unshielded(self, kept: NDArray[np.bool_] | None = None) -> Unshielded:
        """Return the unshielded triples; with ``kept``, those of which both slots in the row of z are marked."""
        mask = np.ones(self.n_slots, np.uint8) if kept is None else kept.view(np.uint8)
        n = len(self.first) - 1
        graph = (self.first, self.neighbors, self.mirror, mask)
        count = np.zeros(n, np.int64)
        walk_unshielded(*graph, False, count, _NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING)
        place = np.cumsum(count)
        size = int(place[-1]) if n else 0
        place -= count
        columns = np.empty((5, size), np.int32)
        n_pairs = walk_unshielded(*graph, True, place, *columns)
        return Unshielded(columns[0], columns[1], columns[2], columns[3, :n_pairs], columns[4, :n_pairs])
