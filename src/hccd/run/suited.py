"""What ``transform="auto"`` does: which transform the data ask for.

**Rows** that are far from all others in many columns are left out if they contradict the others: if in these rows a
column is told worse by the column that tells most about it elsewhere than by nothing at all.

**Normal scores** are taken where columns tell more about each other by them than by their values, by ``MARGIN``. What
columns tell is the information of the best spanning tree of their correlations, the sum of - ln(1 - r^2) / 2 over its
edges, less ``BY_CHANCE`` times that of the same columns, each shuffled. Relations that are curved but rise or fall
throughout hide information that normal scores bring back. Noise that is skewed or has heavy tails does not: where
effects are linear, the values themselves tell most, however they are distributed.

**Outlying cells** are replaced where columns tell more by what is left, by ``MARGIN``, and at least as much as by
normal scores. But noise with heavy tails contradicts the rest of its row too, so more has to be told as well once every
value that is far from the bulk of its column is moved into its middle. Errors are alone in their rows; a large value
that heavy tails make is passed on to what depends on it, and then tells most. Cells that a rare value of another column
explains are no errors. Where whole rows are outlying, these are left out instead.

**Curves** are taken where many relations bend. An edge of the tree of what columns tell by lines or by curves is
*straight* if a line tells the one end by the other, and neither squares nor cubes add to that: in one of the two
directions, by the values or by their normal scores. For where an effect is linear, it is so in its own direction,
however the noise is distributed, while its reverse may bend. Deviations are those that the products themselves show, so
that neither heavy tails nor noise of uneven size look like a curve. Rows that are far from all others do not count.
Relations have to bend as well once outlying cells are replaced.

Nothing is looked for where every column is nearly normal, but curves where the columns together are not. All is decided
from a part of large tables; all in the canonical order of the columns, so their order and names do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hccd.independence.transforms import (
    cells_can_be_judged,
    correlations,
    normal_scores,
    outlying_rows,
    without_far,
    without_outlying_cells,
)

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: How much more another transform has to tell than none.
MARGIN = 1.05
#: From which share of the edges of the tree on that are not straight curves are taken, and from how many.
CURVED, FEWEST_CURVED = 0.3, 2
#: How many deviations a line, or a curve beside it, has to be away from nothing to count.
SHOWN = 3.0
#: How many times the information of independent columns of the same values counts as nothing.
BY_CHANCE = 4.0
#: A column is nearly normal up to this skewness and excess kurtosis, and what few rows add to that by chance.
SKEWED, HEAVY = 0.5, 1.0
#: How large the mean of Jarque and Bera's statistic, 2 of normal variables, has to be for curves to be looked for.
UNUSUAL = 2.5
#: Below so many rows there is nothing to go by; more rows and columns than so many are not looked at.
FEWEST_ROWS, MOST_ROWS, MOST_COLUMNS = 30, 4000, 1000
#: Chance of a single wrong claim among all pairs that one is curved, and level at which a pair is uncorrelated.
FALSE_CLAIM, UNCORRELATED = 0.01, 0.01
# The information of an exact relation would be infinite.
_LARGEST = 1.0 - 1e-3


@dataclass(frozen=True)
class Suited:
    """What suits the data; ``curved``: curves would, where they may not be taken; ``normal``: all are nearly."""

    transform: str
    curved: bool = False
    normal: bool = field(default=False, compare=False)


def suited(columns: Floats, curves: bool = True, cells: bool = True, beside: Floats | None = None) -> Suited:
    """Look at rows-as-variables in their canonical order; ``curves`` may be taken or not, and ``cells`` replaced.

    ``beside`` are the discrete columns of the table.
    """
    part = looked_at(columns)
    # Squares of very large or very small numbers must stay finite.
    largest = np.abs(part).max(axis=1, keepdims=True)
    part = part / np.where(largest > 0.0, largest, 1.0)
    if part.shape[1] < FEWEST_ROWS or len(part) < 2:
        return Suited("none")
    normal, unusual = nearly_normal(part)
    if normal.all() and not unusual:
        return Suited("none", normal=True)
    part = part[:MOST_COLUMNS]
    outlying = outlying_rows(columns)[:: row_step(columns)]
    by_scores, replaced = told(normal_scores(part)), None
    if cells and not normal.all() and cells_can_be_judged(columns):
        replaced = without_errors(part, by_scores, None if beside is None else looked_at(beside))
    # Errors that all lie on the same side, such as a code for missing cells, bend relations.
    curved = is_curved(part[:, ~outlying]) and (replaced is None or is_curved(replaced))
    if curved and curves:
        return Suited("curves")
    if normal.all():
        return Suited("none", curved)
    if replaced is not None:
        return Suited("trim-cells", curved)
    trim = bool(outlying.any()) and contradict(part[:, ~outlying], part[:, outlying])
    as_it_is = told(part[:, ~outlying] if trim else part)
    if by_scores > max(as_it_is, MARGIN * as_it_is):
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


def nearly_normal(columns: Floats) -> tuple[Bools, bool]:
    """Tell which variables are neither skewed nor have heavy tails, as far as can be told, and if all together have."""
    skewness, kurtosis = shapes(columns)
    by_chance = 4.0 / np.sqrt(columns.shape[1])
    normal = (np.abs(skewness) <= SKEWED + by_chance * 6**0.5) & (kurtosis <= HEAVY + by_chance * 24**0.5)
    jarque_bera = columns.shape[1] * np.mean(skewness**2 / 6.0 + kurtosis**2 / 24.0)
    return np.asarray(normal), bool(jarque_bera >= UNUSUAL)


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


def without_errors(columns: Floats, by_scores: float, beside: Floats | None) -> Floats | None:
    """Return variables with other values for errors, if single cells are errors and nothing else is outlying."""
    as_it_is = told(columns)
    # Of independent columns none tells anything.
    enough = max(as_it_is, MARGIN * as_it_is, 0.0)
    if told(without_far(columns)) <= enough:
        return None
    replaced = without_outlying_cells(columns, beside=beside)
    by_the_rest = told(replaced)
    errors = by_the_rest > enough and by_the_rest >= by_scores and not outlying_rows(replaced).any()
    return replaced if errors else None


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


def is_curved(columns: Floats) -> bool:
    """Whether many edges of the tree of what variables tell, by lines or by curves, are not straight."""
    values, scores = _standard(columns), _standard(normal_scores(columns))
    n, n_rows = columns.shape
    bent = np.abs(_standard(scores * scores) @ scores.T) / n_rows
    # By ranks, since heavy tails alone look like dependence.
    tree = spanning_tree(np.maximum.reduce([np.abs(correlations(scores)), bent, bent.T]))
    there = tree.correlation > _sure(n, n_rows)
    parent, child = tree.parent[there], tree.child[there]
    straight = np.zeros(len(parent), np.bool_)
    for x, y in ((parent, child), (child, parent)):
        straight |= is_line(values[x], values[y], [values[x] ** 2])
        straight |= is_line(scores[x], scores[y], [scores[x] ** 2, scores[x] ** 3])
    count = int((~straight).sum())
    return count >= max(FEWEST_CURVED, CURVED * len(straight))


def is_line(x: Floats, y: Floats, curves: list[Floats]) -> Bools:
    """Tell which y, of pairs of standardised rows, a line tells by x, and none of the curves in addition."""
    slope = np.einsum("ij,ij->i", x, y)[:, None] / x.shape[1]
    left = y - slope * x
    line = np.abs(slope[:, 0]) * x.shape[1] > SHOWN * _spread(x * left)
    for curve in curves:
        own = curve - curve.mean(axis=1, keepdims=True)
        own -= np.einsum("ij,ij->i", own, x)[:, None] / x.shape[1] * x
        products = own * left
        line &= np.abs(products.sum(axis=1)) <= SHOWN * _spread(products)
    return np.asarray(line)


def _spread(products: Floats) -> Floats:
    """Return the deviations of sums that their terms show."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", products, products)))


def _sure(n: int, n_rows: int) -> float:
    """Return the correlation from which on a single pair is hardly ever seen among independent variables."""
    return -float(ndtri(FALSE_CLAIM / (2.0 * max(n * (n - 1), 1)))) / float(np.sqrt(n_rows))


def relations(scores: Floats) -> tuple[Bools, Bools]:
    """Return the straight and the curved pairs of variables, above the diagonal, from their normal scores."""
    n, n_rows = scores.shape
    correlation = correlations(scores)
    squares = _standard(scores * scores)
    bent = np.abs(squares @ _standard(scores).T) / n_rows
    sure = _sure(n, n_rows)
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
