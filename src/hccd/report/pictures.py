"""Where everything is drawn, in pixels: a picture of all variables, and one for each cluster that needs its own.

A cluster that makes up most of a picture is shown in it, with the other variables hidden: layouts take time, and trees
can be deep and lopsided. Clusters that would be scattered over the picture above them are laid out on their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hccd.drawing import NODE_HEIGHT, curve, lay_out
from hccd.drawing.neighbourhood import restricted
from hccd.graphs import AnyGraph
from hccd.report.labels import HEIGHT
from hccd.report.limits import CLUSTER_DRAWN, DRAWN, DRAWN_IN_CLUSTERS

if TYPE_CHECKING:
    from hccd.result import HCCDResult

#: A cluster with at least this share of a picture's variables has no picture of its own.
_SHARE = 0.6
#: Wanted width of a picture in the page, divided by its height.
_RATIO = 1.7


def pictures(result: HCCDResult, edges: Sequence[tuple[int, int]], widths: Sequence[float]) -> dict[str, Any]:
    """Return the pictures, and for each cluster the number of the one it is shown in (None: it is not drawn).

    Parameters
    ----------
    result : HCCDResult
        What was learned.
    edges : sequence of pairs
        The edges as the page numbers them.
    widths : sequence of float
        The width of each variable's box.
    """
    layout = result.tree.layout()
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
            drawn.append(_picture(result.graph, layout.variables(cluster), edges, widths))
    return {"pictures": drawn, "shown_in": shown_in}


def _picture(
    graph: AnyGraph, members: NDArray[np.int64], edges: Sequence[tuple[int, int]], widths: Sequence[float]
) -> dict[str, Any]:
    """Lay out the sub-graph of some variables; boxes of one picture are all as wide as the widest."""
    own = {v: i for i, v in enumerate(members.tolist())}
    inside = [number for number, (a, b) in enumerate(edges) if a in own and b in own]
    part = graph if len(members) == graph.n else restricted(graph, members)
    wide = max(widths[v] for v in own)
    scale = np.array([wide, HEIGHT / NODE_HEIGHT])
    found = lay_out(part, ratio=_RATIO * scale[1] / scale[0])
    places = np.rint(found.positions * scale).astype(int)
    return {
        "nodes": members.tolist(),
        "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(),
        "box": round(wide),
        "width": round(found.width * scale[0]),
        "height": round(found.height * scale[1]),
        "edges": inside,
        "paths": [_path(curve(found.routes[own[edges[e][0]], own[edges[e][1]]]) * scale) for e in inside],
    }


def _path(points: NDArray[np.float64]) -> str:
    """Write Bezier pieces as an SVG path, in whole pixels."""
    numbers = [f"{x} {y}" for x, y in np.rint(points).astype(int).tolist()]
    return f"M{numbers[0]}C{' '.join(numbers[1:])}"
