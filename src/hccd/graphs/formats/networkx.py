"""Partially directed graphs to networkx and back.

networkx has no class for graphs with both kinds of edge. Here a PDAG is an ``nx.DiGraph``: a directed edge is
one arc, an undirected edge a pair of opposite arcs, and each arc says which it is in its attribute ``type``
(``"directed"`` or ``"undirected"``). So a DAG needs no treatment at all in networkx, and a CPDAG can be drawn
or filtered by attribute. Other attributes of nodes and arcs are not kept.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from hccd.errors import InvalidGraphError, InvalidParameterError, NotInstalledError
from hccd.graphs.formats.mixed import EdgeNumbers, numbers_from
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.pdag import PDAG

if TYPE_CHECKING:
    import networkx as nx

DIRECTED = "directed"
UNDIRECTED = "undirected"


def to_networkx(pdag: PDAG, names: Sequence[Hashable] | None = None, numbers: EdgeNumbers | None = None) -> nx.DiGraph:
    """Return ``pdag`` as a networkx graph.

    Parameters
    ----------
    pdag : PDAG
        Any partially directed graph.
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
    >>> graph = to_networkx(PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)]), names=("a", "b", "c"))
    >>> list(graph.edges(data="type"))
    [('a', 'b', 'directed'), ('b', 'c', 'undirected'), ('c', 'b', 'undirected')]
    """
    try:
        import networkx as nx
    except ImportError:
        raise NotInstalledError("a graph of networkx needs the package networkx: pip install networkx") from None
    labels: Sequence[Hashable] = range(pdag.n) if names is None else tuple(names)
    if len(labels) != pdag.n or len(set(labels)) != pdag.n:
        raise InvalidParameterError(
            f"Names must be {pdag.n} different ones, one per variable, got {len(labels)} of which "
            f"{len(set(labels))} differ."
        )
    graph = nx.DiGraph()
    graph.add_nodes_from(labels)
    said = numbers or {}
    for i, j in pdag.directed_edges().tolist():
        graph.add_edge(labels[i], labels[j], type=DIRECTED, **numbers_from(said, i, j))
    for i, j in pdag.undirected_edges().tolist():
        graph.add_edge(labels[i], labels[j], type=UNDIRECTED, **numbers_from(said, i, j))
        graph.add_edge(labels[j], labels[i], type=UNDIRECTED, **numbers_from(said, j, i))
    return graph


def from_networkx(graph: nx.DiGraph) -> NamedGraph:
    """Read a networkx graph as a graph with names, which are the nodes as text.

    See `pdag_from_networkx` for what is read and what is refused.

    Examples
    --------
    >>> import networkx as nx
    >>> from_networkx(nx.DiGraph([("rain", "wet"), ("sprinkler", "wet")])).edges()
    [('rain', 'wet', 'directed'), ('sprinkler', 'wet', 'directed')]
    """
    pdag, nodes = pdag_from_networkx(graph)
    return NamedGraph(tuple(map(str, nodes)), pdag)


def pdag_from_networkx(graph: nx.DiGraph) -> tuple[PDAG, tuple[Any, ...]]:
    """Read a networkx graph as a PDAG.

    Parameters
    ----------
    graph : networkx.DiGraph
        A pair of opposite arcs is an undirected edge, a single arc a directed one. Where arcs have an
        attribute ``type``, it must say the same.

    Returns
    -------
    pdag : PDAG
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
    >>> pdag, names = pdag_from_networkx(nx.DiGraph([("rain", "wet"), ("sprinkler", "wet")]))
    >>> names, pdag.directed_edges().tolist()
    (('rain', 'wet', 'sprinkler'), [[0, 1], [2, 1]])
    """
    if not graph.is_directed() or graph.is_multigraph():
        raise InvalidGraphError(
            f"A networkx.DiGraph is needed, got a {type(graph).__name__}: convert it with networkx.DiGraph(graph)."
        )
    names = tuple(graph.nodes)
    position = {name: i for i, name in enumerate(names)}
    directed: list[tuple[int, int]] = []
    undirected: list[tuple[int, int]] = []
    for tail, head, declared in graph.edges(data="type"):
        found = UNDIRECTED if graph.has_edge(head, tail) else DIRECTED
        if tail == head:
            raise InvalidGraphError(f"Node {tail!r} is joined to itself: remove that arc.")
        if declared is not None and declared != found:
            raise InvalidGraphError(
                f"The arc from {tail!r} to {head!r} has type {declared!r}, but the arcs between the two make "
                f"the edge {found}: correct or remove the attribute."
            )
        (undirected if found == UNDIRECTED else directed).append((position[tail], position[head]))
    return PDAG.from_edges(len(names), directed, undirected), names
