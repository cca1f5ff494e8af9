"""The output folder: what is replaced, what is not, and that failures leave nothing behind."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from hccd.cli.tasks import learn as run_module
from hccd.result import HCCDResult


def test_parents_are_made(hccd, numbers, tmp_path):
    assert hccd("learn", numbers, "--out", "deep/er/down").code == 0
    written = {path.name for path in (tmp_path / "deep" / "er" / "down").iterdir()}
    assert written == {"graph.json", "report.html"}


def test_the_default_folder(hccd, numbers, tmp_path):
    assert hccd("learn", numbers).code == 0
    assert (tmp_path / "hccd-out" / "graph.json").exists()


def test_own_files_are_replaced(hccd, numbers, states, tmp_path):
    graph = tmp_path / "run" / "graph.json"
    assert hccd("learn", numbers, "--out", "run").code == 0
    (tmp_path / "run" / "notes.txt").write_text("keep me")
    assert hccd("learn", states, "--out", "run").code == 0
    assert json.loads(graph.read_text(encoding="utf-8"))["nodes"] == ["p", "q", "r"]
    assert (tmp_path / "run" / "notes.txt").read_text() == "keep me"


@pytest.mark.parametrize("content", ['{"nodes": [], "format": "other"}', "", "hccd-graph", "\x00\xff"])
def test_foreign_files_are_replaced_by_force_only(hccd, numbers, tmp_path, content):
    (tmp_path / "run").mkdir()
    graph = tmp_path / "run" / "graph.json"
    graph.write_text(content, encoding="latin-1")
    ran = hccd("learn", numbers, "--out", "run")
    assert ran.code == 2
    assert ran.err.count("\n") == 1 and "was not written by hccd" in ran.err and "--force" in ran.err
    assert graph.read_text(encoding="latin-1") == content
    assert hccd("learn", numbers, "--out", "run", "--force").code == 0
    assert HCCDResult.load(graph).names == ("a", "b", "c", "d")


def test_home_is_understood(hccd, numbers, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert hccd("learn", numbers, "--out=~/run").code == 0
    assert (tmp_path / "home" / "run" / "graph.json").exists()


class Boom(Exception):
    """Some error that nobody foresaw."""


@pytest.mark.parametrize(
    ("error", "code", "phrases"),
    [
        (Boom("first\nsecond"), 1, ["bug", "Boom: first", "report"]),
        (ZeroDivisionError(), 1, ["bug", "ZeroDivisionError", "report"]),
        (ValueError("shapes differ"), 1, ["bug", "ValueError"]),
        (MemoryError(), 2, ["not enough memory"]),
        (KeyboardInterrupt(), 130, ["interrupted"]),
        (OSError(errno.EIO, "Input/output error"), 2, ["Input/output error"]),
    ],
)
def test_a_run_that_fails_leaves_nothing(hccd, numbers, tmp_path, monkeypatch, error, code, phrases):
    def fail(*_args: object, **_options: object) -> None:
        raise error

    monkeypatch.delenv("HCCD_DEBUG", raising=False)
    monkeypatch.setattr(run_module, "learn_graph", fail)
    ran = hccd("learn", numbers, "--out", "new/folder")
    assert (ran.code, ran.out) == (code, "")
    (line,) = ran.err.strip().splitlines()
    assert line.startswith("error: ") and all(phrase in line for phrase in phrases)
    assert {path.name for path in tmp_path.iterdir()} == {"numbers.csv"}


def test_a_bug_can_be_looked_at(hccd, numbers, monkeypatch):
    def fail(*_args: object, **_options: object) -> None:
        raise Boom("here")

    monkeypatch.setattr(run_module, "learn_graph", fail)
    monkeypatch.setenv("HCCD_DEBUG", "1")
    ran = hccd("learn", numbers)
    assert ran.code == 1 and "Traceback" in ran.err and "Boom: here" in ran.err
    assert ran.err.splitlines()[-1].startswith("error: ")


@pytest.mark.parametrize("there_before", [False, True])
def test_a_disk_that_fills_up_leaves_what_was(hccd, numbers, tmp_path, monkeypatch, there_before):
    if there_before:
        assert hccd("learn", numbers, "--out", "run").code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def fail(self: Path, _target: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    ran = hccd("learn", numbers, "--out", "run")
    assert ran.code == 2
    assert ran.err.startswith("error: ") and ran.err.count("\n") == 1 and "No space left" in ran.err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert (tmp_path / "run").exists() == there_before
