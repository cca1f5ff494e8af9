"""Columns that rather name or count the rows than measure anything: all different, and in order or in words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hccd.preflight.data_check import CheckFinding
from hccd.tables import Table
from hccd.tables.columns import Array
from hccd.wording import quoted


def identifiers(table: Table, *, in_time: bool = False) -> Iterator[CheckFinding]:
    """Look for text that is different in every row, and for whole numbers that count or only ever rise.

    Where the rows are in the order of time (``in_time``), what rises is no identifier.
    """
    for i, name in enumerate(table.names):
        if i in table.texts:
            looks = "has a different text in every row" if len(table.texts[i].states) == table.n_rows else ""
        else:
            looks = _counting(table.columns[i]) if table.whole[i] else ""
            looks = "" if in_time and only_rises(table.columns[i]) else looks
        if looks:
            sentence = (
                f"column {quoted(name)} {looks} and looks like an identifier: drop it, or say that it is an index"
            )
            yield CheckFinding("warning", "identifier", sentence, (name,))


def _counting(values: Array) -> str:
    """Say in what way whole numbers count the rows; nothing if they do not."""
    # The first rows settle it for almost every column.
    head = values[:50]
    if values.dtype.kind == "b" or len(np.unique(head)) < len(head):
        return ""
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
