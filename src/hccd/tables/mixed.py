"""Columns of all kinds side by side, as numbers of which some are the states of nominal columns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.tables.columns import Kind
from hccd.tables.keys import column_keys
from hccd.tables.table import Table


class MixedColumns(NamedTuple):
    """Numbers, a row for each column of a table.

    ``states`` is 0 for a column of values (continuous) or of ranks of states (ordinal), and the number of states for a
    nominal one, whose states are numbered as they first occur: what they are called does not matter. A missing cell is
    NaN. ``keys`` are digests of this content, the kind included. ``ordinal`` are the columns of ranks.
    """

    values: NDArray[np.float64]
    states: NDArray[np.int64]
    keys: list[bytes]
    ordinal: frozenset[int] = frozenset()


def mixed_columns(table: Table) -> MixedColumns:
    """Return the columns of a table as the table understands them."""
    values = np.empty((table.n_columns, table.n_rows))
    states = np.zeros(table.n_columns, np.int64)
    for i in table.texts:
        values[i], states[i] = _numbered(table.texts[i].codes, ~table.texts[i].missing)
    for block in table.blocks:
        for i, own in zip(block.positions.tolist(), block.values, strict=True):
            if i in table.ordinal:
                values[i] = _numbered(own, ~np.isnan(own), by_value=True)[0]
            elif table.kinds[i] is Kind.DISCRETE:
                values[i], states[i] = _numbered(own, ~np.isnan(own))
            else:
                values[i] = own if table.scales is None else own * table.scales[i]
    values.flags.writeable = False
    # A column of measurements and one of states are never the same.
    keys = [key + bytes([n > 0]) for key, n in zip(column_keys(values.T, table.weights), states.tolist(), strict=True)]
    return MixedColumns(values, states, keys, table.ordinal)


def _numbered(
    column: NDArray[Any], held: NDArray[np.bool_], *, by_value: bool = False
) -> tuple[NDArray[np.float64], int]:
    """Number the distinct values of a column in the order in which they first occur, or by value."""
    _, first, inverse = np.unique(column[held], return_index=True, return_inverse=True)
    numbers = np.full(len(column), np.nan)
    numbers[held] = inverse if by_value else np.argsort(np.argsort(first))[inverse]
    return numbers, len(first)
