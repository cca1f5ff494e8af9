"""What is written on a node: names on one or two lines, shortened in the middle where need be, and the room they need.

Sizes are in pixels of the page at scale 1. Widths are estimates for a sans-serif font, on the generous side; the page
shortens further where its font is wider. The full name is shown on request, and in all texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import category

from hccd.drawing.labels import estimated_width, fitted, halves

#: The size of letters, the distance of two lines of them, and what a box has around its lines.
LETTERS = 13.0
_LINE = 14.0
_PADDING_X, _PADDING_Y = 16.0, 12.0
_NARROWEST = 46.0
#: Where no name has more characters, all are set on one line; else those of more than a few are set on two.
_LONG, _SHORT = 18, 12
#: A line is no wider than this.
_WIDEST = 130.0


def set_labels(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the names of a page fit for its nodes, each as one line or two.

    Examples
    --------
    >>> set_labels(["pressure", "flipper_length_mm"])
    [('pressure',), ('flipper_length_mm',)]
    >>> set_labels(["pressure", "mean systolic pressure", "of the left arm, mean systolic pressure at rest"])
    [('pressure',), ('mean systolic', 'pressure'), ('of the le…arm, mean', 'systolic p…re at rest')]
    """
    lines = list(map(_line, names))
    most = _LONG if all(len(line) <= _LONG for line in lines) else _SHORT
    return [
        tuple(fitted(part, _WIDEST / LETTERS, estimated_width) for part in parts)
        for parts in ((line,) if len(line) <= most else halves(line, estimated_width) for line in lines)
    ]


def _line(name: str) -> str:
    """Return a name as one line of characters that can be seen."""
    line = "".join("␣" if category(c)[0] in "ZC" and c != " " and category(c) != "Cf" else c for c in name).strip()
    return line or ("(blank)" if name else "(empty)")


def width(lines: Sequence[str]) -> float:
    """Return the width of the node for a label."""
    return max(_NARROWEST, round(max(map(estimated_width, lines)) * LETTERS + _PADDING_X))


def height(labels: Sequence[Sequence[str]]) -> float:
    """Return the height of every node of a page: of as many lines as the longest of its labels has."""
    return max(map(len, labels), default=1) * _LINE + _PADDING_Y
