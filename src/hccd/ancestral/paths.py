"""The paths that the rules of orientation ask for: discriminating ones, and uncovered ones of a kind."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable

from hccd.ancestral.ends import Ends
from hccd.graphs.pag import ARROW, CIRCLE, TAIL

#: Whether a path may go from its first argument to the second, which are adjacent.
Step = Callable[[int, int], bool]


def discriminating_path(ends: Ends, b: int, c: int) -> list[int] | None:
    """Return a shortest discriminating path <d, ..., a, b, c> for b, or None if there is none.

    d and c are not adjacent; every variable between d and b is a collider on the path and a parent of c.
    """
    at = ends.at
    first = [a for a in at[b] if at[b][a] == ARROW and ends.has(a, c, TAIL, ARROW)]
    came_from = dict.fromkeys(first, b)
    waiting = deque(first)
    while waiting:
        v = waiting.popleft()
        for u in at[v]:
            if u in came_from or u in (b, c) or at[u][v] != ARROW:
                continue
            if u not in at[c]:
                path = [u, v]
                while path[-1] != b:
                    path.append(came_from[path[-1]])
                return [*path, c]
            if at[v][u] == ARROW and ends.has(u, c, TAIL, ARROW):
                came_from[u] = v
                waiting.append(u)
    return None


def circle_step(ends: Ends) -> Step:
    """Allow edges with circles at both ends."""
    return lambda u, v: ends.at[u][v] == CIRCLE and ends.at[v][u] == CIRCLE


def possibly_directed_step(ends: Ends) -> Step:
    """Allow edges that may be arrows from the first to the second."""
    return lambda u, v: ends.at[v][u] != ARROW and ends.at[u][v] != TAIL


def uncovered_paths(
    ends: Ends, a: int, m: int, step: Step, goals: Iterable[int], not_last: Container[int] = ()
) -> dict[int, list[int]]:
    """Return an uncovered path <a, m, ...> of such steps to each of the goals that has one; m itself may be a goal.

    On an uncovered path no variable is adjacent to the next but one. ``not_last`` are variables that may not be the
    last but one. Walks are followed edge by edge, each edge once; only where the shortest walk to a goal meets a
    variable twice are all paths to it tried.
    """
    at, wanted = ends.at, set(goals)
    came_from: dict[tuple[int, int], tuple[int, int] | None] = {(a, m): None}
    reached: dict[int, tuple[int, int]] = {m: (a, m)} if m in wanted and a not in not_last else {}
    waiting = deque(came_from)
    while waiting and len(reached) < len(wanted):
        edge = waiting.popleft()
        u, v = edge
        for w in at[v]:
            if w != a and w != u and w not in at[u] and (v, w) not in came_from and step(v, w):
                came_from[v, w] = edge
                waiting.append((v, w))
                if w in wanted and v not in not_last:
                    reached.setdefault(w, (v, w))
    found = {}
    for goal, edge in reached.items():
        path, before = [goal], came_from[edge]
        path.append(edge[0])
        while before is not None:
            path.append(before[0])
            before = came_from[before]
        simple = path[::-1] if len(set(path)) == len(path) else _simple(ends, [a, m], step, goal, not_last)
        if simple is not None:
            found[goal] = simple
    return found


def _simple(ends: Ends, path: list[int], step: Step, goal: int, not_last: Container[int]) -> list[int] | None:
    """Continue an uncovered path to the goal, without meeting a variable twice."""
    u, v = path[-2:]
    if v == goal:
        return path if u not in not_last else None
    for w in ends.at[v]:
        if w not in path and w not in ends.at[u] and step(v, w):
            found = _simple(ends, [*path, w], step, goal, not_last)
            if found is not None:
                return found
    return None
