"""The same data at another level of the tests, at another price of an edge, or with fewer rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hccd.fit.numbers import Numbers
from hccd.independence import BoundCITest, BoundFisherZ
from hccd.independence.degenerate_gaussian import BoundDegenerateGaussian
from hccd.independence.tables import BoundTableTest
from hccd.independence.transforms import correlations
from hccd.run.prepared import Prepared


def at_strictness(prepared: Prepared, alpha: float | None = None, price: float | None = None) -> Prepared:
    """Return the same data to be learned from with another level or price; None: as it is."""
    options = prepared.options if price is None else replace(prepared.options, price=price)
    if alpha is None:
        return replace(prepared, options=options)
    binding = replace(prepared.binding, ci=prepared.binding.ci.with_alpha(alpha))
    return replace(prepared, options=replace(options, alpha=alpha), binding=binding)


def on_rows(prepared: Prepared, numbers: Numbers | None, rows: NDArray[np.bool_]) -> Prepared:
    """Return some of the rows to be learned from, for a try; ``numbers`` are all of them, None of discrete data.

    The order of the variables stays that of all rows, and so do findings about the table.
    """
    return replace(prepared.with_test(_part(prepared.binding.ci, numbers, rows)), table=None)


def _part(ci: BoundCITest, numbers: Numbers | None, rows: NDArray[np.bool_]) -> BoundCITest:
    if isinstance(ci, BoundTableTest):
        data = ci.data._replace(codes=np.ascontiguousarray(ci.data.codes[:, rows]))
        return BoundTableTest(ci.name, ci.kind, data, ci._keys, alpha=ci.alpha)
    assert numbers is not None
    matrix, n_rows = correlations(numbers.values[:, rows]), int(rows.sum())
    if isinstance(ci, BoundFisherZ):
        return BoundFisherZ(matrix, n_rows, ci.alpha, ci._keys)
    assert isinstance(ci, BoundDegenerateGaussian)
    return BoundDegenerateGaussian(matrix, ci._first, ci._own, ci._entropy, n_rows, ci.alpha, ci._keys)
