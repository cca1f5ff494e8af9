"""Biconnected components: the parts of a graph that stay connected whichever single variable is taken away."""

from __future__ import annotations

from hccd.ancestral.ends import Ends


def blocks_of(ends: Ends) -> dict[tuple[int, int], int]:
    """Return for each edge x < y the variables of its biconnected component, as bits (Hopcroft and Tarjan 1973)."""
    at = ends.at
    depth: dict[int, int] = {}
    lowest: dict[int, int] = {}
    block: dict[tuple[int, int], int] = {}
    for root in range(ends.n):
        if root in depth:
            continue
        depth[root] = lowest[root] = 0
        edges: list[tuple[int, int]] = []
        path = [(root, -1, iter(at[root]))]
        while path:
            v, parent, rest = path[-1]
            w = next(rest, None)
            if w is None:
                path.pop()
                if parent < 0:
                    continue
                lowest[parent] = min(lowest[parent], lowest[v])
                if lowest[v] >= depth[parent]:
                    _close(edges, (parent, v), block)
            elif w not in depth:
                depth[w] = lowest[w] = depth[v] + 1
                edges.append((v, w))
                path.append((w, v, iter(at[w])))
            elif w != parent and depth[w] < depth[v]:
                edges.append((v, w))
                lowest[v] = min(lowest[v], depth[w])
    return block


def _close(edges: list[tuple[int, int]], last: tuple[int, int], block: dict[tuple[int, int], int]) -> None:
    """Take the edges of a component off the stack, down to the one that led into it."""
    members, taken = 0, []
    while True:
        x, y = edge = edges.pop()
        taken.append((min(x, y), max(x, y)))
        members |= 1 << x | 1 << y
        if edge == last:
            break
    block.update(dict.fromkeys(taken, members))
