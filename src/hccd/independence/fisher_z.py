"""Fisher's z test of a partial correlation, for continuous data that are roughly jointly normal.

With N rows and a set of k variables, z = sqrt(N - k - 3) atanh(r) is compared with the standard normal
distribution; r is the partial correlation of x and y given the set. The unconditional strength is |r|.

Defined answers where the formula has none:

* a constant column has correlation 0 with everything: independent;
* a variable of the set that the others determine adds nothing: the test conditions on what they span;
* if the set determines x or y (residual variance at most ``SINGULAR`` of the total), or if N - k - 3 < 1, there
  is nothing to judge by: not independent, p-value nan. No edge is removed without evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from hccd._kernels.scores.gaussian_families import GaussianFamilies
from hccd._kernels.search.correlation import CorrelationSearch
from hccd.errors import InvalidDataError, InvalidParameterError
from hccd.independence.marginals import Marginals
from hccd.independence.protocol import (
    BoundCITest,
    CIResult,
    ManyResults,
    check_probability,
    check_question,
    order_by_content,
    rows_and_columns,
)
from hccd.independence.transforms import correlations_after
from hccd.tables import column_keys

#: Share of the variance that the score takes for noise of each variable's own where columns are exactly related.
NOISE = 1e-6
#: Residual variance, as a share of the total, below which a variable counts as determined by others.
SINGULAR = 1e-10


@dataclass(frozen=True)
class FisherZ:
    """Partial correlation, Fisher's z.

    Parameters
    ----------
    alpha : float
        Significance level; a pair is called independent if its p-value is at least ``alpha``.

    Examples
    --------
    >>> import numpy as np
    >>> from hccd.independence import FisherZ
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=500); z = x + rng.normal(size=500); y = z + rng.normal(size=500)
    >>> test = FisherZ(alpha=0.01).bind(np.column_stack([x, y, z]))
    >>> test.test(0, 1).independent, test.test(0, 1, [2]).independent
    (False, True)
    """

    alpha: float = 0.01

    def bind(self, data: ArrayLike) -> BoundFisherZ:
        """Compute the correlation matrix, in an order of the columns that comes from their content."""
        values = rows_and_columns(data).astype(np.float64, copy=False)
        if not np.isfinite(values).all():
            raise InvalidDataError("the data hold missing or infinite values: remove or impute them")
        return self.bind_columns(values.T, column_keys(values))

    def bind_columns(
        self,
        columns: NDArray[np.float64],
        keys: Sequence[bytes],
        transform: str = "none",
        weights: NDArray[np.float64] | None = None,
    ) -> BoundFisherZ:
        """Take columns that are checked already, as rows, with their digests; correlate them after a transform."""
        check_probability("alpha", self.alpha)
        # Sums depend on the order in which BLAS takes them; in the canonical order they are always the same.
        order = order_by_content(keys, [""] * len(keys))
        matrix, n_rows = correlations_after(transform, np.ascontiguousarray(columns[order]), weights)
        return BoundFisherZ(matrix, n_rows, self.alpha, tuple(keys), np.argsort(order))

    def bind_correlation(self, correlation: ArrayLike, n_samples: float) -> BoundFisherZ:
        """Use a correlation (or covariance) matrix and the number of rows it stands for."""
        check_probability("alpha", self.alpha)
        matrix = np.array(correlation, dtype=np.float64)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InvalidDataError(f"a correlation matrix must be square, got the shape {matrix.shape}")
        if not np.isfinite(matrix).all() or not np.allclose(matrix, matrix.T, rtol=1e-8, atol=1e-10):
            raise InvalidDataError("a correlation matrix must be finite and symmetric: check how it was computed")
        if not n_samples > 3:
            raise InvalidParameterError(f"n_samples is {n_samples!r}; Fisher's z needs more than 3")
        scale = np.sqrt(np.clip(np.diag(matrix), 0.0, None))
        if (np.diag(matrix) < 0).any():
            raise InvalidDataError("a covariance matrix cannot have a negative variance on its diagonal")
        scale[scale == 0.0] = np.inf
        matrix = (matrix + matrix.T) / 2.0 / np.outer(scale, scale)
        np.clip(matrix, -1.0, 1.0, out=matrix)
        np.fill_diagonal(matrix, 1.0)
        try:
            np.linalg.cholesky(matrix + SINGULAR**0.5 * np.eye(len(matrix)))
        except np.linalg.LinAlgError:
            raise InvalidDataError(
                "this matrix cannot be a correlation matrix (it has a negative eigenvalue), as happens when every pair "
                "is computed from different rows: compute it from complete rows"
            ) from None
        # No column to look at: the sorted sizes of a variable's correlations do not know its place either.
        keys = tuple(row.tobytes() for row in np.sort(np.abs(matrix), axis=1))
        return BoundFisherZ(matrix, n_samples, self.alpha, keys)


def with_noise(correlation: NDArray[np.float64], noise: float) -> NDArray[np.float64]:
    """Return what correlations are if this share of every variance is noise.

    Where A + B = TOTAL exactly, each of the three is determined by the others, and a score of densities has no meaning:
    which families it calls perfect depends on rounding. With a little noise DAGs of one class score the same again.
    """
    if not noise:
        return correlation
    matrix = correlation * (1.0 - noise)
    np.fill_diagonal(matrix, 1.0)
    return np.asarray(matrix)


def fisher_statistics(r: NDArray[np.float64], freedom: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Fisher's z of partial correlations, ``freedom`` being N - k - 3."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.sqrt(freedom) * np.arctanh(r))


def fisher_p_values(r: NDArray[np.float64], freedom: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return two-sided p-values; nan where there is nothing to judge by."""
    enough = np.asarray(freedom) >= 1
    return np.where(enough, 2.0 * ndtr(-np.abs(fisher_statistics(r, np.where(enough, freedom, 1.0)))), np.nan)


class CorrelationMarginals(Marginals):
    """Unconditional tests of correlations; strengths and p-values follow from them, and are computed when asked for.

    ``critical`` is the largest absolute correlation called zero, negative if none is.
    """

    def __init__(self, correlation: NDArray[np.float64], critical: float, n_samples: float) -> None:
        independent = correlation <= critical
        for own, row in zip(independent, correlation, strict=True):
            # Row by row: there are hundreds of megabytes of them where variables are many.
            own &= row >= -critical
        np.fill_diagonal(independent, False)
        super().__init__(independent, None)
        self.correlation = correlation
        self.critical = critical
        self.n_samples = n_samples

    @property
    def strength(self) -> NDArray[np.float64]:
        """Absolute correlations; kept, for whoever asks once asks again."""
        if self._strength is None:
            self._strength = np.abs(self.correlation)
            np.fill_diagonal(self._strength, 0.0)
        return self._strength

    @property
    def association(self) -> NDArray[np.float64]:
        """The correlations themselves."""
        return self.correlation

    def outer(self) -> NDArray[np.float64]:
        """Return the critical value, for every variable."""
        return np.full(len(self.correlation), max(self.critical, 0.0))

    def without(self, x: NDArray[np.int32], y: NDArray[np.int32]) -> CorrelationMarginals:
        """Raise the critical value to the largest correlation that is called zero now."""
        other = super().without(x, y)
        other.critical = max(self.critical, float(np.abs(self.correlation[x, y]).max(initial=0.0)))
        return other

    def p_values(self, x: int | NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
        """Return the p-values of pairs, or of one variable with others."""
        return fisher_p_values(np.abs(self.correlation[x, y]), self.n_samples - 3)


class BoundFisherZ(BoundCITest):
    """Fisher's z on a correlation matrix; variable i has the row ``rows[i]`` of it, or row i without ``rows``."""

    score_name = "bic"

    def __init__(
        self,
        matrix: NDArray[np.float64],
        n_samples: float,
        alpha: float,
        keys: tuple[bytes, ...],
        rows: NDArray[np.int64] | None = None,
    ) -> None:
        self._matrix = np.ascontiguousarray(matrix)
        self._matrix.flags.writeable = False
        self._rows = None if rows is None or np.array_equal(rows, np.arange(len(matrix))) else rows
        self._ordered: NDArray[np.float64] | None = None
        self.n_samples = n_samples
        self.alpha: float = alpha
        self._keys = keys
        self._quantile = -float(ndtri(alpha / 2.0))
        self._noise = 0.0

    def __getstate__(self) -> dict[str, object]:
        # A second matrix need not travel.
        return {**self.__dict__, "_ordered": None}

    def families(self, max_parents: int) -> GaussianFamilies:
        """Return BIC, from the correlations; rows count as they do for Fisher's z, which matters where they are few."""
        return GaussianFamilies(
            with_noise(self.correlation, self._noise), max(self.n_samples - 3.0, 1.0), SINGULAR, max_parents
        )

    def with_alpha(self, alpha: float) -> BoundFisherZ:
        """Return the same test at another level."""
        other = copy(self)
        other.alpha, other._quantile = alpha, -float(ndtri(alpha / 2.0))
        return other

    def softened(self) -> BoundFisherZ:
        """Return the same test with a score that stays defined where columns are exactly related."""
        other = copy(self)
        other._noise = NOISE
        return other

    @property
    def n_variables(self) -> int:
        """The size of the matrix."""
        return len(self._matrix)

    @property
    def correlation(self) -> NDArray[np.float64]:
        """The correlation matrix of the variables in their present order."""
        if self._ordered is None:
            self._ordered = self._matrix if self._rows is None else self._matrix[np.ix_(self._rows, self._rows)]
            self._ordered.flags.writeable = False
        return self._ordered

    def critical(self, order: int) -> float:
        """Return the largest squared partial correlation of this order that is called zero; -1 if none can be."""
        freedom = self.n_samples - order - 3
        return float(np.tanh(self._quantile / np.sqrt(freedom)) ** 2) if freedom >= 1 else -1.0

    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Test one pair given a set."""
        check_question(self.n_variables, x, y, given)
        r = float(self._partial([x], [y], np.array([list(given)], np.int32).reshape(1, len(given)))[0])
        freedom = self.n_samples - len(given) - 3
        if np.isnan(r) or freedom < 1:
            return CIResult(False, abs(r))
        return CIResult(
            bool(r * r <= self.critical(len(given))),
            abs(r),
            float(fisher_p_values(np.array([r]), freedom)[0]),
            float(fisher_statistics(np.array([r]), freedom)[0]),
        )

    def marginals(self, n_jobs: int | None = None) -> CorrelationMarginals:
        """Compare the whole matrix with one critical value."""
        critical = self.critical(0)
        return CorrelationMarginals(self.correlation, np.sqrt(critical) if critical >= 0 else -1.0, self.n_samples)

    def test_many(self, x: NDArray[np.int32], y: NDArray[np.int32], given: NDArray[np.int32]) -> ManyResults:
        """Answer many questions with sets of one size."""
        order = given.shape[1]
        r = self._partial(x, y, given)
        p_value = fisher_p_values(r, self.n_samples - order - 3)
        return ManyResults(np.asarray(r * r <= self.critical(order)), p_value, np.abs(r))

    def searcher(
        self,
        association: NDArray[np.float64],
        outer: NDArray[np.float64],
        by_strength: bool,
        position: NDArray[np.int32],
    ) -> CorrelationSearch:
        """Return the compiled search for partial correlations; it takes its association from the matrix itself."""
        orders = np.arange(max(0, int(min(self.n_variables, self.n_samples - 3))))
        critical = np.tanh(self._quantile / np.sqrt(self.n_samples - 3 - orders)) ** 2
        return CorrelationSearch(self.correlation, critical, SINGULAR, outer, by_strength, position)

    def p_values(
        self, order: NDArray[np.int32], statistic: NDArray[np.float64], freedom: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the p-values of partial correlations."""
        return fisher_p_values(statistic, self.n_samples - 3 - order.astype(np.float64))

    def canonical_order(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Order by the columns' bytes (data) or by the sorted sizes of their correlations (a matrix)."""
        return order_by_content(self._keys, names)

    def reordered(self, order: NDArray[np.int64]) -> BoundFisherZ:
        """Number the rows of the matrix anew; it is not copied until it has to be."""
        return BoundFisherZ(
            self._matrix,
            self.n_samples,
            self.alpha,
            tuple(self._keys[i] for i in order),
            order if self._rows is None else self._rows[order],
        )

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return the correlations and the number of rows."""
        return self.correlation, np.array([self.n_samples])

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        return {"name": "fisher-z", "alpha": self.alpha}

    def _partial(self, x: ArrayLike, y: ArrayLike, given: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the partial correlations of many questions; nan where the set determines an end."""
        first, second, sets = (
            np.ascontiguousarray(part if self._rows is None else self._rows[np.asarray(part)], np.int32)
            for part in (x, y, given)
        )
        result = np.empty(len(first))
        search = CorrelationSearch(self._matrix, np.zeros(0), SINGULAR, np.zeros(0), False, np.zeros(0, np.int32))
        # Neither degrees of freedom nor information are asked for.
        search.statistics(first, second, sets, result, np.empty(len(result), np.int64), np.empty(len(result)))
        return np.clip(result, -1.0, 1.0)
