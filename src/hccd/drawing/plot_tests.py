"""What a search cost: bars of tests for each size of the conditioning set, divided by stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hccd.drawing.canvas import framed_axes
from hccd.drawing.palette import BORDER
from hccd.wording import STAGES

#: How each stage is filled; patterns differ, so that colours are not needed.
_FILLS = {
    "leaf": ("#a8d4f2", ""),
    "between": ("#fbd38f", "///"),
    "refine": ("#9fdcc6", "..."),
    "colliders": ("#d5d5d5", "xxx"),
}


def plot_tests(ax: Any, by_stage: Mapping[str, Sequence[int]]) -> Any:
    """Draw the tests of a run on axes, or on new ones for None, and return the axes."""
    ax = framed_axes(ax, 6.4, 4.0)
    stages = [(stage, row) for stage, row in by_stage.items() if sum(row)]
    orders = max((len(row) for _, row in stages), default=1)
    base = [0] * orders
    for stage, row in stages:
        label, (fill, hatch) = STAGES.get(stage, stage), _FILLS.get(stage, ("#ffffff", "+++"))
        counts = [row[order] if order < len(row) else 0 for order in range(orders)]
        ax.bar(
            range(orders), counts, bottom=base, width=0.7, color=fill, edgecolor=BORDER, linewidth=0.7, hatch=hatch,
            label=f"{label}: {sum(row):,}",
        )  # fmt: skip
        base = [below + count for below, count in zip(base, counts, strict=True)]
    for order, total in enumerate(base):
        ax.annotate(f"{total:,}", (order, total), xytext=(0, 2), textcoords="offset points", ha="center", va="bottom")
    ax.set_xticks(range(orders))
    ax.set_xlabel("size of the conditioning set")
    ax.set_ylabel("independence tests")
    ax.set_title(f"{sum(base):,} tests")
    ax.margins(y=0.1)
    if stages:
        ax.legend(frameon=False)
    return ax
