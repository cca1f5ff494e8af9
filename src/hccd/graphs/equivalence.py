"""Markov equivalence: from a DAG to the graph of its class, and from such a graph back to a DAG.

Observational data cannot tell two DAGs apart that have the same skeleton and the same v-structures (Verma and
Pearl 1990). The class is drawn as a CPDAG, in which an edge is directed if and only if all its members agree
on it; that is what a constraint-based method can hope to learn (section 3 of the paper), and what metrics
compare. Evidence plays no part here: how colliders are found in data is told in `hccd.orientation`.
"""

from __future__ import annotations

import numpy as np

from hccd._kernels.graphs.extension import Extension
from hccd.errors import InvalidGraphError, NotExtendableError
from hccd.graphs.meek import FIRST_REASON, directed
from hccd.graphs.pdag import IN, OUT, PDAG


def v_structures(pdag: PDAG) -> list[tuple[int, int, int]]:
    """Return the v-structures: triples (x, z, y), x < y, with x -> z <- y and no edge between x and y.

    Only directed edges count; the triples are sorted.

    Examples
    --------
    >>> v_structures(PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)]))
    [(0, 2, 1)]
    """
    rows = pdag.skeleton().rows
    found = rows.unshielded(pdag.slot_marks == IN)
    x, z, y = rows.neighbors[found.x_slot], rows.owner[found.x_slot], rows.neighbors[found.y_slot]
    return sorted(zip(x.tolist(), z.tolist(), y.tolist(), strict=True))


def dag_to_cpdag(dag: PDAG) -> PDAG:
    """Return the CPDAG of the Markov equivalence class of ``dag``.

    The v-structures keep their arrows, every other edge loses its own, and Meek's rules restore those that
    all members of the class share (Meek 1995, theorem 3).

    Parameters
    ----------
    dag : PDAG
        A directed acyclic graph.

    Raises
    ------
    InvalidGraphError
        If ``dag`` is not a DAG.

    Examples
    --------
    >>> dag_to_cpdag(PDAG.from_edges(3, directed=[(0, 1), (1, 2)])).undirected_edges().tolist()
    [[0, 1], [1, 2]]
    >>> dag_to_cpdag(PDAG.from_edges(3, directed=[(0, 1), (2, 1)])).directed_edges().tolist()
    [[0, 1], [2, 1]]
    """
    _require_dag(dag)
    rows = dag.skeleton().rows
    found = rows.unshielded(dag.slot_marks == IN)
    arrows = rows.mirror[np.concatenate([found.x_slot, found.y_slot])]
    return directed(dag.skeleton(), arrows, np.full(len(arrows), FIRST_REASON, np.int8)).graph


def pdag_to_dag(pdag: PDAG) -> PDAG:
    """Return a DAG with the skeleton, the arrows and exactly the v-structures of ``pdag``.

    Dor and Tarsi's algorithm (1992): a variable can be made a sink if it has no child and each of its
    undirected neighbours is adjacent to all its other neighbours, for then the arrows into it make no new
    v-structure. Such a variable is taken out and the rest treated alike; if none exists, no extension does.
    Which sink is taken first does not matter for success. The one with the largest number is, so the result
    is determined by the graph, and free edges tend to run from smaller to larger numbers.

    Parameters
    ----------
    pdag : PDAG
        Any partially directed graph.

    Returns
    -------
    PDAG
        A consistent extension: a DAG.

    Raises
    ------
    NotExtendableError
        If there is none, as for a directed cycle or an undirected cycle of four without a chord.

    Examples
    --------
    >>> pdag_to_dag(PDAG.from_edges(3, undirected=[(0, 1), (1, 2)])).directed_edges().tolist()
    [[0, 1], [1, 2]]
    """
    rows = pdag.skeleton().rows
    marks = pdag.slot_marks
    extension = Extension(rows.first, rows.neighbors, rows.mirror, (marks == IN).view(np.uint8))
    parent = np.zeros(rows.n_slots, np.uint8)
    if extension.run(True, parent):
        left = np.flatnonzero(np.asarray(extension.gone) == 0).tolist()
        shown = ", ".join(map(str, left[:10])) + (", ..." if len(left) > 10 else "")
        raise NotExtendableError(
            f"{pdag!r} has no consistent DAG extension, because none of the variables {shown} can be a sink "
            f"among them: look there for a directed cycle or an undirected one without a chord."
        )
    return PDAG.from_slot_marks(pdag.skeleton(), np.where(parent, IN, OUT).astype(np.int8))


def markov_equivalent(dag1: PDAG, dag2: PDAG) -> bool:
    """Tell whether two DAGs imply the same independences: same skeleton and same v-structures.

    Raises
    ------
    InvalidGraphError
        If one of them is not a DAG.

    Examples
    --------
    >>> chain, fork = PDAG.from_edges(3, [(0, 1), (1, 2)]), PDAG.from_edges(3, [(1, 0), (1, 2)])
    >>> markov_equivalent(chain, fork)
    True
    """
    _require_dag(dag1)
    _require_dag(dag2)
    return dag1.skeleton() == dag2.skeleton() and v_structures(dag1) == v_structures(dag2)


def _require_dag(graph: PDAG) -> None:
    if not graph.is_dag():
        raise InvalidGraphError(
            f"A DAG is needed, but {graph!r} has an undirected edge or a cycle: "
            f"take an extension of the graph (pdag_to_dag)."
        )
