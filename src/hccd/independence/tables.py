"""Tests on contingency tables, for discrete data: the G test, chi-square, and thresholded mutual information.

For x and y given a set, a table of counts O is made in every stratum (every combination of the set's states
that occurs). With row sums R, column sums C and total n of a stratum,

    G = 2 sum O log(O n / (R C)),    X2 = sum (O - R C / n)^2 / (R C / n),    I = G / (2 N)  (nats)

summed over strata. Degrees of freedom are adjusted to what occurs: (non-empty rows - 1)(non-empty columns - 1)
in every stratum, summed. The unconditional strength is the mutual information I(X, Y); its bias for independent
variables is df / (2 N).

Defined answers: empty strata and states never seen add nothing. Zero degrees of freedom mean that in every stratum x or
y does not vary (a constant column, a set that determines x or y), so they have nothing left to share: independent, but
with p-value nan, so that such a set never wins a comparison of p-values. If every row is alone in its stratum (a column
of row numbers is given), there is nothing to judge by: not independent, p-value nan. Mutual information has no degrees
of freedom and goes by its threshold alone. Wide tables are counted by the cells that occur, so hundreds of states cost
no more than the rows.

**Missing cells.** A row counts for a test if x, y and the set are all known there, and not otherwise (test-wise
deletion); N is the number of those rows. With none, there is nothing to judge by. A column with no or one state is
independent of all others. **Weights.** Counts are sums of weights, as ``table_data.py`` says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtri

from hccd._kernels.scores.table_families import TableFamilies
from hccd._kernels.search.answers import Answers
from hccd._kernels.search.coded_columns import CodedColumns
from hccd._kernels.search.contingency import TableSearch
from hccd._kernels.search.level import LevelSearch
from hccd.errors import InvalidDataError, InvalidParameterError
from hccd.graphs import PDAG
from hccd.independence.chi_square import BoundChiSquareTest, Measured, chi_square_quantiles
from hccd.independence.completion import completed
from hccd.independence.marginals import Marginals
from hccd.independence.protocol import (
    check_probability,
)
from hccd.independence.table_data import TableData, coded

G, CHI_SQUARE, INFORMATION = 0, 1, 2

#: The equivalent sample size of the score, as in the paper's experiments.
EQUIVALENT_ROWS = 1.0


class _TableTest(ABC):
    """A specification that is bound to coded columns."""

    def bind(self, data: ArrayLike, weights: ArrayLike | None = None) -> BoundTableTest:
        """Code the states of every column; ``data`` holds whole numbers, and nan where a cell is missing."""
        return self.bind_columns(*coded(data), weights)

    def bind_columns(
        self,
        codes: NDArray[np.uint16],
        keys: Sequence[bytes],
        gaps: NDArray[np.bool_] | None = None,
        weights: ArrayLike | None = None,
    ) -> BoundTableTest:
        """Take columns that are coded already, as rows, with their digests.

        In a column with ``gaps`` the highest code is the missing cell's. ``weights``: see ``table_data.py``.
        """
        return self._bound(TableData.of(codes, gaps, weights), tuple(keys))

    @abstractmethod
    def _bound(self, data: TableData, keys: tuple[bytes, ...]) -> BoundTableTest:
        """Check the settings and bind the test."""


@dataclass(frozen=True)
class GTest(_TableTest):
    """The G test (likelihood ratio): independent if the p-value is at least ``alpha``.

    Examples
    --------
    >>> import numpy as np
    >>> from hccd.independence import GTest
    >>> rng = np.random.default_rng(0)
    >>> x = rng.integers(0, 2, 1000); z = x ^ (rng.random(1000) < 0.2); y = z ^ (rng.random(1000) < 0.2)
    >>> test = GTest(alpha=0.01).bind(np.column_stack([x, y, z]))
    >>> test.test(0, 1).independent, test.test(0, 1, [2]).independent
    (False, True)
    """

    alpha: float = 0.05

    def _bound(self, data: TableData, keys: tuple[bytes, ...]) -> BoundTableTest:
        check_probability("alpha", self.alpha)
        return BoundTableTest("g", G, data, keys, alpha=self.alpha)


@dataclass(frozen=True)
class ChiSquareTest(_TableTest):
    """Pearson's chi-square test: independent if the p-value is at least ``alpha``."""

    alpha: float = 0.05

    def _bound(self, data: TableData, keys: tuple[bytes, ...]) -> BoundTableTest:
        check_probability("alpha", self.alpha)
        return BoundTableTest("chi2", CHI_SQUARE, data, keys, alpha=self.alpha)


@dataclass(frozen=True)
class MutualInformation(_TableTest):
    """Compare conditional mutual information, in nats, with a threshold, as in the paper's discrete experiments.

    It has no p-values: rules that compare p-values fall back to the separating set.
    """

    threshold: float = 0.015

    def _bound(self, data: TableData, keys: tuple[bytes, ...]) -> BoundTableTest:
        if not (isinstance(self.threshold, Real) and 0.0 <= self.threshold < np.inf):
            raise InvalidParameterError(
                f"threshold is {self.threshold!r}; it is an amount of information in nats, for example 0.015"
            )
        return BoundTableTest("mi", INFORMATION, data, keys, threshold=float(self.threshold))


class BoundTableTest(BoundChiSquareTest):
    """A table test on coded columns."""

    score_name = "bd"

    def __init__(
        self,
        name: str,
        kind: int,
        data: TableData,
        keys: tuple[bytes, ...],
        *,
        alpha: float | None = None,
        threshold: float | None = None,
    ) -> None:
        super().__init__(keys)
        self.name = name
        self.kind = kind
        self.data = data
        self.codes, self.states = data.codes, data.states
        self.has_gaps = data.gaps is not None
        self.alpha = alpha
        self.threshold = threshold
        self.has_p_values = alpha is not None
        self._prepared: CodedColumns | None = None
        self._pairs: Measured | None = None
        self._answers: Answers | None = None
        self._critical = self._critical_values(512)

    @property
    def _columns(self) -> CodedColumns:
        """The columns as the kernels want them, made when first needed."""
        if self._prepared is None:
            self._prepared = CodedColumns(*self.data.for_kernels())
        return self._prepared

    @property
    def at_hand(self) -> BoundTableTest:
        """The test of the rows that can be looked at: here of all."""
        return self

    def pair_rows(self) -> NDArray[np.float64] | float:
        """Return in how many rows each pair is known."""
        return self.data.pair_rows()

    def families(self, max_parents: int) -> TableFamilies:
        """Return the Bayesian Dirichlet score of the columns; missing cells must have been filled in."""
        if self.has_gaps:
            raise InvalidDataError("cells are missing, and a score needs them all: fill them in by ``completed``")
        return TableFamilies(self._columns, EQUIVALENT_ROWS, max_parents)

    def completed(self, dag: PDAG) -> BoundTableTest:
        """Fill in the missing cells by a graph."""
        if not self.has_gaps:
            return self
        return BoundTableTest(
            self.name, self.kind, completed(self.data, dag), self._keys, alpha=self.alpha, threshold=self.threshold
        )

    def __getstate__(self) -> dict[str, object]:
        # Compiled objects do not travel; another process makes its own.
        return {**self.__dict__, "_prepared": None, "_pairs": None, "_answers": None}

    @property
    def n_variables(self) -> int:
        """The number of columns."""
        return len(self.codes)

    @property
    def n_samples(self) -> float:
        """The number of rows; with weights, their sum or the effective size."""
        return self.data.n_samples

    def marginals(self, n_jobs: int | None = None) -> TableMarginals:
        """Tabulate every pair."""
        statistic, freedom, information = self._all_pairs()
        independent = self._independent(statistic, freedom)
        np.fill_diagonal(independent, False)
        return TableMarginals(self, independent, information, statistic, freedom)

    def _all_pairs(self) -> Measured:
        """Measure every pair, once."""
        if self._pairs is None:
            self._pairs = self._every_pair()
            for array in self._pairs:
                array.flags.writeable = False
        return self._pairs

    def with_threshold(self, threshold: float, answers: Answers | None = None) -> BoundTableTest:
        """Return the same test of mutual information with another threshold; what has been counted is shared.

        ``answers`` may be those of a test with a higher threshold that is done with.
        """
        other = BoundTableTest(self.name, self.kind, self.data, self._keys, threshold=threshold)
        other._prepared, other._pairs, other._answers = self._columns, self._all_pairs(), answers
        return other

    def with_alpha(self, alpha: float) -> BoundTableTest:
        """Return the same test at another level; what has been counted is shared."""
        other = copy(self)
        other.alpha = alpha
        other._critical = other._critical_values(512)
        return other

    def reweighted(self, weights: NDArray[np.float64]) -> BoundTableTest:
        """Return the same test on the same rows with other weights."""
        data = self.data.reweighted(weights)
        return BoundTableTest(self.name, self.kind, data, self._keys, alpha=self.alpha, threshold=self.threshold)

    def searcher(
        self,
        association: NDArray[np.float64],
        outer: NDArray[np.float64],
        by_strength: bool,
        position: NDArray[np.int32],
    ) -> LevelSearch:
        """Return the compiled search for tables."""
        # Only one search may write to the answers at a time, so the first one has them to itself.
        answers, self._answers = self._answers, None
        return TableSearch(
            self.kind, self._columns, self._critical_values, association, outer, by_strength, position, answers
        )

    def reordered(self, order: NDArray[np.int64]) -> BoundTableTest:
        """Permute the columns."""
        if np.array_equal(order, np.arange(self.n_variables)):
            return self
        return BoundTableTest(
            self.name,
            self.kind,
            self.data.reordered(order),
            tuple(self._keys[i] for i in order),
            alpha=self.alpha,
            threshold=self.threshold,
        )

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return the coded columns."""
        return self.data.content()

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        if self.alpha is None:
            return {"name": self.name, "threshold": self.threshold}
        return {"name": self.name, "alpha": self.alpha}

    def _critical_values(self, largest: int) -> NDArray[np.float64]:
        """Return the largest statistic called independent for 0 .. largest degrees of freedom."""
        if self.alpha is None:
            return np.array([2.0 * self.n_samples * (self.threshold or 0.0)])
        return chi_square_quantiles(self.alpha, largest)

    def _independent(self, statistic: NDArray[np.float64], freedom: NDArray[np.int64]) -> NDArray[np.bool_]:
        if self.alpha is None:
            return np.asarray(statistic <= self._critical[0])
        largest = int(np.max(freedom, initial=0))
        # Beyond the table only the values asked for: all those below would cost seconds for thousands of states.
        tabulated = largest < len(self._critical)
        critical = self._critical[freedom] if tabulated else chdtri(np.maximum(freedom, 1), self.alpha)
        return np.asarray(np.where(freedom > 0, statistic <= critical, freedom == 0))

    def _p_value(self, statistic: NDArray[np.float64], freedom: NDArray[np.int64]) -> NDArray[np.float64]:
        if self.alpha is None:
            return np.full(np.shape(statistic), np.nan)
        return super()._p_value(statistic, freedom)

    def _search(self) -> TableSearch:
        """Return a search for single questions, which needs no graph."""
        return TableSearch(
            self.kind, self._columns, self._critical_values, np.zeros((0, 0)), np.zeros(0), False, np.zeros(0, np.int32)
        )


class TableMarginals(Marginals):
    """Unconditional tests of all pairs; p-values follow from the statistics, and are computed when asked for."""

    def __init__(
        self,
        test: BoundTableTest,
        independent: NDArray[np.bool_],
        information: NDArray[np.float64],
        statistic: NDArray[np.float64],
        freedom: NDArray[np.int64],
    ) -> None:
        super().__init__(independent, information, np.maximum(freedom, 0) / (2.0 * np.maximum(test.pair_rows(), 1.0)))
        self.test = test
        self.statistic = statistic
        self.freedom = freedom

    def p_values(self, x: int | NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
        """Return the p-values of pairs, or of one variable with others; nan if the test has none."""
        return self.test.p_values(np.zeros(len(y), np.int32), self.statistic[x, y], self.freedom[x, y])
