"""Ranks against a count by hand, the tests against printed tables and formulas."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from hccd.studies.critical_difference import Panel, draw_ranks
from hccd.studies.ranks import critical_difference, mean_ranks, not_different, ranks

tables = arrays(
    float, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.sampled_from([0.0, 1.5, 2.0, np.nan])
)


@given(tables, st.sampled_from(["lower", "higher"]))
def test_ranks(values, better):
    found = ranks(values, better)
    for line, given_ranks in zip(values.tolist(), found.tolist(), strict=True):
        worth = [(1, 0) if math.isnan(v) else (0, v if better == "lower" else -v) for v in line]
        for own, rank in zip(worth, given_ranks, strict=True):
            assert rank == 1 + sum(other < own for other in worth) + (worth.count(own) - 1) / 2


# Demsar (2006), table 5(a): the quantiles at 0.05 for 2 to 10 methods, already divided by the root of 2.
PRINTED = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]


@pytest.mark.parametrize(("methods", "quantile"), list(enumerate(PRINTED, 2)))
def test_critical_difference(methods, quantile):
    found = critical_difference(methods, 30) / math.sqrt(methods * (methods + 1) / (6 * 30))
    assert found == pytest.approx(quantile, abs=1.1e-3)


def test_friedman():
    """The statistic by its formula, which holds without ties."""
    from scipy.stats import chi2

    rng = np.random.default_rng(3)
    ranked = ranks(rng.normal(size=(9, 5)) + np.arange(5) / 2, "lower")
    n, k = ranked.shape
    statistic = 12 * n / (k * (k + 1)) * (np.sum(ranked.mean(axis=0) ** 2) - k * (k + 1) ** 2 / 4)
    found = mean_ranks(ranked)
    assert found.p_value == pytest.approx(chi2.sf(statistic, k - 1))
    assert found.mean == pytest.approx(ranked.mean(axis=0)) and found.data_sets == 9


def test_too_few_or_all_the_same():
    assert mean_ranks(np.array([[1.0, 2.0], [1.0, 2.0], [2.0, 1.0]])).p_value is None
    assert mean_ranks(np.array([[1.0, 2.0, 3.0]])).difference is None
    assert mean_ranks(np.full((4, 3), 2.0)).p_value == 1.0


@given(st.lists(st.floats(1, 9), min_size=1, max_size=9).map(sorted), st.floats(0.1, 5))
def test_bars(mean, difference):
    """A pair is under a bar if and only if it is closer than the difference, and no bar lies inside another."""
    bars = not_different(mean, difference)
    for i, j in combinations(range(len(mean)), 2):
        assert any(a <= i and j <= b for a, b in bars) == (mean[j] - mean[i] < difference)
    assert not any(a <= c and d <= b for (a, b) in bars for (c, d) in bars if (a, b) != (c, d))


def test_the_picture_holds_every_label_apart_from_the_others(tmp_path):
    rng = np.random.default_rng(0)
    labels = [f"method number {i:02d}" for i in range(14)]
    found = mean_ranks(ranks(rng.normal(size=(35, 14)) + np.arange(14) / 4, "lower"))
    draw_ranks([Panel("SHD", labels, found)], tmp_path / "figure", salt="x")
    svg = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    for label in labels:
        assert svg.count(label) == 1
    assert f"critical difference {found.difference:.2f}" in svg
    assert (tmp_path / "figure.png").stat().st_size > 5000


def test_a_picture_of_little(tmp_path):
    draw_ranks([Panel("SHD", ["one"], mean_ranks(np.ones((1, 1))))], tmp_path / "figure", salt="x")
    assert "too few to test" in (tmp_path / "figure.svg").read_text(encoding="utf-8")
