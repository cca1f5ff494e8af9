"""Graphs by the types of their edges: made of them, and how many there are of each, as numbers and in words."""

from __future__ import annotations

from collections.abc import Sequence

from hccd.graphs.marks import EdgeType, TypedEdge
from hccd.graphs.pag import PAG
from hccd.graphs.pdag import PDAG

#: The types of edges that a PDAG has.
OF_PDAG = (EdgeType.DIRECTED, EdgeType.UNDIRECTED)


def typed_graph(n: int, edges: Sequence[TypedEdge], *, pag: bool = False) -> PDAG | PAG:
    """Return the graph with these edges: a PAG if it is to be one, or has an edge of another type than a PDAG's.

    Examples
    --------
    >>> typed_graph(2, [(0, 1, EdgeType.DIRECTED)]), typed_graph(2, [(0, 1, EdgeType.BIDIRECTED)])
    (PDAG(n=2, directed=1, undirected=0), PAG(n=2, bidirected=1))
    """
    if pag or any(kind not in OF_PDAG for _, _, kind in edges):
        return PAG.from_edges(n, edges)
    return PDAG.from_edges(n, *([edge[:2] for edge in edges if edge[2] is kind] for kind in OF_PDAG))


def edge_of(graph: PDAG | PAG, x: int, y: int) -> TypedEdge:
    """Return the edge between two adjacent variables.

    Examples
    --------
    >>> edge_of(PDAG.from_edges(2, directed=[(1, 0)]), 0, 1)
    (1, 0, <EdgeType.DIRECTED: 'directed'>)
    """
    if isinstance(graph, PAG):
        return graph.edge(x, y)
    if y in graph.undirected_neighbors(x):
        return min(x, y), max(x, y), EdgeType.UNDIRECTED
    return (x, y, EdgeType.DIRECTED) if y in graph.children(x) else (y, x, EdgeType.DIRECTED)


def edge_counts(graph: PDAG | PAG) -> dict[str, int]:
    """Count the edges by the names of the types that such a graph can have.

    Examples
    --------
    >>> edge_counts(PDAG.from_edges(3, directed=[(0, 1)]))
    {'directed': 1, 'undirected': 0}
    """
    if isinstance(graph, PDAG):
        return {"directed": len(graph.directed_edges()), "undirected": len(graph.undirected_edges())}
    found = [kind for _, _, kind in graph.typed_edges()]
    return {kind.value: found.count(kind) for kind in EdgeType}


def types_told(graph: PDAG | PAG) -> str:
    """Say how many edges there are of each type; of a PAG's types those that occur.

    Examples
    --------
    >>> types_told(PDAG.from_edges(3, directed=[(0, 1)]))
    '1 directed, 0 undirected'
    >>> types_told(PAG.from_edges(3, [(0, 1, EdgeType.BIDIRECTED), (1, 2, EdgeType.NONDIRECTED)]))
    '1 bidirected, 1 nondirected'
    """
    counts = edge_counts(graph).items()
    return ", ".join(f"{count:,} {name}" for name, count in counts if count or isinstance(graph, PDAG))


def edges_told(graph: PDAG | PAG) -> str:
    """Say how many edges there are, in all and of each type.

    Examples
    --------
    >>> edges_told(PDAG.from_edges(3, directed=[(0, 1)]))
    '1: 1 directed, 0 undirected'
    """
    total = sum(edge_counts(graph).values())
    return f"{total:,}: {types_told(graph)}" if total or isinstance(graph, PDAG) else "0"
