"""The conditioning sets of an edge, in the order in which PC tries them: the plain statement of the rule.

Candidates are the neighbours of either end, merged and ranked together: by strength (the weaker of the two ties,
strongest first; a separator must touch both ends) or by number alone. A set must lie among the neighbours of one
end. Sets come in lexicographic order of ranks. The compiled search walks the same sets in the same order; the
parity tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from hccd.independence import Level


def ranked_candidates(level: Level, x: int, y: int) -> tuple[list[int], set[int], set[int]]:
    """Return the ranked candidates of the edge x - y, and the neighbours of either end."""
    of_x = _neighbors(level, x) - {y}
    of_y = _neighbors(level, y) - {x}

    def rank(z: int) -> tuple[float, int]:
        tie = min(abs(level.ties[x, z]), abs(level.ties[y, z])) if level.by_strength else 0.0
        return -tie, z

    return sorted(of_x | of_y, key=rank), of_x, of_y


def conditioning_sets(level: Level, e: int) -> Iterator[tuple[int, ...]]:
    """List the sets to be tried for edge number ``e`` of the level, without those known to be dependent."""
    ranked, of_x, of_y = ranked_candidates(level, int(level.x[e]), int(level.y[e]))
    known = level.order <= level.home_order[e]
    start, stop = level.home_start[e], level.home_stop[e]
    for given in combinations(ranked, level.order):
        if not (of_x.issuperset(given) or of_y.issuperset(given)):
            continue
        if known and all(start <= level.position[z] < stop for z in given):
            continue
        yield given


def _neighbors(level: Level, v: int) -> set[int]:
    first = int(level.first[v])
    return set(level.neighbors[first : first + int(level.degree[v])].tolist())
