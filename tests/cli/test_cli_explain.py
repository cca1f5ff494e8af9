"""``hccd explain``: pairs, variables, the whole graph; and what is said about names that are not there."""

from __future__ import annotations

import json

import numpy as np
import pytest

from hccd.result import HCCDResult


@pytest.fixture
def run(hccd, numbers, tmp_path):
    """a -> c <- b, c -> d, learned."""
    assert hccd("learn", numbers, "--out", "run", "--quiet").code == 0
    return HCCDResult.load(tmp_path / "run" / "graph.json")


@pytest.mark.parametrize("where", ["run", "run/graph.json"])
def test_a_pair(hccd, run, where):
    for x, y in (("a", "b"), ("b", "a"), ("a", "c"), ("c", "d"), ("a", "d")):
        assert hccd("explain", where, x, y) == (0, run.explain(x, y) + "\n", "")


def test_a_pair_as_json(hccd, run):
    found = json.loads(hccd("explain", "run", "c", "a", "--json").out)
    assert found["pair"] == ["c", "a"] and found["adjacent"] is True
    assert found["edge"] == {"source": "a", "target": "c", "type": "directed", "reason": "collider"}
    assert found["text"] == run.explain("c", "a") and 0 < found["strength"] < 1
    found = json.loads(hccd("explain", "run", "a", "d", "--json", "--quiet").out)
    assert found["adjacent"] is False
    removal = run.removal("a", "d")
    assert found["separated"] == {"given": ["c"], "p_value": removal.p_value, "stage": "leaf", "cluster": "0"}


def test_a_variable(hccd, run):
    ran = hccd("explain", "run", "c")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "'c' has 3 neighbours among 3 other variables.",
        f"cause      {run.explain('c', 'a')}",
        f"cause      {run.explain('c', 'b')}",
        f"effect     {run.explain('c', 'd')}",
    ]
    found = json.loads(hccd("explain", "run", "c", "--json").out)
    assert (found["causes"], found["effects"], found["undirected"]) == (["a", "b"], ["d"], [])
    assert [edge["variable"] for edge in found["edges"]] == ["a", "b", "d"]
    assert "hccd explain run X Y" in hccd("explain", "run", "d").out


def test_the_whole_graph(hccd, run):
    said = dict(line.split(maxsplit=1) for line in hccd("explain", "run").out.splitlines())
    assert said["variables"] == "4" and said["edges"] == "3: 3 directed, 0 undirected"
    assert said["neighbours"].startswith("most have 'c' (3)") and said["rows"] == "500"
    assert said["test"] == "fisher-z, alpha 0.01" and said["method"] == "hccd, preset default"
    found = json.loads(hccd("explain", "run", "--json").out)
    assert found["edges"] == {"directed": 3, "undirected": 0} and found["most_neighbours"][0]["variable"] == "c"
    assert found["tests"]["total"] == run.tests.total


def test_a_graph_that_is_known(hccd, tmp_path):
    hccd("simulate", "random", "--variables", 6, "--rows", 10, "--out", "sim")
    assert hccd("explain", "sim/truth.json").code == 0
    truth = HCCDResult.load(tmp_path / "sim" / "truth.json")
    assert hccd("explain", "sim/truth.json", truth.names[0]).code == 0


def test_names_that_are_nearly_right(hccd, demo_run):
    for name, phrase in (
        ("hrbp", "there is no variable 'hrbp' in this result: did you mean 'HRBP'?"),
        ("CATECOL", "did you mean 'CATECHOL' or "),
        ("zzz", "its variables are 'HISTORY'"),
        ("x" * 10_000, "xxx...'"),
        ("\x1b[31m\n", r"'\x1b[31m\n'"),
    ):
        ran = hccd("explain", demo_run, "HR", name)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.count("\n") == 1 and phrase in ran.err and len(ran.err) < 300
    ran = hccd("explain", demo_run, "HR", "HR")
    assert ran.code == 2 and ran.err == "error: explain needs two different variables, got 'HR' twice\n"


@pytest.fixture(scope="session")
def demo_run(tmp_path_factory):
    from hccd.cli.main import main

    folder = tmp_path_factory.mktemp("demo")
    assert main(["demo", "--quiet", "--out", str(folder)]) == 0
    return folder


HOSTILE = ["\x1b[31mred\x1b[0m", "two\nlines", "\u202eright to left", "n" * 10_000, "</script>", "a'b\"c", "-x", "{}%s"]


def test_hostile_names_are_explained_on_one_line_each(hccd, write):
    rng = np.random.default_rng(7)
    base = rng.normal(size=200)
    values = np.column_stack([base + rng.normal(size=200) for _ in HOSTILE])
    table = write("hostile.csv", HOSTILE, values.tolist())
    assert hccd("learn", table, "--out", "run", "--quiet").code == 0
    pairs = [HOSTILE[1:3], HOSTILE[3:5], ["--", HOSTILE[6], HOSTILE[5]]]
    for arguments in ([], [HOSTILE[0]], *pairs):
        ran = hccd("explain", "run", *arguments)
        assert ran.code == 0, ran.err
        assert not set("\x1b\u202e") & set(ran.out) and ran.err == ""
        assert len(ran.out.splitlines()) == 1 or arguments not in pairs
    found = json.loads(hccd("explain", "run", HOSTILE[1], HOSTILE[2], "--json").out)
    assert found["pair"] == HOSTILE[1:3]
