"""Ranks of methods over data sets, and whether they differ by more than chance (Demsar 2006).

On each data set the best method has rank 1; equals share the mean of their ranks, and what has no value comes last.
The Friedman test asks whether all mean ranks could be the same. If they could not, two methods differ if their mean
ranks do by at least the critical difference of the Nemenyi test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.05
#: With fewer methods or data sets nothing is tested.
FEWEST = 3


def ranks(values: NDArray[np.float64], better: str) -> NDArray[np.float64]:
    """Rank the columns in each row; ``nan`` comes last.

    Parameters
    ----------
    values : array, data sets by methods
        What was measured.
    better : {"lower", "higher"}
        Which values come first.

    Examples
    --------
    >>> ranks(np.array([[3.0, 1.0, 3.0, np.nan]]), "lower").tolist()
    [[2.5, 1.0, 2.5, 4.0]]
    """
    from scipy.stats import rankdata

    key = np.where(np.isnan(values), np.inf, values if better == "lower" else -values)
    ranked: NDArray[np.float64] = rankdata(key, axis=1)
    return ranked


@dataclass(frozen=True)
class MeanRanks:
    """Mean ranks, and what can be said about them.

    Attributes
    ----------
    mean : tuple of float
        The mean rank of each method.
    data_sets : int
        Over how many.
    p_value : float or None
        Of the Friedman test; None if there is too little to test.
    difference : float or None
        The critical difference of two mean ranks; None likewise.
    """

    mean: tuple[float, ...]
    data_sets: int
    p_value: float | None
    difference: float | None


def mean_ranks(ranked: NDArray[np.float64]) -> MeanRanks:
    """Compare the methods by their ranks, data sets by methods."""
    data_sets, methods = ranked.shape
    mean = tuple(ranked.mean(axis=0).tolist())
    if data_sets < FEWEST or methods < FEWEST:
        return MeanRanks(mean, data_sets, None, None)
    from scipy.stats import friedmanchisquare

    # The statistic is not defined where every method ties with every other on every data set.
    differ = bool((ranked != ranked[:, :1]).any())
    p_value = float(friedmanchisquare(*ranked.T).pvalue) if differ else 1.0
    return MeanRanks(mean, data_sets, p_value, critical_difference(methods, data_sets))


def critical_difference(methods: int, data_sets: int, level: float = LEVEL) -> float:
    """Return the critical difference of the Nemenyi test.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    from scipy.stats import studentized_range

    quantile = float(studentized_range.ppf(1 - level, methods, np.inf)) / math.sqrt(2)
    return quantile * math.sqrt(methods * (methods + 1) / (6 * data_sets))


def not_different(mean: Sequence[float], difference: float) -> list[tuple[int, int]]:
    """Return the longest runs of methods, sorted by mean rank, that do not differ: first and last place of each.

    Examples
    --------
    >>> not_different([1.0, 1.5, 2.2, 4.0], 1.0)
    [(0, 1), (1, 2)]
    """
    found: list[tuple[int, int]] = []
    for first in range(len(mean)):
        last = max(place for place in range(first, len(mean)) if mean[place] - mean[first] < difference)
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found
