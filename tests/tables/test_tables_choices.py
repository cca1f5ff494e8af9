"""What a user can say about a table instead of leaving it to guessing; pandas is the independent reader."""

import io
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hccd
from hccd.errors import DataWarning, FileFormatError, InvalidDataError, InvalidParameterError, NotEnoughDataError
from hccd.tables import Kind, as_raw_table, as_table, read_table
from hccd.tables.bins import equal_frequency
from hccd.tables.selection import selected

D, C = Kind.DISCRETE, Kind.CONTINUOUS
N = 24
FRAME = pd.DataFrame(
    {
        "id": np.arange(1, N + 1),
        "grade": np.arange(N) % 3,
        "dose": np.random.default_rng(0).normal(size=N).round(3),
        "a,b": [f"s{i % 2}" for i in range(N)],
        "x:y": np.arange(N) % 4 < 2,
    }
)


def column(put, cells, sep=",", **options):
    lines = "".join(f"{cell}{sep}{i}\n" for i, cell in enumerate(cells))
    return read_table(put(f"v{sep}w\n" + lines), **options)


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
    path = put(FRAME.to_csv(index=False))
    guessed = read_table(path)
    assert guessed.kinds == (C, C, C, D, D)
    said = read_table(path, drop=["a,b"], continuous=["grade"], discrete=["id"])
    assert said.names == ("id", "grade", "dose", "x:y") and said.kinds == (D, C, C, D)
    assert said.nominal == {0}
    in_memory = as_table(FRAME.drop(columns="a,b"), continuous="grade", discrete="id")
    assert in_memory.kinds == said.kinds and in_memory.nominal == said.nominal
    again = as_table(as_table(FRAME.drop(columns="a,b")), continuous="grade", discrete="id")
    assert again.kinds == said.kinds


def test_kinds_that_cannot_be(put):
    path = put(FRAME.to_csv(index=False))
    with pytest.raises(InvalidDataError, match=r"'a,b' holds text \('s0', 's1'\) and cannot be continuous"):
        read_table(path, continuous=["a,b"])
    with pytest.raises(InvalidDataError, match="'grade' cannot be both discrete and continuous"):
        read_table(path, continuous=["grade"], discrete=["id:dose"])
    with pytest.raises(InvalidDataError, match="no column 'z' to take as discrete"):
        as_table(FRAME, discrete=["z"])


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
    path = put(FRAME.to_csv(index=False))
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
    path = put(FRAME.to_csv(index=False))
    for what in ("rows", "columns"):
        table = read_table(path, drop_missing=what)
        assert table.n_rows == N and table.names == tuple(FRAME) and table.notes == ()


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
    path = put(FRAME.to_csv(index=False))
    with pytest.warns(
        DataWarning, match="column 'grade' holds few distinct whole numbers and is treated as continuous"
    ):
        assert hccd.discover(read_table(path, drop="id")).parameters["test"]["name"] == "dg"
    table = read_table(path, drop="id", discretize={"dose": 4})
    assert table.kinds == (D,) * 4
    expected = pd.qcut(FRAME["dose"], 4, labels=False)
    assert table.columns[1].tolist() == expected.tolist()
    assert hccd.discover(table).parameters["test"]["name"] == "g"
    everything = read_table(path, discretize=3)
    assert everything.kinds == (D,) * 5 and everything.codes().cardinalities.tolist() == [3, 3, 3, 2, 2]


def test_classes_that_cannot_be(put):
    path = put(FRAME.to_csv(index=False))
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


# Text files.


@pytest.mark.parametrize(
    ("said", "sep"), [("tab", "\t"), ("\\t", "\t"), ("~", "~"), (":", ":"), ("bar", "|"), ("^", "^"), (" ", " ")]
)
def test_a_delimiter_by_name_or_character(put, said, sep):
    frame = FRAME.drop(columns=["x:y", "a,b"])
    table = read_table(put(frame.to_csv(index=False, sep=sep)), delimiter=said)
    assert table.names == tuple(frame) and table.columns[2].tolist() == frame["dose"].tolist()


def test_a_delimiter_against_the_guess(put):
    content = "a;b,c;d\n" + "1;2,3;4\n" * 12
    assert read_table(put(content)).names == ("a", "b,c", "d")
    assert read_table(put(content), delimiter=",").names == ("a;b", "c;d")


@pytest.mark.parametrize("wrong", ["", "ab", '"', "\n", "x", "1", ".", "é"])
def test_delimiters_that_cannot_be(put, wrong):
    with pytest.raises(InvalidParameterError, match="delimiter is "):
        read_table(put("a,b\n"), delimiter=wrong)


def test_encodings(put):
    frame = FRAME.rename(columns={"dose": "größe"})
    text = frame.to_csv(index=False)
    for encoding in (
        "utf-8",
        "utf-8-sig",
        "latin-1",
        "cp1252",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
        "utf-32",
        "mac-roman",
    ):
        content = text.encode(encoding)
        assert read_table(put(content), encoding=encoding).names == tuple(frame)
        if encoding != "mac-roman":
            assert read_table(put(content)).names == tuple(frame), encoding
    assert read_table(put(text.encode("utf-16-le"))).notes == (
        "the file has no byte-order mark and is read as UTF-16-LE",
    )
    cyrillic = text.replace("größe", "доза").encode("cp1251")
    assert read_table(put(cyrillic), encoding="windows-1251").names[2] == "доза"
    with pytest.raises(FileFormatError, match="not in the encoding 'utf-8' from byte 12 on: name another one"):
        read_table(put(text.encode("latin-1")), encoding="utf-8")
    for wrong in ("klingon", "rot13", "base64", "", "a\0b"):
        with pytest.raises(InvalidParameterError, match="encoding is "):
            read_table(put(text), encoding=wrong)


def test_a_header_by_word(put):
    content = "1,2,4\n" + "".join(f"{i},{i * i},{i % 2}\n" for i in range(12))
    assert read_table(put(content)).n_rows == 13
    assert read_table(put(content), header=True).names == ("1", "2", "4")
    words = "x,y\n" + "a,b\nc,d\n" * 6
    assert read_table(put(words), header=False).names == ("X1", "X2")
    assert read_table(put(words), header=False).n_rows == 13
    assert read_table(put(words), header=False).notes == ()


def test_text_settings_are_refused_for_parquet(put):
    buffer = io.BytesIO()
    pl.from_pandas(FRAME).write_parquet(buffer)
    with pytest.raises(
        InvalidParameterError, match="the file is Parquet, and delimiter and decimal can be given for text"
    ):
        read_table(put(buffer.getvalue()), delimiter=",", decimal=",")


def read_by_pandas(cells, sep, decimal, thousands):
    text = "v" + sep + "w\n" + "".join(f"{cell}{sep}{i}\n" for i, cell in enumerate(cells))
    # pandas takes no character beyond ASCII between thousands.
    text, thousands = text.replace("\u00a0", "'"), "'" if thousands == "\u00a0" else thousands
    return pd.read_csv(io.StringIO(text), sep=sep, decimal=decimal, thousands=thousands)["v"].tolist()


@pytest.mark.parametrize(
    ("cells", "sep", "decimal", "thousands"),
    [
        (["1,234.5", "12", "1,000,000"], ";", ".", ","),
        (["1,234.5", "12", "999.25"], "\t", ".", ","),
        (["1.234,5", "12", "1.000.000"], ";", ",", "."),
        (["1.234,5", "12", "0,25"], "\t", ",", "."),
        (["1'234.5", "12", "1'000'000"], ",", ".", "'"),
        (["1 234,5", "12", "1 000 000"], ";", ",", " "),
        (["1\u00a0234,5", "-12", "1\u00a0000\u00a0000"], ";", ",", "\u00a0"),
        (["1,5", "2", "-3,25"], "\t", ",", None),
        (["1,5", "2", "-3,25"], "|", ",", None),
        (["1,5e3", "2", "+3,"], ";", ",", None),
    ],
)
def test_numbers_as_people_write_them(put, cells, sep, decimal, thousands):
    expected = read_by_pandas(cells * 8, sep, decimal, thousands)
    assert column(put, cells * 8, sep=sep).columns[0].tolist() == expected
    assert column(put, cells * 8, sep=sep, decimal=decimal).columns[0].tolist() == expected


def test_ambiguous_numbers_stay_text_until_the_sign_is_named(put):
    cells = ["1,234", "2,345", "12"] * 8
    guessed = column(put, cells, sep="\t")
    assert guessed.columns[0].tolist() == cells
    assert guessed.notes == (
        "column 'v' is read as text, since '1,234' may mean 1234 or 1.234: name the decimal sign (option decimal)",
    )
    assert column(put, cells, sep="\t", decimal=".").columns[0].tolist() == [1234, 2345, 12] * 8
    assert column(put, cells, sep="\t", decimal=",").columns[0].tolist() == [1.234, 2.345, 12] * 8
    quoted = [f'"{cell}"' for cell in cells]
    assert column(put, quoted).columns[0].tolist() == cells
    assert column(put, quoted, decimal=".").columns[0].tolist() == [1234, 2345, 12] * 8


def test_points_beside_decimal_commas_are_doubted(put):
    def notes(*cells, **options):
        lines = "".join(f"{cells[i % len(cells)]};{i},5;{i}\n" for i in range(12))
        return read_table(put("v;w;k\n" + lines), **options).notes

    assert notes("1.234", "12") == (
        "column 'v' is read with decimal points though others have decimal commas: if '1.234' means 1234, "
        "name the decimal sign (option decimal)",
    )
    assert notes("1.234", "12", decimal=",") == ()
    for cells in (["1.5", "12"], ["0.234", "1.234"], ["1.2345", "1.234"], ["12", "13"]):
        assert notes(*cells) == ()
    assert read_table(put("v;w\n" + "1.234;5\n" * 12)).notes == ()


def test_a_named_decimal_comma_makes_points_thousands(put):
    assert column(put, ["1.234", "12"] * 8, sep=";", decimal=",").columns[0].tolist() == [1234, 12] * 8
    assert column(put, ["1.234", "12"] * 8, sep=";").columns[0].tolist() == [1.234, 12] * 8
    assert column(put, ["1.5", "12"] * 8, sep=";", decimal=",").columns[0].tolist() == ["1.5", "12"] * 8
    with pytest.raises(InvalidParameterError, match=r"decimal is ';'; give '\.' or ','"):
        column(put, ["1"] * 12, decimal=";")


@pytest.mark.parametrize(
    "cells", [["12,34", "1"], ["1,2,3", "4"], ["1,2345.6", "1"], ["1 5", "2"], ["12 34", "5"], ["1.2.3", "4"]]
)
def test_what_is_no_number_stays_text(put, cells):
    quoted = [f'"{cell}"' for cell in cells] * 6
    assert column(put, quoted).columns[0].tolist() == cells * 6


@pytest.mark.parametrize(
    "cell",
    ["2024-02-29", "2024/2/9", "29.02.2024", "2/29/2024", "29-02-2024 23:59", "2024-02-29T12:30:00Z", "29 Feb 2024",
     "Feb 29, 2024", "February 29 2024", "29-Feb-2024", "12:30", "23:59:59.5", "2/29/2024 11:05 PM"],
)  # fmt: skip
def test_dates_are_told(put, cell):
    with pytest.raises(InvalidDataError, match="column 'v' holds dates or times"):
        column(put, [f'"{cell}"'] * 12)


@pytest.mark.parametrize("cell", ["1:20", "2024-13", "10.5.1", "march", "1-2", "2024", "Feb", "1/2/3", "99:99"])
def test_what_is_no_date_is_none(put, cell):
    assert column(put, [cell] * 12).n_rows == 12


def test_standard_input(put, monkeypatch):
    class Piped:
        closed = False
        buffer = io.BytesIO(FRAME.to_csv(index=False).encode())

    monkeypatch.setattr(sys, "stdin", Piped)
    assert read_table("-").names == tuple(FRAME)
    with pytest.raises(FileFormatError, match="standard input: the file is empty"):
        read_table("-")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FileFormatError, match="standard input: standard input is closed"):
        read_table("-")
