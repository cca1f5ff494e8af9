"""MMPC, max-min parents and children (Tsamardinos, Brown and Aliferis 2006), over an initial graph and a list of edges.

Each variable, the target, gathers its parents and children. It takes one neighbour after the other: the one whose
weakest association, over all sets of those taken before, is strongest (max-min). A neighbour that some such set makes
independent is out for good. What was taken is then asked again given sets of all that was taken later. An edge stands
if each end takes the other (the symmetry correction), so it falls as soon as one end has found a separating set. Edges
that are not asked about are taken from the start.

The weakest association is the highest p-value, and among equals, such as p-values that are 0 to all digits, the
smallest strength. All targets take their next neighbour at the same time, so that their questions are asked together,
and the order of the variables decides nothing but ties.

With perfect tests the true neighbours of a target are always taken, so what is no descendant of it is separated by its
parents; of two variables that are not adjacent, one is no descendant of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from hccd.baselines.algorithm import LocalResult, PassContext
from hccd.baselines.pass_record import PassRecord
from hccd.baselines.pc import check_settings
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest

#: The entry of a variable that has not been taken.
_NEVER = np.iinfo(np.int64).max
Indices = NDArray[np.intp]
Sets = Iterator[tuple[int, ...]]


@dataclass(frozen=True)
class MMPC:
    """Max-min parents and children, with symmetry correction.

    Parameters
    ----------
    max_order : int or None
        The largest conditioning set; None for no limit.
    """

    max_order: int | None = None

    #: Sets are not visited in the order of PC, which the orientation would go by.
    exhaustive = False
    #: Who is taken first is found by strength.
    ordering = "strength"

    def validate(self) -> None:
        """Raise an error for invalid settings."""
        check_settings(self.max_order, self.ordering)

    def learn(
        self,
        variables: NDArray[np.int32],
        initial: Skeleton,
        edges: NDArray[np.bool_],
        ci: BoundCITest,
        context: PassContext,
    ) -> LocalResult:
        """Remove edges from ``initial``, among those marked in ``edges``."""
        growth = _Growth(variables, initial, edges, ci, context)
        limit = context.largest_order(variables, self.max_order)
        growth.take_all(limit)
        growth.ask_again(limit)
        return growth.record.result()

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        return {"name": "mmpc", "max_order": self.max_order}


class _Growth:
    """One pass over a cluster; variables have numbers of their own here, in ascending order.

    ``entry[t, x]`` says when the target t took x.
    """

    def __init__(
        self,
        variables: NDArray[np.int32],
        initial: Skeleton,
        edges: NDArray[np.bool_],
        ci: BoundCITest,
        context: PassContext,
    ) -> None:
        m = len(variables)
        self.variables, self.ci, self.known = variables, ci, context.known
        self.record = PassRecord(initial, edges)
        x, y = np.searchsorted(variables, initial.edges).T
        self.row = np.full((m, m), -1, np.intp)
        self.row[x, y] = self.row[y, x] = np.arange(initial.n_edges)
        self.adjacent = self.row >= 0
        #: What may be asked about: all others are taken from the start.
        self.open = np.zeros((m, m), np.bool_)
        self.open[x[edges], y[edges]] = self.open[y[edges], x[edges]] = True
        self.entry = np.full((m, m), _NEVER)
        #: The weakest association so far: highest p-value, smallest strength.
        self.p_value, self.strength = np.zeros((m, m)), np.zeros((m, m))
        ends = tuple(initial.edges.T)
        self.p_value[x, y] = self.p_value[y, x] = np.nan_to_num(context.marginals.p_values(*ends))
        self.strength[x, y] = self.strength[y, x] = np.abs(context.marginals.association[ends])

    def take_all(self, limit: int) -> None:
        """Let the targets take their neighbours one after the other, and ask about the others given these."""
        step = 0
        while taken := self._next():
            for t, x in taken.items():
                self.entry[t, x] = step
            step += 1
            for order in range(1, limit + 1):
                sets = {t: _with(x, self._members(t), order) for t, x in taken.items() if self._waiting(t).any()}
                if not self._ask_sets(sets, order, again=False):
                    break

    def ask_again(self, limit: int) -> None:
        """Ask about what was taken given sets with a member that was taken later."""
        for order in range(1, limit + 1):
            targets = range(len(self.variables))
            sets: dict[int, Sets] = {t: combinations(self._members(t), order) for t in targets}
            if not self._ask_sets(sets, order, again=True):
                break

    def _next(self) -> dict[int, int]:
        """Return whom each target takes next, if it has anybody to ask about."""
        taken = {}
        for t in range(len(self.variables)):
            waiting = self._waiting(t)
            if not waiting.any():
                continue
            given = self.adjacent[t] & ~self.open[t] & (self.entry[t] == _NEVER)
            among = np.flatnonzero(given if given.any() else waiting)
            taken[t] = int(among[np.lexsort((among, -self.strength[t, among], self.p_value[t, among]))[0]])
        return taken

    def _waiting(self, t: int) -> NDArray[np.bool_]:
        """Return who has not been taken by a target, and may be asked about."""
        return np.asarray(self.adjacent[t] & self.open[t] & (self.entry[t] == _NEVER))

    def _members(self, t: int) -> list[int]:
        """Return whom a target has taken, first come first, unless the edge has fallen since."""
        own = np.flatnonzero(self.adjacent[t] & (self.entry[t] != _NEVER))
        return list(map(int, own[np.argsort(self.entry[t, own], kind="stable")]))

    def _ask_sets(self, sets: dict[int, Sets], order: int, *, again: bool) -> bool:
        """Ask the targets given their sets, few at first: most edges fall by these; tell if there was any set."""
        any_set, count = False, 1
        while sets:
            targets: list[Indices] = []
            others: list[Indices] = []
            given: list[NDArray[np.int32]] = []
            for t in list(sets):
                taken = list(islice(sets[t], count))
                if len(taken) < count:
                    del sets[t]
                for members in taken:
                    any_set = True
                    who = self._asked(t, members, again)
                    targets.append(np.full(len(who), t))
                    others.append(who)
                    given.append(np.tile(self.variables[list(members)], (len(who), 1)))
            if targets:
                self._ask(np.concatenate(targets), np.concatenate(others), np.concatenate(given), order)
            count *= 2
        return any_set

    def _asked(self, t: int, members: tuple[int, ...], again: bool) -> Indices:
        """Return whom a target is asked about given these members."""
        if not again:
            return np.flatnonzero(self._waiting(t))
        latest = self.entry[t, list(members)].max()
        earlier = self.adjacent[t] & self.open[t] & (self.entry[t] < latest)
        earlier[list(members)] = False
        return np.flatnonzero(earlier)

    def _ask(self, t: Indices, x: Indices, given: NDArray[np.int32], order: int) -> None:
        """Ask questions with sets of one size, and take note of the answers."""
        news = ~self._at_home(self.row[t, x], given, order)
        t, x, given = t[news], x[news], given[news]
        if not len(t):
            return
        rows = self.row[t, x]
        low, high = (np.ascontiguousarray(ends) for ends in self.record.initial.edges[rows].T)
        answers = self.ci.test_many(low, high, np.ascontiguousarray(given))
        self.record.count(rows, 1, order)
        np.fmax.at(self.p_value, (t, x), answers.p_value)
        np.fmin.at(self.strength, (t, x), answers.strength)
        for place in np.flatnonzero(answers.independent).tolist():
            a, b = t[place], x[place]
            if self.adjacent[a, b]:
                self.adjacent[a, b] = self.adjacent[b, a] = False
                self.record.remove(int(rows[place]), given[place].tolist(), float(answers.p_value[place]))

    def _at_home(self, rows: Indices, given: NDArray[np.int32], order: int) -> NDArray[np.bool_]:
        """Tell which questions have been answered by a pass over a smaller cluster.

        What is left of the cluster was taken there, and an edge that stood was asked given all sets of what was taken.
        """
        if self.known is None:
            return np.zeros(len(rows), np.bool_)
        own = self.record.place[rows]
        position = self.known.position[given]
        inside = (position >= self.known.start[own][:, None]) & (position < self.known.stop[own][:, None])
        return np.asarray((order <= self.known.order[own]) & inside.all(axis=1))


def _with(x: int, members: list[int], order: int) -> Sets:
    """Return the sets of so many members with x in them."""
    return ((x, *rest) for rest in combinations([v for v in members if v != x], order - 1))
