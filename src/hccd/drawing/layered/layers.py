"""Layers: the row of each variable, so that every arc leads at least one row down and few arcs are long.

Rows come from longest paths and are then moved, with whatever hangs on them, as long as that makes the arcs shorter in
sum (Nikolov and Tarassov's promotion). Where rows become too wide for the wanted shape of the picture they are broken
into several; arcs still lead down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.sizes import BOX_GAP, LANE, ROW_GAP, Boxes

Links = Sequence[Sequence[int]]

_ROUNDS = 30
_NARROWER = 0.8
#: A picture may be this many times as wide as wanted before its rows are broken.
_TOLERANCE = 1.25
#: How much the shape counts against longer arcs: arcs twice as long must make the picture 2 ** 0.5 times as fitting.
_PRICE = 0.5


@dataclass(frozen=True, eq=False)
class Layering:
    """The row of each of the variables of an acyclic graph, its arcs, and the boxes; the top row is 0."""

    arcs: NDArray[np.int64]
    layer: list[int]
    boxes: Boxes

    @cached_property
    def size(self) -> tuple[float, float]:
        """How wide and how high the picture will be, roughly."""
        rows = np.asarray(self.layer)
        height = int(rows.max()) + 1
        change = np.zeros(height + 1)
        np.add.at(change, rows[self.arcs[:, 0]] + 1, LANE)
        np.add.at(change, rows[self.arcs[:, 1]], -LANE)
        width = np.bincount(rows, self.boxes.widths + BOX_GAP, height) + np.cumsum(change)[:height]
        return float(width.max()), height * (self.boxes.height + ROW_GAP)

    @property
    def length(self) -> int:
        """How many rows all arcs lead down in sum."""
        rows = np.asarray(self.layer)
        return int((rows[self.arcs[:, 1]] - rows[self.arcs[:, 0]]).sum())

    def misfit(self, ratio: float) -> float:
        """Return the logarithm of how many times too wide the picture is, below 0 if it is too high."""
        return log(self.size[0] / self.size[1] / ratio)


def natural_layers(arcs: NDArray[np.int64], boxes: Boxes) -> Layering:
    """Return rows with short arcs, however wide they become."""
    parents, children = _links(len(boxes.widths), arcs)
    return Layering(arcs, _settled(_longest_paths(parents, children), parents, children), boxes)


def broken_layers(natural: Layering, ratio: float) -> Layering:
    """Break rows that make the picture wider than wanted, unless arcs become too long by it."""
    parents, children = _links(len(natural.layer), natural.arcs)
    best, fit = natural, natural.misfit(ratio)
    if fit <= log(_TOLERANCE):
        return best
    width = float(np.bincount(natural.layer).max())
    while (width := width * _NARROWER) >= 1.5:
        tried = Layering(natural.arcs, _broken(natural.layer, parents, children, round(width)), natural.boxes)
        found = abs(tried.misfit(ratio)) + _PRICE * log(tried.length / natural.length)
        if found < fit:
            best, fit = tried, found
    return best


def _links(n: int, arcs: NDArray[np.int64]) -> tuple[list[list[int]], list[list[int]]]:
    """Return the parents and the children of each variable."""
    parents: list[list[int]] = [[] for _ in range(n)]
    children: list[list[int]] = [[] for _ in range(n)]
    for upper, lower in arcs.tolist():
        children[upper].append(lower)
        parents[lower].append(upper)
    return parents, children


def _longest_paths(parents: Links, children: Links) -> list[int]:
    """Put each variable one row below its lowest parent."""
    layer = [0] * len(parents)
    for v in _parents_first(parents, children):
        layer[v] = max((layer[p] + 1 for p in parents[v]), default=0)
    return layer


def _parents_first(parents: Links, children: Links) -> list[int]:
    missing = [len(above) for above in parents]
    order = [v for v, count in enumerate(missing) if not count]
    for v in order:
        for child in children[v]:
            missing[child] -= 1
            if not missing[child]:
                order.append(child)
    return order


def _settled(layer: list[int], parents: Links, children: Links) -> list[int]:
    """Move variables up and down, each with those it would collide with, while the arcs become shorter in sum."""
    layer = list(layer)
    order = _parents_first(parents, children)
    for _ in range(_ROUNDS):
        moved = False
        for step, ahead, behind, sequence in ((1, children, parents, order[::-1]), (-1, parents, children, order)):
            for v in sequence:
                # Alone it would gain this much; what it pushes can only add arcs that become longer or shorter.
                while len(ahead[v]) > len(behind[v]):
                    pushed = _pushed(v, layer, step, ahead)
                    if sum(len(ahead[u]) - len(behind[u]) for u in pushed) <= 0:
                        break
                    for u in pushed:
                        layer[u] += step
                    moved = True
        if not moved:
            break
    return _dense(layer)


def _pushed(v: int, layer: Sequence[int], step: int, ahead: Links) -> list[int]:
    """Return ``v`` and all that must move with it when it moves one row."""
    pushed, known = [v], {v}
    for u in pushed:
        for w in ahead[u]:
            if layer[w] == layer[u] + step and w not in known:
                known.add(w)
                pushed.append(w)
    return pushed


def _broken(natural: Sequence[int], parents: Links, children: Links, width: int) -> list[int]:
    """Fill rows with at most ``width`` variables, in the order of their natural rows."""
    n = len(natural)
    layer = [-1] * n
    waiting = sorted(range(n), key=lambda v: (natural[v], -len(children[v]), v))
    row = 0
    while waiting:
        # Later variables may fill a row up, but only those of the next natural row: others would be far too high.
        latest = natural[waiting[0]] + 1
        taken = [
            v for v in waiting if natural[v] <= latest and all(-1 < layer[p] < row for p in parents[v])
        ][:width]  # fmt: skip
        for v in taken:
            layer[v] = row
        chosen = set(taken)
        waiting = [v for v in waiting if v not in chosen]
        row += 1
    return _relaxed(layer, parents, children, width)


def _relaxed(layer: list[int], parents: Links, children: Links, width: int) -> list[int]:
    """Move single variables to where their arcs are shortest and there is room."""
    layer = list(layer)
    used = np.bincount(layer).tolist()
    for _ in range(_ROUNDS):
        moved = False
        for v in range(len(layer)):
            pull = len(children[v]) - len(parents[v])
            if pull == 0:
                continue
            if pull > 0:
                span = range(min(layer[c] for c in children[v]) - 1, layer[v], -1)
            else:
                span = range(max(layer[p] for p in parents[v]) + 1, layer[v])
            for row in span:
                if used[row] < width:
                    used[layer[v]] -= 1
                    used[row] += 1
                    layer[v] = row
                    moved = True
                    break
        if not moved:
            break
    return _dense(layer)


def _dense(layer: Sequence[int]) -> list[int]:
    """Number the rows in use from 0."""
    ranks: list[int] = np.unique(layer, return_inverse=True)[1].ravel().tolist()
    return ranks
