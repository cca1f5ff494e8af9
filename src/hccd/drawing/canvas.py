"""Axes to draw on: those of the caller, or new ones of the right size; matplotlib is imported here, when needed.

Nothing is closed, and no setting of matplotlib is changed. Pictures are drawn in the units of their layout at equal
scales, and letters are given the size that the axes have when the picture is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hccd.errors import NotInstalledError

#: Inches for one unit of a layout, in new figures, and the longest side of a new figure.
_INCHES, _LONGEST = 0.75, 60.0
_POINTS = 72.0


@dataclass(frozen=True, eq=False)
class Canvas:
    """Axes without frame whose data are in units of a layout, and the points that a unit has on them."""

    ax: Any
    points: float


def require_matplotlib() -> None:
    """Say in one sentence what is missing, if it is."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise NotInstalledError("pictures need matplotlib: pip install 'hccd[plot]'") from None


def canvas_for(target: Any, width: float, height: float, *, margin: float = 0.15) -> Canvas:
    """Prepare axes for a picture of this size in units, y downwards.

    Parameters
    ----------
    target : Axes, Figure or None
        Axes are used as they are; a figure is given the right size; None makes a figure that pyplot knows.
    width, height, margin : float
        The size of the picture and of what is left free around it.
    """
    width, height = width + 2 * margin, height + 2 * margin
    scale = min(_INCHES, _LONGEST / max(width, height))
    ax = _axes(target, width * scale, height * scale)
    if ax is not target:
        ax.set_position((0.0, 0.0, 1.0, 1.0))
    ax.set_xlim(-margin, width - margin)
    ax.set_ylim(height - margin, -margin)
    ax.set_aspect("equal", adjustable="box", anchor="C")
    ax.set_axis_off()
    extent = ax.get_window_extent()
    return Canvas(ax, min(extent.width / width, extent.height / height) * _POINTS / ax.figure.dpi)


def framed_axes(target: Any, width: float, height: float) -> Any:
    """Return axes with a frame, new ones of this size in inches unless the target is some."""
    ax = _axes(target, width, height)
    if ax is not target:
        ax.figure.set_layout_engine("constrained")
    return ax


def _axes(target: Any, width: float, height: float) -> Any:
    """Return the axes themselves, or new ones in a figure of this size in inches."""
    require_matplotlib()
    if target is None:
        from matplotlib import pyplot

        return pyplot.figure(figsize=(width, height)).add_subplot()
    if hasattr(target, "add_subplot"):
        target.set_size_inches(width, height)
        return target.add_subplot()
    return target
