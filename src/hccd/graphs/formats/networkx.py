"""Graphs to networkx and back.

networkx has no class for graphs with several kinds of edge. Here a graph is an ``nx.DiGraph``: an edge that looks the
same at both ends is a pair of opposite arcs, any other edge is one arc, and each arc says which it is in its attribute
``type`` (``"directed"``, ``"undirected"``, ``"bidirected"`` and so on). So a DAG needs no treatment at all in networkx,
and a CPDAG can be drawn or filtered by attribute. A PAG says that it is one in the attribute ``graph_type`` of the
graph. Other attributes of nodes and arcs are not kept.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from hccd.errors import InvalidGraphError, InvalidParameterError, NotInstalledError
from hccd.graphs.formats.mixed import EdgeNumbers, numbers_from
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.marks import EdgeType, TypedEdge
from hccd.graphs.pag import PAG
from hccd.graphs.pdag import PDAG
from hccd.graphs.typed import typed_graph

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(
    graph: PDAG | PAG, names: Sequence[Hashable] | None = None, numbers: EdgeNumbers | None = None
) -> nx.DiGraph:
    """Return a graph as a networkx graph.

    Parameters
    ----------
    graph : PDAG or PAG
        Any graph.
    names : sequence of hashable, optional
        The node of each variable, n different ones; the variables' own numbers by default.
    numbers : mapping, optional
        Numbers of edges (source, target) by name, such as their confidence: attributes of the arcs.

    Returns
    -------
    networkx.DiGraph
        Its nodes are in the order of the variables.

    Examples
    --------
    >>> made = to_networkx(PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)]), names=("a", "b", "c"))
    >>> list(made.edges(data="type"))
    [('a', 'b', 'directed'), ('b', 'c', 'undirected'), ('c', 'b', 'undirected')]
    """
    try:
        import networkx as nx
    except ImportError:
        raise NotInstalledError("a graph of networkx needs the package networkx: pip install networkx") from None
    labels: Sequence[Hashable] = range(graph.n) if names is None else tuple(names)
    if len(labels) != graph.n or len(set(labels)) != graph.n:
        raise InvalidParameterError(
            f"Names must be {graph.n} different ones, one per variable, got {len(labels)} of which "
            f"{len(set(labels))} differ."
        )
    made = nx.DiGraph(**({"graph_type": "PAG"} if isinstance(graph, PAG) else {}))
    made.add_nodes_from(labels)
    said = numbers or {}
    for i, j, kind in graph.typed_edges():
        for tail, head in ((i, j), (j, i))[: 1 + kind.symmetric]:
            made.add_edge(labels[tail], labels[head], type=kind.value, **numbers_from(said, tail, head))
    return made


def from_networkx(graph: nx.DiGraph) -> NamedGraph:
    """Read a networkx graph as a graph with names, which are the nodes as text.

    See `graph_from_networkx` for what is read and what is refused.

    Examples
    --------
    >>> import networkx as nx
    >>> from_networkx(nx.DiGraph([("rain", "wet"), ("sprinkler", "wet")])).edges()
    [('rain', 'wet', 'directed'), ('sprinkler', 'wet', 'directed')]
    """
    found, nodes = graph_from_networkx(graph)
    return NamedGraph(tuple(map(str, nodes)), found)


def graph_from_networkx(graph: nx.DiGraph) -> tuple[PDAG | PAG, tuple[Any, ...]]:
    """Read a networkx graph as a PDAG, or as a PAG if it says that it is one or has edges of such types.

    Parameters
    ----------
    graph : networkx.DiGraph
        A pair of opposite arcs is an undirected edge, a single arc a directed one. Where arcs have an attribute
        ``type``, it tells the type of edge, which must be one that looks the same at both ends for a pair alone.

    Returns
    -------
    found : PDAG or PAG
        Variable i is the i-th node of ``graph``.
    names : tuple
        The nodes, in the order of the variables.

    Raises
    ------
    InvalidGraphError
        If ``graph`` is undirected or a multigraph, joins a node to itself, or has an arc whose ``type`` is
        unknown or contradicts the arcs that are there.

    Examples
    --------
    >>> import networkx as nx
    >>> found, names = graph_from_networkx(nx.DiGraph([("rain", "wet"), ("sprinkler", "wet")]))
    >>> names, found.directed_edges().tolist()
    (('rain', 'wet', 'sprinkler'), [[0, 1], [2, 1]])
    """
    if not graph.is_directed() or graph.is_multigraph():
        raise InvalidGraphError(
            f"A networkx.DiGraph is needed, got a {type(graph).__name__}: convert it with networkx.DiGraph(graph)."
        )
    names = tuple(graph.nodes)
    position = {name: i for i, name in enumerate(names)}
    edges: list[TypedEdge] = []
    for tail, head, declared in graph.edges(data="type"):
        paired = graph.has_edge(head, tail)
        found = EdgeType.UNDIRECTED if paired else EdgeType.DIRECTED
        if tail == head:
            raise InvalidGraphError(f"Node {tail!r} is joined to itself: remove that arc.")
        said = {declared, graph.edges[head, tail].get("type") if paired else declared} - {None}
        if said:
            kind = next((kind for kind in EdgeType if said == {kind.value}), None)
            if kind is None or kind.symmetric != paired:
                raise InvalidGraphError(
                    f"The arc from {tail!r} to {head!r} has type {declared!r}, but the arcs between the two make "
                    f"the edge {found.value}: correct or remove the attribute."
                )
            found = kind
        if not paired or position[tail] < position[head]:
            edges.append((position[tail], position[head], found))
    return typed_graph(len(names), edges, pag=graph.graph.get("graph_type") == "PAG"), names
