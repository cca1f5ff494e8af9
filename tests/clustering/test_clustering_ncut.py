from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from hccd.clustering import ncut, ncut_terms
from hccd.errors import InvalidParameterError


def brute_force(W, labels):
    total = 0.0
    everyone = range(len(W))
    for label in set(labels):
        inside = [v for v in everyone if labels[v] == label]
        cut = sum(W[x, y] for x in inside for y in everyone if labels[y] != label)
        association = sum(W[x, y] for x in inside for y in everyone)
        total += cut / association if association else 0.0
    return total


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(1, 4), st.sampled_from([0.2, 0.6, 1.0]))
def test_against_brute_force(seed, n, k, density):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) * (rng.random((n, n)) < density), 1)
    W = upper + upper.T
    labels = rng.integers(0, k, n)
    expected = brute_force(W, labels.tolist())
    assert ncut(W, labels) == pytest.approx(expected)
    assert ncut(csr_array(W), labels) == pytest.approx(expected)
    renamed = rng.permutation(k)[labels] * 10 - 3
    assert ncut(W, renamed) == pytest.approx(expected)


def test_worked_example_of_the_paper():
    """{X, Y} against {Z}.

    The paper prints (I(X,Z) + I(Y,Z)) / (I(X,Z) + I(Y,Z) + I(X,Y)): the first cluster's term alone, with
    I(X,Y) counted once. The usual definition counts it from both its ends, and adds the term of {Z}, 1.
    """
    xy, xz, yz = 0.2, 0.6, 0.5
    W = np.array([[0, xy, xz], [xy, 0, yz], [xz, yz, 0]])
    first, second = ncut_terms(W, [0, 0, 1])
    assert first == pytest.approx((xz + yz) / (xz + yz + 2 * xy))
    assert second == pytest.approx(1.0)

    # What the example is for: the undesired cut costs more, the stronger the separator against the pair.
    def undesired(separator):
        return ncut(np.array([[0, xy, separator], [xy, 0, yz], [separator, yz, 0]]), [0, 0, 1])

    values = [undesired(s) for s in (0.05, 0.1, 0.2, 0.4, 0.8)]
    assert values == sorted(values)
    assert len(set(values)) == len(values)


def test_equal_weights_cost_the_same_wherever_they_are_cut():
    W = 1.0 - np.eye(8)
    assert [ncut(W, np.arange(8) < size) for size in range(1, 8)] == pytest.approx([8 / 7] * 7)


def test_one_cluster_cuts_nothing(weights):
    assert ncut(weights(6, 0), np.zeros(6)) == 0.0


def test_labels_must_fit(weights):
    with pytest.raises(InvalidParameterError, match="each of 6 variables"):
        ncut(weights(6, 0), [0, 1])
