"""Resamples of rows, as weights: 0 for the rows that are not drawn.

For a score as many rows are drawn as there are, with replacement. For tests it is a part of the rows, ``SHARE`` of
them, without replacement: as many different rows. Tests take rows that are there several times for evidence: on 1,000
rows of hailfinder, whose variables have up to 11 states, everything would depend on everything. Both are measured in
docs/ACCURACY.md.

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


def drawn(seed: int, number: int, n_rows: int, weights: Floats | None = None, *, again: bool = True) -> Floats:
    """Return the weights of the rows in a resample; ``again`` says whether a row may be drawn more than once.

    Examples
    --------
    >>> float(drawn(0, 3, 100).sum())
    100.0
    >>> float(drawn(0, 3, 2, np.array([1.0, 99.0]), again=False).sum())
    63.0
    """
    rng = np.random.default_rng([seed, number])
    if weights is not None and are_counts(weights):
        counts = weights.astype(np.int64)
        if again:
            return rng.multinomial(int(counts.sum()), weights / weights.sum()).astype(np.float64)
        if counts.sum() >= _MOST_COUNTED:
            return rng.binomial(counts, SHARE).astype(np.float64)
        size = _size(int(counts.sum()))
        return rng.multivariate_hypergeometric(counts, size, method="marginals").astype(np.float64)
    chosen = rng.integers(n_rows, size=n_rows) if again else rng.permutation(n_rows)[: _size(n_rows)]
    own = np.bincount(chosen, minlength=n_rows).astype(np.float64)
    if weights is None:
        return own
    own *= weights
    return np.asarray(own * (own.sum() / (own @ weights)))


def _size(n_rows: int) -> int:
    return max(1, round(SHARE * n_rows))
