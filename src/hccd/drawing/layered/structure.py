"""A numbering of the variables that follows from the graph alone, so that pictures do not depend on column order.

Colours are refined until neighbours tell no further variables apart (Weisfeiler and Leman), with hubs first. Variables
that are still alike are told apart one at a time, smallest number first, and the refinement goes on. If those that are
alike are so by a symmetry of the graph, the numbering is the same for every order of the columns up to that symmetry,
and so is the picture. That can fail in regular graphs only, where refinement sees no difference although there is one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.graphs import PDAG, AnyGraph

#: How many times variables that are alike are told apart with care; the rest follow their numbers.
_MOST_CHOICES = 2000


def structural_order(graph: AnyGraph, widths: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the variables in an order that follows from the graph; those without neighbours come last.

    ``widths`` are those of the boxes: variables whose boxes differ are not alike. Without neighbours, the narrow ones
    come first, and equal ones go by number.
    """
    rows = graph.skeleton().rows
    first = np.asarray(rows.first, dtype=np.int64)
    degree = np.diff(first)
    linked = np.flatnonzero(degree)
    starts = first[linked]
    neighbor, mark = np.asarray(rows.neighbors, dtype=np.int64), _slot_marks(graph)

    colour = np.full(graph.n, graph.n, dtype=np.int64)
    colour[linked] = _ranks(-degree[linked], widths[linked])

    def refined(colour: NDArray[np.int64]) -> NDArray[np.int64]:
        classes = -1
        while classes != (found := int(colour[linked].max(initial=0))):
            classes = found
            seen = np.add.reduceat(_mixed(colour[neighbor].astype(np.uint64) * np.uint64(3) + mark), starts)
            colour = colour.copy()
            colour[linked] = _ranks(colour[linked], seen)
        return colour

    if len(linked):
        colour = refined(colour)
        for _ in range(_MOST_CHOICES):
            counts = np.bincount(colour[linked])
            alike = np.flatnonzero(counts > 1)
            if not len(alike):
                break
            chosen = linked[np.argmax(colour[linked] == alike[0])]
            colour[linked] *= 2
            colour[chosen] -= 1
            colour[linked] = _ranks(colour[linked])
            colour = refined(colour)
    return np.lexsort((np.arange(graph.n), np.where(degree > 0, 0.0, widths), colour))


def _slot_marks(graph: AnyGraph) -> NDArray[np.uint64]:
    """Return a number for the marks of each edge as seen from either of its ends, far above those of variables."""
    if isinstance(graph, PDAG):
        return graph.slot_marks.astype(np.uint64)
    rows = graph.skeleton().rows
    own, other = graph.marks[rows.neighbors, rows.owner], graph.marks[rows.owner, rows.neighbors]
    return (4 * own + other).astype(np.uint64) << np.uint64(40)


def _ranks(*keys: NDArray[np.int64] | NDArray[np.uint64] | NDArray[np.float64]) -> NDArray[np.int64]:
    """Number the distinct combinations of the keys in ascending order, the first key foremost."""
    order = np.lexsort(keys[::-1])
    new = np.zeros(len(order), dtype=np.int64)
    for key in keys:
        new[1:] |= key[order][1:] != key[order][:-1]
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.cumsum(new)
    return ranks


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread numbers over 64 bits (splitmix64), so that sums of them stand for multisets."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
