"""A few cells of a column, so that a user sees what it holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from hccd.tables.columns import RawColumn
from hccd.tables.texts import Encoded, Text

_LOOKED_AT = 200
_SHOWN = 4
_LONGEST = 24


def examples(column: RawColumn) -> list[str]:
    """Return the first few different cells as text; missing ones are none.

    Examples
    --------
    >>> examples(np.array([1.5, np.nan, 1.5, 2.0]))
    ['1.5', '2']
    """
    return list(dict.fromkeys(map(_shown, filter(_is_there, _first_cells(column)))))[:_SHOWN]


def _first_cells(column: RawColumn) -> list[Any]:
    if isinstance(column, Text):
        return [column.states[code] for code in column.codes[:_LOOKED_AT] if code < len(column.states)]
    if isinstance(column, Encoded):
        return list(Encoded(column.codes[:_LOOKED_AT], column.states).cells())
    # Dates in text are told and not read: what is there stands for them.
    if column.ndim != 1 or column.dtype.kind in "Mm":
        return []
    return list(np.ma.array(column[:_LOOKED_AT]).compressed())


def _is_there(cell: Any) -> bool:
    # A number that is none differs from itself.
    return cell is not None and bool(cell == cell)


def _shown(cell: Any) -> str:
    text = f"{cell:g}" if isinstance(cell, float | np.floating) else str(cell)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
