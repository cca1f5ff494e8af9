"""Graphs with hostile names, for every format."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from hccd.graphs import PAG, PDAG
from hccd.graphs.formats import FORMATS, EdgeType, GraphFormat, MixedGraph, NamedGraph
from method_cases import ONE_OF_EACH

BY_NAME = {known.name: known for known in FORMATS}

HOSTILE = (
    'a "quoted" name', "it's", "line\nbreak", "carriage\rreturn", "\r\n", "tab\there", "back\\slash", "\\\\", "\\n",
    'a\\"b', "ends in \\", " space around ", "  ", "", "ünïcödé", "🦆", "日本", "e\u0301", "\u2028", "\x85", "\x07bell",
    "\x00", "\ufffe", "&amp;", "&#38;", "<b>bold</b>", "</script>", "]]>", "<!--", "a;b", "a,b", "a:b", "a=b", "{}",
    "[]", "1", "-2", "1.5", "007", "1e5", "nan", "NA", "None", "true", "node", "Node", "edge", "graph", "Graph",
    "digraph", "subgraph", "strict", "dag", "source", "target", "type", "from", "label", "id", "->", "--", "a -> b",
    "a --> b", "o->", "__proto__", "constructor", "x" * 200, "#hash", "//", "/* c */", "=1+1", "Graph Nodes:", "Nodes:",
    "1.", "n0", "n1", "@", "'", '"', '""', "%s", "\\N", "\x7f", "\ud800",
)  # fmt: skip

names = st.lists(
    st.one_of(st.sampled_from(HOSTILE), st.text(max_size=8), st.text(st.characters(codec="ascii"), max_size=6)),
    unique=True,
    min_size=1,
    max_size=6,
)


@st.composite
def mixed_graphs(draw: st.DrawFn, kinds: tuple[EdgeType, ...] = tuple(EdgeType)) -> MixedGraph:
    """Any graph with hostile names and edges of any type, one at most between two variables."""
    labels = draw(names)
    edges = []
    for j in range(len(labels)):
        for i in range(j):
            kind = draw(st.sampled_from((None, None, *kinds)))
            if kind is not None:
                edges.append((i, j, kind) if draw(st.booleans()) else (j, i, kind))
    return MixedGraph.from_edges(labels, edges)


def drawn_in(graph: MixedGraph | NamedGraph) -> set[tuple[str, str, str]]:
    """The edges by name, symmetric ones with their ends in the order of the alphabet."""
    if isinstance(graph, NamedGraph):
        graph = MixedGraph.of(graph.names, graph.graph)
    found = set()
    for source, target, kind in graph.edges:
        ends = graph.names[source], graph.names[target]
        found.add((*(sorted(ends) if kind.symmetric else ends), kind.value))
    return found


def text_of(graph: MixedGraph | NamedGraph, format_name: str) -> str:
    if isinstance(graph, NamedGraph):
        graph = MixedGraph.of(graph.names, graph.graph)
    known: GraphFormat = BY_NAME[format_name]
    assert known.encode is not None
    return known.encode(graph)


def random_cpdag_like(rng: np.random.Generator, n: int, density: float) -> PDAG:
    """Any graph: each pair with an edge of any kind, cycles and all."""
    return PDAG(np.where(np.eye(n, dtype=bool), 0, rng.random((n, n)) < density).astype(np.int8))


#: Names that every format holds.
PLAIN = NamedGraph(("rain", "wet", "sun", "x_1", "alone"), PDAG.from_edges(5, [(0, 1), (3, 1)], [(0, 2)]))
#: Names that all formats hold but Tetrad's.
ODD = NamedGraph(
    ("wet grass", 'the "sun"', "größe", "7", "edge", "a,b;c"), PDAG.from_edges(6, [(0, 1), (3, 1), (4, 5)], [(0, 2)])
)
#: A DAG.
DAG = NamedGraph(
    ("season", "rain", "sprinkler", "wet grass", "alone"), PDAG.from_edges(5, [(0, 1), (0, 2), (1, 3), (2, 3)])
)
#: One edge of each type, and a variable without any.
PAG_OF_ALL = NamedGraph(
    ("a", "b", "wet_grass", "d", "alone"),
    PAG.from_edges(5, ONE_OF_EACH),
)
#: The edges of `PLAIN`, where the undirected one says that rows were selected.
AS_PAG = NamedGraph(PLAIN.names, PAG.from_edges(5, PLAIN.graph.typed_edges()))
