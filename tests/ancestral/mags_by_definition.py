"""MAGs and PAGs from their definitions, apart from the library's rules: what FCI must find.

Marks are matrices as those of ``PAG``: ``marks[i, j]`` is the mark at j. d-separation in the DAG is networkx's. The PAG
of a MAG is found by enumeration: of all graphs on the same edges those are kept that are maximal ancestral graphs with
the same m-separations, and a mark stays that all of them share.
"""

from __future__ import annotations

from itertools import combinations, product

import networkx as nx
import numpy as np

from hccd.graphs import PDAG
from hccd.graphs.pag import ARROW, CIRCLE, NONE, TAIL
from method_cases import random_dag

KINDS = ((TAIL, ARROW), (ARROW, TAIL), (ARROW, ARROW), (TAIL, TAIL))


#: Arrows and hidden common causes of five variables: 3 and 4 are separated by {0, 1, 2} and by nothing less, and
#: neither is adjacent to all of these; so they stay adjacent until possible-d-sep sets are asked about.
NEEDS_DSEP = ([(0, 1), (1, 4), (2, 3)], [(0, 2), (2, 4), (1, 3)])


def random_case(rng, observed, hidden, selection, degree, needs_dsep=False):
    """A DAG, its latent and its selection variables: roots with two or three children, sinks with as many parents."""
    arcs = random_dag(rng, observed, min(1.0, degree / (observed - 1))).directed_edges().tolist()
    causes = [rng.choice(observed, int(rng.integers(2, min(3, observed) + 1)), replace=False) for _ in range(hidden)]
    if needs_dsep:
        arcs = NEEDS_DSEP[0] + [(x, y) for x, y in arcs if max(x, y) > 4 and not (y <= 4 < x)]
        causes += map(np.array, NEEDS_DSEP[1])
    latent = list(range(observed, observed + len(causes)))
    arcs += [(v, int(x)) for v, children in zip(latent, causes, strict=True) for x in children]
    n = observed + len(latent) + selection
    selected = list(range(observed + len(latent), n))
    for v in selected:
        arcs += [
            (x, v) for x in rng.choice(observed, int(rng.integers(2, min(3, observed) + 1)), replace=False).tolist()
        ]
    # Nothing may depend on the hidden ones coming last.
    order = rng.permutation(n)
    dag = PDAG.from_edges(n, directed=arcs).relabelled(order)
    return dag, sorted(order[latent].tolist()), sorted(order[selected].tolist())


def mag_of_dag(dag, latent, selection):
    """The MAG over the observed variables: adjacent is what no set separates, a tail is at an ancestor."""
    graph = nx.DiGraph(dag.directed_edges().tolist())
    graph.add_nodes_from(range(dag.n))
    observed = [v for v in range(dag.n) if v not in latent and v not in selection]
    marks = np.zeros((len(observed), len(observed)), np.int8)
    for (i, x), (j, y) in combinations(enumerate(observed), 2):
        others = [z for z in observed if z not in (x, y)]
        sets = (set(some) for size in range(len(others) + 1) for some in combinations(others, size))
        if not any(nx.is_d_separator(graph, {x}, {y}, some | set(selection)) for some in sets):
            marks[i, j] = TAIL if any(y == s or nx.has_path(graph, y, s) for s in (x, *selection)) else ARROW
            marks[j, i] = TAIL if any(x == s or nx.has_path(graph, x, s) for s in (y, *selection)) else ARROW
    return marks


def descendants(marks):
    """For each variable the set of those that directed paths lead to, itself included."""
    n = len(marks)
    graph = nx.DiGraph([(i, j) for i in range(n) for j in range(n) if marks[i, j] == ARROW and marks[j, i] == TAIL])
    graph.add_nodes_from(range(n))
    return [nx.descendants(graph, v) | {v} for v in range(n)]


def m_connected(marks, x, y, given, below):
    """Whether some path is open: by walking along all of them."""

    def onwards(path):
        last = path[-1]
        if last == y:
            return True
        for w in np.flatnonzero(marks[last]).tolist():
            if w in path:
                continue
            if len(path) > 1:
                collider = marks[path[-2], last] == ARROW and marks[w, last] == ARROW
                if not (below[last] & given if collider else last not in given):
                    continue
            if onwards([*path, w]):
                return True
        return False

    return onwards([x])


def model(marks):
    """All m-separations of a graph."""
    n, below = len(marks), descendants(marks)
    return frozenset(
        (x, y, some)
        for x, y in combinations(range(n), 2)
        for size in range(n - 1)
        for some in combinations([z for z in range(n) if z not in (x, y)], size)
        if not m_connected(marks, x, y, set(some), below)
    )


def is_ancestral(marks):
    """No directed or almost directed cycle, and no arrowhead at an undirected edge."""
    n, below = len(marks), descendants(marks)
    for x, y in product(range(n), repeat=2):
        if marks[x, y] == NONE:
            continue
        if marks[x, y] == ARROW and x != y and x in below[y]:
            return False
        if marks[x, y] == TAIL and marks[y, x] == TAIL and ARROW in marks[:, y]:
            return False
    return True


def is_mag(marks):
    """Ancestral, and every pair without an edge is separated by some set."""
    if not is_ancestral(marks):
        return False
    separated = {(x, y) for x, y, _ in model(marks)}
    return all(marks[x, y] != NONE or (x, y) in separated for x, y in combinations(range(len(marks)), 2))


def unshielded_colliders(marks):
    n = len(marks)
    return {
        (x, z, y)
        for z in range(n)
        for x, y in combinations(range(n), 2)
        if marks[x, z] == ARROW and marks[y, z] == ARROW and marks[x, y] == NONE
    }


def pag_by_enumeration(mag):
    """The marks that all MAGs of the class share; elsewhere a circle."""
    edges = [(x, y) for x, y in combinations(range(len(mag)), 2) if mag[x, y]]
    colliders, separations = unshielded_colliders(mag), model(mag)
    shared = mag.copy()
    for kinds in product(KINDS, repeat=len(edges)):
        other = np.zeros_like(mag)
        for (x, y), (at_x, at_y) in zip(edges, kinds, strict=True):
            other[y, x], other[x, y] = at_x, at_y
        if (shared == other)[shared != NONE].all() or unshielded_colliders(other) != colliders:
            continue
        if is_ancestral(other) and model(other) == separations:
            shared[(shared != other) & (shared != NONE)] = CIRCLE
    return shared
