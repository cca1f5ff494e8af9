"""Columns that hardly vary: all but a few rows hold one value, so no test has anything to tell about them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.tables import Finding, FindingKind, Table
from hccd.tables.columns import Array
from hccd.wording import listed, quoted

FEWEST_ODD = 5
"""As many rows as a cell of a contingency table should have."""
_FEWEST_ROWS = 50
_HEAD = 60


def near_constant(table: Table, left_out: Collection[int]) -> list[Finding]:
    """Name the columns that hold one value in all but fewer than five rows, in one sentence."""
    if table.n_rows < _FEWEST_ROWS:
        return []
    rows = table.n_samples
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    said, found = [], []
    for i in range(table.n_columns) if table.weights is not None else _candidates(table):
        if i in left_out:
            continue
        value, same = _commonest(table, i)
        odd = round(float(weights[~same].sum()))
        if 0 < odd < FEWEST_ODD:
            said.append(f"{quoted(table.names[i])} is {quoted(value)} in all but {odd:,} of {rows:,} rows")
            found.append(i)
    if not found:
        return []
    sentence = f"{listed(said)}: too few rows differ to learn from, so drop such columns or expect no edges"
    return [Finding(FindingKind.NEAR_CONSTANT, tuple(found), sentence)]


def _candidates(table: Table) -> list[int]:
    """Return the columns whose first rows hold one value but for fewer than five: no other can hold it everywhere."""
    found = [i for i, text in table.texts.items() if _same(text.codes[None, :_HEAD])[0]]
    for block in table.blocks:
        found += block.positions[block.gaps | _same(block.values[:, :_HEAD])].tolist()
    return sorted(found)


def _same(head: Array) -> NDArray[np.bool_]:
    middle = np.sort(head, axis=1)[:, [head.shape[1] // 2]]
    return np.asarray((head == middle).sum(axis=1) > head.shape[1] - FEWEST_ODD)


def _commonest(table: Table, i: int) -> tuple[Any, Array]:
    """Return the value that more than half of the rows would hold, and which rows hold it."""
    cells: Array = table.texts[i].codes if i in table.texts else table.columns[i]
    # Such a value is in the middle of the sorted column, and of the first rows if nothing is missing or weighs more.
    some = cells if table.weights is not None or table.n_missing[i] else cells[:_HEAD]
    middle = np.sort(some)[len(some) // 2]
    if i not in table.texts:
        return middle.item(), np.asarray(cells == middle)
    # A missing cell, which has the code behind the states, is equal to no other.
    states = table.texts[i].states
    return states[min(int(middle), len(states) - 1)], np.asarray((cells == middle) & (cells < len(states)))
