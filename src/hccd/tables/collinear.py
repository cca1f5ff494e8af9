"""Exact linear relations between columns, from their correlations and from the columns themselves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.tables.relations import EXACT

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

# A column determined to within EXACT forces an eigenvalue of the correlation matrix below EXACT squared;
# the rest is rounding in the matrix itself.
_NEARLY_SINGULAR = 1e-10
_PERFECT = 1.0 - 1e-12
_IN_COMBINATION = 1e-6
# So many rows of a large matrix stay in the processor's cache.
_ROWS_AT_ONCE = 16


def exact_correlation(values: Floats, constant: NDArray[np.bool_]) -> Floats:
    """Return the correlation matrix, with zeros for constants."""
    correlation = np.zeros((values.shape[1],) * 2)
    varying = np.flatnonzero(~constant)
    scaled = standardised(values[:, varying])
    correlation[np.ix_(varying, varying)] = scaled.T @ scaled
    return correlation


def standardised(chosen: Floats) -> Floats:
    """Centre the columns and scale them to length 1, without overflow for very large numbers."""
    chosen = chosen / np.abs(chosen).max(axis=0)
    chosen -= chosen.mean(axis=0)
    chosen /= np.sqrt(np.einsum("ij,ij->j", chosen, chosen))
    return chosen


def perfectly_correlated(correlation: Floats, varying: NDArray[np.bool_]) -> Ints:
    """List the rows of the matrix that are perfectly correlated with another row; those that do not vary are left out.

    A few rows at a time, and only the half of the matrix above the diagonal: it may be large.
    """
    found = np.zeros(len(correlation), dtype=np.bool_)
    for start in range(0, len(correlation), _ROWS_AT_ONCE):
        part = correlation[start : start + _ROWS_AT_ONCE, start:]
        perfect = (part >= _PERFECT) | (part <= -_PERFECT)
        np.fill_diagonal(perfect, False)
        if perfect.any():
            perfect &= varying[start:] & varying[start : start + _ROWS_AT_ONCE, None]
            found[start:] |= perfect.any(axis=0)
            found[start : start + _ROWS_AT_ONCE] |= perfect.any(axis=1)
    return np.flatnonzero(found)


def perfect_pairs(correlation: Floats, related: Ints) -> list[list[int]]:
    """Return each of the ``related`` columns that an earlier one determines, with the first that does."""
    among = correlation[np.ix_(related, related)]
    perfect = np.triu(np.abs(among) >= _PERFECT, k=1)
    return [[int(related[j]), int(related[perfect[:, j].argmax()])] for j in np.flatnonzero(perfect.any(axis=0))]


def nearly_singular(
    correlation: Floats, among: NDArray[np.bool_] | None = None, least: float = _NEARLY_SINGULAR
) -> bool:
    """Whether the smallest eigenvalue is ``least`` or less, by the cheapest factorisation there is."""
    shifted = correlation.copy() if among is None or among.all() else correlation[np.ix_(among, among)]
    shifted[np.diag_indices_from(shifted)] -= least
    try:
        np.linalg.cholesky(shifted)
    except np.linalg.LinAlgError:
        return True
    return False


def involved(correlation: Floats) -> NDArray[np.bool_]:
    """Tell which columns take part in a near singularity, so that the costly part is done for them alone."""
    from scipy.linalg import eigh

    _, vectors = eigh(correlation, subset_by_value=(-np.inf, _NEARLY_SINGULAR), check_finite=False)
    involved: NDArray[np.bool_] = np.linalg.norm(vectors, axis=1) > _IN_COMBINATION
    return involved


def null_relations(columns: Floats) -> list[list[int]]:
    """Find the exact linear relations between columns: the dependent column first, then those it is made of.

    Pivoted QR gives the rank and a basis of the null space. Its rows are then reduced from the last column
    backwards, so that each relation tells a column by columns that come before it, and by as few as possible.
    """
    from scipy.linalg import qr, solve_triangular

    r, pivots = qr(columns, mode="r", pivoting=True, check_finite=False)
    n = columns.shape[1]
    sizes = np.abs(np.diagonal(r))
    rank = int((sizes > EXACT).sum())
    if rank == n:
        return []
    null = np.zeros((n - rank, n))
    null[:, pivots[:rank]] = -solve_triangular(r[:rank, :rank], r[:rank, rank:]).T
    null[np.arange(n - rank), pivots[rank:]] = 1.0
    relations = []
    for row, dependent in enumerate(_reduce_from_the_right(null)):
        used = np.flatnonzero(np.abs(null[row]) > _IN_COMBINATION)
        relations.append([dependent, *(i for i in used.tolist() if i != dependent)])
    return relations


def _reduce_from_the_right(null: Floats) -> list[int]:
    """Bring the rows into reduced echelon form, in place, with pivots as far right as can be; return them."""
    pivots: list[int] = []
    for column in range(null.shape[1] - 1, -1, -1):
        row = len(pivots)
        if row == null.shape[0]:
            break
        best = row + int(np.abs(null[row:, column]).argmax())
        if abs(null[best, column]) <= _IN_COMBINATION:
            continue
        null[[row, best]] = null[[best, row]]
        null[row] /= null[row, column]
        others = np.arange(null.shape[0]) != row
        null[others] -= np.outer(null[others, column], null[row])
        pivots.append(column)
    return pivots
