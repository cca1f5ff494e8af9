"""The columns that an effect is computed from, complete in the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError
from hccd.tables import Kind, Table


@dataclass(frozen=True, eq=False)
class Column:
    """A column: its numbers if it is continuous, else the codes of its ``states``."""

    name: str
    values: NDArray[Any]
    states: tuple[Any, ...] | None

    def numbers(self) -> NDArray[np.float64]:
        """Return the values as numbers."""
        return np.asarray(self.values, dtype=np.float64)

    def design(self) -> NDArray[np.float64]:
        """Return the columns of a regression: the numbers, or an indicator of each state but the first."""
        if self.states is None:
            return self.numbers()[:, None]
        return np.asarray(self.values[:, None] == np.arange(1, len(self.states)), dtype=np.float64)


def columns_of(table: Table, test: str, variables: Sequence[int]) -> list[Column]:
    """Return columns, in the rows in which all are there, as the independence test of the run understood them."""
    if table.weights is not None:
        raise InvalidDataError("effects are not estimated from weighted rows: give the table without its weights")
    observed = np.asarray(table.observed()[list(variables)].all(axis=0), dtype=np.bool_)
    if not observed.any():
        raise InvalidDataError("no row is complete in the columns of this effect: impute the missing values")
    return [_column(table, test, variable, observed) for variable in variables]


def _column(table: Table, test: str, variable: int, observed: NDArray[np.bool_]) -> Column:
    values, name = table.columns[variable][observed], table.names[variable]
    by_kind = table.kinds[variable] is Kind.CONTINUOUS
    continuous = {"fisher-z": True, "g": False, "chi2": False, "mi": False}.get(test, by_kind)
    if continuous:
        return Column(name, values, None)
    states, codes = np.unique(values.astype(str) if values.dtype == object else values, return_inverse=True)
    return Column(name, codes, tuple(states.tolist()))
