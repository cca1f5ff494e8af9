"""Which sets of variables may be the parents of a variable, over the DAGs that a partially directed graph stands for.

A sibling (a neighbour by an undirected edge) is a parent in some of the DAGs. A set of siblings can be parents together
if that makes no new collider: each must be adjacent to all other parents (Maathuis, Kalisch and Buehlmann 2009). Arrows
from knowledge may forbid more, so a set must leave a DAG as well (Perkovic, Kalisch and Maathuis 2017).
"""

from __future__ import annotations

from typing import NamedTuple

from hccd.errors import NotExtendableError
from hccd.graphs import PDAG, meek_closure, pdag_to_dag


class ParentSet(NamedTuple):
    """The parents of a variable in some DAGs of the class, and what they can all reach by arrows out of it."""

    parents: tuple[int, ...]
    reachable: frozenset[int]


def parent_sets(graph: PDAG, x: int) -> list[ParentSet]:
    """Return all possible parents of ``x``, fewest first."""
    found = []
    for siblings in _joint(graph, x, (), graph.undirected_neighbors(x)):
        settled = _with_parents(graph, x, siblings)
        if settled is not None:
            parents = tuple(sorted((*graph.parents(x), *siblings)))
            found.append(ParentSet(parents, _reachable(settled, x)))
    return sorted(found, key=lambda each: (len(each.parents), each.parents))


def _joint(graph: PDAG, x: int, chosen: tuple[int, ...], left: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the sets of siblings that can be parents together, each with all of ``chosen``."""
    sets = [chosen]
    parents = graph.parents(x)
    for place, sibling in enumerate(left):
        if set(graph.neighbors(sibling)).issuperset((*parents, *chosen)):
            sets += _joint(graph, x, (*chosen, sibling), left[place + 1 :])
    return sets


def _with_parents(graph: PDAG, x: int, siblings: tuple[int, ...]) -> PDAG | None:
    """Return the graph with these siblings as parents of ``x`` and the others as children; None if no DAG is left."""
    others = [other for other in graph.undirected_neighbors(x) if other not in siblings]
    arrows = [(sibling, x) for sibling in siblings] + [(x, other) for other in others]
    lines = [pair for pair in graph.undirected_edges().tolist() if x not in pair]
    settled = meek_closure(PDAG.from_edges(graph.n, [*graph.directed_edges().tolist(), *arrows], lines))
    try:
        pdag_to_dag(settled)
    except NotExtendableError:
        return None
    return settled


def _reachable(graph: PDAG, x: int) -> frozenset[int]:
    """Return what a path out of ``x`` without an arrow against it leads to: all that x can be a cause of."""
    seen, waiting = {x}, [x]
    while waiting:
        v = waiting.pop()
        ahead = {*graph.children(v), *graph.undirected_neighbors(v)} - seen
        seen |= ahead
        waiting += ahead
    return frozenset(seen - {x})
