"""What a user can say about the columns and rows of a table; pandas is the independent reader."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_files import ODDLY_NAMED, column

import hccd
from hccd.errors import DataWarning, InvalidDataError, InvalidParameterError, NotEnoughDataError
from hccd.tables import Kind, as_raw_table, as_table, read_table
from hccd.tables.bins import equal_frequency
from hccd.tables.selection import selected

D, C = Kind.DISCRETE, Kind.CONTINUOUS
N = 24
# Which columns are meant.


def test_columns_by_name_list_and_range():
    names = ["a", "b", "c", "d", "a,c", "b:d", " e ", "7", '"']
    assert selected(names, ["c", "a"], "drop") == [0, 2]
    assert selected(names, ["a,b"], "drop") == [0, 1]
    assert selected(names, ["a,c"], "drop") == [4]
    assert selected(names, ["b:d"], "drop") == [5]
    assert selected(names, ["a:c"], "drop") == [0, 1, 2]
    assert selected(names, ["a:c,7"], "drop") == [0, 1, 2, 7]
    assert selected(names, ["a, b"], "drop") == [0, 1]
    assert selected(names, ['"a,c",d'], "drop") == [3, 4]
    assert selected(names, "a", "drop") == [0]
    assert selected(names, [7, 0], "drop") == [0, 7]
    assert selected(names, ['"'], "drop") == [8]
    assert selected(names, [], "drop") == []


@pytest.mark.parametrize("item", ["z", "a,z", "c:a", "a:z", "", ",", 99, -1, "A"])
def test_what_names_no_column_is_refused(item):
    with pytest.raises(InvalidDataError, match=r"there is no column '.*' to drop: the columns are 'a', 'b' and 'c'"):
        selected(["a", "b", "c"], [item], "drop")


@given(st.lists(st.text(max_size=5), min_size=1, max_size=6, unique=True), st.data())
def test_every_name_whatever_it_holds_means_its_column(names, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(names))), unique=True))
    assert selected(names, [names[i] for i in chosen], "drop") == sorted(chosen)


# Kinds.


def test_kinds_as_declared(put):
    path = put(ODDLY_NAMED.to_csv(index=False))
    guessed = read_table(path)
    assert guessed.kinds == (C, C, C, D, D)
    said = read_table(path, drop=["a,b"], continuous=["grade"], discrete=["id"])
    assert said.names == ("id", "grade", "dose", "x:y") and said.kinds == (D, C, C, D)
    assert said.nominal == {0}
    in_memory = as_table(ODDLY_NAMED.drop(columns="a,b"), continuous="grade", discrete="id")
    assert in_memory.kinds == said.kinds and in_memory.nominal == said.nominal
    again = as_table(as_table(ODDLY_NAMED.drop(columns="a,b")), continuous="grade", discrete="id")
    assert again.kinds == said.kinds


def test_kinds_that_cannot_be(put):
    path = put(ODDLY_NAMED.to_csv(index=False))
    with pytest.raises(InvalidDataError, match=r"'a,b' holds text \('s0', 's1'\) and cannot be continuous"):
        read_table(path, continuous=["a,b"])
    with pytest.raises(InvalidDataError, match="'grade' cannot be both discrete and continuous"):
        read_table(path, continuous=["grade"], discrete=["id:dose"])
    with pytest.raises(InvalidDataError, match="no column 'z' to take as discrete"):
        as_table(ODDLY_NAMED, discrete=["z"])


def test_declared_states_are_not_taken_as_numbers():
    rng = np.random.default_rng(1)
    data = {"zip": rng.integers(0, 4, 200), "x": rng.normal(size=200), "y": rng.normal(size=200)}
    with pytest.warns(DataWarning, match="'zip' holds few distinct whole numbers and is treated as unordered states"):
        assert hccd.discover(data).parameters["test"]["name"] == "dg"
    assert hccd.discover(data, discrete=["zip"]).parameters["test"]["name"] == "dg"
    assert hccd.discover(data, continuous=["zip"]).parameters["test"]["name"] == "fisher-z"
    assert hccd.discover(data, discrete=["zip"], test="fisher-z").parameters["test"]["name"] == "fisher-z"
    few = {name: rng.integers(0, 4, 200) for name in "abc"}
    assert hccd.discover(few).parameters["test"]["name"] == "g"
    assert hccd.learn_skeleton(few, continuous=["a"], discrete="b:c").parameters["test"]["name"] == "dg"
    assert hccd.learn_skeleton(few, ordinal="a:c").parameters["test"]["name"] == "dg"
    assert hccd.HCCD(continuous="a:c").fit(few).result_.parameters["test"]["name"] == "fisher-z"
    oracle = hccd.Oracle(hccd.PDAG(np.zeros((3, 3), np.int8)))
    with pytest.raises(InvalidParameterError, match="ordinal and discretize cannot be set any more"):
        hccd.discover(oracle.bind(), discrete=["X1"])


def test_dates_may_be_declared_states(put):
    days = [f"2024-01-{1 + i % 3:02d}" for i in range(N)]
    table = column(put, days, discrete=["v"])
    assert set(table.texts[0].states) == set(days)
    frame = pl.DataFrame({"v": days, "w": list(range(N))}).with_columns(pl.col("v").str.to_date())
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    assert set(read_table(put(buffer.getvalue()), discrete="v").texts[0].states) == set(days)


# Index.


def test_an_index_is_left_out_and_repeated_labels_are_told(put):
    path = put(ODDLY_NAMED.to_csv(index=False))
    assert read_table(path, index="id").names == ("grade", "dose", "a,b", "x:y")
    assert read_table(path, index="id").notes == ()
    assert read_table(path, index="a,b").notes == (
        "22 rows of 24 repeat a label of the index column 'a,b': rows that belong together are not independent",
    )
    assert read_table(path, index=["a,b", "id"]).notes == ()


# Missing values.

GAPS = pd.DataFrame(
    {
        "i": pd.array([1, None, 3] * 8, dtype="Int64"),
        "f": np.where(np.arange(N) == 5, np.nan, np.arange(N) / 7),
        "t": ["a", "b"] * 11 + [None, "a"],
        "b": pd.array([True, False] * 11 + [True, None], dtype="boolean"),
        "c": pd.Categorical(["u", None, "v"] * 8),
        "whole": range(N),
    }
)
FROM = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "pyarrow": pa.Table.from_pandas,
    "dictionary": lambda frame: {name: frame[name].tolist() for name in frame},
}


@pytest.mark.parametrize("library", FROM)
def test_rows_with_gaps_are_those_that_pandas_drops(library):
    expected = GAPS.dropna()
    raw = as_raw_table(FROM[library](GAPS)).without_gaps("rows")
    assert raw.notes == (f"{N - len(expected)} of 24 rows have missing values and are left out",)
    table = raw.table()
    for name, values in zip(table.names, table.columns, strict=True):
        assert values.tolist() == expected[name].tolist()
    left = as_raw_table(FROM[library](GAPS.assign(more=range(N)))).without_gaps("columns")
    assert left.names == ("whole", "more")


def test_columns_with_gaps(put):
    text = GAPS.assign(more=np.arange(N) % 2).to_csv(index=False)
    table = read_table(put(text), drop_missing="columns")
    assert table.names == ("whole", "more")
    assert table.notes == ("columns 'i', 'f', 't', 'b' and 'c' have missing values and are left out",)
    with pytest.raises(NotEnoughDataError, match=r"too few are left \(1 of 6\): drop the rows instead"):
        read_table(put(GAPS.to_csv(index=False)), drop_missing="columns")


def test_what_dropping_costs_is_said(put):
    path = put(GAPS.to_csv(index=False))
    with pytest.raises(InvalidDataError) as caught:
        read_table(path).refuse_gaps()
    lost = N - len(GAPS.dropna())
    assert caught.value.sentence.endswith(
        f"remove or impute them, or choose how to handle them: missing 'rows' drops {lost} of 24 rows, "
        "dropping these columns loses 5 of 6 columns"
    )
    assert read_table(path, drop_missing="rows").n_rows == N - lost
    few = GAPS.assign(f=np.where(np.arange(N) < 15, np.nan, 1.0))
    with pytest.raises(
        NotEnoughDataError, match=r"too few are left \(\d of 24\): drop the columns with most missing values"
    ):
        read_table(put(few.to_csv(index=False)), drop_missing="rows")
    with pytest.raises(InvalidParameterError, match="drop_missing is 'cells'; choose 'rows' or 'columns'"):
        read_table(path, drop_missing="cells")


def test_without_gaps_nothing_is_dropped(put):
    path = put(ODDLY_NAMED.to_csv(index=False))
    for what in ("rows", "columns"):
        table = read_table(path, drop_missing=what)
        assert table.n_rows == N and table.names == tuple(ODDLY_NAMED) and table.notes == ()


@pytest.mark.parametrize(
    "cells", [["1", "2", "-999"], ["1.5", "2", "-999.0"], ["m", "f", "-999"], ["true", "false", "-999"]]
)
def test_marks_of_missing_values(put, cells):
    with pytest.raises(InvalidDataError, match="8 missing values in 'v'"):
        column(put, cells * 8, na=["-999"]).refuse_gaps()
    left = column(put, cells * 8, na=["-999"], drop_missing="rows")
    assert left.n_rows == 16 and len(set(left.columns[0].tolist())) == 2
    assert column(put, cells * 8).n_rows == N


def test_marks_in_text_and_in_parquet(put):
    with pytest.raises(InvalidDataError, match="8 missing values in 'v'"):
        column(put, ["m", "f", "NA"] * 8, na="NA").refuse_gaps()
    buffer = io.BytesIO()
    pl.DataFrame({"n": [1, 2, -9] * 12, "t": ["a", "?", "b"] * 12, "w": range(36)}).write_parquet(buffer)
    table = read_table(put(buffer.getvalue()), na=["-9", "?"], drop_missing="rows")
    assert table.n_rows == 12 and set(table.columns[0].tolist()) == {1} and set(table.columns[1].tolist()) == {"a"}


# Classes.


@settings(deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=20, max_size=60, unique=True), st.integers(2, 10))
def test_classes_of_different_numbers_are_of_equal_size_and_in_order(values, n_bins):
    classes = equal_frequency(values, n_bins)
    sizes = np.bincount(classes, minlength=n_bins)
    assert sizes.max() - sizes.min() <= 1 and len(sizes) == n_bins
    assert (np.diff(classes[np.argsort(values)]) >= 0).all()


@settings(deadline=None)
@given(st.lists(st.integers(0, 6), min_size=10, max_size=60), st.integers(2, 8))
def test_equal_numbers_share_a_class_and_no_class_is_empty(values, n_bins):
    classes = equal_frequency(values, n_bins)
    assert all(len({c for v, c in zip(values, classes.tolist(), strict=True) if v == one}) == 1 for one in set(values))
    assert set(classes.tolist()) == set(range(classes.max() + 1)) and classes.max() < n_bins


def test_discretize_a_mixed_table(put):
    path = put(ODDLY_NAMED.to_csv(index=False))
    with pytest.warns(
        DataWarning, match="column 'grade' holds few distinct whole numbers and is treated as continuous"
    ):
        assert hccd.discover(read_table(path, drop="id")).parameters["test"]["name"] == "dg"
    table = read_table(path, drop="id", discretize={"dose": 4})
    assert table.kinds == (D,) * 4
    expected = pd.qcut(ODDLY_NAMED["dose"], 4, labels=False)
    assert table.columns[1].tolist() == expected.tolist()
    assert hccd.discover(table).parameters["test"]["name"] == "g"
    everything = read_table(path, discretize=3)
    assert everything.kinds == (D,) * 5 and everything.codes().cardinalities.tolist() == [3, 3, 3, 2, 2]


def test_classes_that_cannot_be(put):
    path = put(ODDLY_NAMED.to_csv(index=False))
    with pytest.raises(InvalidDataError, match="'a,b' holds text, which has its states already"):
        read_table(path, discretize={"a,b": 3})
    with pytest.raises(InvalidParameterError, match="'dose' is to have 13 classes; give a number from 2 to 12"):
        read_table(path, discretize={"dose": 13})
    with pytest.raises(InvalidParameterError, match="'dose' is to have 1 class; give"):
        read_table(path, discretize={"dose": 1})
    with pytest.raises(InvalidDataError, match="no column 'z' to discretize"):
        read_table(path, discretize={"z": 3})
    equal = column(put, ["0.5"] * 20 + ["1.5", "2.5", "3.5", "4.5"], discretize={"v": 4})
    assert equal.notes == ("column 'v' gives 2 classes instead of 4, since many of its values are equal",)
