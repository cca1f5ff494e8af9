"""What is written on a node: names shortened in the middle, and the room they need.

Widths are estimates in pixels for a sans-serif font of 12 pixels, on the generous side; the page shortens further where
its font is wider. The full name is shown on request, and in all texts.
"""

from __future__ import annotations

from unicodedata import category, east_asian_width

LONGEST = 18
HEIGHT = 26.0
_PADDING = 16.0
_NARROWEST = 50.0


def label(name: str) -> str:
    """Return a name fit for a node: one line, at most ``LONGEST`` characters.

    Examples
    --------
    >>> label("pressure"), label("mean systolic pressure, left arm")
    ('pressure', 'mean systo…eft arm')
    """
    line = "".join("␣" if category(c)[0] in "ZC" and c != " " and category(c) != "Cf" else c for c in name)
    if not line.strip():
        return "(blank)" if name else "(empty)"
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 8]}…{line[-7:]}"


def width(text: str) -> float:
    """Return the width of the node for a label."""
    return max(_NARROWEST, round(sum(map(_advance, text)) + _PADDING))


def _advance(character: str) -> float:
    if character in "fijlrtI.,:;'|!()[] ":
        return 5.0
    if character in "mwMW@%":
        return 11.0
    if east_asian_width(character) in "WF":
        return 13.0
    return 8.4 if character.isupper() else 7.2
