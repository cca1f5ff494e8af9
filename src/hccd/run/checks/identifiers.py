"""Columns that rather name or count the rows than measure anything: all different, and in order or in words."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from hccd.tables import Finding, FindingKind, Table
from hccd.tables.columns import Array
from hccd.wording import quoted


def identifiers(table: Table, left_out: Collection[int], *, in_time: bool = False) -> list[Finding]:
    """Look for text that is different in every row, and for whole numbers that count or only ever rise.

    Where the rows are in the order of time (``in_time``), what rises is no identifier.
    """
    looks = {i: "has a different text in every row" for i, text in table.texts.items() if _all_differ(table, i)}
    for i in whole_and_different(table):
        values = table.columns[i]
        if not (in_time and only_rises(values)):
            looks[i] = _counting(values)
    return [
        Finding(
            FindingKind.IDENTIFIER,
            (i,),
            f"column {quoted(table.names[i])} {looks[i]} and looks like an identifier: drop it, or declare it as index",
        )
        for i in sorted(looks)
        if looks[i] and i not in left_out
    ]


def whole_and_different(table: Table) -> list[int]:
    """Return the columns of whole numbers that may differ in every row: the first do, and the range is wide."""
    found: list[int] = []
    for block in table.blocks:
        if block.values.dtype.kind == "b":
            continue
        wide = block.whole & (block.high.astype(np.float64) - block.low.astype(np.float64) >= table.n_rows - 1)
        for at in np.flatnonzero(wide).tolist():
            # The first rows settle it for almost every column.
            head = block.values[at][:50]
            if len(np.unique(head)) == len(head):
                found.append(int(block.positions[at]))
    return found


def _all_differ(table: Table, i: int) -> bool:
    return len(table.texts[i].states) == table.n_rows


def _counting(values: Array) -> str:
    """Say in what way whole numbers count the rows; nothing if they do not."""
    low, high = float(values.min()), float(values.max())
    steps = np.diff(values.astype(np.float64))
    if high - low == len(values) - 1 and len(np.unique(values)) == len(values):
        return f"holds each whole number from {low:.0f} to {high:.0f} once"
    if (steps > 0).all() or (steps < 0).all():
        return f"holds whole numbers that only ever {'rise' if steps[0] > 0 else 'fall'} from row to row"
    return ""


def only_rises(values: Array) -> bool:
    """Whether each number is larger than that in the row before."""
    return bool((values[1:50] > values[:49][: len(values) - 1]).all() and (values[1:] > values[:-1]).all())
