"""The leaderboard end to end with stand-ins for other packages: what is kept, what is marked, what is run again."""

import csv
import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG
from hccd.metrics import shd
from hccd.studies import Folders, load_study, peer_script, reproduce
from hccd.studies.board_data import kind_of, load_board_data
from hccd.studies.board_runs import compared, read_graph
from hccd.studies.sources import load_sets

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")]
needs_networks = pytest.mark.skipif(find_spec("pgmpy") is None, reason="networks come with the extra experiments")

TINY = {"data_set": ["n=8, 60 rows", "n=6, 60 rows", "n=7, 90 rows"], "sets": 2, "cap": 5}
TABLES = ("runs.csv", "table.md")
ALWAYS_THE_SAME = (*TABLES, "figure.png", "figure.svg")

STAND_IN = """
import os
import sys
sys.path.insert(0, {folder!r})
import peer_script as script
from peer_script import DISCRETE, Peer, same

def learn(data, kind):
    with open({log!r}, "a") as file:
        file.write(f"{{data.shape}}\\n")
    if data.shape[1] == 6:
        raise RuntimeError("six is too many")
    return data

def chain(data):
    n = data.shape[1]
    return {{"directed": [[i, i + 1] for i in range(n - 1)], "undirected": [], "bidirected": [[0, n - 1]]}}

script.available = lambda: {{}} if "NOTHING_INSTALLED" in os.environ else {{"causal-learn": "1.0"}}
for name, peer in list(script.PEERS.items()):
    script.PEERS[name] = Peer(peer.package, same, learn, chain, peer.settings, peer.kinds)
script.serve()
"""


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory):
    """Return an interpreter that has a causal-learn of its own, and the file it notes its calls in."""
    made = tmp_path_factory.mktemp("stand_in")
    code, log, python = made / "stand_in.py", made / "log", made / "python"
    folder = str(Path(peer_script.__file__).parent)
    code.write_text(STAND_IN.format(folder=folder, log=str(log)), encoding="utf-8")
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{code}"\n', encoding="utf-8")
    python.chmod(0o755)
    return str(python), log


@pytest.fixture(scope="module")
def whole(tmp_path_factory, stand_in):
    """Return what the whole board came to, made and drawn once for all tests, and the calls of the stand-in."""
    python, log = stand_in
    outcome = reproduce("leaderboard", tmp_path_factory.mktemp("whole"), peers=python, replaced=TINY)
    return outcome, log.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def finished(whole, stand_in, tmp_path):
    """Return a folder with a copy of the board, which may be changed; no calls are noted yet."""
    shutil.copytree(whole[0].folder, tmp_path / "copy" / "leaderboard")
    stand_in[1].unlink(missing_ok=True)
    return tmp_path / "copy"


def content(folder, names=ALWAYS_THE_SAME):
    return {name: (folder / name).read_bytes() for name in names}


@pytest.fixture
def undrawn(monkeypatch):
    """Leave pictures out: they are drawn from what the tables hold, and take long."""
    monkeypatch.setattr("hccd.studies.board_report.draw_ranks", lambda *_, **__: None)


def runs(folder):
    return list(csv.DictReader((folder / "runs.csv").read_text(encoding="utf-8").splitlines()))


def test_the_whole_board(whole):
    outcome, calls = whole
    assert outcome.not_installed == ("pgmpy", "pyagrum")
    found = runs(outcome.folder)
    own = [method.label for method in load_study("leaderboard").methods]
    # A set that failed is noted, and the second one of its data set not tried.
    assert len(found) == 3 * 2 * len(own) + 2 * (2 + 2 + 1)
    failed = [row for row in found if row["status"]]
    assert {(row["data_set"], row["set"], row["status"]) for row in failed} == {
        ("n=6, 60 rows", "1", "failed: RuntimeError: six is too many")
    }
    assert calls.count("(60, 6)") == 2 and calls.count("(60, 8)") == 4

    truth = load_board_data("n=8, 60 rows", 2, Folders()).truth
    chain = PDAG.from_edges(8, [(i, i + 1) for i in range(7)], [(0, 7)])
    measured = next(
        r for r in found if (r["data_set"], r["set"], r["method"]) == ("n=8, 60 rows", "2", "causal-learn PC")
    )
    assert float(measured["shd"]) == shd(truth, chain).total and measured["bidirected"] == "1.0"
    assert "seconds" not in measured and measured["tests"] == ""
    check_ranks(found, outcome.table)
    assert "| causal-learn GES | n=6, 60 rows | 1 | failed: RuntimeError: six is too many |" in outcome.table
    assert "nan" not in outcome.table
    times = (outcome.folder / "times.md").read_text(encoding="utf-8")
    assert "| HCCD, default |" in times and "| empty graph |" not in times and "nan" not in times


def check_ranks(found, table):
    """Compute the mean ranks by SHD from the runs, by counting."""
    places = {}
    for data_set in TINY["data_set"]:
        by_method = {}
        for row in found:
            if row["data_set"] == data_set:
                value = float("inf") if row["status"] else float(row["shd"])
                by_method.setdefault(row["method"], []).append(value)
        means = {method: sum(values) / len(values) for method, values in by_method.items()}
        for method, mean in means.items():
            rank = 1 + sum(m < mean for m in means.values()) + (list(means.values()).count(mean) - 1) / 2
            places.setdefault(method, []).append(rank)
    section = table.split("## Mean ranks, all data sets\n")[1].split("\n## ")[0]
    shown = {
        line.split(" | ")[0][2:]: line.split(" | ")[1].strip("*") for line in section.splitlines() if " | " in line
    }
    for method, ranks in places.items():
        assert shown[method] == f"{np.mean(ranks):.2f}", method


def test_a_killed_board_goes_on(whole, finished, stand_in):
    folder = finished / "leaderboard"
    for name, keep in (("peers.jsonl", 4), ("runs.jsonl", 20)):
        lines = (folder / name).read_bytes().splitlines(keepends=True)
        (folder / name).write_bytes(b"".join(lines[:keep]) + b'{"cut')
    reproduce("leaderboard", finished, peers=stand_in[0], replaced=TINY, n_jobs=2)
    assert content(folder) == content(whole[0].folder)


@pytest.mark.usefixtures("undrawn")
def test_what_is_finished_is_not_run_again(whole, finished, stand_in):
    python, log = stand_in
    store = finished / "leaderboard" / "runs.jsonl"
    before = store.read_bytes()
    folder = reproduce("leaderboard", finished, peers=python, replaced=TINY).folder
    assert content(folder, TABLES) == content(whole[0].folder, TABLES)
    assert store.read_bytes() == before and not log.exists()


@pytest.mark.usefixtures("undrawn")
def test_only_what_changed_is_run_again(finished, stand_in, monkeypatch):
    python, log = stand_in
    store = finished / "leaderboard" / "runs.jsonl"
    before = len(store.read_text(encoding="utf-8").splitlines())
    # Fewer data sets, more sets, without the other packages: what is there is used.
    monkeypatch.setenv("NOTHING_INSTALLED", "1")
    fewer = {**TINY, "data_set": TINY["data_set"][:1], "sets": 3}
    outcome = reproduce("leaderboard", finished, peers=python, replaced=fewer)
    assert outcome.not_installed == ("causal-learn", "pgmpy", "pyagrum") and "causal-learn" not in outcome.table
    added = [json.loads(line)["case"] for line in store.read_text(encoding="utf-8").splitlines()[before:]]
    assert {(case["data_set"], case["set"]) for case in added} == {(TINY["data_set"][0], 3)} and not log.exists()


@pytest.mark.usefixtures("undrawn")
def test_our_own_methods_are_under_the_cap_too_and_caps_can_be_changed(whole, finished, tmp_path, stand_in):
    def made(out, cap):
        return reproduce("leaderboard", out, peers=stand_in[0], replaced={**TINY, "cap": cap})

    outcome = made(tmp_path, 0)
    late = {row["method"] for row in runs(outcome.folder) if row["status"] == "did not finish in 0 s"}
    assert {"HCCD, default", "PC, paper"} <= late and "empty graph" not in late
    assert "| n=8, 60 rows | did not finish |" in outcome.table
    expected = content(outcome.folder, TABLES)
    assert content(made(tmp_path, TINY["cap"]).folder, TABLES) == content(whole[0].folder, TABLES)
    assert content(made(finished, 0).folder, TABLES) == expected


def test_peers_are_for_the_leaderboard_only(tmp_path):
    with pytest.raises(InvalidParameterError, match="for the study leaderboard only"):
        reproduce("completeness", tmp_path, peers="python")


@needs_networks
def test_data_sets(tmp_path):
    for data_set in load_study("leaderboard").scales["paper"]["data_set"]:
        if data_set in ("NeuroPain", "diabetes", "Munin", "PathFinder", "pigs", "andes"):
            continue
        data = load_board_data(data_set, 1, Folders())
        assert data.kind == kind_of(data_set) == ("discrete" if data.training.dtype.kind in "iu" else "continuous")
        rows = int(data_set.split(", ")[1].split()[0]) if data_set.startswith("n=") else 500
        assert data.training.shape == (rows, data.truth.n) and data.truth.is_dag()
        assert (data.test is None) == (data.kind == "continuous")
    asia = load_board_data("asia", 1, Folders())
    assert not np.array_equal(asia.training, load_board_data("asia", 2, Folders()).training)
    assert not np.array_equal(asia.training, asia.test[:500])
    alarm = load_sets("Alarm", 3, Folders())
    assert np.array_equal(load_board_data("Alarm", 3, Folders()).training, alarm.training)


@needs_networks
def test_graphs_of_others():
    """A DAG counts as its class, arrowheads at both ends as a line, and a graph that no DAG fits has no BDeu."""
    graph, counts = read_graph({"directed": [[0, 1], [1, 2]]}, 8)
    assert graph.undirected_edges().tolist() == [[0, 1], [1, 2]] and counts == {"bidirected": 0.0}
    data = load_board_data("asia", 1, Folders())
    assert "bdeu" in compared(data, graph)
    square, _ = read_graph({"directed": [], "undirected": [[0, 1], [1, 2], [2, 3]], "bidirected": [[0, 3]]}, 8)
    values = compared(data, square)
    assert "bdeu" not in values and values["shd"] >= 0 and values["sid_upper"] >= values["sid_lower"]
    cycle, _ = read_graph({"directed": [[0, 1], [1, 2], [2, 0]]}, 8)
    assert "bdeu" not in compared(data, cycle)
