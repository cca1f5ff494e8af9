"""A layered drawing of a graph: where the variables stand and how the edges run. No Graphviz, no fonts, no colours.

The steps are those of Sugiyama: directions (downward.py), rows (layers.py), order in the rows (crossings.py), places
along them (coordinates.py), ways of the edges (routes.py); parts that are not connected are drawn apart and packed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, sqrt
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.layered.coordinates import row_coordinates
from hccd.drawing.layered.crossings import Rows, ordered_rows
from hccd.drawing.layered.downward import downward_arcs
from hccd.drawing.layered.folding import folded
from hccd.drawing.layered.layers import Layering, broken_layers, natural_layers
from hccd.drawing.layered.packing import packed
from hccd.drawing.layered.proper import Proper, made_proper
from hccd.drawing.layered.relaxation import relaxed_coordinates
from hccd.drawing.layered.routes import routes_of
from hccd.drawing.layered.straightening import straightened
from hccd.drawing.layered.structure import structural_order
from hccd.drawing.sizes import (
    BLOCK_GAP,
    BOX_GAP,
    CLOSEST_GAP,
    LOW,
    PART_GAP,
    ROW_GAP,
    WIDEST_GAP,
    Boxes,
    equal_boxes,
)
from hccd.errors import InvalidParameterError
from hccd.graphs import AnyGraph

#: Straight edges may make a picture so many times as wide; they are not tried where bends are far too many.
_WIDER = 1.3
_MOST_VERTICES = 4


@dataclass(frozen=True, eq=False)
class Layout:
    """Where variables stand and edges run, x to the right and y **downwards**, at equal scales.

    Every variable is a box around its position: of ``NODE_WIDTH`` x ``NODE_HEIGHT`` (1 x 0.34, see
    ``hccd.drawing.sizes``) unless boxes were given. No two boxes touch, and the picture's upper left corner is (0, 0).

    Attributes
    ----------
    positions : array of float, shape (n, 2)
        The middle of each variable's box.
    routes : mapping
        For each edge (i, j), as ``typed_edges`` lists it (i -> j; x < y if both ends look the same), the points of its
        way as an array of shape (k, 2), from the border of the first variable's box to the border of the second's.
        Drawn as straight pieces it passes no other box; ``hccd.drawing.curve`` gives a smooth line that does not
        either.
    width, height : float
        The size of the picture.
    """

    positions: NDArray[np.float64]
    routes: Mapping[tuple[int, int], NDArray[np.float64]]
    width: float
    height: float


@dataclass(frozen=True, eq=False)
class _Part:
    """One connected part: its variables, their places, the ways of its arcs, and its size."""

    variables: NDArray[np.int64]
    places: NDArray[np.float64]
    arcs: list[tuple[int, int]]
    ways: list[NDArray[np.float64]]
    size: tuple[float, float]


def lay_out(graph: AnyGraph, *, ratio: float = 1.6, boxes: Boxes | None = None) -> Layout:
    """Lay a graph out in rows, causes above effects.

    Parameters
    ----------
    graph : PDAG or PAG
        Any graph. Directed edges lead downwards, except between the columns of a drawing that is folded because it
        would be far too high; if the graph is cyclic, some lead upwards.
    ratio : float
        Wanted width of the picture divided by its height. It is met roughly: rows that are too wide are broken.
    boxes : Boxes, optional
        The sizes of the boxes, by variable; all equal by default.

    Returns
    -------
    Layout
        It follows from the graph alone: with other numbers for the variables the picture stays the same, up to
        symmetries of the graph (see ``hccd.drawing.layered.structure`` for the exception).

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> layout = lay_out(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]))
    >>> bool((layout.positions[:2, 1] < layout.positions[2, 1]).all()), sorted(layout.routes)
    (True, [(0, 2), (1, 2)])
    """
    if not (isfinite(ratio) and ratio > 0):
        raise InvalidParameterError(f"ratio is {ratio!r}; it must be a number above 0, for example 1.6")
    boxes = equal_boxes(graph.n) if boxes is None else boxes
    order = structural_order(graph, boxes.widths)
    ordered = boxes.of(order)
    number = np.empty(graph.n, dtype=np.int64)
    number[order] = np.arange(graph.n)
    arcs = downward_arcs(graph.relabelled(number)) if graph.n else np.empty((0, 2), dtype=np.int64)

    part_of = _parts(graph.n, arcs)
    linked = np.zeros(graph.n, dtype=bool)
    linked[arcs.ravel()] = True
    members = [np.flatnonzero(part_of == part) for part in _largest(part_of, linked)]
    layered = [
        natural_layers(np.searchsorted(own, arcs[part_of[arcs[:, 0]] == part_of[own[0]]]), ordered.of(own))
        for own in members
    ]
    # Only what is wider than the whole picture should be is broken.
    room = sqrt(ratio * sum(each.size[0] * each.size[1] for each in layered))
    layered = [each if each.size[0] <= room else broken_layers(each, ratio) for each in layered]
    parts = [_drawn(own, each, ratio, room / ratio) for own, each in zip(members, layered, strict=True)]
    corners = packed([part.size for part in parts], ratio)

    positions = np.zeros((graph.n, 2))
    ways: dict[tuple[int, int], NDArray[np.float64]] = {}
    for part, corner in zip(parts, corners, strict=True):
        positions[order[part.variables]] = part.places + corner
        for (upper, lower), way in zip(part.arcs, part.ways, strict=True):
            ways[int(order[upper]), int(order[lower])] = way + corner
    _set_in_block(positions, order[~linked], boxes, parts, corners, ratio)
    half = np.column_stack([boxes.widths / 2, np.full(graph.n, boxes.height / 2)])
    right, bottom = (positions + half).max(axis=0, initial=0.0)
    positions.flags.writeable = False
    for way in ways.values():
        right, bottom = max(right, way[:, 0].max()), max(bottom, way[:, 1].max())
    return Layout(positions, _as_in_graph(graph, ways), float(right), float(bottom))


def layered_layout(graph: AnyGraph, *, ratio: float = 1.6) -> NDArray[np.float64]:
    """Return the positions of :func:`lay_out` alone, an array of shape (n, 2), y downwards along the arrows."""
    return lay_out(graph, ratio=ratio).positions


def _parts(n: int, arcs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, for each variable, the smallest variable that it is connected with."""
    part = np.arange(n)
    while True:
        low = part.copy()
        np.minimum.at(low, arcs[:, 0], part[arcs[:, 1]])
        np.minimum.at(low, arcs[:, 1], part[arcs[:, 0]])
        low = low[low]
        if np.array_equal(low, part):
            return part
        part = low


def _largest(part_of: NDArray[np.int64], linked: NDArray[np.bool_]) -> list[int]:
    """List the parts that have edges, those of most variables first."""
    sizes = np.bincount(part_of[linked], minlength=len(part_of))
    return [int(p) for p in np.argsort(-sizes, kind="stable") if sizes[p]]


def _drawn(variables: NDArray[np.int64], layering: Layering, ratio: float, tallest: float) -> _Part:
    """Draw one connected part with its upper left corner at the origin."""
    proper = made_proper(layering.layer, layering.arcs, layering.boxes)
    rows = ordered_rows(proper)
    x = straightened(proper, rows, _along_rows(proper, rows))
    fold = folded(proper, x, _row_heights(proper, rows, x, tallest), ratio, tallest)
    return _Part(
        variables,
        np.column_stack([fold.x, fold.y])[: proper.n],
        [(upper, lower) for upper, lower in variables[layering.arcs].tolist()],
        routes_of(proper, fold.x, fold.y, fold.detours),
        (fold.width, fold.height),
    )


def _along_rows(proper: Proper, rows: Rows) -> NDArray[np.float64]:
    """Prefer straight edges, unless they make the picture much wider than it need be."""
    relaxed = relaxed_coordinates(proper, rows)
    if len(proper.layer) > _MOST_VERTICES * proper.n:
        return relaxed
    straight = row_coordinates(proper, rows)
    return straight if straight.max() <= _WIDER * relaxed.max() + 2 * max(proper.half) + BOX_GAP else relaxed


def _row_heights(proper: Proper, rows: Rows, x: NDArray[np.float64], tallest: float) -> NDArray[np.float64]:
    """Return the y of each row: further apart where edges run far to the side, so that they do not lie flat.

    Rows of a picture that would be higher than ``tallest``, and too high for a screen, are closer to each other.
    """
    aside = np.array([np.abs(x[pairs[:, 0]] - x[pairs[:, 1]]).max(initial=0.0) for pairs in proper.segments()])
    gaps = np.minimum(ROW_GAP + 0.04 * aside, WIDEST_GAP)
    excess = len(rows) * proper.height + gaps.sum() - max(tallest, LOW)
    if excess > 0 and len(gaps):
        gaps -= min(excess / len(gaps), ROW_GAP - CLOSEST_GAP)
    return proper.height / 2 + np.concatenate([[0.0], np.cumsum(proper.height + gaps)])


def _set_in_block(
    positions: NDArray[np.float64],
    alone: NDArray[np.int64],
    boxes: Boxes,
    parts: list[_Part],
    corners: NDArray[np.float64],
    ratio: float,
) -> None:
    """Put the variables without edges below everything else, in rows of their own."""
    if not len(alone):
        return
    own = boxes.widths[alone] + BOX_GAP
    pitch = boxes.height + BLOCK_GAP
    extent = np.array([corner + part.size for part, corner in zip(parts, corners, strict=True)]).reshape(-1, 2)
    width, bottom = extent.max(axis=0, initial=0.0)
    room = max(width, sqrt(ratio * pitch * own.sum())) + BOX_GAP
    x, y = 0.0, boxes.height / 2 + (bottom + PART_GAP if parts else 0.0)
    for v, wide in zip(alone.tolist(), own.tolist(), strict=True):
        if x > 0 and x + wide > room + 1e-9:
            x, y = 0.0, y + pitch
        positions[v] = x + (wide - BOX_GAP) / 2, y
        x += wide


def _as_in_graph(
    graph: AnyGraph, ways: Mapping[tuple[int, int], NDArray[np.float64]]
) -> Mapping[tuple[int, int], NDArray[np.float64]]:
    """Key the ways as the graph names its edges, turned round where an edge was drawn from its second end."""
    routes: dict[tuple[int, int], NDArray[np.float64]] = {}
    for i, j, _ in graph.typed_edges():
        way = ways[i, j] if (i, j) in ways else ways[j, i][::-1].copy()
        way.flags.writeable = False
        routes[i, j] = way
    return MappingProxyType(routes)
