"""The same columns bound again with other weights of the rows, for tests that do not do so themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.independence import BoundCITest, DegenerateGaussian, FisherZ, RegressionTest
from hccd.independence.transforms import outlying_rows, transformed, without_zeros
from hccd.independence.with_gaps import Testwise, bind_em
from hccd.tables import MixedColumns

Floats = NDArray[np.float64]
#: Takes weights of the rows, 0 for those that are left out.
Reweighted = Callable[[Floats], BoundCITest]


@dataclass(frozen=True, eq=False)
class Repeated:
    """A test that takes no weights, bound to rows that are there as often as these say.

    Rows go along ``axis``, and are those that are ``kept``.
    """

    values: NDArray[Any]
    axis: int
    bind: Callable[[NDArray[Any]], BoundCITest]
    kept: NDArray[np.bool_] | None = None

    def __call__(self, weights: Floats) -> BoundCITest:
        """Bind the test to the rows with these weights, whole numbers."""
        own = weights if self.kept is None else weights[self.kept]
        return self.bind(np.repeat(self.values, own.astype(np.int64), self.axis))


@dataclass(frozen=True, eq=False)
class Gapped:
    """A test for columns with missing cells, transformed already, of the rows that are ``kept``: by EM or test-wise."""

    spec: FisherZ | DegenerateGaussian | RegressionTest
    columns: MixedColumns
    kept: NDArray[np.bool_]
    em: bool
    curves: bool

    def __call__(self, weights: Floats) -> BoundCITest:
        """Bind the test to the rows with these weights."""
        values, own = without_zeros(self.columns.values, weights[self.kept])
        assert own is not None
        equal = None if (own == 1.0).all() else own
        if isinstance(self.spec, RegressionTest):
            # It takes no weights, and what it gets here are whole numbers.
            values, equal = np.repeat(values, own.astype(np.int64), axis=1), None
        elif self.em:
            return bind_em(self.spec, self.columns._replace(values=values), equal, self.curves)
        return Testwise(self.spec, self.columns._replace(values=values), equal, self.curves)


@dataclass(frozen=True, eq=False)
class Stacked:
    """Tables one below the other, of which each row weighs a part of what the row of the data weighs."""

    bind: Reweighted
    times: int
    share: float

    def __call__(self, weights: Floats) -> BoundCITest:
        """Bind the test to the rows of all tables with these weights."""
        return self.bind(np.tile(weights * (self.share / self.times), self.times))


@dataclass(frozen=True, eq=False)
class Correlated:
    """Fisher's z on columns that are transformed already, all but ranks; of the rows that are ``kept``."""

    columns: Floats
    kept: NDArray[np.bool_] | None
    transform: str
    spec: FisherZ
    keys: Sequence[bytes]
    soft: bool = False

    @classmethod
    def after(
        cls,
        transform: str,
        columns: Floats,
        weights: Floats | None,
        spec: FisherZ,
        keys: Sequence[bytes],
    ) -> Correlated:
        """Transform columns in their canonical order."""
        if transform == "ranks":
            return cls(columns, None, transform, spec, keys)
        if transform == "trim":
            kept = ~outlying_rows(columns, weights)
            return cls(columns[:, kept], kept, "none", spec, keys)
        return cls(transformed(transform, columns, weights), None, "none", spec, keys)

    def __call__(self, weights: Floats) -> BoundCITest:
        """Bind the test to the rows with these weights."""
        rows = without_zeros(self.columns, weights if self.kept is None else weights[self.kept])
        ci = self.spec.bind_columns(rows[0], self.keys, self.transform, rows[1])
        return ci.softened() if self.soft else ci
