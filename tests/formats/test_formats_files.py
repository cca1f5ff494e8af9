"""Graphs from and into files: what is written comes back, and what is no graph is told in one sentence."""

from __future__ import annotations

import csv
import gzip
import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from format_cases import AS_PAG, DAG, PAG_OF_ALL, PLAIN, drawn_in, random_cpdag_like
from hypothesis import given, settings
from hypothesis import strategies as st

import hccd
from hccd.errors import FileFormatError, InvalidGraphError, InvalidParameterError
from hccd.graphs import PDAG
from hccd.graphs.formats import FORMATS, GraphFormat, MixedGraph, NamedGraph, hccd_graph, read_graph
from hccd.graphs.formats.adjacency_csv import parse_adjacency_csv
from hccd.graphs.formats.hccd_graph import parse_hccd_graph
from hccd.result import format as result_format

MATRIX = ",a,b,c\na,0,1,0\nb,0,0,1\nc,0,1,0\n"
GRAPH = NamedGraph(("a", "b", "c"), PDAG.from_edges(3, [(0, 1)], [(1, 2)]))
JSON = {
    "format": "hccd-graph",
    "version": 1,
    "nodes": ["a", "b", "c"],
    "edges": [
        {"source": "a", "target": "b", "type": "directed"},
        {"source": "c", "target": "b", "type": "undirected"},
    ],
}


def test_results_that_were_saved_are_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 400))
    c = a + b + 0.5 * rng.normal(size=400)
    result = hccd.discover({"naïve, name": a, 'b "quoted"': b, "c": c})
    assert len(result.graph.directed_edges())
    result.save(tmp_path / "graph.json")
    expected = NamedGraph(result.names, result.graph)
    assert read_graph(tmp_path / "graph.json") == expected
    assert read_graph(tmp_path) == read_graph(str(tmp_path)) == expected
    assert (hccd_graph.FORMAT, hccd_graph.VERSION) == (result_format.FORMAT, result_format.VERSION)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.text(st.characters(exclude_categories=["C"]), min_size=1).filter(lambda name: name == name.strip()),
             unique=True, min_size=1, max_size=6),
    st.sampled_from(",;\t"),
)  # fmt: skip
def test_matrices_with_any_names_in_any_order_of_rows(seed: int, names: list[str], delimiter: str) -> None:
    rng = np.random.default_rng(seed)
    graph = random_cpdag_like(rng, len(names), 0.5)
    rows = [[name, *marks] for name, marks in zip(names, graph.marks.tolist(), strict=True)]
    text = StringIO()
    # Quoted, so that another delimiter in a name does not look like one.
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["", *names])
    writer.writerows(rows[i] for i in rng.permutation(len(rows)))
    assert parse_adjacency_csv(text.getvalue()).named() == NamedGraph(tuple(names), graph)


@pytest.mark.parametrize("zero_one", ["01", "0.0 1.0", "False True", "FALSE TRUE"])
def test_cells_as_other_programs_write_them(zero_one: str) -> None:
    zero, one = zero_one.split() if " " in zero_one else zero_one
    assert parse_adjacency_csv(MATRIX.replace("0", "o").replace("1", one).replace("o", zero)).named() == GRAPH
    assert parse_adjacency_csv("\n" + MATRIX.replace("\n", "\r\n").replace(",", ", ") + "\n\n").named() == GRAPH


def test_files_may_be_packed_and_marked(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(MATRIX.encode()))
    (tmp_path / "b.CSV").write_bytes(b"\xef\xbb\xbf" + MATRIX.encode())
    (tmp_path / "c.v2.json.gz").write_bytes(gzip.compress(json.dumps(JSON).encode()))
    assert all(read_graph(file) == GRAPH for file in tmp_path.iterdir())
    (tmp_path / "d.tsv").write_text(MATRIX.replace(",", "\t"))
    assert read_graph(tmp_path / "d.tsv") == GRAPH


def test_formats_can_be_added(tmp_path: Path) -> None:
    pairs = GraphFormat("pairs", "pairs", (".pairs",), lambda text: MixedGraph(tuple(text), ()))
    (tmp_path / "x.pairs").write_text("uv")
    assert read_graph(tmp_path / "x.pairs", formats=(*FORMATS, pairs)).names == ("u", "v")
    with pytest.raises(FileFormatError, match=r"has no ending of a graph format: use one of \.json \(hccd-graph\)"):
        read_graph(tmp_path / "x.pairs")


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_files_are_named_by_their_endings_and_are_the_same_every_time(known: GraphFormat, tmp_path: Path) -> None:
    plain = AS_PAG if known.name == "amat-pag" else PLAIN
    for suffix in known.suffixes:
        if suffix not in (".txt", ".tsv") and not (known.name == "edges" and suffix == ".csv"):
            file = plain.export(tmp_path / f"g{suffix}")
            assert drawn_in(read_graph(file)) == drawn_in(plain)
            plain.export(tmp_path / f"again{suffix}.gz")
            plain.export(tmp_path / f"more{suffix}.GZ")
            assert drawn_in(read_graph(tmp_path / f"again{suffix}.gz")) == drawn_in(plain)
            assert (tmp_path / f"again{suffix}.gz").read_bytes() == (tmp_path / f"more{suffix}.GZ").read_bytes()
            assert gzip.decompress((tmp_path / f"again{suffix}.gz").read_bytes()) == file.read_bytes()
        # Whatever the name, if the format is said; and by the text, where the ending leaves a choice.
        plain.export(tmp_path / f"said{suffix}", known.name)
        assert drawn_in(read_graph(tmp_path / f"said{suffix}")) == drawn_in(plain)
        plain.export(tmp_path / "said.odd", known.name, force=True)
        assert drawn_in(read_graph(tmp_path / "said.odd", known.name)) == drawn_in(plain)


@pytest.mark.parametrize("known", [known for known in FORMATS if known.name not in ("adjacency", "amat")])
def test_a_pag_comes_back_from_every_file(known: GraphFormat, tmp_path: Path) -> None:
    file = PAG_OF_ALL.export(tmp_path / f"g{known.suffixes[0]}")
    back = hccd.read_graph(file)
    assert drawn_in(back) == drawn_in(PAG_OF_ALL) and set(back.names) == set(PAG_OF_ALL.names)
    assert known.name == "edges" or back == PAG_OF_ALL
    assert hccd.read_graph(hccd.write_graph(PAG_OF_ALL.graph, tmp_path / f"h{known.suffixes[0]}")).names[0][0] == "X"


@pytest.mark.parametrize("name", ["adjacency", "amat"])
def test_matrices_of_zeros_and_ones_refuse_a_pag(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidGraphError, match="an adjacency matrix has no place for the bidirected edge between 'a'"):
        PAG_OF_ALL.export(tmp_path / "g.csv", name)
    assert not list(tmp_path.iterdir())


def test_the_coding_of_pcalg(tmp_path: Path) -> None:
    """amat.pag of ?pcalg::amatType: amat[a, b] = 2 and amat[b, a] = 3 is a --> b; 2 and 1 is a o-> b."""
    (tmp_path / "fci.pag.csv").write_text('"","a","b","c"\n"a",0,2,0\n"b",3,0,2\n"c",0,1,0\n')
    found = hccd.read_graph(tmp_path / "fci.pag.csv")
    assert found.edges() == [("a", "b", "directed"), ("b", "c", "partially-directed")]
    for text, phrase in [
        (",a,b\na,0,4\nb,1,0\n", "is '4': use 0, 1, 2 and 3"),
        (",a,b\na,0,2\nb,0,0\n", "a mark at both of its ends"),
    ]:
        (tmp_path / "bad.pag").write_text(text)
        with pytest.raises(FileFormatError, match=phrase):
            hccd.read_graph(tmp_path / "bad.pag")


def test_public_functions(tmp_path: Path) -> None:
    assert hccd.write_graph(PLAIN, tmp_path / "a.dot") == tmp_path / "a.dot"
    assert hccd.read_graph(tmp_path / "a.dot") == PLAIN
    hccd.write_graph(PLAIN.graph, str(tmp_path / "b.gml"), names=["v", "w", "x", "y", "z"])
    assert hccd.read_graph(str(tmp_path / "b.gml")) == NamedGraph(("v", "w", "x", "y", "z"), PLAIN.graph)
    hccd.write_graph(PLAIN.graph, tmp_path / "c.json")
    assert hccd.read_graph(tmp_path / "c.json").names == ("X0", "X1", "X2", "X3", "X4")
    hccd.write_graph(PLAIN, tmp_path / "d.csv", names=range(5))
    assert hccd.read_graph(tmp_path / "d.csv").names == ("0", "1", "2", "3", "4")
    with pytest.raises(InvalidGraphError, match="2 names for 5"):
        hccd.write_graph(PLAIN, tmp_path / "e.csv", names=["a", "b"])
    with pytest.raises(InvalidParameterError, match="a list cannot be written as a graph"):
        hccd.write_graph([[0, 1], [0, 0]], tmp_path / "e.csv")
    assert not (tmp_path / "e.csv").exists()


def test_nothing_is_replaced_unless_forced_and_nothing_is_left_half_done(tmp_path: Path) -> None:
    file = tmp_path / "g.dot"
    file.write_text("mine")
    with pytest.raises(InvalidParameterError, match=r"g\.dot' exists already"):
        PLAIN.export(file)
    assert file.read_text() == "mine"
    PLAIN.export(file, force=True)
    assert read_graph(file) == PLAIN
    (tmp_path / "folder.gml").mkdir()
    for path, sentence in (
        (tmp_path / "folder.gml", "is not a file"),
        (tmp_path / "nowhere" / "g.gml", "cannot be written"),
        (tmp_path / "g.odd", "has no ending of a graph format"),
        (tmp_path / "g.txt", "fits several formats: give dagitty or tetrad"),
        (tmp_path / "g\0.gml", "null"),
    ):
        with pytest.raises(InvalidParameterError, match=sentence):
            PLAIN.export(path, force=True)
    for word in ("bif", "png"):
        with pytest.raises(InvalidParameterError, match=f"no graph format '{word}': use json, graphml"):
            hccd.write_graph(PLAIN, tmp_path / "x", format=word)
    assert {path.name for path in tmp_path.iterdir()} == {"g.dot", "folder.gml"}


def test_texts_decide_where_endings_do_not(tmp_path: Path) -> None:
    for name in ("dagitty", "tetrad"):
        PLAIN.export(tmp_path / "g.txt", name, force=True)
        assert read_graph(tmp_path / "g.txt") == PLAIN
    for name in ("adjacency", "edges"):
        PLAIN.export(tmp_path / "g.tsv", name, force=True)
        assert drawn_in(read_graph(tmp_path / "g.tsv")) == drawn_in(PLAIN)
    (tmp_path / "g.txt").write_text("a, b and c")
    with pytest.raises(FileFormatError, match="neither DAGitty nor Tetrad"):
        read_graph(tmp_path / "g.txt")
    DAG.export(tmp_path / "m.csv", "amat")
    assert read_graph(tmp_path / "m.csv", "amat") == DAG
    assert {(b, a) for a, b, _ in read_graph(tmp_path / "m.csv").edges()} == {(a, b) for a, b, _ in DAG.edges()}


def test_results_keep_their_evidence_in_their_own_format_only(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 400))
    result = hccd.discover({"a": a, "b": b, "c": a + b + 0.5 * rng.normal(size=400)})
    result.export(tmp_path / "g.json")
    result.save(tmp_path / "saved.json")
    assert (tmp_path / "g.json").read_bytes() == (tmp_path / "saved.json").read_bytes()
    result.export(tmp_path / "g.json.gz")
    assert hccd.HCCDResult.load(tmp_path / "g.json.gz").to_dict() == result.to_dict()
    for known in FORMATS:
        file = result.export(tmp_path / f"h{known.suffixes[0]}")
        assert drawn_in(read_graph(file)) == drawn_in(NamedGraph(result.names, result.graph))
    bare = hccd.write_graph(PLAIN, tmp_path / "bare.json")
    assert set(json.loads(bare.read_text())) == {"format", "version", "nodes", "edges"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not a table of text"),
        ("a,b\n0,1\n1,0\n", "not those in the first column"),
        ("\n\n", "not a table of text"),
        ("a\n", "not a table of text"),
        (MATRIX.replace("c,0,1,0", "d,0,1,0"), r"\('a', 'b', 'c'\) are not those in the first column"),
        (MATRIX.replace("c,0,1,0\n", ""), "not those in the first column"),
        (MATRIX.replace("b,0,0,1", "b,0,0"), "row 'b' has 2 cells after its name where the header has 3"),
        (MATRIX.replace("b,0,0,1", "b,0,0,2"), "row 'b' and column 'c' is '2': use 0 and 1"),
        (MATRIX.replace("b,0,0,1", "b,0,0,"), "row 'b' and column 'c' is ''"),
        (MATRIX.replace("a,0,1,0", "a,1,1,0"), "not a graph: .*zero diagonal"),
        (MATRIX.replace("b", "a"), "'a' occurs more than once"),
        ('"a\n', "not a table of text"),
    ],
)
def test_matrices_that_are_none(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "m.csv").write_text(text)
    with pytest.raises(FileFormatError, match=rf"m\.csv': .*{sentence}"):
        read_graph(tmp_path / "m.csv")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "format of this file is a list"),
        ({"format": "hccd-comparison"}, "format of this file is 'hccd-comparison'"),
        ({**JSON, "version": 2}, "has version 2"),
        ({**JSON, "nodes": None}, "damaged"),
        ({**JSON, "nodes": ["a", "b"]}, "damaged: KeyError"),
        ({**JSON, "nodes": ["a", "b", 3]}, "not all text"),
        ({**JSON, "nodes": ["a", "b", "c", "c"]}, "'c' occurs more than once"),
        ({**JSON, "edges": JSON["edges"] * 2 + [{"source": "b", "target": "a", "type": "directed"}]}, "two different"),
        ({**JSON, "edges": [{"source": "a", "target": "a", "type": "directed"}]}, "joins 'a' to itself"),
        ({**JSON, "edges": [{"source": "a", "target": "b", "type": "cyclic"}]}, "of type 'cyclic'"),
        ({**JSON, "edges": [{"source": "a", "target": "b"}]}, "damaged"),
        ({**JSON, "edges": 7}, "damaged"),
    ],
)
def test_graph_files_that_are_none(content: object, sentence: str) -> None:
    with pytest.raises(FileFormatError, match=sentence):
        parse_hccd_graph(content if isinstance(content, str) else json.dumps(content)).named()


def test_graph_files_need_no_more_than_nodes_and_edges() -> None:
    assert parse_hccd_graph(json.dumps(JSON)).named() == GRAPH


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for name, content, sentence in (
        ("gone.csv", None, "no such file"),
        ("gone", None, "no such file"),
        ("unnamed", b"a,b", "has no ending of a graph format"),
        (".csv", b"", "has no ending of a graph format"),
        ("latin.csv", "ä".encode("latin-1"), "not UTF-8"),
        ("cut.csv.gz", gzip.compress(MATRIX.encode())[:-9], "cut off"),
        ("bad.json.gz", b"\x1f\x8bnothing", "damaged"),
        ("odd\0name.csv", None, "null"),
    ):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(FileFormatError, match=sentence):
            read_graph(tmp_path / name)
    with pytest.raises(FileFormatError, match=r"graph\.json': there is no such file"):
        read_graph(tmp_path)
