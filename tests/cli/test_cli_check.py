"""``hccd check``, the options for reading that it shares with ``learn``, and the short form inside ``learn``."""

from __future__ import annotations

import io
import json
import sys

import numpy as np
import pytest

from hccd.datasets import alarm_path
from hccd.preflight import WorkEstimate, check_data


@pytest.fixture
def ward(write):
    """An index, a date, a gap, text and measurements."""
    rng = np.random.default_rng(3)
    rows = [
        [f"p{i}", f"2024-01-{i % 28 + 1:02d}", "mf"[i % 2], round(x, 3), "" if i == 7 else round(y, 3), i % 3, "k=3"]
        for i, (x, y) in enumerate(rng.normal(size=(90, 2)))
    ]
    return write("ward.csv", ["patient", "visit", "sex", "dose", "fever", "a,b", "n=4"], rows)


def said(text: str) -> dict[str, str]:
    return dict(line.split(maxsplit=1) for line in text.rpartition("\n\n")[2].splitlines())


def test_a_table_without_fault(hccd):
    ran = hccd("check", alarm_path())
    lines = said(ran.out)
    assert (ran.code, ran.err) == (0, "")
    assert lines["rows"] == "2,000" and lines["missing"] == "none" and lines["findings"] == "nothing suspicious"
    assert lines["columns"] == "37: 37 discrete (27 text, 10 truth values)"
    assert lines["test"] == "all 37 columns are discrete: G test, alpha 0.05"
    assert lines["expected"].endswith("tests, less than a second, within a factor of 3")
    assert ran.out.isascii() and "\x1b" not in ran.out


def test_json_is_the_check_of_the_library(hccd, numbers):
    ran = hccd("check", numbers, "--json", "--method", "pc", "--max-order", "1")
    report = json.loads(ran.out)
    assert (ran.code, ran.err) == (0, "")
    expected = check_data(numbers, method="pc", max_order=1).to_dict()
    for estimate in (report["estimate"], expected["estimate"]):
        del estimate["seconds"], estimate["phases"]
    assert report == json.loads(json.dumps(expected))


def test_the_estimate_is_of_the_run_that_learn_would_make(hccd, write):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(300, 1)) + rng.normal(size=(300, 12))
    file = write("factor.csv", [f"v{i}" for i in range(12)], values.tolist())

    def orders(*options):
        return len(json.loads(hccd("check", file, "--json", *options).out)["estimate"]["by_order"])

    assert orders() == 4 < orders("--scoring", "none")
    assert orders("--method", "pc") > 4 == orders("--method", "pc", "--scoring", "bic")
    assert orders("--scoring", "none", "--max-order", "2") == 3


def test_a_table_with_faults(hccd, ward):
    ran = hccd("check", ward, "--missing", "refuse")
    errors = [line.split(maxsplit=1)[1] for line in ran.out.splitlines() if line.startswith("error")]
    assert ran.code == 2 and len(errors) == 1
    assert ran.err == f"error: '{ward}': {errors[0]}; to continue: --missing auto\n"
    assert "1 missing value in 'fever'" in errors[0]
    assert "column 'visit' holds dates or times and is left out: turn it into numbers" in ran.out
    assert "column 'patient' holds free text or identifiers (more than 45 states) and is left out" in ran.out


MENDED = ["--index", "patient", "--drop", "visit,n=4", "--drop-missing", "rows"]


@pytest.mark.parametrize(
    ("options", "variables", "rows"),
    [
        ([*MENDED, "--discretize", "dose=3", "--discretize", "fever=4"], 4, "89"),
        ([*MENDED, "--discretize", "3"], 4, "89"),
        ([*MENDED, "--drop", "sex", "--continuous", "a,b"], 3, "89"),
        ([*MENDED, "--drop", "dose:fever", "--discrete", "a,b"], 2, "90"),
        (["--index", "patient", "--drop", "visit,n=4", "--drop-missing", "columns", "--discretize", "dose=2"], 3, "90"),
    ],
)  # fmt: skip
def test_options_mend_it(hccd, ward, options, variables, rows):
    checked, learned = hccd("check", ward, *options), hccd("learn", ward, *options)
    assert checked.code == learned.code == 0
    assert said(checked.out)["rows"] == said(learned.out)["rows"] == rows
    assert said(checked.out)["columns"] == said(learned.out)["variables"]
    assert said(checked.out)["columns"].startswith(f"{variables}: ")
    assert said(checked.out)["test"] == said(learned.out)["test"]


def test_a_name_may_hold_what_separates_a_list_or_a_number(hccd, ward):
    ran = hccd("check", ward, *MENDED[:2], "--drop", "visit", *MENDED[4:], "--drop", "n=4", "--discretize", "a,b=2",
               "--discretize", "dose,fever=3")  # fmt: skip
    assert ran.code == 0 and said(ran.out)["columns"] == "4: 4 discrete (3 as declared, 1 text)"


@pytest.mark.parametrize(
    ("options", "phrase"),
    [
        (["--drop", "zz"], "no column 'zz' to drop"),
        (["--index", "dose,zz"], "no column 'zz' to take as index"),
        (["--discrete", "zz"], "no column 'zz' to take as discrete"),
        (["--continuous", "sex"], "'sex' holds text"),
        (["--continuous", "dose", "--discrete", "dose"], "'dose' cannot be both"),
        (["--discretize", "dose"], "--discretize is 'dose'; give COLUMN=K"),
        (["--discretize", "=3"], "--discretize is '=3'"),
        (["--discretize", "dose=x"], "--discretize is 'x'; give a whole number from 2"),
        (["--discretize", "1"], "--discretize is '1'"),
        (["--drop-missing", "cells"], "--drop-missing is 'cells'; choose one of rows, columns"),
        (["--delimiter", "ab"], "delimiter is 'ab'"),
        (["--encoding", "klingon"], "encoding is 'klingon'"),
        (["--decimal", ";"], "decimal is ';'"),
    ],
)
def test_options_that_cannot_be_used(hccd, ward, tmp_path, options, phrase):
    for command in ("check", "learn"):
        before = set(tmp_path.rglob("*"))
        ran = hccd(command, ward, *options, *([] if "sex" not in options and "dose" not in options else MENDED))
        assert ran.code == 2 and ran.out == "" and phrase in ran.err and ran.err.count("\n") == 1
        assert set(tmp_path.rglob("*")) == before


def test_text_as_it_is_told(hccd, tmp_path):
    rng = np.random.default_rng(0)
    lines = "".join(f"{x:.3f}~{y:.3f}~-999\n".replace(".", ",") for x, y in rng.normal(size=(40, 2)))
    lines += "".join(
        f"{x:.3f}~{y:.3f}~{i % 2}\n".replace(".", ",") for i, (x, y) in enumerate(rng.normal(size=(40, 2)))
    )
    file = tmp_path / "odd.txt"
    file.write_bytes(lines.encode("utf-16-be"))
    options = ["--delimiter", "~", "--decimal", ",", "--encoding", "utf-16-be", "--no-header", "--na", "NA,-999",
               "--drop-missing", "rows"]  # fmt: skip
    ran = hccd("learn", file, *options)
    assert ran.code == 0 and said(ran.out)["rows"] == "40"
    assert said(ran.out)["variables"].startswith("3: 1 discrete (whole numbers with few values) and 2 continuous")
    note, warning = ran.err.splitlines()
    assert note == "note: 40 of 80 rows have missing values and are left out"
    assert warning.startswith("warning: there are 40 rows for 3 columns")


@pytest.mark.parametrize("command", ["check", "learn"])
def test_standard_input(hccd, numbers, monkeypatch, command):
    class Piped:
        closed = False
        buffer = io.BytesIO(numbers.read_bytes())

    monkeypatch.setattr(sys, "stdin", Piped)
    assert said(hccd(command, "-").out)["rows"] == "500"
    empty = hccd(command, "-")
    assert (empty.code, empty.err) == (
        2,
        "error: standard input: the file is empty: give one with a header line and rows\n",
    )


# The short form inside learn.


def suspicious(write, n_pairs):
    rng = np.random.default_rng(5)
    columns = {"row": np.arange(300), "x": rng.normal(size=300)}
    columns["copy"] = columns["x"]
    for i in range(n_pairs):
        columns[f"a{i}"] = rng.normal(size=300)
        columns[f"b{i}"] = columns[f"a{i}"] + 0.01 * rng.normal(size=300)
    return write("suspicious.csv", list(columns), np.column_stack(list(columns.values())).tolist())


def test_learning_says_each_warning_once(hccd, write):
    file = suspicious(write, 1)
    learned = [line.removeprefix("warning: ") for line in hccd("learn", file).err.splitlines()]
    checked = [line.split(maxsplit=1)[1] for line in hccd("check", file).out.splitlines() if line.startswith("warning")]
    assert sorted(learned) == sorted(checked) and len(learned) == 3


def test_learning_says_a_few_warnings_only(hccd, write, monkeypatch):
    monkeypatch.setattr("hccd.cli.tasks.learn._MOST_SAID", 4)
    lines = hccd("learn", suspicious(write, 7)).err.splitlines()
    assert len(lines) == 5 == len(set(lines)) and lines[-1] == (
        "warning: 2 more warnings are in the report, and shown by hccd explain"
    )
    assert hccd("learn", suspicious(write, 7), "--quiet").err == ""


def test_a_long_run_is_announced(hccd, numbers, monkeypatch):
    long = WorkEstimate(10**9, (10**9,), {"tests": 600.0}, 0.0)
    monkeypatch.setattr("hccd.preflight.check._cost", lambda *_: long)
    assert hccd("learn", numbers).err == (
        "note: expected: about 1,000,000,000 tests, about 10 minutes, within a factor of 3; "
        "--max-order limits the tests\n"
    )
