"""Missing cells filled in by a graph: by its probabilities, the same everywhere, and without making up edges."""

from __future__ import annotations

import numpy as np
import pytest

import hccd
from hccd import GTest
from hccd.datasets import load_network
from hccd.errors import InvalidDataError
from hccd.graphs import PDAG
from hccd.independence import completion
from hccd.metrics import shd
from method_cases import discrete_net
from uncompiled import uncompiled


def dag_of(n, *edges):
    return PDAG.from_edges(n, np.array(edges, np.int32).reshape(-1, 2))


def chain(rows, seed=0):
    """x -> z -> y, each the one before with one row in five turned around."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, rows)
    z = x ^ (rng.random(rows) < 0.2)
    return np.column_stack([x, z ^ (rng.random(rows) < 0.2), z]).astype(float), rng


def test_cells_are_drawn_given_the_rest_of_the_row():
    """z between x and y: by Bayes' rule 16 of 17 if they agree, and one half if not."""
    data, rng = chain(40_000)
    missing = rng.random(len(data)) < 0.5
    data[missing, 2] = np.nan
    ci = GTest().bind(data)
    codes = ci.completed(dag_of(3, (0, 2), (2, 1))).codes
    assert np.array_equal(codes[2][~missing], ci.codes[2][~missing]) and codes.max() == 1
    for x, y in ((0, 0), (0, 1), (1, 0), (1, 1)):
        drawn = codes[2][missing & (codes[0] == x) & (codes[1] == y)]
        expected = 0.5 if x != y else (16 / 17 if x else 1 / 17)
        assert drawn.mean() == pytest.approx(expected, abs=0.03)
    # A graph without edges knows the share of a state, and nothing else.
    alone = ci.completed(dag_of(3)).codes[2][missing]
    assert np.corrcoef(alone, data[missing, 0])[0, 1] == pytest.approx(0.0, abs=0.03)


def test_cells_that_are_missing_together():
    """Both ends of an edge: what is drawn depends on each other as in the rows that are complete."""
    data, rng = chain(20_000, 1)
    missing = rng.random(len(data)) < 0.3
    data[np.ix_(missing, [0, 2])] = np.nan
    codes = GTest().bind(data).completed(dag_of(3, (0, 2), (2, 1))).codes
    assert np.mean(codes[0][missing] == codes[2][missing]) == pytest.approx(0.8, abs=0.03)


def test_parents_that_tell_nothing_are_not_believed():
    """An edge between independent columns does not make the drawn cells depend on each other."""
    rng = np.random.default_rng(2)
    gains = []
    for _ in range(20):
        data = rng.integers(0, 3, (300, 2)).astype(float)
        data[rng.random(data.shape) < 0.4] = np.nan
        ci = GTest().bind(data)
        families = ci.completed(dag_of(2, (0, 1))).families(2)
        gains.append(families.score(1, np.array([0], np.int32)) - families.score(1, np.zeros(0, np.int32)))
    assert max(gains) < 2.0


def test_compiled_and_not(monkeypatch):
    rng = np.random.default_rng(3)
    data = discrete_net(rng, 6, 2.5, 80, (2, 4)).astype(float)
    data[rng.random(data.shape) < 0.2] = np.nan
    ci, dag = GTest().bind(data, rng.integers(1, 4, 80)), dag_of(6, (0, 1), (1, 2), (0, 2), (3, 4), (2, 4))
    fast = ci.completed(dag).codes
    monkeypatch.setattr(completion, "redraw", uncompiled("redraw").redraw)
    assert np.array_equal(fast, ci.completed(dag).codes)


def test_families_too_large_to_tabulate(monkeypatch):
    rng = np.random.default_rng(4)
    data = rng.integers(0, 30, (60, 6)).astype(float)
    data[rng.random(data.shape) < 0.2] = np.nan
    ci = GTest().bind(data)
    everybody = dag_of(6, *[(i, 5) for i in range(5)])
    assert completion._fitting(5, everybody, ci.states, 60) == []
    assert not ci.completed(everybody).has_gaps


def test_a_score_needs_all_cells():
    data = np.array([[0, 1], [1, np.nan], [0, 0], [1, 1]])
    with pytest.raises(InvalidDataError, match="missing"):
        GTest().bind(data).families(1)


def test_noise_with_gaps_stays_unconnected():
    """A third of the cells is missing in half of the columns: no edges, in neither half."""
    for seed in range(5):
        rng = np.random.default_rng([5, seed])
        data = np.column_stack([rng.integers(0, k, 1000) for k in rng.integers(2, 5, 20)]).astype(float)
        data[:, :10][rng.random((1000, 10)) < 0.3] = np.nan
        assert hccd.discover(GTest().bind(data)).graph.skeleton().edges.size == 0


def test_missing_cells_cost_little():
    """ALARM with a fifth of the cells missing, and hardly a complete row: nearer to the truth than the tests alone."""
    network = load_network("alarm")
    data = np.asarray(network.sample(2000, 1)).astype(float)
    data[np.random.default_rng(6).random(data.shape) < 0.2] = np.nan
    ci = GTest().bind(data)
    distance = shd(network.cpdag(), hccd.discover(ci).graph).total
    assert distance < 10 < shd(network.cpdag(), hccd.discover(ci, scoring="none").graph).total
    assert np.count_nonzero(~np.isnan(data).any(axis=1)) < 10


def test_rows_that_count_several_times_are_drawn_as_often(monkeypatch):
    """Distinct rows with counts: as accurate as the rows themselves, and never more certain than what is drawn."""
    data, rng = chain(40_000)
    data[rng.random(len(data)) < 0.5, 2] = np.nan
    rows, counts = np.unique(np.where(np.isnan(data), -1, data), axis=0, return_counts=True)
    rows[rows < 0] = np.nan
    ci = GTest().bind(rows, weights=counts.astype(float))
    for most, drawn in ((1 << 22, 40_000), (1000, 2000)):
        monkeypatch.setattr(completion, "_MOST_ROWS", most)
        own = ci.completed(dag_of(3, (0, 2), (2, 1)))
        assert own.n_samples == pytest.approx(drawn, rel=0.05)
        counted = own.data.counted
        unknown = (own.codes[0] == 1) & (own.codes[1] == 1)
        share = np.average(own.codes[2][unknown], weights=counted.counts[unknown])
        assert share == pytest.approx(16 / 17, abs=0.03)
