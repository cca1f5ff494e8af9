"""Completion by the shell: what is proposed, and that asking for it is quick and never speaks."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from hccd.choices import METHODS, TESTS
from hccd.cli.commands.simulate import NETWORKS
from hccd.cli.completion import complete_column, complete_variable, completing

SOURCES = str(Path(__file__).parents[2] / "src")


def proposed(cwd, *words):
    """Ask as bash does: the words so far, the last one being typed."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HCCD_")},
        "PYTHONPATH": SOURCES,
        "_HCCD_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(("hccd", *words)),
        "COMP_CWORD": str(len(words)),
    }
    code = "import sys; from hccd.cli.main import main; sys.exit(main([]))"
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=cwd, capture_output=True, text=True, timeout=60
    )
    assert ran.stderr == ""
    return ran.stdout.split()


@pytest.fixture
def run(tmp_path):
    (tmp_path / "run").mkdir()
    graph = tmp_path / "run" / "graph.json"
    graph.write_text(json.dumps({"nodes": ["HR", "HRBP", "CO", "line\nbreak", 7]}))
    return graph


def test_a_shell_is_answered(tmp_path, run):
    assert set(proposed(tmp_path, "learn", "x.csv", "--test", "")) == set(TESTS)
    assert set(proposed(tmp_path, "explain", "run", "HR")) == {"HR", "HRBP"}
    # Also while the value of an option is typed, when arguments before it are not assigned yet.
    (tmp_path / "x.csv").write_text("patient,date\n")
    for before in ((), ("--alpha", "0.1"), ("--drop", "date", "--index", "date")):
        assert proposed(tmp_path, "learn", "x.csv", *before, "--drop", "pa") == ["patient"]
    assert proposed(tmp_path, "learn", "--drop", "pa") == []
    assert set(proposed(tmp_path, "plot", "run", "--around", "")) == {"HR", "HRBP", "CO"}
    assert proposed(tmp_path, "effect", "run", "HR", "CO", "--data", "x.csv", "--drop", "d") == ["date"]
    assert proposed(tmp_path, "effect", "run", "HR", "CO", "--drop", "d") == []


class Typed:
    """What a function for completion gets to see."""

    command = SimpleNamespace(params=())

    def __init__(self, **params):
        self.params = params


def test_variables_of_a_run(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for where in ("run", "run/graph.json"):
        assert complete_variable(Typed(run=where), "") == ["HR", "HRBP", "CO"]
        assert complete_variable(Typed(run=where), "C") == ["CO"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"nodes": 3}', b"\xff", b"[" * 100_000])
def test_runs_that_cannot_be_read_propose_nothing(tmp_path, content):
    (tmp_path / "graph.json").write_bytes(content)
    assert complete_variable(Typed(run=tmp_path), "") == []
    assert complete_variable(Typed(run=None), "") == complete_variable(Typed(), "") == []
    assert complete_variable(Typed(run="n" * 5000), "") == []


@pytest.mark.parametrize("header", ["patient,date,x", "patient;date;x", "\ufeffpatient\tdate\tx", '"patient","date",x'])
def test_columns_of_a_table(tmp_path, header):
    (tmp_path / "data.csv").write_text(f"{header}\n1,2,3\n", encoding="utf-8")
    assert complete_column(Typed(data=tmp_path / "data.csv"), "") == ["patient", "date", "x"]
    assert complete_column(Typed(data=tmp_path / "data.csv"), "da") == ["date"]
    (tmp_path / "data.csv.gz").write_bytes(gzip.compress((tmp_path / "data.csv").read_bytes()))
    assert complete_column(Typed(data=tmp_path / "data.csv.gz"), "da") == ["date"]
    (tmp_path / "data.csv.gz").write_bytes(gzip.compress((tmp_path / "data.csv").read_bytes())[:-12])
    assert complete_column(Typed(data=tmp_path / "data.csv.gz"), "da") in ([], ["date"])
    assert complete_column(Typed(data=tmp_path), "") == complete_column(Typed(data="nowhere.csv"), "") == []


def test_choices():
    assert completing(METHODS)("") == list(METHODS) and completing(METHODS)("n") == ["not-c"]
    assert completing(NETWORKS)("al") == ["alarm"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_can_be_shown(hccd, monkeypatch, shell):
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    code = "import sys; from hccd.cli.main import main; sys.exit(main(sys.argv[1:]))"
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    ran = subprocess.run(
        [sys.executable, "-c", code, "--show-completion", shell],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0 and "_HCCD_COMPLETE" in ran.stdout
