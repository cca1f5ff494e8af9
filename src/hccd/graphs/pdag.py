"""Partially directed graphs: DAGs, CPDAGs and everything between.

A graph is kept as its two sorted lists of edges, directed and undirected; the matrix of marks, a hundred million cells
for 10,000 variables, is made when somebody asks for it. This file is the one place that says what direction means
(see `PDAG`). A PDAG here need not be valid: a cycle or a graph without extension can be held, so that it can be
examined (`hccd.graphs.validity`). What directions follow from others is the business of `hccd.graphs.meek`, what a
DAG's equivalence class is that of `hccd.graphs.equivalence`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd.errors import InvalidGraphError
from hccd.graphs.edges import (
    EdgeArray,
    Pairs,
    pair_array,
    permutation,
    read_only,
    sealed,
    sorted_unique,
    square_matrix,
    variable,
    variable_count,
)
from hccd.graphs.marks import EdgeType, TypedEdge
from hccd.graphs.skeleton import Skeleton

#: How the owner of a row has its edge to a neighbour: see `PDAG.slot_marks`.
UNDIRECTED, OUT, IN = 0, 1, 2


@dataclass(frozen=True, eq=False, repr=False, init=False)
class PDAG:
    """A graph over the variables 0 .. n-1 whose edges are directed or undirected, as an immutable value.

    **Direction is from row to column**, everywhere in this library:

    ===============  ===============  ====================
    ``marks[i, j]``  ``marks[j, i]``  edge between i and j
    ===============  ===============  ====================
    1                0                i -> j
    0                1                i <- j
    1                1                i - j (undirected)
    0                0                none
    ===============  ===============  ====================

    Parameters
    ----------
    marks : array of int8, shape (n, n)
        Zeros and ones with a zero diagonal; other types of number and bools are converted. The array is
        copied unless it is int8, read-only and owns its memory.

    Examples
    --------
    >>> graph = PDAG([[0, 1, 0], [0, 0, 1], [0, 1, 0]])
    >>> graph
    PDAG(n=3, directed=1, undirected=1)
    >>> graph.directed_edges().tolist(), graph.undirected_edges().tolist()
    ([[0, 1]], [[1, 2]])
    >>> graph == PDAG.from_edges(3, directed=[(0, 1)], undirected=[(2, 1)])
    True
    """

    n: int
    _directed: EdgeArray
    _undirected: EdgeArray

    def __init__(self, marks: ArrayLike) -> None:
        matrix = square_matrix(marks)
        converted = matrix if matrix.dtype == np.int8 else sealed(np.ascontiguousarray(matrix, dtype=np.int8))
        kept = read_only(converted)
        # Viewing as bool costs nothing and lets numpy take its fast path, which matters for 10,000 variables.
        rows, columns = np.nonzero(kept.view(np.bool_))
        mutual = kept[columns, rows] == 1
        pairs = np.column_stack([rows, columns]).astype(np.int32)
        self._set(len(kept), pairs[~mutual], pairs[mutual & (rows < columns)])
        self.__dict__["marks"] = kept

    def _set(self, n: int, directed: EdgeArray, undirected: EdgeArray) -> None:
        """Fill a new graph from fresh arrays in normal form."""
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "_directed", sealed(directed))
        object.__setattr__(self, "_undirected", sealed(undirected))

    @classmethod
    def _trusted(cls, n: int, directed: EdgeArray, undirected: EdgeArray) -> PDAG:
        """Build from fresh arrays that are known to be in normal form, without checking or copying them."""
        graph = object.__new__(cls)
        graph._set(n, directed, undirected)
        return graph

    @classmethod
    def from_edges(cls, n: int, directed: Pairs = (), undirected: Pairs = ()) -> PDAG:
        """Return the graph with the given edges.

        Parameters
        ----------
        n : int
            Number of variables.
        directed : iterable of pairs of int, or array of shape (m, 2)
            Each pair (i, j) is i -> j.
        undirected : iterable of pairs of int, or array of shape (m, 2)
            Each pair is i - j; the order inside it does not matter.

        Raises
        ------
        InvalidGraphError
            If a pair is no edge, or two edges join the same variables in different ways.
        """
        n = variable_count(n)
        arcs = sorted_unique(n, pair_array(n, directed))
        lines = pair_array(n, undirected)
        ahead = arcs[:, 0].astype(np.int64) * n + arcs[:, 1]
        back = arcs[:, 1].astype(np.int64) * n + arcs[:, 0]
        clash = np.isin(ahead, back)
        if clash.any():
            x, y = arcs[np.flatnonzero(clash)[0]].tolist()
            raise InvalidGraphError(
                f"Directed edges {x} -> {y} and {y} -> {x} exclude each other: give one of them, or an undirected edge."
            )
        clash = np.isin(lines[:, 0].astype(np.int64) * n + lines[:, 1], np.concatenate([ahead, back]))
        if clash.any():
            x, y = lines[np.flatnonzero(clash)[0]].tolist()
            raise InvalidGraphError(f"The edge between {x} and {y} is both directed and undirected: give one.")
        return cls._trusted(n, arcs, sorted_unique(n, np.sort(lines, axis=1)))

    @classmethod
    def from_slot_marks(cls, skeleton: Skeleton, slot_marks: NDArray[np.int8]) -> PDAG:
        """Return the graph on ``skeleton`` whose edges have these `slot_marks`, which both ends must agree on."""
        rows = skeleton.rows
        out = np.flatnonzero(slot_marks == OUT)
        line = np.flatnonzero((slot_marks == UNDIRECTED) & (rows.owner < rows.neighbors))
        graph = cls._trusted(
            skeleton.n,
            np.column_stack([rows.owner[out], rows.neighbors[out]]),
            np.column_stack([rows.owner[line], rows.neighbors[line]]),
        )
        graph.__dict__["_skeleton"] = skeleton
        return graph

    @classmethod
    def empty(cls, n: int) -> PDAG:
        """Return the graph over n variables without edges."""
        n = variable_count(n)
        return cls._trusted(n, np.empty((0, 2), np.int32), np.empty((0, 2), np.int32))

    @cached_property
    def marks(self) -> NDArray[np.int8]:
        """The matrix of the table above, read-only."""
        matrix = np.zeros((self.n, self.n), dtype=np.int8)
        for pairs in (self._directed, self._undirected, self._undirected[:, ::-1]):
            matrix[pairs[:, 0], pairs[:, 1]] = 1
        return sealed(matrix)

    def directed_edges(self) -> EdgeArray:
        """Return the directed edges, one row (i, j) for each i -> j, sorted; the array is read-only."""
        return self._directed

    def undirected_edges(self) -> EdgeArray:
        """Return the undirected edges, one row x < y for each, sorted; the array is read-only."""
        return self._undirected

    def typed_edges(self) -> list[TypedEdge]:
        """List the edges with their types, sorted."""
        edges = [(i, j, EdgeType.DIRECTED) for i, j in self._directed.tolist()]
        edges += [(i, j, EdgeType.UNDIRECTED) for i, j in self._undirected.tolist()]
        return sorted(edges, key=lambda edge: edge[:2])

    def skeleton(self) -> Skeleton:
        """Return the graph without its directions."""
        return self._skeleton

    @cached_property
    def _skeleton(self) -> Skeleton:
        return Skeleton.from_edges(self.n, np.concatenate([self._directed, self._undirected]))

    @cached_property
    def slot_marks(self) -> NDArray[np.int8]:
        """For each slot of the skeleton's `rows` 0 (undirected), 1 (an arrow out of the row's owner) or 2 (into it)."""
        rows = self._skeleton.rows
        marks = np.zeros(rows.n_slots, np.int8)
        out = rows.slots(self._directed[:, 0], self._directed[:, 1])
        marks[out] = OUT
        marks[rows.mirror[out]] = IN
        return sealed(marks)

    def parents(self, x: int) -> tuple[int, ...]:
        """Return the variables i with i -> x, ascending."""
        return self._marked(x, IN)

    def children(self, x: int) -> tuple[int, ...]:
        """Return the variables i with x -> i, ascending."""
        return self._marked(x, OUT)

    def undirected_neighbors(self, x: int) -> tuple[int, ...]:
        """Return the variables i with i - x, ascending."""
        return self._marked(x, UNDIRECTED)

    def _marked(self, x: int, mark: int) -> tuple[int, ...]:
        """Return the neighbours of ``x`` by edges of one kind."""
        x = variable(x, self.n)
        rows = self._skeleton.rows
        of_x = self.slot_marks[rows.first[x] : rows.first[x + 1]]
        return tuple(rows.row(x)[of_x == mark].tolist())

    def neighbors(self, x: int) -> tuple[int, ...]:
        """Return the variables adjacent to ``x`` by any edge, ascending."""
        return self._skeleton.neighbors(x)

    def topological_order(self) -> tuple[int, ...] | None:
        """Return the variables, parents before children, or None if the directed edges form a cycle.

        Undirected edges are ignored. Of several variables that may come next, the smallest comes
        first, so each graph has one order.

        Examples
        --------
        >>> PDAG.from_edges(3, directed=[(2, 0), (0, 1)]).topological_order()
        (2, 0, 1)
        """
        arcs = self.directed_edges()
        children: list[list[int]] = [[] for _ in range(self.n)]
        for i, j in arcs.tolist():
            children[i].append(j)
        missing = np.bincount(arcs[:, 1], minlength=self.n).tolist()
        ready = [x for x in range(self.n) if not missing[x]]
        order: list[int] = []
        while ready:
            x = heappop(ready)
            order.append(x)
            for child in children[x]:
                missing[child] -= 1
                if not missing[child]:
                    heappush(ready, child)
        return tuple(order) if len(order) == self.n else None

    def is_dag(self) -> bool:
        """Return whether no edge is undirected and the directed edges form no cycle."""
        return len(self.undirected_edges()) == 0 and self.topological_order() is not None

    def relabelled(self, order: ArrayLike) -> PDAG:
        """Return the same graph with other numbers for the variables.

        Parameters
        ----------
        order : array of int, shape (n,)
            ``order[i]`` is the new label of the current variable i: a permutation of 0 .. n-1.

        Examples
        --------
        >>> PDAG.from_edges(3, directed=[(0, 1)]).relabelled([2, 0, 1]).directed_edges().tolist()
        [[2, 0]]
        """
        labels = permutation(order, self.n).astype(np.int32)
        return PDAG._trusted(
            self.n,
            sorted_unique(self.n, labels[self._directed]),
            sorted_unique(self.n, np.sort(labels[self._undirected], axis=1)),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PDAG):
            return NotImplemented
        return (
            self.n == other.n
            and np.array_equal(self._directed, other._directed)
            and np.array_equal(self._undirected, other._undirected)
        )

    def __hash__(self) -> int:
        return hash((self.n, self._directed.tobytes(), self._undirected.tobytes()))

    def __repr__(self) -> str:
        return f"PDAG(n={self.n}, directed={len(self._directed)}, undirected={len(self._undirected)})"

    def __reduce__(self) -> tuple[Any, tuple[int, EdgeArray, EdgeArray]]:
        # Through a constructor: an unpickled array would be writable, and what is derived need not travel.
        return PDAG.from_edges, (self.n, self._directed, self._undirected)
