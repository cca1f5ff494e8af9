"""From how often resamples have an edge to how probable it is.

Shares of resamples are not probabilities: an edge that every resample has may still be wrong, because the data break an
assumption, and one that the graph has is right more often than one that only some resamples have. The map is logistic
in the log-odds of the share, with two numbers for each kind of claim. They were fitted on simulated data and published
networks, and judged on others: ``hccd reproduce calibration``, docs/ACCURACY.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.result.confidence import DIGITS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: How the graph has a pair x < y.
NONE, FORWARD, BACKWARD, UNDIRECTED = range(4)
#: Intercept and slope, in log-odds: two variables are adjacent, if the graph joins them and if it does not;
JOINED, APART = (0.228, 0.667), (-2.34, 0.647)
#: and, of those that are: an arrow of the graph is right, and an undirected edge of it.
ARROW, LINE = (-0.606, 0.909), (1.334, 0.195)


def calibrated(counts: Ints, drawn: Ints, resamples: int, allowed: NDArray[np.bool_] | None = None) -> Floats:
    """Return the probabilities of x -> y, x <- y and x - y, in rows.

    Parameters
    ----------
    counts : array of int64, shape (m, 3)
        How many resamples have a pair in each way.
    drawn : array of int64, shape (m,)
        How the graph has it.
    resamples : int
        Their number.
    allowed : array of bool, shape (m, 4), optional
        Which of x -> y, x <- y, x - y and no edge agree with what was known; all by default.
    """
    adjacent = counts.sum(axis=1)
    chance = np.where(drawn == NONE, _mapped(APART, adjacent, resamples), _mapped(JOINED, adjacent, resamples))
    own = counts[np.arange(len(counts)), np.maximum(drawn - 1, 0)]
    right = np.where(drawn == UNDIRECTED, _mapped(LINE, own, adjacent), _mapped(ARROW, own, adjacent))
    # What is left goes to the other ways as resamples have them; of pairs that the graph does not join, everything.
    shares = counts + 0.5
    shares[np.arange(len(counts)), np.maximum(drawn - 1, 0)] *= drawn == NONE
    shares /= shares.sum(axis=1, keepdims=True)
    shares *= np.where(drawn == NONE, 1.0, 1.0 - right)[:, None]
    shares[np.arange(len(counts)), np.maximum(drawn - 1, 0)] += np.where(drawn == NONE, 0.0, right)
    found = np.column_stack([shares * chance[:, None], 1.0 - chance])
    if allowed is not None:
        found *= allowed
        found /= found.sum(axis=1, keepdims=True)
    return np.asarray(np.round(found[:, :3], DIGITS))


def _mapped(line: tuple[float, float], times: Ints, of: Ints | int) -> Floats:
    """Return the probability for a share, whose log-odds are finite by half a count on either side."""
    odds = line[0] + line[1] * np.log((times + 0.5) / (of - times + 0.5))
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))
