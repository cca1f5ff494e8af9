"""Hostile files and uses, through every command: one clear sentence, exit code 2, no traceback, nothing written."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import hccd as library

pytestmark = pytest.mark.slow

SOURCES = str(Path(__file__).parents[2] / "src")


@cache
def graph():
    rng = np.random.default_rng(3)
    x = rng.normal(size=300)
    y = rng.normal(size=300)
    z = x + y + rng.normal(size=300)
    return json.loads(json.dumps(library.discover({"x": x, "y": y, "z": z, "w": z + rng.normal(size=300)}).to_dict()))


def changed(**parts):
    return json.dumps({**graph(), **parts}).encode()


def edges(*triples):
    return [{"source": a, "target": b, "type": kind, "strength": 0.5} for a, b, kind in triples]


#: The file, and whether a reader of the graph alone (compare) refuses it too.
DAMAGED = {
    "empty": (b"", True),
    "cut off": (changed()[:200], True),
    "not JSON": (b"graph: yes\n", True),
    "binary": (bytes(range(256)) * 10, True),
    "a list": (b"[1, 2]", True),
    "null": (b"null", True),
    "another format": (changed(format="dot"), True),
    "a later version": (changed(version=2), True),
    "a version that is text": (changed(version="1"), True),
    "no nodes": (json.dumps({k: v for k, v in graph().items() if k != "nodes"}).encode(), True),
    "nodes that are numbers": (changed(nodes=[1, 2, 3, 4]), True),
    "nodes that are one text": (changed(nodes="xyzw"), False),
    "a name twice": (changed(nodes=["x", "x", "z", "w"]), True),
    "nodes in nodes": (changed(nodes=[["x"], "y", "z", "w"]), True),
    "edges that are texts": (changed(edges=["x -> y"]), True),
    "an edge to nowhere": (changed(edges=edges(("x", "nowhere", "directed"))), True),
    "an edge to itself": (changed(edges=edges(("x", "x", "directed"))), True),
    "an edge of a foreign type": (changed(edges=edges(("x", "y", "wavy"))), True),
    "a cycle": (changed(edges=edges(("x", "y", "directed"), ("y", "z", "directed"), ("z", "x", "directed"))), False),
    "a count of thousands of digits": (
        changed(version=1).replace(b'"total": ', b'"total": ' + b"9" * 5000, 1), True
    ),
    "a strength that is text": (changed(edges=[{**graph()["edges"][0], "strength": "strong"}]), False),
    "brackets within brackets": (b"[" * 100_000, True),
    "no clusters": (changed(clusters=None), False),
    "separations of another kind": (changed(separations=7), False),
    "p-values that are no code": (changed(marginal_p_values="&&&"), False),
    "gzip that is damaged": (gzip.compress(changed())[:-9], True),
}  # fmt: skip


def refused(ran, *phrases):
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ") and ran.err.count("\n") == 1 and ran.err.endswith("\n")
    assert "Traceback" not in ran.err and "\x1b" not in ran.err and len(ran.err) < 5200
    for phrase in phrases:
        assert phrase in ran.err


@pytest.mark.parametrize("what", DAMAGED)
def test_damaged_graphs(hccd, tmp_path, what):
    content, for_all = DAMAGED[what]
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "graph.json").write_bytes(content)
    (tmp_path / "good.json").write_text(json.dumps(graph()))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for arguments in (["bad"], ["bad/graph.json", "x"], ["bad", "x", "y", "--json"]):
        refused(hccd("explain", *arguments), "graph.json")
    for pair in (["bad", "good.json"], ["good.json", "bad/graph.json"]):
        ran = hccd("compare", *pair)
        if for_all or ran.code:
            refused(ran, "graph.json")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


COMMANDS = {
    "learn": ["DATA"],
    "compare": ["TRUTH", "LEARNED"],
    "explain": ["RUN"],
    "simulate": ["NETWORK"],
    "reproduce": ["NAME"],
    "demo": [],
    "version": [],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_calls_that_cannot_be_meant(hccd, tmp_path, command):
    needed = COMMANDS[command]
    refused(hccd(command, *needed, "--bogus"), "--bogus", f"hccd {command} --help")
    refused(hccd(command, *needed, "--config"), "--config")
    refused(hccd(command, *needed, "--config", "no\nwhere\x1b[0m"), r"no\nwhere\x1b[0m")
    refused(hccd(command, *needed, "a", "b", "c", "d"), f"hccd {command} --help")
    if needed:
        refused(hccd(command), needed[0], f"hccd {command} --help")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "nowhere", "n" * 5000, "no\nwhere\x1b[31m", "\u202egpj", "/dev/null/x", "a\0b"])
def test_names_of_files_that_are_not_there(hccd, tmp_path, name):
    shown = name.encode("unicode_escape").decode()[:50]
    for arguments in (["learn", name], ["explain", name], ["compare", name, name], ["simulate", name]):
        refused(hccd(*arguments), *([shown] if name and arguments[0] != "simulate" and "\0" not in name else []))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [["learn", "data.csv"], ["simulate", "random", "--variables", "4"], ["demo"], ["reproduce", "ci-tests"]],
)
def test_folders_that_cannot_be_made(hccd, tmp_path, arguments):
    (tmp_path / "data.csv").write_text("a,b\n" + "".join(f"{i % 2},{i * 0.37 % 1}\n" for i in range(40)))
    (tmp_path / "file").write_text("mine")
    before = set(tmp_path.rglob("*"))
    refused(hccd(*arguments, "--out", "file"), "file")
    refused(hccd(*arguments, "--out", "file/below"), "file")
    refused(hccd(*arguments, "--out", "n" * 300))
    if sys.platform == "linux":
        refused(hccd(*arguments, "--out", "/proc/hccd"), "/proc/hccd")
    assert set(tmp_path.rglob("*")) == before and (tmp_path / "file").read_text() == "mine"


def call(cwd, *arguments, limit=None, shell="", **environment):
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("HCCD_", "PYTHONIO", "LC_", "LANG"))
    }
    kept = {**kept, "PYTHONPATH": SOURCES, **environment}
    command = [sys.executable, "-m", "hccd", *arguments]
    if shell:
        command = ["/bin/sh", "-c", f'exec "$@" {shell}', "sh", *command]

    def limited():
        if limit is not None:
            import resource

            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        command, cwd=cwd, env={k: v for k, v in kept.items() if v is not None}, capture_output=True, timeout=120,
        preexec_fn=limited,
    )  # fmt: skip


def one_sentence(ran):
    assert ran.returncode == 2 and ran.stdout == b""
    assert ran.stderr.startswith(b"error: ") and ran.stderr.count(b"\n") == 1 and b"Traceback" not in ran.stderr


@pytest.fixture
def saved(tmp_path):
    (tmp_path / "graph.json").write_text(json.dumps(graph()))
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits")
@pytest.mark.parametrize("arguments", [["demo"], ["simulate", "random", "--rows", "5000", "--variables", "9"]])
def test_disks_that_are_full(tmp_path, arguments):
    ran = call(tmp_path, *arguments, "--out", "new/run", limit=2000)
    # A run of more than a second has tried to save its state before.
    ran.stderr = re.sub(rb"^note: the state of the run cannot be saved [^\n]*\n", b"", ran.stderr)
    one_sentence(ran)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_results_that_cannot_be_told(saved):
    for arguments in (["explain", "."], ["version", "--json"]):
        ran = call(saved, *arguments, shell=">/dev/full")
        assert ran.returncode == 2 and ran.stderr.count(b"\n") == 1 and b"No space left" in ran.stderr


def test_streams_that_are_closed_or_left(saved):
    for shell in ("2>&-", ">&- <&-", "| true"):
        ran = call(saved, "explain", ".", shell=shell)
        assert ran.returncode == 0 and b"Traceback" not in ran.stderr, shell


def test_a_locale_of_ascii(saved):
    rng = np.random.default_rng(1)
    library.discover(rng.normal(size=(50, 2)), names=["größe 🙂", "y"]).save(saved / "graph.json")
    ran = call(saved, "explain", ".", "größe 🙂", "y", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert ran.returncode == 0 and ran.stdout.isascii() and rb"gr\xf6\xdfe" in ran.stdout
    ran = call(saved, "explain", ".", "größe", "y", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    one_sentence(ran)


def test_no_home_and_no_folder(saved, tmp_path_factory):
    ran = call(saved, "simulate", "random", "--variables", "3", "--out", "~nobody-of-this-name/x", HOME=None)
    assert ran.returncode == 0 and (saved / "~nobody-of-this-name" / "x" / "data.csv").exists()
    gone = tmp_path_factory.mktemp("gone")
    ran = subprocess.run(
        ["/bin/sh", "-c", f"cd '{gone}' && rmdir '{gone}' && exec '{sys.executable}' -m hccd learn data.csv"],
        env={**os.environ, "PYTHONPATH": SOURCES}, capture_output=True, timeout=60,
    )  # fmt: skip
    one_sentence(ran)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder that nobody can write to")
def test_a_folder_that_nobody_can_write_to(saved):
    for arguments in (["demo"], ["simulate", "random", "--variables", "3"]):
        one_sentence(call("/proc/self", *arguments))
    assert call("/proc/self", "explain", str(saved)).returncode == 0
