"""From data in memory to a table: arrays, data frames of several libraries, dictionaries, lists of rows.

Data frames (pandas, polars, pyarrow and what else narwhals knows) are read through narwhals; an index is
ignored. Whatever the container, the same values give the same table.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hccd.errors import InvalidDataError
from hccd.tables.checks import check_unique
from hccd.tables.columns import Array, RawColumn
from hccd.tables.pandas_frames import is_pandas, pandas_columns
from hccd.tables.raw_table import RawTable
from hccd.tables.selection import selected
from hccd.tables.table import Table
from hccd.wording import counted, quoted


class _Raw(NamedTuple):
    """Columns as they came, before any check; names is None where the data have none."""

    names: Sequence[Any] | None
    columns: Sequence[RawColumn] | Array
    categorical: frozenset[int] = frozenset()


def as_table(
    data: Any,
    names: Sequence[Any] | None = None,
    *,
    discrete: Iterable[object] | str = (),
    continuous: Iterable[object] | str = (),
    ordinal: Iterable[object] | str = (),
    discretize: Mapping[str, int] | int | None = None,
    weights: Any = None,
) -> Table:
    """Make a table of data in memory.

    Parameters
    ----------
    data
        A numpy array (rows by columns), a pandas, polars (lazy ones are collected) or pyarrow table, a
        dictionary of columns, or a list of rows. A :class:`Table` is passed through.
    names
        Names for the columns, in their order. By default a frame's own names, or ``X1``, ``X2``, ... where
        the data have none. Names that are not text are taken by their text.
    discrete, continuous, ordinal
        Columns that are to be taken as such, whatever they look like: names, lists of names separated by commas,
        ranges ``first:last``, or positions.
    discretize
        Group the numbers of columns into classes of about equal size: ``{"age": 4}`` makes four classes of one column,
        a number alone does so for all continuous columns.
    weights
        How much each row counts: a column, which leaves the table, or one number for each row.

    Returns
    -------
    Table
        The checked table; it shares no memory with ``data``.

    Raises
    ------
    InvalidDataError
        The data are not a table or hold what cannot be used; one sentence says what and where.

    Examples
    --------
    >>> table = as_table({"dose": [0, 1] * 10, "effect": [0.1 * i * i for i in range(20)]})
    >>> table.names, [kind.value for kind in table.kinds]
    (('dose', 'effect'), ['discrete', 'continuous'])
    """
    if isinstance(data, Table) and weights is None and discretize is None:
        table = data if names is None else dataclasses.replace(data, names=_texts(names, data.n_columns))
        if not discrete and not continuous and not ordinal:
            return table
        return table.declared(
            selected(table.names, discrete, "take as discrete"),
            selected(table.names, continuous, "take as continuous"),
            selected(table.names, ordinal, "take as ordinal"),
        )
    raw = as_raw_table(data, names).weighted(weights).declared(discrete, continuous, ordinal)
    return raw.discretized(discretize).table()


def as_raw_table(data: Any, names: Sequence[Any] | None = None) -> RawTable:
    """Take the columns of data in memory as they are: missing values and other flaws are left for others to judge."""
    if isinstance(data, Table):
        own = data.names if names is None else _texts(names, data.n_columns)
        return RawTable(
            own,
            data.columns,
            data.nominal,
            data.quantities,
            data.notes,
            data.ordinal,
            data.left_out,
            data.weights,
            data.weighted_by,
            data.by_date,
            data.digest,
        )
    raw = _raw_columns(data)
    chosen = raw.names if names is None else names
    if chosen is None:
        chosen = numbered_names(len(raw.columns))
    return RawTable(_texts(chosen, len(raw.columns)), raw.columns, raw.categorical)


def own_names(data: Any) -> tuple[Any, ...] | None:
    """Return the column names that the data carry themselves, as they are; None where they have none.

    Examples
    --------
    >>> own_names({"dose": [0, 1], "effect": [0.1, 0.4]})
    ('dose', 'effect')
    >>> own_names([[0, 0.1], [1, 0.4]]) is None
    True
    """
    import narwhals.stable.v1 as nw

    if isinstance(data, Table):
        return data.names
    if isinstance(data, np.ndarray):
        fields: tuple[str, ...] | None = data.dtype.names
        return fields
    if isinstance(data, Mapping):
        return tuple(data)
    if nw.dependencies.is_pandas_like_dataframe(data):
        return tuple(data.columns)
    if nw.dependencies.is_pyarrow_table(data):
        return tuple(data.column_names)
    frame = nw.from_native(data, pass_through=True)
    return tuple(frame.collect_schema().names()) if isinstance(frame, nw.DataFrame | nw.LazyFrame) else None


def numbered_names(n_columns: int) -> tuple[str, ...]:
    """Return the names ``X1`` .. ``Xn`` for columns that have none."""
    return tuple(f"X{i}" for i in range(1, n_columns + 1))


def _texts(names: Sequence[Any], n_columns: int) -> tuple[str, ...]:
    """Names as text, as many as there are columns, and unique."""
    if isinstance(names, str):
        raise InvalidDataError(f"names must be a list with one name for each column, not the text {quoted(names)}")
    texts = tuple(str(name) for name in names)
    if len(texts) != n_columns:
        raise InvalidDataError(
            f"{counted(len(texts), 'name')} given for {counted(n_columns, 'column')}: give one name for each column"
        )
    check_unique(texts)
    return texts


def _raw_columns(data: Any) -> _Raw:
    """Tell the container and take its columns."""
    if isinstance(data, np.ndarray):
        return _from_array(data)
    # Before dictionaries: scipy's dictionary of keys is both.
    if hasattr(data, "nnz") and hasattr(data, "toarray"):
        raise InvalidDataError("the data are a sparse matrix: turn it into a dense array with .toarray() first")
    if isinstance(data, Mapping):
        return _Raw(list(data), [_sequence(values, name) for name, values in data.items()])
    if isinstance(data, list | tuple):
        return _from_rows(data)
    if isinstance(data, str | bytes) or hasattr(data, "__fspath__"):
        raise InvalidDataError(f"{quoted(data)} is not a table but may name a file: read it with read_table")
    if is_pandas(data):
        names = _texts(list(data.columns), data.shape[1])
        return _Raw(names, *pandas_columns(data, _series_values))
    frame = _native_frame(data)
    if frame is not None:
        return frame
    if hasattr(data, "__array__"):
        return _from_array(np.asarray(data))
    raise InvalidDataError(
        f"the data are of type {type(data).__name__}, which is not a table: give a numpy array, a data frame "
        "(pandas, polars, pyarrow), a dictionary of columns or a list of rows"
    )


def _from_array(data: Array) -> _Raw:
    """Two-dimensional arrays; the named fields of a structured array are columns too."""
    if data.dtype.names is not None and data.ndim == 1:
        return _Raw(data.dtype.names, [data[name] for name in data.dtype.names])
    if data.ndim != 2:
        raise InvalidDataError(f"the array has {counted(data.ndim, 'dimension')}: give one with 2, rows by columns")
    if not isinstance(data, np.ma.MaskedArray):
        data = np.asarray(data)
    return _Raw(None, data.T)


def _sequence(values: Any, name: object) -> Array:
    """One column of a dictionary; lists are kept cell by cell, so that no cell changes its type."""
    if isinstance(values, list | tuple):
        return np.fromiter(values, dtype=object, count=len(values))
    column = np.asarray(values) if not isinstance(values, np.ma.MaskedArray) else values
    if column.ndim == 0:
        raise InvalidDataError(
            f"column {quoted(name)} is a single value of type {type(values).__name__}: give a list or an array"
        )
    return column


def _from_rows(rows: Sequence[Any]) -> _Raw:
    """Rows of equal length."""
    cells = []
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, list | tuple | np.ndarray):
            raise InvalidDataError(
                f"row {number:,} of the list is of type {type(row).__name__}: give a list of rows, each a list"
            )
        if len(row) != len(rows[0]):
            raise InvalidDataError(
                f"row {number:,} has {counted(len(row), 'cell')} where the first row has {len(rows[0]):,}: "
                "give rows of equal length"
            )
        cells.append(row)
    return _Raw(None, [np.fromiter(column, dtype=object, count=len(cells)) for column in zip(*cells, strict=True)])


def _native_frame(data: Any) -> _Raw | None:
    """Take the columns of a data frame of any library that narwhals knows; None for anything else."""
    import narwhals.stable.v1 as nw

    native = data
    if nw.dependencies.is_pandas_like_dataframe(data):
        # narwhals needs unique names before it can tell us anything, and pandas names may be of any type.
        names = _texts(list(data.columns), data.shape[1])
        native = data.set_axis(list(names), axis=1)
    elif nw.dependencies.is_pyarrow_table(data):
        check_unique(data.column_names)
    frame = nw.from_native(native, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        return None
    series = [frame.get_column(name) for name in frame.columns]
    categorical = frozenset(i for i, s in enumerate(series) if s.dtype in (nw.Categorical, nw.Enum))
    return _Raw(frame.columns, [_series_values(s) for s in series], categorical)


def _series_values(series: Any) -> Array:
    """Take the values of one narwhals series, missing ones included."""
    import narwhals.stable.v1 as nw

    if series.dtype == nw.String:
        # Not through an array of fixed width, which would cut off trailing zeros.
        return np.fromiter(series.to_list(), dtype=object, count=len(series))
    nulls = int(series.null_count())
    try:
        # Conversions may fill a missing cell with something else (dictionary-encoded Arrow columns do), so
        # missing cells are taken out first and put back as None.
        values: Array = (series.drop_nulls() if nulls else series).to_numpy()
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:
        # Each library has its own class for "numpy has no such type", and a panic in Rust is no Exception.
        raise InvalidDataError(
            f"column {quoted(series.name)} of type {series.dtype} cannot be turned into numbers or text: "
            "convert or drop it"
        ) from error
    if nulls and values.ndim == 1:
        cells = np.full(len(series), None, dtype=object)
        cells[~series.is_null().to_numpy().astype(np.bool_)] = values.astype(object)
        return cells
    return values
