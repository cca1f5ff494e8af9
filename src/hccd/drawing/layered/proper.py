"""A layered graph whose edges join neighbouring rows only: long arcs run through a bend in every row between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.sizes import BOX_GAP, LANE, Boxes


@dataclass(frozen=True, eq=False)
class Proper:
    """Vertices 0 .. n-1 are variables, those above are bends of long arcs.

    Attributes
    ----------
    n : int
        How many of the vertices are variables.
    layer : list of int
        The row of each vertex.
    above, below : lists of lists of int
        The neighbours of each vertex in the row above and in the row below.
    chains : list of lists of int
        For each arc the vertices from its upper to its lower end.
    half : list of float
        Half the width of each vertex; a bend has none.
    height : float
        The height of every box.
    """

    n: int
    layer: list[int]
    above: list[list[int]]
    below: list[list[int]]
    chains: list[list[int]]
    half: list[float]
    height: float

    @property
    def n_layers(self) -> int:
        """How many rows there are."""
        return max(self.layer, default=-1) + 1

    def apart(self, v: int, w: int) -> float:
        """Return how far apart the middles of two neighbours in a row are at least."""
        return self.half[v] + self.half[w] + (LANE if v >= self.n and w >= self.n else BOX_GAP)

    def segments(self) -> list[NDArray[np.int64]]:
        """Return, for each row but the last, the pairs (vertex, vertex below it)."""
        found: list[list[tuple[int, int]]] = [[] for _ in range(self.n_layers - 1)]
        for v, below in enumerate(self.below):
            for w in below:
                found[self.layer[v]].append((v, w))
        return [np.array(pairs, dtype=np.int64).reshape(-1, 2) for pairs in found]


def made_proper(layer: Sequence[int], arcs: NDArray[np.int64], boxes: Boxes) -> Proper:
    """Put a bend into every row that an arc passes."""
    n = len(layer)
    rows = list(layer)
    chains = []
    for upper, lower in arcs.tolist():
        between = range(layer[upper] + 1, layer[lower])
        chains.append([upper, *range(len(rows), len(rows) + len(between)), lower])
        rows.extend(between)
    above: list[list[int]] = [[] for _ in rows]
    below: list[list[int]] = [[] for _ in rows]
    for chain in chains:
        for v, w in pairwise(chain):
            below[v].append(w)
            above[w].append(v)
    half = (boxes.widths / 2).tolist() + [0.0] * (len(rows) - n)
    return Proper(n, rows, above, below, chains, half, boxes.height)
