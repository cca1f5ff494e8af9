"""What ``transform="auto"`` does: which transform the data ask for, and whether a score would do harm.

**Rows** that are far from all others in many columns are left out if they contradict the others: if in these rows a
column is told worse by the column that tells most about it elsewhere than by nothing at all.

**Normal scores** are taken where columns tell more about each other by them than by their values, by ``MARGIN``. What
columns tell is the information of the best spanning tree of their correlations, the sum of - ln(1 - r^2) / 2 over its
edges, less ``BY_CHANCE`` times that of the same columns, each shuffled. Outlying cells, and relations that are curved
but rise or fall throughout, hide information that normal scores bring back. Noise that is skewed or has heavy tails
does not: where effects are linear, the values themselves tell most, however they are distributed.

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
#: From how many curved pairs for a straight one the score is left out, if there are so many for a variable.
CURVED, FEWEST_CURVED = 0.5, 0.1
#: How many times the information of independent columns of the same values counts as nothing.
BY_CHANCE = 4.0
#: A column is nearly normal up to this skewness and excess kurtosis, and what few rows add to that by chance.
SKEWED, HEAVY = 0.5, 1.0
#: Below so many rows there is nothing to go by; more rows and columns than so many are not looked at.
FEWEST_ROWS, MOST_ROWS, MOST_COLUMNS = 30, 4000, 1000
#: Chance of a single wrong claim among all pairs that one is curved, and level at which a pair is uncorrelated.
FALSE_CLAIM, UNCORRELATED = 0.01, 0.01
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
    # Squares of very large or very small numbers must stay finite.
    largest = np.abs(part).max(axis=1, keepdims=True)
    part = part / np.where(largest > 0.0, largest, 1.0)
    if part.shape[1] < FEWEST_ROWS or len(part) < 2:
        return Suited("none")
    if nearly_normal(part).all():
        return Suited("none")
    part = part[:MOST_COLUMNS]
    scores = normal_scores(part)
    curved = is_curved(scores)
    outlying = outlying_rows(columns)[:: row_step(columns)]
    # Rows that a curve has thrown far are no outliers.
    trim = bool(outlying.any()) and not curved and contradict(part[:, ~outlying], part[:, outlying])
    as_it_is = told(part[:, ~outlying] if trim else part)
    if told(scores) > max(as_it_is, MARGIN * as_it_is):
        return Suited("normal-scores", curved)
    return Suited("trim" if trim else "none", curved)


def filled(columns: Floats) -> Floats:
    """Fill missing cells with other values of their columns, so that columns can be judged, though not correlated."""
    missing = np.isnan(columns)
    if not missing.any():
        return columns
    whole = columns.copy()
    for own, gaps in zip(whole, missing, strict=True):
        held = own[~gaps]
        own[gaps] = held[np.random.default_rng(0).integers(len(held), size=int(gaps.sum()))]
    return whole


def row_step(columns: Floats) -> int:
    """Return which of the rows are looked at: every one, or every so many-th."""
    return max(1, -(-int(columns.shape[1]) // MOST_ROWS))


def looked_at(columns: Floats) -> Floats:
    """Return the rows that are looked at."""
    return columns[:, :: row_step(columns)]


def nearly_normal(columns: Floats) -> Bools:
    """Tell which variables are neither skewed nor have heavy tails, as far as can be told."""
    skewness, kurtosis = shapes(columns)
    by_chance = 4.0 / np.sqrt(columns.shape[1])
    return np.asarray((np.abs(skewness) <= SKEWED + by_chance * 6**0.5) & (kurtosis <= HEAVY + by_chance * 24**0.5))


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


def told(columns: Floats) -> float:
    """Return what variables tell about each other, beyond what they would if they were independent."""
    shuffled = np.random.default_rng(0).permuted(columns, axis=1)
    found, by_chance = (spanning_tree(correlations(each)).information for each in (columns, shuffled))
    return found - BY_CHANCE * by_chance


def contradict(kept: Floats, outlying: Floats) -> bool:
    """Whether a variable is told worse by its neighbour in the tree of the kept rows than by nothing, in other rows."""
    tree = spanning_tree(correlations(kept))
    middle, spread = kept.mean(axis=1, keepdims=True), kept.std(axis=1, keepdims=True)
    far = (outlying - middle) / np.where(spread > 0.0, spread, np.inf)
    left = far[tree.child] - tree.correlation[:, None] * far[tree.parent]
    return bool((left * left).sum() > (far[tree.child] ** 2).sum())


@dataclass(frozen=True, eq=False)
class SpanningTree:
    """The edges of the tree with most information, each with its correlation."""

    parent: NDArray[np.int64]
    child: NDArray[np.int64]
    correlation: Floats

    @property
    def information(self) -> float:
        """The sum over all edges."""
        return float(-0.5 * np.log1p(-np.minimum(self.correlation**2, _LARGEST)).sum())


def spanning_tree(correlation: Floats) -> SpanningTree:
    """Return the spanning tree of the largest correlations, whatever their signs."""
    size = np.abs(correlation)
    n = len(size)
    left = np.ones(n, np.bool_)
    left[0] = False
    best, parent = size[0].copy(), np.zeros(n, np.int64)
    child = np.empty(n - 1, np.int64)
    for i in range(n - 1):
        new = int(np.where(left, best, -1.0).argmax())
        child[i] = new
        left[new] = False
        nearer = left & (size[new] > best)
        best[nearer], parent[nearer] = size[new][nearer], new
    return SpanningTree(parent[child], child, correlation[parent[child], child])


def is_curved(scores: Floats) -> bool:
    """Whether pairs are curved half as often as they are straight, or more often."""
    straight, curved = relations(scores)
    return bool(curved.sum() > max(CURVED * straight.sum(), FEWEST_CURVED * len(scores)))


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
