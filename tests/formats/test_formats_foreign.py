"""Files that other programs wrote, read by us."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pydot
import pytest
from causallearn.graph.Edge import Edge
from causallearn.graph.Endpoint import Endpoint
from causallearn.graph.GeneralGraph import GeneralGraph
from causallearn.graph.GraphNode import GraphNode
from causallearn.utils.GraphUtils import GraphUtils
from format_cases import BY_NAME, ODD, PLAIN, drawn_in

from hccd.errors import FileFormatError, InvalidGraphError
from hccd.graphs import PAG
from hccd.graphs.formats import NamedGraph, read_graph
from hccd.graphs.marks import EdgeType

DIRECTED_AND_NOT = {("a", "b", "directed"), ("b", "c", "undirected")}


def parsed(format_name: str, text: str) -> NamedGraph:
    return BY_NAME[format_name].parse(text).named()


@pytest.mark.parametrize("graph", [PLAIN, ODD])
@pytest.mark.parametrize("typed", [True, False])
def test_files_of_networkx(graph: NamedGraph, typed: bool, tmp_path: Path) -> None:
    made = graph.to_networkx()
    if not typed:
        for _, _, data in made.edges(data=True):
            data.clear()
        nx.set_node_attributes(made, {name: i / 7 for i, name in enumerate(made)}, "weight")
    nx.write_graphml(made, tmp_path / "g.graphml")
    nx.write_gml(made, tmp_path / "g.gml")
    assert read_graph(tmp_path / "g.graphml") == read_graph(tmp_path / "g.gml") == graph


@pytest.mark.parametrize("ending", ["graphml", "gml"])
def test_undirected_graphs_of_networkx(ending: str, tmp_path: Path) -> None:
    made = nx.Graph([("a", "b"), ("b", "c")])
    getattr(nx, f"write_{ending}")(made, tmp_path / f"g.{ending}")
    assert drawn_in(read_graph(tmp_path / f"g.{ending}")) == {("a", "b", "undirected"), ("b", "c", "undirected")}


def test_matrices_of_pandas(tmp_path: Path) -> None:
    for graph in (PLAIN, ODD):
        graph.to_pandas().to_csv(tmp_path / "g.csv")
        assert read_graph(tmp_path / "g.csv") == graph


def test_dot_of_pydot() -> None:
    made = pydot.Dot("two words", graph_type="digraph", strict=True)
    made.set_edge_defaults(color="red")
    for name in ("wet grass", "node", "x"):
        made.add_node(pydot.Node(pydot.quote_id_if_necessary(name), shape="box"))
    made.add_edge(pydot.Edge('"wet grass"', '"node"', label="-> {;"))
    made.add_edge(pydot.Edge("x", '"node"', dir="none"))
    found = parsed("dot", made.to_string())
    assert found.names == ("wet grass", "node", "x")
    assert drawn_in(found) == {("wet grass", "node", "directed"), ("node", "x", "undirected")}


def general_graph(names: list[str]) -> GeneralGraph:
    nodes = [GraphNode(name) for name in names]
    graph = GeneralGraph(nodes)
    graph.add_edge(Edge(nodes[0], nodes[1], Endpoint.TAIL, Endpoint.ARROW))
    graph.add_edge(Edge(nodes[1], nodes[2], Endpoint.TAIL, Endpoint.TAIL))
    graph.add_edge(Edge(nodes[3], nodes[1], Endpoint.TAIL, Endpoint.ARROW))
    return graph


def test_dot_and_text_of_causal_learn() -> None:
    names = ["rain", "wet grass", "sun -> moon", "x"]
    expected = {
        ("rain", "wet grass", "directed"), ("sun -> moon", "wet grass", "undirected"), ("x", "wet grass", "directed"),
    }  # fmt: skip
    graph = general_graph(names)
    found = parsed("dot", GraphUtils.to_pydot(graph).to_string())
    assert found.names == tuple(names) and drawn_in(found) == expected
    found = parsed("tetrad", str(graph))
    assert found.names == tuple(names) and drawn_in(found) == expected


def test_circles_of_causal_learn_are_read() -> None:
    nodes = [GraphNode("a"), GraphNode("b")]
    graph = GeneralGraph(nodes)
    graph.add_edge(Edge(nodes[0], nodes[1], Endpoint.CIRCLE, Endpoint.ARROW))
    for text, name in ((GraphUtils.to_pydot(graph).to_string(), "dot"), (str(graph), "tetrad")):
        assert drawn_in(BY_NAME[name].parse(text)) == {("a", "b", "partially-directed")}
        assert parsed(name, text).graph == PAG.from_edges(2, [(0, 1, EdgeType.PARTIALLY_DIRECTED)])


@pytest.mark.parametrize(
    ("format_name", "text"),
    [
        # igraph: numbered nodes, names as data.
        ("graphml", """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
          <key id="v_name" for="node" attr.name="name" attr.type="string"/>
          <key id="e_w" for="edge" attr.name="weight" attr.type="double"/>
          <graph id="G" edgedefault="directed">
            <node id="n0"><data key="v_name">a</data></node><node id="n1"><data key="v_name">b</data></node>
            <node id="n2"><data key="v_name">c</data></node>
            <edge source="n0" target="n1"><data key="e_w">1</data></edge>
            <edge source="n1" target="n2"/><edge source="n2" target="n1"/>
          </graph></graphml>"""),
        # Without a namespace, and with edges of both kinds.
        ("graphml", """<?xml version='1.0'?><!DOCTYPE graphml SYSTEM "x.dtd"><graphml><graph edgedefault="undirected">
          <node id="a"/><node id="b"/><node id="c"/>
          <edge source="a" target="b" directed="true"/><edge source="c" target="b"/></graph></graphml>"""),
        ("gml", 'Creator "igraph"\nVersion 1\ngraph\n[\n  directed 1\n  node\n  [\n    id 0\n    name "a"\n  ]\n'
         '  node\n  [\n    id 1\n    name "b"\n  ]\n  node [ id 2 name "c" ]\n  edge\n  [\n    source 0\n'
         '    target 1\n  ]\n  edge [ source 1 target 2 ]  edge [ source 2 target 1 ]\n]\n'),
        ("gml", '# a comment [\ngraph [ directed 1 node [ id -3 label "a" graphics [ x 1.5e3 type "oval" ] ] '
         'node [ id 4 label "b" ] node [ id 5 label "c" ] edge [ source -3 target 4 label "] [" ] '
         'edge [ source 4 target 5 type "undirected" ] ]'),
        ("dot", "/* bnlearn */ digraph { // x\n# line\na; b; c; edge [dir=forward]; a -> b; "
         "edge [dir=none] b:n:w -> c }"),
        ("dot", 'strict digraph "g" { rankdir=LR; node [shape=box]; subgraph cluster_0 { label="x"; a } '
         'a -> "b" [label=<<b>x</b>>]; "b" -> { "c" } -> b }'),
        ("dot", 'digraph { a -> b -> "c" c -> "" + "b" }'),
        ("dagitty", 'dag {\nbb="0,0,1,1"\na [exposure,pos="-1.5,0.3"]\nb [outcome,pos="1,2"]\nb <- a\n}'
         .replace("dag {", "pdag {").replace("\n}", "\nc [latent]; b -- c\n}")),
        ("dagitty", "PDAG name { a -> { b } c -- b }"),
        ("tetrad", "Graph Nodes:\na,b,c\n\nGraph Edges:\n1. a --> b dd nl\n2. b --- c [b --- c]:0.91;\n\n"
         "Graph Attributes:\nBIC: -3\n"),
        ("tetrad", "\r\nGraph Nodes:\r\na;b;c\r\n\r\nGraph Edges:\r\n1. b <-- a\r\n2. c --- b\r\n"),
        ("edges", '"from","to"\n"a","b"\n"b","c"\n"c","b"\n'),
        ("edges", "Source;Target;Type\na;b;directed\nc;b; undirected\n\n;;\n"),
        ("adjacency", '"","a","b","c"\n"a",0,1,0\n"b",0,0,1\n"c",0,1,0\n'),
        ("amat", '"","a","b","c"\n"a",0,0,0\n"b",1,0,1\n"c",0,1,0\n'),
    ],
)  # fmt: skip
def test_files_as_other_programs_write_them(format_name: str, text: str) -> None:
    assert drawn_in(parsed(format_name, text)) == DIRECTED_AND_NOT


@pytest.mark.parametrize(
    ("format_name", "text", "sentence"),
    [
        ("graphml", "<graphml>", "not XML"),
        ("graphml", "", "not XML"),
        ("graphml", "<svg/>", "begins with <svg>"),
        ("graphml", '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>', "entities of its own"),
        ("graphml", "<graphml><graph><node/></graph></graphml>", "a <node> without 'id'"),
        ("graphml", '<graphml><graph><node id="a"/><edge source="a" target="z"/></graph></graphml>', "ends at 'z'"),
        ("graphml", '<graphml><graph><node id="a"><graph/></node></graph></graphml>', "a graph inside"),
        ("graphml", '<graphml><graph><node id="a"/><node id="a"/></graph></graphml>', "'a' occurs more than once"),
        ("graphml", '<graphml><key id="t" attr.name="type"/><graph><node id="a"/><node id="b"/>'
         '<edge source="a" target="b"><data key="t">causes</data></edge></graph></graphml>', "of type 'causes'"),
        ("graphml", '<graphml><key id="t" attr.name="type"/><graph><node id="a"/><node id="b"/>'
         '<edge source="a" target="b"><data key="t">directed</data></edge>'
         '<edge source="b" target="a"><data key="t">directed</data></edge></graph></graphml>', "two different edges"),
        ("gml", "digraph {}", "line 1 is not GML"),
        ("gml", "", "not GML with a graph"),
        ("gml", "graph [ node [ id 1 ]", "end of the file"),
        ("gml", "graph [ node [ label 1 ] ]", "a node without id"),
        ("gml", "graph [ node [ id 1 ] node [ id 1 ] ]", "the same id"),
        ("gml", "graph [ edge [ source 1 target 2 ] ]", "the id of no node"),
        ("gml", "graph [" * 5000, "nested too deeply"),
        ("dot", "graph [ ]", r"line 1 has '\[' where it cannot be"),
        ("dot", "digraph {\n a ->\n}", "line 3 has '}'"),
        ("dot", "digraph { a -> b", "ends too early"),
        ("dot", "digraph { a -> a }", "joins 'a' to itself"),
        ("dot", "digraph { a -> b [dir=both]; a -> b }", "two different edges between 'a' and 'b'"),
        ("dot", "digraph {" + "{" * 50_000, "nested too deeply|too early"),
        ("dot", "digraph { <a", "ends too early"),
        ("dagitty", "dag { a => b }", "where it cannot be"),
        ("dagitty", "tree { }", "begins with dag or pdag"),
        ("tetrad", "Graph Nodes:\na;b\n", "not a graph of Tetrad"),
        ("tetrad", "Graph Nodes:\na;b\n\nGraph Edges:\n1. a --> c\n", "'a --> c' is not an edge"),
        ("tetrad", "Graph Nodes:\na;b;a\n\nGraph Edges:\n", "listed twice"),
        ("edges", "a,b\nc,d\n", "does not name the columns"),
        ("edges", "source,target,type\na,b\n", "'a,b' is not an edge"),
        ("edges", "source,target,type\na,,directed\n", "'a,,directed' is not an edge"),
        ("edges", "source,target,type\na,b,causes\n", "of type 'causes'"),
        ("edges", "source,target,type\na,b,directed\nb,a,directed\n", "two different edges"),
        ("edges", 'source,target,type\n"a,b,directed\n', "quotation marks"),
        ("amat", ",a,b\na,0,2\nb,0,0\n", "use 0 and 1"),
    ],
)  # fmt: skip
def test_texts_that_are_none(format_name: str, text: str, sentence: str) -> None:
    with pytest.raises((FileFormatError, InvalidGraphError), match=sentence) as caught:
        parsed(format_name, text)
    assert "\n" not in str(caught.value)


def test_random_digraphs_through_networkx(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        made = nx.gnp_random_graph(int(rng.integers(1, 12)), 0.3, seed=int(rng.integers(1000)), directed=True)
        named = nx.relabel_nodes(made, str)
        arcs = set(named.edges)
        nx.write_gml(named, tmp_path / "g.gml")
        nx.write_graphml(named, tmp_path / "g.graphml")
        for file in ("g.gml", "g.graphml"):
            found = read_graph(tmp_path / file)
            assert found.names == tuple(named.nodes)
            assert set(found.to_networkx().edges) == arcs
