"""A smooth line along a route: cubic Bezier pieces that leave and enter every row vertically."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def curve(route: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the control points of cubic Bezier pieces along a route.

    Parameters
    ----------
    route : array of shape (k, 2)
        A way of ``Layout.routes``.

    Returns
    -------
    array of shape (3 (k - 1) + 1, 2)
        Start, then two control points and an end for each piece, as in an SVG path ``M x y C ...``. A piece stays
        between the heights of its two ends, so the line passes no box that the route does not pass.

    Examples
    --------
    >>> curve(np.array([[0.0, 0.0], [1.0, 2.0]])).tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 2.0]]
    """
    points = np.empty((3 * (len(route) - 1) + 1, 2))
    points[::3] = route
    half = np.diff(route[:, 1]) / 2
    points[1::3, 0], points[1::3, 1] = route[:-1, 0], route[:-1, 1] + half
    points[2::3, 0], points[2::3, 1] = route[1:, 0], route[1:, 1] - half
    return points
