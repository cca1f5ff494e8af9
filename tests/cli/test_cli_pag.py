"""A run of FCI on the command line, from the table to every file that can be made of it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import hccd as library
from hccd.cli.options import EXPORT_FORMATS
from hccd.graphs import PAG

#: What has no place for the edges of a PAG.
MATRICES = ("adjacency", "amat")


@pytest.fixture
def data(write):
    """a and b cause c, and c causes d; a hidden variable is behind c and e, another one behind e and f."""
    rng = np.random.default_rng(4)
    a, b, one, two = rng.normal(size=(4, 2000))
    noise = 0.5 * rng.normal(size=(4, 2000))
    c, e = a + b + 1.2 * one + noise[0], 1.2 * one + 0.9 * two + noise[1]
    rows = np.column_stack([a, b, c, c + noise[2], e, 0.9 * two + noise[3]])
    return write("data.csv", list("abcdef"), rows.tolist())


@pytest.fixture
def run(hccd, data):
    ran = hccd("learn", data, "--baseline", "fci", "--out", "run")
    assert (ran.code, ran.err) == (0, "")
    return ran


#: c causes d; of a, b and f it is open whether they are causes or share a hidden one.
EDGES = [
    ("a", "c", "partially-directed"),
    ("b", "c", "partially-directed"),
    ("c", "d", "directed"),
    ("c", "e", "bidirected"),
    ("f", "e", "partially-directed"),
]


def test_learn_says_what_it_found(run, hccd, data, tmp_path):
    assert "edges      5: 1 directed, 1 bidirected, 3 partially-directed\n" in run.out
    assert "baseline fci" in run.out and "a PAG is learned without resampling" in run.out
    found = library.HCCDResult.load(tmp_path / "run" / "graph.json")
    assert found.edges() == EDGES and isinstance(found.graph, PAG)
    told = json.loads(hccd("learn", data, "--baseline", "fci", "--out", "again", "--json").out)
    assert told["graph_type"] == "PAG"
    assert [(edge["source"], edge["target"], edge["type"]) for edge in told["edges"]] == EDGES


def test_files_are_the_same_every_time(run, hccd, data, tmp_path):
    assert hccd("learn", data, "--baseline", "fci", "--out", "other").code == 0
    one, other = (json.loads((tmp_path / name / "graph.json").read_text()) for name in ("run", "other"))
    assert {**one, "seconds": 0} == {**other, "seconds": 0}
    pages = [(tmp_path / name / "report.html").read_text() for name in ("run", "other")]
    without = [page.partition('id="seconds"')[0] for page in pages]
    assert hccd("report", "run", "--out", "page.html").code == 0
    assert without[0] == without[1] and '"bidirected"' in without[0]


def test_explain(run, hccd, tmp_path):
    found = library.HCCDResult.load(tmp_path / "run" / "graph.json")
    assert hccd("explain", "run", "c", "e").out == found.explain("c", "e") + "\n"
    pair = json.loads(hccd("explain", "run", "e", "c", "--json").out)["edge"]
    assert (pair["type"], pair["reason"], pair["source_reason"]) == ("bidirected", "collider", "collider")
    lines = hccd("explain", "run", "c").out.splitlines()
    assert [line.split(" '")[0].rstrip() for line in lines[1:5]] == [
        "effect", "possible cause", "possible cause", "hidden common cause"
    ]  # fmt: skip
    told = json.loads(hccd("explain", "run", "c", "--json").out)
    assert (told["effects"], told["possible_causes"], told["hidden_common_cause"]) == (["d"], ["a", "b"], ["e"])
    whole = hccd("explain", "run").out
    assert "by collider" in whole and "FCI's rule 1" in whole and "Meek" not in whole


def test_every_format(run, hccd, tmp_path):
    learned = library.read_graph(tmp_path / "run")
    for name in EXPORT_FORMATS:
        ran = hccd("convert", "run", f"graph-{name}", "--to", name)
        if name in MATRICES:
            assert ran.code == 2 and ran.err.count("\n") == 1
            assert "an adjacency matrix has no place for the partially-directed edge between 'a' and 'c'" in ran.err
            continue
        assert ran.code == 0
        back = library.read_graph(tmp_path / f"graph-{name}", name)
        assert set(back.edges()) == set(learned.edges()), name
    hccd("convert", "run", "same.pag.csv")
    assert "0: 0 missing, 0 extra, 0 reversed" in hccd("compare", "run", "same.pag.csv").out


def test_exports_that_cannot_be_are_refused_before_the_run(hccd, data, tmp_path):
    every = [word for name in EXPORT_FORMATS if name not in MATRICES for word in ("--export", name)]
    assert hccd("learn", data, "--baseline", "fci", "--out", "run", *every).code == 0
    for name, baseline, phrase in [
        (
            "adjacency",
            "fci",
            "--export adjacency: adjacency matrix has no place for the bidirected edges that a PAG may",
        ),
        (
            "amat-pag",
            "pc",
            "--export amat-pag: amat.pag of pcalg has no place for the undirected edges that a CPDAG may",
        ),
    ]:
        ran = hccd("learn", data, "--baseline", baseline, "--out", "none", "--export", name)
        assert ran.code == 2 and phrase in ran.err and ran.err.count("\n") == 1
        assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (["convert", "run", "x.dot", "--dag"], "this graph is a PAG"),
        (["convert", "run", "x.dot", "--all"], "this graph is a PAG"),
        (["convert", "run", "x.dot", "--sample", "2"], "this graph is a PAG"),
        (["convert", "run", "x.dot", "--consensus", "0.5"], "a consensus is a CPDAG"),
        (["effect", "run", "a", "c", "--data", "data.csv"], "effects are estimated from DAGs and CPDAGs"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(run, hccd, tmp_path, arguments, phrase):
    ran = hccd(*arguments)
    assert ran.code == 2 and ran.out == "" and phrase in ran.err and ran.err.count("\n") == 1
    assert not (tmp_path / "x.dot").exists()


def test_pictures(run, hccd, tmp_path):
    for kind in ("graph", "tree"):
        assert hccd("plot", "run", "--kind", kind, "--out", f"{kind}.svg").code == 0
        text = (tmp_path / f"{kind}.svg").read_text()
        assert "partially-directed: 3" in text and "bidirected: 1" in text
    assert hccd("plot", "run", "--around", "c", "--out", "near.svg").code == 0
