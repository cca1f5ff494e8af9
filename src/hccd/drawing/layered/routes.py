"""How edges run: from the lower side of one box to the upper side of another, straight through every row between.

Boxes of a row lie in a band, and edges cross a band vertically, in a lane of their own: so an edge passes no box but
its own two. Several edges at one side of a box leave it at ports apart from each other, in the order of where they go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.layered.proper import Proper
from hccd.drawing.layered.relaxation import ascending_fit

#: Ports stay within this part of a box around its middle, and this far from each other if there is room.
_REACH = 0.72
_PORT_GAP = 0.11
#: How much of an edge's way to the side its port already makes.
_LEAN = 0.25
#: How far a port is moved to make its edge straight.
_NUDGE = 0.2

Ports = dict[tuple[int, int], float]


def routes_of(
    proper: Proper,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    detours: Mapping[tuple[int, int], tuple[float, float, float]],
) -> list[NDArray[np.float64]]:
    """Return the points of every arc's way, from its upper to its lower end.

    Parameters
    ----------
    proper : Proper
        The graph.
    x, y : array
        The place of each vertex.
    detours : mapping
        Where edges between the columns of a folded drawing turn; see ``hccd.drawing.layered.folding``.
    """
    leaving = _ports(proper.below, proper, x)
    entering = _ports(proper.above, proper, x)
    _straighten(proper, x, leaving, entering)
    half = proper.height / 2
    found = []
    for chain in proper.chains:
        points: list[tuple[float, float]] = []
        for v, w in pairwise(chain):
            out = leaving[v, w] if v < proper.n else float(x[v])
            into = entering[w, v] if w < proper.n else float(x[w])
            points.append((out, y[v] + half))
            if (v, w) in detours:
                below, lane, above = detours[v, w]
                points += [(out, below), (lane, below), (lane, above), (into, above)]
            points.append((into, y[w] - half))
        found.append(_without_needless(np.array(points)))
    return found


def _ports(neighbors: Sequence[Sequence[int]], proper: Proper, x: NDArray[np.float64]) -> Ports:
    """Return where the edge to a neighbour meets the box of a variable, by (variable, neighbour)."""
    found: Ports = {}
    for v in range(proper.n):
        reach = _REACH * proper.half[v]
        towards = sorted(neighbors[v], key=lambda w: (x[w], w))
        if not towards:
            continue
        wanted = np.clip(_LEAN * (x[towards] - x[v]), -reach, reach)
        gap = min(_PORT_GAP, 2 * reach / max(len(towards) - 1, 1))
        for w, offset in zip(towards, _spread(wanted, gap, reach), strict=True):
            found[v, w] = float(x[v] + offset)
    return found


def _spread(wanted: NDArray[np.float64], gap: float, reach: float) -> NDArray[np.float64]:
    """Return the ascending offsets nearest to those wanted that keep a gap, within the reach of a box."""
    ramp = gap * np.arange(len(wanted))
    even = ascending_fit(wanted - ramp, np.ones(len(wanted)))
    return np.clip(even, -reach, reach - ramp[-1]) + ramp


def _straighten(proper: Proper, x: NDArray[np.float64], leaving: Ports, entering: Ports) -> None:
    """Move ports by a little where that makes an edge vertical and no other port is in the way."""
    for chain in proper.chains:
        upper, lower = (chain[0], chain[1]), (chain[-1], chain[-2])
        if len(chain) == 2:
            middle = (leaving[upper] + entering[lower]) / 2
            moves = [(leaving, upper, middle, proper.below), (entering, lower, middle, proper.above)]
        else:
            moves = [(leaving, upper, x[upper[1]], proper.below), (entering, lower, x[lower[1]], proper.above)]
        free = [_is_free(ports, at, float(to), links, x, _REACH * proper.half[at[0]]) for ports, at, to, links in moves]
        for (ports, at, to, _), alone in zip(moves, free, strict=True):
            if all(free) if len(chain) == 2 else alone:
                ports[at] = float(to)


def _is_free(
    ports: Ports, at: tuple[int, int], to: float, links: Sequence[Sequence[int]], x: NDArray[np.float64], reach: float
) -> bool:
    """Tell whether a port may move so far without leaving its box or coming near its neighbours."""
    v, here = at[0], ports[at]
    if abs(to - here) > _NUDGE or abs(to - x[v]) > reach:
        return False
    others = [ports[v, w] for w in links[v] if w != at[1]]
    return all(abs(to - other) >= 0.6 * _PORT_GAP and (other < here) == (other < to) for other in others)


def _without_needless(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Leave out points in the middle of a straight vertical run."""
    x = points[:, 0]
    bent = (np.abs(np.diff(x)[1:]) > 1e-9) | (np.abs(np.diff(x)[:-1]) > 1e-9)
    return np.asarray(points[np.concatenate([[True], bent, [True]])])
