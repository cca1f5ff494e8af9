"""Partially directed graphs: DAGs, CPDAGs and everything between, as one matrix of marks.

This file is the one place that says what direction means (see `PDAG`). A PDAG here need not be valid: a cycle
or a graph without extension can be held, so that it can be examined (`hccd.graphs.validity`). What directions
follow from others is the business of `hccd.graphs.meek`, what a DAG's equivalence class is that of
`hccd.graphs.equivalence`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

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
from hccd.graphs.skeleton import Skeleton


@dataclass(frozen=True, eq=False, repr=False)
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

    marks: NDArray[np.int8]

    def __post_init__(self) -> None:
        marks = square_matrix(self.marks)
        converted = marks if marks.dtype == np.int8 else sealed(np.ascontiguousarray(marks, dtype=np.int8))
        object.__setattr__(self, "marks", read_only(converted))

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
        marks = np.zeros((n, n), dtype=np.int8)
        marks[arcs[:, 0], arcs[:, 1]] = 1
        clash = marks[arcs[:, 1], arcs[:, 0]] == 1
        if clash.any():
            x, y = arcs[np.flatnonzero(clash)[0]].tolist()
            raise InvalidGraphError(
                f"Directed edges {x} -> {y} and {y} -> {x} exclude each other: give one of them, or an undirected edge."
            )
        clash = (marks[lines[:, 0], lines[:, 1]] | marks[lines[:, 1], lines[:, 0]]) == 1
        if clash.any():
            x, y = lines[np.flatnonzero(clash)[0]].tolist()
            raise InvalidGraphError(f"The edge between {x} and {y} is both directed and undirected: give one.")
        marks[lines[:, 0], lines[:, 1]] = 1
        marks[lines[:, 1], lines[:, 0]] = 1
        return cls(sealed(marks))

    @classmethod
    def empty(cls, n: int) -> PDAG:
        """Return the graph over n variables without edges."""
        n = variable_count(n)
        return cls(sealed(np.zeros((n, n), dtype=np.int8)))

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.marks)

    def directed_edges(self) -> EdgeArray:
        """Return the directed edges, one row (i, j) for each i -> j, sorted; the array is read-only."""
        return self._edges[0]

    def undirected_edges(self) -> EdgeArray:
        """Return the undirected edges, one row x < y for each, sorted; the array is read-only."""
        return self._edges[1]

    @cached_property
    def _edges(self) -> tuple[EdgeArray, EdgeArray]:
        # Viewing as bool costs nothing and lets numpy take its fast path, which matters for 10,000 variables.
        rows, columns = np.nonzero(self.marks.view(np.bool_))
        mutual = self.marks[columns, rows] == 1
        marked = np.column_stack([rows, columns]).astype(np.int32)
        return sealed(marked[~mutual]), sealed(marked[mutual & (rows < columns)])

    def skeleton(self) -> Skeleton:
        """Return the graph without its directions."""
        return Skeleton.from_edges(self.n, np.concatenate(self._edges))

    def parents(self, x: int) -> tuple[int, ...]:
        """Return the variables i with i -> x, ascending."""
        x = variable(x, self.n)
        return _members(self.marks[:, x] > self.marks[x])

    def children(self, x: int) -> tuple[int, ...]:
        """Return the variables i with x -> i, ascending."""
        x = variable(x, self.n)
        return _members(self.marks[x] > self.marks[:, x])

    def undirected_neighbors(self, x: int) -> tuple[int, ...]:
        """Return the variables i with i - x, ascending."""
        x = variable(x, self.n)
        return _members((self.marks[x] & self.marks[:, x]) == 1)

    def neighbors(self, x: int) -> tuple[int, ...]:
        """Return the variables adjacent to ``x`` by any edge, ascending."""
        x = variable(x, self.n)
        return _members((self.marks[x] | self.marks[:, x]) == 1)

    def topological_order(self) -> tuple[int, ...] | None:
        """Return the variables, parents before children, or None if the directed edges form a cycle.

        Undirected edges are ignored. Among the variables that may come next the smallest does, so the order
        is determined by the graph.

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
        """Tell whether no edge is undirected and the directed edges form no cycle."""
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
        labels = permutation(order, self.n)
        marks = np.empty_like(self.marks)
        marks[np.ix_(labels, labels)] = self.marks
        return PDAG(sealed(marks))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PDAG):
            return NotImplemented
        return np.array_equal(self.marks, other.marks)

    def __hash__(self) -> int:
        return hash((self.n, self.marks.tobytes()))

    def __repr__(self) -> str:
        return f"PDAG(n={self.n}, directed={len(self._edges[0])}, undirected={len(self._edges[1])})"

    def __reduce__(self) -> tuple[type[PDAG], tuple[NDArray[np.int8]]]:
        # Through the constructor: an unpickled array would be writable, and what is derived need not travel.
        return PDAG, (self.marks,)


def _members(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(np.flatnonzero(mask).tolist())
