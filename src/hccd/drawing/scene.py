"""What a picture of a graph shows, before anything is drawn: boxes with a cluster each, lines of two kinds.

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
from hccd.graphs import PDAG

#: Length and half the width of an arrow's head, in units of the layout.
HEAD_LENGTH, HEAD_HALF = 0.15, 0.055
#: How far the tip is from the end of the line, which must not show inside a head that is hardly filled.
HEAD_BEYOND = 0.96 * HEAD_LENGTH
#: The key: room for a sample of a line, size of letters, height of it all.
KEY_SAMPLE, KEY_LETTERS, KEY_HEIGHT = 0.58, 0.14, 0.42


@dataclass(frozen=True, eq=False)
class Line:
    """One edge: the control points of its curve, the triangle of its head if it is an arrow, and how sure it is."""

    ends: tuple[int, int]
    path: NDArray[np.float64]
    head: NDArray[np.float64] | None
    sure: Certainty | None = None

    @property
    def kind(self) -> str:
        """``directed`` or ``undirected``."""
        return "undirected" if self.head is None else "directed"


class KeyEntry(NamedTuple):
    """A sample in the key: a kind of edge, how sure it is, and a text."""

    kind: str
    sure: Certainty | None
    text: str


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
        directed = sum(line.head is not None for line in self.lines)
        undirected = len(self.lines) - directed
        unsure = any(line.sure is not None for line in self.lines)
        if not undirected and not unsure:
            return []
        kinds = [("directed", directed), ("undirected", undirected)]
        entries = [KeyEntry(kind, SURE if unsure else None, f"{kind}: {count}") for kind, count in kinds if count]
        if unsure and directed:
            entries.append(KeyEntry("directed", UNSURE_DIRECTION[1], UNSURE_DIRECTION[0]))
        if unsure:
            entries.append(KeyEntry("directed" if directed else "undirected", UNSURE_EDGE[1], UNSURE_EDGE[0]))
        return entries


def scene_of(
    graph: PDAG,
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
    arrows = set(map(tuple, graph.directed_edges().tolist()))
    lines = []
    for ends, route in layout.routes.items():
        head = _head(route) if ends in arrows else None
        path = curve(route if head is None else _pulled_back(route))
        lines.append(Line(ends, path, head, None if sure is None else sure(*ends)))
    labels = np.zeros(graph.n, dtype=np.int64) if cluster is None else cluster
    return Scene(layout, tuple(names), labels, n_clusters, tuple(lines))


def _head(route: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the triangle at the end of a route; routes end vertically."""
    (x, y), down = route[-1], np.sign(route[-1, 1] - route[-2, 1])
    back = y - down * HEAD_LENGTH
    return np.array([(x, y), (x - HEAD_HALF, back), (x + HEAD_HALF, back)])


def _pulled_back(route: NDArray[np.float64]) -> NDArray[np.float64]:
    """End a line inside its head, so that it does not stick out of the tip."""
    route = route.copy()
    route[-1, 1] -= np.sign(route[-1, 1] - route[-2, 1]) * HEAD_BEYOND
    return route
