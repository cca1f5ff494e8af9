"""The output folder: what is replaced, what is not, and that failures leave nothing behind."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import json
from pathlib import Path

import numpy as np
import pytest

from hccd import discover as learned
from hccd import read_table
from hccd.cli.tasks import learn as run_module
from hccd.result import HCCDResult


def test_parents_are_made(hccd, numbers, tmp_path):
    assert hccd("learn", numbers, "--out", "deep/er/down").code == 0
    written = {path.name for path in (tmp_path / "deep" / "er" / "down").iterdir()}
    assert written == {"graph.json", "report.html"}


def test_the_default_folder(hccd, numbers, tmp_path):
    assert hccd("learn", numbers).code == 0
    assert (tmp_path / "hccd-out" / "graph.json").exists()


def test_a_run_on_the_same_data_is_replaced(hccd, numbers, tmp_path, monkeypatch):
    graph = tmp_path / "run" / "graph.json"
    assert hccd("learn", numbers, "--out", "run").code == 0
    (tmp_path / "run" / "notes.txt").write_text("keep me")
    # Other options, another name, packed or from a pipe: the data are the same.
    packed = tmp_path / "other.csv.gz"
    packed.write_bytes(gzip.compress(numbers.read_bytes()))
    for command in (
        ["learn", numbers, "--drop", "a", "--weights", "b", "--missing", "rows", "--test", "regression"],
        ["learn", packed, "--drop", "a"],
        ["learn", numbers, "--discretize", "3", "--index", "b"],
    ):
        ran = hccd(*command, "--out", "run")
        if "--weights" in command:
            # Weights below 0 are refused; the folder is not.
            assert "weight" in ran.err and "other data" not in ran.err
            continue
        assert ran.code == 0
        assert json.loads(graph.read_text(encoding="utf-8"))["nodes"] == [n for n in "abcd" if n not in command]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(numbers.read_bytes())))
    assert hccd("learn", "-", "--out", "run").code == 0
    assert (tmp_path / "run" / "notes.txt").read_text() == "keep me"


def test_a_run_on_other_data_is_replaced_by_force_only(hccd, numbers, states, tmp_path):
    graph, report = tmp_path / "run" / "graph.json", tmp_path / "run" / "report.html"
    assert hccd("learn", numbers, "--out", "run").code == 0
    before = graph.read_bytes(), report.read_bytes()
    # One cell more or less is other data, and so is the run of another day in a file of the same name.
    changed = numbers.read_text().splitlines(keepends=True)
    (tmp_path / "day").mkdir()
    (tmp_path / "day" / numbers.name).write_text("".join(changed[:-1]))
    for other in (states, tmp_path / "day" / numbers.name):
        ran = hccd("learn", other, "--out", "run")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == (
            "error: 'run/graph.json' is a graph of other data: choose another --out, or replace it with --force\n"
        )
        assert (graph.read_bytes(), report.read_bytes()) == before
    assert hccd("demo", "--out", "run").code == 2
    assert hccd("learn", states, "--out", "run", "--force").code == 0
    assert json.loads(graph.read_text(encoding="utf-8"))["nodes"] == ["p", "q", "r"]
    assert hccd("learn", states, "--out", "run").code == 0


def test_a_graph_that_names_no_data_is_replaced_by_force_only(hccd, numbers, tmp_path):
    result = learned(np.random.default_rng(0).normal(size=(50, 3)))
    (tmp_path / "run").mkdir()
    result.save(tmp_path / "run" / "graph.json")
    ran = hccd("learn", numbers, "--out", "run")
    assert ran.code == 2 and "'run/graph.json' is a graph of unknown data: choose another" in ran.err
    assert hccd("learn", numbers, "--out", "run", "--force").code == 0


def test_the_digest_is_that_of_the_file_and_stays(hccd, numbers, tmp_path):
    assert hccd("learn", numbers, "--out", "run").code == 0
    digest = hashlib.blake2b(numbers.read_bytes(), digest_size=16).hexdigest()
    loaded = HCCDResult.load(tmp_path / "run" / "graph.json")
    assert loaded.data_digest == digest == learned(read_table(numbers)).data_digest
    # Not moved to where nobody looks for it, and the same after another round.
    loaded.save(tmp_path / "again.json")
    assert digest.encode() in (tmp_path / "again.json").read_bytes()[:256]


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
