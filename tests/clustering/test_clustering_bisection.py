"""Trees of halves, checked cluster by cluster against their definition: LAPACK, scipy and every possible threshold."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from hccd.clustering import SpectralSplitter, grow_tree, ncut, similarity


def exact_eigenpairs(W):
    """All of (D - W) u = lambda D u, ascending."""
    D = np.diag(W.sum(1))
    return scipy.linalg.eigh(D - W, D)


def spread_between(u, upper):
    """What 2-means makes as large as it can."""
    return upper.mean() * (1 - upper.mean()) * (u[upper].mean() - u[~upper].mean()) ** 2


def every_threshold(u, least):
    """Spread between the means for each admissible cut, and who is above the best one."""
    order = np.argsort(u, kind="stable")
    below = np.arange(least, len(u) - least + 1)
    lower, whole = np.cumsum(u[order])[below - 1], u.sum()
    share = below / len(u)
    spreads = share * (1 - share) * (lower / below - (whole - lower) / (len(u) - below)) ** 2
    best = np.isin(np.arange(len(u)), order[below[np.argmax(spreads)] :])
    assert spread_between(u, best) == pytest.approx(spreads.max())
    return np.sort(spreads), best


def check_against_definition(tree, W, min_size, min_fraction=0.0):
    """Follow the tree from its root; return how many spectral divisions were compared exactly."""
    compared = 0
    for cluster in tree.clusters():
        inside = W[np.ix_(cluster.variables, cluster.variables)]
        n = len(cluster.variables)
        if n <= min_size:
            assert not cluster.children
            continue
        count, labels = connected_components(csr_array(inside), directed=False)
        if count == n:
            assert not cluster.children and not cluster.eigenvalues
            continue
        if count > 1:
            assert not cluster.eigenvalues
            parts = [tuple(np.array(cluster.variables)[labels == i].tolist()) for i in range(count)]
            assert [child.variables for child in cluster.children] == sorted(parts)
            continue
        values, vectors = exact_eigenpairs(inside)
        assert cluster.eigenvalues == pytest.approx((0.0, values[1]), abs=1e-12)
        if n > 2 and values[2] - values[1] < 1e-4:
            continue
        u = vectors[:, 1]
        upper = np.isin(cluster.variables, cluster.children[1].variables)
        least = min(max(1, int(np.ceil(min_fraction * n - 1e-9))), n // 2)
        spreads, best = every_threshold(u, least)
        assert spread_between(u, upper) >= spreads[-1] * (1 - 1e-5)
        told_apart = np.min(u[best]) - np.max(u[~best]) > 1e-4 * np.ptp(u)
        if told_apart and (len(spreads) == 1 or spreads[-2] < spreads[-1] * (1 - 1e-4)):
            assert upper.tolist() in (best.tolist(), (~best).tolist())
            compared += 1
    return compared


@pytest.mark.parametrize("min_fraction", [0.0, 0.3])
@pytest.mark.parametrize("screen", [True, False])
def test_every_cluster_of_random_trees(strengths, screen, min_fraction):
    compared = 0
    for seed, n in enumerate((5, 12, 30, 60, 90)):
        strength, independent = strengths(n, min(3, n - 1), seed)
        splitter = SpectralSplitter(min_size=4, screen=screen, min_fraction=min_fraction)
        tree = grow_tree(strength, splitter, independent=independent)
        W = np.where(independent, 0.0, strength) if screen else strength.copy()
        np.fill_diagonal(W, 0.0)
        compared += check_against_definition(tree, W, 4, min_fraction)
    assert compared > 25


def test_every_cluster_of_irregular_sparse_graphs(weights):
    """Random trees with some more edges, and weights over six orders of magnitude."""
    compared = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        W = weights(60, seed, density=0.02)
        for child in range(1, 60):
            W[child, rng.integers(child)] = rng.random()
        W = np.maximum(W, W.T) ** 6
        tree = grow_tree(W, SpectralSplitter(min_size=3))
        compared += check_against_definition(tree, W, 3)
    assert compared > 100


def test_large_cluster_against_lapack(strengths):
    """Some hundred variables, with eigenvalues crowded as they are in real similarity graphs."""
    strength, independent = strengths(320, 4, seed=3)
    W = np.where(independent, 0.0, strength)
    np.fill_diagonal(W, 0.0)
    tree = grow_tree(strength, SpectralSplitter(max_depth=1), independent=independent)
    whole = next(cluster for cluster in tree.clusters() if cluster.eigenvalues)
    assert len(whole.variables) > 300
    inside = W[np.ix_(whole.variables, whole.variables)]
    _, best = every_threshold(exact_eigenpairs(inside)[1][:, 1], 1)
    found = ncut(inside, np.isin(whole.variables, whole.children[1].variables))
    assert found == pytest.approx(ncut(inside, best), rel=1e-9)


# Graphs whose second eigenvector is known.


def path(n):
    W = np.zeros((n, n))
    W[np.arange(n - 1), np.arange(1, n)] = 0.5
    return W + W.T


@pytest.mark.parametrize("n", [2, 3, 10, 64, 301, 1500])
def test_path_is_cut_in_the_middle(n):
    tree = grow_tree(path(n), SpectralSplitter(max_depth=1, min_size=1))
    first, second = (leaf.variables for leaf in tree.leaves())
    assert first + second == tuple(range(n))
    # Along a path of thousands eigenvalues crowd together, and the vector is exact to three digits only.
    assert abs(len(first) - n / 2) <= max(1, 0.005 * n)
    assert tree.root.eigenvalues[1] == pytest.approx(1 - np.cos(np.pi / (n - 1)), rel=1e-3 if n > 1000 else 1e-9)


def test_ring_is_cut_into_arcs():
    """Its second eigenvalue is double: any diameter may cut it, but nothing else."""
    n = 90
    ring = path(n)
    ring[0, -1] = ring[-1, 0] = 0.5
    tree = grow_tree(ring, SpectralSplitter(max_depth=1, min_size=1))
    assert tree.root.eigenvalues[1] == pytest.approx(1 - np.cos(2 * np.pi / n), abs=1e-12)
    labels = tree.labels()
    assert np.count_nonzero(labels != np.roll(labels, 1)) == 2
    assert abs(np.count_nonzero(labels) - n / 2) <= 1


def test_grid_is_cut_across_its_longer_side():
    high, wide = 20, 31
    place = np.arange(high * wide).reshape(high, wide)
    W = np.zeros((high * wide,) * 2)
    W[place[:, 1:].ravel(), place[:, :-1].ravel()] = W[place[1:].ravel(), place[:-1].ravel()] = 1.0
    labels = grow_tree(W + W.T, SpectralSplitter(max_depth=1)).labels().reshape(high, wide)
    assert (labels == labels[0]).all()
    assert np.count_nonzero(np.diff(labels[0])) == 1
    assert 14 <= np.count_nonzero(labels[0] == 0) <= 17


@pytest.mark.parametrize("n", [4, 12, 200])
def test_star_has_every_leaf_of_equal_standing(n):
    star = np.zeros((n, n))
    star[0, 1:] = star[1:, 0] = 0.5
    tree = grow_tree(star, SpectralSplitter(max_depth=1, min_size=1))
    assert tree.root.eigenvalues == pytest.approx((0.0, 1.0), abs=1e-12)
    assert len(tree.root.children) == 2


def test_one_pair_among_many():
    W = np.zeros((40, 40))
    W[7, 30] = W[30, 7] = 0.3
    tree = grow_tree(W, SpectralSplitter(min_size=1), independent=W == 0)
    assert len(tree.root.children) == 39
    (pair,) = [child for child in tree.root.children if len(child.variables) == 2]
    assert pair.variables == (7, 30)
    assert pair.eigenvalues == pytest.approx((0.0, 2.0), abs=1e-12)
    assert [leaf.variables for leaf in pair.children] == [(7,), (30,)]


def test_many_blocks_that_are_hardly_tied_together():
    """Many eigenvalues within rounding of 0: whatever is cut, no block is."""
    rng = np.random.default_rng(0)
    block = rng.permutation(np.repeat(np.arange(30), 12))
    W = np.where(block[:, None] == block, 0.5 + 0.1 * rng.random((360, 360)), 1e-12)
    W = (W + W.T) / 2
    tree = grow_tree(W, SpectralSplitter(min_size=12))
    assert {leaf.variables for leaf in tree.leaves()} == {tuple(np.flatnonzero(block == b).tolist()) for b in range(30)}


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1e9, 1e200])
def test_scale_of_the_weights_does_not_matter(weights, scale):
    W = weights(40, seed=1, density=0.3)
    splitter = SpectralSplitter(min_size=3)
    expected = grow_tree(W, splitter)
    found = grow_tree(W * scale, splitter)
    assert [c.variables for c in found.clusters()] == [c.variables for c in expected.clusters()]


def test_variables_with_hardly_any_weight(weights):
    """Degrees over a hundred orders of magnitude."""
    W = weights(30, seed=2, density=0.4)
    faint = np.arange(0, 30, 3)
    W[faint] *= 1e-100
    W[:, faint] = W[faint].T
    tree = grow_tree(W, SpectralSplitter(min_size=2))
    assert max(len(leaf.variables) for leaf in tree.leaves()) <= 10
    assert all(0.0 <= value <= 2.0 for cluster in tree.clusters() for value in cluster.eigenvalues)


def test_same_tree_as_by_the_general_path(strengths):
    """A rule that is not FixedK, but answers 2 as well, is asked cluster by cluster."""

    class AlwaysTwo:
        n_eigenvalues = most_clusters = 2

        def clusters(self, eigenvalues):
            return min(2, len(eigenvalues))

        def check(self):
            pass

    for seed, n in enumerate((20, 70, 170, 300)):
        strength, independent = strengths(n, 3, seed)
        bias = np.full((n, n), 0.02)
        for options in ({}, {"min_fraction": 0.25}, {"max_depth": 3}, {"measure": "squared"}, {"screen": False}):
            fast, slow = (
                grow_tree(strength, SpectralSplitter(rule, **options), bias=bias, independent=independent)
                for rule in (SpectralSplitter().rule, AlwaysTwo())
            )
            assert [c.variables for c in fast.clusters()] == [c.variables for c in slow.clusters()]
            for a, b in zip(fast.clusters(), slow.clusters(), strict=True):
                assert a.eigenvalues == pytest.approx(b.eigenvalues, abs=1e-9)


def test_weights_are_those_of_the_similarity(strengths):
    """One source of weights: cutting what similarity returns, unscreened, gives the same tree."""
    strength, independent = strengths(80, 3, seed=9)
    bias = np.full((80, 80), 0.01)
    for measure in ("strength", "squared", "information"):
        splitter = SpectralSplitter(measure=measure)
        W = similarity(strength, bias=bias, independent=independent, measure=measure)
        assert grow_tree(strength, splitter, bias=bias, independent=independent) == grow_tree(W, SpectralSplitter())
