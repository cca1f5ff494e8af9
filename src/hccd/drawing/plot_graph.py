"""A graph on matplotlib axes: boxes in the colours of their clusters, arrows, and a key to the kinds of edges.

Without colour, too, kinds differ: arrows have heads, undirected edges have none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.canvas import Canvas, canvas_for
from hccd.drawing.certainty import Certainty
from hccd.drawing.labels import box_labels, printable
from hccd.drawing.lettering import lettering_for
from hccd.drawing.palette import BORDER, DIRECTED, UNDIRECTED, cluster_colours
from hccd.drawing.scene import HEAD_BEYOND, HEAD_HALF, HEAD_LENGTH, KEY_HEIGHT, KEY_LETTERS, KEY_SAMPLE, Scene
from hccd.drawing.sizes import NODE_HEIGHT, NODE_WIDTH

_COLOURS = {"directed": DIRECTED, "undirected": UNDIRECTED}
#: Widths of lines in units of the layout: by kind, of an edge that is known to be sure, and of the outline of its head.
_WIDTHS = {"directed": 0.018, "undirected": 0.034}
_WIDEST, _OUTLINE = 0.036, 0.011
_ROUND = 0.06


def plot_scene(ax: Any, scene: Scene) -> Any:
    """Draw a scene on axes, or on new ones for None, and return the axes."""
    canvas = canvas_for(ax, *scene_size(scene))
    draw_scene(canvas, scene)
    return canvas.ax


def scene_size(scene: Scene) -> tuple[float, float]:
    """Return the size of a scene with its key."""
    key = scene.key()
    width = max(scene.layout.width, scene.key_places()[-1], 3 * NODE_WIDTH)
    return width, max(scene.layout.height, NODE_HEIGHT) + (KEY_HEIGHT if key else 0.0)


def draw_scene(canvas: Canvas, scene: Scene, left: float = 0.0) -> None:
    """Draw a scene with its key on a canvas, so far from the left."""
    ax, points = canvas.ax, canvas.points
    lettering = lettering_for(map(printable, scene.names))
    width, height = scene_size(scene)
    shift = np.array([left + (width - scene.layout.width) / 2, 0.0])
    for kind in _COLOURS:
        lines = [line for line in scene.lines if line.kind == kind]
        _draw_curves(ax, [line.path + shift for line in lines], kind, [line.sure for line in lines], points)
    arrows = [(line.head + shift, line.sure) for line in scene.lines if line.head is not None]
    _draw_heads(ax, arrows, points)
    _draw_boxes(ax, scene, shift)
    labels = box_labels(scene.names, lettering.width_of)
    for (x, y), label in zip(scene.layout.positions + shift, labels, strict=True):
        for i, line in enumerate(label.lines):
            below = y + 1.15 * label.size * (i - (len(label.lines) - 1) / 2)
            lettering.write(ax, x, below, line, label.size * points, va="center_baseline")
    for entry, place in zip(scene.key(), scene.key_places(), strict=False):
        at, y = left + place, height - 0.1
        _draw_curves(ax, [np.array([(at, y)] * 2 + [(at + 0.4, y)] * 2)], entry.kind, [entry.sure], points)
        if entry.kind == "directed":
            tip = at + 0.4 + HEAD_BEYOND
            back = tip - HEAD_LENGTH
            _draw_heads(ax, [(np.array([(tip, y), (back, y - HEAD_HALF), (back, y + HEAD_HALF)]), entry.sure)], points)
        lettering.write(ax, at + KEY_SAMPLE, y, entry.text, KEY_LETTERS * points, ha="left", va="center_baseline")


def _draw_curves(
    ax: Any, curves: list[NDArray[np.float64]], kind: str, sure: list[Certainty | None], points: float
) -> None:
    from matplotlib.collections import PathCollection
    from matplotlib.colors import to_rgba
    from matplotlib.path import Path

    if curves:
        paths = [Path(control, [Path.MOVETO] + [Path.CURVE4] * (len(control) - 1)) for control in curves]
        widths = [_WIDTHS[kind] if own is None else _WIDEST * own.width for own in sure]
        colours = [to_rgba(_COLOURS[kind], 1.0 if own is None else own.line) for own in sure]
        ax.add_collection(
            PathCollection(
                paths, facecolors="none", edgecolors=colours, linewidths=[width * points for width in widths], zorder=1
            ),
            autolim=False,
        )  # fmt: skip


def _draw_heads(ax: Any, heads: list[tuple[NDArray[np.float64], Certainty | None]], points: float) -> None:
    """Draw heads: filled as far as their directions are sure, with outlines as dark as their lines."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgba

    if heads:
        fills = [to_rgba(DIRECTED, 1.0 if own is None else own.head) for _, own in heads]
        outlines = [to_rgba(DIRECTED, 0.0 if own is None else own.line) for _, own in heads]
        widths = [0.0 if own is None else _OUTLINE * points for _, own in heads]
        ax.add_collection(
            PolyCollection(
                [head for head, _ in heads], facecolors=fills, edgecolors=outlines, linewidths=widths, zorder=2
            ),
            autolim=False,
        )


def _draw_boxes(ax: Any, scene: Scene, shift: NDArray[np.float64]) -> None:
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    if not len(scene.names):
        return
    outline = rounded_box(NODE_WIDTH, NODE_HEIGHT)
    fills = cluster_colours(scene.n_clusters)
    boxes = [Path(outline.vertices + at + shift, outline.codes) for at in scene.layout.positions]
    colours = [fills[label] for label in scene.cluster]
    ax.add_collection(
        PathCollection(boxes, facecolors=colours, edgecolors=BORDER, linewidths=0.7, zorder=3), autolim=False
    )


def rounded_box(width: float, height: float) -> Any:
    """Return the outline of a box with round corners around the origin."""
    from matplotlib.path import Path

    x, y, r = width / 2, height / 2, _ROUND
    corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
    vertices: list[tuple[float, float]] = []
    codes: list[Any] = []
    for i, (cx, cy) in enumerate(corners):
        before, after = corners[i - 1], corners[(i + 1) % 4]
        enter = (cx + r * np.sign(before[0] - cx), cy + r * np.sign(before[1] - cy))
        leave = (cx + r * np.sign(after[0] - cx), cy + r * np.sign(after[1] - cy))
        vertices += [enter, (cx, cy), leave]
        codes += [Path.LINETO if i else Path.MOVETO, Path.CURVE3, Path.CURVE3]
    return Path([*vertices, vertices[0]], [*codes, Path.CLOSEPOLY])
