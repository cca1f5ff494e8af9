"""Cells that are drawn: what is observed stays, and what is drawn is distributed as the rest of its row lets expect."""

from __future__ import annotations

import numpy as np
import pytest

from hccd.independence.imputation import TIMES, imputed
from hccd.tables import as_table, mixed_columns


def columns_of(frame, **options):
    return mixed_columns(as_table(frame, **options))


def test_what_is_observed_stays_and_nothing_is_made_up():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    frame = {"x": x, "y": np.round(3 * x + rng.normal(size=300)), "s": np.where(x > 0, "a", "b").astype(object)}
    for values in frame.values():
        values[rng.random(300) < 0.2] = None
    columns = columns_of(frame, continuous=["y"])
    drawn, weights = imputed(columns)
    assert drawn.shape == (3, TIMES * 300) and not np.isnan(drawn).any()
    held = ~np.isnan(columns.values)
    for own, found, there in zip(columns.values, drawn, held, strict=True):
        assert all((part[there] == own[there]).all() for part in found.reshape(TIMES, 300))
        assert set(found) <= set(own[there])
    together = [(held[i] & held[j]).sum() for i, j in ((0, 1), (0, 2), (1, 2))]
    assert weights.sum() == pytest.approx(np.mean(together))


@pytest.mark.parametrize("depends", [False, True])
def test_drawn_cells_depend_as_the_others_do(depends):
    """Missing at random: y is missing where x is large, so that the mean of what is observed is wrong."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=4000)
    y = 0.8 * x * depends + rng.normal(size=4000)
    state = (y + rng.normal(size=4000) > 0) * 1.0
    z = rng.integers(0, 3, 4000) * 1.0
    gone = rng.random(4000) < 0.8 / (1 + np.exp(-2 * x))
    data = np.column_stack([x, np.where(gone, np.nan, y), np.where(rng.random(4000) < 0.3, np.nan, state), z])
    drawn, _ = imputed(columns_of(data, discrete=[2, 3]))
    whole = np.corrcoef(np.vstack([x, y, state]))
    found = np.corrcoef(drawn[:3])
    # States are numbered as they occur.
    np.testing.assert_allclose(np.abs(found), np.abs(whole), atol=0.05)
    assert drawn[1].mean() == pytest.approx(y.mean(), abs=0.08)
    assert abs(np.corrcoef(drawn[1], drawn[3])[0, 1]) < 0.05


def test_constants_and_columns_of_one_value():
    rng = np.random.default_rng(2)
    data = rng.normal(size=(50, 3))
    data[:, 2] = 7.0
    data[rng.random(data.shape) < 0.2] = np.nan
    drawn, _ = imputed(columns_of(data, continuous=[0, 1, 2]))
    assert (drawn[2] == 7.0).all() and not np.isnan(drawn).any()
