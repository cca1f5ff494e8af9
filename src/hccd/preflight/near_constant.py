"""Columns that hardly vary: all but a few rows hold one value, so no test has anything to tell about them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from hccd.preflight.data_check import CheckFinding
from hccd.tables import Table
from hccd.tables.columns import Array
from hccd.wording import listed, quoted

FEWEST_ODD = 5
"""As many rows as a cell of a contingency table should have."""
_FEWEST_ROWS = 50


def near_constant(table: Table, left_out: Collection[int]) -> Iterator[CheckFinding]:
    """Name the columns that hold one value in all but fewer than five rows, in one sentence."""
    if table.n_rows < _FEWEST_ROWS:
        return
    rows = table.n_samples
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    said, names = [], []
    for i, name in enumerate(table.names):
        if i in left_out:
            continue
        value, same = _commonest(table, i)
        odd = round(float(weights[~same].sum()))
        if 0 < odd < FEWEST_ODD:
            said.append(f"{quoted(name)} is {quoted(value)} in all but {odd:,} of {rows:,} rows")
            names.append(name)
    if names:
        sentence = f"{listed(said)}: so few rows tell nothing, so drop what hardly varies or expect no edges"
        yield CheckFinding("warning", "near-constant", sentence, tuple(names))


def _commonest(table: Table, i: int) -> tuple[Any, Array]:
    """Return the value that more than half of the rows would hold, and which rows hold it."""
    cells: Array = table.texts[i].codes if i in table.texts else table.columns[i]
    # Such a value is in the middle of the sorted column.
    middle = np.partition(cells, len(cells) // 2)[len(cells) // 2]
    value = table.texts[i].states[int(middle)] if i in table.texts else middle.item()
    return value, np.asarray(cells == middle)
