"""A repeatable sequence of Arrow record batches, whatever it comes from: files, or a value of another package.

A package is told by the module of the value's type, and imported by nobody but itself. Rows have their order: the same
one each time, or passes over them would not be about the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import Any

from hccd.errors import InvalidDataError, NotInstalledError
from hccd.streams.cells import form_of
from hccd.streams.partitions import Partitions
from hccd.tables.checks import check_unique
from hccd.wording import quoted

#: Tables of more cells are streamed: as numbers they take about 1 GB.
MOST_CELLS = 100_000_000
#: So many bytes at each end of a file are digested.
_ENDS = 1 << 16
#: Cells of a batch, and its rows; a multiple of the rows of a chunk of moments.
_BATCH_CELLS, _FEWEST_ROWS, _MOST_ROWS = 1 << 22, 1 << 12, 1 << 16


@dataclass(frozen=True, eq=False)
class Source:
    """Where rows come from.

    Attributes
    ----------
    what
        What it is, for a sentence.
    names
        Of the columns.
    counted
        How many rows there are, exactly or nearly; of partitions, nobody has looked yet.
    open
        Begins a pass over the batches, of at most so many rows if it can choose; columns by name are all that is read.
    collect
        Makes a table of it that fits into memory.
    notes
        Sentences on how it was understood.
    digest
        Of files: of their sizes, and of the bytes at both of their ends; empty if there are none.
    partitions
        Of a Dask DataFrame.
    """

    what: str
    names: tuple[str, ...]
    counted: int
    open: Callable[[int, list[str]], Iterator[Any]]
    collect: Callable[[], Any]
    notes: tuple[str, ...] = ()
    digest: str = ""
    partitions: Partitions | None = None

    @property
    def n_rows(self) -> int:
        """How many rows there are, exactly or nearly."""
        return self.counted if self.partitions is None else sum(self.partitions.lengths)

    @property
    def n_cells(self) -> int:
        """How many cells there are."""
        return self.n_rows * len(self.names)

    def batches(self, names: list[str]) -> Iterator[Any]:
        """Return batches of one size, but for the last; it follows from the number of columns of the source alone.

        So whatever is computed batch by batch does not depend on how the rows were divided before.
        """
        size = batch_rows(len(self.names))
        return even(self.open(size, names), names, size)


def even(batches: Iterable[Any], names: list[str], size: int) -> Iterator[Any]:
    """Divide rows into batches of one size, but for the last."""
    waiting: list[Any] = []
    held = 0
    for batch in batches:
        if batch.schema.names != names:
            lacking = [name for name in names if name not in batch.schema.names]
            if lacking:
                raise InvalidDataError(f"some rows have no column {quoted(lacking[0])}: give all rows the same columns")
            batch = batch.select(names)
        start = 0
        while start < batch.num_rows:
            part = batch.slice(start, size - held)
            waiting.append(part)
            held += part.num_rows
            start += part.num_rows
            if held == size:
                yield _one(waiting)
                waiting, held = [], 0
    if held:
        yield _one(waiting)


def batch_rows(n_columns: int) -> int:
    """Return how many rows a batch has."""
    rows = _MOST_ROWS
    while rows > _FEWEST_ROWS and rows * n_columns > _BATCH_CELLS:
        rows //= 2
    return rows


def _one(parts: list[Any]) -> Any:
    """Put parts of batches together."""
    return parts[0] if len(parts) == 1 else table_of(parts).unify_dictionaries().combine_chunks().to_batches()[0]


def table_of(parts: list[Any]) -> Any:
    """Return batches as a table; numbers may be of several types, but no column may be text as well."""
    import pyarrow as pa

    if any(part.schema != parts[0].schema for part in parts):
        parts = [_plain(pa, part, parts) for part in parts]
        for field in parts[0].schema:
            forms = dict.fromkeys(form_of(part.schema.field(field.name).type) for part in parts)
            forms.pop("nothing", None)
            if len(forms) > 1:
                here, there = forms
                raise InvalidDataError(
                    f"column {quoted(field.name)} holds {here} in some rows and {there} further on: make it all "
                    "numbers or all text, or drop it"
                )
    tables = [pa.Table.from_batches([part]) for part in parts]
    return pa.concat_tables(tables, promote_options="permissive")


def _plain(pa: Any, part: Any, parts: list[Any]) -> Any:
    """Return a batch with its dictionaries spelled out, and what Arrow does not put beside other numbers."""
    own = []
    for name, cells in zip(part.schema.names, part.columns, strict=True):
        if pa.types.is_dictionary(cells.type):
            cells = cells.dictionary_decode()
        others = {other.schema.field(name).type for other in parts} - {cells.type, pa.null()}
        if others and cells.type in (pa.bool_(), pa.uint64()) and all(form_of(other) == "numbers" for other in others):
            cells = cells.cast(pa.float64(), safe=False)
        own.append(cells)
    return pa.record_batch(own, names=part.schema.names)


def source_of(data: Any) -> Source | None:
    """Return what can be streamed; None for all that is in memory already."""
    module = type(data).__module__.partition(".")[0]
    kind = type(data).__name__
    if module == "polars" and kind == "LazyFrame":
        return _of_polars(data)
    if module == "pyarrow" and any(base.__name__ == "Dataset" for base in type(data).__mro__):
        return of_dataset(data, "the dataset")
    if module in ("duckdb", "_duckdb") and kind == "DuckDBPyRelation":
        return _of_duckdb(data)
    if module in ("dask", "dask_expr") and hasattr(data, "partitions") and hasattr(data, "columns"):
        return _of_dask(data)
    return None


def digest_of(files: Sequence[Path]) -> str:
    """Digest files without reading them whole."""
    digest = blake2b(digest_size=16)
    for file in files:
        size = file.stat().st_size
        with file.open("rb") as content:
            start = content.read(_ENDS)
            content.seek(max(size - _ENDS, 0))
            for part in (str(size).encode(), start, content.read(_ENDS)):
                digest.update(part)
    return digest.hexdigest()


def is_path(data: Any) -> bool:
    """Whether data are the name of a file or a folder."""
    return isinstance(data, str | PathLike)


def arrow_needed(what: str) -> Any:
    """Return pyarrow, which knows all batches."""
    try:
        import pyarrow
    except ImportError:
        raise NotInstalledError(f"streaming {what} needs pyarrow: pip install 'hccd[parquet]'") from None
    return pyarrow


def of_dataset(data: Any, what: str, collect: Callable[[], Any] | None = None, **scan: Any) -> Source:
    """Take a dataset of Arrow; nothing is read ahead but a few batches."""

    def batches(rows: int, names: list[str]) -> Iterator[Any]:
        # One file at a time, so that neither memory nor the order of rows depends on the number of files.
        scanner = data.scanner(columns=names, batch_size=rows, batch_readahead=2, fragment_readahead=1, **scan)
        return iter(scanner.to_batches())

    return Source(what, tuple(data.schema.names), int(data.count_rows()), batches, collect or data.to_table)


def _of_polars(frame: Any) -> Source:
    """Take a lazy frame; its query runs once for each pass."""
    names = tuple(frame.collect_schema().names())

    def batches(rows: int, wanted: list[str]) -> Iterator[Any]:
        arrow_needed("a LazyFrame")
        if not hasattr(frame, "collect_batches"):
            raise InvalidDataError(
                "this version of polars cannot collect a LazyFrame in batches: take 1.34 or newer, or write the frame "
                "to Parquet (sink_parquet) and give that file"
            )
        for part in frame.select(wanted).collect_batches(chunk_size=rows, maintain_order=True):
            yield from part.to_arrow().to_batches()

    rows = int(frame.select(_polars().len()).collect(engine="streaming").item()) if names else 0
    return Source("the LazyFrame", names, rows, batches, lambda: frame)


def _polars() -> Any:
    import sys

    # The value is of polars, so it is there.
    return sys.modules["polars"]


def _of_duckdb(relation: Any) -> Source:
    def batches(rows: int, names: list[str]) -> Iterator[Any]:
        arrow_needed("a DuckDB relation")
        wanted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
        own = relation.project(wanted)
        # Its name before DuckDB 1.4.
        return iter((own.to_arrow_reader if hasattr(own, "to_arrow_reader") else own.fetch_record_batch)(rows))

    # Names that differ in case only are one to DuckDB.
    check_unique([name.lower() for name in relation.columns])
    rows = int(relation.aggregate("count(*)").fetchall()[0][0])
    return Source("the DuckDB relation", tuple(relation.columns), rows, batches, lambda: relation.to_arrow_table())


def _of_dask(frame: Any) -> Source:
    """Take the partitions of a Dask DataFrame one by one."""
    arrow_needed("a Dask DataFrame")
    names = tuple(map(str, frame.columns))
    check_unique(names)
    own = Partitions(frame.rename(columns=dict(zip(frame.columns, names, strict=True))))
    return Source("the Dask DataFrame", names, 0, own.batches, own.collected, partitions=own)
