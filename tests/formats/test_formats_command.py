"""``hccd convert``, ``hccd learn --export`` and ``hccd compare``: every format in and out, and nothing lost."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from format_cases import DAG, PLAIN, drawn_in

import hccd
from hccd.cli import options
from hccd.cli.main import main
from hccd.graphs import PDAG
from hccd.graphs.formats import FORMATS, NamedGraph
from hccd.result import graph_files

ENDINGS = [known.suffixes[0] for known in FORMATS]


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    monkeypatch.chdir(tmp_path)

    def ran(*arguments: object) -> Ran:
        capsys.readouterr()
        return Ran(main([str(argument) for argument in arguments]), *capsys.readouterr())

    return ran


def table(path: Path, names: list[str]) -> None:
    rng = np.random.default_rng(11)
    a, b = rng.normal(size=(2, 400))
    c = a + b + 0.5 * rng.normal(size=400)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *np.column_stack([a, b, c, c + rng.normal(size=400)]).tolist()])


def test_the_options_name_every_format() -> None:
    assert tuple(known.name for known in FORMATS) == options.GRAPH_FORMATS
    assert tuple(known.name for known in graph_files.FORMATS) == options.READ_FORMATS


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_format_is_converted_and_compared(run: Callable[..., Ran], tmp_path: Path, ending: str) -> None:
    # Undirected edges of a PDAG say something else than those of a PAG.
    truth, edges = (
        (DAG, "4: 4 directed, 0 undirected") if ending == ".pag.csv" else (PLAIN, "3: 2 directed, 1 undirected")
    )
    truth.export(tmp_path / "truth.json")
    ran = run("convert", "truth.json", f"there{ending}")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.split() == ["variables", "5", "edges", *edges.split(), "written", f"there{ending}"]
    assert run("convert", f"there{ending}", "back.json").code == 0
    assert drawn_in(hccd.read_graph(tmp_path / "back.json")) == drawn_in(truth)
    compared = run("compare", "truth.json", f"there{ending}", "--as-given")
    assert compared.code == 0 and "0: 0 missing, 0 extra, 0 reversed" in compared.out


def test_learn_exports(run: Callable[..., Ran], tmp_path: Path) -> None:
    table(tmp_path / "data.csv", ["a", "b", "c", "d"])
    formats = [name for name in options.EXPORT_FORMATS if name != "amat-pag"]
    every = [word for name in formats for word in ("--export", name)]
    ran = run("learn", "data.csv", "--out", "run", "--no-report", *every, "--export", "dot")
    assert (ran.code, ran.err) == (0, "")
    files = {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir()}
    assert set(files) == {f"graph{ending}" for ending in ENDINGS if ending != ".pag.csv"}
    assert ran.out.count("\nexported ") == len(formats)
    result = hccd.HCCDResult.load(tmp_path / "run" / "graph.json")
    for name in files:
        assert drawn_in(hccd.read_graph(tmp_path / "run" / name)) == drawn_in(NamedGraph(result.names, result.graph))

    told = json.loads(run("learn", "data.csv", "--out", "other", "--export", "gml", "--json").out)
    assert told["exported"] == [str(Path("other") / "graph.gml")]
    refused = run("learn", "data.csv", "--out", "run", "--no-report", "--export", "gml")
    assert refused.code == 2 and refused.out == "" and refused.err.count("\n") == 1
    assert "graph.gml' exists already" in refused.err and "--force" in refused.err
    assert {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir()} == files
    assert run("learn", "data.csv", "--out", "run", "--no-report", *every, "--force").code == 0
    again = {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir()}
    # The times are in graph.json alone.
    assert {**again, "graph.json": b""} == {**files, "graph.json": b""}


def test_names_that_a_format_cannot_hold_are_told_before_anything_is_learned(
    run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(tmp_path / "data.csv", ["a", "wet grass", "c", "d"])
    monkeypatch.setattr("hccd.cli.tasks.learn.learn_graph", lambda *_, **__: pytest.fail("it was learned"))
    ran = run("learn", "data.csv", "--out", "run", "--export", "gml", "--export", "tetrad")
    assert ran.code == 2 and ran.out == "" and ran.err.count("\n") == 1
    assert "--export tetrad" in ran.err and "'wet grass'" in ran.err
    assert not (tmp_path / "run").exists()


def test_members_of_the_class(run: Callable[..., Ran], tmp_path: Path) -> None:
    graph = NamedGraph(("a", "b", "c", "d"), PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3)]))
    graph.export(tmp_path / "g.json")
    assert run("convert", "g.json", "one.dot", "--dag").code == 0
    assert hccd.read_graph(tmp_path / "one.dot") == graph.dag()
    assert run("convert", "g.json", "seeded.dot", "--dag", "--seed", 3).code == 0
    assert hccd.read_graph(tmp_path / "seeded.dot") == graph.dag(3)

    ran = run("convert", "g.json", "all.edges.csv", "--all")
    assert ran.code == 0 and "all-1.edges.csv to all-4.edges.csv: 4 DAGs" in ran.out
    assert {frozenset(hccd.read_graph(file).edges()) for file in tmp_path.glob("all-*")} == {
        frozenset(dag.edges()) for dag in graph.dags()
    }
    assert run("convert", "g.json", "drawn.v2.gml.gz", "--sample", 12, "--seed", 5).code == 0
    drawn = [hccd.read_graph(tmp_path / f"drawn.v2-{i:02}.gml.gz") for i in range(1, 13)]
    assert drawn == graph.sample_dags(12, seed=5)
    assert run("convert", "g.json", "odd.name", "--to", "dot", "--sample", 1).code == 0
    assert hccd.read_graph(tmp_path / "odd-1.name", "dot") == graph.sample_dags(1)[0]

    before = sorted(tmp_path.iterdir())
    refused = run("convert", "g.json", "all.edges.csv", "--sample", 5)
    assert refused.code == 0 or "exists already" in refused.err
    few = run("convert", "g.json", "few.dot", "--all", "--limit", 3)
    assert few.code == 2 and "has 4 members, more than the limit of 3" in few.err
    taken = run("convert", "g.json", "all.edges.csv", "--all")
    assert taken.code == 2 and "all-1.edges.csv' exists already" in taken.err
    assert sorted(tmp_path.iterdir()) == before
    assert run("convert", "g.json", "all.edges.csv", "--all", "--force").code == 0


def test_formats_that_names_do_not_tell(run: Callable[..., Ran], tmp_path: Path) -> None:
    DAG.export(tmp_path / "g.json")
    assert run("convert", "g.json", "model.txt", "--to", "dagitty", "--quiet") == (0, "", "")
    assert (tmp_path / "model.txt").read_text().startswith("dag {")
    told = json.loads(run("convert", "g.json", "m.gml", "--sample", 2, "--json").out)
    assert told == {
        "format": "gml", "variables": 5, "directed": 4, "undirected": 0, "files": ["m-1.gml", "m-2.gml"],
    }  # fmt: skip
    assert run("convert", "model.txt", "matrix.csv", "--to", "amat").code == 0
    assert run("convert", "matrix.csv", "back.gml", "--from", "amat").code == 0
    assert hccd.read_graph(tmp_path / "back.gml") == DAG


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (["g.json"], "FILE"),
        (["nowhere.json", "x.dot"], "'nowhere.json': there is no such file"),
        (["g.json", "x.txt"], "fits several formats: give dagitty or tetrad"),
        (["g.json", "x"], "has no ending of a graph format"),
        (["g.json", "x.bif"], "has no ending of a graph format"),
        (["g.json", "x.dot", "--to", "png"], "--to is 'png'"),
        (["g.json", "x.dot", "--to", "bif"], "--to is 'bif'"),
        (["g.json", "x.dot", "--from", "dot"], "'g.json': line 1"),
        (["g.json", "there.dot"], "'there.dot' exists already"),
        (["g.json", "."], "has no ending of a graph format"),
        (["g.json", "no/where.dot"], "cannot be written"),
        (["g.json", "x.tetrad.txt"], "cannot hold the name 'wet grass'"),
        (["g.json", "x.dot", "--dag", "--all"], "exclude each other"),
        (["g.json", "x.dot", "--seed", "1"], "--seed belongs to"),
        (["g.json", "x.dot", "--sample", "0"], "--sample is '0'"),
        (["g.json", "x.dot", "--sample", "many"], "--sample is 'many'"),
        (["g.json", "x.dot", "--dag", "--seed", "-1"], "--seed is '-1'"),
        (["g.json", "x.dot", "--all", "--limit", "0"], "--limit is '0'"),
        (["square.json", "x.dot", "--dag"], "no consistent DAG extension"),
        (["circles.txt", "x.dot", "--dag"], "this graph is a PAG"),
        (["circles.txt", "x.csv"], "an adjacency matrix has no place for the nondirected edge"),
    ],
)
def test_refusals(run: Callable[..., Ran], tmp_path: Path, arguments: list[str], phrase: str) -> None:
    DAG.export(tmp_path / "g.json")
    (tmp_path / "there.dot").write_text("mine")
    square = PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3), (0, 3)])
    hccd.write_graph(square, tmp_path / "square.json")
    (tmp_path / "circles.txt").write_text("pag { a @-@ b }")
    before = sorted(tmp_path.iterdir())
    ran = run("convert", *arguments)
    assert ran.code == 2 and ran.out == "" and ran.err.count("\n") == 1
    assert phrase in ran.err
    assert sorted(tmp_path.iterdir()) == before and (tmp_path / "there.dot").read_text() == "mine"
