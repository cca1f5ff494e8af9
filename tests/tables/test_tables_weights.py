"""Weights of rows: whole numbers are repeated rows, others a sample; both checked, and said."""

from __future__ import annotations

import numpy as np
import pytest

import hccd
from hccd.errors import DataWarning, InvalidDataError, InvalidParameterError
from hccd.independence.transforms import (
    average_ranks,
    correlations,
    correlations_after,
    normal_scores,
    outlying_rows,
    weighted_normal_scores,
    weighted_ranks,
)
from hccd.tables import as_table

pytestmark = pytest.mark.filterwarnings(f"ignore::{DataWarning.__module__}.{DataWarning.__name__}")


def weighted_data(kind, seed=0, rows=150):
    rng = np.random.default_rng([5, seed])
    a, b = rng.normal(size=(2, rows))
    c = a + b + 0.5 * rng.normal(size=rows)
    d = np.round(c + rng.normal(size=rows), 1)
    columns = {"a": a, "b": b, "c": c, "d": d}
    if kind == "discrete":
        columns = {name: (np.digitize(values, [-0.5, 0.7])) for name, values in columns.items()}
    elif kind == "mixed":
        columns["b"] = np.array(["x", "y", "z"])[np.digitize(b, [-0.5, 0.7])]
        columns["d"] = np.digitize(d, [0.0])
    elif kind == "outliers":
        columns["c"][:3] = columns["d"][:3] = [90, -70, 80]
    return columns, rng.integers(1, 5, rows)


def repeated(columns, weights):
    return {name: np.repeat(values, weights) for name, values in columns.items()}


CASES = [
    ("continuous", "none"),
    ("continuous", "normal-scores"),
    ("continuous", "ranks"),
    ("continuous", "trim"),
    ("continuous", "auto"),
    ("outliers", "auto"),
    ("outliers", "trim"),
    ("mixed", "auto"),
    ("mixed", "normal-scores"),
    ("discrete", "auto"),
]


@pytest.mark.parametrize(("kind", "transform"), CASES)
@pytest.mark.parametrize("seed", range(3))
def test_counts_are_repeated_rows(kind, transform, seed):
    columns, weights = weighted_data(kind, seed)
    one = hccd.discover(columns, weights=weights, transform=transform)
    other = hccd.discover(repeated(columns, weights), transform=transform)
    assert one.edges() == other.edges()
    assert one.parameters["n_samples"] == other.parameters["n_samples"]
    assert one.parameters.get("transform") == other.parameters.get("transform")
    assert one.tests.by_order == other.tests.by_order
    np.testing.assert_allclose(one.strength, other.strength, rtol=1e-9)
    if one.score is not None:
        assert one.score.after == pytest.approx(other.score.after, rel=1e-9)


def test_ranks_and_correlations_of_counts_are_those_of_repeated_rows():
    rng = np.random.default_rng(1)
    columns = np.vstack([rng.normal(size=(2, 40)), rng.integers(0, 5, 40)])
    weights = rng.integers(1, 6, 40)
    longer = np.repeat(columns, weights, axis=1)
    as_floats = weights.astype(float)
    np.testing.assert_allclose(np.repeat(weighted_ranks(columns, as_floats), weights, axis=1), average_ranks(longer))
    scores = np.repeat(weighted_normal_scores(columns, as_floats), weights, axis=1)
    np.testing.assert_allclose(scores, normal_scores(longer), atol=1e-12)
    np.testing.assert_allclose(correlations(columns, as_floats), np.corrcoef(longer), atol=1e-12)
    assert (np.repeat(outlying_rows(columns, as_floats), weights) == outlying_rows(longer)).all()
    for transform in ("none", "ranks", "normal-scores", "trim"):
        one, other = correlations_after(transform, columns, as_floats), correlations_after(transform, longer)
        np.testing.assert_allclose(one[0], other[0], atol=1e-12)
        assert one[1] == other[1]


def test_sampling_weights_have_kishs_size_whatever_their_scale():
    columns, _ = weighted_data("continuous")
    weights = np.random.default_rng(2).uniform(0.2, 1.7, 150)
    kish = weights.sum() ** 2 / (weights**2).sum()
    results = [hccd.discover(columns, weights=scale * weights) for scale in (1.0, 1e-3, 1e6)]
    assert {result.parameters["n_samples"] for result in results} == {round(kish, 3)}
    assert all(result.edges() == results[0].edges() for result in results)
    assert results[0].parameters["weighting"] == {"kind": "sampling", "rows": 150}
    table = as_table(columns, weights=weights)
    frame = np.column_stack(list(columns.values()))
    covariance = np.cov(frame, rowvar=False, aweights=weights)
    deviation = np.sqrt(np.diag(covariance))
    expected = covariance / np.outer(deviation, deviation)
    np.testing.assert_allclose(correlations(table.numbers().T, table.weights), expected, atol=1e-12)


def test_equal_weights_change_nothing():
    columns, _ = weighted_data("mixed")
    plain, ones = hccd.discover(columns), hccd.discover(columns, weights=np.ones(150))
    assert plain.edges() == ones.edges()
    np.testing.assert_allclose(plain.strength, ones.strength, rtol=1e-12)


def test_a_column_of_weights_leaves_the_table_wherever_it_stands():
    columns, weights = weighted_data("mixed")
    expected = hccd.discover(columns, weights=weights)
    for table in ({"w": weights, **columns}, {**columns, "w": weights}):
        found = hccd.discover(table, weights="w")
        assert found.names == expected.names
        assert found.edges() == expected.edges()
        assert found.parameters["weights"] == "w"
    assert expected.parameters["weights"] == "given"
    assert hccd.discover(as_table({**columns, "w": weights}), weights="w").edges() == expected.edges()
    learned = hccd.learn_skeleton({**columns, "w": weights}, weights="w")
    assert learned.parameters["n_samples"] == weights.sum()


def test_distinct_rows_with_counts_are_enough():
    cells = np.array([[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)])
    counts = np.array([90, 10, 10, 90, 60, 40, 40, 60])
    one = hccd.discover(cells, weights=counts)
    assert one.edges() == hccd.discover(np.repeat(cells, counts, axis=0)).edges()
    assert len(one.edges()) == 2
    with pytest.raises(InvalidDataError, match=r"the data have 8 rows by their weights: at least 10 are needed"):
        hccd.discover(cells, weights=np.ones(8))


def test_rows_of_weight_zero_are_left_out_with_a_sentence():
    columns, weights = weighted_data("continuous")
    weights[:20] = 0
    with pytest.warns(DataWarning, match="20 rows have the weight 0 and are left out"):
        found = hccd.discover(columns, weights=weights)
    rest = {name: values[20:] for name, values in columns.items()}
    assert found.edges() == hccd.discover(rest, weights=weights[20:]).edges()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda w: np.where(np.arange(150) == 3, -1, w), "such as the negative one in row 4"),
        (lambda w: np.where(np.arange(150) == 3, np.inf, w), "such as the infinite one in row 4"),
        (lambda w: np.where(np.arange(150) == 3, np.nan, w), "1 missing value"),
        (lambda w: 0 * w, "all zero"),
        (lambda w: w[:-1], "149 weights for 150 rows"),
        (lambda w: w.astype(str), "not all numbers"),
        (lambda w: np.column_stack([w, w]), "2 dimensions"),
    ],
)
def test_weights_that_make_no_sense_are_refused(change, sentence):
    columns, weights = weighted_data("continuous")
    for function in (hccd.discover, hccd.check_data):
        with pytest.raises(InvalidDataError, match=sentence):
            function(columns, weights=change(weights))


def test_weights_where_there_can_be_none():
    columns, weights = weighted_data("continuous")
    with pytest.raises(InvalidParameterError, match="test of your own"):
        hccd.discover(columns, lambda data, x, y, given: 0.5, weights=weights)
    bound = hccd.FisherZ().bind(np.column_stack(list(columns.values())))
    with pytest.raises(InvalidParameterError, match="bound already"):
        hccd.discover(bound, weights=weights)
    with pytest.raises(InvalidDataError, match="there is no column 'v' to take weights from"):
        hccd.discover(columns, weights="v")


def test_the_estimator_and_the_check_know_weights():
    columns, weights = weighted_data("continuous")
    fitted = hccd.HCCD().fit(columns, sample_weight=weights)
    assert fitted.result_.edges() == hccd.discover(columns, weights=weights).edges()
    check = hccd.check_data({**columns, "w": weights}, weights="w")
    assert check.n_columns == 4
    assert (
        f"the weights in column 'w' are whole numbers, so they are counts of equal rows: "
        f"150 rows stand for {weights.sum()}" in (check.notes)
    )
