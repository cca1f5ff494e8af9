"""The order of the vertices in each row, chosen so that few edges cross.

Sweeps down and up put every vertex at the mean place of its neighbours in the row before (Sugiyama, Tagawa and Toda
1981); neighbours in a row are then exchanged wherever that saves a crossing. The best order that was seen counts. The
least number of crossings is not promised: finding it is NP-hard already for two rows.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.layered.proper import Proper

Rows = list[list[int]]

_SWEEPS = 24
_PATIENCE = 6
#: Up to this many vertices neighbours are exchanged after every sweep, above it at the end only.
_SMALL = 400
_EXCHANGES = 12


def ordered_rows(proper: Proper) -> Rows:
    """Return the vertices of each row from left to right."""
    segments = proper.segments()
    small = len(proper.layer) <= _SMALL
    best: tuple[int, Rows] | None = None
    for downwards in (True, False):
        rows = _first_rows(proper, downwards)
        waited = 0
        here: tuple[int, Rows] | None = None
        for sweep in range(_SWEEPS):
            rows = _swept(rows, segments, len(proper.layer), (sweep % 2 == 0) == downwards, sweep % 4 >= 2)
            if small:
                rows = _exchanged(rows, proper)
            crossings = crossing_count(rows, segments, len(proper.layer))
            if here is None or crossings < here[0]:
                here, waited = (crossings, rows), 0
            elif (waited := waited + 1) >= _PATIENCE:
                break
        assert here is not None
        if best is None or here[0] < best[0]:
            best = here
    assert best is not None
    return _exchanged(best[1], proper)


def crossing_count(rows: Rows, segments: Sequence[NDArray[np.int64]], n_vertices: int) -> int:
    """Return how many pairs of edges cross."""
    place = _places(rows, n_vertices)
    crossings = 0
    for pairs in segments:
        upper, lower = place[pairs[:, 0]], place[pairs[:, 1]]
        seen: list[int] = []
        for at in lower[np.lexsort((lower, upper))].tolist():
            crossings += len(seen) - bisect_right(seen, at)
            insort(seen, at)
    return crossings


def _places(rows: Rows, n_vertices: int) -> NDArray[np.int64]:
    place = np.empty(n_vertices, dtype=np.int64)
    for row in rows:
        place[row] = np.arange(len(row))
    return place


def _first_rows(proper: Proper, downwards: bool) -> Rows:
    """Order the rows as a depth-first search meets the vertices, from the top or from the bottom."""
    ahead = proper.below if downwards else proper.above
    behind = proper.above if downwards else proper.below
    rows: Rows = [[] for _ in range(proper.n_layers)]
    seen = [False] * len(proper.layer)
    for start in range(proper.n):
        if behind[start]:
            continue
        waiting = [start]
        while waiting:
            v = waiting.pop()
            if not seen[v]:
                seen[v] = True
                rows[proper.layer[v]].append(v)
                waiting.extend(reversed(ahead[v]))
    return rows


def _swept(
    rows: Rows, segments: Sequence[NDArray[np.int64]], n_vertices: int, downwards: bool, ties_reversed: bool
) -> Rows:
    """Sort every row by the mean place of its neighbours in the row before."""
    rows = list(rows)
    place = _places(rows, n_vertices)
    for step in range(len(rows) - 1):
        target = step + 1 if downwards else len(rows) - 2 - step
        pairs = segments[target - 1 if downwards else target]
        fixed, free = (pairs[:, 0], pairs[:, 1]) if downwards else (pairs[:, 1], pairs[:, 0])
        row = np.array(rows[target])
        own = place[free]
        count = np.bincount(own, minlength=len(row))
        total = np.bincount(own, weights=place[fixed], minlength=len(row))
        here = np.arange(len(row))
        mean = np.where(count > 0, total / np.maximum(count, 1), here)
        row = row[np.lexsort((-here if ties_reversed else here, mean))]
        place[row] = here
        rows[target] = row.tolist()
    return rows


def _exchanged(rows: Rows, proper: Proper) -> Rows:
    """Exchange neighbours in a row while that saves crossings."""
    rows = [list(row) for row in rows]
    place = _places(rows, len(proper.layer)).tolist()
    stale = [True] * len(rows)
    for _ in range(_EXCHANGES):
        if not any(stale):
            break
        for number, row in enumerate(rows):
            if not stale[number]:
                continue
            stale[number] = False
            above = {v: sorted([place[u] for u in proper.above[v]]) for v in row}
            below = {v: sorted([place[u] for u in proper.below[v]]) for v in row}
            changed = False
            for i in range(len(row) - 1):
                v, w = row[i], row[i + 1]
                if _saved(above[v], above[w]) + _saved(below[v], below[w]) > 0:
                    row[i], row[i + 1] = w, v
                    changed = True
            if changed:
                for i, v in enumerate(row):
                    place[v] = i
                for near in range(max(number - 1, 0), min(number + 2, len(rows))):
                    stale[near] = True
    return rows


def _saved(left: list[int], right: list[int]) -> int:
    """Return how many crossings an exchange saves: those of now minus those of then."""
    if len(left) == 1 and len(right) == 1:
        return (left[0] > right[0]) - (left[0] < right[0])
    return sum((a > b) - (a < b) for a in left for b in right)
