"""All columns of a table at once: numbers of one type together, text coded, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hccd.tables.columns import Array, FlawedColumn, RawColumn, clean_column, unusable_numbers
from hccd.tables.numbers import Numbers
from hccd.tables.texts import Text


class Cleaned(NamedTuple):
    """Columns of numbers in blocks of one type, columns of text and unusable columns by position."""

    blocks: tuple[Numbers, ...]
    texts: Mapping[int, Text]
    flaws: Mapping[int, FlawedColumn]


def clean_columns(columns: Sequence[RawColumn] | Array, categorical: Collection[int] = ()) -> Cleaned:
    """Tell numbers, text and flaws apart.

    Parameters
    ----------
    columns
        Raw columns, or a two-dimensional array with a row for each; they are copied.
    categorical
        Positions of columns whose values are states, of whatever type.
    """
    blocks: list[Numbers] = []
    texts: dict[int, Text] = {}
    flaws: dict[int, FlawedColumn] = {}
    if not len(columns) or not len(columns[0]):
        # There is nothing that could be wrong with no rows, but that there are none.
        return Cleaned((), {}, {})
    if isinstance(columns, np.ndarray) and columns.dtype.kind in "biuf" and not np.ma.is_masked(columns):
        blocks = Numbers.blocks(np.arange(len(columns)), columns)
    else:
        alike: dict[np.dtype[Any], dict[int, Array]] = {}
        for i, raw in enumerate(columns):
            column = clean_column(raw, categorical=i in categorical)
            if isinstance(column, FlawedColumn):
                flaws[i] = column
            elif isinstance(column, Text):
                texts[i] = column
            else:
                alike.setdefault(column.dtype, {})[i] = column
        for group in alike.values():
            blocks += Numbers.blocks(np.array(list(group)), list(group.values()))
    for block in blocks:
        for i in np.flatnonzero(~block.finite).tolist():
            flaws[int(block.positions[i])] = unusable_numbers(block.values[i])
    return Cleaned(tuple(blocks), texts, flaws)
