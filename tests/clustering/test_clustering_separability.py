from __future__ import annotations

import numpy as np
import pytest

from hccd.clustering import Eigengap, FixedK, NearZero, SeparabilityRule, SpectralSplitter, eigenmap
from hccd.errors import InvalidParameterError

SPECTRUM = np.array([0.0, 0.05, 0.08, 0.6, 0.65, 0.9])


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (NearZero(0.1, 8), 3),
        (NearZero(0.05, 8), 2),
        (NearZero(0.01, 8), 1),
        (NearZero(0.65, 8), 5),
        (NearZero(0.65, 4), 4),
        (Eigengap(5), 3),
        (Eigengap(3), 3),
        (Eigengap(2), 1),
        (FixedK(2), 2),
        (FixedK(4), 4),
        (FixedK(9), 6),
    ],
)
def test_number_of_clusters(rule, expected):
    assert rule.clusters(SPECTRUM) == expected
    assert rule.clusters(SPECTRUM[: rule.n_eigenvalues]) == expected
    assert isinstance(rule, SeparabilityRule)
    assert expected <= rule.most_clusters


@pytest.mark.parametrize("rule", [NearZero(0.3), Eigengap(), FixedK()])
def test_one_variable_is_not_divided(rule):
    assert rule.clusters(np.array([0.0])) == 1


def test_eigengap_needs_one_eigenvalue_more():
    assert Eigengap(4).n_eigenvalues == 5
    assert Eigengap(4).clusters(np.array([0.0, 0.1, 0.2, 0.3, 0.9])) == 4


def test_a_large_first_gap_means_one_cluster():
    assert Eigengap().clusters(np.array([0.0, 0.9, 1.0, 1.1])) == 1


@pytest.mark.parametrize("k", [2, 3, 5])
def test_planted_blocks_are_counted(blocks, k):
    W, _ = blocks([12] * k, 0.6, 0.01, seed=k)
    spectrum = eigenmap(W, 8).eigenvalues
    assert NearZero(0.5, 8).clusters(spectrum) == k
    assert Eigengap(8).clusters(spectrum) == k


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (FixedK(1), "k of FixedK"),
        (FixedK(2.0), "k of FixedK"),
        (FixedK(True), "k of FixedK"),
        (NearZero(0.0), "threshold"),
        (NearZero(1.5), "threshold"),
        (NearZero(float("nan")), "threshold"),
        (NearZero(0.5, 1), "max_clusters of NearZero"),
        (Eigengap(1), "max_clusters of Eigengap"),
    ],
)
def test_unusable_rules(rule, text):
    with pytest.raises(InvalidParameterError, match=text):
        rule.check()
    with pytest.raises(InvalidParameterError, match=text):
        SpectralSplitter(rule=rule).check()


@pytest.mark.parametrize(
    "wrong",
    [
        {"rule": 2},
        {"max_depth": -1},
        {"max_depth": 1.5},
        {"min_size": 0},
        {"min_size": "ten"},
        {"measure": "cosine"},
        {"screen": "yes"},
        {"min_fraction": -0.1},
        {"min_fraction": 0.6},
        {"min_fraction": "half"},
    ],
)
def test_unusable_splitters_name_the_parameter_and_the_value(wrong):
    splitter = SpectralSplitter(**wrong)
    ((name, value),) = wrong.items()
    assert getattr(splitter, name) == value
    with pytest.raises(InvalidParameterError, match=rf"{name} .*{value!r}"):
        splitter.check()


def test_usable_splitters():
    SpectralSplitter().check()
    SpectralSplitter(NearZero(0.3), max_depth=np.int64(3), min_size=1, min_fraction=0.5).check()
    assert SpectralSplitter() == SpectralSplitter()
