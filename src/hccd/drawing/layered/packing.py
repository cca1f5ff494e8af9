"""Several rectangles on one picture: rows of them, as words in a book, as wide as comes nearest to the wanted shape."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from hccd.drawing.sizes import PART_GAP


def packed(sizes: Sequence[tuple[float, float]], ratio: float) -> NDArray[np.float64]:
    """Return the upper left corners of rectangles (width, height), in the order given."""
    widths = np.cumsum([width + PART_GAP for width, _ in sizes]) - PART_GAP
    least = max((width for width, _ in sizes), default=0.0)
    best: tuple[float, NDArray[np.float64]] | None = None
    # Breaks change only at widths where one more rectangle fits, but trying steps of a tenth is as good to the eye.
    limit = least
    while best is None or limit < (widths[-1] if len(widths) else 0.0) * 1.1:
        corners, width, height = _shelves(sizes, limit)
        misfit = abs(log(max(width, 1e-9) / max(height, 1e-9) / ratio))
        if best is None or misfit < best[0] - 1e-9:
            best = misfit, corners
        limit *= 1.1
        if limit == 0.0:
            break
    return best[1]


def _shelves(sizes: Sequence[tuple[float, float]], limit: float) -> tuple[NDArray[np.float64], float, float]:
    """Fill shelves up to a width; return the corners and the size of it all."""
    corners = np.zeros((len(sizes), 2))
    x = y = shelf = width = 0.0
    for i, (wide, tall) in enumerate(sizes):
        if x > 0 and x + wide > limit + 1e-9:
            x, y, shelf = 0.0, y + shelf + PART_GAP, 0.0
        corners[i] = x, y
        x += wide + PART_GAP
        shelf = max(shelf, tall)
        width = max(width, x - PART_GAP)
    return corners, width, y + shelf
