"""Graphs in the text format of Tetrad, which causal-learn, causal-cmd and py-tetrad write and read.

Names stand between semicolons, edges one to a line: ``1. a --> b``. Names with spaces cannot be held, because the
programs that read such files cut the lines at spaces; they are read nevertheless, as causal-learn writes them.
"""

from __future__ import annotations

import re

from hccd.errors import FileFormatError, InvalidGraphError
from hccd.graphs.formats.mixed import EdgeCollector, MixedGraph
from hccd.graphs.marks import EdgeType, Mark

_NODES, _EDGES = "Graph Nodes:", "Graph Edges:"
_LINE = re.compile(r"\d+\.\s+(?P<edge>.*)")
_SIGN = re.compile(r" ([<o-])-([>o-]) ")
_MARKS = {"<": Mark.ARROW, ">": Mark.ARROW, "o": Mark.CIRCLE, "-": Mark.TAIL}
_SIGNS = {
    EdgeType.DIRECTED: "-->",
    EdgeType.UNDIRECTED: "---",
    EdgeType.BIDIRECTED: "<->",
    EdgeType.PARTIALLY_DIRECTED: "o->",
    EdgeType.NONDIRECTED: "o-o",
}


def encode_tetrad(graph: MixedGraph) -> str:
    """Return the text of a file.

    Examples
    --------
    >>> print(encode_tetrad(MixedGraph.from_edges(["a", "b"], [(1, 0, EdgeType.DIRECTED)])), end="")
    Graph Nodes:
    a;b
    <BLANKLINE>
    Graph Edges:
    1. b --> a
    """
    for name in graph.names:
        if not name or name == _NODES.split()[1] or re.search(r"[\s;,\x00-\x1f]", name):
            raise InvalidGraphError(
                f"Tetrad's text format cannot hold the name {name!r}: rename it to one without spaces, commas and "
                "semicolons, or choose another format"
            )
    edges = []
    for number, (source, target, kind) in enumerate(graph.edges, start=1):
        ends = graph.names[source], graph.names[target]
        if kind is EdgeType.PARTIALLY_UNDIRECTED:
            # causal-learn reads this edge with its tail first only, and drops the other way round.
            edges.append(f"{number}. {ends[1]} --o {ends[0]}")
        else:
            edges.append(f"{number}. {ends[0]} {_SIGNS[kind]} {ends[1]}")
    return "\n".join([_NODES, ";".join(graph.names), "", _EDGES, *edges, ""])


def is_tetrad(text: str) -> bool:
    """Tell whether a text begins as Tetrad's do."""
    return text.lstrip().startswith(_NODES)


def parse_tetrad(text: str) -> MixedGraph:
    r"""Read the graph from the text of a file; what follows the edges is not kept.

    Raises
    ------
    FileFormatError
        If the text is none of Tetrad's, or an edge ends at a variable that is not listed.

    Examples
    --------
    >>> parse_tetrad("Graph Nodes:\na;b;c\n\nGraph Edges:\n1. b --> a\n2. b --- c\n").named().edges()
    [('b', 'a', 'directed'), ('b', 'c', 'undirected')]
    """
    if not is_tetrad(text) or _EDGES not in text:
        raise FileFormatError(f"this is not a graph of Tetrad: the text should have {_NODES!r} and {_EDGES!r}")
    head, _, tail = text.lstrip()[len(_NODES) :].partition(_EDGES)
    # Older versions put commas between the names.
    listed = head.strip().split(";" if ";" in head else ",") if head.strip() else []
    edges = EdgeCollector()
    names = {name.strip() for name in listed}
    if len(names) < len(listed):
        raise FileFormatError("a name is listed twice among the nodes: give each variable its own")
    for name in listed:
        edges.node(name.strip())
    for line in filter(None, map(str.strip, tail.splitlines())):
        found = _LINE.fullmatch(line)
        if found is None:
            break
        x, y, at_x, at_y = _edge(found["edge"], names)
        edges.edge_between(x, y, at_x, at_y)
    return edges.graph()


def _edge(line: str, names: set[str]) -> tuple[str, str, Mark, Mark]:
    """Return the ends of an edge and their marks; behind it there may be remarks such as ``nl`` and frequencies."""
    for sign in _SIGN.finditer(line):
        x, rest = line[: sign.start()].strip(), line[sign.end() :].strip()
        for y in (rest, rest.split()[0] if rest else ""):
            if x in names and y in names:
                return x, y, _MARKS[sign[1]], _MARKS[sign[2]]
    raise FileFormatError(f"{line!r} is not an edge between two variables that are listed as nodes: correct the line")
