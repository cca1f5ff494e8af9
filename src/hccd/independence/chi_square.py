"""What bound tests have in common whose statistic is compared with a chi-square distribution.

A child says how a search measures (``searcher``), what its critical values are, and what the strength of a pair is.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc, chdtri

from hccd._kernels.search.level import LevelSearch
from hccd.independence.protocol import BoundCITest, CIResult, ManyResults, check_question, order_by_content

#: Statistics, their degrees of freedom, and the information in nats.
Measured = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]


@lru_cache(maxsize=32)
def chi_square_quantiles(alpha: float, largest: int) -> NDArray[np.float64]:
    """Return the upper ``alpha`` quantiles of chi-square for 0 .. largest degrees of freedom."""
    quantiles = np.concatenate([[0.0], chdtri(np.arange(1, largest + 1), alpha)])
    quantiles.flags.writeable = False
    return quantiles


class BoundChiSquareTest(BoundCITest):
    """A test of variables that are known by the content of their columns, ``keys``."""

    def __init__(self, keys: tuple[bytes, ...]) -> None:
        self._keys = keys

    @abstractmethod
    def _independent(self, statistic: NDArray[np.float64], freedom: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which statistics are called zero."""

    def _strength(self, information: NDArray[np.float64], freedom: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how strong a dependence is."""
        return information

    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Test one pair given a set."""
        check_question(self.n_variables, x, y, given)
        statistic, freedom, information = (
            part[0] for part in self._evaluate([x], [y], np.array([list(given)], np.int32).reshape(1, len(given)))
        )
        return CIResult(
            bool(self._independent(statistic, freedom)),
            float(self._strength(information, freedom)),
            float(self._p_value(statistic, freedom)),
            float(statistic),
        )

    def test_many(self, x: NDArray[np.int32], y: NDArray[np.int32], given: NDArray[np.int32]) -> ManyResults:
        """Answer many questions with sets of one size; the p-value is nan without degrees of freedom."""
        statistic, freedom, information = self._evaluate(x, y, given)
        strength = self._strength(information, freedom)
        return ManyResults(self._independent(statistic, freedom), self._p_value(statistic, freedom), strength)

    def p_values(
        self, order: NDArray[np.int32], statistic: NDArray[np.float64], freedom: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the p-values of statistics."""
        return self._p_value(statistic, freedom)

    def canonical_order(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Order by what the columns hold; the names of states do not matter."""
        return order_by_content(self._keys, names)

    def _p_value(self, statistic: NDArray[np.float64], freedom: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), statistic), np.nan)

    def _evaluate(self, x: ArrayLike, y: ArrayLike, given: NDArray[np.int32]) -> Measured:
        """Measure many questions."""
        first, second, sets = (np.ascontiguousarray(part, np.int32) for part in (x, y, given))
        found = np.empty(len(first)), np.empty(len(first), np.int64), np.empty(len(first))
        self._search().statistics(first, second, sets, *found)
        return found

    def _every_pair(self) -> Measured:
        """Measure every pair without a set; symmetric, and 0 on the diagonal."""
        n = self.n_variables
        found = np.zeros((n, n)), np.zeros((n, n), np.int64), np.zeros((n, n))
        self._search().all_pairs(*found)
        return found

    def _search(self) -> LevelSearch:
        """Return a search for single questions, which needs no graph."""
        return self.searcher(np.zeros((0, 0)), np.zeros(0), False, np.zeros(0, np.int32))
