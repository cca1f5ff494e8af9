"""Where everything is drawn, in pixels: a picture of all variables, and one for each cluster that needs its own.

Where there are many edges, a picture of all variables with the strongest edges alone comes first.

A cluster that makes up most of a picture is shown in it, with the other variables hidden: layouts take time, and trees
can be deep and lopsided. Clusters that would be scattered over the picture above them are laid out on their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hccd.drawing import curve, lay_out
from hccd.drawing.neighbourhood import restricted, sparser
from hccd.drawing.sizes import Boxes
from hccd.graphs import AnyGraph
from hccd.report.limits import CLUSTER_DRAWN, DRAWN, DRAWN_IN_CLUSTERS, FEWEST_FIRST, MOST_FIRST

if TYPE_CHECKING:
    from hccd.result import HCCDResult

#: A cluster with at least this share of a picture's variables has no picture of its own.
_SHARE = 0.6
#: Of so many times as many edges as are drawn first, all are.
_HARDLY_MORE = 1.25
#: Wanted width of a picture in the page, divided by its height.
_RATIO = 1.7
#: Pixels of the layout's unit, which the sizes of boxes and lines are told in.
UNIT = 72.0


def pictures(
    result: HCCDResult,
    edges: Sequence[tuple[int, int]],
    strength: Sequence[float | None],
    widths: Sequence[float],
    height: float,
) -> dict[str, Any]:
    """Return the pictures, and for each cluster the number of the one it is shown in (None: it is not drawn).

    ``first`` is how many of the weakest edges the page does not draw at first, and the picture without them.

    Parameters
    ----------
    result : HCCDResult
        What was learned.
    edges, strength
        The edges as the page numbers them, and how strong each is; one without a strength is never left out.
    widths, height
        The width of each variable's box, and the height of all.
    """
    layout = result.tree.layout()
    boxes = Boxes(np.array(widths) / UNIT, height / UNIT)
    size = (layout.stop - layout.start).tolist()
    drawn: list[dict[str, Any]] = []
    shown_in: list[int | None] = []
    room = DRAWN_IN_CLUSTERS + (size[0] if size[0] <= DRAWN else 0)
    for cluster, parent in enumerate(layout.parent.tolist()):
        above = shown_in[parent] if parent >= 0 else None
        too_large = size[cluster] > (DRAWN if parent < 0 else CLUSTER_DRAWN)
        if above is not None and (size[cluster] >= _SHARE * len(drawn[above]["nodes"]) or size[cluster] > room):
            shown_in.append(above)
        elif too_large or size[cluster] > room:
            shown_in.append(None)
        else:
            room -= size[cluster]
            shown_in.append(len(drawn))
            drawn.append(_picture(result.graph, layout.variables(cluster), edges, boxes))
    first = _first(result.graph, edges, strength, boxes) if shown_in[0] is not None else None
    return {"pictures": drawn, "shown_in": shown_in, "first": first}


def _first(
    graph: AnyGraph, edges: Sequence[tuple[int, int]], strength: Sequence[float | None], boxes: Boxes
) -> dict[str, Any] | None:
    """Return the picture of the strongest edges; None where all are few enough to be drawn at once."""
    most = max(FEWEST_FIRST, min(2 * graph.n, MOST_FIRST))
    hidden = min(len(edges) - most, sum(own is not None for own in strength))
    if len(edges) <= _HARDLY_MORE * most or hidden <= 0:
        return None
    order = sorted(range(len(edges)), key=lambda e: (inf if strength[e] is None else strength[e], e))
    kept = sorted(order[hidden:])
    part = sparser(graph, {edges[e] for e in kept})
    return {"hidden": hidden, "picture": _laid_out(part, np.arange(graph.n), edges, kept, boxes)}


def _picture(
    graph: AnyGraph, members: NDArray[np.int64], edges: Sequence[tuple[int, int]], boxes: Boxes
) -> dict[str, Any]:
    """Lay out the sub-graph of some variables."""
    own = {v: i for i, v in enumerate(members.tolist())}
    inside = [number for number, (a, b) in enumerate(edges) if a in own and b in own]
    part = graph if len(members) == graph.n else restricted(graph, members)
    return _laid_out(part, members, edges, inside, boxes)


def _laid_out(
    part: AnyGraph,
    members: NDArray[np.int64],
    edges: Sequence[tuple[int, int]],
    inside: Sequence[int],
    boxes: Boxes,
) -> dict[str, Any]:
    """Lay out a graph of some variables and the edges of these numbers."""
    own = {v: i for i, v in enumerate(members.tolist())}
    found = lay_out(part, ratio=_RATIO, boxes=boxes.of(members))
    places = np.rint(found.positions * UNIT).astype(int)
    return {
        "nodes": members.tolist(),
        "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(),
        "width": round(found.width * UNIT),
        "height": round(found.height * UNIT),
        "edges": list(inside),
        "paths": [_path(curve(found.routes[own[edges[e][0]], own[edges[e][1]]]) * UNIT) for e in inside],
    }


def _path(points: NDArray[np.float64]) -> str:
    """Write Bezier pieces as an SVG path, in whole pixels."""
    numbers = [f"{x} {y}" for x, y in np.rint(points).astype(int).tolist()]
    return f"M{numbers[0]}C{' '.join(numbers[1:])}"
