from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_array

from hccd.clustering import eigenmap, split_in_k, split_in_two
from hccd.errors import InvalidParameterError


@pytest.mark.parametrize(("n", "density"), [(2, 1), (3, 1), (20, 0.5), (179, 0.3), (182, 0.3), (260, 0.1)])
@pytest.mark.parametrize("m", [1, 3])
def test_generalized_eigenproblem_against_scipy(weights, n, density, m):
    W = weights(n, seed=n, density=density)
    D = np.diag(W.sum(1))
    values = scipy.linalg.eigh(D - W, D, eigvals_only=True)[: m + 1]
    for form in (W, csr_array(W)):
        found = eigenmap(form, m)
        k = min(m, n - 1)
        assert found.coordinates.shape == (n, k)
        np.testing.assert_allclose(found.eigenvalues, values, atol=1e-9)
        u = found.coordinates
        np.testing.assert_allclose((D - W) @ u, D @ u * found.eigenvalues[1:], atol=1e-4)
        np.testing.assert_allclose(u.T @ D @ u, np.eye(k), atol=1e-8)
        np.testing.assert_allclose(u.T @ D @ np.ones(n), 0, atol=1e-8)


def test_scale_does_not_matter(weights):
    W = weights(30, seed=5)
    for scale in (1e-8, 1e6):
        np.testing.assert_allclose(eigenmap(W * scale, 4).eigenvalues, eigenmap(W, 4).eigenvalues, atol=1e-12)


@pytest.mark.parametrize("size", [10, 80])
def test_components_are_zero_eigenvalues_with_piecewise_constant_vectors(weights, size):
    parts = [weights(size, seed=s) for s in range(3)]
    W = scipy.linalg.block_diag(*parts, np.zeros((2, 2)))  # and two isolated variables
    n = len(W)
    found = eigenmap(W, 6)
    D = np.where(W.sum(1) == 0, 1.0, W.sum(1))
    label = np.r_[np.repeat([0, 1, 2], size), 3, 4]
    np.testing.assert_allclose(found.eigenvalues[:5], 0)
    others = np.sort(
        np.concatenate([scipy.linalg.eigh(np.diag(p.sum(1)) - p, np.diag(p.sum(1)))[0][1:] for p in parts])
    )
    np.testing.assert_allclose(found.eigenvalues[5:], others[:2], atol=1e-9)
    for i in range(5):
        assert np.ptp(found.coordinates[label == i, :4], axis=0).max() < 1e-12
    np.testing.assert_allclose(found.coordinates.T @ (D[:, None] * found.coordinates), np.eye(6), atol=1e-8)
    np.testing.assert_allclose(found.coordinates.T @ D, 0, atol=1e-8)
    assert eigenmap(csr_array(W), 2).coordinates.shape == (n, 2)


def test_no_variables_related_at_all():
    found = eigenmap(np.zeros((3, 3)), 2)
    np.testing.assert_array_equal(found.eigenvalues, 0)
    assert np.linalg.matrix_rank(np.c_[np.ones(3), found.coordinates]) == 3


def test_one_variable_and_no_coordinates(weights):
    assert eigenmap(np.zeros((1, 1)), 3).coordinates.shape == (1, 0)
    assert eigenmap(weights(5, 0), 0).eigenvalues.tolist() == [0.0]
    with pytest.raises(InvalidParameterError, match="got -1"):
        eigenmap(weights(5, 0), -1)


def test_result_is_fixed_in_sign_and_read_only(weights):
    W = weights(40, seed=2)
    found = eigenmap(W, 5)
    large = np.abs(found.coordinates) >= 0.5 * np.abs(found.coordinates).max(0)
    assert (found.coordinates[large.argmax(0), np.arange(5)] > 0).all()
    with pytest.raises(ValueError, match="read-only"):
        found.coordinates[0, 0] = 1.0


def test_nearly_separate_blocks_have_exact_signs(blocks):
    for size in (20, 120):
        W, block = blocks([size, size], 0.6, 1e-9, seed=3)
        u = eigenmap(W, 1, connected=True).coordinates[:, 0]
        assert (np.sign(u) == np.where(block == block[0], 1, -1) * np.sign(u[0])).all()


def spread_within(u, upper):
    return sum(((part - part.mean()) ** 2).sum() for part in (u[upper], u[~upper]) if len(part))


values = hnp.arrays(np.float64, st.integers(2, 12), elements=st.integers(-20, 20).map(float))


@settings(deadline=None)
@given(values, st.sampled_from([0.0, 0.1, 0.25, 0.4, 0.5]))
def test_split_in_two_against_every_threshold(u, fraction):
    n = len(u)
    if np.ptp(u) == 0:
        assert not split_in_two(u, fraction).any()
        return
    upper = split_in_two(u, fraction)
    least = min(max(1, int(np.ceil(fraction * n - 1e-9))), n // 2)
    assert least <= upper.sum() <= n - least
    assert u[upper].min() >= u[~upper].max()
    order = np.argsort(u)
    best = min(spread_within(u, np.isin(np.arange(n), order[k:])) for k in range(least, n - least + 1))
    assert spread_within(u, upper) == pytest.approx(best, abs=1e-8)


@settings(deadline=None)
@given(values)
def test_split_in_two_against_every_subset(u):
    n = len(u)
    if n > 9 or np.ptp(u) == 0:
        return
    subsets = itertools.chain.from_iterable(itertools.combinations(range(n), k) for k in range(1, n))
    best = min(spread_within(u, np.isin(np.arange(n), s)) for s in subsets)
    assert spread_within(u, split_in_two(u)) == pytest.approx(best, abs=1e-8)


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6))
def test_split_in_two_is_no_worse_than_kmeans(seed):
    from sklearn.cluster import KMeans

    u = np.random.default_rng(seed).standard_normal(40) ** 3
    inertia = KMeans(2, n_init=3, random_state=0).fit(u[:, None]).inertia_
    assert spread_within(u, split_in_two(u)) <= inertia * (1 + 1e-9)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.integers(13, 300), st.sampled_from([0.0, 0.2, 0.5]), st.sampled_from([3, 50, 10**6]))
def test_split_in_two_of_many_points_and_many_ties(seed, n, fraction, distinct):
    """Equal points stay in their order, as numpy's stable sort leaves them."""
    u = np.random.default_rng(seed).integers(-distinct, distinct, n).astype(float)
    order = np.argsort(u, kind="stable")
    below = np.arange(1, n)
    spread = np.cumsum((u * n - u.sum())[order])[:-1] ** 2 / (below * (n - below))  # integers: no rounding
    least = min(max(1, int(np.ceil(fraction * n - 1e-9))), n // 2)
    allowed = spread[least - 1 : n - least]
    (best,) = np.flatnonzero(allowed >= allowed.max() * (1 - 1e-9))[:1]
    upper = split_in_two(u, fraction)
    if np.count_nonzero(allowed >= allowed.max() * (1 - 1e-9)) == 1:
        assert upper.tolist() == np.isin(np.arange(n), order[least + best :]).tolist()
    else:
        assert spread[np.count_nonzero(~upper) - 1] >= allowed.max() * (1 - 1e-9)


def test_split_in_two_far_from_the_origin():
    u = 1e6 + np.array([0.0, 1e-3, 0.1, 0.101])
    assert split_in_two(u).tolist() == [False, False, True, True]


@pytest.mark.parametrize("n", [0, 1])
def test_split_in_two_of_nothing(n):
    assert split_in_two(np.zeros(n)).tolist() == [False] * n


def test_split_in_k_finds_separate_groups():
    rng = np.random.default_rng(0)
    centre = rng.permutation(np.repeat(np.arange(5), 12))
    points = 10 * np.eye(5)[centre, :4] + 0.1 * rng.standard_normal((60, 4))
    labels = split_in_k(points, 5, seed=1)
    pairs = set(zip(centre.tolist(), labels.tolist(), strict=True))
    assert len(pairs) == 5
    assert [np.flatnonzero(labels == i)[0] for i in range(5)] == sorted(
        np.flatnonzero(labels == i)[0] for i in range(5)
    )
    np.testing.assert_array_equal(labels, split_in_k(points, 5, seed=1))


def test_split_in_k_with_too_few_distinct_points():
    points = np.repeat([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 4, axis=0)
    points += 1e-15 * np.random.default_rng(0).standard_normal(points.shape)
    assert split_in_k(points, 5, seed=0).tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert split_in_k(np.ones((4, 2)), 3, seed=0).tolist() == [0, 0, 0, 0]
    assert split_in_k(np.zeros((4, 2)), 3, seed=0).tolist() == [0, 0, 0, 0]
    assert split_in_k(np.zeros((3, 0)), 2, seed=0).tolist() == [0, 0, 0]


@settings(deadline=None, max_examples=30)
@given(hnp.arrays(np.float64, (9, 2), elements=st.sampled_from([0.0, 1e-9, 1e-6, 0.5, 1.0])), st.integers(2, 6))
def test_split_in_k_always_numbers_its_clusters_without_gaps(points, k):
    labels = split_in_k(points, k, seed=3)
    assert sorted(set(labels.tolist())) == list(range(labels.max() + 1))
    assert labels.max() < k
