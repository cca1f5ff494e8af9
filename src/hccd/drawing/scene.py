"""What a picture of a graph shows, before anything is drawn: boxes with a cluster each, lines with marks at their ends.

Matplotlib and SVG draw the same scene, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.certainty import SURE, UNSURE_DIRECTION, UNSURE_EDGE, Certainty
from hccd.drawing.curve import curve
from hccd.drawing.labels import estimated_width
from hccd.drawing.layered.layout import Layout, lay_out
from hccd.drawing.palette import CIRCLE, HEAD_HALF, HEAD_LENGTH, LINE, WIDEST, edge_colour
from hccd.graphs import AnyGraph
from hccd.graphs.marks import EdgeType, Mark

#: How far a line ends before the variable: it must not show inside a circle, nor inside a head that is hardly filled.
_BEFORE = {Mark.TAIL: 0.0, Mark.ARROW: 0.96 * HEAD_LENGTH, Mark.CIRCLE: 2 * CIRCLE}
#: The key: the length of a sample of a line, room for it, size of letters, height of it all.
_SAMPLE, KEY_SAMPLE, KEY_LETTERS, KEY_HEIGHT = 0.544, 0.58, 0.14, 0.42


@dataclass(frozen=True, eq=False)
class Line:
    """One edge: the control points of its curve, the triangles and circles at its ends, and how sure it is.

    A circle is told by its middle.
    """

    ends: tuple[int, int]
    kind: EdgeType
    path: NDArray[np.float64]
    heads: tuple[NDArray[np.float64], ...]
    circles: tuple[NDArray[np.float64], ...]
    sure: Certainty | None = None

    @property
    def colour(self) -> str:
        """The colour of the line and of its heads."""
        return edge_colour(self.kind)

    @property
    def width(self) -> float:
        """The width of the line, by its probability if that is known."""
        return LINE if self.sure is None else WIDEST * self.sure.width

    def moved(self, by: NDArray[np.float64]) -> Line:
        """Return the line elsewhere."""
        heads, circles = (tuple(shape + by for shape in shapes) for shapes in (self.heads, self.circles))
        return Line(self.ends, self.kind, self.path + by, heads, circles, self.sure)


class KeyEntry(NamedTuple):
    """A sample in the key: a type of edge, how sure it is, and a text."""

    kind: EdgeType
    sure: Certainty | None
    text: str

    def sample(self, x: float, y: float) -> Line:
        """Return a line of this look, from a place to the right."""
        route = np.array([(x, y), (x + _SAMPLE, y)])
        return _line((0, 0), self.kind, route, np.array([1.0, 0.0]), np.array([1.0, 0.0]), self.sure)


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything in the picture, in units of its layout."""

    layout: Layout
    names: tuple[str, ...]
    cluster: NDArray[np.int64]
    n_clusters: int
    lines: tuple[Line, ...]

    def key_places(self) -> list[float]:
        """Return where the entries of the key begin, and where the last one ends, in units of the layout."""
        places = [0.0]
        for entry in self.key():
            places.append(places[-1] + KEY_SAMPLE + KEY_LETTERS * estimated_width(entry.text) + 0.35)
        return places

    def key(self) -> list[KeyEntry]:
        """List the kinds of edges that a reader must be told about; none if all are arrows and equally sure."""
        counts = {kind: sum(line.kind is kind for line in self.lines) for kind in EdgeType}
        unsure = any(line.sure is not None for line in self.lines)
        if sum(counts.values()) == counts[EdgeType.DIRECTED] and not unsure:
            return []
        arrows = counts[EdgeType.DIRECTED] > 0
        entries = [
            KeyEntry(kind, SURE if unsure else None, f"{kind.value}: {count}")
            for kind, count in counts.items()
            if count
        ]
        if unsure and arrows:
            entries.append(KeyEntry(EdgeType.DIRECTED, UNSURE_DIRECTION[1], UNSURE_DIRECTION[0]))
        if unsure:
            kind = EdgeType.DIRECTED if arrows else EdgeType.UNDIRECTED
            entries.append(KeyEntry(kind, UNSURE_EDGE[1], UNSURE_EDGE[0]))
        return entries


def scene_of(
    graph: AnyGraph,
    names: Sequence[str],
    *,
    cluster: NDArray[np.int64] | None = None,
    n_clusters: int = 1,
    sure: Callable[[int, int], Certainty] | None = None,
    ratio: float = 1.6,
) -> Scene:
    """Lay a graph out and say what its picture shows.

    Parameters
    ----------
    graph, names
        The graph and what its variables are called.
    cluster : array of int, optional
        The number of each variable's cluster, below ``n_clusters``.
    sure : callable, optional
        How sure an edge is, from its ends; a cause comes first.
    ratio : float
        Wanted width divided by height.
    """
    layout = lay_out(graph, ratio=ratio)
    lines = []
    for i, j, kind in graph.typed_edges():
        route = layout.routes[i, j]
        # Routes begin and end vertically.
        begin, end = np.sign(np.diff(route[:, 1]))[[0, -1]]
        along = np.array([0.0, begin]), np.array([0.0, end])
        lines.append(_line((i, j), kind, route, *along, None if sure is None else sure(i, j)))
    labels = np.zeros(graph.n, dtype=np.int64) if cluster is None else cluster
    return Scene(layout, tuple(names), labels, n_clusters, tuple(lines))


def _line(
    ends: tuple[int, int],
    kind: EdgeType,
    route: NDArray[np.float64],
    begin: NDArray[np.float64],
    end: NDArray[np.float64],
    sure: Certainty | None,
) -> Line:
    """Put the marks of an edge to the ends of its route, which leads in these directions there."""
    route = route.copy()
    heads, circles = [], []
    for place, mark, outward in ((0, kind.marks[0], -begin), (-1, kind.marks[1], end)):
        tip = route[place].copy()
        if mark is Mark.ARROW:
            back, aside = tip - HEAD_LENGTH * outward, HEAD_HALF * outward[::-1]
            heads.append(np.array([tip, back - aside, back + aside]))
        elif mark is Mark.CIRCLE:
            circles.append(tip - CIRCLE * outward)
        route[place] = tip - _BEFORE[mark] * outward
    return Line(ends, kind, curve(route), tuple(heads), tuple(circles), sure)
