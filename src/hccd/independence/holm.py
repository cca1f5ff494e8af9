"""Holm's method: which of many p-values are small, with a bound on the chance of a single wrong claim."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def below_holm(p_value: NDArray[np.float64], level: float) -> NDArray[np.bool_]:
    """Tell which p-values are below Holm's limits."""
    order = np.argsort(p_value, kind="stable")
    below = p_value[order] * np.arange(len(order), 0, -1) <= level
    sure = np.empty(len(order), np.bool_)
    sure[order] = np.logical_and.accumulate(below)
    return sure
