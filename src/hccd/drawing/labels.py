"""Names as labels: any text on one or two lines that fit a box, shortened in the middle where need be.

Names often differ at their ends only (gene_0001, gene_0002), so it is the middle that gives way to an ellipsis. How
wide a text is, in units of its font's size, is told by whoever draws; ``estimated_width`` serves where no font is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hccd.drawing.sizes import NODE_WIDTH

WidthOf = Callable[[str], float]

ELLIPSIS = "…"
#: Sizes of letters in units of the layout: two lines of the small ones fit a box.
LARGE, SMALL = 0.18, 0.118
_SMALLEST = 0.1
_INSIDE = 0.89 * NODE_WIDTH
_BREAK = re.compile(r"(?<=[\s_\-./:,;])(?=\S)|(?<=[a-z])(?=[A-Z])")
_NARROW, _WIDE = frozenset("ijlIftr.,:;'`|!()[]{} "), frozenset("mwMW@%")
_LONGEST = 400


@dataclass(frozen=True)
class Label:
    """The lines of a label, and the size of its letters in units of the layout."""

    lines: tuple[str, ...]
    size: float


def printable(name: str) -> str:
    """Return a name as one line of characters that can be drawn: white space is a blank, control characters go."""
    kept = (
        " " if c.isspace() else "\ufffd" if unicodedata.category(c) in {"Cs", "Co", "Cn"} else c
        for c in name[:_LONGEST]
        if c.isspace() or unicodedata.category(c) not in {"Cc", "Cf"}
    )
    return re.sub(" +", " ", "".join(kept)).strip()


def box_labels(names: Sequence[str], width_of: WidthOf) -> list[Label]:
    """Return labels that fit the box of a variable, most of them in letters of one size."""
    shown = [printable(name) for name in names]
    widths = np.array([max(width_of(name), 0.1) for name in shown])
    usual = float(np.clip(np.quantile(_INSIDE / widths, 0.2), SMALL, LARGE)) if shown else LARGE
    return [_label(name, float(width), usual, width_of) for name, width in zip(shown, widths, strict=True)]


def _label(name: str, width: float, usual: float, width_of: WidthOf) -> Label:
    if width * usual <= _INSIDE:
        return Label((name,), usual)
    if width * _SMALLEST <= _INSIDE:
        return Label((name,), _INSIDE / width)
    return Label(tuple(fitted(line, _INSIDE / SMALL, width_of) for line in halves(name, width_of)), SMALL)


def halves(name: str, width_of: WidthOf) -> tuple[str, str]:
    """Break a long name near its middle, after a separator or before a capital if there is one."""
    places = [found.start() for found in _BREAK.finditer(name)] or [len(name) // 2]
    best = min(places, key=lambda at: max(width_of(name[:at]), width_of(name[at:])))
    # A break far from the middle helps nobody.
    if not 0.25 < best / len(name) < 0.75:
        best = len(name) // 2
    return name[:best].rstrip(), name[best:].lstrip()


def fitted(text: str, width: float, width_of: WidthOf) -> str:
    """Return a text, its middle left out if it is wider than ``width`` (in units of the letters' size)."""
    if width_of(text) <= width:
        return text
    low, high = 1, len(text) - 1
    while low < high:
        kept = (low + high + 1) // 2
        low, high = (kept, high) if width_of(_cut(text, kept)) <= width else (low, kept - 1)
    return _cut(text, low)


def _cut(text: str, kept: int) -> str:
    """Keep so many characters, from both ends."""
    back = kept // 2
    return f"{text[: kept - back]}{ELLIPSIS}{text[len(text) - back :]}"


def estimated_width(text: str) -> float:
    """Estimate how wide a text is in a common sans-serif font, in units of the font's size; rather too much."""
    return sum(map(_character_width, text))


def _character_width(c: str) -> float:
    if unicodedata.combining(c):
        return 0.0
    if unicodedata.east_asian_width(c) in "WF" or ord(c) > 0xFFFF:
        return 1.05
    if c in _NARROW:
        return 0.36
    if c in _WIDE:
        return 0.92
    return 0.69 if c.isupper() else 0.58
