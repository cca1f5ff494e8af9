"""Largest eigenpairs of a large symmetric matrix by the Lanczos method, with the known ones left out.

Why not ``scipy.sparse.linalg.eigsh``: at the sizes met here (200 to 10,000 variables) it is no faster,
ARPACK draws fresh random numbers when a Krylov space ends early (equal weights, stars), older scipy holds a
global lock around it, and it can neither leave out the eigenvector that is known beforehand nor stop at "good
enough".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hccd.clustering.similarity import Similarity

# An eigenvector is off by about residual / gap; gaps of similarity graphs are 1e-1 to 1e-3.
TOLERANCE = 1e-6

# Reached only when eigenvalues crowd together (chains of more than about 500 variables). The best vector
# found by then is smooth over such a chain, and cuts it nearly as well as the exact one.
MAX_STEPS = 300

_FIRST_CHECK = 12
_BREAKDOWN = 1e-10


def largest_eigenpairs(
    matrix: Similarity, known: NDArray[np.float64], m: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the ``m`` largest eigenvalues, falling, and unit eigenvectors as rows, orthogonal to ``known``.

    Parameters
    ----------
    matrix : numpy.ndarray or scipy.sparse.csr_array
        Symmetric, with eigenvalues in [-1, 1].
    known : array of shape (c, n)
        Orthonormal eigenvectors, as rows, which are not looked for.
    m : int
        At most n - c.

    Notes
    -----
    Full reorthogonalization, no restarts. The start is a fixed pseudo-random vector, so that the same matrix
    gives the same bits. When a Krylov space is exhausted the next one starts orthogonal to it, until ``m`` of
    them have been: only so are eigenvalues found as often as they occur. Eigenvalues that are equal without
    the space being exhausted (exact symmetries of a large irregular graph) are found once.
    """
    c, n = known.shape
    limit = min(MAX_STEPS, n - c)
    basis = np.empty((c + limit + 1, n))
    basis[:c] = known
    alpha, beta = np.zeros(limit), np.zeros(limit)
    generator = np.random.default_rng(0)
    basis[c] = _fresh_direction(generator, basis[:c])
    exhausted = 0
    check = min(_FIRST_CHECK, limit)
    for step in range(limit):
        place = c + step
        vector = basis[place]
        image = matrix @ vector
        alpha[step] = vector @ image
        image -= alpha[step] * vector
        if step:
            image -= beta[step - 1] * basis[place - 1]
        before = basis[: place + 1]
        image -= (before @ image) @ before
        norm = float(np.sqrt(image @ image))
        done = step + 1
        if norm < _BREAKDOWN:
            exhausted += 1
            norm = 0.0
        if done == limit or (done >= m and (exhausted >= m if exhausted else done >= check)):
            values, small = _top_of_tridiagonal(alpha[:done], beta[:done], min(m, done))
            if done == limit or exhausted or norm * np.abs(small[-1]).max() <= TOLERANCE:
                break
            check = done + max(4, done // 8)
        beta[step] = norm
        basis[place + 1] = image / norm if norm else _fresh_direction(generator, before)
    return values[::-1], small.T[::-1] @ basis[c : c + done]


def _fresh_direction(generator: np.random.Generator, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Draw a unit vector orthogonal to all ``rows``."""
    vector = generator.standard_normal(size=(rows.shape[1],))
    for _ in range(2):  # once leaves rounding errors when little remains
        vector -= (rows @ vector) @ rows
    return np.asarray(vector / np.sqrt(vector @ vector))


def _top_of_tridiagonal(
    diagonal: NDArray[np.float64], beside: NDArray[np.float64], m: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the ``m`` largest eigenvalues, rising, and eigenvectors as columns; ``beside`` ends unused."""
    # scipy.linalg.eigh_tridiagonal does the same in five times the time, and this is asked every few steps.
    from scipy.linalg.lapack import dstemr

    n = len(diagonal)
    by_index = 2
    # LAPACK writes into the second argument, and the wrapper lets it.
    _, values, vectors, info = dstemr(diagonal, beside.copy(), by_index, 0.0, 0.0, n - m + 1, n)
    if info:  # pragma: no cover - LAPACK's own words: an internal error
        whole = np.diag(diagonal) + np.diag(beside[:-1], 1) + np.diag(beside[:-1], -1)
        values, vectors = np.linalg.eigh(whole)
        return values[-m:], vectors[:, -m:]
    return values[:m], vectors[:, :m]
