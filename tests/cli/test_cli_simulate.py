"""``hccd simulate``: the files it writes, that they fit each other, and what it refuses."""

from __future__ import annotations

import csv
import errno
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas
import pytest
from typer.main import get_command

from hccd.cli.commands import simulate as simulate_command
from hccd.cli.main import app
from hccd.cli.tasks import simulate as simulated
from hccd.datasets import network_names, parse_bif, random_network
from hccd.result import HCCDResult
from hccd.tables import Kind, read_table

BIF = """network unknown {
}
variable "the, rain" { type discrete [ 2 ] { no, "yes, no" }; }
variable wet { type discrete [ 3 ] { dry, damp, soaked }; }
variable odd { type discrete [ 2 ] { 1, 2 }; }
probability ( "the, rain" ) { table 0.5, 0.5; }
probability ( wet | "the, rain" ) { default 0.3, 0.3, 0.4; }
probability ( odd | wet, "the, rain" ) { default 0.25, 0.75; }
"""

FILES = {"data.csv", "truth.json", "cpdag.json"}


@pytest.fixture
def bif(tmp_path):
    path = tmp_path / "rain.bif"
    path.write_text(BIF)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_random_network(hccd, tmp_path):
    ran = hccd("simulate", "random", "--variables", 30, "--connectivity", 2, "--rows", 200, "--seed", 3, "--out", "run")
    assert ran.code == 0
    assert set(contents(tmp_path / "run")) == FILES
    network = random_network(30, 2, seed=3).network
    table = read_table(tmp_path / "run" / "data.csv")
    assert table.names == network.names
    # Every digit survives.
    assert np.array_equal(np.column_stack(table.columns), network.sample(200, 3))
    truth = HCCDResult.load(tmp_path / "run" / "truth.json")
    assert truth.names == network.names and np.array_equal(truth.graph.marks, network.dag)
    assert HCCDResult.load(tmp_path / "run" / "cpdag.json").graph == network.cpdag()
    assert truth.parameters["simulated"] == "random" and truth.parameters["seed"] == 3
    assert truth.tests.total == 0


def test_the_files_say_so_that_nothing_was_tested(hccd, tmp_path):
    """A pair without an edge in the truth is not claimed to be independent, which it need not be."""
    hccd("simulate", "random", "--variables", 5, "--rows", 20, "--out", "run")
    truth = HCCDResult.load(tmp_path / "run" / "truth.json")
    a, b = np.argwhere(~(truth.skeleton.adjacency | np.eye(5, dtype=bool)))[0].tolist()
    assert truth.removal(a, b) is None and "ruled out from the start" in truth.explain(a, b)
    assert not truth.marginal.independent.any()


def test_a_file_with_names_of_all_kinds(hccd, bif, tmp_path):
    ran = hccd("simulate", bif, "--rows", 300, "--seed", 5, "--out", "run")
    assert (ran.code, ran.err) == (0, "")
    network = parse_bif(BIF)
    with (tmp_path / "run" / "data.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    labels = network.labels(network.sample(300, 5))
    assert tuple(header) == network.names == ("the, rain", "wet", "odd")
    assert [list(column) for column in zip(*rows, strict=True)] == [labels[name].tolist() for name in network.names]
    truth = json.loads((tmp_path / "run" / "truth.json").read_text(encoding="utf-8"))
    assert (truth["format"], truth["version"], truth["nodes"]) == ("hccd-graph", 1, list(network.names))
    assert {(e["source"], e["target"], e["type"]) for e in truth["edges"]} == {
        ("the, rain", "wet", "directed"),
        ("wet", "odd", "directed"),
        ("the, rain", "odd", "directed"),
    }
    cpdag = json.loads((tmp_path / "run" / "cpdag.json").read_text(encoding="utf-8"))
    assert {e["type"] for e in cpdag["edges"]} == {"undirected"} and len(cpdag["edges"]) == 3
    assert hccd("learn", "run/data.csv", "--out", "learned").code == 0
    assert str(tmp_path) not in (tmp_path / "run" / "truth.json").read_text(encoding="utf-8")


def test_the_summary(hccd, bif):
    ran = hccd("simulate", bif, "--rows", 1500, "--out", "run")
    assert ran.out.splitlines() == [
        f"network    {bif}: 3 discrete variables, 3 edges",
        "rows       1,500",
        "data       run/data.csv",
        "truth      run/truth.json",
        "cpdag      run/cpdag.json",
    ]
    assert hccd("simulate", bif, "--out", "other", "--quiet") == (0, "", "")


def test_the_same_bytes_again(hccd, tmp_path):
    for folder, seed in (("one", 4), ("two", 4), ("three", 5)):
        assert hccd("simulate", "random", "--variables", 12, "--rows", 50, "--seed", seed, "--out", folder).code == 0
    one, two, three = (contents(tmp_path / folder) for folder in ("one", "two", "three"))
    assert one == two
    assert all(one[name] != three[name] for name in FILES)
    # More rows from the same seed come from the same network.
    hccd("simulate", "random", "--variables", 12, "--rows", 60, "--seed", 4, "--out", "longer")
    longer = HCCDResult.load(tmp_path / "longer" / "truth.json")
    assert longer.graph == HCCDResult.load(tmp_path / "one" / "truth.json").graph


def test_added_edges_are_noted(hccd, tmp_path):
    ran = hccd("simulate", "random", "--variables", 40, "--connectivity", 0, "--rows", 20, "--out", "run")
    assert (ran.code, ran.err) == (0, "note: 39 edges were added to connect the random graph\n")
    assert HCCDResult.load(tmp_path / "run" / "truth.json").parameters["added_edges"] == 39
    assert hccd("simulate", "random", "--connectivity", 0, "--variables", 40, "--out", "quiet", "-q").err == ""


def test_names_that_are_numbers_are_no_line_of_data(hccd, tmp_path):
    path = tmp_path / "numbers.json"
    equation = {"coefficients": {"(Intercept)": [0.0]}, "variance": [1.0]}
    path.write_text(json.dumps({"nodes": ["4", "8"], "arcs": [], "cpds": {"4": equation, "8": equation}}))
    ran = hccd("simulate", path, "--rows", 30, "--out", "run")
    assert ran.code == 0
    assert ran.err == "note: names that are numbers would be read as data, so each gets an X: X4\n"
    table = read_table(tmp_path / "run" / "data.csv")
    assert table.names == ("X4", "X8") == HCCDResult.load(tmp_path / "run" / "cpdag.json").names
    assert table.n_rows == 30


def test_states_that_look_like_missing_values(hccd, tmp_path):
    """A column of nothing but NA is a state here, and must not be read as a column of missing values."""
    path = tmp_path / "marks.bif"
    path.write_text(
        "variable a { type discrete [ 3 ] { NA, NA_, None }; } variable b { type discrete [ 2 ] { ?, 1 }; }"
        "probability ( a ) { table 0.4, 0.3, 0.3; } probability ( b ) { table 1.0, 0.0; }"
    )
    ran = hccd("simulate", path, "--rows", 100, "--out", "run")
    assert ran.code == 0
    assert ran.err == "note: states that would be read as missing values get an underscore: '?', 'NA' and 'None'\n"
    table = read_table(tmp_path / "run" / "data.csv")
    assert [sorted(set(column)) for column in table.columns] == [["NA_", "NA__", "None_"], ["?_"]]
    frame = pandas.read_csv(tmp_path / "run" / "data.csv")
    assert not frame.isna().any().any()


def test_small_networks_need_no_options(hccd):
    for n in (1, 2, 3):
        assert hccd("simulate", "random", "--variables", n, "--out", f"run{n}").code == 0


def test_nothing_is_replaced_without_force(hccd, tmp_path):
    assert hccd("simulate", "random", "--variables", 4, "--rows", 10, "--out", "run").code == 0
    (tmp_path / "run" / "notes.txt").write_text("keep me")
    before = contents(tmp_path / "run")
    again = ("simulate", "random", "--variables", 5, "--rows", 10, "--out", "run")
    for name in FILES:
        for other in FILES - {name}:
            (tmp_path / "run" / other).unlink()
        ran = hccd(*again)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == (
            f"error: 'run/{name}' is there already: move it, choose another --out, or replace it with --force\n"
        )
        assert contents(tmp_path / "run") == {name: before[name], "notes.txt": b"keep me"}
        for other in FILES:
            (tmp_path / "run" / other).write_bytes(before[other])
    assert hccd(*again, "--force").code == 0
    after = contents(tmp_path / "run")
    assert set(after) == {*FILES, "notes.txt"} and after["truth.json"] != before["truth.json"]
    (tmp_path / "run" / "data.csv").unlink()
    (tmp_path / "run" / "data.csv").mkdir()
    ran = hccd(*again, "--force")
    assert ran.code == 2 and "exists already and is not a file" in ran.err


@pytest.mark.parametrize(
    ("error", "code", "phrase"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 2, "No space left on device"),
        (MemoryError(), 2, "not enough memory"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (ZeroDivisionError(), 1, "bug"),
    ],
)
@pytest.mark.parametrize("stage", ["drawing", "data", "truth"])
def test_a_failure_leaves_nothing(hccd, tmp_path, monkeypatch, error, code, phrase, stage):
    def fail(*_args: object, **_options: object) -> None:
        raise error

    monkeypatch.delenv("HCCD_DEBUG", raising=False)
    if stage == "drawing":
        monkeypatch.setattr(simulated, "random_network", fail)
    elif stage == "data":
        monkeypatch.setattr("csv.writer", fail)
    else:
        monkeypatch.setattr(HCCDResult, "save", fail)
    ran = hccd("simulate", "random", "--variables", 4, "--out", "new/folder")
    assert (ran.code, ran.out) == (code, "")
    (line,) = ran.err.strip().splitlines()
    assert line.startswith("error: ") and phrase in line
    assert list(tmp_path.iterdir()) == []


BAD = [
    (["alarm!"], "there is no network and no file 'alarm!': did you mean 'alarm'?"),
    (["nowhere.bif"], "'nowhere.bif': there is no such file"),
    ([""], "no network and no file"),
    (["random", "--rows", "0"], "--rows is '0'; give a whole number from 1"),
    (["random", "--rows", "1e3"], "--rows is '1e3'"),
    (["random", "--rows", "999999999999"], "--rows is 999999999999; with 100 variables at most 21474836 can be drawn"),
    (["random", "--seed", "-1"], "--seed is '-1'"),
    (["random", "--variables", "0"], "--variables is '0'"),
    (["random", "--variables", "99999"], "--variables is 99999; give at most 10000"),
    (["random", "--connectivity", "x"], "--connectivity is 'x'; give a number"),
    (["random", "--connectivity", "nan"], "--connectivity is nan; give 0 to 99"),
    (
        ["random", "--connectivity", "7", "--variables", "7"],
        "--connectivity is 7; give 0 to 6, as there are 7 variables",
    ),
    (["rain.bif", "--variables", "7"], "--variables belongs to the network 'random', not to 'rain.bif': leave it out"),
    (["rain.bif", "--connectivity", "2"], "--connectivity belongs to the network 'random'"),
    (["rain.bif", "--out", ""], "--out is empty"),
    (["rain.bif", "--out", "rain.bif"], "'rain.bif' is a file"),
    (["rain.bif", "--nonsense"], "nonsense"),
    (["broken.bif"], "'broken.bif', line 3: "),
    ([], "see hccd simulate --help"),
]


@pytest.mark.parametrize(("arguments", "sentence"), BAD)
def test_refusals(hccd, bif, tmp_path, arguments, sentence):
    (tmp_path / "broken.bif").write_text("network x {\n}\nvariable a {\n}\n")
    before = set(tmp_path.rglob("*"))
    ran = hccd("simulate", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ") and ran.err.count("\n") == 1 and sentence in ran.err
    assert set(tmp_path.rglob("*")) == before


def test_a_network_without_its_package(hccd, monkeypatch):
    monkeypatch.setattr("hccd.datasets.networks.find_spec", lambda name: None)
    ran = hccd("simulate", "alarm")
    assert ran.code == 2
    assert ran.err == (
        "error: the network 'alarm' comes with the package pgmpy, which is not installed: "
        "pip install 'hccd[experiments]', or give the path of a BIF file\n"
    )


@pytest.mark.skipif(find_spec("pgmpy") is None, reason="the package pgmpy, which holds the networks, is not installed")
@pytest.mark.parametrize("name", ["asia", "child", "insurance", "link", "pathfinder", "pigs", "ecoli70", "arth150"])
def test_known_networks_come_back_as_they_were_drawn(hccd, tmp_path, name):
    from hccd.datasets import DiscreteNetwork, load_network

    assert hccd("simulate", name, "--rows", 150, "--seed", 2, "--out", "run").code == 0
    network, table = load_network(name), read_table(tmp_path / "run" / "data.csv")
    sample = network.sample(150, 2)
    assert table.names in (network.names, tuple(f"X{variable}" for variable in network.names))
    if not isinstance(network, DiscreteNetwork):
        assert np.array_equal(np.column_stack(table.columns), sample)
        return
    assert set(table.kinds) == {Kind.DISCRETE}
    for variable, column in enumerate(table.columns):
        states = {}
        for code, value in zip(sample[:, variable].tolist(), column.tolist(), strict=True):
            assert states.setdefault(code, value) == value
        assert len(set(states.values())) == len(states)


def test_help(hccd):
    ran = hccd("simulate", "--help")
    assert ran.code == 0 and ran.out.isascii() and ran.err == ""
    told = re.findall(r"^  (?:-\w, )?(--[a-z-]+)(.*(?:\n {10,}.*)*)", ran.out, flags=re.MULTILINE)
    accepted = {option for parameter in get_command(app).commands["simulate"].params for option in parameter.opts}
    assert {name for name, _ in told} == {name for name in accepted if name.startswith("--")} | {"--help"}
    assert "Examples:\n    hccd simulate random --variables 100" in ran.out
    assert all(re.search(rf"\b{name}\b", ran.out) for name in network_names())
    assert "simulate" in hccd("--help").out


def test_the_networks_of_the_help_are_those_of_the_library():
    assert network_names() == simulate_command.NETWORKS


def test_nothing_heavy_is_imported_to_refuse():
    code = (
        "import sys; from hccd.cli.main import main\n"
        "for arguments in ('simulate --help', 'simulate random --rows x'): main(arguments.split())\n"
        "heavy = {'numpy', 'scipy', 'polars', 'sklearn', 'networkx', 'pandas'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    sources = str(Path(__file__).parents[2] / "src")
    paths = os.pathsep.join([sources, *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": paths}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
