"""What is found about data before learning; each finding is compared with its definition, computed another way."""

import datetime
import json
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hccd
from hccd.errors import DataWarning, InvalidDataError, InvalidParameterError
from hccd.tables import read_raw_table

N = 300


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def measured(rng, *names):
    return {name: rng.normal(size=N) for name in names}


def found(check, kind):
    return [finding for finding in check.findings if finding.kind == kind]


def test_unsuspicious_data(rng):
    check = hccd.check_data(measured(rng, "a", "b", "c"))
    assert check.ok and check.findings == () and check.test == "fisher-z"
    assert check.why == "all 3 columns are continuous: Fisher z test, alpha 0.01"
    assert check.understood == "3 continuous (numbers with fractions)"
    assert [(c.name, c.kind, c.states, c.missing) for c in check.columns] == [(n, "continuous", None, 0) for n in "abc"]
    assert "nothing suspicious" in str(check)


def test_columns_that_are_left_out_are_not_counted(rng):
    check = hccd.check_data(measured(rng, "a", "b") | {"id": [f"P{i}" for i in range(N)]})
    assert ("columns", "2: 2 continuous (numbers with fractions)") in check.rows() and check.n_columns == 3


def test_constants_copies_and_exact_relations_are_those_that_learning_warns_of(rng):
    data = measured(rng, "a", "b", "c")
    data |= {"one": np.ones(N), "copy": data["a"], "sum": data["b"] - 2 * data["c"]}
    check = hccd.check_data(data)
    assert [finding.columns for finding in found(check, "constant")] == [("one",)]
    assert [finding.columns for finding in found(check, "duplicate")] == [("a", "copy")]
    assert [finding.columns for finding in found(check, "collinear")] == [("sum", "b", "c")]
    assert not found(check, "near-collinear")
    with pytest.warns(DataWarning) as warned:
        hccd.discover(data)
    assert [str(w.message) for w in warned] == [finding.sentence for finding in check.of("warning")]


@pytest.mark.parametrize("noise", [0.01, 0.05, 0.08, 0.2, 0.5])
def test_near_relations_are_those_with_little_variance_left(rng, noise):
    data = measured(rng, "a", "b", "c", "d")
    data["mix"] = data["a"] + data["b"] + noise * rng.normal(size=N)
    others = np.column_stack([np.ones(N), *(data[name] for name in "abcd")])
    residual = data["mix"] - others @ np.linalg.lstsq(others, data["mix"], rcond=None)[0]
    explained = 1 - residual.var() / data["mix"].var()
    near = found(hccd.check_data(data), "near-collinear")
    if explained < 0.985:
        assert not near
    elif explained > 0.995:
        assert len(near) == 1 and set(near[0].columns) == {"a", "b", "mix"} and near[0].severity == "warning"


def test_a_near_copy_is_named_once(rng):
    data = measured(rng, "a", "b")
    data["a2"] = data["a"] + 0.001 * rng.normal(size=N)
    (near,) = found(hccd.check_data(data), "near-collinear")
    assert set(near.columns) == {"a", "a2"}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_one_column_determines_another_exactly_if_grouping_says_so(seed):
    rng = np.random.default_rng(seed)
    fine = rng.integers(0, 6, 120)
    frame = pd.DataFrame({"fine": fine, "coarse": fine // 2, "other": rng.integers(0, 3, 120)})
    frame["nearly"] = np.where(np.arange(120) == 3, 1 - frame["coarse"] // 2, frame["coarse"] // 2)
    expected = {
        (x, y)
        for x in frame
        for y in frame
        if x != y and (frame.groupby(x)[y].nunique() == 1).all() and frame[y].value_counts().iloc[1:].sum() >= 5
    }
    check = hccd.check_data(frame, estimate=False)
    assert {(f.columns[0], y) for f in found(check, "determined") for y in f.columns[1:]} == expected


def test_identifiers(rng):
    data = {
        "row": np.arange(1, N + 1),
        "shuffled": rng.permutation(N) + 1000,
        "rising": np.cumsum(rng.integers(1, 50, N)),
        "count": rng.poisson(500, N),
        "x": rng.normal(size=N),
        "flag": np.arange(N) % 2,
    }
    check = hccd.check_data(data)
    assert {finding.columns[0] for finding in found(check, "identifier")} == {"shuffled", "rising"}
    (left_out,) = found(check, "left-out")
    assert left_out.sentence.startswith("column 'row' numbers the rows and is left out")
    kept = hccd.check_data(data, continuous=["row"])
    assert "row" in {finding.columns[0] for finding in found(kept, "identifier")} and not found(kept, "left-out")
    words = {"name": [f"n{i}" for i in range(N)], "g": ["u", "v"] * (N // 2), "h": ["u", "v", "w"] * (N // 3)}
    (left_out,) = found(hccd.check_data(words), "left-out")
    assert left_out.sentence.startswith("column 'name' holds free text or identifiers")
    assert [finding.columns for finding in found(hccd.check_data(words, test="g"), "identifier")] == [("name",)]


@pytest.mark.parametrize("clock", ["year", "year and quarter", "date", "none"])
@pytest.mark.parametrize("series", [True, False])
def test_rows_in_the_order_of_time(rng, clock, series):
    steps = rng.normal(size=(N, 3))
    data = dict(zip("abc", np.cumsum(steps, axis=0).T if series else steps.T, strict=True))
    data |= {
        "year": {"year": 1700 + np.arange(N)},
        "year and quarter": {"year": 1950 + np.arange(N) // 4, "quarter": np.arange(N) % 4 + 1},
        "date": {"day": np.datetime64("2020-01-01") + np.arange(N)},
        "none": {},
    }[clock]
    check = hccd.check_data(data)
    assert len(found(check, "time-order")) == series
    if series and clock == "none":
        assert found(check, "time-order")[0].columns == ("a", "b", "c")
    if series and clock == "year and quarter":
        assert found(check, "time-order")[0].columns == ("year", "quarter")
    assert not (found(check, "identifier") if series else ())


def test_a_table_that_is_sorted_by_a_class_is_not_in_the_order_of_time(rng):
    kind = np.repeat([0, 1, 2], N // 3)
    data = {
        "kind": kind,
        "score": np.tile(np.arange(N // 3), 3)[: len(kind)],
        "x": kind + 0.1 * rng.normal(size=len(kind)),
    }
    assert not found(hccd.check_data(data), "time-order")


def test_an_identifier_beside_numbers_is_left_out(rng):
    data = {
        "name": [f"n{i}" for i in range(N)],
        "same": np.ones(N) / 3,
        "x": rng.normal(size=N),
        "y": rng.normal(size=N),
    }
    check = hccd.check_data(data)
    sentence = "column 'name' holds free text or identifiers (more than 100 states) and is left out"
    assert check.ok and check.test == "fisher-z"
    assert [finding.sentence for finding in found(check, "left-out")] == [sentence]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        result = hccd.discover(data)
    assert result.names == ("same", "x", "y") and sentence in result.warnings
    assert [finding.columns for finding in found(check, "constant")] == [("same",)]


def test_rows_and_states(rng):
    check = hccd.check_data(rng.normal(size=(20, 30)))
    assert found(check, "rows") and not found(check, "wide")
    check = hccd.check_data(rng.normal(size=(250, 250)), estimate=False)
    assert found(check, "wide") and not found(check, "rows")
    few = hccd.check_data({name: rng.integers(0, 5, 60) for name in "abcd"})
    (rows,) = found(few, "rows")
    assert (
        rows.severity == "warning"
        and "60 rows for columns with typically 5.0 states, 2.4 for each cell" in rows.sentence
    )
    # 5 rows for each of 2 ** (k + 2) cells are there up to k = 4.
    many = hccd.check_data({name: rng.integers(0, 2, 321) for name in "abcd"})
    (rows,) = found(many, "rows")
    assert rows.severity == "note" and "up to 4 columns" in rows.sentence
    zip_code = {
        "zip": [f"z{i % 60}" for i in rng.integers(0, 60, 400)],
        "a": ["x", "y"] * 200,
        "b": ["u", "v", "w", "t"] * 100,
    }
    (states,) = found(hccd.check_data(zip_code), "states")
    assert states.columns == ("zip",)


def test_missing_values_are_counted_and_the_rest_is_looked_at(rng):
    data = pd.DataFrame(measured(rng, "a", "b", "c")).assign(one=1.0)
    data.loc[:9, "a"] = np.nan
    data.loc[5:14, "b"] = np.nan
    check = hccd.check_data(data, missing="refuse")
    assert [(c.name, c.missing) for c in check.columns] == [("a", 10), ("b", 10), ("c", 0), ("one", 0)]
    (missing,) = found(check, "missing")
    assert missing.severity == "error" and missing.columns == ("a", "b")
    assert f"missing 'rows' drops 15 of {N} rows" in missing.sentence
    assert found(check, "constant") and check.estimate is None
    check = hccd.check_data(data)
    (missing,) = found(check, "missing")
    assert missing.severity == "warning" and missing.columns == ("a", "b")
    assert missing.sentence.startswith("the data have 10 missing values in 'a' and 10 in 'b', 1.7 % of all cells")
    assert "'a' and 'b' are observed together in the fewest rows, 285" in missing.sentence
    assert found(check, "constant") and check.test == "fisher-z" and check.estimate is not None


def test_every_kind_of_flaw_is_listed(rng):
    data = measured(rng, "a", "b", "gap", "inf")
    data["gap"][0], data["inf"][0] = np.nan, np.inf
    frame = pd.DataFrame(data).assign(day=datetime.date(2024, 1, 1), list=[[1]] * N)
    check = hccd.check_data(frame)
    assert [(finding.kind, finding.columns) for finding in check.of("error")] == [
        ("nested", ("list",)), ("infinite", ("inf",)),
    ]  # fmt: skip
    with pytest.raises(InvalidDataError) as refused:
        hccd.discover(frame)
    assert str(refused.value).startswith(f"there are 2 problems to fix:\n- {check.of('error')[0].sentence}\n- ")
    with pytest.raises(InvalidDataError, match="holds lists"):
        check.raise_if_refused()


CELLS = st.one_of(
    st.sampled_from([None, float("nan"), float("inf"), "a", "b", "2024-01-01", True]),
    st.integers(-3, 3),
    st.floats(-5, 5),
)


@settings(max_examples=120, deadline=None)
@given(st.integers(1, 4), st.integers(8, 30), st.data())
@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
def test_a_check_is_ok_exactly_if_learning_is_not_refused(n_columns, n_rows, data):
    columns = {}
    for i in range(n_columns):
        pool = data.draw(st.lists(CELLS, min_size=1, max_size=4))
        columns[f"v{i}"] = data.draw(st.lists(st.sampled_from(pool), min_size=n_rows, max_size=n_rows))
    check = hccd.check_data(columns)
    try:
        hccd.discover(columns)
    except InvalidDataError as refusal:
        assert not check.ok
        said = refusal.sentence.splitlines()
        said = said if len(said) == 1 else [line.removeprefix("- ") for line in said[1:]]
        errors = [finding.sentence for finding in check.of("error")]
        assert all(sentence.startswith(line) for sentence, line in zip(errors, said, strict=True))
    else:
        assert check.ok
    json.dumps(check.to_dict(), allow_nan=False)
    assert "\n" not in "".join(text for _, text in check.rows())


def test_the_order_of_the_columns_decides_nothing(rng):
    data = measured(rng, *"abcdef")
    data |= {"mix": data["a"] + data["b"] + 0.01 * rng.normal(size=N), "id": np.arange(N), "copy": data["c"]}
    one = hccd.check_data(data)
    names = list(data)
    two = hccd.check_data({name: data[name] for name in reversed(names)})
    assert {(f.kind, frozenset(f.columns)) for f in one.findings} == {
        (f.kind, frozenset(f.columns)) for f in two.findings
    }
    assert one.estimate.by_order == two.estimate.by_order


def test_columns_by_their_word_and_files(tmp_path, rng):
    path = tmp_path / "data.csv"
    pd.DataFrame({"k": rng.integers(0, 3, N), "l": rng.integers(0, 3, N)}).to_csv(path, index=False)
    assert hccd.check_data(path).test == "g"
    assert hccd.check_data(str(path), continuous="k").test == "dg"
    assert hccd.check_data(str(path), continuous="k:l").test == "fisher-z"
    assert hccd.check_data(read_raw_table(path), preset="paper").test == "mi"
    assert hccd.check_data(path, test="chi2", alpha=0.2).why == "as requested: chi-square test, alpha 0.2"
    with pytest.raises(InvalidParameterError, match="alpha is 7"):
        hccd.check_data(path, alpha=7)
    with pytest.raises(InvalidParameterError, match="method is 'ges'"):
        hccd.check_data(path, method="ges")


def test_a_test_of_ones_own_has_no_estimate(rng):
    check = hccd.check_data(measured(rng, "a", "b"), test=lambda data, x, y, given: 0.5)
    assert check.ok and check.estimate is None and check.test is not None


def test_dates_say_the_order_of_rows_only_if_they_never_go_back(rng):
    walks = pd.DataFrame({name: rng.normal(size=N).cumsum() for name in "ab"})
    days = pd.date_range("2024-01-01", periods=N)
    dated = "the rows are in the order of dates"

    def in_order(data):
        return [finding.sentence.startswith(dated) for finding in found(hccd.check_data(data), "time-order")]

    assert in_order(walks.assign(day=days)) == [True]
    assert in_order(walks.assign(day=rng.permutation(days))) == [False]
    # Another column that is left out is no date.
    assert in_order(walks.assign(nothing=np.nan)) == [False]
