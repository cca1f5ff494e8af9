"""The minimum and maximum of a sum of costs, one per variable, over all DAGs of a partially directed graph.

The cost of a variable depends on its parents only. DAGs are not enumerated, since a class may have as many members as
there are orders of its variables. Three facts are used instead:

- each connected component of undirected edges can be directed independently of the others;
- in any DAG some variable of the component comes first, so that all its undirected edges point away from it, and once
  Meek's rules are exhausted any variable can be that one; what follows from the choice by these rules leaves smaller
  components, again independent of each other;
- what remains to be decided in a component depends only on its variables and on the parents they have already, so
  each such state is solved once.

For a tree this takes one step for each choice of the first variable; for a complete graph of k variables, k 2^(k-1)
steps instead of k! orders. Beyond a limit of steps a component gets local bounds: each variable takes its best and
its worst parents by itself, out of those that make no new collider, whether or not they fit together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from hccd.errors import NotExtendableError
from hccd.graphs import PDAG, meek_closure, pdag_to_dag
from hccd.graphs.dseparation import bits

#: Takes a variable and its parents, as bits.
Cost: TypeAlias = Callable[[int, int], int]

#: Variables joined by undirected edges, and the parents that each has already.
_State: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


class Bounds(NamedTuple):
    """The least and the greatest sum; ``exact`` if both are attained by a DAG, else they are only bounds of them."""

    lower: int
    upper: int
    exact: bool


class _TooManyStepsError(Exception):
    """The limit is reached."""


def bounds_over_class(graph: PDAG, cost: Cost, worst: int, limit: int) -> Bounds:
    """Find the bounds of the sum of costs over the DAGs with the skeleton, the arrows and the colliders of a graph.

    Parameters
    ----------
    graph : PDAG
        Any graph. If no DAG fits it, every set of undirected neighbours is tried for the parents of each variable
        by itself, and the bounds are not exact.
    cost : callable
        ``cost(x, parents)``, from 0 to ``worst``.
    worst : int
        The greatest cost there can be: taken for a variable with more sets of possible parents than ``limit``.
    limit : int
        The number of steps for each component before it gets local bounds.
    """
    try:
        pdag_to_dag(graph)
    except NotExtendableError:
        extendable = False
    else:
        extendable = True
        graph = meek_closure(graph)
    adjacent, parents, undirected = _as_bits(graph)
    lower = upper = 0
    exact = extendable
    for component in _components(undirected):
        state = component, tuple(parents[x] for x in component)
        found = _Search(adjacent, cost, limit).bounds(state) if extendable else None
        if found is None:
            exact = False
            found = 0, 0
            for x in component:
                each = _local_bounds(x, parents[x], undirected[x], adjacent if extendable else None, cost, limit)
                low, high = (0, worst) if each is None else each
                found = found[0] + low, found[1] + high
        lower, upper = lower + found[0], upper + found[1]
    return Bounds(lower, upper, exact)


class _Search:
    """The exact bounds of one component."""

    def __init__(self, adjacent: list[int], cost: Cost, limit: int) -> None:
        self._adjacent = adjacent
        self._cost = cost
        self._limit = limit
        self._steps = 0
        self._solved: dict[_State, tuple[int, int]] = {}

    def bounds(self, state: _State) -> tuple[int, int] | None:
        """Return the least and the greatest sum over the variables of a component; None if that takes too long."""
        try:
            return self._solve(state)
        except _TooManyStepsError:
            return None

    def _solve(self, state: _State) -> tuple[int, int]:
        variables, parents = state
        if len(variables) == 1:
            cost = self._cost(variables[0], parents[0])
            return cost, cost
        if state not in self._solved:
            lows, highs = [], []
            for first in range(len(variables)):
                each = [self._solve(part) for part in self._after(state, first)]
                lows.append(sum(low for low, _ in each))
                highs.append(sum(high for _, high in each))
            self._solved[state] = min(lows), max(highs)
        return self._solved[state]

    def _after(self, state: _State, first: int) -> list[_State]:
        """Direct all undirected edges at the ``first`` of the variables away from it, and return what is left."""
        self._steps += 1
        if self._steps > self._limit:
            raise _TooManyStepsError
        variables, parents = state
        size = len(variables)
        inside = sum(1 << x for x in variables)
        local = {x: i for i, x in enumerate(variables)}
        edges = [(i, local[y]) for i, x in enumerate(variables) for y in bits(self._adjacent[x] & inside) if x < y]
        known = [(local[p], i) for i in range(size) for p in bits(parents[i] & inside)]
        closed = _closed(size, edges, known)
        closed = _closed(size, edges, [*known, *((first, y) for y in closed.undirected_neighbors(first))])
        new = list(parents)
        for p, i in closed.directed_edges().tolist():
            new[i] |= 1 << variables[p]
        undirected = [sum(1 << y for y in closed.undirected_neighbors(i)) for i in range(size)]
        return [(tuple(variables[i] for i in part), tuple(new[i] for i in part)) for part in _components(undirected)]


def _closed(size: int, edges: list[tuple[int, int]], arrows: list[tuple[int, int]]) -> PDAG:
    """Return the graph of these edges, some of them arrows, closed under Meek's rules."""
    pointed = {(min(arrow), max(arrow)) for arrow in arrows}
    return meek_closure(PDAG.from_edges(size, arrows, [edge for edge in edges if edge not in pointed]))


def _local_bounds(
    x: int, parents: int, undirected: int, adjacent: list[int] | None, cost: Cost, limit: int
) -> tuple[int, int] | None:
    """Return the least and the greatest cost of one variable by itself; None if there is too much to try."""
    costs = []
    for chosen in _parent_sets(undirected, adjacent):
        costs.append(cost(x, parents | chosen))
        if len(costs) > limit:
            return None
    return min(costs), max(costs)


def _parent_sets(candidates: int, adjacent: list[int] | None) -> Iterator[int]:
    """List the sets of candidates that are pairwise adjacent, or all sets if adjacency does not matter."""
    yield 0
    for y in bits(candidates):
        candidates ^= 1 << y
        for rest in _parent_sets(candidates if adjacent is None else candidates & adjacent[y], adjacent):
            yield rest | 1 << y


def _as_bits(graph: PDAG) -> tuple[list[int], list[int], list[int]]:
    """Return the neighbours, the parents and the undirected neighbours of each variable."""
    adjacent, parents, undirected = ([0] * graph.n for _ in range(3))
    for i, j in graph.directed_edges().tolist():
        parents[j] |= 1 << i
        adjacent[i] |= 1 << j
        adjacent[j] |= 1 << i
    for i, j in graph.undirected_edges().tolist():
        for x, y in ((i, j), (j, i)):
            undirected[x] |= 1 << y
            adjacent[x] |= 1 << y
    return adjacent, parents, undirected


def _components(undirected: list[int]) -> list[tuple[int, ...]]:
    """Group the variables that undirected edges connect, each group ascending."""
    groups = []
    seen = 0
    for x in range(len(undirected)):
        if seen >> x & 1:
            continue
        group = front = 1 << x
        while front:
            further = 0
            for y in bits(front):
                further |= undirected[y]
            front = further & ~group
            group |= front
        seen |= group
        groups.append(tuple(bits(group)))
    return groups
