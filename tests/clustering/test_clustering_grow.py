from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hccd.clustering import (
    ClusterTree,
    Eigengap,
    FixedK,
    NearZero,
    SpectralSplitter,
    grow,
    grow_tree,
    ncut,
    similarity,
)
from hccd.errors import InvalidDataError, InvalidParameterError


def groups(tree):
    return {leaf.variables for leaf in tree.leaves()}


def as_groups(block):
    return {tuple(np.flatnonzero(block == b).tolist()) for b in set(block.tolist())}


@pytest.mark.parametrize("screen", [True, False])
@pytest.mark.parametrize("sizes", [(8, 8), (12, 9, 10), (10,) * 7, (200, 190), (60,) * 6])
def test_planted_blocks_become_leaves(blocks, sizes, screen):
    W, block = blocks(sizes, 0.6, 0.02, seed=sum(sizes))
    independent = np.zeros(W.shape, bool)
    tree = grow_tree(W, SpectralSplitter(NearZero(0.4), min_size=2, screen=screen), independent=independent)
    assert groups(tree) == as_groups(block)
    tree = grow_tree(W, SpectralSplitter(Eigengap(), min_size=2, screen=screen), independent=independent)
    assert groups(tree) == as_groups(block)
    tree = grow_tree(W, SpectralSplitter(min_size=max(sizes), screen=screen), independent=independent)
    assert groups(tree) == as_groups(block)


def test_two_levels_of_blocks_are_found_from_the_top():
    outer = np.repeat([0, 1], 20)
    inner = np.repeat([0, 1, 2, 3], 10)
    W = np.where(inner[:, None] == inner, 0.8, np.where(outer[:, None] == outer, 0.2, 0.01))
    tree = grow_tree(W, SpectralSplitter(min_size=10))
    tens = [list(range(a, a + 10)) for a in (0, 10, 20, 30)]
    found = ClusterTree.from_nested([tens[:2], tens[2:]])
    assert [c.variables for c in tree.clusters()] == [c.variables for c in found.clusters()]


def test_first_cut_is_close_to_the_best_one(weights):
    """Against all 2-way cuts of small random graphs: the relaxation must not lose much on average."""
    loss = []
    for seed in range(8):
        W = weights(10, seed=seed, density=0.6)
        tree = grow_tree(W, SpectralSplitter(max_depth=1, min_size=1))
        found = ncut(W, tree.labels())
        best = min(ncut(W, [bit >> i & 1 for i in range(10)]) for bit in range(1, 512))
        assert found >= best - 1e-12
        loss.append(found / best)
    assert np.mean(loss) < 1.15


def test_same_tree_from_sparse_and_dense_weights(blocks, monkeypatch):
    W, block = blocks([150, 160, 140], 0.5, 0.05, seed=4)
    rng = np.random.default_rng(0)
    kept = np.triu((rng.random(W.shape) < np.where(block[:, None] == block, 0.3, 0.02)), 1)
    independent = ~(kept | kept.T)
    splitter = SpectralSplitter(min_size=160)
    sparse = grow_tree(W, splitter, independent=independent)
    assert not isinstance(similarity(W, independent=independent), np.ndarray)
    dense = grow_tree(np.where(independent, 0.0, W), splitter)
    assert groups(sparse) == as_groups(block)
    assert sparse.labels().tolist() == dense.labels().tolist()
    assert [len(c.children) for c in sparse.clusters()] == [len(c.children) for c in dense.clusters()]


@pytest.mark.parametrize("rule", [FixedK(2), NearZero(0.75, 4)])
def test_workers_change_nothing(strengths, rule):
    strength, independent = strengths(420, 4, seed=7)
    splitter = SpectralSplitter(rule, min_size=8)

    def grown(n_jobs):
        return grow_tree(strength, splitter, independent=independent, seed=5, n_jobs=n_jobs)

    expected = grown(1)
    with ThreadPoolExecutor(3) as pool:  # several at once: nothing is shared between them
        assert all(found == expected for found in pool.map(grown, [None, 2, 3, -1]))  # to the last bit
    assert expected.depth > 3
    assert any(len(c.children) > 2 and c.eigenvalues for c in expected.clusters()) == (rule != FixedK(2))


def test_seed_matters_to_kmeans_only(strengths):
    strength, independent = strengths(150, 4, seed=3)
    two = SpectralSplitter(min_size=8)
    assert grow_tree(strength, two, independent=independent, seed=0) == grow_tree(
        strength, two, independent=independent, seed=1
    )
    many = SpectralSplitter(FixedK(5), min_size=8)
    first = grow_tree(strength, many, independent=independent, seed=0)
    assert first == grow_tree(strength, many, independent=independent, seed=0)
    assert any(first != grow_tree(strength, many, independent=independent, seed=s) for s in range(1, 6))


def test_every_cluster_has_a_seed_of_its_own(blocks, monkeypatch):
    W, _ = blocks([10] * 12, 0.5, 0.05, seed=6)
    used = []
    original = grow.split_in_k

    def recorded(coordinates, k, seed):
        used.append(seed)
        return original(coordinates, k, seed)

    monkeypatch.setattr(grow, "split_in_k", recorded)
    grow_tree(W, SpectralSplitter(FixedK(3), min_size=5), seed=1)
    grow_tree(W, SpectralSplitter(FixedK(3), min_size=5), seed=2)
    assert len(set(used)) == len(used) > 4


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10**6),
    st.integers(1, 45),
    st.integers(1, 12),
    st.sampled_from([FixedK(2), FixedK(3), NearZero(0.6, 5), Eigengap(4)]),
    st.sampled_from([0.02, 0.1, 0.5, 1.0]),
    st.sampled_from([None, 0, 1, 3]),
    st.sampled_from([0.0, 0.3, 0.5]),
)
def test_any_input_gives_a_tree_that_keeps_the_rules(seed, n, min_size, rule, density, max_depth, fraction):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(1, 4, (n, n)) / 3 * (rng.random((n, n)) < density), 1)
    strength = upper + upper.T
    independent = strength == 0
    splitter = SpectralSplitter(rule, max_depth, min_size, min_fraction=fraction)
    tree = grow_tree(strength, splitter, independent=independent)
    assert tree.n_variables == n
    W = similarity(strength)
    spectral = {0: 0}
    layout = tree.layout()
    for i, cluster in enumerate(tree.clusters()):
        if not cluster.children:
            continue
        assert len(cluster.variables) > min_size
        firsts = [child.variables[0] for child in cluster.children]
        assert firsts == sorted(firsts)
        across = [
            W[np.ix_(a.variables, b.variables)].any() for a in cluster.children for b in cluster.children if a is not b
        ]
        assert any(across) == bool(cluster.eigenvalues)
        if cluster.eigenvalues:
            assert len(cluster.children) <= rule.most_clusters
            if len(cluster.children) == 2 and isinstance(rule, FixedK) and rule.k == 2:
                least = min(int(np.ceil(fraction * len(cluster.variables) - 1e-9)), len(cluster.variables) // 2)
                assert min(len(c.variables) for c in cluster.children) >= least
        for child in layout.children(i):
            spectral[int(child)] = spectral[i] + bool(cluster.eigenvalues)
    if max_depth is not None:
        assert max(spectral.values()) <= max_depth


def test_relabelled_variables_give_the_relabelled_tree(blocks):
    W, block = blocks([11, 13, 9], 0.6, 0.05, seed=1)
    order = np.random.default_rng(3).permutation(len(W))
    moved = np.empty_like(W)
    moved[np.ix_(order, order)] = W
    splitter = SpectralSplitter(min_size=13)
    assert (
        groups(grow_tree(moved, splitter))
        == groups(grow_tree(W, splitter).relabelled(order))
        == as_groups(block[np.argsort(order)])
    )


def test_flat_variant_of_the_paper(blocks):
    W, block = blocks([9, 10, 11, 12], 0.5, 0.05, seed=8)
    tree = grow_tree(W, SpectralSplitter(FixedK(4), max_depth=1, min_size=1))
    assert tree.depth == 1
    assert groups(tree) == as_groups(block)


# Inputs without structure, or with too much of it.


@pytest.mark.parametrize("rule", [FixedK(2), FixedK(3), NearZero(0.5), Eigengap()])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_very_few_variables(rule, n):
    strength = np.full((n, n), 0.5)
    tree = grow_tree(strength, SpectralSplitter(rule, min_size=1))
    assert tree.n_variables == n
    assert grow_tree(strength, SpectralSplitter(rule, min_size=n)) == ClusterTree.single(n)


def test_two_related_variables_can_be_divided():
    assert grow_tree(np.full((2, 2), 0.5), SpectralSplitter(min_size=1)).labels().tolist() == [0, 1]


@pytest.mark.parametrize("n", [2, 40, 400])
@pytest.mark.parametrize("screen", [True, False])
def test_no_relation_at_all_is_one_leaf(n, screen):
    independent = ~np.eye(n, dtype=bool)
    splitter = SpectralSplitter(min_size=1, screen=screen)
    assert grow_tree(np.zeros((n, n)), splitter, independent=independent) == ClusterTree.single(n)


@pytest.mark.parametrize("n", [12, 200, 400])
@pytest.mark.parametrize("measure", ["strength", "information"])
def test_all_variables_duplicates_of_one(n, measure):
    tree = grow_tree(np.ones((n, n)), SpectralSplitter(min_size=6, measure=measure))
    assert max(len(leaf.variables) for leaf in tree.leaves()) <= 6
    assert tree == grow_tree(np.ones((n, n)), SpectralSplitter(min_size=6, measure=measure))


def test_pairs_of_duplicates_stay_together(blocks):
    W, _ = blocks([6, 6], 0.4, 0.1, seed=2)
    strength = np.kron(W, np.ones((2, 2)))
    for v in range(0, 24, 2):
        strength[v, v + 1] = strength[v + 1, v] = 1.0
    labels = grow_tree(strength, SpectralSplitter(max_depth=2, min_size=2)).labels()
    assert labels[::2].tolist() == labels[1::2].tolist()
    assert labels.max() == 3


@pytest.mark.parametrize("n", [30, 400])
def test_isolated_variables_split_off_together_not_one_by_one(weights, n):
    W = weights(n, seed=n, density=12 / n)
    alone = np.arange(0, n, 5)
    W[alone] = W[:, alone] = 0.0
    tree = grow_tree(W, SpectralSplitter(min_size=4), independent=W == 0)
    assert not tree.root.eigenvalues
    singles = [child for child in tree.root.children if len(child.variables) == 1]
    assert {child.variables[0] for child in singles} >= set(alone.tolist())
    assert tree.depth < n / 5


def test_components_cost_no_depth(blocks):
    W, block = blocks([8, 8], 0.5, 0.05, seed=1)
    n = len(W)
    strength = np.zeros((n + 3, n + 3))
    strength[:n, :n] = W
    tree = grow_tree(strength, SpectralSplitter(max_depth=1, min_size=1), independent=strength == 0)
    assert groups(tree) == as_groups(block) | {(n,), (n + 1,), (n + 2,)}
    assert tree.depth == 2
    assert grow_tree(strength, SpectralSplitter(max_depth=0), independent=strength == 0).depth == 0


@pytest.mark.parametrize("n", [9, 300])
def test_star(n):
    strength = np.zeros((n, n))
    strength[0, 1:] = strength[1:, 0] = 0.5
    splitter = SpectralSplitter(min_size=3)
    tree = grow_tree(strength, splitter, independent=strength == 0)
    assert tree == grow_tree(strength, splitter, independent=strength == 0)
    for leaf in tree.leaves():
        # what lost the centre has no weight left, and stays as it is
        assert len(leaf.variables) <= 3 or 0 not in leaf.variables


def test_limits_beyond_any_tree(strengths):
    strength, independent = strengths(40, 3, seed=5)
    deep = SpectralSplitter(max_depth=10**15, min_size=3)
    assert grow_tree(strength, deep, independent=independent) == grow_tree(
        strength, SpectralSplitter(min_size=3), independent=independent
    )
    assert grow_tree(strength, SpectralSplitter(min_size=10**15), independent=independent) == ClusterTree.single(40)


def test_screening_is_a_choice(strengths):
    strength, independent = strengths(60, 3, seed=1)
    off = SpectralSplitter(screen=False, min_size=5)
    on = SpectralSplitter(screen=True, min_size=5)
    assert grow_tree(strength, off, independent=independent) == grow_tree(strength, off)
    assert grow_tree(strength, on, independent=independent) != grow_tree(strength, off)


def test_bias_keeps_noise_from_joining_clusters():
    """Mutual information of two unrelated blocks, all of it raised by the same bias."""
    block = np.repeat([0, 1], 10)
    strength = np.where(block[:, None] == block, 0.03, 0.0) + 0.2
    splitter = SpectralSplitter(NearZero(0.3), min_size=2)
    assert grow_tree(strength, splitter).depth == 0
    assert groups(grow_tree(strength, splitter, bias=np.full((20, 20), 0.2))) == as_groups(block)


def test_leaves_keep_what_the_rule_saw():
    strength = 1.0 - np.eye(8)
    tree = grow_tree(strength, SpectralSplitter(NearZero(0.5, 3), min_size=2))
    assert tree.depth == 0
    np.testing.assert_allclose(tree.root.eigenvalues, [0.0, 8 / 7, 8 / 7])


def test_parameters_and_data_are_checked():
    with pytest.raises(InvalidParameterError, match="min_size"):
        grow_tree(np.ones((3, 3)), SpectralSplitter(min_size=0))
    with pytest.raises(InvalidDataError, match="nan"):
        grow_tree(np.full((3, 3), np.nan), SpectralSplitter())


def test_arguments_are_left_alone(strengths):
    strength, independent = strengths(300, 3, seed=1)
    bias = np.full((300, 300), 0.01)
    before = strength.copy(), independent.copy(), bias.copy()
    for screen in (True, False):
        for given_bias in (None, bias):
            splitter = SpectralSplitter(min_size=20, screen=screen)
            grow_tree(strength, splitter, independent=independent, bias=given_bias)
    for array, copy in zip((strength, independent, bias), before, strict=True):
        np.testing.assert_array_equal(array, copy)
