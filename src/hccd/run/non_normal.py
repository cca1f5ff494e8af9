"""Rows for directions by noise that is not normal: columns as they are, and refusals of those that cannot tell any."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError, InvalidParameterError
from hccd.independence.holm import below_holm
from hccd.independence.transforms import outlying_rows, transformed
from hccd.run.binding import Binding
from hccd.tables import Kind, Table
from hccd.wording import quoted

#: More rows are not looked at.
MOST_ROWS = 20_000
#: Fewer tell nothing about the shape of noise.
FEWEST_ROWS = 100
#: The level at which normality is rejected.
NORMAL = 0.01

_KEEP = {"undirected": "keep"}


def non_normal_rows(table: Table | None, binding: Binding) -> NDArray[np.float64]:
    """Return the columns in canonical order, a row for each; refuse what linear models of noise are not for."""
    if table is None:
        raise InvalidParameterError("undirected is 'lingam', which needs rows, and the test is bound already")
    transform = "none" if binding.suited is None else binding.suited.transform
    other = [name for name, kind in zip(table.names, table.kinds, strict=True) if kind is not Kind.CONTINUOUS]
    said = ""
    if other:
        said = f"which is for continuous columns, and {quoted(other[0])} is discrete"
    elif table.n_missing.any():
        name = table.names[int(np.flatnonzero(table.n_missing)[0])]
        said = f"which needs complete rows, and cells of {quoted(name)} are missing"
    elif table.weights is not None:
        said = "which cannot use weights of rows"
    elif transform == "curves":
        said = "which assumes linear effects, and relations are curved"
    elif table.n_rows < FEWEST_ROWS:
        said = f"which needs {FEWEST_ROWS} rows, and there are {table.n_rows}"
    if said:
        raise InvalidParameterError(f"undirected is 'lingam', {said}", go_on=_KEEP)
    columns = table.numbers_of_usual_size().T[binding.columns]
    # Ranks and normal scores would take away what directions are told by.
    if transform == "trim":
        columns = columns[:, ~outlying_rows(columns)]
    elif transform in ("log", "trim-cells"):
        columns = transformed(transform, columns)
    columns = columns[:, :: max(1, -(-columns.shape[1] // MOST_ROWS))]
    _refuse_normal(columns)
    return np.ascontiguousarray(columns)


def _refuse_normal(columns: NDArray[np.float64]) -> None:
    """Refuse columns of which none differs from a normal variable: then no noise does, or too little to be seen."""
    # It takes longer to import than most runs to learn.
    from scipy.stats import normaltest

    varying = columns[np.ptp(columns, axis=1) > 0.0]
    if not len(varying):
        return
    p_value = normaltest(varying, axis=1).pvalue
    if not below_holm(p_value, NORMAL).any():
        raise InvalidDataError(
            "undirected is 'lingam', which needs noise that is not normal, but no column differs from a normal "
            f"distribution (smallest p-value {p_value.min():.2g} of {len(p_value):,})",
            go_on=_KEEP,
        )
