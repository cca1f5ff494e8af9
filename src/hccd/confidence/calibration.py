"""From how often resamples have an edge to how probable it is.

Shares of resamples are not probabilities: an edge that every resample has may still be wrong, because the data break an
assumption, and one that only resamples have is rarely right. So half a count is added to each of the four things that
there may be between two variables. Counts of discrete tables are taken to a power below 1, which draws certainty back:
their resamples agree more often than they are right, those of numbers do not. Of pairs that the graph does not join,
those without an edge weigh more. The numbers were fitted on simulated data and published networks, and judged on
others: ``hccd reproduce calibration``, docs/ACCURACY.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.result.confidence import DIGITS

#: How the graph has a pair x < y.
NONE, FORWARD, BACKWARD, UNDIRECTED = range(4)


class Fitted(NamedTuple):
    """The power of the counts, and how much more it weighs that a pair has no edge if the graph does not join it."""

    power: float
    apart: float


#: Of discrete tables, and of all others. No power above 1 was tried: then edges would be surer than resamples agree.
TABLES, NUMBERS = Fitted(0.75, 10.0), Fitted(1.0, 5.0)
#: How many resamples they were fitted with: more or fewer make an assumption neither truer nor falser.
FITTED_WITH = 100


def calibrated(
    counts: NDArray[np.int64],
    drawn: NDArray[np.int64],
    resamples: int,
    fitted: Fitted,
    allowed: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    """Return the probabilities of x -> y, x <- y and x - y, in rows.

    Parameters
    ----------
    counts : array of int64, shape (m, 3)
        How many resamples have a pair in each way.
    drawn : array of int64, shape (m,)
        How the graph has it.
    resamples : int
        Their number.
    fitted : Fitted
        ``TABLES`` for discrete data, else ``NUMBERS``.
    allowed : array of bool, shape (m, 4), optional
        Which of x -> y, x <- y, x - y and no edge agree with what was known; all by default.
    """
    every = np.column_stack([counts, resamples - counts.sum(axis=1)]) * (FITTED_WITH / resamples)
    weights = tempered(every, fitted.power)
    weights[drawn == NONE, 3] *= fitted.apart
    if allowed is not None:
        weights *= allowed
    return np.asarray(np.round(weights / weights.sum(axis=1, keepdims=True), DIGITS)[:, :3])


def tempered(every: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """Return what four counts weigh."""
    return np.asarray((every + 0.5) ** power)
