from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from hccd.clustering import components


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40), st.floats(0.0, 3.0))
def test_against_networkx(seed, n, mean_degree):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) * (rng.random((n, n)) < mean_degree / n), 1)
    W = upper + upper.T
    expected = sorted(sorted(c) for c in nx.connected_components(nx.from_numpy_array(W)))
    for form in (W, csr_array(W)):
        labels = components(form)
        assert [np.flatnonzero(labels == i).tolist() for i in range(len(expected))] == expected


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1e300])
def test_size_of_the_weights_does_not_matter(scale):
    W = np.zeros((4, 4))
    W[0, 3] = W[3, 0] = W[1, 2] = W[2, 1] = scale
    assert components(W).tolist() == [0, 1, 1, 0]


def test_long_chain_and_many_isolated_variables():
    n = 700
    W = np.zeros((n, n))
    chain = np.arange(100, 600)
    W[chain[:-1], chain[1:]] = W[chain[1:], chain[:-1]] = 0.3
    labels = components(csr_array(W))
    assert labels.max() + 1 == n - 499
    assert set(labels[chain]) == {100}
