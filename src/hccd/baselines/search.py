"""One level of a pass: compiled if the test offers it, else a plain loop with the same semantics.

The edges of a level are independent of each other when they all see the same graph (PC-stable), so chunks of
them may be asked by several workers; when removed edges disappear at once (original PC), only edges of disjoint
clusters are. Either way the result does not depend on the chunks.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hccd.baselines.candidates import conditioning_sets
from hccd.independence import BoundCITest, Level, LevelOutcome
from hccd.parallel import even_chunks, map_independent, worker_count

#: Fewer edges than this are not worth a worker of their own in compiled code.
COMPILED_CHUNK = 512


def search_level(ci: BoundCITest, level: Level, groups: NDArray[np.int32] | None, n_jobs: int | None) -> LevelOutcome:
    """Answer the questions of ``level``."""
    chunks = _chunks(ci, level, groups, worker_count(n_jobs))
    outcomes = map_independent(answer, [(ci, level.part(rows)) for rows in chunks], n_jobs)
    if len(outcomes) == 1:
        return outcomes[0]
    back = np.argsort(np.concatenate(chunks), kind="stable")
    return LevelOutcome(*(np.concatenate(columns)[back] for columns in zip(*outcomes, strict=True)))


def answer(ci: BoundCITest, level: Level) -> LevelOutcome:
    """Answer a level with one worker."""
    compiled = ci.separate_level(level)
    return plain_loop(ci, level) if compiled is None else compiled


def plain_loop(ci: BoundCITest, level: Level) -> LevelOutcome:
    """Ask set by set, in Python; the reference for the compiled search, and the way for a user's own test."""
    if level.live:
        level = level._replace(neighbors=level.neighbors.copy(), degree=level.degree.copy())
    m = len(level.x)
    removed = np.zeros(m, dtype=np.bool_)
    given = np.zeros((m, level.order), np.int32)
    p_value = np.full(m, np.nan)
    n_tests = np.zeros(m, np.int64)
    for e in range(m):
        x, y = int(level.x[e]), int(level.y[e])
        for candidate in conditioning_sets(level, e):
            n_tests[e] += 1
            result = ci.test(x, y, candidate)
            if result.independent:
                removed[e] = True
                given[e] = candidate
                p_value[e] = result.p_value
                if level.live:
                    _forget(level, x, y)
                    _forget(level, y, x)
                break
    return LevelOutcome(removed, given, p_value, n_tests)


def _forget(level: Level, v: int, gone: int) -> None:
    """Take ``gone`` from the neighbours of ``v``."""
    first = int(level.first[v])
    last = first + int(level.degree[v]) - 1
    place = first + int(np.flatnonzero(level.neighbors[first : last + 1] == gone)[0])
    level.neighbors[place] = level.neighbors[last]
    level.degree[v] -= 1


def _chunks(ci: BoundCITest, level: Level, groups: NDArray[np.int32] | None, workers: int) -> list[NDArray[np.int64]]:
    """Split the edges among the workers; in live mode never within a group of edges that may meet."""
    m = len(level.x)
    if workers == 1:
        return [np.arange(m)]
    compiled = type(ci).searcher is not BoundCITest.searcher
    count = min(4 * workers, m // COMPILED_CHUNK if compiled else m)
    if not level.live:
        return even_chunks(m, max(count, 1))
    if groups is None:
        return [np.arange(m)]
    by_group = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[by_group], prepend=-1))
    bounds = np.append(starts, m)[np.linspace(0, len(starts), max(min(count, len(starts)), 1) + 1).astype(int)]
    # Ascending: a chunk of several groups keeps the order of edges, and a single chunk needs no putting back.
    return [np.sort(by_group[a:b]) for a, b in pairwise(bounds) if b > a]
