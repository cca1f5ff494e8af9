"""RAI, recursive autonomy identification (Yehezkel and Lerner 2009), over an initial graph and a list of edges.

With sets of size 1, 2, 3, ... RAI thins a graph, orients what it can and divides it: the variables of the lowest
topological order are the descendants, the others fall into groups of ancestors without an edge between them. Each group
goes on by itself with sets of the next size, ancestors first; then the descendants, for which all ancestors are
exogenous. An edge is asked given *possible parents* of an end only, not given all neighbours as in PC: those without an
arrowhead at their own end. An edge with an arrowhead at y alone is asked given possible parents of y alone.

Three choices of ours. All edges of a step see the same graph, as in stable PC. A collider is claimed only if its middle
depends on both ends given the set that separates them, and arrows on edges that may yet fall are told apart from
ancestry (``rai_arrows.py``): without this the skeleton of some graphs is wrong even with perfect tests. And its arrows
are for its own use: the graph of a run is oriented as after every other baseline.

The walk over the sets of an edge is the compiled one of PC, over other lists.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from hccd._kernels.search.level import LevelSearch
from hccd.baselines.algorithm import LocalResult, PassContext
from hccd.baselines.pass_record import PassRecord
from hccd.baselines.pc import Ordering, check_settings
from hccd.baselines.rai_arrows import Arrows
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Level, answer_by

Indices = NDArray[np.intp]
#: The row of an edge, the set that separates its ends, and the p-value.
Fallen = tuple[int, tuple[int, ...], float]
#: Two variables, the smaller first, and a set.
Question = tuple[int, int, tuple[int, ...]]


@dataclass(frozen=True)
class RAI:
    """Recursive autonomy identification.

    Parameters
    ----------
    max_order : int or None
        The largest conditioning set; None for no limit.
    ordering : {"strength", "column"}
        Which conditioning sets come first: those associated most strongly with both ends, or by column.
    """

    max_order: int | None = None
    ordering: Ordering = "strength"

    #: An edge that stands was asked about possible parents, not about all neighbours.
    exhaustive = False

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
        thinning = Thinning(variables, initial, edges, ci, context, self.ordering == "strength")
        everybody = np.ones(len(variables), np.bool_)
        thinning.recurse(everybody, ~everybody, 1, context.largest_order(variables, self.max_order))
        return thinning.record.result()

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        return {"name": "rai", "max_order": self.max_order, "ordering": self.ordering}


class Thinning:
    """One pass over a cluster; variables have numbers of their own here, in ascending order."""

    def __init__(
        self,
        variables: NDArray[np.int32],
        initial: Skeleton,
        edges: NDArray[np.bool_],
        ci: BoundCITest,
        context: PassContext,
        by_strength: bool,
    ) -> None:
        m, n = len(variables), ci.n_variables
        self.variables, self.ci, self.record = variables, ci, PassRecord(initial, edges)
        ends = np.searchsorted(variables, initial.edges)
        #: The row of each edge in the initial graph, and whether it may be asked about.
        self.row = np.full((m, m), -1, np.intp)
        self.row[ends[:, 0], ends[:, 1]] = self.row[ends[:, 1], ends[:, 0]] = np.arange(initial.n_edges)
        self.ends = ends
        adjacent = self.row >= 0
        self.askable = adjacent.copy()
        self.askable[adjacent] = edges[self.row[adjacent]]
        independent = context.marginals.independent[np.ix_(variables, variables)]
        self.arrows = Arrows(adjacent, independent & ~adjacent)
        known = context.known
        self.home = np.zeros((3, initial.n_edges), np.int32)
        if known is not None:
            self.home[:, edges] = known.start, known.stop, known.order
        position = np.arange(n, dtype=np.int32) if known is None else known.position
        nothing, unknown = np.zeros(0, np.int32), np.full(n, np.inf)
        association = np.ascontiguousarray(context.marginals.association)
        self.level = Level(
            0, nothing, nothing, nothing, nothing, nothing, position, np.zeros(0, np.int64), nothing, nothing,
            association, unknown, by_strength, False,
        )  # fmt: skip
        self.searches: dict[int, LevelSearch] = {}
        self.ask_by(ci)

    def ask_by(self, ci: BoundCITest) -> None:
        """Ask this test from now on: the one at hand, or the same on other rows."""
        level = self.level
        self.ci = ci
        if id(ci) not in self.searches:
            self.searches[id(ci)] = ci.searcher(level.association, level.outer, level.by_strength, level.position)
        self.search = self.searches[id(ci)]

    def state(self) -> tuple[Any, ...]:
        """Return a copy of what has been found; the tests that it took are not a part of it."""
        return deepcopy(self.arrows), self.askable.copy(), self.record.state()

    def restore(self, state: tuple[Any, ...]) -> None:
        """Go back to what ``state`` returned."""
        arrows, askable, record = state
        self.arrows, self.askable = deepcopy(arrows), askable.copy()
        self.record.restore(record)

    def recurse(self, inside: NDArray[np.bool_], exogenous: NDArray[np.bool_], order: int, limit: int) -> None:
        """Thin a group and the edges into it, orient, divide, and go on with the parts."""
        while order <= limit and self.able(inside, exogenous, order):
            self.thin_group(inside, exogenous, order)
            descendants, ancestors = self.divided(inside)
            order += 1
            for part in ancestors:
                self.recurse(part, exogenous, order, limit)
            exogenous = (exogenous | inside) & ~descendants
            inside = descendants

    def able(self, inside: NDArray[np.bool_], exogenous: NDArray[np.bool_], order: int) -> bool:
        """Whether some edge is left to ask about, and some variable has possible parents enough."""
        if not (self.askable & inside & (inside | exogenous)[:, None]).any():
            return False
        return bool(self.arrows.possible[inside].sum(axis=1).max() > order)

    def thin_group(self, inside: NDArray[np.bool_], exogenous: NDArray[np.bool_], order: int) -> None:
        """Ask about the edges into a group, and then about those in it, given sets of one size."""
        self._thin(self.askable & exogenous[:, None] & inside, order)
        self._thin(self.askable & inside[:, None] & inside, order)

    def _thin(self, asked: NDArray[np.bool_], order: int) -> None:
        """Ask about edges x - y marked at [x, y], where y is the end that a set is sought for; then orient."""
        parents = self.arrows.possible
        fallen: list[Fallen] = []
        # Without a direction, sets are possible parents of either end.
        free = np.triu(asked & asked.T & parents & parents.T)
        if free.any():
            is_end = np.asarray(free.any(axis=0) | free.any(axis=1))
            owner, neighbor = np.nonzero(parents & is_end[:, None])
            fallen += self._ask(np.column_stack(np.nonzero(free)), owner, neighbor, order)
        into = asked & parents.T & ~parents
        for y in np.flatnonzero(into.any(axis=0)).tolist():
            ends = np.flatnonzero(into[:, y])
            owners = np.sort(np.append(ends, y))
            lists = parents[owners]
            # An earlier pass may have asked for the other end only: what it has not asked is asked for both.
            lists[(owners != y) & (self.home[2, self.row[owners, y]] == 0)] = False
            lists[owners != y, y] = True
            if lists.sum(axis=1).max() <= order:
                continue
            place, neighbor = np.nonzero(lists)
            fallen += self._ask(np.column_stack([ends, np.full(len(ends), y)]), owners[place], neighbor, order)
        self._remove(fallen)

    def _ask(self, pairs: Indices, owner: Indices, neighbor: Indices, order: int) -> list[Fallen]:
        """Ask about pairs given sets from the lists of their owners, in order; return which fall, and why.

        Sets within the home of an edge are passed over. If parents of an end are such a set, they were asked there.
        """
        degree = np.bincount(self.variables[owner], minlength=len(self.level.position))
        rows = np.sort(self.row[pairs[:, 0], pairs[:, 1]])
        x, y = (np.ascontiguousarray(side) for side in self.record.initial.edges[rows].T)
        home = np.ascontiguousarray(self.home[:, rows])
        level = self.level._replace(
            order=order, x=x, y=y, home_start=home[0], home_stop=home[1], home_order=home[2],
            first=np.cumsum(degree) - degree, neighbors=self.variables[neighbor],
            degree=degree.astype(np.int32),
        )  # fmt: skip
        outcome = answer_by(self.search, level)
        self.record.count(rows, np.abs(outcome.tests), order)
        fell = np.flatnonzero(outcome.removed)
        sizes = np.full(len(fell), order, np.int32)
        p_values = self.ci.p_values(sizes, outcome.statistic[fell], outcome.freedom[fell])
        sets = map(tuple, outcome.given[fell].tolist())
        return list(zip(rows[fell].tolist(), sets, p_values.tolist(), strict=True))

    def _remove(self, fallen: list[Fallen]) -> None:
        """Let edges fall, and orient by the sets that separate them; more may fall on the way."""
        arrows = self.arrows
        while fallen:
            for row, given, p_value in fallen:
                x, y = self.ends[row]
                self.record.remove(row, given, p_value)
                for matrix in (arrows.adjacent, self.askable):
                    matrix[x, y] = matrix[y, x] = False
            claims: list[tuple[int, int, int, tuple[int, ...]]] = []
            for row, given, _ in fallen:
                x, y = self.ends[row].tolist()
                members = np.searchsorted(self.variables, given)
                if self._is_least(row, given):
                    arrows.separate(x, y, members.tolist())
                middle = arrows.adjacent[x] & arrows.adjacent[y] & ~(arrows.head[x] & arrows.head[y])
                middle[members] = False
                claims += [(x, z, y, given) for z in np.flatnonzero(middle).tolist()]
            fallen = self._judge(claims)
        arrows.close()

    def _judge(self, claims: list[tuple[int, int, int, tuple[int, ...]]]) -> list[Fallen]:
        """Claim the colliders whose middle depends on both ends; return the edges of others, which a set separates."""
        separated: dict[Question, float] = {}
        questions = sorted({_question(end, z, given) for x, z, y, given in claims for end in (x, y)})
        for order in sorted({len(given) for *_, given in questions}):
            some = [question for question in questions if len(question[2]) == order]
            ends = np.array([question[:2] for question in some])
            x, y = (np.ascontiguousarray(side) for side in self.variables[ends].T)
            answers = self.ci.test_many(x, y, np.array([given for *_, given in some], np.int32))
            self.record.count(self.row[ends[:, 0], ends[:, 1]], 1, order)
            separated |= {some[i]: float(answers.p_value[i]) for i in np.flatnonzero(answers.independent)}
        for u, z, v, given in claims:
            if _question(u, z, given) not in separated and _question(v, z, given) not in separated:
                self.arrows.collide(u, z)
                self.arrows.collide(v, z)
        fallen: dict[int, Fallen] = {}
        for (u, v, given), p_value in separated.items():
            row = int(self.row[u, v])
            if self.askable[u, v] and row not in fallen:
                fallen[row] = row, *self._least(u, v, given, p_value)
        return list(fallen.values())

    def _is_least(self, row: int, given: tuple[int, ...]) -> bool:
        """Whether all parts of a separating set have been asked; those at home may have been asked of one end only."""
        start, stop, order = self.home[:, row]
        position = self.level.position[list(given)]
        return len(given) == 1 or order == 0 or not ((position >= start) & (position < stop)).any()

    def _least(self, x: int, y: int, given: tuple[int, ...], p_value: float) -> tuple[tuple[int, ...], float]:
        """Leave out of a separating set what it can do without: rule 1 relies on it."""
        for z in given:
            rest = tuple(v for v in given if v != z)
            if not rest:
                continue
            answer = self.ci.test(int(self.variables[x]), int(self.variables[y]), rest)
            self.record.count(self.row[[x], [y]], 1, len(rest))
            if answer.independent:
                given, p_value = rest, answer.p_value
        return given, p_value

    def divided(self, inside: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], list[NDArray[np.bool_]]]:
        """Return the variables of the lowest topological order, and the parts of what is left without these.

        An edge without a direction holds its ends together.
        """
        group = np.flatnonzero(inside)
        leads = self.arrows.possible[np.ix_(group, group)].T
        _, part = connected_components(csr_array(leads), directed=True, connection="strong")
        above = np.isin(part, part[(leads & (part[:, None] != part)).any(axis=1)])
        if not above.any():
            return inside, []
        count, part = connected_components(csr_array(leads[np.ix_(above, above)]), directed=True, connection="weak")
        masks = np.zeros((count + 1, len(inside)), np.bool_)
        masks[np.append(part, np.full((~above).sum(), count)), np.append(group[above], group[~above])] = True
        return masks[count], list(masks[:count])


def _question(x: int, y: int, given: tuple[int, ...]) -> Question:
    return min(x, y), max(x, y), given
