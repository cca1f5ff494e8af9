r"""Graphs in DOT, the language of Graphviz, pydot and pygraphviz.

The id of a node is its name, in quotation marks where the language needs them. The type of an edge is how it is drawn:
``dir=none`` for undirected, ``dir=both`` with ``arrowhead`` and ``arrowtail`` (``odot`` is a circle) for the others; so
every program draws it right, and files of causal-learn and pydot read back alike. Graphs that number their nodes and
keep the names as labels, as causal-learn's do, get the labels as names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hccd.errors import InvalidGraphError
from hccd.graphs.formats.dot_statements import GRAPHVIZ, DotEdge, parse_dot_statements
from hccd.graphs.formats.mixed import EdgeCollector, MixedGraph
from hccd.graphs.marks import EdgeType, Mark

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEYWORDS = frozenset({"node", "edge", "graph", "digraph", "subgraph", "strict"})
_NUMERAL = re.compile(r"-?(?:\.\d+|\d+(?:\.\d*)?)")
#: Backslashes are ordinary characters of a name, but the last of an odd number of them would swallow what follows here.
_BAD_BACKSLASH = re.compile(r'(?<!\\)(?:\\\\)*\\(?:["\r\n]|\Z)')

_DRAWN = {
    EdgeType.DIRECTED: (),
    EdgeType.UNDIRECTED: ("dir=none",),
    EdgeType.BIDIRECTED: ("dir=both",),
    EdgeType.PARTIALLY_DIRECTED: ("dir=both", "arrowtail=odot"),
    EdgeType.PARTIALLY_UNDIRECTED: ("dir=both", "arrowtail=odot", "arrowhead=none"),
    EdgeType.NONDIRECTED: ("dir=both", "arrowtail=odot", "arrowhead=odot"),
}
_MARK_OF_SHAPE = {"none": Mark.TAIL, "odot": Mark.CIRCLE, "dot": Mark.CIRCLE}


def encode_dot(graph: MixedGraph) -> str:
    r"""Return the text of a file.

    Examples
    --------
    >>> from hccd.graphs.formats.mixed import MixedGraph
    >>> from hccd.graphs.marks import EdgeType
    >>> print(encode_dot(MixedGraph.from_edges(["wet grass", "rain"], [(1, 0, EdgeType.DIRECTED)])), end="")
    digraph {
      "wet grass";
      rain;
      rain -> "wet grass";
    }
    """
    ids = [_identifier(name) for name in graph.names]
    lines = [f"  {own}{_label(name)};" for own, name in zip(ids, graph.names, strict=True)]
    for source, target, kind in graph.edges:
        said = [f"{name}={value}" for name, value in graph.said(source, target).items()]
        attributes = ", ".join([*_DRAWN[kind], *said])
        lines.append(f"  {ids[source]} -> {ids[target]}{f' [{attributes}]' if attributes else ''};")
    return "\n".join(["digraph {", *lines, "}", ""])


def parse_dot(text: str) -> MixedGraph:
    """Read the graph from the text of a file.

    Raises
    ------
    FileFormatError
        If the text is no DOT.

    Examples
    --------
    >>> parse_dot('strict digraph { a -> {b c}; b -> c [dir=none] }').named().edges()
    [('a', 'b', 'directed'), ('a', 'c', 'directed'), ('b', 'c', 'undirected')]
    """
    found = parse_dot_statements(text, GRAPHVIZ)
    names = _names(found.nodes)
    edges = EdgeCollector()
    for node in found.nodes:
        edges.node(names[node])
    plain = True
    for edge in found.edges:
        at_source, at_target = _marks(edge)
        plain = plain and "dir" not in edge.attributes
        edges.edge_between(names[edge.source], names[edge.target], at_source, at_target)
    return edges.graph(merge=plain)


def _identifier(name: str) -> str:
    if "\0" in name or _BAD_BACKSLASH.search(name):
        what = "a zero byte" if "\0" in name else "a backslash at its end or before a quotation mark or line break"
        raise InvalidGraphError(
            f"DOT cannot hold the name {name!r}, which has {what}: rename it or choose another format"
        )
    if _BARE.fullmatch(name) and name.lower() not in _KEYWORDS:
        return name
    return '"' + name.replace('"', '\\"') + '"'


def _label(name: str) -> str:
    """Return the label of a node where Graphviz would not draw the name as it is."""
    if "\\" not in name and "&" not in name:
        return ""
    drawn = name.replace("\\", "\\\\").replace("&", "&amp;").replace('"', '\\"')
    return f' [label="{drawn}"]'


def _names(nodes: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the name of each node: its id, or its label if all ids are numbers and all have labels."""
    labels = {node: attributes["label"] for node, attributes in nodes.items() if "label" in attributes}
    if len(labels) == len(nodes) == len(set(labels.values())) and all(map(_NUMERAL.fullmatch, nodes)):
        return labels
    return {node: node for node in nodes}


def _marks(edge: DotEdge) -> tuple[Mark, Mark]:
    """Return the marks at the two ends, as Graphviz draws them."""
    direction = edge.attributes.get("dir", "forward" if edge.operator == "->" else "none")
    head = edge.attributes.get("arrowhead", "normal") if direction in ("forward", "both") else "none"
    tail = edge.attributes.get("arrowtail", "normal") if direction in ("back", "both") else "none"
    return _MARK_OF_SHAPE.get(tail, Mark.ARROW), _MARK_OF_SHAPE.get(head, Mark.ARROW)
