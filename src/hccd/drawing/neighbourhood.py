"""A part of a graph: the variables near some others, the graph among them, and the graph of some edges."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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


def sparser(graph: AnyGraph, kept: Collection[tuple[int, int]]) -> AnyGraph:
    """Return the graph of all variables and some of the edges, each named as ``typed_edges`` does."""
    if isinstance(graph, PAG):
        return PAG.from_edges(graph.n, [edge for edge in graph.typed_edges() if edge[:2] in kept])
    parts = [[edge for edge in map(tuple, own.tolist()) if edge in kept]
             for own in (graph.directed_edges(), graph.undirected_edges())]  # fmt: skip
    return PDAG.from_edges(graph.n, *parts)
