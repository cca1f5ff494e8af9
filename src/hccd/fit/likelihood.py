"""Held-out log-likelihood of a graph, of none and of the full one: what edges are worth for rows not yet seen.

Every fifth row in turn is predicted by the parameters of the other four fifths. The edges are those learned from all
rows, so the learned graph has a small advantage; parameters have none. All follows from sums over the five parts.

**Numbers.** Each column is normal given its regressors. The full model has all edges in the order of the DAG; it is the
unrestricted normal distribution, and is left out where there are too many columns for the rows or for the time.

**Tables.** A variable has a table for each combination of its parents' states, to which one row is added that is spread
evenly over its states: so a combination never seen says nothing. The full model has all edges in the order of the DAG.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dtrtri

from hccd.fit.numbers import FOLDS, MOST_ROWS, Numbers, folds_of
from hccd.fit.regressions import RIDGE, coefficients, left_over, regressions_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: With fewer rows none are held out.
FEWEST_ROWS = 10
#: A full model of more columns takes longer than the rest.
MOST_COLUMNS = 60
#: Residual variance, as a share of the total, below which a column counts as determined.
_DETERMINED = 1e-9


class Likelihoods(NamedTuple):
    """Log-likelihood in nats a row of the learned, the empty and the full graph; None if it was not computed."""

    learned: float
    empty: float
    full: float | None


def of_numbers(numbers: Numbers, parents: Sequence[Ints], order: Sequence[int]) -> Likelihoods | None:
    """Predict rows of numbers; ``order`` is one of the DAG. None if there are too few rows to hold any out."""
    if numbers.n_rows < FEWEST_ROWS:
        return None
    nobody = [np.zeros(0, np.int64)] * len(parents)
    learned, empty = (float(by_fold_of_numbers(numbers, own).sum()) / numbers.n_rows for own in (parents, nobody))
    return Likelihoods(learned, empty, _full_of_numbers(numbers, order))


def by_fold_of_numbers(numbers: Numbers, parents: Sequence[Ints]) -> Floats:
    """Return the log-likelihood of each fold, by the parameters of the others."""
    parts = [np.flatnonzero(numbers.fold == fold) for fold in range(FOLDS)]
    told = np.zeros(FOLDS)
    for group in regressions_of(numbers, parents):
        moments = _moments(group.values, parts)
        slope = coefficients(moments.fitted)
        told += _log_density(moments.sizes, left_over(moments.fitted, slope), left_over(moments.held, slope))
    return told


class _Moments(NamedTuple):
    """For each fold: its rows, and covariances around the mean of the others: of the others, and of the fold."""

    sizes: Ints
    fitted: Floats
    held: Floats


def _moments(values: Floats, rows: Sequence[Ints]) -> _Moments:
    """Return the covariances of rows of numbers, or of each of several sets of rows."""
    n_rows = values.shape[-1]
    parts = [values[..., own] for own in rows]
    sizes = np.array([len(own) for own in rows])
    sums = np.stack([part.sum(axis=-1) for part in parts])
    squares = np.stack([part @ part.swapaxes(-1, -2) for part in parts])
    own = sizes.reshape(-1, *[1] * (sums.ndim - 1))
    mean = (sums.sum(axis=0) - sums) / (n_rows - own)
    around = mean[..., :, None] * mean[..., None, :]
    fitted = (squares.sum(axis=0) - squares) / (n_rows - own)[..., None] - around
    crossed = mean[..., :, None] * (sums / np.maximum(own, 1))[..., None, :]
    held = squares / np.maximum(own, 1)[..., None] - crossed - crossed.swapaxes(-1, -2) + around
    return _Moments(sizes, fitted, held)


def _log_density(sizes: Ints, fitted: Floats, held: Floats) -> Floats:
    """Return sums over the rows of folds of normal log densities, from variances: fitted, and those of the fold."""
    variance = np.maximum(fitted, _DETERMINED)
    density = -0.5 * (np.log(2.0 * np.pi * variance) + np.maximum(held, _DETERMINED) / variance)
    return np.asarray(density.sum(axis=1) * sizes)


def _full_of_numbers(numbers: Numbers, order: Sequence[int]) -> float | None:
    """Return the likelihood with all edges; by a Cholesky factor, each column is told by all before it."""
    first = numbers.first.tolist()
    columns = np.array([column for v in order for column in range(first[v], first[v + 1])], np.int64)
    if len(columns) > MOST_COLUMNS or len(columns) + 2 > numbers.n_rows - np.bincount(numbers.fold).max():
        return None
    told = np.concatenate([np.arange(first[v + 1] - first[v]) < numbers.own[v] for v in order])
    moments = _moments(numbers.values[columns], [np.flatnonzero(numbers.fold == fold) for fold in range(FOLDS)])
    fitted, held = np.empty((FOLDS, len(columns))), np.empty((FOLDS, len(columns)))
    for fold in range(FOLDS):
        # Columns that determine each other have a factor all the same.
        factor, _ = dpotrf(moments.fitted[fold] + RIDGE * np.eye(len(columns)), lower=1)
        inverse, _ = dtrtri(factor, lower=1)
        fitted[fold] = np.diagonal(factor) ** 2
        held[fold] = np.einsum("ij,ij->i", inverse @ moments.held[fold], inverse) * fitted[fold]
    return float(_log_density(moments.sizes, fitted[:, told], held[:, told]).sum() / numbers.n_rows)


def of_tables(codes: NDArray[np.uint16], states: Ints, parents: Sequence[Ints], order: Sequence[int]) -> Likelihoods:
    """Predict rows of states, variables as rows."""
    rows = codes[:, :: max(1, -(-codes.shape[1] // MOST_ROWS))].astype(np.int64)
    n_rows = rows.shape[1]
    fold = folds_of(np.arange(n_rows))
    nobody = [np.zeros(0, np.int64)] * len(parents)
    learned, empty = (float(by_fold_of_tables(rows, states, own, fold).sum()) / n_rows for own in (parents, nobody))
    full, key, size, told = 0.0, np.zeros(n_rows, np.int64), 1, True
    for y in order:
        if told:
            full += float(_predicted(key, size, rows[y], int(states[y]), fold).sum()) / n_rows
            key, size = _joined(key, size, rows[y], int(states[y]))
            told = size < n_rows or len(np.unique(key)) < n_rows
        else:
            # Once every row is alone with what came before, nothing is told any more.
            full -= float(np.log(states[y]))
    return Likelihoods(learned, empty, full)


def by_fold_of_tables(codes: Ints, states: Ints, parents: Sequence[Ints], fold: Ints) -> Floats:
    """Return the log-likelihood of each fold, by the tables of the others."""
    told = np.zeros(FOLDS)
    for y, own in enumerate(parents):
        key, size = np.zeros(codes.shape[1], np.int64), 1
        for x in own.tolist():
            key, size = _joined(key, size, codes[x], int(states[x]))
        told += _predicted(key, size, codes[y], int(states[y]), fold)
    return told


def _joined(key: Ints, size: int, codes: Ints, states: int) -> tuple[Ints, int]:
    """Return the combinations of keys and states, numbered anew if they are many: there are never more than rows."""
    joined = key * states + codes
    if size * states <= len(key):
        return joined, size * states
    values, joined = np.unique(joined, return_inverse=True)
    return joined, len(values)


def _predicted(key: Ints, size: int, codes: Ints, states: int, fold: Ints) -> Floats:
    """Return sums by fold of the log probabilities of states given keys, by the tables of the other folds."""
    cells = size * states
    cell = key * states + codes
    # What the other folds count: all, less this one.
    held = np.bincount(fold * cells + cell, minlength=FOLDS * cells)
    held_key = np.bincount(fold * size + key, minlength=FOLDS * size)
    joint = held.reshape(FOLDS, cells).sum(axis=0)[cell] - held[fold * cells + cell]
    given = held_key.reshape(FOLDS, size).sum(axis=0)[key] - held_key[fold * size + key]
    told = np.log((joint + 1.0 / states) / (given + 1.0))
    return np.asarray(np.bincount(fold, told, FOLDS), np.float64)
