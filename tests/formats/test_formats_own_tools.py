"""What is written, read by the tool that the format belongs to: the same names, the same edges."""

from __future__ import annotations

import warnings
from io import StringIO
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd
import pydot
import pytest
from causallearn.graph.Endpoint import Endpoint
from causallearn.utils.TXT2GeneralGraph import txt2generalgraph
from format_cases import DAG, ODD, PLAIN, drawn_in, mixed_graphs, text_of
from hypothesis import HealthCheck, assume, given, settings

from hccd.errors import InvalidGraphError
from hccd.graphs.formats import EdgeType, MixedGraph, NamedGraph

GRAPHS = [PLAIN, ODD, DAG]
ENDS = {"-": Endpoint.TAIL, ">": Endpoint.ARROW, "o": Endpoint.CIRCLE}
ENDS_OF = {
    "directed": "->", "undirected": "--", "bidirected": ">>", "partially-directed": "o>",
    "partially-undirected": "o-", "nondirected": "oo",
}  # fmt: skip


def edges_of_networkx(graph: nx.DiGraph) -> set[tuple[str, str, str]]:
    found = set()
    for tail, head, kind in graph.edges(data="type"):
        if EdgeType(kind).symmetric:
            assert graph.edges[head, tail]["type"] == kind
            tail, head = sorted((tail, head))
        found.add((tail, head, kind))
    return found


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mixed_graphs())
def test_networkx_reads_gml(graph: MixedGraph) -> None:
    # networkx takes these two for an empty tuple and an empty list.
    assume(not {"()", "[]"} & set(graph.names))
    found = nx.parse_gml(text_of(graph, "gml"))
    assert list(found.nodes) == list(graph.names) and isinstance(found, nx.DiGraph)
    assert edges_of_networkx(found) == drawn_in(graph)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mixed_graphs())
def test_networkx_reads_graphml(graph: MixedGraph) -> None:
    try:
        text = text_of(graph, "graphml")
        text.encode()
    except (InvalidGraphError, UnicodeEncodeError):
        assume(False)
    found = nx.parse_graphml(text)
    assert list(found.nodes) == list(graph.names) and isinstance(found, nx.DiGraph)
    assert edges_of_networkx(found) == drawn_in(graph)


def unquoted(name: str) -> str:
    """What pydot shows as it is written."""
    return name[1:-1].replace('\\"', '"') if name.startswith('"') else name


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mixed_graphs())
def test_pydot_reads_dot(graph: MixedGraph) -> None:
    try:
        text = text_of(graph, "dot")
    except InvalidGraphError:
        assume(False)
    with warnings.catch_warnings():
        # Its parser uses old names of pyparsing.
        warnings.simplefilter("ignore", DeprecationWarning)
        (found,) = pydot.graph_from_dot_data(text)
    assert [unquoted(node.get_name()) for node in found.get_nodes()] == list(graph.names)
    shapes = {"none": "-", "normal": ">", "odot": "o"}
    drawn = set()
    for edge in found.get_edges():
        attributes = {"dir": "forward", "arrowhead": "normal", "arrowtail": "normal", **edge.get_attributes()}
        head = shapes[attributes["arrowhead"]] if attributes["dir"] in ("forward", "both") else "-"
        tail = shapes[attributes["arrowtail"]] if attributes["dir"] == "both" else "-"
        kind = next(kind for kind, ends in ENDS_OF.items() if ends == tail + head)
        ends = unquoted(edge.get_source()), unquoted(edge.get_destination())
        drawn.add((*(sorted(ends) if EdgeType(kind).symmetric else ends), kind))
    assert drawn == drawn_in(graph)


@pytest.mark.parametrize("graph", [PLAIN, ODD])
def test_pandas_reads_the_matrices(graph: NamedGraph) -> None:
    expected = graph.to_pandas()
    found = pd.read_csv(StringIO(text_of(graph, "adjacency")), index_col=0, dtype={0: str})
    found.index = found.index.astype(str)
    pd.testing.assert_frame_equal(found, expected, check_dtype=False, check_names=False, check_index_type=False)
    transposed = pd.read_csv(StringIO(text_of(graph, "amat")), index_col=0, dtype={0: str})
    assert (transposed.to_numpy() == expected.to_numpy().T).all()


def test_amat_has_the_coding_of_pcalg() -> None:
    """From pcalg's help page amatType: amat[a,b] = 0 and amat[b,a] = 1 implies a --> b; both 1 implies a --- b."""
    amat = pd.read_csv(StringIO(text_of(PLAIN, "amat")), index_col=0)
    assert amat.loc["rain", "wet"] == 0 and amat.loc["wet", "rain"] == 1
    assert amat.loc["rain", "sun"] == 1 and amat.loc["sun", "rain"] == 1


def test_networkx_and_pandas_read_lists_of_edges() -> None:
    table = pd.read_csv(StringIO(text_of(ODD, "edges")), keep_default_na=False)
    joined = table[table.type != ""]
    assert set(joined.itertuples(index=False, name=None)) == set(ODD.edges())
    graph = nx.from_pandas_edgelist(joined, edge_attr="type", create_using=nx.DiGraph)
    assert set(graph.edges) == {(source, target) for source, target, _ in ODD.edges()}
    assert "alone" in set(pd.read_csv(StringIO(text_of(PLAIN, "edges"))).source)


def ends_in(graph: Any) -> dict[frozenset[str], dict[str, Endpoint]]:
    found = {}
    for edge in graph.get_graph_edges():
        x, y = edge.get_node1().get_name(), edge.get_node2().get_name()
        found[frozenset((x, y))] = {x: edge.get_endpoint1(), y: edge.get_endpoint2()}
    return found


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mixed_graphs())
def test_causal_learn_reads_tetrad(tmp_path_factory: pytest.TempPathFactory, graph: MixedGraph) -> None:
    plain = MixedGraph(tuple(f"v{i}" for i in range(len(graph.names))), graph.edges)
    file = tmp_path_factory.mktemp("tetrad") / "graph.txt"
    file.write_text(text_of(plain, "tetrad"), encoding="utf-8")
    found = txt2generalgraph(str(file))
    assert [node.get_name() for node in found.get_nodes()] == list(plain.names)
    expected = {}
    for source, target, kind in plain.edges:
        x, y = plain.names[source], plain.names[target]
        expected[frozenset((x, y))] = dict(zip((x, y), (ENDS[end] for end in ENDS_OF[kind.value]), strict=True))
    assert ends_in(found) == expected


def test_causal_learn_reads_odd_names_of_tetrad(tmp_path: Path) -> None:
    names = ("größe", "a->b", "1.", '"q"', "x:y", "-->")
    graph = NamedGraph(names, DAG.graph.__class__.from_edges(6, [(0, 1), (2, 3), (4, 5)]))
    graph.export(tmp_path / "graph.tetrad.txt")
    found = txt2generalgraph(str(tmp_path / "graph.tetrad.txt"))
    assert set(ends_in(found)) == {frozenset(names[:2]), frozenset(names[2:4]), frozenset(names[4:])}
