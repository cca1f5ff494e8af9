"""Graph notions written out from their definitions, slowly, on sets of pairs: what the tests compare with.

Nothing here uses the library's own algorithms. A directed graph is a frozenset of pairs (i, j) for i -> j.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

import numpy as np

from hccd.graphs import PDAG

Arcs = frozenset[tuple[int, int]]


def is_acyclic(n: int, arcs: Arcs) -> bool:
    left = set(range(n))
    while left:
        sources = {x for x in left if not any(j == x and i in left for i, j in arcs)}
        if not sources:
            return False
        left -= sources
    return True


def all_pdags(n: int) -> Iterator[tuple[Arcs, Arcs]]:
    """Every graph on n variables as (directed, undirected pairs x < y)."""
    pairs = list(combinations(range(n), 2))
    for states in product(range(4), repeat=len(pairs)):
        directed = {(x, y) for (x, y), s in zip(pairs, states, strict=True) if s == 1}
        directed |= {(y, x) for (x, y), s in zip(pairs, states, strict=True) if s == 2}
        undirected = {pair for pair, s in zip(pairs, states, strict=True) if s == 3}
        yield frozenset(directed), frozenset(undirected)


def all_dags(n: int) -> list[Arcs]:
    """Every DAG on n variables: subsets of each order's forward pairs, each graph once."""
    dags: set[Arcs] = set()
    for order in permutations(range(n)):
        forward = list(combinations(order, 2))
        dags.update(
            frozenset(pair for k, pair in enumerate(forward) if chosen >> k & 1) for chosen in range(1 << len(forward))
        )
    return sorted(dags, key=sorted)


def adjacencies(arcs: Arcs) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(pair) for pair in arcs)


def colliders(arcs: Arcs, adjacent: frozenset[frozenset[int]]) -> frozenset[tuple[int, int, int]]:
    """All (x, z, y), x < y, with x -> z <- y and x, y not adjacent."""
    return frozenset(
        (x, z, y) for x, z in arcs for y, w in arcs if w == z and x < y and frozenset((x, y)) not in adjacent
    )


def class_key(arcs: Arcs) -> tuple[frozenset[frozenset[int]], frozenset[tuple[int, int, int]]]:
    """What two DAGs must share to be Markov equivalent (Verma and Pearl)."""
    return adjacencies(arcs), colliders(arcs, adjacencies(arcs))


def agreed(n: int, members: list[Arcs]) -> PDAG:
    """The graph in which an edge is directed if and only if all DAGs of the class direct it alike."""
    directed = frozenset.intersection(*members)
    undecided = frozenset.union(*members) - directed
    return PDAG.from_edges(n, list(directed), [(i, j) for i, j in undecided if i < j])


def forced_by_meek(n: int, directed: Arcs, undirected: Arcs) -> set[tuple[int, int]]:
    """All arrows that one of the rules R1-R4 derives in one step, tried on every choice of variables."""
    line = {frozenset(pair) for pair in undirected}
    near = line | adjacencies(directed)

    def un(*pair: int) -> bool:
        return frozenset(pair) in line

    def adj(*pair: int) -> bool:
        return frozenset(pair) in near

    forced = set()
    for a, b, c in permutations(range(n), 3):
        if (a, b) in directed and un(b, c) and not adj(a, c):
            forced.add((b, c))
        if (a, b) in directed and (b, c) in directed and un(a, c):
            forced.add((a, c))
    for a, b, c, d in permutations(range(n), 4):
        if not un(a, b):
            continue
        if un(a, c) and un(a, d) and (c, b) in directed and (d, b) in directed and not adj(c, d):
            forced.add((a, b))
        if un(a, d) and adj(a, c) and (d, c) in directed and (c, b) in directed and not adj(b, d):
            forced.add((a, b))
    return forced


def random_dag(rng: np.random.Generator, n: int, density: float) -> PDAG:
    """A DAG over a random order, each forward pair an edge with the given probability."""
    upper = np.triu(rng.random((n, n)) < density, k=1)
    order = rng.permutation(n)
    return PDAG.from_edges(n, order[np.argwhere(upper)])


def arcs_of(dag: PDAG) -> Arcs:
    return frozenset((i, j) for i, j in dag.directed_edges().tolist())
