"""The diagram of critical differences (Demsar 2006): methods on a line by mean rank, bars join those that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hccd.drawing.picture import figure_bytes, new_figure
from hccd.studies.ranks import MeanRanks, not_different

# Heights in lines of text, below the axis.
_BAR, _FIRST_BAR, _LABEL = 0.45, 0.55, 1.0
_INCHES_A_LINE = 0.24
_LINES_ABOVE = 3.2


@dataclass(frozen=True)
class Panel:
    """One diagram: its title, the methods, and their ranks."""

    title: str
    labels: Sequence[str]
    ranks: MeanRanks


def draw_ranks(panels: Sequence[Panel], path: Path, *, salt: str) -> None:
    """Draw the diagrams below each other into ``path`` with the endings ``.png`` and ``.svg``."""
    figure = new_figure()
    import matplotlib as mpl

    with mpl.rc_context({"font.size": 9}):
        heights = [_LINES_ABOVE + _depth(panel) for panel in panels]
        figure.set_size_inches(9.0, _INCHES_A_LINE * sum(heights) + 0.2)
        grid = figure.add_gridspec(len(panels), 1, height_ratios=heights, left=0, right=1, top=1, bottom=0, hspace=0)
        for panel, place in zip(panels, grid, strict=True):
            _draw(figure.add_subplot(place), panel)
        for ending in (".png", ".svg"):
            path.with_suffix(ending).write_bytes(figure_bytes(figure, ending, salt=salt, dpi=150))


def _bars(panel: Panel) -> list[tuple[float, float]]:
    mean = sorted(panel.ranks.mean)
    if panel.ranks.difference is None:
        return []
    return [(mean[first], mean[last]) for first, last in not_different(mean, panel.ranks.difference)]


def _depth(panel: Panel) -> float:
    """Return how many lines a diagram takes below its axis."""
    return _first_label(panel) + _LABEL * ((len(panel.labels) + 1) // 2) + 0.3


def _first_label(panel: Panel) -> float:
    return _FIRST_BAR + _BAR * len(_bars(panel)) + 0.6


def _draw(axis: Any, panel: Panel) -> None:
    found = panel.ranks
    count = len(panel.labels)
    order = sorted(range(count), key=lambda i: (found.mean[i], i))
    span = max(count - 1, 1)
    side = 0.5 * span
    axis.set_xlim(1 - side, 1 + span + side)
    axis.set_ylim(_depth(panel), -_LINES_ABOVE)
    axis.set_axis_off()
    black: dict[str, Any] = {"color": "black", "clip_on": False, "solid_capstyle": "butt"}

    axis.text(1 - side + 0.02 * span, -_LINES_ABOVE + 0.7, panel.title, weight="bold", va="center")
    axis.plot([1, 1 + span], [0, 0], lw=1, **black)
    for tick in range(1, span + 2):
        axis.plot([tick, tick], [0, -0.25], lw=1, **black)
        axis.text(tick, -0.4, str(tick), ha="center", va="bottom")
    if found.difference is None:
        axis.text(1 + span, -_LINES_ABOVE + 0.7, "too few to test", ha="right", va="center")
    else:
        _draw_difference(axis, found.difference, span, black)
    for number, (first, last) in enumerate(_bars(panel)):
        beside = _FIRST_BAR + _BAR * number
        axis.plot([first - 0.012 * span, last + 0.012 * span], [beside, beside], lw=3.2, zorder=3, **black)

    half = (count + 1) // 2
    for place, method in enumerate(order):
        rank, left = found.mean[method], place < half
        # The method nearest to the middle hangs lowest, so that no line crosses another.
        height = _first_label(panel) + _LABEL * (place if left else count - 1 - place)
        end = 1 - 0.03 * span if left else 1 + span * 1.03
        ours = panel.labels[method].startswith("HCCD")
        style = {**black, "color": "#b2182b" if ours else "black"}
        axis.plot([rank, rank, end], [0, height, height], lw=0.8, **style)
        text = f"{panel.labels[method]}  {rank:.2f}" if left else f"{rank:.2f}  {panel.labels[method]}"
        gap = 0.012 * span
        axis.text(
            end - gap if left else end + gap, height, text, ha="right" if left else "left", va="center",
            color=style["color"],
        )  # fmt: skip


def _draw_difference(axis: Any, difference: float, span: int, style: dict[str, Any]) -> None:
    """Draw the length of the critical difference above the axis, as far as it fits."""
    height, end = -1.75, 1 + min(difference, float(span))
    axis.plot([1, end], [height, height], lw=1, **style)
    for at in (1.0, end):
        axis.plot([at, at], [height - 0.15, height + 0.15], lw=1, **style)
    axis.text(end + 0.015 * span, height, f"critical difference {difference:.2f}", ha="left", va="center")
