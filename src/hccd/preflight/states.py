"""Whether there are enough rows for the states: how many rows a cell of a contingency table has on average."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

import numpy as np

from hccd.preflight.data_check import CheckFinding
from hccd.tables import Table
from hccd.tables.numbers import MOST_STATES_GUESSED
from hccd.wording import columns_named, counted

ROWS_PER_CELL = 5
"""The textbook's rule for tests of contingency tables."""


def many_states(table: Table, left_out: Collection[int]) -> Iterator[CheckFinding]:
    """Name columns with so many states that hardly any rows are left for each, and tables too small altogether."""
    states = table.codes().cardinalities
    varying = states[states > 1]
    if not len(varying):
        return
    typical = float(np.exp(np.log(varying).mean()))
    rows = table.n_samples
    many = [
        i
        for i in np.flatnonzero((states > MOST_STATES_GUESSED) & (states * typical * ROWS_PER_CELL > rows)).tolist()
        if i not in left_out
    ]
    if many:
        names = [table.names[i] for i in many]
        yield CheckFinding(
            "warning",
            "states",
            f"{columns_named(names)} {'has' if len(many) == 1 else 'have'} up to {states[many].max():,} states for "
            f"{counted(rows, 'row')}: group the rare ones, since such tests find little",
            tuple(names),
        )
    largest = math.floor(math.log(max(rows / ROWS_PER_CELL, 1.0)) / math.log(typical) - 2.0 + 1e-9)
    if largest < 1:
        what = "with a condition" if largest == 0 else "of two columns"
        cells = typical ** (3 if largest == 0 else 2)
        yield CheckFinding(
            "warning",
            "rows",
            f"there are {counted(rows, 'row')} for columns of typically {typical:.1f} states, {rows / cells:.1f} for "
            f"each cell of a test {what} where {ROWS_PER_CELL} are wanted: collect more rows or group states",
        )
    else:
        yield CheckFinding(
            "note",
            "rows",
            f"the rows suffice for conditioning sets of up to {counted(largest, 'column')}, counting {ROWS_PER_CELL} "
            f"rows for each cell and {typical:.1f} states for a column",
        )
