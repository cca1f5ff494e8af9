"""B-RAI, the recursive bootstrap of RAI (Rohekar, Gurwicz, Nisimov, Koren and Novik 2018), in its reading as one graph.

At each step of RAI's recursion the group is thinned several times, by the test on all rows and by tests on resamples of
them. Each time the group is divided, and its parts go on in the same way. So every step has several hypotheses, and
each of these has the best of its parts: the score of a graph is a sum over variables, and a part is scored by its own
variables. The hypothesis of the highest score is taken. That is the graph with the highest score in the authors' tree
of graphs, found without keeping the tree. Their sample of many graphs from the tree is not made: how sure an edge is, a
run finds out by resamples of its own.

Where the authors draw rows with replacement, a part of the rows is drawn without (``tables/resamples.py``), since tests
take rows that are there twice for evidence; and the test on all rows is one of the hypotheses. Fresh resamples are
drawn for sets of 1, 2 and 3 variables. A hypothesis that is equal to an earlier one of its step is not followed twice.

Without rows to draw from, or without a score, there is one hypothesis, and this is RAI.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from hccd._kernels.graphs.extension import Extension
from hccd.baselines.algorithm import LocalResult, PassContext
from hccd.baselines.pc import Ordering, check_settings
from hccd.baselines.rai import Thinning
from hccd.errors import InvalidParameterError
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest

#: For sets of how many sizes fresh resamples are drawn.
_FRESH = 3
#: Scores that differ by less are equal.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class BRAI:
    """Recursive autonomy identification with several hypotheses at each step, of which the best by score is kept.

    Parameters
    ----------
    hypotheses : int
        Number of hypotheses for a group: one from all rows, the others from resamples.
    max_order : int or None
        The largest conditioning set; None for no limit.
    ordering : {"strength", "column"}
        Which conditioning sets come first: those associated most strongly with both ends, or by column.
    """

    hypotheses: int = 3
    max_order: int | None = None
    ordering: Ordering = "strength"
    #: The tests on resamples, which a run hands over, and the seed that they were drawn with.
    tests: tuple[BoundCITest, ...] = field(default=(), repr=False, compare=False)
    seed: int | None = field(default=None, repr=False)

    exhaustive = False

    def validate(self) -> None:
        """Raise an error for invalid settings."""
        check_settings(self.max_order, self.ordering)
        if not (isinstance(self.hypotheses, int) and self.hypotheses >= 1):
            raise InvalidParameterError(f"hypotheses is {self.hypotheses!r}; give a whole number from 1")

    @property
    def n_resamples(self) -> int:
        """The number of tests on resamples."""
        return (self.hypotheses - 1) * _FRESH

    def with_tests(self, tests: Sequence[BoundCITest], seed: int) -> BRAI:
        """Return the same with tests on resamples."""
        return replace(self, tests=tuple(tests), seed=seed)

    def learn(
        self,
        variables: NDArray[np.int32],
        initial: Skeleton,
        edges: NDArray[np.bool_],
        ci: BoundCITest,
        context: PassContext,
    ) -> LocalResult:
        """Remove edges from ``initial``, among those marked in ``edges``."""
        everybody = np.ones(len(variables), np.bool_)
        limit = context.largest_order(variables, self.max_order)
        thinning = Thinning(variables, initial, edges, ci, context, self.ordering == "strength")
        if not self.tests:
            thinning.recurse(everybody, ~everybody, 1, limit)
        else:
            _Hypotheses(thinning, self.tests, limit).explore(everybody, ~everybody, 1)
        return thinning.record.result()

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        seed = {} if self.seed is None else {"seed": self.seed}
        return {
            "name": "b-rai",
            "hypotheses": self.hypotheses,
            "max_order": self.max_order,
            "ordering": self.ordering,
        } | seed


class _Hypotheses:
    """The recursion with several hypotheses at each step; the best of them is left in the thinning."""

    def __init__(self, thinning: Thinning, tests: Sequence[BoundCITest], limit: int) -> None:
        self.thinning, self.tests, self.limit = thinning, tests, limit
        self.all_rows = thinning.ci
        self.families = thinning.ci.families(max(1, int(thinning.arrows.adjacent.sum(axis=0).max(initial=0))))

    def explore(self, inside: NDArray[np.bool_], exogenous: NDArray[np.bool_], order: int) -> float:
        """Thin a group and its parts by the hypothesis of the highest score; return that score."""
        own = self.thinning
        if order > self.limit or not own.able(inside, exogenous, order):
            return self._score(inside)
        start, seen = own.state(), set()
        best: tuple[float, Any] | None = None
        each = len(self.tests) // _FRESH
        first = (order - 1) % _FRESH * each
        for ci in (self.all_rows, *self.tests[first : first + each]):
            own.restore(start)
            own.ask_by(ci)
            own.thin_group(inside, exogenous, order)
            drawing = own.arrows.adjacent[inside].tobytes() + own.arrows.possible[inside].tobytes()
            if drawing in seen:
                continue
            seen.add(drawing)
            descendants, ancestors = own.divided(inside)
            score = sum(self.explore(part, exogenous, order + 1) for part in ancestors)
            score += self.explore(descendants, (exogenous | inside) & ~descendants, order + 1)
            if best is None or score > best[0] + _ROUNDING:
                best = score, own.state()
        assert best is not None
        own.restore(best[1])
        return best[0]

    def _score(self, inside: NDArray[np.bool_]) -> float:
        """Score the variables of a group in a DAG of its arrows; whoever is adjacent from outside is a parent."""
        arrows, variables = self.thinning.arrows, self.thinning.variables
        group = np.flatnonzero(inside)
        near = arrows.adjacent[np.ix_(group, group)]
        rows = Skeleton.from_adjacency(near).rows
        leads = arrows.possible[np.ix_(group, group)].T
        _, part = connected_components(csr_array(leads), directed=True, connection="strong")
        # Arrows between parts close no cycle.
        into = leads[rows.neighbors, rows.owner] & (part[rows.neighbors] != part[rows.owner])
        parent = np.zeros(rows.n_slots, np.uint8)
        Extension(rows.first, rows.neighbors, rows.mirror, into.astype(np.uint8)).run(False, parent)
        total = 0.0
        for k, y in enumerate(group.tolist()):
            slots = slice(rows.first[k], rows.first[k + 1])
            inner = group[rows.neighbors[slots][parent[slots] == 1]]
            outer = np.flatnonzero(arrows.adjacent[y] & arrows.possible[y] & ~inside)
            total += self.families.score(int(variables[y]), variables[np.union1d(inner, outer)])
        return total
