"""What is done to continuous columns before they are correlated, and the correlations that come of it.

========================  ======================================================================================
transform                 correlations
========================  ======================================================================================
``none``                  of the values
``trim``                  of the values, without the rows that are far from all others in many columns
``trim-cells``            of the values, with others in the place of single cells that their rows contradict
``normal-scores``         of the normal quantiles of rank / (rows + 1)
``ranks``                 2 sin(pi r / 6), r being that of the ranks (Spearman): what normal columns of these
                          ranks would have
``log``                   of the logarithms, if all values are positive
``curves``                of the values, their squares, and the cubes of their normal scores: each variable is
                          three columns, and the test is that for blocks of columns, ``dg``
========================  ======================================================================================

Equal values have equal ranks, the mean of those that they share. Kendall's correlation would serve for ranks as well,
but takes every pair of rows for every pair of columns: minutes where this takes a fraction of a second.

Columns come as rows of an array, in their canonical order, so that the same numbers are added in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hccd.errors import InvalidDataError
from hccd.independence.outlying_cells import CellModel, explained
from hccd.tables.collinear import nearly_singular
from hccd.tables.weights import drawn_rows
from hccd.wording import columns_named

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: What was done to the columns, in words.
SAID = {
    "none": "",
    "trim": "without outlying rows",
    "trim-cells": "without outlying cells",
    "normal-scores": "on normal scores of ranks",
    "ranks": "on ranks",
    "log": "on logarithms",
    "curves": "with curves",
}
#: How many columns a variable has with its curves.
CURVES = 3
#: How many deviations (of a normal distribution with the same median deviation) from the median a value is far.
FAR = 5.0
#: Values are drawn in to so many where others are judged by them: one wrong cell does not make a wrong row.
CLIPPED = 6.0
#: A row is outlying if so many of its values are far, but at least two; more rows than the second are no outliers.
SHARE_FAR, MOST_OUTLYING = 0.25, 0.05
#: Rows that are judged at once, and from how many operations on only the values themselves are.
AT_ONCE, MOST_WORK = 4096, 10**10
#: Medians are taken of so many rows at most.
MEDIAN_ROWS = 10_000
# A matrix whose smallest eigenvalue is not above this counts as none of correlations.
_LEAST_EIGENVALUE = 1e-8


def correlations_after(transform: str, columns: Floats, weights: Floats | None = None) -> tuple[Floats, float]:
    """Return the correlation matrix of rows-as-variables after a transform, and of how many rows it is."""
    if transform == "trim":
        kept = ~outlying_rows(columns, weights)
        columns, weights = columns[:, kept], None if weights is None else weights[kept]
    n_rows = columns.shape[1] if weights is None else float(weights.sum())
    if transform == "ranks":
        return rank_correlations(columns, weights), n_rows
    return correlations(transformed(transform, columns, weights), weights), n_rows


def transformed(transform: str, columns: Floats, weights: Floats | None = None, beside: Floats | None = None) -> Floats:
    """Return rows-as-variables after a transform, of all rows; ``beside`` are the discrete columns of the table."""
    if transform == "normal-scores":
        missing = np.isnan(columns)
        if missing.any():
            # Ranks among what is observed.
            scores = np.full(columns.shape, np.nan)
            for own, held, row in zip(scores, ~missing, columns, strict=True):
                own[held] = transformed(transform, row[None, held], None if weights is None else weights[held])[0]
            return scores
        return normal_scores(columns) if weights is None else weighted_normal_scores(columns, weights)
    if transform == "trim-cells":
        return without_outlying_cells(columns, weights, beside)
    return np.asarray(np.log(columns)) if transform == "log" else columns


def curved(column: Floats, weights: Floats | None = None) -> Floats:
    """Return a variable as ``CURVES`` columns: its values, in deviations from their mean, their squares, and a cube.

    The cube is that of the normal scores, since cubes of values would be ruled by the few largest ones.
    """
    held = ~np.isnan(column)
    centered = column - np.average(column[held], weights=None if weights is None else weights[held])
    largest = np.abs(centered[held]).max()
    # What remains of a constant is rounding.
    scaled = centered / largest if largest > np.abs(column[held]).max() * 1e-14 else 0.0 * centered
    return np.stack([scaled, scaled * scaled, transformed("normal-scores", column[None, :], weights)[0] ** 3])


def check_positive(columns: Floats, names: Sequence[str]) -> None:
    """Refuse columns that have no logarithm, by name; zeros are no smaller measurements that could be guessed."""
    wrong = [name for name, low in zip(names, np.fmin.reduce(columns, axis=1), strict=True) if not low > 0.0]
    if wrong:
        raise InvalidDataError(
            f"{columns_named(wrong)} {'has' if len(wrong) == 1 else 'have'} zero or negative values, which have no "
            f"logarithm: choose the transform 'normal-scores', or drop the column{'' if len(wrong) == 1 else 's'}",
            go_on={"transform": "normal-scores"},
        )


def correlations(columns: Floats, weights: Floats | None = None) -> Floats:
    """Return the correlation matrix of rows-as-variables; a constant variable has correlation 0 with all."""
    if weights is None:
        centered = columns - columns.mean(axis=1, keepdims=True)
    else:
        share = weights / weights.sum()
        centered = columns - np.einsum("ij,j->i", columns, share)[:, None]
    # Scaling by the largest value first keeps squares of very large or very small numbers finite.
    largest = np.abs(centered).max(axis=1, keepdims=True)
    # What remains of a constant column after subtracting its mean is rounding.
    noise = np.abs(columns).max(axis=1, keepdims=True) * 1e-14
    constant = (largest <= noise)[:, 0]
    centered /= np.where(largest > 0.0, largest, 1.0)
    if weights is not None:
        centered *= np.sqrt(share)
    norm = np.sqrt(np.einsum("ij,ij->i", centered, centered))
    centered /= np.where(norm > 0.0, norm, 1.0)[:, None]
    centered[constant] = 0.0
    matrix = centered @ centered.T
    np.clip(matrix, -1.0, 1.0, out=matrix)
    np.fill_diagonal(matrix, 1.0)
    return np.asarray(matrix)


def without_zeros(columns: Floats, weights: Floats | None) -> tuple[Floats, Floats | None]:
    """Leave out the rows that have no weight: of a resample, that is every third."""
    if weights is None or weights.all():
        return columns, weights
    kept = np.flatnonzero(weights)
    return np.take(columns, kept, axis=1), weights[kept]


def average_ranks(columns: Floats) -> Floats:
    """Return the ranks from 1 of the values of each variable; equal values share the mean of theirs."""
    order = np.argsort(columns, axis=1, kind="stable")
    ordered = np.take_along_axis(columns, order, axis=1)
    begins = np.ones(columns.shape, np.bool_)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=begins[:, 1:])
    place = np.arange(columns.shape[1])
    first: NDArray[np.int64] = np.broadcast_to(place, columns.shape)
    last = first
    if not begins.all():
        # Where a run of equal values begins and ends.
        first = np.maximum.accumulate(np.where(begins, place, 0), axis=1)
        ends = np.ones(columns.shape, np.bool_)
        ends[:, :-1] = begins[:, 1:]
        last = np.minimum.accumulate(np.where(ends, place, columns.shape[1])[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(columns.shape)
    np.put_along_axis(ranks, order, (first + last) * 0.5 + 1.0, axis=1)
    return ranks


def normal_scores(columns: Floats) -> Floats:
    """Return the normal quantiles of rank / (rows + 1)."""
    n_rows = columns.shape[1]
    # Ranks are multiples of one half, so there are few different quantiles.
    quantiles = ndtri(np.arange(2 * n_rows + 1) / (2.0 * (n_rows + 1)))
    return np.asarray(quantiles[(2.0 * average_ranks(columns)).astype(np.int64)])


def weighted_ranks(columns: Floats, weights: Floats) -> Floats:
    """Return the ranks that values have if each stands there as often as it weighs."""
    order = np.argsort(columns, axis=1, kind="stable")
    ordered = np.take_along_axis(columns, order, axis=1)
    up_to = np.cumsum(weights[order], axis=1)
    place = np.arange(columns.shape[1])
    begins = np.ones(columns.shape, np.bool_)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=begins[:, 1:])
    ends = np.ones(columns.shape, np.bool_)
    ends[:, :-1] = begins[:, 1:]
    first = np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, place, columns.shape[1])[:, ::-1], axis=1)[:, ::-1]
    below = np.where(first > 0, np.take_along_axis(up_to, np.maximum(first - 1, 0), axis=1), 0.0)
    ranks = np.empty(columns.shape)
    np.put_along_axis(ranks, order, (below + np.take_along_axis(up_to, last, axis=1) + 1.0) * 0.5, axis=1)
    return ranks


def weighted_normal_scores(columns: Floats, weights: Floats) -> Floats:
    """Return the normal quantiles of rank / (sum of weights + 1)."""
    return np.asarray(ndtri(weighted_ranks(columns, weights) / (float(weights.sum()) + 1.0)))


def rank_correlations(columns: Floats, weights: Floats | None = None) -> Floats:
    """Return 2 sin(pi r / 6) of Spearman's r, moved towards r as far as it takes to be a matrix of correlations.

    The sine moves entries by less than .02, but eigenvalues below zero: always where there are as many columns as rows,
    often where columns are nearly collinear. The matrix of r has none there.
    """
    ranks = average_ranks(columns) if weights is None else weighted_ranks(columns, weights)
    spearman = correlations(ranks, weights)
    latent = 2.0 * np.sin(spearman * (np.pi / 6.0))
    np.fill_diagonal(latent, 1.0)
    for share in (0.0, 0.25, 0.5, 0.75):
        matrix = latent + share * (spearman - latent)
        if not nearly_singular(matrix, least=_LEAST_EIGENVALUE):
            return np.asarray(matrix)
    return spearman


def outlying_rows(columns: Floats, weights: Floats | None = None) -> Bools:
    """Tell which rows are far from all others in many columns; none if that would be true of too many.

    A value is far if it is far from the bulk of its column, or from what the other columns of the row let one expect.
    Of weighted rows those are looked at that stand for all.
    """
    if weights is not None:
        drawn = drawn_rows(weights)
        far_off = np.zeros(columns.shape[1], np.bool_)
        far_off[drawn[outlying_rows(columns[:, drawn])]] = True
        return far_off
    outlying = Bulk.of(columns).outlying(columns)
    return outlying if outlying.sum() <= MOST_OUTLYING * len(outlying) else np.zeros_like(outlying)


def outlying_cells(columns: Floats, weights: Floats | None = None, beside: Floats | None = None) -> Bools:
    """Tell which cells of rows-as-variables the other cells of their rows contradict; none if that is true of too many.

    What rows are like is told from those that stand for all, if they are weighted. Discrete columns ``beside`` may
    explain cells.
    """
    return _judged_cells(columns, weights, beside)[0]


def without_outlying_cells(columns: Floats, weights: Floats | None = None, beside: Floats | None = None) -> Floats:
    """Return rows-as-variables with values in the place of outlying cells, drawn given the other cells of their rows.

    Draws keep the variances and partial correlations of the columns, which expected values would not. In a table with
    missing cells outlying ones become missing too.
    """
    found, drawn = _judged_cells(columns, weights, beside)
    if not found.any():
        return columns
    return np.where(found, np.nan if np.isnan(columns).any() else drawn(), columns)


def cells_can_be_judged(columns: Floats) -> bool:
    """Whether rows-as-variables are not too large to judge each cell by the others of its row."""
    return bool(len(columns) ** 2 * columns.shape[1] <= MOST_WORK)


def without_far(columns: Floats) -> Floats:
    """Move values that are far from the bulk of their variable into its middle."""
    middle, spread = bulk(columns)
    far = np.abs(columns - middle[:, None]) > FAR * np.where(spread > 0.0, spread, np.inf)[:, None]
    return np.where(far, middle[:, None], columns)


def _judged_cells(columns: Floats, weights: Floats | None, beside: Floats | None) -> tuple[Bools, Callable[[], Floats]]:
    """Tell which cells are outlying, and how to draw others for them."""
    if not cells_can_be_judged(columns):
        raise InvalidDataError(
            f"{columns.shape[1]:,} rows of {len(columns):,} columns are too many to check each cell against its row: "
            "choose the transform 'normal-scores'",
            go_on={"transform": "normal-scores"},
        )
    found, missing = np.zeros(columns.shape, np.bool_), np.isnan(columns)
    whole = np.where(missing, np.nanmedian(columns, axis=1)[:, None], columns) if missing.any() else columns
    counting = slice(None) if weights is None else drawn_rows(weights)
    standing = whole[:, counting]
    middle, spread = bulk(standing)
    judged = np.flatnonzero(spread > 0.0)
    model = _cell_model(standing[judged]) if len(judged) > 1 else None
    if model is None:
        return found, lambda: columns
    rows = ((whole[judged] - middle[judged, None]) / spread[judged, None]).T
    found[judged] = model.outlying(rows, missing[judged].T).T
    # Of a column without a bulk, what counts is whether a value is the usual one.
    others = (whole != middle[:, None])[spread == 0.0].astype(np.float64)
    found &= ~explained(found, others if beside is None else np.vstack([others, beside]), counting)
    if found[:, counting].mean() > MOST_OUTLYING:
        found[:] = False

    def drawn() -> Floats:
        values = columns.copy()
        values[judged] = model.drawn(rows, found[judged].T).T * spread[judged, None] + middle[judged, None]
        return values

    return found, drawn


@dataclass(frozen=True, eq=False)
class Bulk:
    """What most rows are like: the median and the robust deviation of each variable, and what the others tell of it."""

    middle: Floats
    spread: Floats
    expected: Floats | None

    @classmethod
    def of(cls, columns: Floats) -> Bulk:
        """Look at rows-as-variables."""
        middle, spread = bulk(columns)
        judged = np.flatnonzero(spread > 0.0)
        model = _cell_model(columns[judged]) if len(judged) > 1 else None
        return cls(middle, spread, None if model is None else model.precision / model.spread[:, None])

    def outlying(self, columns: Floats) -> Bools:
        """Tell which rows are far from the bulk in many columns, however many that are."""
        judged = np.flatnonzero(self.spread > 0.0)
        far = np.zeros(columns.shape[1], np.int64)
        if len(judged) < 2:
            return far > 0
        for start in range(0, columns.shape[1], AT_ONCE):
            rows = slice(start, start + AT_ONCE)
            deviation = (columns[judged, rows] - self.middle[judged, None]) / self.spread[judged, None]
            is_far = np.abs(deviation) > FAR
            if self.expected is not None:
                is_far |= np.abs(self.expected @ np.clip(deviation, -CLIPPED, CLIPPED)) > FAR
            far[rows] = is_far.sum(axis=0)
        return np.asarray(far >= max(2.0, SHARE_FAR * len(judged)))


def _cell_model(columns: Floats) -> CellModel | None:
    """Return what makes of a row, in robust deviations, how far each value is from what the others let one expect.

    By the correlations of normal scores, drawn towards independence where rows are few, and again in robust deviations.
    None for tables that are too large for it.
    """
    if not cells_can_be_judged(columns):
        return None
    n, n_rows = columns.shape
    some = columns[:, :: max(1, -(-n_rows // MEDIAN_ROWS))]
    share = n / (n + some.shape[1])
    precision = np.linalg.inv((1.0 - share) * correlations(normal_scores(some)) + share * np.eye(n))
    middle, spread = bulk(some)
    pull_spread = bulk(precision @ ((some - middle[:, None]) / spread[:, None]))[1]
    return CellModel(precision, np.where(pull_spread > 0.0, pull_spread, np.inf))


def bulk(columns: Floats) -> tuple[Floats, Floats]:
    """Return the median of each variable, and the deviation of a normal one with the same median deviation.

    The deviation is 0 where more than half of the values are the same: there is no bulk to be far from.
    """
    some = columns[:, :: max(1, -(-columns.shape[1] // MEDIAN_ROWS))]
    middle = np.median(some, axis=1)
    return middle, np.median(np.abs(some - middle[:, None]), axis=1) / float(ndtri(0.75))
