"""A graph as a list of edges: a table of text with the columns ``source``, ``target`` and ``type``.

A variable without edges has a line of its own with nothing after its name, so that it is not lost. The variables come
back in the order in which they are first named. How sure an edge is stands in further columns, which are not read.
Without a column of types every edge is directed, and one that is listed in both directions is undirected, as in the
arcs of the R package bnlearn.
"""

from __future__ import annotations

from hccd.errors import FileFormatError, InvalidGraphError
from hccd.graphs.formats.csv_table import DELIMITERS, first_row, parsed_rows, written_rows
from hccd.graphs.formats.mixed import EdgeCollector, MixedGraph, edge_type
from hccd.graphs.marks import EdgeType

_ENDS = (("source", "target"), ("from", "to"), ("cause", "effect"), ("parent", "child"))
_HEADER = ("source", "target", "type")


def encode_edge_list(graph: MixedGraph) -> str:
    """Return the text of a file."""
    if "" in graph.names:
        raise InvalidGraphError("a list of edges cannot hold a name that is empty: rename the variable")
    names = graph.names
    more = list(dict.fromkeys(name for own in graph.numbers.values() for name in own))
    rows = []
    for source, target, kind in graph.edges:
        said = graph.said(source, target)
        rows.append(
            (names[source], names[target], kind.value, *(str(said[name]) if name in said else "" for name in more))
        )
    joined = {end for edge in graph.edges for end in edge[:2]}
    alone = [(name, "", "", *[""] * len(more)) for i, name in enumerate(names) if i not in joined]
    return written_rows([(*_HEADER, *more), *rows, *alone], "a list of edges")


def is_edge_list(text: str) -> bool:
    """Tell whether the header line names the two ends of an edge."""
    return _delimiter(text) is not None


def parse_edge_list(text: str) -> MixedGraph:
    r"""Read the graph from the text of a file.

    Raises
    ------
    FileFormatError
        If the header line does not name the ends of an edge, or a line is no edge.

    Examples
    --------
    >>> parse_edge_list("source,target,type\nrain,wet,directed\nluck,,\n").named()
    NamedGraph(names=('rain', 'wet', 'luck'), graph=PDAG(n=3, directed=1, undirected=0))
    """
    delimiter = _delimiter(text)
    if delimiter is None:
        raise FileFormatError(
            "the first line does not name the columns of a list of edges: begin with source,target,type"
        )
    header, *rows = parsed_rows(text, delimiter)
    typed = len(header) >= len(_HEADER)
    edges = EdgeCollector()
    for row in rows:
        if len(row) == len(header) and row[0] and not any(row[1:]):
            edges.node(row[0])
            continue
        if len(row) != len(header) or not row[0] or not row[1]:
            raise FileFormatError(f"the line {delimiter.join(row)!r} is not an edge: give {', '.join(header)}")
        kind = edge_type(row[2].strip(), row[0], row[1]) if typed else EdgeType.DIRECTED
        edges.edge(row[0], row[1], kind)
    return edges.graph(merge=not typed)


def _delimiter(text: str) -> str | None:
    """Return the delimiter with which the header line reads as that of a list of edges."""
    for delimiter in DELIMITERS:
        header = [cell.strip().lower() for cell in first_row(text, delimiter)]
        if tuple(header[:2]) in _ENDS and header[2:3] in ([], ["type"]):
            return delimiter
    return None
