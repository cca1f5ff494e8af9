"""Partial ancestral graphs: what is known of a system in which causes are hidden or rows are selected.

An edge has a mark at each end: a tail (the variable is an ancestor of the other), an arrowhead (it is none), or a
circle (the data leave it open). A PAG here need not be valid, so that one can be examined.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd.errors import InvalidGraphError
from hccd.graphs.edges import EdgeArray, permutation, read_only, sealed, variable_count
from hccd.graphs.marks import EdgeType, Mark, TypedEdge, edge_between
from hccd.graphs.skeleton import Skeleton

#: What ``PAG.marks`` has at an end of an edge: the numbers of pcalg's ``amat.pag``.
NONE, CIRCLE, ARROW, TAIL = 0, 1, 2, 3

_MARK_OF = {CIRCLE: Mark.CIRCLE, ARROW: Mark.ARROW, TAIL: Mark.TAIL}
_NUMBER_OF = {mark: number for number, mark in _MARK_OF.items()}


class PAG:
    """A graph over the variables 0 .. n-1 with a mark at each end of each edge, as an immutable value.

    Parameters
    ----------
    marks : array of int8, shape (n, n)
        ``marks[i, j]`` is the mark **at j** of the edge between i and j: 0 no edge, 1 circle, 2 arrowhead, 3 tail.

    Examples
    --------
    >>> graph = PAG([[0, 2, 0], [3, 0, 2], [0, 1, 0]])
    >>> [(i, j, kind.value) for i, j, kind in graph.typed_edges()]
    [(0, 1, 'directed'), (1, 2, 'partially-directed')]
    >>> graph
    PAG(n=3, directed=1, partially-directed=1)
    """

    n: int
    marks: NDArray[np.int8]

    def __init__(self, marks: ArrayLike) -> None:
        matrix = np.asarray(marks)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InvalidGraphError(f"Marks must be a square matrix, got an array of shape {matrix.shape}.")
        if matrix.size and (matrix.dtype.kind not in "iub" or matrix.min() < NONE or matrix.max() > TAIL):
            raise InvalidGraphError("Marks must be 0 (no edge), 1 (circle), 2 (arrowhead) or 3 (tail).")
        if np.any((matrix == NONE) != (matrix.T == NONE)) or np.any(np.diagonal(matrix) != NONE):
            raise InvalidGraphError("An edge must have a mark at both of its ends, which are different variables.")
        self.n = len(matrix)
        self.marks = read_only(np.ascontiguousarray(matrix, dtype=np.int8))

    @classmethod
    def from_edges(cls, n: int, edges: Iterable[TypedEdge]) -> PAG:
        """Return the graph with these edges.

        Examples
        --------
        >>> PAG.from_edges(2, [(0, 1, EdgeType.BIDIRECTED)]).marks.tolist()
        [[0, 2], [2, 0]]
        """
        marks = np.zeros((variable_count(n), n), np.int8)
        for source, target, kind in edges:
            at_source, at_target = kind.marks
            if marks[source, target] != NONE:
                raise InvalidGraphError(f"Two edges join {source} and {target}: keep one.")
            marks[target, source], marks[source, target] = _NUMBER_OF[at_source], _NUMBER_OF[at_target]
        return cls(sealed(marks))

    def typed_edges(self) -> list[TypedEdge]:
        """List the edges with their types, sorted; a symmetric edge has the smaller number first."""
        pairs = np.argwhere(np.triu(self.marks))
        return sorted((self.edge(x, y) for x, y in pairs.tolist()), key=lambda edge: edge[:2])

    def edge(self, x: int, y: int) -> TypedEdge:
        """Return the edge between two adjacent variables, as ``typed_edges`` lists it."""
        low, high = min(x, y), max(x, y)
        return edge_between(low, high, _MARK_OF[int(self.marks[high, low])], _MARK_OF[int(self.marks[low, high])])

    def directed_edges(self) -> EdgeArray:
        """Return the edges i -> j, with a tail and an arrowhead, sorted."""
        return sealed(np.argwhere((self.marks == ARROW) & (self.marks.T == TAIL)).astype(np.int32))

    def undirected_edges(self) -> EdgeArray:
        """Return the edges i - j with two tails, x < y, sorted: the selection of rows depends on their variables."""
        return sealed(np.argwhere(np.triu((self.marks == TAIL) & (self.marks.T == TAIL))).astype(np.int32))

    def skeleton(self) -> Skeleton:
        """Return the graph without its marks."""
        return self._skeleton

    @cached_property
    def _skeleton(self) -> Skeleton:
        return Skeleton.from_edges(self.n, np.argwhere(np.triu(self.marks)))

    def neighbors(self, x: int) -> tuple[int, ...]:
        """Return the variables adjacent to ``x`` by any edge, ascending."""
        return self._skeleton.neighbors(x)

    def relabelled(self, order: ArrayLike) -> PAG:
        """Return the same graph with other numbers for the variables: ``order[i]`` is the new one of variable i."""
        old = np.argsort(permutation(order, self.n))
        return PAG(sealed(self.marks[np.ix_(old, old)]))

    def __eq__(self, other: object) -> bool:
        return bool(np.array_equal(self.marks, other.marks)) if isinstance(other, PAG) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.n, self.marks.tobytes()))

    def __repr__(self) -> str:
        kinds = [kind for _, _, kind in self.typed_edges()]
        counts = [f"{kind.value}={kinds.count(kind)}" for kind in EdgeType if kind in kinds]
        return f"PAG({', '.join([f'n={self.n}', *counts])})"

    def __reduce__(self) -> tuple[Any, tuple[NDArray[np.int8]]]:
        # Through the constructor: an unpickled array would be writable.
        return PAG, (self.marks,)
