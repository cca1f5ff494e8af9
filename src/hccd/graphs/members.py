"""The DAGs that a partially directed graph stands for: how many, all of them, or some drawn at random.

They are its consistent extensions: the same adjacencies, all its arrows, and no v-structure that it does not have. For
a CPDAG that is the Markov equivalence class. The number is exact, and found in polynomial time, where no arrow runs
inside an undirected part of the graph, as in every CPDAG. With arrows from elsewhere one may; no quick way to count is
known then (the problem is #P-hard), and the DAGs of such a graph are only gone through.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import prod
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs.chordal import components
from hccd.graphs.clique_picking import ChordalOrientations
from hccd.graphs.equivalence import pdag_to_dag
from hccd.graphs.meek import FIRST_REASON, directed, meek_closure
from hccd.graphs.pdag import OUT, PDAG
from hccd.graphs.rows import Rows


def class_size(pdag: PDAG) -> int:
    """Return how many DAGs ``pdag`` stands for, exactly.

    Raises
    ------
    NotExtendableError
        If there is none.
    InvalidGraphError
        If an arrow runs inside an undirected part of the graph.

    Examples
    --------
    >>> class_size(PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]))
    3
    """
    return _Class(pdag).size()


def members(pdag: PDAG, limit: int | None = None) -> Iterator[PDAG]:
    """Go through the DAGs that ``pdag`` stands for, each once, in an order that the graph determines.

    One undirected edge is directed, first one way and then the other, with all that follows by Meek's rules; that
    never ends in a graph without extension (Meek 1995), so each DAG takes polynomial time.

    Parameters
    ----------
    pdag : PDAG
        Any partially directed graph that has an extension.
    limit : int, optional
        Refuse if there are more than so many: at once where they can be counted, else when they are reached.

    Raises
    ------
    NotExtendableError
        If there is none.
    InvalidParameterError
        If there are more than ``limit``.

    Examples
    --------
    >>> [dag.directed_edges().tolist() for dag in members(PDAG.from_edges(2, undirected=[(0, 1)]))]
    [[[0, 1]], [[1, 0]]]
    """
    found = _Class(pdag)
    if limit is None:
        return _all(found.closed)
    most = _whole("limit", limit, least=1)
    if found.countable:
        size = found.size()
        if size > most:
            raise InvalidParameterError(
                f"the equivalence class has {size:,} members, more than the limit of {most:,}: raise the limit or draw "
                "a sample"
            )
        return _all(found.closed)
    return _up_to(most, found.closed)


def sample_members(pdag: PDAG, k: int, seed: int = 0) -> list[PDAG]:
    """Draw DAGs that ``pdag`` stands for, each equally likely at each draw, with repetitions.

    Parameters
    ----------
    pdag : PDAG
        A graph without arrows inside its undirected parts, such as a CPDAG.
    k : int
        How many.
    seed : int
        The same seed gives the same DAGs.

    Raises
    ------
    NotExtendableError
        If there is none.
    InvalidGraphError
        If an arrow runs inside an undirected part of the graph.
    """
    number, start = _whole("k", k, least=0), _whole("seed", seed, least=0)
    return _Class(pdag).draw(number, np.random.default_rng(start))


class _Class:
    """A graph closed under Meek's rules, known to have an extension, and its undirected parts."""

    def __init__(self, pdag: PDAG) -> None:
        pdag_to_dag(pdag)
        self.closed = meek_closure(pdag)
        near: dict[int, list[int]] = {}
        for i, j in self.closed.undirected_edges().tolist():
            near.setdefault(i, []).append(j)
            near.setdefault(j, []).append(i)
        self._near = near
        self._parts = sorted(map(sorted, components(near, near)))
        part_of = {v: number for number, part in enumerate(self._parts) for v in part}
        self._inner = [
            (i, j) for i, j in self.closed.directed_edges().tolist() if i in part_of and part_of[i] == part_of.get(j)
        ]

    @property
    def countable(self) -> bool:
        """Whether the parts can be oriented independently of each other and of the arrows."""
        return not self._inner

    def size(self) -> int:
        """Return the number of extensions."""
        return prod(map(self._orientations().count, self._parts))

    def draw(self, k: int, rng: np.random.Generator) -> list[PDAG]:
        """Draw extensions."""
        orientations = self._orientations()
        lines = self.closed.undirected_edges()
        drawn = []
        place = np.zeros(self.closed.n, np.int64)
        for _ in range(k):
            for part in self._parts:
                place[orientations.order(part, rng)] = np.arange(len(part))
            turned = place[lines[:, 0]] > place[lines[:, 1]]
            arrows = np.where(turned[:, None], lines[:, ::-1], lines)
            drawn.append(PDAG.from_edges(self.closed.n, np.concatenate([self.closed.directed_edges(), arrows])))
        return drawn

    def _orientations(self) -> ChordalOrientations:
        if self._inner:
            raise InvalidGraphError(
                f"{len(self._inner):,} of the graph's arrows lie inside an undirected part, which no CPDAG has, so "
                "its DAGs cannot be counted or sampled quickly: go through them one by one (dags)"
            )
        return ChordalOrientations(self._near)


def _all(closed: PDAG) -> Iterator[PDAG]:
    """Go through the extensions of a graph that is closed under Meek's rules."""
    skeleton = closed.skeleton()
    rows = skeleton.rows
    waiting = [closed]
    while waiting:
        graph = waiting.pop()
        if not len(graph.undirected_edges()):
            yield graph
            continue
        edge = graph.undirected_edges()[:1]
        # The last one in is the first one out.
        for ends in (edge[:, ::-1], edge):
            arrows = np.concatenate([np.flatnonzero(graph.slot_marks == OUT), _slot(rows, ends)]).astype(np.int32)
            waiting.append(directed(skeleton, arrows, np.full(len(arrows), FIRST_REASON, np.int8)).graph)


def _slot(rows: Rows, ends: NDArray[np.int32]) -> NDArray[np.integer[Any]]:
    return rows.slots(ends[:, 0], ends[:, 1])


def _up_to(limit: int, closed: PDAG) -> Iterator[PDAG]:
    found = _all(closed)
    yield from islice(found, limit)
    if next(found, None) is not None:
        raise InvalidParameterError(
            f"the graph represents more DAGs than the limit of {limit:,}: raise the limit, or take the first ones"
        )


def _whole(name: str, value: int, *, least: int) -> int:
    try:
        number = index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise InvalidParameterError(f"{name} is {value!r}; give a whole number from {least}")
    return number
