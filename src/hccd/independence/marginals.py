"""Every unconditional test of a run as one value, and its correction for their number.

Among n variables there are n (n - 1) / 2 tests without condition. At a level of .05 one in twenty independent pairs
seems dependent, more than there are edges once variables are many; and such a pair is too weakly related to anything
for a later test to separate it. ``corrected`` is Benjamini and Hochberg's procedure (1995) at the test's own level:
of the pairs that it leaves, a share of at most alpha is expected to be independent. It never leaves a pair that
alpha alone would not. With more and more rows the p-values of dependent pairs go to 0, and it leaves them all.
"""

from __future__ import annotations

from copy import copy
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.search.pairs import find_pairs
from hccd.errors import InvalidParameterError

#: How far a p-value may be off the level of a decision that was made by the statistic.
_ROUNDING = 1e-6

M = TypeVar("M", bound="Marginals")


class Marginals:
    """Every unconditional test at once: order 0 of PC, and the paper's I(X, Y) for clustering.

    ``independent`` and ``strength`` are symmetric, with False and 0 on the diagonal; ``uncorrected`` is what each test
    says by itself. ``bias`` is the strength to be expected of independent variables (discrete data), or None;
    ``p_value`` the p-values, or None if there are none or if they follow from the strength.
    """

    def __init__(
        self,
        independent: NDArray[np.bool_],
        strength: NDArray[np.float64] | None,
        bias: NDArray[np.float64] | None = None,
        p_value: NDArray[np.float64] | None = None,
    ) -> None:
        self.independent = self.uncorrected = independent
        self._strength = strength
        self.bias = bias
        self.p_value = p_value

    @property
    def strength(self) -> NDArray[np.float64]:
        """The strengths; a kind of test that keeps them in another form makes the matrix when it is asked for."""
        assert self._strength is not None
        return self._strength

    @property
    def association(self) -> NDArray[np.float64]:
        """A matrix whose sizes, signs left aside, are the strengths off the diagonal; no copy if it can be helped."""
        return self.strength

    def outer(self) -> NDArray[np.float64]:
        """Return, for each variable, a bound on its strength with any that it is independent of."""
        return np.asarray(np.where(self.independent, self.strength, 0.0).max(axis=1, initial=0.0))

    def p_values(self, x: int | NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
        """Return the p-values of pairs, or of one variable with others; nan if the test has none."""
        return np.full(len(y), np.nan) if self.p_value is None else self.p_value[x, y]

    def corrected(self: M, alpha: float) -> M:
        """Return the same with the pairs that are dependent at a false discovery rate of ``alpha``.

        A dependent pair without a p-value stays: there was nothing to judge by. So do all where some p-value is not
        below ``alpha``: then the decisions are somebody else's.
        """
        x, y = self.dependent_pairs()
        p_value = self.p_values(x, y)
        if np.any(p_value > alpha * (1.0 + _ROUNDING)):
            return self
        n = len(self.independent)
        ranked = np.sort(p_value[~np.isnan(p_value)])
        below = np.flatnonzero(ranked * (n * (n - 1) / 2) <= alpha * np.arange(1, len(ranked) + 1))
        cut = ranked[below[-1]] if len(below) else -1.0
        out = p_value > cut
        return self.without(x[out], y[out]) if out.any() else self

    def without(self: M, x: NDArray[np.int32], y: NDArray[np.int32]) -> M:
        """Return the same with some more pairs called independent."""
        independent = self.independent.copy()
        independent[x, y] = independent[y, x] = True
        return self.replaced(independent)

    def replaced(self: M, independent: NDArray[np.bool_]) -> M:
        """Return the same with these pairs called independent, whatever the tests say."""
        other = copy(self)
        other.independent = independent
        return other

    def dependent_pairs(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """List the pairs x < y that are not independent without condition, sorted."""
        n = len(self.independent)
        flat = np.ascontiguousarray(self.independent).reshape(-1).view(np.uint8)
        m = (n * n - n - int(np.count_nonzero(flat))) // 2
        first, y = np.empty(n + 1, np.int64), np.empty(m, np.int32)
        if find_pairs(n, flat, flat[: n * n // 8 * 8].view(np.uint64), first, y) != m:
            raise InvalidParameterError("the test calls (x, y) independent but (y, x) dependent: it must be symmetric")
        return np.repeat(np.arange(n, dtype=np.int32), np.diff(first)), y
