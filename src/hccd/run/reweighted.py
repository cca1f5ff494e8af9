"""The same columns bound again with other weights of the rows, for tests that do not do so themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.independence import BoundCITest, FisherZ
from hccd.independence.transforms import outlying_rows, transformed, without_zeros

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
