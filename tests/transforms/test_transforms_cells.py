"""Outlying cells: which are found, what stands in their place, and that values which their rows explain are kept."""

from __future__ import annotations

import numpy as np
import pytest

import hccd
from hccd.errors import DataWarning, InvalidDataError
from hccd.independence.outlying_cells import CellModel
from hccd.independence.transforms import bulk, outlying_cells, without_outlying_cells

N = 8


def covariance(seed=0):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(N, N))
    return root @ root.T + np.eye(N)


def model_of(covariance):
    precision = np.linalg.inv(covariance)
    return CellModel(precision, np.sqrt(precision.diagonal()))


def conditional(covariance, row, gone):
    """Means and covariances of some cells given the others, from the covariances."""
    rest = np.flatnonzero(~gone)
    own = np.flatnonzero(gone)
    slopes = covariance[np.ix_(own, rest)] @ np.linalg.inv(covariance[np.ix_(rest, rest)])
    return slopes @ row[rest], covariance[np.ix_(own, own)] - slopes @ covariance[np.ix_(rest, own)]


def chain(rows=500, seed=0):
    """Each column follows the one before it; rows are variables."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(N, rows))
    for y in range(1, N):
        values[y] += 1.2 * values[y - 1]
    return values


def test_cells_are_found_by_conditional_distributions():
    """Brute force: the worst cell given those that are left, from the covariances of the cells that are left."""
    rng = np.random.default_rng(1)
    own = covariance()
    model = model_of(own)
    rows = rng.multivariate_normal(np.zeros(N), own, size=300)
    missing = rng.random(rows.shape) < 0.05
    spoiled = rng.random(rows.shape) < 0.04
    rows[spoiled] += 40.0 * rng.normal(size=int(spoiled.sum()))
    found = model.outlying(np.where(missing, 0.0, rows), missing)
    assert found.any() and not (found & missing).any()
    for row, gaps, told in zip(rows, missing, found, strict=True):
        gone = gaps.copy()
        while True:
            far = np.zeros(N)
            for cell in np.flatnonzero(~gone):
                beside = ~gone
                alone = np.arange(N) == cell
                mean, variance = conditional(own[np.ix_(beside, beside)], row[beside], alone[beside])
                far[cell] = abs(row[cell] - mean[0]) / np.sqrt(variance[0, 0])
            if far.max() <= 5.0:
                break
            gone[far.argmax()] = True
        whole = (gone & ~gaps).sum() > N // 4
        np.testing.assert_array_equal(told, np.zeros(N, bool) if whole else gone & ~gaps)


def test_draws_have_the_conditional_distribution_and_leave_the_rest():
    own, gone = covariance(2), np.array([True, False, False, True, False, False, True, False])
    row = np.random.default_rng(3).normal(size=N)
    rows = np.tile(row, (40_000, 1))
    where = np.tile(gone, (len(rows), 1))
    # Rows with other numbers of such cells stand beside them.
    where[::2] = np.arange(N) == 1
    drawn = model_of(own).drawn(rows, where)
    np.testing.assert_array_equal(drawn[~where], rows[~where])
    for place, which in ((slice(1, None, 2), gone), (slice(0, None, 2), np.arange(N) == 1)):
        mean, variance = conditional(own, row, which)
        values = drawn[place][:, which]
        error = np.sqrt(variance.diagonal() / len(values))
        assert (np.abs(values.mean(axis=0) - mean) < 5.0 * error).all()
        np.testing.assert_allclose(np.cov(values.T), variance, atol=0.05 * variance.max())


def test_an_error_is_replaced_and_a_large_value_with_consequences_kept():
    values = chain()
    values[:, 50] += 8.0 * 1.2 ** np.arange(N)
    values[2, 10] = 30.0
    found = outlying_cells(values)
    assert found[2, 10] and not found[:, 50].any()
    changed = without_outlying_cells(values)
    assert abs(changed[2, 10]) < 8.0
    np.testing.assert_array_equal(changed[~found], values[~found])


def test_a_row_of_errors_is_no_matter_of_cells():
    values = chain()
    values[:, 20] = 40.0 * np.random.default_rng(4).normal(size=N)
    assert not outlying_cells(values)[:, 20].any()


def test_errors_become_missing_where_cells_are_missing():
    values = chain()
    values[2, 10], values[4, 11] = 30.0, np.nan
    changed = without_outlying_cells(values)
    assert np.isnan(changed[2, 10]) and np.isnan(changed[4, 11])
    assert np.isnan(changed).sum() == 1 + outlying_cells(values).sum()


def test_too_many_are_none():
    rng = np.random.default_rng(5)
    values = chain()
    values[rng.random(values.shape) < 0.09] += 100.0
    assert not outlying_cells(values).any()
    np.testing.assert_array_equal(without_outlying_cells(values), values)


def test_what_rows_are_like_is_told_from_those_that_count():
    values = chain()
    values[2, 10] = 30.0
    weights = np.ones(500)
    np.testing.assert_array_equal(outlying_cells(values, weights), outlying_cells(values))
    # Half of the rows are of another kind and count for nothing.
    other = np.concatenate([values, np.random.default_rng(6).normal(size=values.shape) * 3.0], axis=1)
    found = outlying_cells(other, np.repeat([1.0, 0.0], 500))
    np.testing.assert_array_equal(found[:, :500], outlying_cells(values))


def test_columns_without_a_bulk_are_left_alone():
    values = chain()
    values[3] = 0.0
    values[3, 10] = 1e6
    assert not outlying_cells(values)[3].any()
    assert bulk(values)[1][3] == 0.0


def with_rare_event(share=0.01, rows=1000, seed=8):
    """A chain whose last column is changed by a rare event, and the event."""
    values = chain(rows, seed)
    event = (np.random.default_rng(seed).random(rows) < share).astype(float)
    values[-1] += 40.0 * event
    return values, event


def test_what_another_column_explains_is_no_error():
    """The event may be a column of states or of amounts; an error of the same column is found beside it."""
    values, event = with_rare_event()
    error = int(np.flatnonzero(event == 0.0)[3])
    values[-1, error] = -40.0
    assert outlying_cells(values)[-1].sum() == event.sum() + 1
    amounts = event * np.random.default_rng(1).lognormal(size=1000)
    unknown = np.where(np.arange(1000) % 50 == 0, np.nan, event)
    for found in (
        outlying_cells(values, beside=event[None]),
        outlying_cells(values, np.ones(1000), event[None]),
        outlying_cells(values, beside=unknown[None])[:, ~np.isnan(unknown)],
        outlying_cells(np.vstack([values, amounts]))[:N],
    ):
        assert np.flatnonzero(found[-1]).size == 1
    # That an error happens to stand in a group proves nothing.
    group = np.arange(1000) % 10.0
    np.testing.assert_array_equal(outlying_cells(values, beside=group[None]), outlying_cells(values))


@pytest.mark.filterwarnings(f"ignore::{DataWarning.__module__}.{DataWarning.__name__}")
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("amounts", [False, True])
def test_the_effect_of_a_rare_event_is_learned(gaps, amounts):
    values, event = with_rare_event(0.005)
    if amounts:
        event = event * np.random.default_rng(1).uniform(0.5, 1.5, size=1000)
    if gaps:
        values[0, ::50] = np.nan
    result = hccd.discover(np.vstack([values, event]).T, bootstrap="none")
    assert result.parameters["transform"] != "trim-cells"
    assert {"X8", "X9"} in [{x, y} for x, y, _ in result.edges()]


@pytest.mark.filterwarnings(f"ignore::{DataWarning.__module__}.{DataWarning.__name__}")
def test_imputed_tables_are_counted_once():
    values = chain()
    values[2, 10], values[4, 11] = 40.0, np.nan
    for missing in ("em", "impute"):
        result = hccd.discover(values.T, missing=missing, bootstrap="none")
        assert result.parameters["transform"] == "trim-cells"
        said = [each.sentence for each in result.findings if each.kind.value == "transform"]
        assert said == [
            "1 cell contradicts the rest of the row, as errors do, and is replaced by values that fit (1 in 'X3'): if "
            "they are true values, use the transform 'none'"
        ]


def test_a_table_that_is_too_large_is_refused():
    rows = np.broadcast_to(np.zeros(1), (2_000, 3_000))
    with pytest.raises(InvalidDataError, match="3,000 rows of 2,000 columns are too many to check each cell"):
        outlying_cells(rows)


@pytest.mark.filterwarnings(f"ignore::{DataWarning.__module__}.{DataWarning.__name__}")
def test_the_graph_is_that_without_errors():
    """Mixed tables too; where errors stand, normal scores lose edges or find false ones."""
    rng = np.random.default_rng(7)
    values = chain(1000, 8)
    spoiled = np.where(rng.random(values.shape) < 0.01, 20.0 * rng.normal(size=values.shape), values)
    clean, own = hccd.discover(values.T, bootstrap="none"), hccd.discover(spoiled.T, bootstrap="none")
    assert own.parameters["transform"] == "trim-cells"
    assert own.graph == clean.graph
    group = (values[-1] > 0).astype(int)
    mixed = hccd.discover(np.column_stack([spoiled.T, group]), bootstrap="none")
    assert mixed.parameters["transform"] == "trim-cells"
    assert hccd.discover(np.column_stack([values.T, group]), bootstrap="none").graph == mixed.graph
