r"""Spectral clustering of one cluster: Laplacian eigenmap, then points to labels (section 3.1).

Solved is the paper's generalized eigenproblem :math:`(D - W) u = \lambda D u`, through the symmetric matrix
:math:`N = D^{-1/2} W D^{-1/2}`: if :math:`N v = \theta v` then :math:`\lambda = 1 - \theta` and
:math:`u = D^{-1/2} v`. Eigenvalues lie in [0, 2] whatever the scale of W. The constant eigenvector is known,
so it is never computed but kept apart, and so is every other indicator of a connected component. Two clusters
need no k-means: the best split of one coordinate is found exactly. How many clusters there should be is
decided in :mod:`hccd.clustering.separability`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.clustering.line import cut_line
from hccd.clustering.components import components
from hccd.clustering.lanczos import MAX_STEPS, largest_eigenpairs
from hccd.errors import InvalidParameterError

if TYPE_CHECKING:
    from hccd.clustering.similarity import Similarity

# Measured: here LAPACK's subset solver and Lanczos take the same time (1 ms for one eigenvector).
_LAPACK_UP_TO = 180

_KMEANS_STARTS = 4


@dataclass(frozen=True, eq=False)
class EigenMap:
    """Where the variables lie: the paper's u-tilde, and the eigenvalues it belongs to.

    Attributes
    ----------
    eigenvalues : array of m + 1 values
        The smallest ones of the generalized problem, ascending, the trivial 0 of the constant vector first.
    coordinates : array of shape (n, m)
        One point per variable: the eigenvectors without the constant one, each with :math:`u^T D u = 1`. The
        first entry of each that is at least half as large as its largest is positive.
    """

    eigenvalues: NDArray[np.float64]
    coordinates: NDArray[np.float64]


def eigenmap(W: Similarity, m: int, *, connected: bool = False) -> EigenMap:
    """Embed the variables by the ``m`` eigenvectors that follow the constant one.

    Parameters
    ----------
    W : numpy.ndarray or scipy.sparse.csr_array
        Symmetric non-negative weights with a zero diagonal.
    m : int
        How many coordinates; cut to n - 1.
    connected : bool
        Set if W is known to be connected, to save the search for components. An isolated variable is a
        component of its own, as if it had weight 1 with itself.

    Examples
    --------
    >>> import numpy as np
    >>> W = np.kron(np.eye(2), np.ones((2, 2))) + 0.01  # two pairs, hardly related
    >>> np.fill_diagonal(W, 0.0)
    >>> found = eigenmap(W, 1)
    >>> found.eigenvalues.round(3), found.coordinates[:, 0] > 0
    (array([0.   , 0.039]), array([ True,  True, False, False]))
    """
    n = W.shape[0]
    if m < 0:
        raise InvalidParameterError(f"m, the number of coordinates, must be at least 0, got {m}")
    m = min(m, n - 1)
    degree = W.sum(axis=1)
    if connected:
        indicators = np.sqrt(degree)[None, :]
        indicators /= np.sqrt(degree.sum())
    else:
        degree[degree == 0] = 1.0
        indicators = _component_indicators(components(W), degree, m + 1)
    c = len(indicators)
    shrink = 1.0 / np.sqrt(degree)
    eigenvalues = np.zeros(m + 1)
    vectors = indicators[1:]
    if m >= c:
        values, found = _largest(_normalized(W, shrink), indicators, m + 1 - c)
        eigenvalues[c:] = np.maximum(1.0 - values, 0.0)
        vectors = found if c == 1 else np.concatenate([vectors, found])
    coordinates = (vectors * shrink).T
    _fix_signs(coordinates)
    eigenvalues.flags.writeable = coordinates.flags.writeable = False
    return EigenMap(eigenvalues, coordinates)


def split_in_two(u: NDArray[np.float64], min_fraction: float = 0.0) -> NDArray[np.bool_]:
    """Split points on a line by exact 2-means: True for the upper part.

    The best cut is a threshold, so the places between the sorted points are compared, all of them.

    Parameters
    ----------
    u : array of n values
        One coordinate of the eigenmap.
    min_fraction : float
        Each side gets at least this share of the points, at most one half.

    Returns
    -------
    array of n booleans
        All False if the points cannot be told apart.

    Examples
    --------
    >>> import numpy as np
    >>> split_in_two(np.array([0.1, 2.0, 0.2, 0.0]))
    array([False,  True, False, False])
    """
    n = len(u)
    upper = np.zeros(n, dtype=bool)
    if n >= 2:
        order = np.empty(n, np.intc)
        n_lower = cut_line(np.array(u, dtype=np.float64), n, min_fraction, order, np.empty(n, np.intc))
        if n_lower:
            upper[order[n_lower:]] = True
    return upper


def split_in_k(coordinates: NDArray[np.float64], k: int, seed: int) -> NDArray[np.intp]:
    """K-means++ labels 0, 1, ..., numbered by first appearance; fewer than k if points coincide.

    Parameters
    ----------
    coordinates : array of shape (n, m)
        The eigenmap.
    k : int
        How many clusters to look for.
    seed : int
        Fixes the random starts.
    """
    # Points that differ by rounding only must not become clusters of their own.
    size = np.abs(coordinates).max() if coordinates.size else 0.0
    points = np.round(coordinates / size, 7) if size > 0 else np.zeros_like(coordinates)
    distinct = np.unique(points, axis=0, return_inverse=True)
    k = min(k, len(distinct[0]))
    if k <= 1:
        return np.zeros(len(points), dtype=np.intp)
    if k == len(distinct[0]):
        labels = distinct[1].reshape(-1)
    else:
        from sklearn.cluster import KMeans

        labels = KMeans(k, init="k-means++", n_init=_KMEANS_STARTS, random_state=seed).fit(points).labels_
    names, first = np.unique(labels, return_index=True)  # empty clusters vanish here
    rank = np.empty(int(names[-1]) + 1, dtype=np.intp)
    rank[names[np.argsort(first)]] = np.arange(len(names))
    return rank[labels]


def _component_indicators(labels: NDArray[np.intp], degree: NDArray[np.float64], at_most: int) -> NDArray[np.float64]:
    """Orthonormal null vectors of I - N as rows: the constant one first, then contrasts of components."""
    mass = np.bincount(labels, weights=degree)
    # Row i > 0 sets component i against those before it (Helmert contrasts in the metric of D).
    contrasts = np.zeros((min(len(mass), at_most), len(mass)))
    contrasts[0] = 1.0 / np.sqrt(mass.sum())
    before = np.cumsum(mass)
    for i in range(1, len(contrasts)):
        contrasts[i, :i] = -np.sqrt(mass[i] / (before[i - 1] * before[i]))
        contrasts[i, i] = np.sqrt(before[i - 1] / (mass[i] * before[i]))
    return np.asarray(contrasts[:, labels] * np.sqrt(degree))


def _normalized(W: Similarity, shrink: NDArray[np.float64]) -> Similarity:
    """N, a new matrix of the same kind as W."""
    if isinstance(W, np.ndarray):
        return W * shrink[:, None] * shrink
    N = W.copy()
    N.data *= np.repeat(shrink, np.diff(W.indptr))
    N.data *= shrink[W.indices]
    return N


def _largest(N: Similarity, known: NDArray[np.float64], m: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the ``m`` largest eigenvalues of N, falling, and eigenvectors as rows, orthogonal to ``known``.

    N is consumed.
    """
    n = N.shape[0]
    if n > _LAPACK_UP_TO and m <= MAX_STEPS // 4:
        return largest_eigenpairs(N, known, m)
    from scipy.linalg.lapack import dsyevr

    if not isinstance(N, np.ndarray):
        N = N.toarray()
    # Known vectors have eigenvalue 1; moved to -2 they lie below the whole spectrum, which starts at -1.
    N -= 3.0 * (known[0][:, None] * known[0]) if len(known) == 1 else 3.0 * (known.T @ known)
    values, vectors, _, _, info = dsyevr(N.T, range="I", il=n - m + 1, iu=n, overwrite_a=1)
    if info:  # pragma: no cover - LAPACK's own words: an internal error
        values, vectors = np.linalg.eigh(N)
        return values[: -m - 1 : -1], vectors[:, : -m - 1 : -1].T
    return values[:m][::-1], vectors[:, :m][:, ::-1].T


def _fix_signs(coordinates: NDArray[np.float64]) -> None:
    """Turn each column so that its first large entry is positive (large: robust against rounding)."""
    if not coordinates.shape[1]:
        return
    size = np.abs(coordinates)
    first = (size >= 0.5 * size.max(axis=0)).argmax(axis=0)
    coordinates *= np.where(coordinates[first, np.arange(coordinates.shape[1])] < 0, -1.0, 1.0)
