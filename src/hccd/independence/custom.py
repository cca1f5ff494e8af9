"""A user's own function as a test: it works in every algorithm, only slower than a compiled one.

The function is called as ``function(data, x, y, given)`` with the data as bound and column numbers, and returns
either a p-value or a whole ``CIResult``. It must depend on nothing else, since it may be called from several
workers and in any order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd.independence.protocol import (
    BoundCITest,
    CIResult,
    check_probability,
    check_question,
    order_by_content,
    rows_and_columns,
)
from hccd.tables import column_keys

CIFunction = Callable[[NDArray[np.generic], int, int, tuple[int, ...]], "float | CIResult"]


@dataclass(frozen=True)
class CustomTest:
    """A test made from a function.

    Parameters
    ----------
    function : callable
        ``function(data, x, y, given)``, returning a p-value or a ``CIResult``.
    alpha : float
        Significance level for a function that returns p-values.

    Notes
    -----
    Clustering needs a strength. It is what the ``CIResult`` says, or -log10 of the p-value if there is only that.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.stats import spearmanr
    >>> from hccd.independence import CustomTest
    >>> def rank_correlation(data, x, y, given):
    ...     return spearmanr(data[:, x], data[:, y]).pvalue if not given else 0.0
    >>> rng = np.random.default_rng(0)
    >>> CustomTest(rank_correlation, alpha=0.01).bind(rng.normal(size=(200, 2))).test(0, 1).independent
    True
    """

    function: CIFunction
    alpha: float = 0.01

    def bind(self, data: ArrayLike) -> BoundCustomTest:
        """Keep the data for the function."""
        check_probability("alpha", self.alpha)
        return BoundCustomTest(self.function, self.alpha, rows_and_columns(data))


class BoundCustomTest(BoundCITest):
    """A function with its data."""

    def __init__(self, function: CIFunction, alpha: float, data: NDArray[np.generic]) -> None:
        self.function = function
        self.alpha = alpha
        self.data = data.view()
        self.data.flags.writeable = False

    @property
    def n_variables(self) -> int:
        """The number of columns."""
        return int(self.data.shape[1])

    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Call the function, with the smaller number first and the set sorted, so that asking twice agrees."""
        check_question(self.n_variables, x, y, given)
        answer = self.function(self.data, min(x, y), max(x, y), tuple(sorted(given)))
        if isinstance(answer, CIResult):
            return answer
        p = float(answer)
        return CIResult(p >= self.alpha, -math.log10(max(p, 1e-300)) if p == p else 0.0, p)

    def canonical_order(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Order by the bytes of the columns."""
        return order_by_content(column_keys(self.data), names)

    def reordered(self, order: NDArray[np.int64]) -> BoundCustomTest:
        """Permute the columns of the data, so that even a function with an eye for places sees the same."""
        return BoundCustomTest(self.function, self.alpha, self.data[:, order])

    def describe(self) -> dict[str, object]:
        """Name of the function and level."""
        return {"name": getattr(self.function, "__name__", "custom"), "alpha": self.alpha}
