"""How edges run: from the lower side of one box to the upper side of another, straight through every row between.

Boxes of a row lie in a band, and edges cross a band vertically, in a lane of their own: so an edge passes no box but
its own two. Several edges at one side of a box leave it at ports apart from each other, in the order of where they go.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.proper import Proper
from hccd.drawing.relaxation import ascending_fit
from hccd.drawing.sizes import NODE_HEIGHT, NODE_WIDTH

#: Ports stay this far from the middle of a box, and this far from each other if there is room.
_REACH = 0.36 * NODE_WIDTH
_PORT_GAP = 0.11 * NODE_WIDTH
#: How much of an edge's way to the side its port already makes.
_LEAN = 0.25


def routes_of(proper: Proper, x: NDArray[np.float64], y: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return the points of every arc's way, from its upper to its lower end."""
    leaving = _ports(proper.below, proper.n, x)
    entering = _ports(proper.above, proper.n, x)
    half = NODE_HEIGHT / 2
    found = []
    for chain in proper.chains:
        points = [(leaving[chain[0], chain[1]], y[chain[0]] + half)]
        for bend in chain[1:-1]:
            points += [(x[bend], y[bend] - half), (x[bend], y[bend] + half)]
        points.append((entering[chain[-1], chain[-2]], y[chain[-1]] - half))
        found.append(_without_needless(np.array(points)))
    return found


def _ports(neighbors: Sequence[Sequence[int]], n: int, x: NDArray[np.float64]) -> dict[tuple[int, int], float]:
    """Return where the edge to a neighbour meets the box of a variable, by (variable, neighbour)."""
    found: dict[tuple[int, int], float] = {}
    for v in range(n):
        towards = sorted(neighbors[v], key=lambda w: (x[w], w))
        if not towards:
            continue
        wanted = np.clip(_LEAN * (x[towards] - x[v]), -_REACH, _REACH)
        gap = min(_PORT_GAP, 2 * _REACH / max(len(towards) - 1, 1))
        for w, offset in zip(towards, _spread(wanted, gap), strict=True):
            found[v, w] = float(x[v] + offset)
    return found


def _spread(wanted: NDArray[np.float64], gap: float) -> NDArray[np.float64]:
    """Return the ascending offsets nearest to those wanted that keep a gap, within the reach of a box."""
    ramp = gap * np.arange(len(wanted))
    even = ascending_fit(wanted - ramp, np.ones(len(wanted)))
    return np.asarray(np.clip(even, -_REACH, _REACH - ramp[-1]) + ramp)


def _without_needless(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Leave out points in the middle of a straight vertical run."""
    same = np.isclose(points[1:-1, 0], points[:-2, 0], atol=1e-9) & np.isclose(
        points[1:-1, 0], points[2:, 0], atol=1e-9
    )
    return points[np.concatenate([[True], ~same, [True]])]
