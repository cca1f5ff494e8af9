"""Which rows are drawn: by the seed and the number alone, all alike, and counts as the rows they stand for."""

import numpy as np
import pytest

from hccd.confidence.frequencies import Frequencies
from hccd.graphs import PDAG
from hccd.tables.resamples import SHARE, drawn


def test_a_resample_depends_on_seed_and_number_only():
    assert np.array_equal(drawn(3, 7, 50), drawn(3, 7, 50))
    assert not np.array_equal(drawn(3, 7, 50), drawn(3, 8, 50))
    assert not np.array_equal(drawn(3, 7, 50), drawn(4, 7, 50))


def size(n_rows, again):
    return n_rows if again else round(SHARE * n_rows)


@pytest.mark.parametrize("again", [True, False])
def test_rows_are_drawn_alike(again):
    many = np.array([drawn(0, k, 40, again=again) for k in range(2000)])
    assert (many.sum(axis=1) == size(40, again)).all() and (many.max() > 1) == again
    assert np.abs(many.mean(axis=0) - size(40, again) / 40).max() < 0.1


@pytest.mark.parametrize("again", [True, False])
def test_counts_are_drawn_as_the_rows_they_stand_for(again):
    counts = np.array([1.0, 5.0, 20.0])
    many = np.array([drawn(0, k, 3, counts, again=again) for k in range(4000)])
    expanded = np.array([drawn(1, k, 26, again=again) for k in range(4000)])
    as_groups = np.column_stack([expanded[:, 0], expanded[:, 1:6].sum(1), expanded[:, 6:].sum(1)])
    assert (again or (many <= counts).all()) and (many.sum(axis=1) == size(26, again)).all()
    np.testing.assert_allclose(many.mean(0), as_groups.mean(0), rtol=0.05)
    np.testing.assert_allclose(np.cov(many.T), np.cov(as_groups.T), atol=0.35)


def test_more_counts_than_numpy_draws_from():
    own = drawn(0, 0, 2, np.array([6e8, 6e8]), again=False)
    assert own.sum() == pytest.approx(SHARE * 1.2e9, rel=1e-3)


@pytest.mark.parametrize("again", [True, False])
def test_sampling_weights_count_as_the_rows_that_were_drawn(again):
    weights = np.random.default_rng(0).random(100) + 0.1
    own = drawn(0, 0, 100, weights, again=again)
    kept = np.repeat(weights, drawn(0, 0, 100, again=again).astype(int))
    assert len(kept) == size(100, again)
    # Kish's effective size of the rows that were drawn.
    assert own.sum() == pytest.approx(kept.sum() ** 2 / (kept**2).sum())


def test_frequencies_count_every_kind_of_edge():
    found = Frequencies.none(4)
    for graph in (
        PDAG.from_edges(4, [(0, 1)], [(2, 3)]),
        PDAG.from_edges(4, [(1, 0), (2, 3)]),
        PDAG.from_edges(4, [(0, 1)]),
    ):
        found = found.and_of(graph)
    assert found.keys.tolist() == [1, 11] and found.counts.tolist() == [[2, 1, 0], [1, 0, 1]]
    pairs, counts = found.relabelled(np.array([3, 1, 0, 2]), found.counts)
    assert pairs.tolist() == [[0, 2], [1, 3]] and counts.tolist() == [[1, 0, 1], [1, 2, 0]]
    again = Frequencies.from_arrays(4, 3, found.to_arrays())
    assert again.done == 3 and again.counts.tolist() == found.counts.tolist()


@pytest.mark.parametrize(
    "damage",
    [
        {"done": np.array([0], np.int64)},
        {"keys": np.array([11, 1], np.int64)},
        {"keys": np.array([1, 99], np.int64)},
        {"counts": np.array([[-1, 1, 1]] * 2, np.int64)},
        {"counts": np.zeros((2, 3))},
    ],
)
def test_counts_that_cannot_be_are_not_used(damage):
    arrays = {
        "done": np.array([3], np.int64),
        "keys": np.array([1, 11], np.int64),
        "counts": np.ones((2, 3), np.int64),
    }
    assert Frequencies.from_arrays(4, 3, arrays).done == 3
    with pytest.raises(ValueError):
        Frequencies.from_arrays(4, 3, arrays | damage)
    with pytest.raises(ValueError):
        Frequencies.from_arrays(4, 2, arrays)
