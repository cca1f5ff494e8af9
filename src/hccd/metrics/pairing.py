"""The two graphs of a comparison: what may be given, brought over the same variables in the same order.

Graphs that carry names are matched by name, in whatever order each lists them; a graph without names is taken to be
in the order of the other. What equivalence class a DAG stands for is also decided here, once for all metrics, and what
the edges of a PDAG are among those of a PAG: an undirected edge leaves the marks at its ends open, as circles do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidGraphError
from hccd.graphs import PAG, PDAG, AnyGraph, dag_to_cpdag
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.formats.networkx import graph_from_networkx
from hccd.graphs.pag import ARROW, CIRCLE, TAIL
from hccd.wording import listed, quoted

#: A `PDAG` or `PAG`; something with a ``graph`` or a ``dag``, and perhaps ``names``, such as a result or a network; a
#: square matrix of zeros and ones, from row to column; a data frame that holds one; a networkx.DiGraph.
GraphLike: TypeAlias = Any


@dataclass(frozen=True)
class Pair:
    """Two graphs over the same variables.

    Attributes
    ----------
    truth, learned : PDAG or PAG
        Variable i is the same in both.
    names : tuple of str, or None
        The names of the variables, if one of the graphs had names.
    """

    truth: AnyGraph
    learned: AnyGraph
    names: tuple[str, ...] | None = None

    def as_classes(self) -> Pair:
        """Return the pair with each DAG replaced by the CPDAG of its equivalence class; other graphs stay."""
        return Pair(equivalence_class(self.truth), equivalence_class(self.learned), self.names)

    def pdags(self) -> tuple[PDAG, PDAG]:
        """Return both graphs for a metric that has no meaning for PAGs."""
        return without_hidden(self.truth), without_hidden(self.learned)


def paired(truth: GraphLike, learned: GraphLike, *, as_cpdag: bool = False) -> Pair:
    """Bring two graphs over the same variables, in the order of ``truth``.

    Parameters
    ----------
    truth, learned : GraphLike
        The graphs.
    as_cpdag : bool
        Replace each DAG by the CPDAG of its equivalence class.

    Raises
    ------
    InvalidGraphError
        If one is no graph, or they are not over the same variables.

    Examples
    --------
    >>> from hccd.graphs.formats import NamedGraph
    >>> one = NamedGraph(("a", "b"), PDAG.from_edges(2, directed=[(0, 1)]))
    >>> other = NamedGraph(("b", "a"), PDAG.from_edges(2, directed=[(1, 0)]))
    >>> pair = paired(one, other)
    >>> pair.truth == pair.learned, pair.names
    (True, ('a', 'b'))
    """
    true_graph, true_names = _taken(truth, "true")
    learned_graph, learned_names = _taken(learned, "learned")
    if true_names is not None and learned_names is not None:
        _refuse_different_names(true_names, learned_names)
        position = {name: i for i, name in enumerate(true_names)}
        learned_graph = learned_graph.relabelled([position[name] for name in learned_names])
    if true_graph.n != learned_graph.n:
        raise InvalidGraphError(
            f"The true graph has {true_graph.n} variables and the learned one {learned_graph.n}: "
            "give graphs over the same variables."
        )
    pair = Pair(true_graph, learned_graph, learned_names if true_names is None else true_names)
    return pair.as_classes() if as_cpdag else pair


def equivalence_class(graph: AnyGraph) -> AnyGraph:
    """Return the CPDAG of a DAG, and any other graph as it is."""
    return dag_to_cpdag(graph) if isinstance(graph, PDAG) and graph.is_dag() else graph


def without_hidden(graph: AnyGraph) -> PDAG:
    """Return a PDAG itself, and say of a PAG that it is none."""
    if isinstance(graph, PDAG):
        return graph
    raise InvalidGraphError("A PAG represents no DAG of its variables: compare by SHD, adjacencies and arrowheads.")


def end_marks(graph: AnyGraph) -> NDArray[np.int8]:
    """Return the marks of a PAG; of a PDAG those that its edges have in one."""
    if isinstance(graph, PAG):
        return graph.marks
    marks = np.zeros((graph.n, graph.n), np.int8)
    (i, j), (x, y) = graph.directed_edges().T, graph.undirected_edges().T
    marks[i, j], marks[j, i] = ARROW, TAIL
    marks[x, y] = marks[y, x] = CIRCLE
    return marks


def named(graph: GraphLike) -> tuple[PDAG, tuple[str, ...] | None]:
    """Take a PDAG of any kind, with its names if it has any."""
    found, names = _taken(graph, "given")
    return without_hidden(found), names


def _taken(given: GraphLike, which: str) -> tuple[AnyGraph, tuple[str, ...] | None]:
    if isinstance(given, PDAG | PAG):
        return given, None
    if hasattr(given, "is_directed") and hasattr(given, "nodes"):
        return _with_names(*graph_from_networkx(given))
    for attribute in ("graph", "dag"):
        inner = getattr(given, attribute, None)
        if inner is not None and not callable(inner):
            graph, _ = _taken(inner, which)
            return _with_names(graph, getattr(given, "names", None))
    if hasattr(given, "columns") and hasattr(given, "to_numpy"):
        return _from_frame(given, which)
    try:
        return PDAG(np.asarray(given)), None
    except InvalidGraphError as error:
        raise InvalidGraphError(f"The {which} graph cannot be used: {error}") from None


def _with_names(graph: AnyGraph, names: Sequence[Any] | None) -> tuple[AnyGraph, tuple[str, ...] | None]:
    if names is None:
        return graph, None
    checked = NamedGraph(tuple(map(str, names)), graph)
    return graph, checked.names


def _from_frame(frame: Any, which: str) -> tuple[AnyGraph, tuple[str, ...] | None]:
    """Take a square data frame; its index, if it has one, must hold the names of its columns."""
    names = list(frame.columns)
    index = getattr(frame, "index", None)
    if index is not None:
        if sorted(map(str, index)) != sorted(map(str, names)):
            raise InvalidGraphError(f"The index of the {which} graph's data frame is not its columns: make them agree.")
        frame = frame.loc[names]
    graph, _ = _taken(frame.to_numpy(), which)
    return _with_names(graph, names)


def _refuse_different_names(truth: Sequence[str], learned: Sequence[str]) -> None:
    parts = []
    for names, others, where in ((truth, learned, "true"), (learned, truth, "learned")):
        known = set(others)
        own = [quoted(name) for name in names if name not in known]
        if own:
            parts.append(f"{listed(own)} only in the {where} graph")
    if parts:
        raise InvalidGraphError(
            f"The graphs are over different variables ({'; '.join(parts)}): give graphs over the same ones."
        )
