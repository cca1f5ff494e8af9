"""A user's own function as a test: it works in every algorithm, only slower than a compiled one.

The function is called as ``function(data, x, y, given)`` with the data as bound and column numbers in them, and returns
either a p-value or a whole ``CIResult``. It may be called from several workers and in any order. From a table it gets
numbers as they are; if any column holds text, it gets every column as codes 0, 1, 2, ... in the order of its states.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd.errors import InvalidParameterError
from hccd.independence.protocol import (
    BoundCITest,
    CIResult,
    check_probability,
    check_question,
    order_by_content,
    rows_and_columns,
)
from hccd.tables import column_keys

CIFunction = Callable[[NDArray[Any], int, int, tuple[int, ...]], "float | CIResult"]


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
    Clustering needs a strength: that of the ``CIResult``, or -log10 of the p-value if there is no other.

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


def _digest(function: CIFunction) -> bytes:
    """Tell functions apart by their code and the arguments of partials; what they read elsewhere is not seen."""
    seen: list[object] = []
    inner: Any = function
    while isinstance(inner, partial):
        seen += [repr(inner.args), repr(sorted(inner.keywords.items()))]
        inner = inner.func
    code = getattr(inner, "__code__", None) or getattr(type(inner).__call__, "__code__", None)
    seen += [getattr(inner, "__qualname__", type(inner).__qualname__), getattr(inner, "__dict__", {})]
    seen += [code.co_code, code.co_consts, code.co_names] if code is not None else []
    return blake2b(repr(seen).encode(), digest_size=16).digest()


class BoundCustomTest(BoundCITest):
    """A function with its data; ``columns[i]`` is the column that variable i has in them."""

    def __init__(
        self, function: CIFunction, alpha: float, data: NDArray[Any], columns: NDArray[np.int64] | None = None
    ) -> None:
        self.function = function
        self.alpha: float = alpha
        self.data = data.view()
        self.data.flags.writeable = False
        self.columns = np.arange(data.shape[1]) if columns is None else columns

    @property
    def n_variables(self) -> int:
        """The number of columns."""
        return int(self.data.shape[1])

    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Call the function with the numbers of the columns as they were bound: it may know them from elsewhere.

        Which of the two comes first, and the order of the set, follow the variables' present order, which does not
        depend on where the columns stand; so rounding in the function does not either.
        """
        check_question(self.n_variables, x, y, given)
        a, b = (int(self.columns[v]) for v in sorted((x, y)))
        answer = self.function(self.data, a, b, tuple(int(self.columns[z]) for z in sorted(given)))
        if isinstance(answer, CIResult):
            return answer
        if not isinstance(answer, Real):
            raise InvalidParameterError(
                f"the test returned {answer!r} for columns {a} and {b}; it must return a p-value or a CIResult"
            )
        p = float(answer)
        if p < 0.0 or p > 1.0:
            raise InvalidParameterError(f"the test returned {p!r} for columns {a} and {b}; a p-value is from 0 to 1")
        return CIResult(p >= self.alpha, -math.log10(max(p, 1e-300)) if p == p else 0.0, p)

    def canonical_order(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Order by the bytes of the columns."""
        return order_by_content(column_keys(self.data[:, self.columns]), names)

    def reordered(self, order: NDArray[np.int64]) -> BoundCustomTest:
        """Keep the data, and number their columns anew."""
        return BoundCustomTest(self.function, self.alpha, self.data, self.columns[order])

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return the data, which column is which variable, and a digest of the function."""
        return self.data, self.columns, np.frombuffer(_digest(self.function), np.uint8)

    def describe(self) -> dict[str, object]:
        """Name of the function and level."""
        return {"name": getattr(self.function, "__name__", "custom"), "alpha": self.alpha}
