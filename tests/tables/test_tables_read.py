"""Reading files: formats, encodings, delimiters, headers, and every way a file can be wrong."""

import gzip
import io
import os

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hccd.datasets import alarm_path
from hccd.errors import FileFormatError, HCCDError, InvalidDataError, NotEnoughDataError
from hccd.tables import Kind, as_table, read_table

ROWS = 12
FRAME = pd.DataFrame(
    {
        "whole": np.arange(ROWS) * 3,
        "real": np.arange(ROWS) / 7,
        "text": ["b", "a", "c"] * 4,
        "truth": [True, False] * 6,
        "few": [1, 2, 3] * 4,
    }
)
FUZZ = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def same(one, two):
    assert one.names == two.names and one.kinds == two.kinds
    for left, right in zip(one.columns, two.columns, strict=True):
        assert left.dtype == right.dtype and left.tolist() == right.tolist()


def refusal(path, error=FileFormatError, **options):
    with pytest.raises(error) as caught:
        read_table(path, **options)
    assert type(caught.value) is error
    sentence = caught.value.sentence
    assert sentence.startswith(f"'{path}': ") and ("\n" not in sentence or "problems to fix:\n- " in sentence)
    return sentence.removeprefix(f"'{path}': ")


def text_of(frame=FRAME, **options):
    return frame.to_csv(index=False, **options)


# Formats, delimiters, encodings.


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
def test_any_names_come_back(put, names, sep, quoting):
    frame = pd.DataFrame(np.arange(12.0 * len(names)).reshape(12, -1) / 7, columns=names)
    table = read_table(put(b"\xef\xbb\xbf" + text_of(frame, sep=sep, quoting=quoting).encode()))
    assert table.names == tuple(names)
    np.testing.assert_array_equal(table.continuous(), frame.to_numpy())


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
    assert table.notes == ("column 'v' is read as text, since 2 cells are no number: 'x' and 'low'",)


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
        (b"BZh91AY", "the file is packed with bzip2: unpack it, or pack it with gzip"),
        (b"FEA1....", "the file is in the first Feather format: "),
        (
            gzip.compress(b"a,b\n" * 1000, mtime=0)[:30],
            "the file is packed with gzip but damaged or cut off: fetch it again",
        ),
        (b"\x1f\x8bnot gzip at all", "the file is packed with gzip but damaged or cut off: fetch it again"),
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
