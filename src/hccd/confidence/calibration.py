"""From how often resamples have an edge to how probable it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.result.confidence import DIGITS


def calibrated(counts: NDArray[np.int64], resamples: int) -> NDArray[np.float64]:
    """Return the probabilities of x -> y, x <- y and x - y, in rows, from their counts."""
    return np.asarray(np.round(counts / resamples, DIGITS))
