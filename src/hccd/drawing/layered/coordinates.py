"""Places along the rows that keep long edges straight, after Brandes and Koepf (2002).

Each vertex is stacked on the median of its neighbours in the row before; a stack is vertical. Stacks are packed as far
to one side as the order in the rows allows. This is done four times, from above and from below, to the left and to the
right, and a vertex goes to the middle of its four places, which keeps all distances. Where a straight run of bends and
another edge compete, the bends win. Packing follows longest paths between stacks instead of the paper's classes,
which could overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.layered.crossings import Rows
from hccd.drawing.layered.proper import Proper

Links = Sequence[Sequence[int]]


def row_coordinates(proper: Proper, rows: Rows) -> NDArray[np.float64]:
    """Return the place of every vertex along its row; neighbours keep the distances of ``proper``."""
    place = [0] * len(proper.layer)
    for row in rows:
        for i, v in enumerate(row):
            place[v] = i
    barred = _crossing_bends(proper, rows, place)
    found = []
    for from_above in (True, False):
        for to_left in (True, False):
            sequence = rows if from_above else rows[::-1]
            before = proper.above if from_above else proper.below
            sided = sequence if to_left else [row[::-1] for row in sequence]
            at = place if to_left else [-i for i in place]
            root = _stacks(sided, before, at, barred)
            x = _packed(sided, root, proper)
            found.append(x if to_left else -x)
    return _balanced(np.array(found))


def _crossing_bends(proper: Proper, rows: Rows, place: Sequence[int]) -> set[tuple[int, int]]:
    """Return the edges (above, below) that cross an edge between two bends, and so must give way."""
    barred: set[tuple[int, int]] = set()
    for upper, lower in pairwise(rows):
        left = 0
        passed = 0
        for i, v in enumerate(lower):
            inner = next((u for u in proper.above[v] if u >= proper.n), None) if v >= proper.n else None
            if inner is None and i < len(lower) - 1:
                continue
            right = len(upper) - 1 if inner is None else place[inner]
            for w in lower[passed : i + 1]:
                for u in proper.above[w]:
                    if not left <= place[u] <= right and not (u >= proper.n and w >= proper.n):
                        barred.add((u, w))
            passed = i + 1
            left = right
    return barred


def _stacks(rows: Rows, before: Links, place: Sequence[int], barred: set[tuple[int, int]]) -> list[int]:
    """Stack each vertex on a median neighbour of the row before; return the top of each vertex's stack."""
    root = list(range(len(place)))
    taken = [False] * len(place)
    for row in rows:
        free_from = -inf
        for v in row:
            neighbors = sorted(before[v], key=place.__getitem__)
            count = len(neighbors)
            for u in neighbors[(count - 1) // 2 : count // 2 + 1] if count else ():
                if not taken[u] and place[u] > free_from and (u, v) not in barred and (v, u) not in barred:
                    taken[u] = True
                    root[v] = root[u]
                    free_from = place[u]
                    break
    return root


def _packed(rows: Rows, root: Sequence[int], proper: Proper) -> NDArray[np.float64]:
    """Push every stack to the left as far as it goes, then back to the right where nothing is in the way."""
    gaps: dict[tuple[int, int], float] = {}
    for row in rows:
        for v, w in pairwise(row):
            pair = root[v], root[w]
            gaps[pair] = max(gaps.get(pair, 0.0), proper.apart(v, w))
    after: dict[int, list[tuple[int, float]]] = {}
    missing = dict.fromkeys(root, 0)
    for (left, right), gap in gaps.items():
        after.setdefault(left, []).append((right, gap))
        missing[right] += 1
    order = [stack for stack, count in missing.items() if not count]
    x = dict.fromkeys(order, 0.0)
    for stack in order:
        for right, gap in after.get(stack, ()):
            x[right] = max(x.get(right, 0.0), x[stack] + gap)
            missing[right] -= 1
            if not missing[right]:
                order.append(right)
    for stack in reversed(order):
        room = min((x[right] - gap for right, gap in after.get(stack, ())), default=-inf)
        x[stack] = max(x[stack], room)
    return np.array([x[stack] for stack in root])


def _balanced(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lay the four results over the narrowest and take the mean of the two middle places of every vertex."""
    low, high = found.min(axis=1), found.max(axis=1)
    narrowest = int(np.argmin(high - low))
    for i in range(len(found)):
        found[i] += low[narrowest] - low[i] if i % 2 == 0 else high[narrowest] - high[i]
    middle = np.sort(found, axis=0)[1:3].mean(axis=0)
    return np.asarray(middle - middle.min())
