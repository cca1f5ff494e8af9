"""The tree of clusters on matplotlib axes: a dendrogram of boxes from left to right, with sizes, tests and members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.clustering import ClusterTree
from hccd.drawing.canvas import Canvas, canvas_for
from hccd.drawing.labels import SMALL, fitted, printable
from hccd.drawing.lettering import Lettering, lettering_for
from hccd.drawing.palette import BORDER, DIRECTED, PLAIN, cluster_colours
from hccd.drawing.plot_graph import rounded_box

_MEMBERS = 5.2
_LINES = 2


@dataclass(frozen=True)
class BoxStyle:
    """Sizes of a tree's boxes, their distances, the size of letters, and whether clusters are named and listed."""

    width: float
    height: float
    level: float
    row: float
    letters: float
    labelled: bool


FULL = BoxStyle(width=1.55, height=0.4, level=2.0, row=0.5, letters=SMALL, labelled=True)
#: Boxes with nothing but the number of variables, to stand beside a graph.
COMPACT = BoxStyle(width=0.5, height=0.34, level=0.85, row=0.55, letters=0.17, labelled=False)


def plot_clusters(ax: Any, tree: ClusterTree, names: Sequence[str], *, tests: Sequence[int] = ()) -> Any:
    """Draw a tree on axes, or on new ones for None, and return the axes.

    Parameters
    ----------
    ax : Axes or None
        Where to draw.
    tree, names
        The clusters and what the variables are called.
    tests : sequence of int
        How many tests each cluster took, by its number; told if there is one for each.
    """
    width, height = tree_size(tree, FULL)
    canvas = canvas_for(ax, width + _MEMBERS, height)
    lettering = lettering_for(map(printable, names))
    x, y = draw_tree(canvas, tree, FULL, lettering, tests=tests)
    layout = tree.layout()
    for number in np.flatnonzero(layout.height == 0).tolist():
        inside = [printable(names[v]) for v in layout.variables(number)]
        lines = _listed(inside, (_MEMBERS - 0.2) / SMALL, lettering)
        for i, text in enumerate(lines):
            at = y[number] + 1.2 * SMALL * (i - (len(lines) - 1) / 2)
            left = x[number] + FULL.width / 2 + 0.12
            lettering.write(canvas.ax, left, at, text, SMALL * canvas.points, ha="left", va="center_baseline")
    return canvas.ax


def tree_size(tree: ClusterTree, style: BoxStyle) -> tuple[float, float]:
    """Return the size of a tree's picture."""
    leaves = np.count_nonzero(tree.layout().height == 0)
    return style.width + style.level * tree.depth, style.height + style.row * (leaves - 1)


def draw_tree(
    canvas: Canvas,
    tree: ClusterTree,
    style: BoxStyle,
    lettering: Lettering,
    *,
    tests: Sequence[int] = (),
    top: float = 0.0,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw boxes and branches on a canvas, so far from the top; return the middles of the boxes."""
    layout = tree.layout()
    x, y = _places(tree, style)
    y += top
    for number in range(1, layout.n_clusters):
        above = int(layout.parent[number])
        middle = x[number] - style.level / 2
        way = [x[above] + style.width / 2, middle, middle, x[number] - style.width / 2]
        canvas.ax.plot(way, [y[above], y[above], y[number], y[number]], color=DIRECTED, lw=0.9, ls="-", zorder=1)
    leaf = np.cumsum(layout.height == 0) - 1
    fills = cluster_colours(int(leaf[-1]) + 1)
    for number in range(layout.n_clusters):
        fill = PLAIN if layout.height[number] else fills[leaf[number]]
        _draw_box(canvas.ax, x[number], y[number], style, fill)
        size = int(layout.stop[number] - layout.start[number])
        lines = [[f"{size:,}"]]
        if style.labelled:
            cost = f", {_counted(tests[number], 'test')}" if len(tests) == layout.n_clusters else ""
            path = tree.path(number)
            lines = [[f"cluster {path}", path], [f"{_counted(size, 'variable')}{cost}", f"{size:,} var.{cost}"]]
        for i, forms in enumerate(lines):
            at = y[number] + 1.2 * style.letters * (i - (len(lines) - 1) / 2)
            room = (style.width - 0.06) / style.letters
            shown = next((form for form in forms if lettering.width_of(form) <= room), forms[-1])
            shown = fitted(shown, room, lettering.width_of)
            lettering.write(canvas.ax, x[number], at, shown, style.letters * canvas.points, va="center_baseline")
    return x, y


def _places(tree: ClusterTree, style: BoxStyle) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Put the leaves one below the other and every other cluster in the middle of its children."""
    layout = tree.layout()
    x, y = np.full(layout.n_clusters, style.width / 2), np.zeros(layout.n_clusters)
    for number in range(1, layout.n_clusters):
        x[number] = x[layout.parent[number]] + style.level
    leaves = np.flatnonzero(layout.height == 0)
    y[leaves] = style.height / 2 + style.row * np.arange(len(leaves))
    for number in range(layout.n_clusters - 1, -1, -1):
        if layout.height[number]:
            children = layout.children(number)
            y[number] = (y[children[0]] + y[children[-1]]) / 2
    return x, y


def _draw_box(ax: Any, x: float, y: float, style: BoxStyle, fill: str) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    outline = rounded_box(style.width, style.height)
    moved = Path(outline.vertices + np.array([x, y]), outline.codes)
    ax.add_patch(PathPatch(moved, facecolor=fill, edgecolor=BORDER, linewidth=0.7, zorder=2))


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _listed(names: Sequence[str], width: float, lettering: Lettering) -> list[str]:
    """Set names in lines of a width; those that find no room are counted."""
    lines = [""]
    for i, name in enumerate(names):
        rest = len(names) - i
        more = f" and {rest} more"
        text = fitted(name, width * 0.45, lettering.width_of) + ("," if rest > 1 else "")
        joined = f"{lines[-1]} {text}".strip()
        last = len(lines) == _LINES
        if lettering.width_of(joined + (more if last and rest > 1 else "")) <= width:
            lines[-1] = joined
        elif not last:
            lines.append(text)
        else:
            lines[-1] = lines[-1].rstrip(",") + more
            break
    return lines
