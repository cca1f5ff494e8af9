from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from hccd.clustering.lanczos import TOLERANCE, largest_eigenpairs


def normalized(W):
    shrink = 1 / np.sqrt(W.sum(1))
    trivial = np.sqrt(W.sum(1))
    return W * shrink[:, None] * shrink, (trivial / np.linalg.norm(trivial))[None, :]


@pytest.mark.parametrize(("n", "m"), [(2, 1), (3, 2), (12, 11), (13, 1), (13, 5), (60, 1), (60, 2), (240, 5)])
def test_against_lapack(weights, n, m):
    N, trivial = normalized(weights(n, seed=n))
    reference = np.linalg.eigvalsh(N)[::-1][1 : m + 1]
    for form in (N, csr_array(N)):
        values, vectors = largest_eigenpairs(form, trivial, m)
        np.testing.assert_allclose(values, reference, atol=1e-10)
        np.testing.assert_allclose(vectors @ vectors.T, np.eye(m), atol=1e-10)
        np.testing.assert_allclose(vectors @ trivial[0], 0, atol=1e-10)
        residual = np.linalg.norm(N @ vectors.T - vectors.T * values, axis=0)
        assert residual.max() <= 2 * TOLERANCE


def test_same_bits_twice(weights):
    N, trivial = normalized(weights(200, seed=1))
    first, second = (largest_eigenpairs(N, trivial, 3) for _ in range(2))
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])


@pytest.mark.parametrize("m", [1, 2, 4])
def test_repeated_eigenvalues_are_found_as_often_as_they_occur(m):
    n = 160
    star = np.zeros((n, n))
    star[0, 1:] = star[1:, 0] = 1.0
    N, trivial = normalized(star)  # eigenvalues 1, 0 (n - 2 times), -1
    values, vectors = largest_eigenpairs(N, trivial, m)
    np.testing.assert_allclose(values, 0.0, atol=1e-9)
    np.testing.assert_allclose(vectors @ vectors.T, np.eye(m), atol=1e-9)
    np.testing.assert_allclose(N @ vectors.T, 0.0, atol=1e-9)
    N, trivial = normalized(1.0 - np.eye(n))  # 1, then -1 / (n - 1) throughout
    values, _ = largest_eigenpairs(N, trivial, m)
    np.testing.assert_allclose(values, -1 / (n - 1), atol=1e-9)


def test_crowded_eigenvalues_of_a_long_chain_still_give_a_smooth_vector():
    n = 1200
    distance = np.abs(np.arange(n)[:, None] - np.arange(n))
    W = np.where((distance > 0) & (distance <= 2), 0.5**distance, 0.0)
    N, trivial = normalized(W)
    values, vectors = largest_eigenpairs(csr_array(N), trivial, 1)
    u = vectors[0] / trivial[0]
    assert np.count_nonzero(np.diff(u > 0)) <= 3
    assert 1 - values[0] < 1e-4
