"""Hostile tables through ``learn`` and ``check``: exit code 2, one sentence, no traceback, nothing written."""

from __future__ import annotations

import gzip
import io
import json
import os
import zipfile
from pathlib import Path

import polars as pl
import pytest

from hccd.preflight import memory

ROWS = range(40)
GOOD = "a,b\n" + "".join(f"{i % 2},{i * 0.37 % 1}\n" for i in ROWS)


def replaced(cell: str) -> str:
    """A good table with another cell in row 2 of 'b'."""
    return GOOD.replace("1,0.37", f"1,{cell}", 1)


def text_column(cell: object) -> str:
    return "a,b\n" + "".join(f"{cell(i) if callable(cell) else cell},{i * 0.37 % 1}\n" for i in ROWS)


def parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def arrow(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_ipc(buffer)
    return buffer.getvalue()


def spreadsheet() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return buffer.getvalue()


FRAME = pl.DataFrame({"a": [i * 0.37 % 1 for i in ROWS], "b": [i * 0.61 % 1 for i in ROWS]})

#: What the file holds, and what the sentence must say.
CONTENTS: dict[str, tuple[str | bytes, str]] = {
    "empty": (b"", "empty"),
    "blank lines": (b"\n\n \n", "empty"),
    "byte order mark only": (b"\xef\xbb\xbf", "empty"),
    "delimiters only": (b",,,\n,,,\n", "empty"),
    "binary": (bytes(range(256)) * 20, "not a table"),
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 5, "picture"),
    "jpeg": (b"\xff\xd8\xff\xe0" + bytes(range(256)) * 5, "picture"),
    "xlsx": (spreadsheet(), "save the sheet as CSV"),
    "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "save the sheet as CSV"),
    "pdf": (b"%PDF-1.7\n" + b"x" * 300, "PDF"),
    "hdf5": (b"\x89HDF\r\n\x1a\n" + bytes(100), "HDF5"),
    "web page": (b"<!DOCTYPE html><html><body>404</body></html>\n", "web page"),
    "json": (json.dumps([{"a": 1, "b": 2}] * 20), "JSON"),
    "gzip cut off": (gzip.compress(GOOD.encode())[:-20], "gzip"),
    "gzip of nothing": (gzip.compress(b""), "empty"),
    "gzip of a picture": (gzip.compress(b"\x89PNG" + bytes(300)), "picture"),
    "parquet damaged": (parquet(FRAME)[:100] + b"\0" * 300, "Parquet"),
    "parquet cut off": (parquet(FRAME)[:-50], "Parquet"),
    "parquet with a list": (parquet(FRAME.with_columns(c=pl.lit([[1, 2]]))), "'c' holds lists"),
    "parquet with dates": (parquet(FRAME.with_columns(pl.date(2024, 1, 1).alias(FRAME.columns[0]))), "holds dates"),
    "arrow damaged": (arrow(FRAME)[:80], "Arrow"),
    "header only": (b"a,b,c\n", "no rows"),
    "header of 100,000 columns": (",".join(f"c{i}" for i in range(100_000)), "no rows"),
    "one column": ("\n".join(["a", *map(str, range(40))]), "one column"),
    "single row": ("a,b\n1,2\n", "1 row: at least 10"),
    "nine rows": ("a,b\n" + "0.5,1.5\n" * 9, "9 rows: at least 10"),
    "ragged rows": (GOOD + "1\n", "line 42"),
    "a row too long": (GOOD + "1,2,3\n", "line 42"),
    "duplicate names": (GOOD.replace("a,b", "a,a", 1), "'a' occurs more than once"),
    "empty name": (GOOD.replace("a,b", "a,", 1), "column 2 has no name"),
    "names with line breaks": ('"a\nx","a\nx"\n' + "1,2\n" * 12, r"'a\nx' occurs more than once"),
    "nul bytes": (replaced("0.37\0"), "line 3 holds a NUL"),
    "utf-16 damaged": (b"\xff\xfe" + GOOD.encode("utf-16-le") + b"\x00\xd8", "UTF-16"),
    "mixed line ends with a short row": ("a,b\r\n1,2\r3,4\n5\r\n" + "1,2\n" * 10, "line 4"),
    "quotation marks left open": ('a,b\n"1,2\n' + "3,4\n" * 12, "line 2"),
    "quotation marks in the middle": ('a,b\n"1"x,2\n' + "3,4\n" * 12, "quotation marks"),
    "a column of gaps": (text_column(""), "'a' holds no value at all"),
    "everything missing": (
        "a,b\n" + "NA,NA\n" * 40,
        "column 'a' holds no value at all and column 'b' holds no value at all",
    ),
    "infinity": (replaced("inf"), "1 infinite value in 'b'"),
    "1e400": (replaced("1e400"), "1 infinite value in 'b'"),
    "a number of 400 digits": (replaced("9" * 400), "1 infinite value in 'b'"),
    "iso dates": (text_column(lambda i: f"2020-01-{i % 28 + 1:02d}"), "'a' holds dates"),
    "german dates": (text_column(lambda i: f"{i % 28 + 1}.3.2020"), "'a' holds dates"),
    "american times": (text_column(lambda i: f"3/{i % 28 + 1}/2020 11:05 PM"), "'a' holds dates"),
}


def check_refusal(ran, folder: Path, before: set[Path], phrase: str) -> None:
    assert ran.code == 2
    lines = ran.err.splitlines(keepends=True)
    assert len(lines) == 1 and lines[0].startswith("error: ") and lines[0].endswith("\n"), ran.err
    assert phrase in ran.err and "Traceback" not in ran.err and "bug" not in ran.err
    assert len(ran.err) < 700
    assert set(folder.rglob("*")) == before


def check_both(hccd, folder: Path, data: object, phrase: str) -> None:
    before = set(folder.rglob("*"))
    learned = hccd("learn", data, "--out", "run")
    assert learned.out == ""
    check_refusal(learned, folder, before, phrase)
    checked = hccd("check", data)
    check_refusal(checked, folder, before, phrase)
    assert checked.err == learned.err
    as_json = hccd("check", data, "--json")
    check_refusal(as_json, folder, before, phrase)
    if as_json.out:
        report = json.loads(as_json.out)
        assert not report["ok"] and report["findings"][0]["sentence"] in as_json.err


@pytest.mark.parametrize("kind", CONTENTS)
def test_files_that_are_no_usable_table(hccd, tmp_path, kind):
    content, phrase = CONTENTS[kind]
    file = tmp_path / "data.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    check_both(hccd, tmp_path, file, phrase)
    assert "data.csv" in hccd("check", file).err


@pytest.mark.parametrize("name", ["x.parquet", "x.feather", "x.arrow"])
def test_names_that_promise_another_format(hccd, tmp_path, name):
    (tmp_path / name).write_text(GOOD)
    check_both(hccd, tmp_path, tmp_path / name, "the content is something else")


def test_files_that_cannot_be_opened(hccd, tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "lost").symlink_to(tmp_path / "nowhere")
    check_both(hccd, tmp_path, "nowhere.csv", "there is no such file")
    check_both(hccd, tmp_path, "lost", "there is no such file")
    check_both(hccd, tmp_path, "loop", "levels of symbolic links")
    # A folder of tables may be learned from.
    check_refusal(hccd("learn", tmp_path), tmp_path, set(tmp_path.rglob("*")), "the folder holds no table")
    check_both(hccd, tmp_path, "/dev/null", "this is a device")
    check_both(hccd, tmp_path, "n" * 500, "File name too long")
    check_both(hccd, tmp_path, "odd\nname\x1b[31m.csv", r"odd\nname\x1b[31m.csv")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read anything")
def test_a_file_without_permission(hccd, tmp_path):
    file = tmp_path / "data.csv"
    file.write_text(GOOD)
    file.chmod(0)
    check_both(hccd, tmp_path, file, "you are not allowed to read the file")


def test_columns_that_cannot_fit_into_memory(hccd, tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "gigabytes_there", lambda: 0.0001)
    file = tmp_path / "wide.csv"
    names = [f"c{i}" for i in range(100)]
    file.write_text("\n".join([",".join(names), *(",".join(str((i * j) % 7) for i in range(100)) for j in range(12))]))
    check_both(hccd, tmp_path, file, "100 columns need about 0 GB of memory and this machine has 0")
