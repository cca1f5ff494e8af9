"""Columns of pandas data frames, taken as pandas keeps them: whole blocks, codes of categories, Arrow text.

The long way, column by column through narwhals, gives the same table; it is used for every type that is not named here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hccd.tables.columns import Array, RawColumn
from hccd.tables.texts import Encoded, Text


def is_pandas(data: Any) -> bool:
    """Whether the data are a pandas data frame; pandas is not imported to find out."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def pandas_columns(
    frame: Any, other_values: Callable[[Any], Array]
) -> tuple[Sequence[RawColumn] | Array, frozenset[int]]:
    """Take the columns of a frame.

    Parameters
    ----------
    frame
        A pandas data frame; its names may be anything, and may be repeated.
    other_values
        Takes a narwhals series of some other type and returns its values, missing ones as None.

    Returns
    -------
    columns
        One array or encoded column each, or a two-dimensional array with a row for each column.
    categorical
        Positions of the columns that are categories.
    """
    types = frame.dtypes.tolist()
    if types and isinstance(types[0], np.dtype) and types[0].kind in "biuf" and all(one == types[0] for one in types):
        return frame.to_numpy().T, frozenset()
    import narwhals.stable.v1 as nw
    from pandas import CategoricalDtype, StringDtype

    columns: list[RawColumn] = []
    categorical = set()
    for i, (_, series) in enumerate(frame.items()):
        column: RawColumn | None = None
        if isinstance(series.dtype, np.dtype):
            column = series.to_numpy()
        elif isinstance(series.dtype, CategoricalDtype):
            column = Encoded(series.array.codes, np.asarray(series.array.categories))
            categorical.add(i)
        elif isinstance(series.dtype, StringDtype) and series.dtype.storage == "pyarrow":
            column = _arrow_text(series.array)
        columns.append(other_values(nw.from_native(series, series_only=True)) if column is None else column)
    return columns, frozenset(categorical)


def _arrow_text(array: Any) -> Text | None:
    """Number the distinct texts of an Arrow column where they lie; None if some are missing."""
    import pyarrow as pa

    text = pa.array(array)
    if isinstance(text, pa.ChunkedArray):
        text = text.combine_chunks()
    if text.null_count or text.type not in (pa.string(), pa.large_string()):
        return None
    _, offsets, data = text.buffers()
    all_ends: Array = np.frombuffer(offsets, np.int64 if text.type == pa.large_string() else np.int32)
    ends = all_ends[text.offset : text.offset + len(text) + 1].astype(np.int64, copy=False)
    return Text.in_bytes(np.frombuffer(data or b"", np.uint8), ends[:-1], ends[1:])
