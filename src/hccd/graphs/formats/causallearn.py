"""Graphs of causal-learn (``GeneralGraph``), from ours and back.

causal-learn is imported only when ``to_causallearn`` is called; the way back looks at the object alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hccd.errors import InvalidGraphError, NotInstalledError
from hccd.graphs.formats.mixed import MixedGraph
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.marks import EdgeType, Mark, edge_between
from hccd.graphs.pag import PAG
from hccd.graphs.pdag import PDAG

#: The numbers of causal-learn's ``Endpoint``; the one at [i, j] belongs to the end at i.
_MARKS = {-1: Mark.TAIL, 1: Mark.ARROW, 2: Mark.CIRCLE}


def to_causallearn(graph: PDAG | PAG, names: Sequence[str]) -> Any:
    """Return a graph as a ``causallearn.graph.GeneralGraph.GeneralGraph`` with nodes of these names."""
    try:
        from causallearn.graph.Edge import Edge
        from causallearn.graph.Endpoint import Endpoint
        from causallearn.graph.GeneralGraph import GeneralGraph
        from causallearn.graph.GraphNode import GraphNode
    except ImportError:
        raise NotInstalledError("a GeneralGraph needs the package causal-learn: pip install causal-learn") from None
    nodes = [GraphNode(name) for name in names]
    made = GeneralGraph(nodes)
    endpoints = {Mark.TAIL: Endpoint.TAIL, Mark.ARROW: Endpoint.ARROW, Mark.CIRCLE: Endpoint.CIRCLE}
    for i, j, kind in graph.typed_edges():
        ends = [(nodes[i], endpoints[kind.marks[0]]), (nodes[j], endpoints[kind.marks[1]])]
        if kind is EdgeType.PARTIALLY_UNDIRECTED:
            # causal-learn adds this edge with its tail first only, and drops the other way round.
            ends.reverse()
        made.add_edge(Edge(*(node for node, _ in ends), *(endpoint for _, endpoint in ends)))
    made.set_pag(isinstance(graph, PAG))
    return made


def from_causallearn(graph: Any) -> NamedGraph:
    """Read a graph of causal-learn.

    Parameters
    ----------
    graph : GeneralGraph or CausalGraph
        The second is what causal-learn's PC returns, the first what its FCI returns, with a list of edges behind it.

    Returns
    -------
    NamedGraph
        Of a PAG if causal-learn says that it is one, as its FCI does, or if it has bidirected edges or circles.

    Raises
    ------
    InvalidGraphError
        If it has two edges between the same nodes.
    """
    graph = getattr(graph, "G", graph)
    try:
        names = tuple(node.get_name() for node in graph.get_nodes())
        ends = np.asarray(graph.graph)
    except AttributeError:
        raise InvalidGraphError(
            f"A GeneralGraph of causal-learn is needed, got a {type(graph).__name__}: give the graph that it returns."
        ) from None
    edges = []
    for x, y in np.argwhere(np.triu((ends != 0) | (ends.T != 0), k=1)).tolist():
        marks = int(ends[x, y]), int(ends[y, x])
        if not set(marks) <= set(_MARKS):
            raise InvalidGraphError(f"there are two edges between {names[x]!r} and {names[y]!r}: keep one")
        edges.append(edge_between(x, y, _MARKS[marks[0]], _MARKS[marks[1]]))
    return MixedGraph.from_edges(names, edges, pag=bool(getattr(graph, "pag", False))).named()
