"""``--json``: the result as JSON on stdout, everything else on stderr."""

from __future__ import annotations

import json

import pytest

from hccd import __version__
from hccd.datasets import alarm_path


def test_learn(hccd, tmp_path):
    (tmp_path / "bare.csv").write_text("".join(f"{i * 7 % 11},{i * 3 % 13}\n" for i in range(60)))
    ran = hccd("learn", "bare.csv", "--json", "--out", "run")
    assert ran.code == 0 and ran.err.startswith("note: ") and ran.out.isascii()
    said = json.loads(ran.out)
    graph = json.loads((tmp_path / "run" / "graph.json").read_text(encoding="utf-8"))
    assert said["graph"] == "run/graph.json" and said["rows"] == 60
    assert set(said["columns"]) == set(graph["nodes"]) and len(said["notes"]) == 1
    for part in ("nodes", "edges", "ci_tests", "seconds", "clusters", "parameters", "conflicts", "warnings"):
        assert said[part] == graph[part]
    quiet = hccd("learn", "bare.csv", "--json", "--quiet", "--out", "run")
    assert quiet.err == "" and json.loads(quiet.out)["edges"] == said["edges"]


def test_simulate(hccd, tmp_path):
    ran = hccd("simulate", "random", "--variables", 5, "--rows", 20, "--seed", 3, "--out", "data", "--json")
    said = json.loads(ran.out)
    assert ran.code == 0 and (said["variables"], said["rows"], said["seed"]) == (5, 20, 3)
    assert all((tmp_path / path).exists() for path in said["files"].values())
    truth = json.loads((tmp_path / "data" / "truth.json").read_text(encoding="utf-8"))
    assert said["edges"] == len(truth["edges"]) and said["kind"] == "continuous"


def test_compare(hccd):
    hccd("simulate", "random", "--variables", 5, "--rows", 20, "--out", "data")
    ran = hccd("compare", "data/truth.json", "data/cpdag.json", "--json", "--quiet")
    assert ran.code == 0 and json.loads(ran.out)["shd"]
    assert hccd("compare", "data/truth.json", "data/cpdag.json", "--quiet") == (0, "", "")


def test_version(hccd):
    said = json.loads(hccd("version", "--json").out)
    assert said["hccd"] == __version__ and said["python"].startswith("3.") and said["packages"]["numpy"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["learn", "nowhere.csv", "--json"],
        ["compare", "a.json", "b.json", "--json"],
        ["simulate", "nothing", "--json"],
        ["explain", "nowhere", "--json"],
        ["version", "--json", "extra"],
    ],
)
def test_failures_leave_stdout_empty(hccd, arguments):
    ran = hccd(*arguments)
    assert (ran.code, ran.out) == (2, "") and ran.err.startswith("error: ") and ran.err.count("\n") == 1


def test_unprintable_names_stay_what_they_are(hccd, write):
    names = ["a\nb", "\x1b[0m", "\u202ex", "🙂"]
    table = write("odd.csv", names, [[i % 7 / 3, i % 5 / 3, i % 11 / 3, i % 3 / 7] for i in range(80)])
    ran = hccd("learn", table, "--json")
    assert ran.code == 0 and ran.out.isascii() and json.loads(ran.out)["nodes"] == names


def test_the_embedded_sample(hccd):
    assert len(json.loads(hccd("learn", alarm_path(), "--json").out)["nodes"]) == 37
