"""``hccd learn``: what it writes and what it says."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr

from hccd.datasets import alarm_path
from hccd.result import HCCDResult


def edges_of(path: Path) -> set[object]:
    """The edges without regard to the order of columns."""
    edges = json.loads(path.read_text(encoding="utf-8"))["edges"]
    return {
        (e["source"], e["target"]) if e["type"] == "directed" else frozenset((e["source"], e["target"])) for e in edges
    }


def without_seconds(path: Path) -> bytes:
    text, found = re.subn(rb'"seconds": \{[^}]*\}', b"", path.read_bytes())
    assert found == 1
    return text


def test_the_file_keeps_its_contract(hccd, numbers, tmp_path):
    ran = hccd("learn", numbers, "--test", "fisher-z", "--alpha", "0.01", "--method", "hccd", "--preset", "default",
               "--seed", "3", "--jobs", "1", "--out", tmp_path / "run")  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"graph.json", "report.html"}
    graph = json.loads((tmp_path / "run" / "graph.json").read_text(encoding="utf-8"))
    assert (graph["format"], graph["version"], graph["nodes"]) == ("hccd-graph", 1, ["a", "b", "c", "d"])
    assert {"source", "target", "type"} <= set(graph["edges"][0])
    assert graph["ci_tests"]["total"] == sum(graph["ci_tests"]["by_order"]) >= 6
    assert {"total", "clustering", "learning", "orientation", "score", "fit"} == set(graph["seconds"])
    assert graph["clusters"]
    assert graph["parameters"]["test"] == {"name": "fisher-z", "alpha": 0.01}
    assert graph["parameters"]["seed"] == 3
    assert edges_of(tmp_path / "run" / "graph.json") == {("a", "c"), ("b", "c"), ("c", "d")}
    assert HCCDResult.load(tmp_path / "run" / "graph.json").names == ("a", "b", "c", "d")


def test_no_path_and_no_number_of_jobs_is_recorded(hccd, numbers, tmp_path):
    hccd("learn", numbers, "--jobs", "2", "--out", "run")
    text = (tmp_path / "run" / "graph.json").read_text(encoding="utf-8")
    assert "numbers.csv" not in text and str(tmp_path) not in text and "jobs" not in text


@pytest.mark.parametrize(
    ("method", "preset"),
    [*product(["hccd", "pc", "flat", "tscb", "not-c"], ["default", "paper"]), ("score", "default")],
)
def test_repeated_runs_give_the_same_bytes(hccd, tmp_path, method, preset):
    common = ("learn", alarm_path(), "--method", method, "--preset", preset)
    files = []
    for folder, jobs in (("one", 1), ("again", 1), ("two", 2)):
        assert hccd(*common, "--jobs", jobs, "--out", folder).code == 0
        files.append(without_seconds(tmp_path / folder / "graph.json"))
    assert files[0] == files[1] == files[2]


def test_columns_in_another_order_give_the_same_edges(hccd, write, tmp_path):
    rng = np.random.default_rng(5)
    values = rng.normal(size=(300, 12)) @ np.triu(rng.normal(size=(12, 12)) * (rng.random((12, 12)) < 0.3) + np.eye(12))
    names = [f"v{i}" for i in range(12)]
    order = rng.permutation(12)
    first = write("first.csv", names, values.tolist())
    second = write("second.csv", [names[i] for i in order], values[:, order].tolist())
    hccd("learn", first, "--out", "first")
    hccd("learn", second, "--out", "second")
    learned = edges_of(tmp_path / "first" / "graph.json")
    assert len(learned) > 5
    assert learned == edges_of(tmp_path / "second" / "graph.json")


def test_the_summary_says_what_was_done(hccd, states, tmp_path):
    ran = hccd("learn", states, "--out", "run")
    said = dict(line.split(maxsplit=1) for line in ran.out.rpartition("\n\n")[2].splitlines())
    graph = json.loads((tmp_path / "run" / "graph.json").read_text(encoding="utf-8"))
    assert said["variables"] == "3: 3 discrete (text)"
    assert said["rows"] == "600"
    assert said["test"] == "all 3 columns are discrete: G test, alpha 0.05"
    assert said["edges"] == "2: 0 directed, 2 undirected"
    assert said["conflicts"] == "0"
    assert said["tests"].startswith(f"{graph['ci_tests']['total']}: 3 of order 0")
    assert said["written"] == "run/graph.json"
    for phase in ("clustering", "skeleton search", "orientation"):
        assert phase in said["seconds"]
    assert "\x1b" not in ran.out and ran.out.isascii()


def test_the_choice_of_the_test_is_explained(hccd, numbers, write):
    assert "all 4 columns are continuous: Fisher z test, alpha 0.01" in hccd("learn", numbers).out
    rng = np.random.default_rng(0)
    rows = [[i % 3, x] for i, x in enumerate(rng.normal(size=90))]
    mixed = hccd("learn", write("mixed.csv", ["k", "x"], rows), "--force")
    assert "1 column is continuous and 1 discrete: degenerate Gaussian test, alpha 0.01" in mixed.out
    assert "column 'k' holds few distinct whole numbers and is treated as unordered states" in mixed.err
    assert "1 discrete (whole numbers with few values) and 1 continuous (numbers with fractions)" in mixed.out
    counts = write("counts.csv", ["k", "l"], [[i % 3, i % 2] for i in range(90)])
    asked = hccd("learn", counts, "--test", "chi2", "--alpha", 0.2, "--force")
    assert "as requested: chi-square test, alpha 0.2" in asked.out
    assert "all 2 columns are discrete: mutual information, threshold 0.015 nats" in (
        hccd("learn", counts, "--preset", "paper", "--threshold", 0.015).out
    )


def test_alpha_decides(hccd, write, tmp_path):
    rng = np.random.default_rng(4)
    x = rng.normal(size=200)
    y = 0.17 * x + rng.normal(size=200)
    weak = write("weak.csv", ["x", "y"], np.column_stack([x, y]).tolist())
    p_value = pearsonr(x, y).pvalue
    assert 0.001 < p_value < 0.2
    hccd("learn", weak, "--alpha", 2 * p_value, "--scoring", "none", "--out", "loose")
    hccd("learn", weak, "--alpha", p_value / 2, "--scoring", "none", "--out", "strict")
    assert edges_of(tmp_path / "loose" / "graph.json") == {frozenset("xy")}
    assert edges_of(tmp_path / "strict" / "graph.json") == set()


def test_threshold_belongs_to_mi(hccd, states, tmp_path):
    assert hccd("learn", states, "--test", "mi", "--threshold", "0.7", "--scoring", "none", "--out", "run").code == 0
    assert edges_of(tmp_path / "run" / "graph.json") == set()
    ran = hccd("learn", states, "--test", "g", "--threshold", "0.7")
    assert ran.code == 2 and "threshold belongs to the test 'mi'" in ran.err


@pytest.mark.parametrize("options", [("--test", "mi"), ("--preset", "paper")])
def test_alpha_with_mi_is_noted(hccd, states, options):
    ran = hccd("learn", states, *options, "--alpha", "0.05")
    assert ran.code == 0
    (line,) = ran.err.splitlines()
    assert "alpha 0.05 is not used" in line and "'mi'" in line
    assert hccd("learn", states, *options).err == ""


def test_max_order_limits_the_tests(hccd, tmp_path):
    hccd("learn", alarm_path(), "--max-order", "1", "--out", "run")
    graph = json.loads((tmp_path / "run" / "graph.json").read_text(encoding="utf-8"))
    stages = graph["ci_tests"]["by_stage"]
    assert all(len(counts) <= 2 for stage, counts in stages.items() if stage != "colliders")
    # Which of two conflicting colliders is believed takes the middle as one more condition.
    assert len(stages["colliders"]) == 3
    assert graph["parameters"]["baseline"]["max_order"] == 1


def test_dropped_columns_do_not_matter(hccd, write, tmp_path):
    rng = np.random.default_rng(2)
    rows = [[f"id{i}", x, "" if i == 3 else y] for i, (x, y) in enumerate(rng.normal(size=(50, 2)))]
    rows = [[*row, 2 * i + rng.normal()] for i, row in enumerate(rows)]
    table = write("table.csv", ["name", "x", "gap", "y"], rows)
    refused = hccd("learn", table, "--missing", "refuse")
    assert refused.code == 2 and "1 missing value in 'gap'" in refused.err
    assert hccd("learn", table, "--drop", "name", "--drop", "gap", "--out", "run").code == 0
    assert HCCDResult.load(tmp_path / "run" / "graph.json").names == ("x", "y")


def test_how_the_file_was_understood_is_noted(hccd, tmp_path):
    rng = np.random.default_rng(1)
    np.savetxt(tmp_path / "bare.csv", rng.normal(size=(140, 3)), delimiter=",")
    ran = hccd("learn", "bare.csv")
    assert ran.code == 0
    (line,) = ran.err.splitlines()
    assert line.startswith("note: the first line holds numbers only") and "X1 to X3" in line


def test_notes_do_not_precede_a_refusal(hccd, write):
    rows = [["", f"word{i % 3}", i % 2, "1.5" if i else "x"] for i in range(40)]
    ran = hccd("learn", write("noted.csv", ["", "w", "k", "almost"], rows), "--test", "fisher-z")
    assert ran.code == 2
    assert ran.err.count("\n") == 1 and ran.err.startswith("error: ")


def suspicious(kind: str) -> tuple[list[str], np.ndarray, list[str]]:
    rng = np.random.default_rng(3)
    x, y, z = rng.normal(size=(3, 80))
    if kind == "constant":
        return ["x", "still", "y"], np.column_stack([x, np.ones(80), y]), ["'still'"]
    if kind == "duplicate":
        return ["x", "same", "y"], np.column_stack([x, x, y]), ["same is a copy of x"]
    if kind == "collinear":
        return ["x", "y", "z", "sum"], np.column_stack([x, y, z, x + 2 * y - z]), ["sum = x + 2 y - z in every row"]
    names = [f"v{i}" for i in range(30)]
    return names, rng.normal(size=(15, 30)), ["30 columns", "15 rows"]


@pytest.mark.parametrize("kind", ["constant", "duplicate", "collinear", "wide"])
def test_suspicious_data_are_warned_of_and_used(hccd, write, tmp_path, kind):
    names, values, named = suspicious(kind)
    table = write("table.csv", names, values.tolist())
    ran = hccd("learn", table, "--out", "run")
    assert ran.code == 0
    (line,) = ran.err.splitlines()
    assert line.startswith("warning: ")
    assert all(name in line for name in named)
    graph = json.loads((tmp_path / "run" / "graph.json").read_text(encoding="utf-8"))
    assert graph["nodes"] == names and [each["sentence"] for each in graph["warnings"]] == [
        line.removeprefix("warning: ")
    ]


HOSTILE = [
    "<script>alert('x')</script>",
    "[bold red]not markup[/]",
    'say "no", she\'s',
    "🙂 naïve 变量",
    "long" * 50,
    "line\nbreak\x1b[31m",
    "{0} %s \\N",
    "=1+1",
]


def test_any_name_is_kept_and_printed_safely(hccd, write, tmp_path):
    rng = np.random.default_rng(6)
    x = rng.normal(size=60)
    # Every column is the same, so that every name is in a warning.
    table = write("hostile.csv", HOSTILE, [[value] * len(HOSTILE) for value in x.tolist()])
    ran = hccd("learn", table, "--out", "run")
    assert ran.code == 0, ran.err
    assert HCCDResult.load(tmp_path / "run" / "graph.json").names == tuple(HOSTILE)
    assert "[bold red]not markup[/]" in ran.err and "=1+1" in ran.err
    assert "\x1b" not in ran.err + ran.out
    assert all(line.startswith("warning: ") for line in ran.err.splitlines())


def test_quiet_says_nothing(hccd, write, tmp_path):
    names, values, _ = suspicious("constant")
    table = write("table.csv", names, values.tolist())
    assert hccd("learn", table, "--quiet", "--out", "run") == (0, "", "")
    assert (tmp_path / "run" / "graph.json").exists()
    ran = hccd("learn", "nowhere.csv", "--quiet")
    assert ran.code == 2 and ran.out == "" and ran.err.startswith("error: ")
