"""Colours and lines: the one declaration for the report, matplotlib's pictures, SVG and notebooks.

Fills of clusters are light tints that stay apart for eyes of every kind as far as that goes, with dark text on all.
Widths and lengths are in units of a layout (see ``hccd.drawing.sizes``).
"""

from __future__ import annotations

from colorsys import hls_to_rgb

from hccd.graphs.marks import EdgeType, Mark

#: Light tints of Okabe and Ito's colours, which most colour-blind readers can tell apart.
_FIRST = ("#a8d4f2", "#fbd38f", "#9fdcc6", "#f0bdd9", "#f7f1a0", "#c3c9e8", "#f5b79a", "#d5d5d5")

INK = "#222222"
BORDER = "#5a6570"
PLAIN = "#e4ecf4"
#: Edges that point somewhere, edges that point nowhere, and edges that tell of a hidden common cause.
DIRECTED = "#4a4f57"
UNDIRECTED = "#0072b2"
BIDIRECTED = "#b5480b"
#: The same on a dark ground.
ON_DARK = {DIRECTED: "#aab4c0", UNDIRECTED: "#6cb8ee", BIDIRECTED: "#ffb070"}
#: Widths of lines: of an edge of which nobody knows how sure it is, of one that is known to be sure, and of the outline
#: of its head.
LINE, WIDEST, OUTLINE = 0.02, 0.032, 0.01
#: Length and half the width of an arrow's head, and the radius of a circle.
HEAD_LENGTH, HEAD_HALF, CIRCLE = 0.15, 0.055, 0.05


def edge_colour(kind: EdgeType) -> str:
    """Return the colour of an edge and of its heads."""
    if kind is EdgeType.BIDIRECTED:
        return BIDIRECTED
    return DIRECTED if Mark.ARROW in kind.marks else UNDIRECTED


def cluster_colours(count: int) -> tuple[str, ...]:
    """Return a fill for each of so many clusters, by number; a single cluster is plain."""
    if count <= 1:
        return (PLAIN,) * count
    return tuple(_FIRST[i] if i < len(_FIRST) else _turned(i - len(_FIRST)) for i in range(count))


def _turned(i: int) -> str:
    """Return a further tint: hues in steps of the golden angle, which come back late."""
    rgb = hls_to_rgb((0.11 + 0.618034 * i) % 1.0, (0.82, 0.74, 0.88)[i % 3], 0.6)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)
