"""Markov equivalence: from a DAG to the graph of its class, and from such a graph back to a DAG.

Observational data cannot tell two DAGs apart that have the same skeleton and the same v-structures (Verma and
Pearl 1990). The class is drawn as a CPDAG, in which an edge is directed if and only if all its members agree
on it; that is what a constraint-based method can hope to learn (section 3 of the paper), and what metrics
compare. Evidence plays no part here: how colliders are found in data is told in `hccd.orientation`.
"""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from hccd.errors import InvalidGraphError, NotExtendableError
from hccd.graphs.edges import sealed
from hccd.graphs.meek import meek_closure
from hccd.graphs.pdag import PDAG


def v_structures(pdag: PDAG) -> list[tuple[int, int, int]]:
    """Return the v-structures: triples (x, z, y), x < y, with x -> z <- y and no edge between x and y.

    Only directed edges count; the triples are sorted.

    Examples
    --------
    >>> v_structures(PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)]))
    [(0, 2, 1)]
    """
    marks = pdag.marks
    parents: list[list[int]] = [[] for _ in range(pdag.n)]
    for i, j in pdag.directed_edges().tolist():
        parents[j].append(i)
    found: list[tuple[int, int, int]] = []
    for z, of_z in enumerate(parents):
        if len(of_z) < 2:
            continue
        among = marks[np.ix_(of_z, of_z)]
        # Parents are ascending, so the upper triangle lists each pair once, smaller one first.
        first, second = np.nonzero(np.triu((among | among.T) == 0, k=1))
        found.extend((of_z[i], z, of_z[j]) for i, j in zip(first.tolist(), second.tolist(), strict=True))
    return sorted(found)


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
    marks = dag.marks.copy()
    arcs = dag.directed_edges()
    marks[arcs[:, 1], arcs[:, 0]] = 1
    for x, z, y in v_structures(dag):
        marks[z, x] = marks[z, y] = 0
    return meek_closure(PDAG(sealed(marks)))


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
    children: list[set[int]] = [set() for _ in range(pdag.n)]
    undirected: list[set[int]] = [set() for _ in range(pdag.n)]
    adjacent: list[set[int]] = [set() for _ in range(pdag.n)]
    for i, j in pdag.directed_edges().tolist():
        children[i].add(j)
        adjacent[i].add(j)
        adjacent[j].add(i)
    for i, j in pdag.undirected_edges().tolist():
        undirected[i].add(j)
        undirected[j].add(i)
        adjacent[i].add(j)
        adjacent[j].add(i)

    def obstacle(x: int) -> tuple[int, ...]:
        """Variables of which one must go before ``x`` can be a sink; empty if it can be now."""
        if children[x]:
            return (next(iter(children[x])),)
        for y in undirected[x]:
            strangers = adjacent[x] - adjacent[y]
            strangers.discard(y)
            if strangers:
                return y, strangers.pop()
        return ()

    # A variable that can be a sink stays one while others go, and one that cannot be stays so while what
    # stands in its way does: so each is looked at again only when its own obstacle has gone, not after every
    # removal.
    sinks: list[int] = []
    waiting: list[list[int]] = [[] for _ in range(pdag.n)]
    blocked = [True] * pdag.n

    def consider(x: int) -> None:
        blockers = obstacle(x)
        for blocker in blockers:
            waiting[blocker].append(x)
        if not blockers:
            blocked[x] = False
            heappush(sinks, -x)

    for x in range(pdag.n):
        consider(x)
    marks = pdag.marks.copy()
    while sinks:
        x = -heappop(sinks)
        for y in undirected[x]:
            marks[x, y] = 0
            undirected[y].discard(x)
        for y in adjacent[x]:
            adjacent[y].discard(x)
            children[y].discard(x)
        for y in waiting[x]:
            if blocked[y]:
                consider(y)
    if any(blocked):
        left = [x for x in range(pdag.n) if blocked[x]]
        shown = ", ".join(map(str, left[:10])) + (", ..." if len(left) > 10 else "")
        raise NotExtendableError(
            f"{pdag!r} has no consistent DAG extension, because none of the variables {shown} can be a sink "
            f"among them: look there for a directed cycle or an undirected one without a chord."
        )
    return PDAG(sealed(marks))


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
