"""A graph on matplotlib axes: boxes in the colours of their clusters, arrows, and a key to the types of edges.

Without colour, too, types differ by what is at their ends: a head, a circle, or nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.canvas import Canvas, canvas_for
from hccd.drawing.labels import box_labels, printable
from hccd.drawing.lettering import lettering_for
from hccd.drawing.palette import BORDER, CIRCLE, OUTLINE, cluster_colours
from hccd.drawing.scene import KEY_HEIGHT, KEY_LETTERS, KEY_SAMPLE, Line, Scene
from hccd.drawing.sizes import NODE_HEIGHT, NODE_WIDTH

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
    _draw_lines(ax, [line.moved(shift) for line in scene.lines], points)
    _draw_boxes(ax, scene, shift)
    labels = box_labels(scene.names, lettering.width_of)
    for (x, y), label in zip(scene.layout.positions + shift, labels, strict=True):
        for i, line in enumerate(label.lines):
            below = y + 1.15 * label.size * (i - (len(label.lines) - 1) / 2)
            lettering.write(ax, x, below, line, label.size * points, va="center_baseline")
    for entry, place in zip(scene.key(), scene.key_places(), strict=False):
        at, y = left + place, height - 0.1
        _draw_lines(ax, [entry.sample(at, y)], points)
        lettering.write(ax, at + KEY_SAMPLE, y, entry.text, KEY_LETTERS * points, ha="left", va="center_baseline")


def _draw_lines(ax: Any, lines: list[Line], points: float) -> None:
    """Draw lines with the marks at their ends; a head is filled as far as its direction is sure."""
    from matplotlib.collections import PathCollection, PolyCollection
    from matplotlib.colors import to_rgba
    from matplotlib.path import Path

    def colour(line: Line) -> Any:
        return to_rgba(line.colour, 1.0 if line.sure is None else line.sure.line)

    def add(kind: Any, shapes: list[Any], **look: Any) -> None:
        if shapes:
            ax.add_collection(kind(shapes, **look), autolim=False)

    curves = [Path(line.path, [Path.MOVETO] + [Path.CURVE4] * (len(line.path) - 1)) for line in lines]
    strokes, widths = [colour(line) for line in lines], [points * line.width for line in lines]
    add(PathCollection, curves, facecolors="none", edgecolors=strokes, linewidths=widths, zorder=1)
    circled = [(line, circle) for line in lines for circle in line.circles]
    add(
        PathCollection,
        [Path.circle((x, y), CIRCLE) for _, (x, y) in circled],
        facecolors="white",
        edgecolors=[colour(line) for line, _ in circled],
        linewidths=[points * line.width for line, _ in circled],
        zorder=2,
    )
    pointed = [(line, head) for line in lines for head in line.heads]
    add(
        PolyCollection,
        [head for _, head in pointed],
        facecolors=[to_rgba(line.colour, 1.0 if line.sure is None else line.sure.head) for line, _ in pointed],
        edgecolors=[to_rgba(line.colour, 0.0 if line.sure is None else line.sure.line) for line, _ in pointed],
        linewidths=[0.0 if line.sure is None else OUTLINE * points for line, _ in pointed],
        zorder=2,
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
