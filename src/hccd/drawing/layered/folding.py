"""Tall drawings folded into columns, as a long text is: read each column down, then go on at the top of the next.

A chain of a hundred variables would be a hundred rows high. Rows are cut into columns that stand side by side, at
places that few edges pass; those that do run down, up between the columns and down again, in right angles and lanes of
their own. They are the only edges of an acyclic graph that run upwards for a while.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.layered.proper import Proper
from hccd.drawing.sizes import LANE, PART_GAP

#: A drawing is folded if it has this many rows and is so many times too high; cuts pass no more edges than this.
_LEAST_ROWS, _TOO_HIGH, _MOST_CUT = 12, 2.0, 6
_MOST_COLUMNS = 40
_CLEAR = 0.4


@dataclass(frozen=True, eq=False)
class Folded:
    """Places of vertices, the size of it all, and how the edges between columns run.

    Attributes
    ----------
    x, y : array
        The place of each vertex.
    width, height : float
        The size.
    detours : mapping
        For each pair (v, w) of vertices in different columns: the height at which its edge turns below v, the lane in
        which it runs up, and the height at which it turns above w.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    width: float
    height: float
    detours: Mapping[tuple[int, int], tuple[float, float, float]] = field(default_factory=dict)


def folded(proper: Proper, x: NDArray[np.float64], rows_y: NDArray[np.float64], ratio: float, tallest: float) -> Folded:
    """Fold a drawing that is much higher than it should be.

    Parameters
    ----------
    proper : Proper
        The graph.
    x : array
        The place of each vertex along its row.
    rows_y : array
        The height of each row.
    ratio : float
        Wanted width divided by height.
    tallest : float
        The height that is wanted of the whole picture.
    """
    best = _in_columns(proper, x, rows_y, [])
    if len(rows_y) < _LEAST_ROWS or best.height < _TOO_HIGH * tallest:
        return best
    fit = abs(log(best.width / best.height / ratio))
    passing = np.array([len(pairs) for pairs in proper.segments()])
    for columns in range(2, min(_MOST_COLUMNS, len(rows_y) // 3) + 1):
        cuts = _cuts(passing, columns)
        if max(passing[cut] for cut in cuts) > _MOST_CUT:
            continue
        tried = _in_columns(proper, x, rows_y, cuts)
        found = abs(log(tried.width / tried.height / ratio))
        if found < fit:
            best, fit = tried, found
    return best


def _cuts(passing: NDArray[np.int64], columns: int) -> list[int]:
    """Return the rows after which to cut: near equal shares, where few edges pass."""
    rows = len(passing) + 1
    reach = max(1, rows // (5 * columns))
    cuts = []
    for number in range(1, columns):
        ideal = round(number * rows / columns) - 1
        near = range(max(ideal - reach, 0), min(ideal + reach, rows - 2) + 1)
        cuts.append(min(near, key=lambda row: (passing[row], abs(row - ideal), row)))
    return cuts


def _in_columns(proper: Proper, x: NDArray[np.float64], rows_y: NDArray[np.float64], cuts: list[int]) -> Folded:
    """Put the rows between cuts side by side."""
    rows = np.array(proper.layer)
    column = np.searchsorted(cuts, np.arange(len(rows_y)), side="left")[rows]
    passing: list[list[tuple[int, int]]] = [[] for _ in cuts]
    for v, below in enumerate(proper.below):
        for w in below:
            for number in range(column[v], column[w]):
                passing[number].append((v, w))

    half = np.array(proper.half)
    above = max((_CLEAR + LANE * len(pairs) for pairs in passing), default=0.0)
    new_x, new_y = np.empty_like(x), np.empty_like(x)
    left = bottom = 0.0
    ends: list[tuple[float, float]] = []
    for number in range(len(cuts) + 1):
        own = column == number
        new_x[own] = x[own] - (x - half)[own].min() + left
        new_y[own] = rows_y[rows[own]] - rows_y[rows[own]].min() + proper.height / 2 + above
        lower = float(new_y[own].max()) + proper.height / 2
        ends.append((float((new_x + half)[own].max()), lower))
        lanes = len(passing[number]) if number < len(cuts) else 0
        left = ends[-1][0] + PART_GAP + LANE * lanes
        bottom = max(bottom, lower + (_CLEAR + LANE * lanes if lanes else 0.0))

    detours: dict[tuple[int, int], tuple[float, float, float]] = {}
    for (right, lower), pairs in zip(ends, passing, strict=False):
        # The edge nearest to the gap turns first, so that the lanes lie inside each other.
        for lane, pair in enumerate(sorted(pairs, key=lambda pair: (-new_x[pair[0]], -new_x[pair[1]], pair))):
            detours[pair] = (
                lower + _CLEAR / 2 + LANE * lane,
                right + PART_GAP / 2 + LANE * lane,
                LANE * lane + _CLEAR / 2,
            )
    return Folded(new_x, new_y, ends[-1][0], bottom, detours)
