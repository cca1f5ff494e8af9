"""Which end of each edge is drawn above: causes above effects, and a DAG in any case.

An undirected edge goes the way of a DAG extension. A graph that has none (a cycle, as a foreign file may hold) is drawn
too: variables are put into an order that few arrows run against, and those that do run upwards. In a PAG an edge with
an arrowhead at one end alone leads down to it, and the others go either way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.errors import NotExtendableError
from hccd.graphs import PAG, PDAG, AnyGraph, pdag_to_dag
from hccd.graphs.marks import EdgeType

_DOWNWARD = (EdgeType.DIRECTED, EdgeType.PARTIALLY_DIRECTED)


def downward_arcs(drawn: AnyGraph) -> NDArray[np.int64]:
    """Return every edge as a row (upper, lower); the rows form no cycle."""
    graph = _arrows_and_lines(drawn) if isinstance(drawn, PAG) else drawn
    try:
        return pdag_to_dag(graph).directed_edges().astype(np.int64)
    except NotExtendableError:
        place = np.empty(graph.n, dtype=np.int64)
        place[_order_of_few_reversals(graph)] = np.arange(graph.n)
        arcs = np.concatenate([graph.directed_edges(), graph.undirected_edges()]).astype(np.int64)
        against = place[arcs[:, 0]] > place[arcs[:, 1]]
        arcs[against] = arcs[against, ::-1]
        return arcs[np.lexsort((arcs[:, 1], arcs[:, 0]))]


def _arrows_and_lines(graph: PAG) -> PDAG:
    """Return the edges of a PAG as far as they lead down or not."""
    edges = graph.typed_edges()
    return PDAG.from_edges(
        graph.n,
        directed=[edge[:2] for edge in edges if edge[2] in _DOWNWARD],
        undirected=[edge[:2] for edge in edges if edge[2] not in _DOWNWARD],
    )


def _order_of_few_reversals(graph: PDAG) -> list[int]:
    """Take sources from the front and sinks from the back, else what has most arrows out (Eades, Lin, Smyth 1993)."""
    children = [set(graph.children(v)) for v in range(graph.n)]
    parents = [set(graph.parents(v)) for v in range(graph.n)]
    left = set(range(graph.n))
    front: list[int] = []
    back: list[int] = []
    while left:
        sinks = [v for v in left if not children[v]]
        sources = [v for v in left if not parents[v]]
        if sinks:
            taken = max(sinks)
            back.append(taken)
        else:
            taken = min(sources or left, key=lambda v: (len(parents[v]) - len(children[v]), v))
            front.append(taken)
        left.remove(taken)
        for child in children[taken]:
            parents[child].discard(taken)
        for parent in parents[taken]:
            children[parent].discard(taken)
    return front + back[::-1]
