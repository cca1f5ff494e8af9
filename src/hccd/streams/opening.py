"""Rows that are to be streamed, or a table in memory if they are few: by their number alone, on every machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from hccd.errors import HCCDError, InvalidDataError, InvalidParameterError
from hccd.files.content import STANDARD_INPUT, named_refusals
from hccd.streams.files import source_of_path
from hccd.streams.source import MOST_CELLS, Source, is_path, source_of
from hccd.tables import RawTable, Reading, Table, as_raw_table, read_raw_table
from hccd.tables.read import as_wanted
from hccd.tables.selection import selections

Columns = Iterable[object] | str

# Smaller files of Parquet or Arrow do not hold so many cells.
_SMALL = 1 << 20


@dataclass(frozen=True, eq=False)
class Stream:
    """Rows that are read batch by batch, and how their columns are interpreted."""

    source: Source
    reading: Reading = Reading()  # noqa: RUF009 - frozen

    @property
    def digest(self) -> str:
        """A digest of the files that the rows are read from; empty if there are none."""
        return self.source.digest

    @property
    def names(self) -> list[str]:
        """The columns that are read: all but those that are dropped."""
        own, wanted = self.source.names, self.reading
        purposes = {"drop": wanted.drop, "take as index": wanted.index}
        gone = {i for chosen in selections(own, purposes) for i in chosen}
        return [name for i, name in enumerate(own) if i not in gone]


def stream(
    data: Any,
    *,
    drop: Columns = (),
    index: Columns = (),
    discrete: Columns = (),
    continuous: Columns = (),
    ordinal: Columns = (),
) -> Stream:
    """Stream a table of any size: its rows are read batch by batch, in bounded memory.

    :func:`hccd.discover` does so automatically for tables of more than 100 million cells.

    Parameters
    ----------
    data : path, LazyFrame, Dataset, DuckDB relation or Dask DataFrame
        A file or a folder of Parquet, Arrow, Feather or text, or one of these.
    drop, index, discrete, continuous, ordinal : columns
        As for :func:`hccd.read_table`.

    Returns
    -------
    Stream
        For :func:`hccd.discover`.

    Examples
    --------
    >>> import polars as pl
    >>> import hccd
    >>> frame = pl.LazyFrame({"dose": [0, 1] * 50, "fever": [36.6, 38.1] * 50, "id": range(100)})
    >>> hccd.stream(frame, drop="id").names
    ['dose', 'fever']
    """
    reading = Reading(drop=drop, index=index, discrete=discrete, continuous=continuous, ordinal=ordinal)
    if is_path(data):
        found = raw_or_stream(data, vars(reading), always=True)
        assert isinstance(found, Stream)
        return found
    source = source_of(data)
    if source is None:
        raise InvalidDataError(
            "only files, folders, polars LazyFrames, pyarrow Datasets, DuckDB relations and Dask DataFrames can be "
            "streamed: pass other data to discover directly"
        )
    return Stream(source, reading)


def opened(data: Any) -> Any:
    """Return a stream of what is too large for memory, a table of a smaller path, and other data as they are."""
    if isinstance(data, Stream):
        return data
    if is_path(data):
        return read_or_stream(data, {})
    source = source_of(data)
    if source is None:
        return data
    return Stream(source) if source.n_cells > MOST_CELLS else source.collect()


def read_or_stream(path: str | PathLike[str], reading: Mapping[str, Any], *, always: bool = False) -> Table | Stream:
    """Read a file or a folder if it fits into memory, or return a stream of its rows."""
    found = raw_or_stream(path, reading, always=always)
    with named_refusals(path):
        return found if isinstance(found, Stream) else found.table()


def raw_or_stream(path: str | PathLike[str], reading: Mapping[str, Any], *, always: bool = False) -> RawTable | Stream:
    """Do so, and leave missing values and other flaws of what is read whole for others to judge."""
    wanted = Reading(**reading)
    with named_refusals(path):
        try:
            source = source_of_path(path, wanted) if always or may_be_large(path) else None
        except HCCDError:
            if always or Path(path).expanduser().is_dir():
                raise
            # Reading it whole says better what is wrong.
            source = None
        if source is not None and (always or source.n_cells > MOST_CELLS):
            return Stream(source, wanted)
        if always and (str(path) == STANDARD_INPUT or Path(path).expanduser().exists()):
            raise InvalidParameterError("files of this kind cannot be streamed: read them whole, without --stream")
        folder = source is not None and source.what.startswith("the folder")
        if source is None or not folder:
            return read_raw_table(path, wanted)
        raw = as_raw_table(source.collect())
        gone = selections(raw.names, {"drop": wanted.drop})[0]
        return as_wanted(raw.without(gone), replace(wanted, drop=()))


def may_be_large(path: str | PathLike[str]) -> bool:
    """Whether to look how many cells there are: a cell of text takes two bytes, or less if packed."""
    try:
        place = Path(path).expanduser()
        if place.is_dir():
            return True
        if not place.is_file():
            # What is read from a pipe is gone.
            return False
        size = place.stat().st_size
        with place.open("rb") as file:
            start = file.read(6)
    except (OSError, RuntimeError, ValueError):
        # Reading it says what is wrong.
        return False
    if start[:4] == b"PAR1" or start == b"ARROW1":
        return size > _SMALL
    return size > (MOST_CELLS // 10 if start[:2] == b"\x1f\x8b" else 2 * MOST_CELLS)
