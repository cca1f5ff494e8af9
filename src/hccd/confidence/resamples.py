"""Resamples of rows, as weights: 0 for the rows that are left out.

A resample is a part of the rows, ``SHARE`` of them, drawn without replacement: as many different rows as there are in a
sample of all rows with replacement. Such a sample would have every third row twice or more often, and tests and scores
take copies for evidence: on 1,000 rows of hailfinder, whose variables have up to 11 states, everything would depend on
everything. What the share does to the frequencies is in docs/ACCURACY.md.

Resample k comes from the seed and k alone, so it is the same whoever draws it. A row that counts for several equal ones
is drawn as these would be, one by one. Rows with sampling weights are drawn alike and keep their weights, scaled to the
effective number of rows (Kish) of what was drawn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.tables.weights import are_counts

Floats = NDArray[np.float64]

#: Which part of the rows is drawn: 1 - 1/e.
SHARE = 0.632
# Numpy draws exactly so many out of fewer than this.
_MOST_COUNTED = 10**9


def drawn(seed: int, number: int, n_rows: int, weights: Floats | None = None) -> Floats:
    """Return the weights of the rows in a resample.

    Examples
    --------
    >>> drawn(0, 3, 100).sum()
    63.0
    >>> drawn(0, 3, 2, np.array([1.0, 99.0])).sum()
    63.0
    """
    rng = np.random.default_rng([seed, number])
    if weights is not None and are_counts(weights):
        counts = weights.astype(np.int64)
        if counts.sum() >= _MOST_COUNTED:
            return rng.binomial(counts, SHARE).astype(np.float64)
        size = _size(int(counts.sum()))
        return rng.multivariate_hypergeometric(counts, size, method="marginals").astype(np.float64)
    own = np.zeros(n_rows)
    own[rng.permutation(n_rows)[: _size(n_rows)]] = 1.0
    if weights is None:
        return own
    own *= weights
    return np.asarray(own * (own.sum() / (own @ weights)))


def _size(n_rows: int) -> int:
    return max(1, round(SHARE * n_rows))
