"""Places along the rows for crowded graphs: near the neighbours, as narrow as the rows allow.

Straight edges (coordinates.py) take room: in a crowded graph three times as much as the boxes. Here every row is put,
in sweeps down and up, as near as possible in the sense of least squares to where its neighbours pull it, with the
order and the distances kept: a regression under order constraints, solved exactly by pooling. Runs of bends pull
harder than the ends of an edge and so stay fairly straight.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.layered.crossings import Rows
from hccd.drawing.layered.proper import Proper

_SWEEPS = 16
#: How hard an edge pulls: between two variables, a variable and a bend, two bends.
_PULLS = (1.0, 2.0, 6.0)


def relaxed_coordinates(proper: Proper, rows: Rows) -> NDArray[np.float64]:
    """Return the place of every vertex along its row; neighbours keep the distances of ``proper``."""
    n = proper.n
    ramps = [np.concatenate([[0.0], np.cumsum([proper.apart(v, w) for v, w in pairwise(row)])]) for row in rows]
    members = [np.array(row) for row in rows]
    place = np.empty(len(proper.layer), dtype=np.int64)
    x = np.empty(len(proper.layer))
    for row, ramp in zip(members, ramps, strict=True):
        place[row] = np.arange(len(row))
        x[row] = ramp - ramp[-1] / 2
    ties: list[list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]] = [[] for _ in rows]
    for i, pairs in enumerate(proper.segments()):
        upper, lower = pairs[:, 0], pairs[:, 1]
        pull = np.array(_PULLS)[(upper >= n).astype(int) + (lower >= n)]
        ties[i].append((place[upper], lower, pull))
        ties[i + 1].append((place[lower], upper, pull))

    numbers = range(len(rows))
    for sweep in range(_SWEEPS):
        for i in numbers if sweep % 2 == 0 else reversed(numbers):
            size = len(members[i])
            weight, total = np.full(size, 1e-6), 1e-6 * x[members[i]]
            for own, other, pull in ties[i]:
                weight += np.bincount(own, weights=pull, minlength=size)
                total += np.bincount(own, weights=pull * x[other], minlength=size)
            x[members[i]] = ascending_fit(total / weight - ramps[i], weight) + ramps[i]
    return np.asarray(x - x.min())


def ascending_fit(wanted: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ascending numbers nearest to those wanted, by weighted least squares (pooling of violators)."""
    means: list[float] = []
    weights: list[float] = []
    counts: list[int] = []
    for mean, heavy in zip(wanted.tolist(), weight.tolist(), strict=True):
        count = 1
        while means and means[-1] > mean:
            both = weights[-1] + heavy
            mean = (means.pop() * weights.pop() + mean * heavy) / both
            heavy = both
            count += counts.pop()
        means.append(mean)
        weights.append(heavy)
        counts.append(count)
    return np.repeat(means, counts)
