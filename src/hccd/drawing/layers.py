"""Layers: the row of each variable, so that every arc leads at least one row down and few arcs are long.

Rows come from longest paths and are then moved, with whatever hangs on them, as long as that makes the arcs shorter in
sum (Nikolov and Tarassov's promotion). Where rows become too wide for the wanted shape of the picture they are broken
into several; arcs still lead down.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.sizes import LANE, LAYER_PITCH, NODE_PITCH

Links = Sequence[Sequence[int]]

_ROUNDS = 30
_NARROWER = 0.8
#: A picture may be this many times as wide as wanted before its rows are broken.
_TOLERANCE = 1.25
#: How much the shape counts against longer arcs: arcs twice as long must make the picture 2 ** 0.5 times as fitting.
_PRICE = 0.5


def layers_of(n: int, arcs: NDArray[np.int64], ratio: float) -> list[int]:
    """Return the row of each of the variables 0 .. n-1 of an acyclic graph, the top row is 0."""
    parents: list[list[int]] = [[] for _ in range(n)]
    children: list[list[int]] = [[] for _ in range(n)]
    for upper, lower in arcs.tolist():
        children[upper].append(lower)
        parents[lower].append(upper)
    natural = _settled(_longest_paths(parents, children), parents, children)
    best, fit = natural, _misfit(natural, arcs, ratio)
    if fit <= log(_TOLERANCE):
        return best
    bends = _length(natural, arcs)
    width = float(np.bincount(natural).max())
    while (width := width * _NARROWER) >= 1.5:
        layer = _broken(natural, parents, children, round(width))
        found = abs(_misfit(layer, arcs, ratio)) + _PRICE * log(_length(layer, arcs) / bends)
        if found < fit:
            best, fit = layer, found
    return best


def _length(layer: Sequence[int], arcs: NDArray[np.int64]) -> int:
    """Return how many rows all arcs lead down in sum."""
    rows = np.asarray(layer)
    return int((rows[arcs[:, 1]] - rows[arcs[:, 0]]).sum())


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


def _misfit(layer: Sequence[int], arcs: NDArray[np.int64], ratio: float) -> float:
    """Return the logarithm of how many times too wide the picture would be, below 0 if it is too tall."""
    rows = np.asarray(layer)
    height = int(rows.max()) + 1
    upper, lower = rows[arcs[:, 0]], rows[arcs[:, 1]]
    change = np.zeros(height + 1)
    np.add.at(change, upper + 1, LANE)
    np.add.at(change, lower, -LANE)
    width = np.bincount(rows, minlength=height) * NODE_PITCH + np.cumsum(change)[:height]
    return log(float(width.max()) / (height * LAYER_PITCH) / ratio) if height else -inf
