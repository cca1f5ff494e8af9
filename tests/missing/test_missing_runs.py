"""Runs on tables with gaps: what is done about them, what is said, and what must not matter."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import hccd
from hccd.errors import DataWarning, InvalidDataError, InvalidParameterError
from hccd.independence import with_gaps


def chain(n_rows=400, rate=0.15, seed=0, kinds=False):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n_rows)
    b = a + rng.normal(size=n_rows)
    c = b + rng.normal(size=n_rows)
    frame = pd.DataFrame({"a": a, "b": b, "c": c, "d": rng.normal(size=n_rows)})
    if kinds:
        frame["e"] = np.where(frame["c"] + rng.normal(size=n_rows) > 0, "yes", "no")
        frame["f"] = rng.integers(0, 3, n_rows)
    return frame.mask(pd.DataFrame(rng.random(frame.shape) < rate, columns=frame.columns))


def quietly(*arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return hccd.discover(*arguments, **options)


def adjacent(result):
    return {frozenset(edge[:2]) for edge in result.edges()}


def strengths(result):
    pairs = result.graph.skeleton().edges.tolist()
    return {frozenset(result.names[i] for i in pair): value for pair, value in zip(pairs, result.strength, strict=True)}


CHAIN = {frozenset("ab"), frozenset("bc")}


@pytest.mark.parametrize("missing", ["auto", "em", "testwise", "impute", "rows"])
@pytest.mark.parametrize("kinds", [False, True])
def test_every_way_finds_the_chain(missing, kinds):
    data = chain(kinds=kinds)
    result = quietly(data, missing=missing)
    assert "missing values in" in result.warnings[0]
    assert adjacent(result) == CHAIN | ({frozenset("ce")} if kinds else set())
    assert result.parameters["missing"] == ("em" if missing == "auto" else missing)
    assert result.parameters["test"]["name"] == ("dg" if kinds else "fisher-z")
    assert "a" in str(result.explain("a", "c"))


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
def test_a_skeleton_and_discrete_columns():
    assert hccd.learn_skeleton(chain(), missing="em").parameters["missing"] == "em"
    rng = np.random.default_rng(3)
    a = rng.integers(0, 3, 900)
    b = np.where(rng.random(900) < 0.6, a, rng.integers(0, 3, 900))
    data = pd.DataFrame({"a": a, "b": b, "c": rng.choice(["x", "y"], 900)}, dtype=object)
    result = hccd.discover(data.mask(rng.random(data.shape) < 0.2))
    assert adjacent(result) == {frozenset("ab")}
    assert result.parameters["missing"] == "testwise" and result.parameters["test"]["name"] == "g"
    with pytest.raises(InvalidParameterError, match="'em', which is for continuous and mixed columns"):
        hccd.discover(data.mask(rng.random(data.shape) < 0.2), missing="em")


def test_rows_are_those_without_gaps():
    data = chain()
    left_out, dropped = quietly(data, missing="rows"), quietly(data.dropna())
    assert left_out.edges() == dropped.edges()
    assert left_out.parameters["n_samples"] == len(data.dropna())
    assert f"{len(data) - len(data.dropna())} of 400 rows have missing values and are left out" in left_out.warnings[0]


def test_without_gaps_nothing_changes():
    data = chain(rate=0.0)
    plain = quietly(data)
    assert "missing" not in plain.parameters
    for missing in ("em", "testwise", "rows", "refuse"):
        other = quietly(data, missing=missing)
        assert {**other.to_dict(), "seconds": 0} == {**plain.to_dict(), "seconds": 0}


@pytest.mark.parametrize("missing", ["em", "testwise", "impute"])
def test_the_order_of_the_columns_decides_nothing(missing):
    data = chain(kinds=True, rate=0.3)
    one, two = quietly(data, missing=missing), quietly(data[data.columns[::-1]], missing=missing)
    assert adjacent(one) == adjacent(two)
    assert strengths(one) == strengths(two)
    assert {edge for edge in one.edges() if edge[2] == "directed"} == {
        edge for edge in two.edges() if edge[2] == "directed"
    }


def test_kinds_are_told_by_what_is_observed():
    rng = np.random.default_rng(1)
    data = pd.DataFrame(
        {"few": rng.integers(0, 3, 200), "two": rng.integers(0, 2, 200) * 1.5, "x": rng.normal(size=200)}
    )
    data = data.astype(float).mask(rng.random(data.shape) < 0.3)
    table = hccd.tables.as_table(data.assign(text=np.where(rng.random(200) < 0.2, None, "a")))
    assert [kind.value for kind in table.kinds] == ["discrete", "discrete", "continuous", "discrete"]
    assert table.whole.tolist() == [True, False, False, False]


def test_what_is_said():
    data = chain(rate=0.1)
    data.loc[:199, "d"] = np.nan
    data.loc[200:, "a"] = np.nan
    first, apart = (finding.sentence for finding in hccd.check_data(data).findings if finding.kind == "missing")
    assert first.startswith(
        f"the data have {data['d'].isna().sum()} missing values in 'd', {data['a'].isna().sum()} in 'a'"
    )
    assert (
        "covariances are estimated from all rows by EM" in first
        and "'a' and 'd' are observed together in the fewest rows, 0" in first
    )
    assert apart.startswith("1 pair of columns is never observed together ('a' with 'd')")
    assert frozenset("ad") not in adjacent(quietly(data))


def test_empty_columns_are_left_out():
    with pytest.warns(DataWarning, match="column 'nothing' holds no value and is left out"):
        assert hccd.discover(chain(rate=0.0).assign(nothing=np.nan)).names == ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("options", "error", "phrase"),
    [
        ({"missing": "refuse"}, InvalidDataError, "missing 'rows' drops"),
        ({"missing": "mice"}, InvalidParameterError, "missing is 'mice'; choose one of auto, testwise, em, impute"),
        ({"missing": "em", "test": "regression"}, InvalidParameterError, "missing is 'em', .* choose 'testwise'"),
        ({"missing": "impute", "discrete": "a:d"}, InvalidParameterError, "missing is 'impute', .* choose 'testwise'"),
        ({"test": lambda data, x, y, given: 0.5}, InvalidDataError, "a test of your own gets the columns unchanged"),
        ({"transform": "ranks"}, InvalidParameterError, "which is for tables without missing values"),
    ],
)
def test_what_is_refused(options, error, phrase):
    data = chain().round() if "discrete" in options else chain()
    with pytest.raises(error, match=phrase):
        hccd.discover(data, **options)


@pytest.mark.parametrize("missing", ["em", "testwise", "impute"])
@pytest.mark.parametrize("kinds", [False, True])
def test_weights_and_gaps(missing, kinds):
    data = chain(kinds=kinds)
    counts = np.random.default_rng(1).integers(1, 4, len(data))
    one = quietly(data, missing=missing, weights=counts, bootstrap="none")
    other = quietly(data.loc[data.index.repeat(counts)], missing=missing, bootstrap="none")
    assert adjacent(one) >= CHAIN
    if missing == "impute":
        # Cells of equal rows are drawn apart.
        return
    assert one.edges() == other.edges()
    np.testing.assert_allclose(one.strength, other.strength, rtol=1e-6)
    scaled = [quietly(data, missing=missing, weights=scale * (counts + 0.5), bootstrap="none") for scale in (1, 1e-3)]
    assert scaled[0].edges() == scaled[1].edges()


def test_rows_that_remain_have_kishs_size():
    data = chain()
    weights = np.random.default_rng(1).gamma(2.0, size=len(data))
    own = weights[data.notna().all(axis=1)]
    result = quietly(data, missing="rows", weights=weights, bootstrap="none")
    assert result.parameters["n_samples"] == pytest.approx(own.sum() ** 2 / (own**2).sum(), abs=1e-3)


@pytest.mark.parametrize("missing", ["auto", "testwise"])
def test_the_test_by_regression_takes_the_rows_that_are_complete(missing):
    data = chain(kinds=True)
    result = quietly(data, test="regression", missing=missing)
    assert adjacent(result) == CHAIN | {frozenset("ce")}
    assert result.parameters["missing"] == "testwise"
    complete = data[["a", "e", "b"]].dropna()
    expected = hccd.RegressionTest(0.01).bind(complete).test(0, 1, [2]).p_value
    columns = hccd.tables.mixed_columns(hccd.tables.as_table(data))
    found = with_gaps.Testwise(hccd.RegressionTest(0.01), columns).test(0, 4, [1]).p_value
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("missing", ["auto", "testwise", "impute"])
def test_curves_and_gaps(missing):
    rng = np.random.default_rng(2)
    x = rng.normal(size=600)
    y = x**2 + 0.5 * rng.normal(size=600)
    z = y**2 / 4 + 0.5 * rng.normal(size=600)
    data = pd.DataFrame({"x": x, "y": y, "z": z, "noise": rng.normal(size=600)})
    data = data.mask(pd.DataFrame(rng.random(data.shape) < 0.1, columns=data.columns))
    result = quietly(data, missing=missing, transform="curves", bootstrap="none")
    assert adjacent(result) >= {frozenset("xy"), frozenset("yz")}
    assert not any("noise" in pair for pair in adjacent(result))
    if missing == "auto":
        assert adjacent(quietly(data, bootstrap="none")) == adjacent(result)
        assert frozenset("xy") not in adjacent(quietly(data, transform="none", bootstrap="none"))


@pytest.mark.parametrize("transform", ["auto", "none", "trim", "trim-cells", "normal-scores", "log"])
def test_transforms_take_gaps(transform):
    shaped = np.exp if transform in ("normal-scores", "log") else np.asarray
    result, complete = (
        quietly(pd.DataFrame(shaped(chain(rate=rate)), columns=list("abcd")), transform=transform)
        for rate in (0.1, 0.0)
    )
    assert adjacent(result) == adjacent(complete) == CHAIN
    assert result.parameters["transform"] == complete.parameters["transform"]
