"""The skeleton: which pairs of variables are adjacent, and nothing about direction.

Discovery starts from a complete graph and only ever removes edges (section 3 of the paper), so a skeleton can
shrink (`Skeleton.without`) and never grow. It is kept as a sorted list of edges in one array, not as a
matrix: a cluster of 20 variables out of 10,000 costs 190 pairs, not a hundred million cells. Why an edge was
removed is not known here: see `hccd.graphs.separators`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd.errors import InvalidGraphError, InvalidParameterError
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
from hccd.graphs.rows import Rows


@dataclass(frozen=True, eq=False, repr=False)
class Skeleton:
    """An undirected graph over the variables 0 .. n-1, as an immutable value.

    Use `complete`, `from_edges` or `from_adjacency` unless the edges are in normal form already.

    Parameters
    ----------
    n : int
        Number of variables.
    edges : array of int32, shape (m, 2)
        Pairs x < y in lexicographic order, none repeated. The array is copied unless it is read-only and owns
        its memory.

    Examples
    --------
    >>> graph = Skeleton.from_edges(4, [(2, 1), (0, 2)])
    >>> graph
    Skeleton(n=4, edges=2)
    >>> graph.edges.tolist()
    [[0, 2], [1, 2]]
    >>> graph.neighbors(2)
    (0, 1)
    >>> graph.without(np.array([True, False])).edges.tolist()
    [[1, 2]]
    """

    n: int
    edges: EdgeArray

    def __post_init__(self) -> None:
        n = variable_count(self.n)
        edges = np.asarray(self.edges)
        if edges.ndim != 2 or edges.shape[1] != 2 or edges.dtype != np.int32:
            raise InvalidGraphError(
                f"Edges must be an int32 array of shape (m, 2), got shape {edges.shape} and type "
                f"{edges.dtype}: use Skeleton.from_edges to convert."
            )
        if len(edges) and not _is_normal(n, edges):
            raise InvalidGraphError(
                f"Edges must be sorted pairs 0 <= x < y < {n} without repetition, got {len(edges)} pairs "
                f"that are not: use Skeleton.from_edges to put them in order."
            )
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "edges", read_only(edges))

    @classmethod
    def complete(cls, n: int, variables: Sequence[int] | NDArray[np.integer[Any]] | None = None) -> Skeleton:
        """Return the graph of all pairs among ``variables`` (default: all n); the others are isolated.

        Parameters
        ----------
        n : int
            Number of variables of the graph.
        variables : sequence of int, optional
            The variables to join, in any order.

        Examples
        --------
        >>> Skeleton.complete(5, (4, 0, 2)).edges.tolist()
        [[0, 2], [0, 4], [2, 4]]
        """
        n = variable_count(n)
        members = np.arange(n) if variables is None else np.unique([variable(v, n) for v in variables])
        members = members.astype(np.int32)
        size = len(members)
        if variables is not None and size != len(variables):
            raise InvalidParameterError(
                f"The variables to join must be distinct, got {len(variables)} of which {size} differ."
            )
        edges = np.empty((size * (size - 1) // 2, 2), dtype=np.int32)
        edges[:, 0] = np.repeat(members, np.arange(size)[::-1])
        # Row by row: an index matrix of all pairs would need several times the memory of the result.
        start = 0
        for i in range(size - 1):
            stop = start + size - 1 - i
            edges[start:stop, 1] = members[i + 1 :]
            start = stop
        return cls._trusted(n, edges)

    @classmethod
    def from_adjacency(cls, matrix: ArrayLike) -> Skeleton:
        """Return the graph with an edge wherever the symmetric 0/1 ``matrix`` has a one.

        Examples
        --------
        >>> Skeleton.from_adjacency([[0, 1], [1, 0]]).edges.tolist()
        [[0, 1]]
        """
        adjacency = square_matrix(matrix).astype(np.bool_, copy=False)
        if not np.array_equal(adjacency, adjacency.T):
            x, y = np.argwhere(adjacency != adjacency.T)[0].tolist()
            raise InvalidGraphError(
                f"An adjacency matrix must be symmetric, but its cells ({x}, {y}) and ({y}, {x}) differ: "
                f"use matrix | matrix.T to drop the directions."
            )
        rows, columns = np.nonzero(adjacency)
        upper = rows < columns
        return cls._trusted(len(adjacency), np.column_stack([rows[upper], columns[upper]]).astype(np.int32))

    @classmethod
    def from_edges(cls, n: int, pairs: Pairs = ()) -> Skeleton:
        """Return the graph with the given edges; neither their order nor that inside a pair matters.

        Parameters
        ----------
        n : int
            Number of variables.
        pairs : iterable of pairs of int, or array of shape (m, 2)
            The edges; a repeated edge counts once.
        """
        n = variable_count(n)
        return cls._trusted(n, sorted_unique(n, np.sort(pair_array(n, pairs), axis=1)))

    @classmethod
    def _trusted(cls, n: int, edges: EdgeArray) -> Skeleton:
        """Build from a fresh array that is known to be in normal form, without checking or copying it."""
        graph = object.__new__(cls)
        object.__setattr__(graph, "n", n)
        object.__setattr__(graph, "edges", sealed(edges))
        return graph

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return len(self.edges)

    @property
    def adjacency(self) -> NDArray[np.bool_]:
        """The symmetric n x n matrix, read-only; computed at each access, since n may be 10,000."""
        matrix = np.zeros((self.n, self.n), dtype=np.bool_)
        matrix[self.edges[:, 0], self.edges[:, 1]] = True
        matrix[self.edges[:, 1], self.edges[:, 0]] = True
        return sealed(matrix)

    def neighbors(self, x: int) -> tuple[int, ...]:
        """Return the variables adjacent to ``x``, ascending."""
        return tuple(self.rows.row(variable(x, self.n)).tolist())

    def has_edge(self, x: int, y: int) -> bool:
        """Return whether ``x`` and ``y`` are adjacent; the order of the two does not matter."""
        row = self.rows.row(variable(x, self.n))
        at = int(np.searchsorted(row, variable(y, self.n)))
        return at < len(row) and int(row[at]) == y

    def degrees(self) -> NDArray[np.int64]:
        """Return the number of neighbours of each variable, an array of length n."""
        return np.bincount(self.edges.ravel(), minlength=self.n).astype(np.int64, copy=False)

    def without(self, drop_mask: NDArray[np.bool_]) -> Skeleton:
        """Return the graph without the marked edges.

        Parameters
        ----------
        drop_mask : array of bool, shape (m,)
            True for each row of `edges` to remove.
        """
        mask = np.asarray(drop_mask)
        if mask.shape != (self.n_edges,) or mask.dtype != np.bool_:
            raise InvalidParameterError(
                f"The mask must hold one bool per edge ({self.n_edges}), got shape {mask.shape} and type {mask.dtype}."
            )
        return self._trusted(self.n, self.edges[~mask]) if mask.any() else self

    def relabelled(self, order: ArrayLike) -> Skeleton:
        """Return the same graph with other numbers for the variables.

        Parameters
        ----------
        order : array of int, shape (n,)
            ``order[i]`` is the new label of the current variable i: a permutation of 0 .. n-1.

        Examples
        --------
        >>> Skeleton.from_edges(3, [(0, 1)]).relabelled([2, 0, 1]).edges.tolist()
        [[0, 2]]
        """
        labels = permutation(order, self.n).astype(np.int32)
        return self._trusted(self.n, sorted_unique(self.n, np.sort(labels[self.edges], axis=1)))

    @cached_property
    def rows(self) -> Rows:
        """The neighbours of all variables end to end, made at first use."""
        return Rows.of_edges(self.n, self.edges)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Skeleton):
            return NotImplemented
        return self.n == other.n and np.array_equal(self.edges, other.edges)

    def __hash__(self) -> int:
        return hash((self.n, self.edges.tobytes()))

    def __repr__(self) -> str:
        return f"Skeleton(n={self.n}, edges={self.n_edges})"

    def __reduce__(self) -> tuple[type[Skeleton], tuple[int, EdgeArray]]:
        # Through the constructor: an unpickled array would be writable, and what is derived need not travel.
        return Skeleton, (self.n, self.edges)


def _is_normal(n: int, edges: EdgeArray) -> bool:
    """Tell whether non-empty ``edges`` are pairs 0 <= x < y < n in strictly ascending order."""
    x, y = edges[:, 0], edges[:, 1]
    ascending = (x[1:] > x[:-1]) | ((x[1:] == x[:-1]) & (y[1:] > y[:-1]))
    return bool(x[0] >= 0 and y.max() < n and (x < y).all() and ascending.all())
