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
from hccd.graphs.marks import Mark, edge_between
from hccd.graphs.pdag import PDAG

#: The numbers of causal-learn's ``Endpoint``; the one at [i, j] belongs to the end at i.
_MARKS = {-1: Mark.TAIL, 1: Mark.ARROW, 2: Mark.CIRCLE}


def to_causallearn(pdag: PDAG, names: Sequence[str]) -> Any:
    """Return ``pdag`` as a ``causallearn.graph.GeneralGraph.GeneralGraph`` with nodes of these names."""
    try:
        from causallearn.graph.Edge import Edge
        from causallearn.graph.Endpoint import Endpoint
        from causallearn.graph.GeneralGraph import GeneralGraph
        from causallearn.graph.GraphNode import GraphNode
    except ImportError:
        raise NotInstalledError("a GeneralGraph needs the package causal-learn: pip install causal-learn") from None
    nodes = [GraphNode(name) for name in names]
    graph = GeneralGraph(nodes)
    for i, j in pdag.directed_edges().tolist():
        graph.add_edge(Edge(nodes[i], nodes[j], Endpoint.TAIL, Endpoint.ARROW))
    for i, j in pdag.undirected_edges().tolist():
        graph.add_edge(Edge(nodes[i], nodes[j], Endpoint.TAIL, Endpoint.TAIL))
    return graph


def from_causallearn(graph: Any) -> NamedGraph:
    """Read a graph of causal-learn.

    Parameters
    ----------
    graph : GeneralGraph or CausalGraph
        The second is what causal-learn's PC returns.

    Raises
    ------
    InvalidGraphError
        If it has bidirected edges or circles, or two edges between the same nodes.
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
    return MixedGraph.from_edges(names, edges).named()
