"""Colours: light fills for clusters that stay apart for eyes of every kind as far as that goes, dark text on all."""

from __future__ import annotations

from colorsys import hls_to_rgb

#: Light tints of Okabe and Ito's colours, which most colour-blind readers can tell apart.
_FIRST = ("#a8d4f2", "#fbd38f", "#9fdcc6", "#f0bdd9", "#f7f1a0", "#c3c9e8", "#f5b79a", "#d5d5d5")

INK = "#222222"
BORDER = "#5a6570"
PLAIN = "#e4ecf4"
#: Edges that point somewhere, edges that point nowhere, and edges that tell of a hidden common cause.
DIRECTED = "#4a4f57"
UNDIRECTED = "#0072b2"
BIDIRECTED = "#b5480b"


def cluster_colours(count: int) -> tuple[str, ...]:
    """Return a fill for each of so many clusters, by number; a single cluster is plain."""
    if count <= 1:
        return (PLAIN,) * count
    return tuple(_FIRST[i] if i < len(_FIRST) else _turned(i - len(_FIRST)) for i in range(count))


def _turned(i: int) -> str:
    """Return a further tint: hues in steps of the golden angle, which come back late."""
    rgb = hls_to_rgb((0.11 + 0.618034 * i) % 1.0, (0.82, 0.74, 0.88)[i % 3], 0.6)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)
