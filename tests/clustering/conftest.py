"""Inputs like those of the paper's synthetic experiments, and similarity graphs with known structure."""

from __future__ import annotations

import numpy as np
import pytest


def linear_gaussian_strengths(n, rho, seed, samples=1000):
    """|correlation| of a random linear-Gaussian DAG; pairs Fisher's z calls independent (alpha 0.01)."""
    rng = np.random.default_rng(seed)
    edges = np.triu(rng.random((n, n)) < rho / (n - 1), 1)
    weights = np.where(edges, rng.uniform(0.1, 1.0, (n, n)), 0.0)
    data = rng.standard_normal((samples, n))
    for j in range(n):
        data[:, j] += data[:, :j] @ weights[:j, j]
    strength = np.abs(np.corrcoef(data, rowvar=False))
    strength = np.minimum((strength + strength.T) / 2, 1.0)
    independent = strength < np.tanh(2.576 / np.sqrt(samples - 3))
    np.fill_diagonal(independent, False)
    return strength, independent


def random_weights(n, seed, density=1.0):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) * (rng.random((n, n)) < density), 1)
    return upper + upper.T


def planted_blocks(sizes, inside, outside, seed, jitter=0.1):
    """Equal weights up to jitter inside blocks and between them; variables in random order."""
    rng = np.random.default_rng(seed)
    block = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    weights = np.where(block[:, None] == block, inside, outside)
    noise = 1 + jitter * (rng.random(weights.shape) - 0.5)
    weights = np.triu(weights * noise, 1)
    return weights + weights.T, block


@pytest.fixture
def strengths():
    return linear_gaussian_strengths


@pytest.fixture
def weights():
    return random_weights


@pytest.fixture
def blocks():
    return planted_blocks
