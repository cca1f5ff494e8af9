"""The PC algorithm from the textbook, written apart from the library: what a tree of one cluster must equal.

Spirtes, Glymour, Scheines, *Causation, Prediction, and Search*, section 5.4.2: start from the complete graph; for
sets of size 0, 1, 2, ... take each adjacent pair and each set of that size among the neighbours of one of the two;
remove the edge at the first independence. ``stable`` is the variant of Colombo and Maathuis (2014): neighbours are
those at the beginning of the size. The book leaves the order of questions open; here it is the documented one:
pairs in ascending order, the neighbours of both ends as one list ranked by the weaker of the two strengths (or by
number), sets in lexicographic order of ranks. Graphs are dictionaries of sets.
"""

from __future__ import annotations

from itertools import combinations


def skeleton(n, independent, strength, *, stable, by_strength):
    """Return neighbours, separating sets and the questions asked, in order; ``independent(x, y, given)`` answers."""
    neighbors = {v: set(range(n)) - {v} for v in range(n)}
    separators = {}
    questions = []
    size = 0
    while size == 0 or any(len(neighbors[x] - {y}) >= size for x in range(n) for y in neighbors[x]):
        frozen = {v: set(members) for v, members in neighbors.items()} if stable else neighbors
        for x, y in combinations(range(n), 2):
            if y not in neighbors[x]:
                continue
            of_x, of_y = frozen[x] - {y}, frozen[y] - {x}

            def rank(z, x=x, y=y):
                return (-min(strength[x][z], strength[y][z]), z) if by_strength else (0.0, z)

            for given in combinations(sorted(of_x | of_y, key=rank), size):
                if not (set(given) <= of_x or set(given) <= of_y):
                    continue
                questions.append((x, y, frozenset(given)))
                if independent(x, y, given):
                    neighbors[x].discard(y)
                    neighbors[y].discard(x)
                    separators[x, y] = set(given)
                    break
        size += 1
    return neighbors, separators, questions


def orient(n, neighbors, separators):
    """Colliders from separating sets, then the textbook's rules until nothing changes; returns (arrows, lines)."""
    arrows = set()
    for z in range(n):
        for x, y in combinations(sorted(neighbors[z]), 2):
            if y not in neighbors[x] and z not in separators[x, y]:
                arrows |= {(x, z), (y, z)}
    lines = {(x, y) for x in range(n) for y in neighbors[x] if (x, y) not in arrows and (y, x) not in arrows}

    def forced(a, b):
        """Whether a - b must be a -> b."""
        into_a = any((c, a) in arrows and b not in neighbors[c] for c in range(n) if c != b)
        around = any((a, c) in arrows and (c, b) in arrows for c in range(n))
        kite = any(
            (a, c) in lines and (a, d) in lines and (c, b) in arrows and (d, b) in arrows and d not in neighbors[c]
            for c, d in combinations(range(n), 2)
        )
        return into_a or around or kite

    while True:
        new = next(((a, b) for a, b in sorted(lines) if forced(a, b)), None)
        if new is None:
            return arrows, {(x, y) for x, y in lines if x < y}
        arrows.add(new)
        lines -= {new, new[::-1]}
