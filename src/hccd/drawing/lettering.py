"""Text in matplotlib that takes any name as it is: no mathematics, no TeX, no warnings about missing letters.

A character that the current font lacks is taken from another installed font that is known for such characters, and is
an empty square if there is none, so that nothing remains for matplotlib to warn of when the picture is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hccd.drawing.palette import INK

#: Fonts of the common systems for what DejaVu Sans lacks: East Asian, Indic and Arabic letters, symbols.
_OTHERS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Source Han Sans SC", "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei", "Microsoft YaHei", "SimHei", "PingFang SC", "PingFang HK", "Hiragino Sans", "Yu Gothic",
    "MS Gothic", "Malgun Gothic", "Apple SD Gothic Neo", "Noto Sans Devanagari", "Nirmala UI", "Noto Sans Thai",
    "Noto Sans Arabic", "Noto Sans Hebrew", "Segoe UI", "Segoe UI Symbol", "Segoe UI Emoji", "Noto Emoji",
    "Noto Sans Symbols", "Noto Sans Symbols2", "Symbola", "Arial Unicode MS", "FreeSans", "Unifont",
)  # fmt: skip
_MISSING = "\u25a1"


@dataclass(frozen=True, eq=False)
class Lettering:
    """The fonts for a picture.

    Attributes
    ----------
    families : tuple of str
        Names of fonts, the current one first.
    known : frozenset of str
        The characters that one of them has, of those asked for.
    """

    families: tuple[str, ...]
    known: frozenset[str]

    def drawable(self, text: str) -> str:
        """Return a text with a square for every character that no font has."""
        square = _MISSING if _MISSING in self.known else "?"
        return "".join(c if c in self.known else square for c in text)

    def width_of(self, text: str) -> float:
        """Return how wide a text is, in units of its size."""
        from matplotlib.textpath import text_to_path

        width, _, _ = text_to_path.get_text_width_height_descent(self.drawable(text), self._measure, ismath=False)
        return float(width) / 100.0

    @cached_property
    def _measure(self) -> Any:
        from matplotlib.font_manager import FontProperties

        return FontProperties(family=list(self.families), size=100.0)

    def write(self, ax: Any, x: float, y: float, text: str, size: float, **options: Any) -> Any:
        """Put text into axes, centred unless told otherwise; ``size`` is in points."""
        centred = {"ha": "center", "va": "center", "color": INK} | options
        return ax.text(
            x, y, self.drawable(text), fontsize=size, fontfamily=list(self.families), parse_math=False, usetex=False,
            **centred,
        )  # fmt: skip


def lettering_for(texts: Iterable[str]) -> Lettering:
    """Find the fonts for some texts; digits, Latin letters and the ellipsis are always asked for."""
    from matplotlib import font_manager

    wanted = {c for text in texts for c in text} | set(map(chr, range(32, 127))) | {"…", "\ufffd", _MISSING}
    current = font_manager.get_font(font_manager.findfont(font_manager.FontProperties()))
    families = [current.family_name]
    known = {c for c in wanted if ord(c) in current.get_charmap()}
    if wanted - known - {"\ufffd", _MISSING}:
        installed = set(font_manager.get_font_names())
        for family in _OTHERS:
            if family not in installed or not wanted - known:
                continue
            font = font_manager.get_font(font_manager.findfont(font_manager.FontProperties(family=[family])))
            found = {c for c in wanted - known if ord(c) in font.get_charmap()}
            if found:
                families.append(family)
                known |= found
    return Lettering(tuple(families), frozenset(known))
