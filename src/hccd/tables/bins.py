"""Measurements as a few classes of about equal size, so that a test for discrete data can use them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def equal_frequency(values: ArrayLike, n_bins: int) -> NDArray[np.int64]:
    """Give every number its class, 0 to ``n_bins`` - 1 from low to high, with as many rows in each as can be.

    Equal numbers are always in the same class, so where many are equal the classes differ in size, and there may be
    fewer of them.

    Examples
    --------
    >>> equal_frequency([0.1, 0.4, 0.2, 0.9, 5.0, 3.0], 3).tolist()
    [0, 1, 0, 1, 2, 2]
    >>> equal_frequency([1, 1, 1, 1, 1, 2], 3).tolist()
    [0, 0, 0, 0, 0, 1]
    """
    numbers = np.asarray(values)
    ranks = -(-np.arange(1, n_bins) * len(numbers) // n_bins) - 1
    highest = np.unique(np.sort(numbers)[ranks])
    classes: NDArray[np.int64] = np.searchsorted(highest, numbers, side="left").astype(np.int64)
    return classes
