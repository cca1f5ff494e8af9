"""Reading files: what cells mean, and every way a file can be wrong."""

import gzip
import io
import os

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from table_files import FUZZ, text_of

from hccd.errors import FileFormatError, HCCDError, InvalidDataError, NotEnoughDataError
from hccd.tables import read_table


def refusal(path, error=FileFormatError, **options):
    with pytest.raises(error) as caught:
        read_table(path, **options)
    assert type(caught.value) is error
    sentence = caught.value.sentence
    assert sentence.startswith(f"'{path}': ") and ("\n" not in sentence or "problems to fix:\n- " in sentence)
    return sentence.removeprefix(f"'{path}': ")


# Cells.


def column(put, cells, sep=",", **options):
    lines = "".join(f"{cell}{sep}{i / 7}\n" for i, cell in enumerate(cells))
    return read_table(put(f"v{sep}w\n" + lines), **options)


def test_what_cells_mean(put):
    def values(*cells):
        return column(put, cells * (12 // len(cells))).columns[0]

    assert values("1", "2").dtype == np.int64
    assert values("+1", "-2").tolist() == [1, -2] * 6
    assert values("1", "2.5").tolist() == [1.0, 2.5] * 6
    assert values("1e3", ".5").tolist() == [1000.0, 0.5] * 6
    assert values("007", "8").tolist() == [7, 8] * 6
    assert values("9007199254740993", "1").tolist() == [9007199254740993, 1] * 6
    assert values("99999999999999999999", "1").tolist() == [1e20, 1.0] * 6
    assert values("true", "false").dtype == bool
    assert values("TRUE", "FALSE").tolist() == [True, False] * 6
    assert values("yes", "no").tolist() == ["yes", "no"] * 6
    assert values("1_0", "0x1").tolist() == ["1_0", "0x1"] * 6
    assert values("1 5", "2").dtype == object


@settings(parent=FUZZ, max_examples=50)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=12, max_size=12))
def test_floats_come_back_exactly(put, values):
    assert column(put, map(repr, values)).columns[0].tolist() == values


@pytest.mark.parametrize("mark", ["", "NA", "NaN", "nan", "NULL", "null", "None", "?", ".", "-", "N/A", "<NA>", " "])
def test_marks_for_missing_numbers(put, mark):
    for values in (range(10), [i / 3 for i in range(10)]):
        table = column(put, [mark, mark, *values])
        assert table.n_missing.tolist() == [2, 0]
        np.testing.assert_array_equal(table.columns[0], [np.nan, np.nan, *values])


def test_empty_cells_of_text_and_truth(put):
    for state in ("a", "true"):
        for empty in ("", '""'):
            assert column(put, [empty, *[state] * 11]).n_missing.tolist() == [1, 0]


def test_marks_among_truth_values_are_missing(put):
    table = column(put, ["true", "false", "NA"] * 3 + ["true"] * 3)
    assert table.n_missing.tolist() == [3, 0] and table.kinds[0].value == "discrete"


def test_marks_in_text_are_states_with_a_note(put):
    table = column(put, ["m", "f", "NA"] * 4)
    assert set(table.columns[0]) == {"m", "f", "NA"}
    assert table.notes == (
        "column 'v' holds 'NA' in 4 rows, treated as a state: "
        "to treat such cells as missing, name the mark (option na)",
    )
    assert column(put, ["mild", "none"] * 6).notes == ()


def test_a_stray_word_among_numbers_is_told(put):
    table = column(put, [*range(10), "x", "low"])
    assert table.notes == ("column 'v' is read as text, since 2 cells are not numbers: 'x' and 'low'",)


def test_infinite_cells(put):
    with pytest.raises(InvalidDataError, match="the data have 2 infinite values in 'v'"):
        column(put, ["inf", "-Infinity", *[i / 3 for i in range(10)]])


def test_dates_in_text(put):
    for cell in ("2024-02-29", "2024-02-29T12:30:00", "2024-02-29 12:30:00.5+01:00"):
        with pytest.raises(InvalidDataError, match="column 'v' holds dates or times: turn it into a number"):
            column(put, [cell] * 12)
    assert column(put, ["2024-02-29x"] * 12).columns[0][0] == "2024-02-29x"


def test_decimal_commas_only_with_semicolons_and_without_points(put):
    assert column(put, ["1,5", "2"] * 6, sep=";").columns[0].tolist() == [1.5, 2.0] * 6
    assert column(put, ["1,5", "2.5"] * 6, sep=";").columns[0].tolist() == ["1,5", "2.5"] * 6
    assert column(put, ['"1,5"', "2"] * 6).columns[0].tolist() == ["1,5", "2"] * 6


def test_quoted_cells(put):
    table = column(put, ['"a,b"', '"line\nbreak"', '"say ""hi"""'] * 4)
    assert table.columns[0].tolist() == ["a,b", "line\nbreak", 'say "hi"'] * 4


def test_marks_and_dates_do_not_matter_in_dropped_columns(put):
    path = put("when,x,y\n" + "".join(f"2020-01-{i + 1:02d},{i / 3},{i * i}\n" for i in range(12)))
    assert refusal(path, InvalidDataError, drop=["x"]).startswith("column 'when' holds dates")
    kept = read_table(path)
    assert kept.names == ("x", "y") and kept.left_out[0].startswith(
        "column 'when' holds dates or times and is left out"
    )
    assert "when" in read_table(path, discrete=["when"]).names
    assert read_table(path, drop=["when"]).names == ("x", "y")
    assert refusal(path, InvalidDataError, drop=["z"]) == (
        "there is no column 'z' to drop: the columns are 'when', 'x' and 'y'"
    )
    assert refusal(path, NotEnoughDataError, drop=["x", "y"]).startswith(
        "there are 2 problems to fix:\n- the data have 1 column: at least 2 are needed\n- column 'when' holds dates"
    )
    buffer = io.BytesIO()
    pl.DataFrame({"l": [[1]] * 12, "a": range(12), "b": range(12)}).write_parquet(buffer)
    assert read_table(put(buffer.getvalue()), drop={"l"}).names == ("a", "b")


# What is wrong with a file.


def test_no_file_no_folder(tmp_path):
    assert refusal(tmp_path / "none.csv") == "there is no such file: check the name and the folder"
    assert refusal(tmp_path) == "this is a folder: give the name of a file in it"
    (tmp_path / "file").touch()
    assert refusal(tmp_path / "file" / "below.csv").startswith("there is no such file")
    assert refusal("~no_such_user_here/x.csv").startswith("there is no such file")
    assert refusal(tmp_path / ("n" * 500)) == "the file cannot be read (File name too long): check the name"
    with pytest.raises(FileFormatError, match="no file can have this name"):
        read_table("a\0b")


def test_a_device(tmp_path):
    if not os.path.exists("/dev/zero"):  # noqa: PTH110
        pytest.skip("no devices here")
    assert refusal("/dev/zero") == "this is a device: give the name of a file"


def test_no_permission(put, monkeypatch):
    path = put(text_of())

    def forbidden(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "read_bytes", forbidden)
    assert refusal(path) == "you are not allowed to read the file: change its permissions"


@pytest.mark.parametrize("content", ["", "\n\n", " \n", "\ufeff", "\u00a0\n", ",,\n,,\n", gzip.compress(b"", mtime=0)])
def test_empty_files(put, content):
    assert refusal(put(content)) == "the file is empty: give one with a header line and rows"


def test_header_only(put):
    assert refusal(put("a,b,c\n"), NotEnoughDataError) == "the file has a header but no rows: add the data"
    assert refusal(put("a,b,c"), NotEnoughDataError) == "the file has a header but no rows: add the data"


def test_few_rows_and_one_column_left(put):
    assert refusal(put("a,b\n1,2\n"), NotEnoughDataError) == "the data have 1 row: at least 10 are needed"
    assert refusal(put("a,\n" + "1,\n" * 12), NotEnoughDataError).startswith("the data have 1 column")


def test_one_column(put):
    assert refusal(put("a\n" + "1\n" * 12)) == (
        "the file has only one column, for none of tab, semicolon, bar, comma and blank separates the cells "
        "of its first line: give a table of several columns, or name its delimiter (option delimiter)"
    )


@pytest.mark.parametrize("quote", ["", '"x"'])
def test_ragged_rows_are_told_by_line(put, quote):
    good = f"1,2,{quote or 3}\n"
    assert refusal(put("a,b,c\n" + good * 5 + "\n1,2\n" + good * 5)) == (
        "line 8 has 2 cells where the first line has 3: give every row the same number of cells"
    )
    assert refusal(put("a,b,c\n" + good * 5 + "1,2,3,4\n" + good * 5)).startswith("line 7 has 4 cells where")
    assert refusal(put("a,b,c\n" + "1\n" * 12)).startswith("line 2 has 1 cell where the first line has 3")


def test_line_numbers_count_the_lines_inside_cells(put):
    content = "a,b\n" + '"two\nlines",1\n' * 3 + "1,2,3\n" + "1,2\n" * 12
    assert refusal(put(content)).startswith("line 8 has 3 cells where the first line has 2")


def test_quotation_marks_out_of_place(put):
    open_mark = refusal(put('a,b\n1,2\n"1,2\n3,4\n'))
    assert open_mark == (
        "the row that starts on line 3 cannot be read (unexpected end of data): correct its quotation marks"
    )
    assert refusal(put('a,b\n1,2\n\n"1"x,2\n')).startswith("the row that starts on line 4 cannot be read (")


def test_repeated_names_in_the_header(put):
    for content in ("a,b,a\n" + "1,2,3\n" * 12, '"a",b,"a"\n' + "1,2,3\n" * 12, "a,b, a\n" + "1,2,3\n" * 12):
        assert refusal(put(content), InvalidDataError) == (
            "the column name 'a' occurs more than once: rename the columns, or add a header line if the file has none"
        )


def test_names_that_are_absent(put):
    assert refusal(put("a,,b\n" + "1,2,3\n" * 12), InvalidDataError) == (
        "column 2 has no name: complete the header line, or add one if the file has none"
    )
    assert refusal(put(",a,b\n" + "1,2,3\n" * 12), InvalidDataError).startswith("column 1 has no name: ")
    assert read_table(put("Unnamed: 0,b\n" + "1,2\n" * 12)).names == ("Unnamed: 0", "b")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            bytes(range(256)) * 4,
            "the file is not a table of text, nor Parquet or Arrow: save the data as CSV",
        ),
        (np.random.default_rng(0).bytes(5000), "the file is not a table of text"),
        (b"PK\x03\x04rest", "the file is a zip archive or a spreadsheet: save the sheet as CSV"),
        (b"BZh91AY", "the file is compressed with bzip2: decompress it, or compress it with gzip"),
        (b"FEA1....", "the file is in the first Feather format: "),
        (
            gzip.compress(b"a,b\n" * 1000, mtime=0)[:30],
            "the file is compressed with gzip but damaged or cut off: fetch it again",
        ),
        (b"\x1f\x8bnot gzip at all", "the file is compressed with gzip but damaged or cut off: fetch it again"),
        (b"PAR1 nothing more", "the file starts like Parquet but cannot be read as such: it may be damaged"),
        (b"ARROW1 nothing more", "the file starts like Arrow but cannot be read as such: it may be damaged"),
        (b"\xff\xff\xff\xff nothing more", "the file starts like Arrow but cannot be read"),
        (b"\xff\xfea\x00\xd8", "the file is marked as UTF-16 text but is damaged: save it as UTF-8"),
    ],
)
def test_junk(put, content, sentence):
    assert refusal(put(content)).startswith(sentence)


def test_names_that_promise_another_format(put):
    assert refusal(put(text_of(), "x.parquet")) == (
        "the name says Parquet, but the content is something else: check where it comes from"
    )
    assert refusal(put(text_of(), "x.FEATHER")) == (
        "the name says Arrow, but the content is something else: check where it comes from"
    )


PIECES = st.sampled_from(
    [
        "a",
        "b",
        "1",
        "2.5",
        "-3",
        "NA",
        "true",
        '"',
        '""',
        ",",
        ",",
        ",",
        "\n",
        "\n",
        "\r\n",
        ";",
        "\t",
        " ",
        "|",
        "é",
    ]
)


@FUZZ
@given(st.lists(PIECES, max_size=120).map("".join))
@example('""\n' * 15)
@example('"",""\n' * 15)
@example('a,b\n"",""\n' * 15)
def test_any_text_gives_a_table_or_one_sentence(put, text):
    check_outcome(put(text))


@settings(parent=FUZZ, max_examples=80)
@given(st.one_of(st.binary(max_size=300), st.binary(max_size=300).map(lambda b: b"a,b\n" + b)))
def test_any_bytes_give_a_table_or_one_sentence(put, content):
    check_outcome(put(content))


def check_outcome(path):
    try:
        table = read_table(path)
    except HCCDError as error:
        assert str(error).startswith(f"'{path}': ") and ("\n" not in str(error) or "problems to fix:\n- " in str(error))
    else:
        assert table.n_rows >= 10 and table.n_columns >= 2
