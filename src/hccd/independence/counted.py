"""A table test of rows that are not at hand: their tables are counted by somebody else, many at a time.

Statistics, degrees of freedom and decisions are those of ``tables.py``: a table is measured as a few weighted rows, one
for each cell. Order 0 and everything else that is asked in lists is counted at once. The search of a level asks for the
sets of all its pairs as far as can be foreseen, and goes on when they have been counted
(``_kernels/search/foreseen.py``).

What needs rows gets those of a sample: the score, and the looks at the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy

from hccd._kernels.search.answers import Answers
from hccd._kernels.search.coded_columns import CodedColumns
from hccd._kernels.search.contingency import TableSearch
from hccd._kernels.search.foreseen import ForeseenSearch
from hccd._kernels.search.level import LevelSearch
from hccd.independence.chi_square import Measured
from hccd.independence.protocol import BoundCITest, Reordered
from hccd.independence.table_data import MOST_UNITS
from hccd.independence.tables import BoundTableTest

#: x, y, and the set in its order.
Question = tuple[int, ...]
#: Counts the tables of sets of columns: the states of the cells, one row for each column, and how often each occurs.
Count = Callable[[Sequence[Question]], Iterator[tuple[Question, tuple[NDArray[np.uint16], NDArray[np.int64]]]]]

_MOST_TABLED = 1 << 18


class BoundCountedTest(BoundTableTest):
    """A table test of ``n_rows`` rows whose tables ``count`` returns; ``at_hand`` is the same test of a sample."""

    def __init__(
        self, at_hand: BoundTableTest, count: Count, n_rows: int, states: NDArray[np.int32], gaps: NDArray[np.bool_]
    ) -> None:
        self.n_rows, self._count = n_rows, count
        super().__init__(
            at_hand.name, at_hand.kind, at_hand.data, at_hand._keys, alpha=at_hand.alpha, threshold=at_hand.threshold
        )
        self._at_hand = at_hand
        self._all_states, self._all_gaps = states, gaps
        self._measured: dict[Question, tuple[float, int, float]] = {}
        self._known: dict[Question, tuple[float, int, bool]] = {}
        self._wanted: dict[Question, None] = {}
        self._together = self._same = np.zeros((0, 0))
        numbers = np.arange(min(n_rows, _MOST_TABLED) + 1, dtype=np.float64)
        self._n_log_n = xlogy(numbers, numbers)

    @property
    def n_samples(self) -> float:
        """The number of all rows."""
        return self.n_rows

    @property
    def at_hand(self) -> BoundTableTest:
        """The test of the sample."""
        return self._at_hand

    def completed(self, dag: Any) -> BoundTableTest:
        """Return the test of the sample, with its missing cells filled in by a graph."""
        return self._at_hand.completed(dag)

    def pair_rows(self) -> NDArray[np.float64]:
        """Return in how many rows each pair is known."""
        self._all_pairs()
        return self._together

    def varies(self, v: int) -> bool:
        """Whether a column has more than one state, in all rows."""
        return bool(self._all_states[v] > 1)

    def same_states(self) -> NDArray[np.bool_]:
        """Tell which pairs of columns have the same states under other names, in all rows."""
        self._all_pairs()
        return np.asarray(self._same, np.bool_)

    def with_threshold(self, threshold: float, answers: Answers | None = None) -> BoundTableTest:
        """Return the same test of mutual information with another threshold; what has been counted is shared."""
        other = self._other()
        other.threshold = threshold
        other._critical = other._critical_values(0)
        return other

    def with_alpha(self, alpha: float) -> BoundTableTest:
        """Return the same test at another level; what has been counted is shared."""
        other = self._other()
        other.alpha = alpha
        other._critical = other._critical_values(512)
        return other

    def _other(self) -> BoundCountedTest:
        other = copy(self)
        other._pairs, other._known, other._wanted = self._all_pairs(), {}, {}
        return other

    def reordered(self, order: NDArray[np.int64]) -> BoundCITest:  # type: ignore[override]
        """Ask the same questions under other numbers."""
        return self if np.array_equal(order, np.arange(self.n_variables)) else Reordered(self, order)

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return what is known of all pairs, and the sample."""
        return (*self._all_pairs(), *super().content())

    def searcher(
        self,
        association: NDArray[np.float64],
        outer: NDArray[np.float64],
        by_strength: bool,
        position: NDArray[np.int32],
    ) -> LevelSearch:
        """Return the search that asks for tables as far as it can foresee."""
        return ForeseenSearch(self._known, self._wanted, self._answer, association, outer, by_strength, position)

    def _answer(self) -> None:
        """Answer what the search wants to know."""
        wanted = list(self._wanted)
        self._wanted.clear()
        self._measure(wanted)
        statistic, freedom, _ = self._columns_of(wanted)
        independent = self._independent(statistic, freedom)
        answers = zip(statistic.tolist(), freedom.tolist(), independent.tolist(), strict=True)
        self._known.update(zip(wanted, answers, strict=True))

    def _columns_of(self, questions: Iterable[Question]) -> Measured:
        """Return what was measured."""
        found = [self._measured[question] for question in questions]
        statistic, freedom, information = zip(*found, strict=True) if found else ((), (), ())
        return np.array(statistic, float), np.array(freedom, np.int64), np.array(information, float)

    def _measure(self, questions: Iterable[Question]) -> None:
        """Have tables counted, and measure them."""
        # Strata are added up in the order of the set, as they are where rows are at hand.
        new = {(*given, x, y): (x, y, *given) for x, y, *given in questions if (x, y, *given) not in self._measured}
        for members, cells in self._count(list(new)):
            self._measured[new[members]] = self._of_table(members, *cells)

    def _of_table(
        self, members: Question, codes: NDArray[np.uint16], counts: NDArray[np.int64]
    ) -> tuple[float, int, float]:
        """Measure one table."""
        own = list(members)
        size, unit = len(own) - 2, 1.0
        if self.n_rows > MOST_UNITS:
            unit = self.n_rows / MOST_UNITS
            counts = np.where(counts > 0, np.maximum(np.rint(counts / unit), 1.0), 0.0)
        states = np.ascontiguousarray(self._all_states[own])
        gaps = self._all_gaps[own]
        columns = CodedColumns(
            codes, states, self._n_log_n, gaps if gaps.any() else None, counts.astype(np.int32), unit, 1
        )
        search = TableSearch(
            self.kind, columns, self._critical_values, np.zeros((0, 0)), np.zeros(0), False, np.zeros(0, np.int32)
        )
        found = np.empty(1), np.empty(1, np.int64), np.empty(1)
        given = np.arange(size, dtype=np.int32)[None, :]
        search.statistics(np.array([size], np.int32), np.array([size + 1], np.int32), given, *found)
        return float(found[0][0]), int(found[1][0]), float(found[2][0])

    def _evaluate(self, x: ArrayLike, y: ArrayLike, given: NDArray[np.int32]) -> Measured:
        """Measure many questions, counted together."""
        ends = zip(np.asarray(x).tolist(), np.asarray(y).tolist(), np.asarray(given).tolist(), strict=True)
        questions = [(a, b, *own) for a, b, own in ends]
        self._measure(questions)
        return self._columns_of(questions)

    def _every_pair(self) -> Measured:
        """Measure every pair without a set, and note in how many rows both are known."""
        n = self.n_variables
        found = np.zeros((n, n)), np.zeros((n, n), np.int64), np.zeros((n, n))
        self._together, self._same = np.full((n, n), float(self.n_rows)), np.zeros((n, n), np.bool_)
        pairs = [(x, y) for x in range(n) for y in range(x + 1, n)]
        for (x, y), (codes, counts) in self._count(pairs):
            for matrix, value in zip(found, self._of_table((x, y), codes, counts), strict=True):
                matrix[x, y] = matrix[y, x] = value
            there = counts > 0
            known = (codes[0] < self._all_states[x]) & (codes[1] < self._all_states[y])
            self._together[x, y] = self._together[y, x] = counts[known].sum()
            cells = int(there.sum())
            self._same[x, y] = self._same[y, x] = all(len(np.unique(own[there])) == cells for own in codes)
        return found
