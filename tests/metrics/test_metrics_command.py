"""``hccd compare``: a table or JSON on stdout; for bad input one sentence on stderr and exit code 2."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import hccd
from hccd.cli.main import main
from hccd.datasets import alarm_edges, alarm_path
from hccd.graphs import PDAG
from hccd.graphs.formats import NamedGraph
from hccd.metrics import compare
from hccd.tables import read_table

TRUTH = ",p,q,r\np,0,1,0\nq,0,0,1\nr,0,0,0\n"
LEARNED = ",r,q,p\nr,0,1,0\nq,1,0,0\np,0,0,0\n"
STATES = "q,p,r,note\n" + "".join(f"{i % 2},{'uv'[i % 2]},{i // 3 % 3},{i / 7}\n" for i in range(60))
CHAIN = NamedGraph(("p", "q", "r"), PDAG.from_edges(3, [(0, 1), (1, 2)]))
PART = NamedGraph(("p", "q", "r"), PDAG.from_edges(3, undirected=[(1, 2)]))


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run the command in a folder with two graphs and a table."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("truth.csv", TRUTH), ("learned.csv", LEARNED), ("states.csv", STATES)):
        (tmp_path / name).write_text(text, encoding="utf-8")

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main(["compare", *map(str, arguments)])
        return Ran(code, *capsys.readouterr())

    return run


def test_the_table_is_that_of_the_comparison(run: Callable[..., Ran]) -> None:
    ran = run("truth.csv", "learned.csv")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == str(compare(CHAIN, PART)) + "\n"
    as_given = run("truth.csv", "learned.csv", "--as-given")
    assert as_given.out == str(compare(CHAIN, PART, as_cpdag=False)) + "\n" != ran.out


def test_json_is_that_of_the_comparison(run: Callable[..., Ran]) -> None:
    ran = run("truth.csv", "learned.csv", "--json", "--data", "states.csv", "--ess", "2.5")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == compare(CHAIN, PART, read_table("states.csv"), ess=2.5).to_dict()
    assert json.loads(run("truth.csv", "learned.csv", "--json").out)["bdeu"] is None


def test_a_reference_adds_states(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("p,q,r\n" + "u,0,0\nv,1,1\nw,2,2\n" * 5)
    ran = run("truth.csv", "learned.csv", "--json", "--data", "states.csv", "--reference", "train.csv")
    states = {"p": "uvw", "q": range(3), "r": range(3)}
    expected = compare(CHAIN, PART, read_table("states.csv"), reference=states).to_dict()
    assert json.loads(ran.out) == expected != compare(CHAIN, PART, read_table("states.csv")).to_dict()


def test_what_was_learned_is_compared_by_folder_and_file(run: Callable[..., Ran], tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    p = rng.integers(0, 2, 500)
    q = p ^ (rng.random(500) < 0.1)
    r = q ^ (rng.random(500) < 0.1)
    result = hccd.discover({"r": r, "p": p, "q": q})
    result.save(tmp_path / "graph.json")
    for learned in (tmp_path, "graph.json"):
        assert json.loads(run("truth.csv", learned, "--json").out) == compare(CHAIN, result).to_dict()


def test_the_embedded_network(run: Callable[..., Ran], tmp_path: Path) -> None:
    names = sorted({name for edge in alarm_edges() for name in edge})
    rows = [[name, *(str(int((name, other) in alarm_edges())) for other in names)] for name in names]
    (tmp_path / "alarm.csv").write_text("\n".join(",".join(row) for row in [["", *names], *rows]))
    hccd.discover(read_table(alarm_path()), scoring="none").save(tmp_path / "graph.json")
    found = json.loads(run("alarm.csv", tmp_path, "--data", alarm_path(), "--json").out)
    assert found["edges"]["truth"] == 46 and found["adjacencies"]["f1"] > 0.85
    assert 0 < found["sid"]["lower"] < found["sid"]["upper"] < found["sid"]["pairs"] == 37 * 36
    # The truth explains the data better than what the tests learned from them.
    assert found["bdeu"]["truth"] > found["bdeu"]["learned"]


BIF = """network unknown {
}
variable p {
  type discrete [ 2 ] { u, v };
}
variable q {
  type discrete [ 2 ] { 0, 1 };
}
variable r {
  type discrete [ 3 ] { 0, 1, 2 };
}
probability ( p ) {
  table 0.5, 0.5;
}
probability ( q | p ) {
  (u) 0.9, 0.1;
  (v) 0.1, 0.9;
}
probability ( r | q ) {
  (0) 0.3, 0.3, 0.4;
  (1) 0.1, 0.2, 0.7;
}
"""


def test_networks_are_read(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "net.bif").write_text(BIF)
    assert run("net.bif", "learned.csv") == (0, str(compare(CHAIN, PART)) + "\n", "")
    (tmp_path / "broken.bif").write_text("variable p {")
    ran = run("broken.bif", "learned.csv")
    assert ran.code == 2 and ran.out == "" and ran.err.count("\n") == 1 and ran.err.count("broken.bif") == 1


@pytest.mark.parametrize(
    ("arguments", "phrases"),
    [
        (["truth.csv"], ["LEARNED", "hccd compare --help"]),
        (["truth.csv", "nowhere.json"], ["'nowhere.json'", "no such file"]),
        (["truth.csv", "states.csv"], ["'states.csv'", "adjacency matrix"]),
        (["truth.csv", "named.odd"], ["'named.odd'", ".json (hccd-graph)", ".bif"]),
        (["truth.csv", "."], ["graph.json", "no such file"]),
        (["truth.csv", "other.csv"], ["different variables", "'p' and 'r' only in the true graph"]),
        (["truth.csv", "learned.csv", "--data", "none.csv"], ["'none.csv'", "no such file"]),
        (["truth.csv", "learned.csv", "--data", "measured.csv"], ["'measured.csv'", "discrete data"]),
        (["truth.csv", "learned.csv", "--data", "lacking.csv"], ["'lacking.csv'", "no column 'r'"]),
        (["truth.csv", "learned.csv", "--reference", "states.csv"], ["--reference", "give --data"]),
        (["truth.csv", "learned.csv", "--ess", "0"], ["--ess is 0.0"]),
        (["truth.csv", "learned.csv", "--ess", "nan"], ["--ess is nan"]),
        (["truth.csv", "learned.csv", "--ess", "much"], ["--ess is 'much'"]),
        (["truth.csv", "learned.csv", "third.csv"], ["third.csv", "hccd compare --help"]),
    ],
)
def test_bad_input(run: Callable[..., Ran], tmp_path: Path, arguments: list[str], phrases: list[str]) -> None:
    (tmp_path / "other.csv").write_text(",q,x,y\nq,0,1,0\nx,0,0,1\ny,0,0,0\n")
    (tmp_path / "measured.csv").write_text("p,q,r\n" + "".join(f"{i / 7},{i / 3},{i / 11}\n" for i in range(60)))
    (tmp_path / "named.odd").write_text("p,q\n")
    (tmp_path / "lacking.csv").write_text("p,q\n" + "0,1\n1,0\n" * 10)
    ran = run(*arguments)
    assert ran.code == 2 and ran.out == ""
    assert ran.err.startswith("error: ") and ran.err.count("\n") == 1
    for phrase in phrases:
        assert phrase in ran.err


def test_help_is_complete(run: Callable[..., Ran]) -> None:
    ran = run("--help")
    assert ran.code == 0 and ran.err == "" and ran.out.isascii()
    for option in ("TRUTH", "LEARNED", "--data", "--reference", "--ess", "--as-given", "--json", "Examples:"):
        assert option in ran.out


def test_the_command_is_listed_without_heavy_imports() -> None:
    program = (
        "import sys; import hccd.cli.main; heavy = {'numpy', 'scipy', 'polars', 'gadjid'} & set(sys.modules); "
        "sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
