"""A graph as SVG, without matplotlib: for notebooks and documents. Names are escaped text in it and no markup."""

from __future__ import annotations

from html import escape

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.labels import box_labels, estimated_width, printable
from hccd.drawing.palette import BORDER, CIRCLE, INK, OUTLINE, cluster_colours
from hccd.drawing.scene import KEY_HEIGHT, KEY_LETTERS, KEY_SAMPLE, KeyEntry, Line, Scene
from hccd.drawing.sizes import NODE_HEIGHT, NODE_WIDTH

_FONT = "font-family=\"Arial, Helvetica, 'DejaVu Sans', sans-serif\""


def graph_svg(scene: Scene, *, unit: float = 100.0, margin: float = 8.0, title: str = "") -> str:
    """Return a scene as an SVG element.

    Parameters
    ----------
    scene : Scene
        What to draw.
    unit : float
        Pixels for the width of a variable's box.
    margin : float
        Pixels around the picture.
    title : str
        What the picture shows, for readers who do not see it.

    Returns
    -------
    str
        ``<svg ...>...</svg>``; a box tells its variable's whole name when the mouse rests on it.
    """
    key = scene.key()
    width = max(scene.layout.width, scene.key_places()[-1]) * unit + 2 * margin
    height = (scene.layout.height + (KEY_HEIGHT if key else 0.0)) * unit + 2 * margin
    size = f'viewBox="0 0 {_n(width)} {_n(height)}" width="{_n(width)}" height="{_n(height)}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {_FONT} style="max-width:100%;height:auto">']
    if title:
        parts.append(f"<title>{_text(title)}</title>")
    parts.append('<rect width="100%" height="100%" fill="white"/>')
    parts.append(f'<g transform="translate({_n(margin)} {_n(margin)})">')
    for line in scene.lines:
        parts += _drawn(line, unit)
    parts += _boxes(scene, unit)
    parts.append("</g>")
    for entry, place in zip(key, scene.key_places(), strict=False):
        parts += _key_entry(entry, margin + place * unit, height - margin - 0.1 * unit, unit)
    parts.append("</svg>")
    return "\n".join(parts)


def _drawn(line: Line, unit: float) -> list[str]:
    """Draw a line with the marks at its ends."""
    start, *rest = (f"{_n(x)} {_n(y)}" for x, y in (line.path * unit).tolist())
    stroke = _stroke(line, unit)
    parts = [f'<path d="M{start}C{" ".join(rest)}" fill="none" {stroke}/>']
    parts += [_polygon(head * unit, line, unit) for head in line.heads]
    for x, y in (circle * unit for circle in line.circles):
        parts.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(CIRCLE * unit)}" fill="white" {stroke}/>')
    return parts


def _stroke(line: Line, unit: float) -> str:
    """Return how a line is drawn."""
    look = f'stroke="{line.colour}" stroke-width="{_n(line.width * unit)}"'
    return look if line.sure is None else f'{look} stroke-opacity="{line.sure.line:g}"'


def _boxes(scene: Scene, unit: float) -> list[str]:
    fills = cluster_colours(scene.n_clusters)
    labels = box_labels(scene.names, estimated_width)
    parts = []
    for v, (x, y) in enumerate((scene.layout.positions * unit).tolist()):
        left, top = x - NODE_WIDTH * unit / 2, y - NODE_HEIGHT * unit / 2
        parts.append(
            f'<g><title>{_text(scene.names[v])}</title><rect x="{_n(left)}" y="{_n(top)}" '
            f'width="{_n(NODE_WIDTH * unit)}" height="{_n(NODE_HEIGHT * unit)}" rx="5" '
            f'fill="{fills[scene.cluster[v]]}" stroke="{BORDER}"/>'
        )
        size = labels[v].size * unit
        for i, text in enumerate(labels[v].lines):
            below = y + size * (0.36 + 1.15 * (i - (len(labels[v].lines) - 1) / 2))
            parts.append(
                f'<text x="{_n(x)}" y="{_n(below)}" font-size="{_n(size)}" text-anchor="middle" '
                f'fill="{INK}">{_text(text)}</text>'
            )
        parts.append("</g>")
    return parts


def _key_entry(entry: KeyEntry, x: float, y: float, unit: float) -> list[str]:
    parts = _drawn(entry.sample(x / unit, y / unit), unit)
    size = KEY_LETTERS * unit
    at = f'x="{_n(x + KEY_SAMPLE * unit)}" y="{_n(y + 0.36 * size)}" font-size="{_n(size)}"'
    return [*parts, f'<text {at} fill="{INK}">{_text(entry.text)}</text>']


def _polygon(points: NDArray[np.float64], line: Line, unit: float) -> str:
    """Draw a head: filled as far as its direction is sure, with an outline as dark as its line."""
    joined = " ".join(f"{_n(x)},{_n(y)}" for x, y in points.tolist())
    colour, sure = line.colour, line.sure
    if sure is None:
        return f'<polygon points="{joined}" fill="{colour}"/>'
    look = f'fill-opacity="{sure.head:g}" stroke="{colour}" stroke-opacity="{sure.line:g}"'
    look += f' stroke-width="{_n(OUTLINE * unit)}"'
    return f'<polygon points="{joined}" fill="{colour}" {look}/>'


def _text(text: str) -> str:
    """Return text as it may stand in XML: no markup, no control characters."""
    return escape(printable(text))


def _n(value: float) -> str:
    """Write a number with two digits at most."""
    return f"{round(value, 2):g}" if abs(value) < 1e5 else f"{value:.0f}"
