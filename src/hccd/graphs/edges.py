"""Edges, variables and labels as the graph classes take them in: types and the checks they share.

A variable is an integer 0 .. n-1. An undirected edge is a pair x < y; many edges are one int32 array of shape
(m, 2), because the complete graph over 10,000 variables has fifty million of them. This file knows no graph:
it turns what a caller gives into checked arrays, and refuses what cannot be an edge, a variable or a
relabelling.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd._kernels.graphs.adjacency import sort_pairs
from hccd.errors import InvalidGraphError, InvalidParameterError

Edge: TypeAlias = tuple[int, int]
EdgeArray: TypeAlias = NDArray[np.int32]
Pairs: TypeAlias = Iterable[Sequence[int]] | NDArray[np.integer[Any]]

Scalar = TypeVar("Scalar", bound=np.generic)


def read_only(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return ``array`` itself if nobody can write to it any more, else a read-only copy of it."""
    if array.flags.writeable or array.base is not None or not array.flags.c_contiguous:
        array = np.array(array, order="C", copy=True)
        array.flags.writeable = False
    return array


def sealed(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Set a fresh array, which no caller holds, to read-only and return it: no copy is made."""
    array.flags.writeable = False
    return array


def variable_count(n: int) -> int:
    """Return ``n`` as a plain int, refusing what cannot be a number of variables."""
    try:
        count = index(n)
    except TypeError:
        count = -1
    if not 0 <= count <= np.iinfo(np.int32).max:
        raise InvalidGraphError(f"The number of variables must be an integer >= 0, got {n!r}.")
    return count


def variable(x: int, n: int) -> int:
    """Return ``x`` as a plain int, refusing what is not one of the variables 0 .. n-1."""
    try:
        label = index(x)
    except TypeError:
        label = -1
    if not 0 <= label < n:
        raise InvalidParameterError(f"Variable {x!r} does not exist: use an integer from 0 to {n - 1}.")
    return label


def pair_array(n: int, pairs: Pairs) -> EdgeArray:
    """Return ``pairs`` as an (m, 2) array in the order given, each a pair of different variables 0 .. n-1."""
    try:
        array = np.asarray(pairs if isinstance(pairs, np.ndarray) else list(pairs))
    except ValueError:
        raise InvalidGraphError("Edges must be pairs of variables, got items of unequal length.") from None
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int32)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise InvalidGraphError(
            f"Edges must be pairs of integers, got an array of shape {array.shape} and type {array.dtype}."
        )
    outside = np.any((array < 0) | (array >= n), axis=1)
    if outside.any():
        raise InvalidGraphError(
            f"Edge {_first(array, outside)} names a variable that does not exist: use integers from 0 to {n - 1}."
        )
    loops = array[:, 0] == array[:, 1]
    if loops.any():
        raise InvalidGraphError(f"Edge {_first(array, loops)} joins a variable to itself: leave it out.")
    return array.astype(np.int32)


def pair_order(n: int, x: NDArray[np.int32], y: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the places of the pairs (x[i], y[i]) of variables 0 .. n-1 in lexicographic order."""
    order = np.empty(len(x), np.int64)
    sort_pairs(x, y, n, order)
    return order


def sorted_unique(n: int, pairs: EdgeArray) -> EdgeArray:
    """Sort the rows of ``pairs`` lexicographically and drop repeated ones; both columns stay as they are."""
    x, y = np.ascontiguousarray(pairs.T)
    order = pair_order(n, x, y)
    x, y = x[order], y[order]
    repeated = (x[1:] == x[:-1]) & (y[1:] == y[:-1])
    result = np.column_stack([x, y])
    return result[np.concatenate([[True], ~repeated])] if repeated.any() else result


def permutation(order: ArrayLike, n: int) -> NDArray[np.intp]:
    """Return ``order`` as an index array, refusing what is not a permutation of 0 .. n-1."""
    array = np.asarray(order)
    if array.size == 0 and n == 0:
        return np.empty(0, dtype=np.intp)
    if (
        array.shape != (n,)
        or array.dtype.kind not in "iu"
        or not np.array_equal(np.sort(array), np.arange(n, dtype=array.dtype))
    ):
        raise InvalidParameterError(
            f"The new labels must be a permutation of 0 .. {n - 1}, "
            f"got an array of shape {array.shape} and type {array.dtype}."
        )
    return array.astype(np.intp)


def square_matrix(matrix: ArrayLike) -> NDArray[Any]:
    """Return ``matrix`` as a square array of zeros and ones with a zero diagonal, in its own type."""
    array = np.asarray(matrix)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise InvalidGraphError(f"A graph's matrix must be square, got shape {array.shape}.")
    if array.dtype.kind not in "biuf":
        raise InvalidGraphError(f"A graph's matrix must hold only 0 and 1, got values of type {array.dtype}.")
    # Whole numbers between the bounds need no look at each cell, which would cost three matrices of memory.
    bounded = array.size == 0 or bool(array.min() >= 0 and array.max() <= 1)
    if not bounded or array.dtype.kind == "f":
        other = (array != 0) & (array != 1)
        if other.any():
            raise InvalidGraphError(
                f"A graph's matrix must hold only 0 and 1, got {array[other][0]!s}: threshold weights first."
            )
    if array.diagonal().any():
        raise InvalidGraphError(
            f"A graph's matrix must have a zero diagonal, got an edge from variable "
            f"{int(np.flatnonzero(array.diagonal())[0])} to itself."
        )
    return array


def _first(array: NDArray[Any], rows: NDArray[np.bool_]) -> Edge:
    """Return the first of the marked rows as a pair of plain ints."""
    x, y = array[np.flatnonzero(rows)[0]].tolist()
    return x, y
