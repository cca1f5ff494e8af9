"""What ``transform="auto"`` does: which transform the data ask for, and whether a score would do harm.

**The transform** is the one under which columns tell most about each other: of the values as they are, of the values
without outlying rows, and of normal scores, the one whose correlations have the best spanning tree. The worth of a tree
is the information of its edges, the sum of - ln(1 - r^2) / 2. Outliers, and relations that are curved but rise or fall
throughout, hide information that a transform brings back. Noise that is skewed or has heavy tails does not: where
effects are linear, the values themselves tell most. The values as they are have to be beaten by ``MARGIN``.

**The score** takes relations for linear, and the more rows there are the surer it is of edges that only mend what a
line misses. A pair is *straight* if its normal scores are correlated, and *curved* if they are not, but the square of
one is correlated with the other. Where pairs are curved half as often as they are straight, the tests alone do better.

Neither is looked for where every column is nearly normal. All is decided from a part of large tables; everything is in
the canonical order of the columns, so their order and names do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hccd.independence.transforms import correlations, normal_scores, outlying_rows

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: How much more another transform has to tell than none.
MARGIN = 1.05
#: From how many curved pairs for a straight one the score is left out.
CURVED = 0.5
#: A column is nearly normal up to this skewness and excess kurtosis, and what few rows add to that by chance.
SKEWED, HEAVY = 0.5, 1.0
#: Below so many rows there is nothing to go by; more rows and columns than so many are not looked at.
FEWEST_ROWS, MOST_ROWS, MOST_COLUMNS = 30, 4000, 1000
#: Chance of a single wrong claim among all pairs that one is curved, and level at which a pair is uncorrelated.
FALSE_CLAIM, UNCORRELATED = 0.05, 0.01
# The information of an exact relation would be infinite.
_LARGEST = 1.0 - 1e-3


@dataclass(frozen=True)
class Suited:
    """What suits the data: the transform, and whether a score would do harm."""

    transform: str
    curved: bool = False


def suited(columns: Floats) -> Suited:
    """Look at rows-as-variables in their canonical order."""
    part = looked_at(columns)
    if part.shape[1] < FEWEST_ROWS or len(part) < 2:
        return Suited("none")
    skewness, kurtosis = shapes(part)
    by_chance = 4.0 / np.sqrt(part.shape[1])
    normal = (np.abs(skewness) <= SKEWED + by_chance * 6**0.5) & (kurtosis <= HEAVY + by_chance * 24**0.5)
    if normal.all():
        return Suited("none")
    part = part[:MOST_COLUMNS]
    scores = normal_scores(part)
    told = {"none": MARGIN * information(correlations(part)), "normal-scores": information(correlations(scores))}
    outlying = outlying_rows(columns)[:: row_step(columns)]
    if outlying.any():
        told["trim"] = information(correlations(part[:, ~outlying]))
    # The first of equals.
    best = max(told, key=lambda name: told[name])
    return Suited(best, is_curved(normal_scores(part[:, ~outlying]) if best == "trim" else scores))


def row_step(columns: Floats) -> int:
    """Return which of the rows are looked at: every one, or every so many-th."""
    return max(1, -(-int(columns.shape[1]) // MOST_ROWS))


def looked_at(columns: Floats) -> Floats:
    """Return the rows that are looked at."""
    return columns[:, :: row_step(columns)]


def shapes(columns: Floats) -> tuple[Floats, Floats]:
    """Return the skewness and the excess kurtosis of each variable; 0 of one that does not vary."""
    centered = columns - columns.mean(axis=1, keepdims=True)
    largest = np.abs(centered).max(axis=1, keepdims=True)
    varies = largest > np.abs(columns).max(axis=1, keepdims=True) * 1e-14
    centered /= np.where(varies, largest, 1.0)
    squares = centered * centered
    variance = squares.mean(axis=1)
    deviation = np.sqrt(np.where(varies[:, 0], variance, 1.0))
    third = np.einsum("ij,ij->i", squares, centered) / columns.shape[1]
    fourth = np.einsum("ij,ij->i", squares, squares) / columns.shape[1]
    skewness = np.where(varies[:, 0], third / deviation**3, 0.0)
    return skewness, np.where(varies[:, 0], fourth / deviation**4 - 3.0, 0.0)


def information(correlation: Floats) -> float:
    """Return the information of the spanning tree that has most of it."""
    squared = np.minimum(correlation * correlation, _LARGEST)
    n = len(squared)
    left = np.ones(n, np.bool_)
    left[0] = False
    best = squared[0].copy()
    total = 0.0
    for _ in range(n - 1):
        new = int(np.where(left, best, -1.0).argmax())
        total -= 0.5 * float(np.log1p(-best[new]))
        left[new] = False
        np.maximum(best, squared[new], out=best)
    return total


def is_curved(scores: Floats) -> bool:
    """Whether pairs are curved half as often as they are straight, or more often."""
    straight, curved = relations(scores)
    return bool(curved.sum() > CURVED * straight.sum())


def relations(scores: Floats) -> tuple[Bools, Bools]:
    """Return the straight and the curved pairs of variables, above the diagonal, from their normal scores."""
    n, n_rows = scores.shape
    correlation = correlations(scores)
    squares = _standard(scores * scores)
    bent = np.abs(squares @ _standard(scores).T) / n_rows
    sure = -float(ndtri(FALSE_CLAIM / (2.0 * max(n * (n - 1), 1)))) / np.sqrt(n_rows)
    unsure = -float(ndtri(UNCORRELATED / 2.0)) / np.sqrt(n_rows)
    straight = np.abs(correlation) > sure
    curved = (np.maximum(bent, bent.T) > sure) & (np.abs(correlation) < unsure)
    return np.triu(straight, 1), np.triu(curved, 1)


def _standard(rows: Floats) -> Floats:
    """Bring variables to mean 0 and deviation 1; one that does not vary to 0."""
    centered = rows - rows.mean(axis=1, keepdims=True)
    deviation = np.sqrt(np.einsum("ij,ij->i", centered, centered) / rows.shape[1])
    # What remains of a variable of two values, squared, is rounding.
    return np.asarray(centered / np.where(deviation > 1e-9, deviation, np.inf)[:, None])
