"""Notions behind the metrics written out from their definitions, slowly: what the tests compare with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

import networkx as nx
import numpy as np

from hccd.graphs import PDAG

Arcs = frozenset[tuple[int, int]]


def random_dag(rng: np.random.Generator, n: int, density: float) -> PDAG:
    upper = np.triu(rng.random((n, n)) < density, k=1)
    order = rng.permutation(n)
    return PDAG.from_edges(n, order[np.argwhere(upper)])


def random_pdag(rng: np.random.Generator, n: int, density: float) -> PDAG:
    """Any graph: each pair with an edge of any kind, cycles and all."""
    return PDAG(np.where(np.eye(n, dtype=bool), 0, rng.random((n, n)) < density).astype(np.int8))


def colliders(arcs: Arcs, adjacent: set[frozenset[int]]) -> set[tuple[int, int, int]]:
    return {(x, z, y) for x, z in arcs for y, w in arcs if w == z and x < y and frozenset((x, y)) not in adjacent}


def members(graph: PDAG) -> list[PDAG]:
    """All DAGs with the skeleton, the arrows and exactly the colliders of a graph."""
    directed = frozenset(map(tuple, graph.directed_edges().tolist()))
    lines = [tuple(edge) for edge in graph.undirected_edges().tolist()]
    adjacent = {frozenset(edge) for edge in [*directed, *lines]}
    wanted = colliders(directed, adjacent)
    found = []
    for flips in product((False, True), repeat=len(lines)):
        arcs = directed | {(y, x) if flip else (x, y) for (x, y), flip in zip(lines, flips, strict=True)}
        if colliders(arcs, adjacent) == wanted:
            candidate = nx.DiGraph(list(arcs))
            if nx.is_directed_acyclic_graph(candidate):
                found.append(PDAG.from_edges(graph.n, list(arcs)))
    return found


def as_networkx(dag: PDAG) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(dag.n))
    graph.add_edges_from(dag.directed_edges().tolist())
    return graph


def is_valid_adjustment(graph: nx.DiGraph, x: int, y: int, given: Iterable[int]) -> bool:
    """The criterion of Shpitser et al., with networkx: forbidden variables, then the proper back-door graph."""
    given = set(given)
    on_causal_path = (nx.descendants(graph, x) & (nx.ancestors(graph, y) | {y})) - {x}
    forbidden = set(on_causal_path).union(*(nx.descendants(graph, z) for z in on_causal_path))
    if given & forbidden:
        return False
    back_door = graph.copy()
    back_door.remove_edges_from([(x, z) for z in graph.successors(x) if z in on_causal_path])
    return nx.is_d_separator(back_door, {x}, {y}, given)


def wrong_effects(graph: nx.DiGraph, x: int, parents: Iterable[int]) -> set[int]:
    """The y on which the effect of x is got wrong if ``parents`` are taken for those of x."""
    parents = set(parents)
    claimed_none = {y for y in parents if y in nx.descendants(graph, x)}
    others = set(graph) - parents - {x}
    return claimed_none | {y for y in others if not is_valid_adjustment(graph, x, y, parents)}


def sid_of_dags(truth: PDAG, learned: PDAG) -> int:
    graph = as_networkx(truth)
    return sum(len(wrong_effects(graph, x, learned.parents(x))) for x in range(truth.n))


def possibly_directed_paths(graph: PDAG, x: int, y: int) -> Iterator[list[int]]:
    """Paths from x to y on which no edge between two of their variables in this order points back."""
    marks = graph.marks

    def extend(path: list[int]) -> Iterator[list[int]]:
        if path[-1] == y:
            yield path
            return
        for z in range(graph.n):
            if marks[path[-1], z] and z not in path and not any(marks[z, a] and not marks[a, z] for a in path):
                yield from extend([*path, z])

    return extend([x])


def subsets(items: Iterable[int]) -> Iterator[tuple[int, ...]]:
    items = list(items)
    for size in range(len(items) + 1):
        yield from combinations(items, size)


def as_bits(items: Iterable[int]) -> int:
    return sum(1 << x for x in set(items))
