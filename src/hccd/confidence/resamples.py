"""Resamples of rows, as weights: row r is there as often as it was drawn.

As many rows are drawn as there are, with replacement. Resample k comes from the seed and k alone, so it is the same
whoever draws it. Rows that count several equal ones are drawn as often as all of these together. Rows with sampling
weights are drawn alike, and those drawn have their weights, scaled to the effective number of rows (Kish) of what was
drawn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.tables.weights import are_counts

Floats = NDArray[np.float64]


def drawn(seed: int, number: int, n_rows: int, weights: Floats | None = None) -> Floats:
    """Return the weights of the rows in a resample: 0 for those that were not drawn.

    Examples
    --------
    >>> drawn(0, 3, 5).sum()
    5.0
    >>> drawn(0, 3, 2, np.array([1.0, 99.0])).sum()
    100.0
    """
    rng = np.random.default_rng([seed, number])
    if weights is None:
        return np.bincount(rng.integers(n_rows, size=n_rows), minlength=n_rows).astype(np.float64)
    if are_counts(weights):
        total = weights.sum()
        return rng.multinomial(int(total), weights / total).astype(np.float64)
    times = np.bincount(rng.integers(n_rows, size=n_rows), minlength=n_rows)
    own = times * weights
    return np.asarray(own * (own.sum() / (own @ weights)))
