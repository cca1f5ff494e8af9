"""How well probabilities agree with the share of claims that is right."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Claims of about the same probability are compared with how often they are right.
BINS = 10


class Calibration(NamedTuple):
    """The calibration of claims that each have a probability.

    Attributes
    ----------
    claims : int
        Number of claims.
    right : float
        The share of the claims that is right.
    ece : float
        Expected calibration error: the mean distance between probability and share that is right, over bins of equal
        width.
    brier : float
        Brier score: the mean squared difference between the probability and 1 for right claims, 0 for wrong ones.
    """

    claims: int
    right: float
    ece: float
    brier: float


def calibration(probability: NDArray[np.float64], right: NDArray[np.bool_]) -> Calibration:
    """Compare the probabilities of claims with whether the claims are right.

    Examples
    --------
    >>> calibration(np.array([0.9, 0.9, 0.1, 0.1]), np.array([True, True, False, False]))
    Calibration(claims=4, right=0.5, ece=0.1, brier=0.01)
    """
    if len(probability) == 0:
        return Calibration(0, np.nan, np.nan, np.nan)
    error = sum(each.claims * abs(each.probability - each.right) for each in reliability(probability, right))
    brier = float(np.mean((probability - right) ** 2))
    return Calibration(len(right), float(np.mean(right)), round(float(error) / len(right), 12), round(brier, 12))


class Reliability(NamedTuple):
    """A point of a reliability curve: claims of similar probability, its mean, and the share that is right."""

    claims: int
    probability: float
    right: float


def reliability(probability: NDArray[np.float64], right: NDArray[np.bool_], bins: int = BINS) -> list[Reliability]:
    """Return the points of the reliability curve in ascending order; a bin without claims has no point."""
    bin_of = np.minimum((probability * bins).astype(np.int64), bins - 1)
    return [
        Reliability(int(here.sum()), float(probability[here].mean()), float(right[here].mean()))
        for here in (bin_of == k for k in range(bins))
        if here.any()
    ]
