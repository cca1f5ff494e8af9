"""Files and folders as sources: Parquet, Arrow and Feather, partitioned or not, and delimited text.

All files of a folder must have the same columns, and types that fit each other, which is looked at before rows are
read. Types are those of the first file, widened where another file needs it: numbers to numbers, text to text.
"""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from hccd.errors import FileFormatError, InvalidDataError, InvalidParameterError
from hccd.files.content import STANDARD_INPUT
from hccd.streams.source import Source, arrow_needed, digest_of, table_of
from hccd.streams.text import text_source
from hccd.tables import Reading
from hccd.tables.text.format import TextFormat
from hccd.wording import counted, listed, quoted

_FORMATS = {".parquet": "parquet", ".pq": "parquet", ".feather": "ipc", ".arrow": "ipc", ".ipc": "ipc"}
_TEXTS = (".csv", ".tsv", ".txt")
# Bytes of Parquet that are read at a time of each column, and cells of row groups that are decoded whole, which is
# faster: larger ones, batch by batch.
_BUFFER, _WHOLE = 1 << 16, 1 << 24


def source_of_path(path: str | PathLike[str], reading: Reading) -> Source | None:
    """Return the rows of a file or a folder; None for what can only be read whole."""
    if str(path) == STANDARD_INPUT:
        return None
    place = Path(path).expanduser()
    if place.is_dir():
        return _of_folder(place, reading)
    if not place.is_file():
        return None
    with place.open("rb") as file:
        start = file.read(6)
    if start[:4] == b"PAR1" or start == b"ARROW1":
        return _of_files([place], "parquet" if start[:4] == b"PAR1" else "ipc", place, reading)
    return text_source([place], place, reading)


def _of_folder(folder: Path, reading: Reading) -> Source | None:
    """Take all files below a folder, sorted by their paths; hidden ones and those of no known kind are passed over."""
    inside = [file for file in folder.rglob("*") if file.is_file()]
    shown = [file for file in inside if not any(p[0] in "._" for p in file.relative_to(folder).parts)]
    of = {file: kind for file in shown if (kind := _kind(file))}
    kinds = sorted(set(of.values()))
    if not kinds:
        raise FileFormatError("the folder holds no table (.parquet, .feather, .arrow, .csv): give one that does")
    if len(kinds) > 1:
        raise FileFormatError(f"the folder holds files of several kinds ({listed(kinds)}): keep one kind in it")
    files = sorted(of)
    if kinds == ["text"]:
        return text_source(files, folder, reading)
    return _of_files(files, kinds[0], folder, reading)


def _kind(file: Path) -> str | None:
    """Tell the kind of a file by its name; text may be compressed."""
    suffix = file.suffix.lower()
    text = (Path(file.stem).suffix.lower() if suffix == ".gz" else suffix) in _TEXTS
    return "text" if text else _FORMATS.get(suffix)


def _of_files(files: list[Path], kind: str, place: Path, reading: Reading) -> Source | None:
    """Take files of one format; what their folders are called is a column, if that is ``name=value``."""
    pa = arrow_needed("Parquet and Arrow")
    import pyarrow.dataset as arrow_dataset

    text = TextFormat.of(reading.delimiter, reading.encoding, reading.decimal, reading.header, reading.na)
    if text.said:
        raise InvalidParameterError(
            f"the data are {kind.replace('ipc', 'arrow').title()}, and {listed(text.said)} can be given for text files "
            "only: leave that out"
        )
    if text.na:
        raise InvalidParameterError(
            "na is for text files, but Parquet and Arrow mark missing cells themselves: leave na out"
        )
    base = place if place.is_dir() else place.parent
    try:
        dataset = arrow_dataset.dataset(
            [str(file) for file in files], format=kind, partitioning=arrow_dataset.partitioning(flavor="hive"),
            partition_base_dir=str(base),
        )  # fmt: skip
        fragments = list(dataset.get_fragments())
        schema = _schema(pa, dataset, fragments, base)
        n_rows = sum(int(fragment.count_rows()) for fragment in fragments)
    except (OSError, pa.ArrowException) as error:
        damaged = _damaged(files, kind, arrow_dataset)
        if damaged is None:
            raise InvalidDataError(
                "a column has the name of another one, of one that the folders name, or one that Arrow reserves: "
                "rename it"
            ) from error
        raise FileFormatError(
            f"{quoted(damaged, longest=4096)} cannot be read as "
            f"{'Parquet' if kind == 'parquet' else 'Arrow'}: it may be damaged, so write it again"
        ) from error
    scan: dict[str, Any] = {}
    if kind == "parquet":
        scan["fragment_scan_options"] = arrow_dataset.ParquetFragmentScanOptions(
            use_buffered_stream=True, buffer_size=_BUFFER, pre_buffer=False
        )

    def batches(rows: int, names: list[str]) -> Iterator[Any]:
        # One file after the other: neither memory nor the order of rows depends on how many there are.
        wanted = [schema.field(name) for name in names]
        for fragment in fragments:
            own = fragment.physical_schema
            as_it_is = kind == "parquet" and all(
                field.name in own.names and own.field(field.name).type == field.type for field in wanted
            )
            try:
                if as_it_is:
                    yield from _decoded(fragment.path, rows, names)
                else:
                    scanner = fragment.scanner(schema=schema, columns=names, batch_size=rows, batch_readahead=2, **scan)
                    yield from scanner.to_batches()
            except (OSError, pa.ArrowException) as error:
                raise FileFormatError(
                    f"the rows of {quoted(Path(fragment.path), longest=4096)} cannot be read: the file may be damaged, "
                    "so write it again"
                ) from error

    names = tuple(name for name in schema.names if not name.startswith("__index_level_"))
    what = f"the folder {quoted(place, longest=4096)}" if place.is_dir() else f"the file {quoted(place, longest=4096)}"

    def collect() -> Any:
        rows = list(batches(1 << 16, list(names)))
        return table_of(rows) if rows else schema.empty_table()

    return Source(what, names, n_rows, batches, collect, digest=digest_of(files))


def _decoded(path: str, rows: int, names: list[str]) -> Iterator[Any]:
    """Yield the rows of a file of Parquet; a scanner decodes several row groups at once, however large they are."""
    from pyarrow import parquet

    with parquet.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False) as file:
        for group in range(file.num_row_groups):
            if file.metadata.row_group(group).num_rows * len(names) <= _WHOLE:
                yield from file.read_row_group(group, columns=names).to_batches(max_chunksize=rows)
            else:
                yield from file.iter_batches(rows, row_groups=[group], columns=names)


def _schema(pa: Any, dataset: Any, fragments: list[Any], base: Path) -> Any:
    """Return the types of all files; refuse files with other columns than the first one, or with types of another kind.

    What the folders say is the same for all.
    """
    first = fragments[0].physical_schema
    schemas = [first]
    for fragment in fragments[1:]:
        own = fragment.physical_schema
        name = quoted(_below(fragment.path, base), longest=4096)
        for missing, where in (
            (set(first.names) - set(own.names), "lacks"),
            (set(own.names) - set(first.names), "adds"),
        ):
            if missing:
                raise InvalidDataError(
                    f"{name} {where} {counted(len(missing), 'column')} "
                    f"({listed([quoted(each) for each in sorted(missing)])}) compared with "
                    f"{quoted(_below(fragments[0].path, base), longest=4096)}: give all files the same columns"
                )
        for field in own:
            other = first.field(field.name).type
            try:
                pa.unify_schemas(
                    [pa.schema([("", field.type)]), pa.schema([("", other)])], promote_options="permissive"
                )
            except pa.ArrowException:
                raise InvalidDataError(
                    f"column {quoted(field.name)} is {other} in the first file and {field.type} in {name}: make its "
                    "type the same in all files, or drop it"
                ) from None
        schemas.append(own)
    unified = pa.unify_schemas([each.remove_metadata() for each in schemas], promote_options="permissive")
    for field in dataset.schema:
        if field.name not in unified.names:
            unified = unified.append(field)
    return unified


def _below(path: str, base: Path) -> Path:
    try:
        return Path(path).relative_to(base)
    except ValueError:
        return Path(path)


def _damaged(files: list[Path], kind: str, arrow_dataset: Any) -> Path | None:
    """Return the first file that cannot be opened, if any cannot."""

    def opens(file: Path) -> bool:
        try:
            return bool(arrow_dataset.dataset(str(file), format=kind).schema)
        except Exception:
            return False

    return next((file for file in files if not opens(file)), None)
