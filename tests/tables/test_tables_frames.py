"""The same data give the same table, whatever holds them."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from hccd.errors import InvalidDataError
from hccd.tables import Kind, as_table, column_keys

HOSTILE = ["a'b", 'say "hi"', "x, y; z", "😀", "n" * 200, " leading", "trailing ", "", "a\nb", "Ünïcödé"]


def same(one, two):
    assert one.names == two.names and one.kinds == two.kinds
    for left, right in zip(one.columns, two.columns, strict=True):
        assert left.dtype == right.dtype
        assert left.tolist() == right.tolist()


def refusal(data, names=None):
    with pytest.raises(InvalidDataError) as caught:
        as_table(data, names).refuse_gaps()
    return str(caught.value)


CONTENT = {
    "whole": list(range(12)),
    "real": [i / 7 for i in range(12)],
    "text": ["b", "a", "ä"] * 4,
    "truth": [True, False, False] * 4,
    "few": [3, 1, 2] * 4,
}
EAGER = {
    "pandas": pd.DataFrame,
    "pandas indexed": lambda c: pd.DataFrame(c, index=[f"r{i}" for i in range(12)]),
    "pandas nullable": lambda c: pd.DataFrame(c).convert_dtypes(),
    "pandas arrow": lambda c: pd.DataFrame(c).convert_dtypes(dtype_backend="pyarrow"),
    "pandas objects": lambda c: pd.DataFrame(c).astype(object),
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "pyarrow chunked": lambda c: pa.concat_tables([pa.table(c).slice(0, 5), pa.table(c).slice(5)]),
    "arrays": lambda c: {name: np.array(values) for name, values in c.items()},
    "series": lambda c: {name: pd.Series(values) for name, values in c.items()},
    "records": lambda c: np.rec.fromarrays([np.array(v) for v in c.values()], names=list(c)),
}


@pytest.mark.parametrize("container", EAGER)
def test_every_container_gives_the_same_table(container):
    same(as_table(EAGER[container](CONTENT)), as_table(CONTENT))


def test_lists_of_rows_and_arrays_of_objects():
    rows = list(zip(*CONTENT.values(), strict=True))
    expected = as_table(CONTENT)
    for data in (rows, [list(row) for row in rows], np.array(rows, dtype=object)):
        same(as_table(data, names=list(CONTENT)), expected)
    assert as_table(rows).names == ("X1", "X2", "X3", "X4", "X5")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.floats(-1e6, 1e6), min_size=12, max_size=12), min_size=2, max_size=5))
def test_numbers_survive_every_container_bit_for_bit(columns):
    content = {f"X{i + 1}": column for i, column in enumerate(columns)}
    array = np.array(columns).T
    expected = as_table(content)
    for data in (
        pd.DataFrame(content),
        pl.DataFrame(content),
        pa.table(content),
        array,
        np.asfortranarray(array),
    ):
        table = as_table(data)
        same(table, expected)
        assert column_keys(table.numbers()) == column_keys(expected.numbers())


@pytest.mark.parametrize(
    "dtype",
    [np.int8, np.uint16, np.int64, np.uint64, np.float16, np.float32, np.float64, np.longdouble, bool],
)
def test_every_numeric_dtype(dtype):
    array = np.tile(np.array([[0, 1], [1, 1]], dtype=dtype), (10, 1))
    table = as_table(array)
    assert table.kinds == (Kind.DISCRETE, Kind.DISCRETE)
    assert table.continuous()[:2].tolist() == [[0, 1], [1, 1]]
    assert table.codes().states == ((0, 1), (1,))


def test_arrays_of_text():
    for array in (np.array([["a", "b"]] * 10), np.array([["a", "b"]] * 10, dtype=object)):
        assert as_table(array).codes().states == (("a",), ("b",))
    assert as_table(np.array([["1", "2"]] * 10)).kinds == (Kind.DISCRETE, Kind.DISCRETE)


def test_matrices_count_as_arrays():
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.matrix(np.ones((10, 2)))
    assert as_table(matrix).n_columns == 2


@pytest.mark.parametrize("container", ["pandas", "polars", "pyarrow"])
def test_hostile_names_come_through(container):
    content = {name: [i / 3 for i in range(12)] for name in HOSTILE}
    assert as_table(EAGER[container](content)).names == tuple(HOSTILE)


def test_categories_of_every_library():
    frames = [
        pd.DataFrame({c: pd.Categorical(["b", "a"] * 6) for c in "vw"}),
        pl.DataFrame({c: pl.Series(["b", "a"] * 6, dtype=pl.Categorical) for c in "vw"}),
        pa.table({c: pa.array(["b", "a"] * 6).dictionary_encode() for c in "vw"}),
    ]
    expected = as_table({"v": ["b", "a"] * 6, "w": ["b", "a"] * 6})
    for frame in frames:
        same(as_table(frame), expected)


def test_dictionaries_that_differ_between_chunks():
    first = pa.table({"v": pa.array(["b", "a"] * 4).dictionary_encode(), "w": list(range(8))})
    second = pa.table({"v": pa.array(["c", "a"] * 4).dictionary_encode(), "w": list(range(8))})
    table = as_table(pa.concat_tables([first, second]))
    assert table.columns[0].tolist() == ["b", "a"] * 4 + ["c", "a"] * 4


def test_categories_of_numbers_and_of_intervals():
    table = as_table(pd.DataFrame({"n": pd.Categorical([30, 4] * 6), "i": pd.cut(np.arange(12.0), 3)}))
    assert table.kinds == (Kind.DISCRETE, Kind.DISCRETE)
    codes = table.codes()
    assert codes.states[0] == (4, 30)
    assert all(isinstance(state, str) and state.startswith("(") for state in codes.states[1])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"v": pd.array([1, None] * 6, dtype="Int64"), "w": range(12)}),
        pd.DataFrame({"v": pd.array(["a", None] * 6), "w": range(12)}),
        pd.DataFrame({"v": pd.array([True, None] * 6, dtype="boolean"), "w": range(12)}),
        pd.DataFrame({"v": pd.Categorical(["a", None] * 6), "w": range(12)}),
        pd.DataFrame({"v": [1.5, None] * 6, "w": range(12)}),
        pl.DataFrame({"v": [1, None] * 6, "w": range(12)}),
        pl.DataFrame({"v": ["a", None] * 6, "w": range(12)}),
        pl.DataFrame({"v": [True, None] * 6, "w": range(12)}),
        pl.DataFrame({"v": [1.5, None, float("nan"), 2.0] * 3, "w": range(12)}),
        pl.DataFrame({"v": pl.Series(["a", None] * 6, dtype=pl.Categorical), "w": range(12)}),
        pa.table({"v": pa.array(["a", None] * 6).dictionary_encode(), "w": range(12)}),
        pa.table({"v": pa.array([1, None] * 6), "w": range(12)}),
    ],
)
def test_nulls_of_every_library(frame):
    assert refusal(frame).startswith("the data have 6 missing values in 'v': remove or impute them")


@pytest.mark.parametrize(
    "values",
    [[datetime.date(2020, 1, 1), None], [datetime.datetime(2020, 1, 1), None], [datetime.timedelta(1), None]],
)
def test_dates_of_every_library(values):
    content = {"when": values * 6, "w": list(range(12))}
    for frame in (pd.DataFrame(content), pl.DataFrame(content), pa.table(content)):
        assert refusal(frame).startswith("column 'when' holds dates or times: ")
    zoned = pd.DataFrame({"when": pd.date_range("2020", periods=12, tz="UTC"), "w": range(12)})
    assert refusal(zoned).startswith("column 'when' holds dates or times: ")


def test_nested_columns_of_every_library():
    content = {"v": [[1, 2], [3, 4]] * 6, "w": list(range(12))}
    structs = {"v": [{"a": 1}] * 12, "w": list(range(12))}
    for data in (content, structs):
        for frame in (pd.DataFrame(data), pl.DataFrame(data), pa.table(data)):
            assert refusal(frame).startswith("column 'v' holds lists or other nested values: ")
    fixed = pl.DataFrame(content, schema_overrides={"v": pl.Array(pl.Int64, 2)})
    assert refusal(fixed).startswith("column 'v' holds lists or other nested values: ")


@pytest.mark.skipif(not hasattr(pl, "Int128"), reason="this polars has only types that numpy has")
def test_types_numpy_does_not_have():
    frame = pl.DataFrame({"v": pl.Series([2**100] * 12, dtype=pl.Int128), "w": range(12)})
    assert refusal(frame) == ("column 'v' of type Int128 cannot be turned into numbers or text: convert or drop it")


def test_names_that_are_not_text():
    array = np.arange(24.0).reshape(12, 2) ** 2
    assert as_table(pd.DataFrame(array)).names == ("0", "1")
    assert as_table(pd.DataFrame(array, columns=[("a", 1), ("a", 2)])).names == ("('a', 1)", "('a', 2)")
    assert as_table(array, names=[1.5, None]).names == ("1.5", "None")
    assert refusal(pd.DataFrame(array, columns=[1, "1"])).startswith("the column name '1' occurs more than once:")


def test_repeated_names_of_every_library():
    array = np.ones((12, 2))
    assert "'a' occurs more than once" in refusal(pd.DataFrame(array, columns=["a", "a"]))
    assert "'a' occurs more than once" in refusal(pa.table([pa.array([1] * 12)] * 2, names=["a", "a"]))


def test_given_names_replace_those_of_the_data():
    frame = pd.DataFrame(np.ones((12, 2)), columns=["a", "b"])
    assert as_table(frame, names=["c", "d"]).names == ("c", "d")
    table = as_table(frame)
    assert as_table(table) is table
    assert as_table(table, names=["c", "d"]).names == ("c", "d")
    assert refusal(frame, names=["c"]) == "1 name given for 2 columns: give one name for each column"
    assert refusal(table, names=["c", "c"]).startswith("the column name 'c' occurs more than once")
    assert refusal(frame, names="cd") == ("names must be a list with one name for each column, not the text 'cd'")


def test_the_callers_data_are_neither_shared_nor_changed():
    for array in (np.ones((12, 2)), np.ones((12, 2), order="F"), np.ones((12, 2), dtype=int)):
        table = as_table(array)
        array[:] = 7
        assert table.columns[0].tolist() == [1] * 12
    column = np.ones(12)
    table = as_table({"a": column, "b": column})
    column[0] = 7
    assert table.columns[0][0] == 1
    assert column.flags.writeable
    frame = pd.DataFrame(np.ones((12, 2)), columns=[0, 1])
    as_table(frame)
    assert list(frame.columns) == [0, 1]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (np.ones(12), "the array has 1 dimension: give one with 2, rows by columns"),
        (np.ones((12, 2, 2)), "the array has 3 dimensions: give one with 2, rows by columns"),
        (
            scipy.sparse.eye(12).tocsr(),
            "the data are a sparse matrix: turn it into a dense array with .toarray() first",
        ),
        ("data.csv", "'data.csv' is not a table but may name a file: read it with read_table"),
        (5, "the data are of type int, which is not a table: give a numpy array, a data frame (pandas"),
        (None, "the data are of type NoneType, which is not a table: "),
        (pd.Series([1.0] * 12), "the array has 1 dimension: "),
        ([1, 2, 3], "row 1 of the list is of type int: give a list of rows, each a list"),
        ([[1, 2], [3]], "row 2 has 1 cell where the first row has 2: give rows of equal length"),
        ({"a": 1, "b": 2}, "column 'a' is a single value of type int: give a list or an array"),
    ],
)
def test_what_is_no_table(data, sentence):
    assert refusal(data).startswith(sentence)
