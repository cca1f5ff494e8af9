"""Graphs of pgmpy, from ours and back: PDAG, DAG, and Bayesian networks without their probabilities.

pgmpy is imported only when ``to_pgmpy`` is called; the way back looks at the object alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from hccd.errors import InvalidGraphError, InvalidParameterError, NotInstalledError
from hccd.graphs.equivalence import pdag_to_dag
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.formats.networkx import from_networkx
from hccd.graphs.pdag import PDAG

Kind = Literal["pdag", "dag", "network", "linear-gaussian"]
KINDS: tuple[str, ...] = get_args(Kind)
_CLASSES = {"network": "DiscreteBayesianNetwork", "linear-gaussian": "LinearGaussianBayesianNetwork"}


def to_pgmpy(pdag: PDAG, names: Sequence[str], kind: Kind = "pdag") -> Any:
    """Return ``pdag`` as a graph of pgmpy.

    Parameters
    ----------
    pdag : PDAG
        Any partially directed graph.
    names : sequence of str
        The node of each variable.
    kind : {"pdag", "dag", "network", "linear-gaussian"}
        ``pgmpy.base.PDAG``; or of the extension that `pdag_to_dag` finds ``pgmpy.base.DAG``,
        ``pgmpy.models.DiscreteBayesianNetwork`` or ``pgmpy.models.LinearGaussianBayesianNetwork``.

    Raises
    ------
    NotExtendableError
        If a DAG is asked for and there is none.
    """
    if kind not in KINDS:
        raise InvalidParameterError(f"kind is {kind!r}; choose one of {', '.join(KINDS)}")
    try:
        from pgmpy import base, models
    except ImportError:
        raise NotInstalledError("a graph of pgmpy needs the package pgmpy: pip install pgmpy") from None
    graph = pdag if kind == "pdag" else pdag_to_dag(pdag)
    arcs = [(names[i], names[j]) for i, j in graph.directed_edges().tolist()]
    lines = [(names[i], names[j]) for i, j in graph.undirected_edges().tolist()]
    if kind == "pdag":
        found = base.PDAG(directed_ebunch=arcs, undirected_ebunch=lines)
        # pgmpy keeps arcs in a set: without this the nodes would come in another order every time.
        found.clear()
        found.add_nodes_from(names)
        found.add_edges_from([*arcs, *lines, *((y, x) for x, y in lines)])
        return found
    found = base.DAG() if kind == "dag" else getattr(models, _CLASSES[kind])()
    found.add_nodes_from(names)
    found.add_edges_from(arcs)
    return found


def from_pgmpy(graph: Any) -> NamedGraph:
    """Read a PDAG, a DAG or a Bayesian network of pgmpy; names become text.

    Raises
    ------
    InvalidGraphError
        If it is none of these.
    """
    if not hasattr(graph, "nodes") or not hasattr(graph, "is_directed"):
        raise InvalidGraphError(f"A graph of pgmpy is needed, got a {type(graph).__name__}: give a PDAG or a network.")
    return from_networkx(graph)
