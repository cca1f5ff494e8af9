"""A part of a graph: the variables near some others, and the graph among them."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidParameterError
from hccd.graphs import PAG, PDAG, AnyGraph


def within(graph: AnyGraph, centres: Sequence[int], distance: int) -> NDArray[np.int64]:
    """Return the variables that at most so many edges, of any direction, part from one of the centres; ascending."""
    if not isinstance(distance, Integral) or distance < 0:
        raise InvalidParameterError(f"distance is {distance!r}; give a whole number from 0")
    near = set(centres)
    border = near
    for _ in range(int(distance)):
        border = {w for v in border for w in graph.neighbors(v)} - near
        if not border:
            break
        near |= border
    return np.array(sorted(near), dtype=np.int64)


def restricted(graph: AnyGraph, kept: NDArray[np.int64]) -> AnyGraph:
    """Return the graph among some variables, numbered in the order given."""
    if isinstance(graph, PAG):
        return PAG(graph.marks[np.ix_(kept, kept)])
    place = np.full(graph.n, -1)
    place[kept] = np.arange(len(kept))
    directed, undirected = place[graph.directed_edges()], place[graph.undirected_edges()]
    return PDAG.from_edges(len(kept), directed[(directed >= 0).all(axis=1)], undirected[(undirected >= 0).all(axis=1)])
