r"""Graphs in the text format of DAGitty (the site, the R package), which DoWhy and pgmpy read as well.

All six types of edges have their sign: ``->``, ``--``, ``<->``, ``@->``, ``@--``, ``@-@``. The first word tells what
kind of graph it is: ``dag``, ``pdag`` if there are undirected edges, ``pag`` if it is a PAG or there are circles,
``mag`` if there are bidirected edges without. Read are also exposures, outcomes and positions, which are not kept.
"""

from __future__ import annotations

import re

from hccd.errors import InvalidGraphError
from hccd.graphs.formats.dot_statements import DAGITTY, parse_dot_statements
from hccd.graphs.formats.mixed import EdgeCollector, MixedGraph
from hccd.graphs.marks import EdgeType, Mark

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTED_WORDS = frozenset({"edge", "digraph", "subgraph", "strict"})
_REFUSED_WORDS = frozenset({"graph", "node"})
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_BEGIN = re.compile(r"\s*(?:dag|pdag|mag|pag)\s*(?:\w+\s*)?\{", re.IGNORECASE)

_SIGNS = {
    EdgeType.DIRECTED: "->",
    EdgeType.UNDIRECTED: "--",
    EdgeType.BIDIRECTED: "<->",
    EdgeType.PARTIALLY_DIRECTED: "@->",
    EdgeType.PARTIALLY_UNDIRECTED: "@--",
    EdgeType.NONDIRECTED: "@-@",
}
_MARKS = {"<": Mark.ARROW, ">": Mark.ARROW, "@": Mark.CIRCLE, "-": Mark.TAIL}


def encode_dagitty(graph: MixedGraph) -> str:
    """Return the text of a file.

    Examples
    --------
    >>> print(encode_dagitty(parse_dagitty("pdag { b -- a }")), end="")
    pdag {
    b
    a
    b -- a
    }
    """
    kinds = {kind for _, _, kind in graph.edges}
    if graph.pag:
        word = "pag"
    elif kinds <= {EdgeType.DIRECTED}:
        word = "dag"
    elif kinds <= {EdgeType.DIRECTED, EdgeType.UNDIRECTED}:
        word = "pdag"
    else:
        word = "pag" if any(Mark.CIRCLE in kind.marks for kind in kinds) else "mag"
    ids = [_identifier(name) for name in graph.names]
    edges = [f"{ids[source]} {_SIGNS[kind]} {ids[target]}" for source, target, kind in graph.edges]
    return "\n".join([f"{word} {{", *ids, *edges, "}", ""])


def is_dagitty(text: str) -> bool:
    """Tell whether a text begins as DAGitty's do."""
    return _BEGIN.match(text) is not None


def parse_dagitty(text: str) -> MixedGraph:
    """Read the graph from the text of a file.

    Raises
    ------
    FileFormatError
        If the text is none of DAGitty's.

    Examples
    --------
    >>> parse_dagitty('dag { "wet grass" [outcome,pos="0,1"] rain -> "wet grass" <- sprinkler }').named().edges()
    [('rain', 'wet grass', 'directed'), ('sprinkler', 'wet grass', 'directed')]
    """
    found = parse_dot_statements(text, DAGITTY)
    edges = EdgeCollector()
    for node in found.nodes:
        edges.node(node)
    for edge in found.edges:
        edges.edge_between(edge.source, edge.target, _MARKS[edge.operator[0]], _MARKS[edge.operator[-1]])
    return edges.graph(pag=text.lstrip()[:3].lower() == "pag")


def _identifier(name: str) -> str:
    if name in _REFUSED_WORDS or _CONTROL.search(name) or name.endswith("\\"):
        what = "is a reserved word" if name in _REFUSED_WORDS else "has a control character or ends in a backslash"
        raise InvalidGraphError(
            f"DAGitty cannot hold the name {name!r}, which {what}: rename it or choose another format"
        )
    if _BARE.fullmatch(name) and name.lower() not in _QUOTED_WORDS:
        return name
    return '"' + name.replace('"', '\\"') + '"'
