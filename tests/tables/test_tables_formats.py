"""Reading files: formats, encodings, delimiters and headers."""

import gzip
import io

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from table_files import FRAME, FUZZ, ROWS, text_of

from hccd.datasets import alarm_path
from hccd.tables import Kind, as_table, read_table


def same(one, two):
    assert one.names == two.names and one.kinds == two.kinds
    for left, right in zip(one.columns, two.columns, strict=True):
        assert left.dtype == right.dtype and left.tolist() == right.tolist()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.csv", text_of()),
        ("crlf.csv", text_of(lineterminator="\r\n")),
        ("mac.csv", text_of(lineterminator="\r")),
        ("all quoted.csv", text_of(quoting=1)),
        ("text quoted.csv", text_of(quoting=2)),
        ("tab.tsv", text_of(sep="\t")),
        ("semicolon.csv", text_of(sep=";")),
        ("decimal comma.csv", text_of(sep=";", decimal=",")),
        ("bar.txt", text_of(sep="|")),
        ("blanks.txt", text_of(sep=" ")),
        ("aligned.txt", FRAME.to_string(index=False, float_format=lambda v: repr(float(v)))),
        ("aligned with row numbers.txt", FRAME.to_string(float_format=lambda v: repr(float(v)))),
        ("comma and blank.csv", text_of().replace(",", ", ")),
        ("blank lines.csv", "\n\n" + text_of().replace("\n", "\n\n") + " \n,,,,\n"),
        ("bom.csv", b"\xef\xbb\xbf" + text_of().encode()),
        ("utf16.csv", text_of(sep="\t").encode("utf-16")),
        ("gz without the suffix", gzip.compress(text_of().encode())),
        ("no last newline.csv", text_of().rstrip("\n")),
        ("row numbers.csv", FRAME.to_csv()),
        ("row numbers read and written.csv", pd.read_csv(io.StringIO(FRAME.to_csv())).to_csv(index=False)),
        ("R row names.csv", FRAME.rename(index=lambda i: f"r{i}").to_csv(quoting=1)),
        ("R write.table.txt", FRAME.to_csv(sep=" ", quoting=2).removeprefix('"" ')),
        ("trailing delimiters.csv", text_of().replace("\n", ",\n")),
        ("trailing delimiters below the header.csv", text_of().replace("\n", ",\n").replace(",\n", "\n", 1)),
    ],
)
def test_the_same_table_in_many_files(put, name, content):
    same(read_table(put(content, name)), as_table(FRAME))


@pytest.mark.parametrize("packed", [False, True])
def test_parquet_and_arrow(put, packed):
    frame = pl.from_pandas(FRAME)
    for write in ("write_parquet", "write_ipc", "write_ipc_stream"):
        buffer = io.BytesIO()
        getattr(frame, write)(buffer)
        content = gzip.compress(buffer.getvalue()) if packed else buffer.getvalue()
        same(read_table(put(content, "any name")), as_table(FRAME))
    buffer = io.BytesIO()
    FRAME.rename(index=lambda i: f"r{i}").to_parquet(buffer)
    same(read_table(put(buffer.getvalue(), "x.parquet")), as_table(FRAME))
    buffer = io.BytesIO()
    FRAME.to_feather(buffer)
    same(read_table(put(buffer.getvalue(), "x.feather")), as_table(FRAME))


def test_text_that_is_not_utf8_is_read_as_latin1_with_a_note(put):
    frame = FRAME.rename(columns={"text": "größe"})
    table = read_table(put(text_of(frame).encode("latin-1")))
    same(table, as_table(frame))
    assert table.notes == ("the file is not UTF-8 and is read as Windows-1252 (Latin-1)",)
    with_euro = text_of(frame).replace("größe", "€").encode("cp1252")
    assert read_table(put(with_euro)).names[2] == "€"
    # A byte that Windows-1252 does not have.
    assert read_table(put(text_of().replace("text", "t\x81").encode("latin-1"))).names[2] == "t\x81"


def test_ordinary_files_have_no_notes(put):
    for content in (text_of(), text_of(sep=";", decimal=","), text_of(quoting=1)):
        assert read_table(put(content)).notes == ()


def test_a_path_may_be_text_and_have_a_home(put, monkeypatch):
    path = put(text_of())
    assert read_table(str(path)).n_rows == ROWS
    monkeypatch.setenv("HOME", str(path.parent))
    monkeypatch.setenv("USERPROFILE", str(path.parent))
    assert read_table("~/data.csv").n_rows == ROWS


def test_alarm():
    table = read_table(alarm_path())
    assert (table.n_rows, table.n_columns, table.notes) == (2000, 37, ())
    assert set(table.kinds) == {Kind.DISCRETE}
    states = table.codes().states
    assert states[table.names.index("EXPCO2")] == ("HIGH", "LOW", "NORMAL", "ZERO")
    assert table.codes().cardinalities.sum() == 105


# Headers.


def test_numbers_on_the_first_line_are_data(put):
    array = np.random.default_rng(0).normal(size=(15, 3))
    content = pd.DataFrame(array).to_csv(index=False, header=False)
    table = read_table(put(content))
    assert table.names == ("X1", "X2", "X3") and table.n_rows == 15
    np.testing.assert_array_equal(table.continuous(), array)
    assert table.notes == (
        "the first line holds numbers only, so the file is taken to have no header: its columns are called X1 to X3",
    )
    german = read_table(put(pd.DataFrame(array).to_csv(index=False, header=False, sep=";", decimal=",")))
    np.testing.assert_array_equal(german.continuous(), array)


def test_missing_cells_do_not_make_a_header(put):
    content = "1.5,NA,3\n" + "2.5,1,\n" * 12
    assert read_table(put(content + "3.5,2,1\n")).n_missing.tolist() == [0, 1, 12]


@pytest.mark.parametrize("header", ["0,1,2", "1,2,3"])
def test_numbers_that_count_the_columns_are_a_header(put, header):
    table = read_table(put(header + "\n" + "".join(f"{i},{i * i},{i % 2}\n" for i in range(12))))
    assert table.names == tuple(header.split(",")) and table.n_rows == 12
    assert table.notes == ()


def test_a_frame_without_names_comes_back(put):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(12, 2)))
    assert read_table(put(frame.to_csv())).names == ("0", "1")


def test_row_names_are_left_out_with_a_note(put):
    expected = ("the first column has no name and a different label in each row: it is left out",)
    assert read_table(put(FRAME.to_csv())).notes == expected


def test_hostile_names(put):
    names = [
        "a'b",
        'say "hi"',
        "x, y; z",
        "😀",
        "n" * 200,
        "a\nb",
        "tab\there",
        "Ünïcödé",
        "1",
        "NA",
        "#",
        "=",
    ]
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(12, len(names))), columns=names)
    for sep in ",;\t|":
        assert read_table(put(text_of(frame, sep=sep))).names == tuple(names)
        assert read_table(put(text_of(frame, sep=sep, quoting=1))).names == tuple(names)


def test_blanks_around_names_and_cells_are_no_part_of_them(put):
    table = read_table(put(" age , sex\n" + " 1.5 , m \n 2 ,f\n" * 6))
    assert table.names == ("age", "sex")
    assert table.columns[0].tolist() == [1.5, 2.0] * 6 and table.columns[1].tolist() == ["m", "f"] * 6
    assert table.notes == ("blanks around names are left out: ' age ' and ' sex'",)


@settings(parent=FUZZ, max_examples=60)
@given(
    names=st.lists(
        st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)
        .map(str.strip)
        .filter(lambda s: s and not s.replace(".", "").replace(",", "").isnumeric()),
        min_size=2,
        max_size=5,
        unique=True,
    ).filter(lambda names: names[0] != "Unnamed: 0"),
    sep=st.sampled_from(",;\t|"),
    quoting=st.sampled_from([0, 1]),
)
@example(names=["\ufeffa", "b"], sep=",", quoting=0)
@example(names=[":", ';"'], sep=",", quoting=0)
def test_any_names_come_back(put, names, sep, quoting):
    frame = pd.DataFrame(np.arange(12.0 * len(names)).reshape(12, -1) / 7, columns=names)
    table = read_table(put(b"\xef\xbb\xbf" + text_of(frame, sep=sep, quoting=quoting).encode()))
    assert table.names == tuple(names)
    np.testing.assert_array_equal(table.continuous(), frame.to_numpy())
