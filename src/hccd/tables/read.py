"""From a file to a table: delimited text, Parquet or Arrow, told by content rather than by name.

Text may be UTF-8 (with or without a byte order mark), UTF-16 with a mark, or else is read as Windows-1252;
any file may be packed with gzip. Whatever goes wrong ends as one sentence that starts with the file's name.
"""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections.abc import Collection, Sequence
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from hccd.errors import FileFormatError, InvalidDataError
from hccd.tables.cells import column_values
from hccd.tables.columns import RawColumn
from hccd.tables.delimited import parse_delimited
from hccd.tables.frames import as_table
from hccd.tables.table import Table
from hccd.tables.wording import listed, quoted

if TYPE_CHECKING:
    import polars as pl

_BINARY_SUFFIXES = {
    ".parquet": "Parquet", ".pq": "Parquet", ".feather": "Arrow", ".arrow": "Arrow", ".ipc": "Arrow",
}  # fmt: skip
_UNREADABLE = {
    b"PK\x03\x04": "is a zip archive or a spreadsheet: save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "is an old spreadsheet: save the sheet as CSV",
    b"BZh": "is packed with bzip2: unpack it, or pack it with gzip",
    b"\xfd7zXZ": "is packed with xz: unpack it, or pack it with gzip",
    b"\x28\xb5\x2f\xfd": "is packed with zstandard: unpack it, or pack it with gzip",
    b"FEA1": "is in the first Feather format: save it as Parquet, or as Feather version 2",
    b"%PDF": "is a PDF document: save the table as CSV",
}
_CONTROL_CHARACTERS = bytes(set(range(32)) - set(b"\t\n\r\f\x1a"))


def read_table(path: str | PathLike[str], *, drop: Collection[str] = ()) -> Table:
    """Read a table from a file.

    Parameters
    ----------
    path
        CSV, TSV or other delimited text (the delimiter is told from the file; with semicolons a decimal comma
        is understood), Parquet, Feather or Arrow; packed with gzip or not.
    drop
        Names of columns to leave out, so that what they hold does not matter.

    Returns
    -------
    Table
        The checked table; ``notes`` say how the file was understood where that was a matter of judgement.

    Raises
    ------
    FileFormatError
        The file cannot be opened or is no table.
    InvalidDataError
        The table cannot be used: see :class:`Table`.
    """
    file = Path(path)
    try:
        return _read(_content(file), file.suffix.lower(), drop)
    except (FileFormatError, InvalidDataError) as error:
        # A path is shown whole: its end says which file it is.
        raise type(error)(f"{quoted(file, longest=4096)}: {error}") from error.__cause__


def _content(file: Path) -> bytes:
    """Return the bytes of a file, unpacked if they are packed with gzip."""
    try:
        file = file.expanduser()
        if file.is_dir():
            raise FileFormatError("this is a folder: give the name of a file in it")
        if file.is_char_device() or file.is_block_device():
            raise FileFormatError("this is a device: give the name of a file")
        content = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError, RuntimeError):
        raise FileFormatError("there is no such file: check the name and the folder") from None
    except PermissionError:
        raise FileFormatError("the file may not be read by you: change its permissions") from None
    except OSError as error:
        raise FileFormatError(f"the file cannot be read ({error.strerror}): check the name") from error
    except ValueError as error:
        if isinstance(error, FileFormatError):
            raise
        raise FileFormatError(f"no file can have this name ({error}): check it") from error
    if content[:2] != b"\x1f\x8b":
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise FileFormatError("the file is packed with gzip but damaged or cut off: fetch it again") from error


def _read(content: bytes, suffix: str, drop: Collection[str]) -> Table:
    """Tell the format by the content and read it."""
    if not content.strip():
        raise FileFormatError("the file is empty: give one with a header line and rows")
    if content[:4] == b"PAR1":
        return _from_frame(content, "Parquet", drop)
    if content[:6] == b"ARROW1" or content[:4] == b"\xff\xff\xff\xff":
        return _from_frame(content, "Arrow", drop)
    if suffix in _BINARY_SUFFIXES:
        raise FileFormatError(f"the name says {_BINARY_SUFFIXES[suffix]}, but the content is something else")
    for start, sentence in _UNREADABLE.items():
        if content.startswith(start):
            raise FileFormatError(f"the file {sentence}")
    text, encoding_note = _decoded(content)
    parsed = parse_delimited(text)
    kept = _kept(parsed.names, drop)
    columns: list[RawColumn] = []
    notes = [*encoding_note, *parsed.notes]
    for i in kept:
        values, note = column_values(parsed.cells[i], parsed.names[i], decimal_comma=parsed.delimiter == ";")
        columns.append(values)
        notes += [note] if note else []
    return Table.from_columns([parsed.names[i] for i in kept], columns, notes=notes)


def _decoded(content: bytes) -> tuple[bytes, list[str]]:
    """Return text as UTF-8, and say so if it was not; refuse what is no text at all."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return content.decode("utf-16").encode(), []
        except UnicodeDecodeError:
            raise FileFormatError("the file is marked as UTF-16 text but is damaged: save it as UTF-8") from None
    head = content[:65536]
    controls = len(head) - len(head.translate(None, _CONTROL_CHARACTERS))
    if b"\0" in head or 100 * controls > len(head):
        raise FileFormatError("the file is not a table of text, nor Parquet or Arrow: save the data as CSV")
    try:
        content.decode("utf-8")
        return content.removeprefix(codecs.BOM_UTF8), []
    except UnicodeDecodeError:
        pass
    note = ["the file is not UTF-8 and is read as Windows-1252 (Latin-1)"]
    try:
        return content.decode("cp1252").encode(), note
    except UnicodeDecodeError:
        return content.decode("latin-1").encode(), note


def _from_frame(content: bytes, name: str, drop: Collection[str]) -> Table:
    """Read Parquet or Arrow; what pandas stored as its index is no column."""
    import polars as pl

    streamed = content[:4] == b"\xff\xff\xff\xff"
    reader = pl.read_parquet if name == "Parquet" else pl.read_ipc_stream if streamed else pl.read_ipc
    try:
        frame: pl.DataFrame = reader(BytesIO(content))
    except (Exception, pl.exceptions.PanicException) as error:
        raise FileFormatError(f"the file starts like {name} but cannot be read as such: it may be damaged") from error
    names = [column for column in frame.columns if not re.fullmatch(r"__index_level_\d+__", column)]
    return as_table(frame.select([names[i] for i in _kept(names, drop)]))


def _kept(names: Sequence[str], drop: Collection[str]) -> list[int]:
    """Positions of the columns that stay; every name to drop must be there."""
    unknown = [name for name in drop if name not in names]
    if unknown:
        raise InvalidDataError(
            f"there is no column {listed([quoted(name) for name in unknown])} to drop: "
            f"the columns are {listed([quoted(name) for name in names])}"
        )
    return [i for i, name in enumerate(names) if name not in drop]
