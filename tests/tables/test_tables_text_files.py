"""What a user can say about a text file instead of leaving it to guessing; pandas is the independent reader."""

import io
import sys

import pandas as pd
import polars as pl
import pytest
from table_files import ODDLY_NAMED, column

from hccd.errors import FileFormatError, InvalidDataError, InvalidParameterError
from hccd.tables import read_table


@pytest.mark.parametrize(
    ("said", "sep"), [("tab", "\t"), ("\\t", "\t"), ("~", "~"), (":", ":"), ("bar", "|"), ("^", "^"), (" ", " ")]
)
def test_a_delimiter_by_name_or_character(put, said, sep):
    frame = ODDLY_NAMED.drop(columns=["x:y", "a,b"])
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
    frame = ODDLY_NAMED.rename(columns={"dose": "größe"})
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
    pl.from_pandas(ODDLY_NAMED).write_parquet(buffer)
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
        buffer = io.BytesIO(ODDLY_NAMED.to_csv(index=False).encode())

    monkeypatch.setattr(sys, "stdin", Piped)
    assert read_table("-").names == tuple(ODDLY_NAMED)
    with pytest.raises(FileFormatError, match="standard input: the file is empty"):
        read_table("-")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FileFormatError, match="standard input: standard input is closed"):
        read_table("-")
