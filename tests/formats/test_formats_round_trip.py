"""What is written comes back, whatever the names are; what a format cannot hold is refused in one sentence."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from format_cases import BY_NAME, HOSTILE, drawn_in, mixed_graphs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hccd.errors import HCCDError, InvalidGraphError
from hccd.graphs import PAG, PDAG
from hccd.graphs.formats import FORMATS, EdgeType, MixedGraph, NamedGraph, read_graph
from hccd.graphs.formats.files import encoded

ARROWS_AND_LINES = {"adjacency", "amat"}
#: Names that each format must refuse, by what its own tools make of them; everything else it must hold.
REFUSED = {
    "json": lambda name: False,
    "graphml": lambda name: bool(re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", name)),
    "gml": lambda name: False,
    "dot": lambda name: "\0" in name or bool(re.search(r'(?:^|[^\\])(?:\\\\)*\\(?:["\r\n]|\Z)', name)),
    "edges": lambda name: name == "" or "\0" in name,
    "adjacency": lambda name: "\0" in name,
    "amat": lambda name: "\0" in name,
    "amat-pag": lambda name: "\0" in name,
    "dagitty": lambda name: (
        name in ("graph", "node") or name.endswith("\\") or bool(re.search("[\x00-\x1f\x7f]", name))
    ),
    "tetrad": lambda name: name in ("", "Nodes:") or bool(re.search(r"[\s;,\x00-\x1f]", name)),
}


def half_a_character(name: str) -> bool:
    return any("\ud800" <= c <= "\udfff" for c in name)


@pytest.mark.parametrize("format_name", BY_NAME)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_graph_with_any_names_comes_back(format_name: str, data: st.DataObject) -> None:
    few = (EdgeType.DIRECTED, EdgeType.UNDIRECTED)
    graph = data.draw(mixed_graphs(few if format_name in ARROWS_AND_LINES else tuple(EdgeType)))
    graph = replace(graph, pag=format_name not in ARROWS_AND_LINES)
    known = BY_NAME[format_name]
    bad = [name for name in graph.names if half_a_character(name) or REFUSED[format_name](name)]
    if bad:
        with pytest.raises(InvalidGraphError) as caught:
            encoded(known, graph)
        sentence = str(caught.value)
        assert "\n" not in sentence and "rename" in sentence
        assert any(repr(name) in sentence for name in bad) or "empty" in sentence
        return
    text = "".join(encoded(known, graph))
    assert text == "".join(encoded(known, graph))
    back = known.parse(text)
    assert drawn_in(back) == drawn_in(graph)
    assert set(back.names) == set(graph.names)
    if format_name != "edges":
        assert back == graph


@pytest.mark.parametrize("format_name", BY_NAME)
def test_hostile_names_through_files(format_name: str, tmp_path: Path) -> None:
    ending = BY_NAME[format_name].suffixes[0]
    for number, name in enumerate(HOSTILE):
        graph = NamedGraph((name, "other", "third"), PDAG.from_edges(3, [(0, 1)], [(0, 2)]))
        if format_name == "amat-pag":
            graph = NamedGraph(graph.names, PAG.from_edges(3, graph.graph.typed_edges()))
        for file in (tmp_path / f"{number}{ending}", tmp_path / f"{number}{ending}.gz"):
            if half_a_character(name) or REFUSED[format_name](name):
                with pytest.raises(InvalidGraphError):
                    graph.export(file)
                assert not file.exists()
            else:
                graph.export(file)
                assert drawn_in(read_graph(file)) == drawn_in(graph), name
    assert not [file for file in tmp_path.iterdir() if file.name.startswith(".")]


@pytest.mark.parametrize("format_name", sorted(set(BY_NAME) - ARROWS_AND_LINES))
@pytest.mark.parametrize("kind", EdgeType)
def test_every_type_has_its_place(format_name: str, kind: EdgeType) -> None:
    known = BY_NAME[format_name]
    edges = [(1, 0, kind), (1, 2, EdgeType.DIRECTED)]
    graph = MixedGraph.from_edges(["a", "b", "c"], edges, pag=format_name == "amat-pag")
    back = known.parse("".join(encoded(known, graph)))
    assert drawn_in(back) == drawn_in(graph) == drawn_in(back.named())
    pdag = kind in (EdgeType.DIRECTED, EdgeType.UNDIRECTED) and format_name != "amat-pag"
    assert isinstance(back.named().graph, PDAG if pdag else PAG)


@pytest.mark.parametrize("format_name", ["json", "amat-pag", "dagitty"])
def test_a_pag_without_circles_stays_one_where_a_format_can_say_so(format_name: str) -> None:
    graph = NamedGraph(("a", "b", "c"), PAG.from_edges(3, [(0, 1, EdgeType.DIRECTED), (1, 2, EdgeType.UNDIRECTED)]))
    known = BY_NAME[format_name]
    text = "".join(encoded(known, MixedGraph.of(graph.names, graph.graph)))
    assert known.parse(text).named() == graph


def test_the_undirected_edges_of_a_pdag_are_no_tails_of_a_pag() -> None:
    graph = NamedGraph(("a", "b"), PDAG.from_edges(2, undirected=[(0, 1)]))
    with pytest.raises(InvalidGraphError, match="rows were selected, has no place for the undirected edge"):
        encoded(BY_NAME["amat-pag"], MixedGraph.of(graph.names, graph.graph))
    arrow = NamedGraph(("a", "b"), PDAG.from_edges(2, [(0, 1)]))
    assert "".join(encoded(BY_NAME["amat-pag"], MixedGraph.of(arrow.names, arrow.graph))) == ",a,b\na,0,2\nb,3,0\n"


@pytest.mark.parametrize("format_name", sorted(ARROWS_AND_LINES))
@pytest.mark.parametrize("kind", [kind for kind in EdgeType if "directed" != kind.value != "undirected"])
def test_a_matrix_of_zeros_and_ones_has_no_place_for_the_others(format_name: str, kind: EdgeType) -> None:
    graph = MixedGraph.from_edges(["a", "b"], [(0, 1, kind)])
    with pytest.raises(InvalidGraphError, match=f"no place for the {kind.value} edge between 'a' and 'b'"):
        encoded(BY_NAME[format_name], graph)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(FORMATS), st.text(max_size=60))
def test_no_text_makes_a_reader_stumble(known, text: str) -> None:
    try:
        known.parse(text)
    except HCCDError as error:
        assert str(error)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_no_damage_makes_a_reader_stumble(data: st.DataObject) -> None:
    known = data.draw(st.sampled_from(FORMATS))
    names, pag = ["a", "bc" if known.name == "tetrad" else "b c", "d"], known.name == "amat-pag"
    graph = MixedGraph.from_edges(names, [(0, 1, EdgeType.DIRECTED), (1, 2, EdgeType.UNDIRECTED)], pag=pag)
    text = "".join(encoded(known, graph))
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 8)))
    damaged = text[:start] + data.draw(st.text(st.sampled_from('{}[]<>"\\;,=-\n a0'), max_size=3)) + text[stop:]
    try:
        known.parse(damaged).named()
    except HCCDError as error:
        assert str(error)
