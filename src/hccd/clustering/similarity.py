"""The similarity matrix W: pairwise strengths I(X, Y), checked and made ready to be cut (section 3.1).

The paper weighs the edge between two variables by "the statistical measure of correlation" that the
independence test itself computes. Three points are left open there and decided here: which function of the
strength is used (``measure``), that the positive bias of an empirical mutual information is removed, and
that pairs which the test calls marginally independent may get weight 0 (they hold nothing but noise, and a
sparse W is much cheaper to split). This module does not compute strengths and does not cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.search.pairs import find_pairs, read_pairs
from hccd.errors import InvalidDataError, InvalidParameterError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Measure: TypeAlias = Literal["strength", "squared", "information"]
Similarity: TypeAlias = "NDArray[np.float64] | csr_array"

MEASURES: tuple[Measure, ...] = ("strength", "squared", "information")

# What a dependent pair keeps when its strength does not exceed the bias: positive, so that the pair still
# counts as dependent, and far below any strength that means something.
FLOOR = 1e-12

# 1 - s^2 is kept above this, so that duplicated variables get a large finite weight (13.8 nats).
_LEAST_UNEXPLAINED = 1e-12

# A product with a sparse W beats a dense one below this share of non-zeros, and not at all for few variables.
_SPARSE_DENSITY = 0.2
_SPARSE_FROM = 257


def similarity(
    strength: NDArray[np.float64],
    *,
    bias: NDArray[np.float64] | None = None,
    independent: NDArray[np.bool_] | None = None,
    measure: Measure = "strength",
) -> Similarity:
    r"""Turn pairwise strengths into the weights W of the graph to be cut.

    Parameters
    ----------
    strength : array of shape (n, n)
        Symmetric, non-negative, finite: absolute correlations, or empirical mutual information in nats. The
        diagonal is not read.
    bias : array of shape (n, n), optional
        Expected strength of an independent pair (df / 2N for mutual information), in the same unit. It is
        subtracted first, and what is left is at least a tiny positive number.
    independent : boolean array of shape (n, n), optional
        Pairs called marginally independent: they get weight 0.
    measure : {"strength", "squared", "information"}
        The strength s itself, :math:`s^2`, or :math:`-\frac12 \log(1 - s^2)`, the mutual information of two
        Gaussian variables with correlation s.

    Returns
    -------
    numpy.ndarray or scipy.sparse.csr_array
        Symmetric with a zero diagonal; sparse where ``independent`` leaves few enough pairs for that to pay.

    Examples
    --------
    >>> import numpy as np
    >>> similarity(np.array([[1.0, 0.5], [0.5, 1.0]]), measure="squared")
    array([[0.  , 0.25],
           [0.25, 0.  ]])
    """
    if measure not in MEASURES:
        raise InvalidParameterError(f"measure is {measure!r}; choose one of {', '.join(MEASURES)}")
    if independent is None:
        strength = _checked(strength, "strength")
        bias = None if bias is None else _checked(bias, "bias", strength.shape)
        weights = _measured(strength, bias, measure)
        weights = weights.copy() if weights is strength else weights
        np.fill_diagonal(weights, 0.0)
        return weights
    pairs = weighted_pairs(strength, bias=bias, independent=independent, measure=measure)
    n = len(pairs.first) - 1
    rows = np.repeat(np.arange(n, dtype=np.intc), np.diff(pairs.first))
    if worth_sparse(n, 2 * len(rows)):
        from scipy.sparse import csr_array

        both = np.concatenate([rows, pairs.columns]), np.concatenate([pairs.columns, rows])
        W = csr_array((np.concatenate([pairs.weights] * 2), both), shape=(n, n))
        W.sum_duplicates()  # there are none; this sorts
        return W
    weights = np.zeros((n, n))
    weights[rows, pairs.columns] = weights[pairs.columns, rows] = pairs.weights
    return weights


class Pairs(NamedTuple):
    """Weights above the diagonal: variable x has ``weights[k]`` with ``columns[k]``, first[x] <= k < first[x + 1]."""

    first: NDArray[np.int64]
    columns: NDArray[np.int32]
    weights: NDArray[np.float64]


def weighted_pairs(
    strength: NDArray[np.float64],
    *,
    bias: NDArray[np.float64] | None = None,
    independent: NDArray[np.bool_] | None = None,
    measure: Measure = "strength",
    signed: bool = False,
) -> Pairs:
    """List the pairs that have a weight, as :func:`similarity` gives it; pairs called independent are not read.

    Of ``signed`` strengths the sizes count.
    """
    strength = _square(strength, "strength")
    n = len(strength)
    bias = None if bias is None else _square(bias, "bias", strength.shape)
    apart = np.zeros((n, n), bool) if independent is None else np.ascontiguousarray(independent)
    if apart.shape != (n, n) or apart.dtype != np.bool_:
        raise InvalidDataError(
            f"independent must be a boolean matrix of shape {(n, n)}, got {apart.dtype} {apart.shape}."
        )
    flat = apart.reshape(-1).view(np.uint8)
    n_related = n * n - n - int(np.count_nonzero(apart)) + int(np.count_nonzero(apart.diagonal()))
    first, columns = np.empty(n + 1, np.int64), np.empty(n_related // 2, np.intc)
    words = flat[: n * n // 8 * 8].view(np.uint64)
    if n_related % 2 or find_pairs(n, flat, words, first, columns) != n_related // 2:
        _refuse_asymmetry(apart)
    weights = _measured(
        _of_pairs(strength, "strength", first, columns, signed),
        None if bias is None else _of_pairs(bias, "bias", first, columns),
        measure,
    )
    if not weights.all():  # a weight of zero would still tie two variables
        kept = np.flatnonzero(weights)
        first, columns, weights = np.searchsorted(kept, first), columns[kept], weights[kept]
    return Pairs(first, columns, weights)


def _of_pairs(
    matrix: NDArray[np.float64],
    name: str,
    first: NDArray[np.int64],
    columns: NDArray[np.int32],
    signed: bool = False,
) -> NDArray[np.float64]:
    """Return what the matrix says about each pair, checked."""
    values = np.empty(len(columns))
    if not read_pairs(matrix, first, columns, values, signed):
        _checked(np.abs(matrix) if signed else matrix, name)
    return values


def worth_sparse(n: int, n_weights: int) -> bool:
    """Whether ``n`` variables with ``n_weights`` non-zero entries are better held as a sparse matrix."""
    return n >= _SPARSE_FROM and n_weights <= _SPARSE_DENSITY * n * n


def _measured(strength: NDArray[np.float64], bias: NDArray[np.float64] | None, measure: Measure) -> NDArray[np.float64]:
    """Take the bias off, then apply the measure; a whole matrix or some of its pairs."""
    if bias is None:
        return _transformed(strength, measure)
    return np.maximum(_transformed(np.maximum(strength - bias, 0.0), measure), FLOOR)


def _transformed(strength: NDArray[np.float64], measure: Measure) -> NDArray[np.float64]:
    """Apply the measure."""
    if measure == "strength":
        return strength
    square = strength * strength
    if measure == "squared":
        return square
    if square.ndim == 2:
        np.fill_diagonal(square, 0.0)
    if square.size and square.max() > 1.0 + 1e-9:
        raise InvalidParameterError(
            f"measure 'information' needs correlations, at most 1, got {np.sqrt(square.max()):.6g}; "
            "use measure 'strength' for mutual information."
        )
    return np.asarray(-0.5 * np.log(np.maximum(1.0 - square, _LEAST_UNEXPLAINED)))


def _square(matrix: Any, name: str, shape: tuple[int, ...] | None = None) -> NDArray[np.float64]:
    """Return the matrix as float64, square and of the shape asked for."""
    square: NDArray[np.float64] = np.ascontiguousarray(matrix, dtype=np.float64)
    if square.ndim != 2 or square.shape[0] != square.shape[1] or not square.size:
        raise InvalidDataError(f"{name} must be a square matrix with at least one row, got shape {square.shape}")
    if shape is not None and square.shape != shape:
        raise InvalidDataError(f"{name} must have the shape of strength, {shape}, got {square.shape}")
    return square


def _checked(matrix: Any, name: str, shape: tuple[int, ...] | None = None) -> NDArray[np.float64]:
    """Return the matrix as float64, square, finite, non-negative and symmetric outside its diagonal."""
    matrix = _square(matrix, name, shape)
    diagonal = matrix.diagonal()
    if not (np.isfinite(diagonal).all() and (diagonal >= 0).all()):
        matrix = matrix.copy()
        np.fill_diagonal(matrix, 0.0)
    # Two reductions settle the usual case without any temporary array of that size.
    if not (matrix.min() >= 0.0 and np.isfinite(matrix.max())):
        x, y = np.argwhere(~(np.isfinite(matrix) & (matrix >= 0)))[0]
        raise InvalidDataError(
            f"{name} must be finite and at least 0, got {matrix[x, y]} for variables {x} and {y}; "
            "pass absolute values, and leave out constant variables."
        )
    return _symmetric(matrix, name)


def _symmetric(matrix: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """Return the matrix, its two halves averaged if they differ by rounding only."""
    exact = True
    for x, y, upper, lower in _unequal_tiles(matrix):
        exact = False
        wrong = np.argwhere(np.abs(upper - lower) > 1e-9 * np.maximum(1.0, upper))
        if len(wrong):
            i, j = wrong[0]
            raise InvalidDataError(
                f"{name} must be symmetric, got {upper[i, j]:.6g} and {lower[i, j]:.6g} for variables "
                f"{x + i} and {y + j}; average the matrix with its transpose."
            )
    return matrix if exact else (matrix + matrix.T) / 2


def _refuse_asymmetry(independent: NDArray[np.bool_]) -> NoReturn:
    """Raise, and name a pair that is independent in one direction only."""
    x, y, upper, lower = next(_unequal_tiles(independent))
    i, j = np.argwhere(upper != lower)[0]
    raise InvalidDataError(
        f"independent must be symmetric, but variables {x + i} and {y + j} are independent in one "
        "direction only; combine the matrix with its transpose."
    )


def _unequal_tiles(matrix: NDArray[Any]) -> Iterator[tuple[int, int, NDArray[Any], NDArray[Any]]]:
    """Yield (row, column, tile, transposed mirror tile) wherever the two differ: no large temporaries."""
    step = 256
    for x in range(0, len(matrix), step):
        for y in range(x, len(matrix), step):
            upper, lower = matrix[x : x + step, y : y + step], matrix[y : y + step, x : x + step].T
            if not np.array_equal(upper, lower):
                yield x, y, upper, lower
