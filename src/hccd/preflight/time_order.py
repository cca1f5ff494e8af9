"""Rows in the order of time: those that are close resemble each other, and tests take them for independent."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hccd.preflight.data_check import CheckFinding
from hccd.preflight.identifiers import only_rises
from hccd.tables import Table
from hccd.tables.columns import Array
from hccd.wording import columns_named

# A correlation with the row before that is both sure and large.
_LARGE = 0.2
_DEVIATIONS = 2.5


def time_order(table: Table) -> Iterator[CheckFinding]:
    """Warn if columns say in what order the rows stand, and at least half of the others resemble the row before.

    Such are dates that never go back, which are left out, a column of whole numbers that only ever rises, and two of
    them side by side that rise together, as a year and a quarter.
    """
    clock = rising_columns(table)
    if not clock and not table.by_date:
        return
    others = [column for i, column in enumerate(table.columns) if i not in clock and i not in table.texts]
    others = [column if column.dtype.kind != "f" else column[~np.isnan(column)] for column in others]
    others = [column for column in others if column.min() < column.max()]
    similar = [_resembles_the_row_before(column) for column in others]
    if not others or 2 * sum(similar) < len(others):
        return
    names = tuple(table.names[i] for i in clock)
    order = f"in the order of {columns_named(list(names))}" if names else "in the order of dates"
    yield CheckFinding(
        "warning",
        "time-order",
        f"the rows stand {order} and resemble the row before: tests take them for independent and find too many edges, "
        "so take changes from row to row, or one row of many",
        names,
    )


def rising_columns(table: Table) -> tuple[int, ...]:
    """Return the column of whole numbers, or the two side by side, by which the rows are in order; nothing if none."""
    whole = [i for i in range(table.n_columns) if table.whole[i] and i not in table.texts]
    rising = [i for i in whole if only_rises(table.columns[i])]
    if rising:
        # Of several the one in equal steps: that is the year, and the others grew with it.
        return (next((i for i in rising if len(np.unique(np.diff(table.columns[i]))) == 1), rising[0]),)
    for i in whole:
        if i + 1 in whole and _rise_together(table.columns[i], table.columns[i + 1]):
            return (i, i + 1)
    return ()


def _rise_together(first: Array, second: Array) -> bool:
    large, small = np.diff(first * 1.0), np.diff(second * 1.0)
    # What stands for forty rows or more is rather a class by which the table is sorted.
    return bool(((large > 0) | ((large == 0) & (small > 0))).all() and np.count_nonzero(large) * 40 > len(first))


def _resembles_the_row_before(column: Array) -> bool:
    values: NDArray[np.float64] = column / np.abs(column * 1.0).max()
    values = values - values.mean()
    correlation = float(values[1:] @ values[:-1]) / float(values @ values)
    return correlation > max(_LARGE, _DEVIATIONS / float(np.sqrt(len(values))))
