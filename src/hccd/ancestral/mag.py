"""Maximal ancestral graphs (MAGs): what hidden and selection variables leave of a DAG, and the class of one as a PAG.

In a MAG no mark is a circle. It is *ancestral*: nothing is an ancestor of a variable that has an arrowhead towards it,
and no arrowhead meets an undirected edge. It is *maximal*: every pair without an edge is separated by some set.
``pag_of`` gives the marks that all MAGs of its Markov equivalence class share, so its value is valid by construction.
"""

from __future__ import annotations

from itertools import combinations

from hccd.ancestral.ends import Ends
from hccd.ancestral.rules import close
from hccd.graphs.dseparation import bits
from hccd.graphs.pag import ARROW, TAIL


def pag_of(mag: Ends) -> Ends:
    """Return the marks that the whole Markov equivalence class of a MAG shares; all others are circles."""
    at = mag.at
    found = Ends(mag.n, mag.edges())
    found.put_colliders(colliders_of(mag))
    close(found, lambda path: at[path[-3]][path[-2]] == ARROW and at[path[-1]][path[-2]] == ARROW)
    return found


def colliders_of(ends: Ends) -> list[tuple[int, int, int]]:
    """List the unshielded colliders x *-> z <-* y, x < y, sorted by z."""
    at = ends.at
    return [
        (x, z, y)
        for z in range(ends.n)
        for x, y in combinations([x for x in at[z] if at[x][z] == ARROW], 2)
        if y not in at[x]
    ]


def ancestors_of(mag: Ends, order: list[int]) -> list[int]:
    """Return the ancestors of each variable as bits, itself included; all arrows follow ``order``."""
    ancestors = [1 << v for v in range(mag.n)]
    for v in order:
        for u, mark in mag.at[v].items():
            if mark == TAIL and mag.at[u][v] == ARROW:
                ancestors[v] |= ancestors[u]
    return ancestors


def almost_cycles(mag: Ends, ancestors: list[int]) -> list[tuple[int, int]]:
    """List the edges u <-> v of which u is an ancestor of v."""
    at = mag.at
    return [
        (u, v) for v in range(mag.n) for u in at[v] if at[v][u] == ARROW and at[u][v] == ARROW and ancestors[v] >> u & 1
    ]


def inducing_path(mag: Ends, ancestors: list[int]) -> list[int] | None:
    """Return a path that no set blocks between variables without an edge, or None if the graph is maximal.

    Each variable inside is a collider on it and an ancestor of one of its ends. The graph must be ancestral.
    """
    at = mag.at
    heads = [sum(1 << v for v in at[x] if at[x][v] == ARROW) for x in range(mag.n)]
    for x, y in combinations(range(mag.n), 2):
        # In an ancestral graph what x has an arrowhead towards is no ancestor of x, so it must be one of y.
        if y in at[x] or not heads[x] & ancestors[y] or not heads[y] & ancestors[x]:
            continue
        inside = (ancestors[x] | ancestors[y]) & ~(1 << x | 1 << y)
        came_from = dict.fromkeys(bits(heads[x] & inside), x)
        waiting = list(came_from)
        for v in waiting:
            if heads[y] >> v & 1:
                path = [y, v]
                while path[-1] != x:
                    path.append(came_from[path[-1]])
                return path
            for w in at[v]:
                if w not in came_from and inside >> w & 1 and at[v][w] == ARROW and at[w][v] == ARROW:
                    came_from[w] = v
                    waiting.append(w)
    return None
