"""Bad input: exit code 2, one sentence on stderr, nothing on stdout, nothing on disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hccd.cli.tasks import learn as run_module

GOOD = "a,b\n" + "".join(f"{i % 2},{i * 0.37 % 1}\n" for i in range(40))
TEXT = "a,b\n" + "".join(f"{'xyz'[i % 3]},{'uv'[i % 2]}\n" for i in range(40))


def check_refusal(ran, folder: Path, before: set[Path], *phrases: str) -> None:
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("error: ") and ran.err.count("\n") == 1 and ran.err.endswith("\n")
    assert "Traceback" not in ran.err
    for phrase in phrases:
        assert phrase in ran.err
    assert set(folder.rglob("*")) == before


def test_data_that_do_not_fit_the_test(hccd, tmp_path):
    words, measured = tmp_path / "words.csv", tmp_path / "measured.csv"
    words.write_text(TEXT)
    measured.write_text("a,b\n" + "".join(f"{i * 0.37},{i * 0.11}\n" for i in range(60)))
    before = {words, measured}
    check_refusal(
        hccd("learn", words, "--test", "fisher-z"), tmp_path, before, "words.csv", "'a' holds text ('x', 'y')"
    )
    for test in ("g", "chi2", "mi"):
        ran = hccd("learn", measured, "--test", test)
        check_refusal(ran, tmp_path, before, "measured.csv", "'a' and 'b' hold continuous values")


BAD_OPTIONS = [
    (["--alpha", "0"], "--alpha is 0.0", "between 0 and 1"),
    (["--alpha", "1"], "--alpha is 1.0", "between 0 and 1"),
    (["--alpha", "-0.1"], "--alpha is -0.1"),
    (["--alpha", "nan"], "--alpha is nan"),
    (["--alpha", "five"], "--alpha is 'five'", "give a number"),
    (["--alpha", "7", "--test", "mi"], "--alpha is 7.0"),
    (["--alpha"], "--alpha"),
    (["--threshold", "-1"], "--threshold is -1.0"),
    (["--threshold", "inf"], "--threshold is inf"),
    (["--threshold", "0.1"], "threshold belongs to the test 'mi'"),
    (["--test", "t"], "--test is 't'", "auto, fisher-z, g, chi2, mi"),
    (["--test", ""], "--test is ''"),
    (["--method", "ges"], "--method is 'ges'", "hccd, pc, flat, tscb, not-c"),
    (["--preset", "mine"], "--preset is 'mine'", "default, paper"),
    (["--jobs", "0"], "--jobs is 0"),
    (["--jobs", "many"], "--jobs is 'many'", "the number of workers"),
    (["--seed", "-1"], "--seed is -1", "a whole number from 0"),
    (["--seed", "1.5"], "--seed is '1.5'"),
    (["--max-order", "-1"], "--max-order is -1", "a whole number from 0, or 'none'"),
    (["--drop", "zz"], "no column 'zz' to drop", "data.csv"),
    (["--drop", "a"], "1 column: at least 2"),
    (["--out", ""], "--out is empty"),
    (["--colour", "red"], "--colour", "hccd learn --help"),
    (["another.csv"], "another.csv", "hccd learn --help"),
]


@pytest.mark.parametrize(("options", "phrases"), [(case[0], case[1:]) for case in BAD_OPTIONS])
def test_options_that_cannot_be_used(hccd, tmp_path, options, phrases):
    file = tmp_path / "data.csv"
    file.write_text(GOOD)
    check_refusal(hccd("learn", file, *options), tmp_path, {file}, *phrases)


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [(["learn"], "DATA"), (["lern", "x.csv"], "'lern'"), (["--colour"], "--colour"), (["demo", "x"], "x")],
)
def test_commands_that_are_not_there(hccd, tmp_path, arguments, phrase):
    check_refusal(hccd(*arguments), tmp_path, set(), phrase, "--help")


def test_folders_that_cannot_be_written_to(hccd, tmp_path):
    file, occupied = tmp_path / "data.csv", tmp_path / "occupied"
    file.write_text(GOOD)
    (occupied / "graph.json").mkdir(parents=True)
    before = set(tmp_path.rglob("*"))
    check_refusal(hccd("learn", file, "--out", file), tmp_path, before, "data.csv' is a file", "--out")
    check_refusal(hccd("learn", file, "--out", file / "x" / "y"), tmp_path, before, "data.csv' is a file")
    check_refusal(hccd("learn", file, "--out", occupied), tmp_path, before, "not a file")
    check_refusal(hccd("learn", file, "--out", occupied, "--force"), tmp_path, before, "not a file")
    check_refusal(hccd("learn", file, "--out", "n" * 300), tmp_path, before, "too long")
    check_refusal(hccd("demo", "--out", file), tmp_path, before, "data.csv' is a file")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_folders_without_permission(hccd, tmp_path):
    file, closed = tmp_path / "data.csv", tmp_path / "closed"
    file.write_text(GOOD)
    closed.mkdir(mode=0o500)
    before = set(tmp_path.rglob("*"))
    check_refusal(hccd("learn", file, "--out", closed), tmp_path, before, "Permission denied")
    check_refusal(hccd("learn", file, "--out", closed / "inner"), tmp_path, before, "Permission denied")


def test_the_folder_is_tried_before_the_data_are_read(hccd, tmp_path, monkeypatch):
    def read(*_args: object, **_options: object) -> None:
        raise AssertionError("the data were read")

    monkeypatch.setattr(run_module, "read_or_stream", read)
    (tmp_path / "file").write_text("")
    check_refusal(hccd("learn", "x.csv", "--out", "file"), tmp_path, {tmp_path / "file"}, "is a file")


def test_bare_hccd_shows_the_help(hccd):
    ran = hccd()
    assert ran.code == 2 and ran.out == "" and "Usage: hccd" in ran.err
