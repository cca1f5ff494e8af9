"""Long edges without stairs, and no variable away from its neighbours where there is room to come closer.

Least squares spread an edge's way to the side over all its rows, which looks like a staircase. Here its bends are
gathered into the fewest vertical runs that the room between their neighbours in the rows admits. Variables go to the
median of their neighbours, as far as there is room: that makes edges shorter and leaves straight ones straight.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.layered.crossings import Rows
from hccd.drawing.layered.proper import Proper

_PASSES = 3


def straightened(proper: Proper, rows: Rows, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return new places along the rows; the order in the rows and all distances are kept."""
    left = [-1] * len(proper.layer)
    right = [-1] * len(proper.layer)
    for row in rows:
        for v, w in pairwise(row):
            right[v], left[w] = w, v
    at: list[float] = x.tolist()
    low_end, high_end = min(at), max(at)

    def room(v: int) -> tuple[float, float]:
        """Return between which places a vertex may stand."""
        u, w = left[v], right[v]
        low = at[u] + proper.apart(u, v) if u >= 0 else low_end
        high = at[w] - proper.apart(v, w) if w >= 0 else high_end
        # Rounding must not turn a bend that is held on both sides into a contradiction.
        return min(low, at[v]), max(high, at[v])

    long = sorted((chain for chain in proper.chains if len(chain) > 3), key=len, reverse=True)
    for number in range(_PASSES):
        for chain in long:
            way = chain if number % 2 == 0 else chain[::-1]
            _line_up(way, at, room)
        for v in range(proper.n):
            low, high = room(v)
            at[v] = min(max(_nearest_median(at[v], [at[u] for u in (*proper.above[v], *proper.below[v])]), low), high)
    return np.array(at)


def _nearest_median(here: float, neighbors: list[float]) -> float:
    """Return the place nearest to ``here`` from which the distances to the neighbours are least in sum."""
    if not neighbors:
        return here
    neighbors.sort()
    count = len(neighbors)
    return min(max(here, neighbors[(count - 1) // 2]), neighbors[count // 2])


def _line_up(way: list[int], at: list[float], room: Callable[[int], tuple[float, float]]) -> None:
    """Gather the bends of one edge into vertical runs, each as long as possible, beginning with the first."""
    start = 1
    while start < len(way) - 1:
        low, high = -inf, inf
        stop = start
        while stop < len(way) - 1:
            lower, upper = room(way[stop])
            if max(low, lower) > min(high, upper):
                break
            low, high = max(low, lower), min(high, upper)
            stop += 1
        wanted = at[way[-1]] if stop == len(way) - 1 and start > 1 else at[way[start - 1]]
        place = min(max(wanted, low), high)
        for v in way[start:stop]:
            at[v] = place
        start = stop
