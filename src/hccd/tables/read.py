"""From a file to a table: delimited text, Parquet or Arrow, told by content rather than by name.

Text may be UTF-8 (with or without a byte order mark), UTF-16, or else is read as Windows-1252; any file may be packed
with gzip. What is guessed can be said instead. Whatever goes wrong ends as one sentence that starts with the file's
name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import TypeGuard

import numpy as np

from hccd.errors import FileFormatError, InvalidParameterError, NotInstalledError
from hccd.files.content import content_of, named_refusals
from hccd.tables.columns import RawColumn
from hccd.tables.frames import as_raw_table
from hccd.tables.raw_table import DropMissing, RawTable
from hccd.tables.selection import selected, selections
from hccd.tables.table import Table
from hccd.tables.text.cells import SURE_MARKS, column_values
from hccd.tables.text.delimited import parse_delimited
from hccd.tables.text.encodings import decoded
from hccd.tables.text.format import TextFormat
from hccd.tables.text.spelling import doubtful_points
from hccd.tables.texts import Encoded, Text
from hccd.wording import listed

Columns = Iterable[object] | str

_BINARY_SUFFIXES = {
    ".parquet": "Parquet", ".pq": "Parquet", ".feather": "Arrow", ".arrow": "Arrow", ".ipc": "Arrow",
}  # fmt: skip
_UNREADABLE = {
    b"PK\x03\x04": "is a zip archive or a spreadsheet: save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "is an old spreadsheet: save the sheet as CSV",
    b"BZh": "is compressed with bzip2: decompress it, or compress it with gzip",
    b"\xfd7zXZ": "is compressed with xz: decompress it, or compress it with gzip",
    b"\x28\xb5\x2f\xfd": "is compressed with zstandard: decompress it, or compress it with gzip",
    b"FEA1": "is in the first Feather format: save it as Parquet, or as Feather version 2",
    b"%PDF": "is a PDF document: save the table as CSV",
    b"\x89PNG": "is a picture: give a table",
    b"\xff\xd8\xff": "is a picture: give a table",
    b"GIF8": "is a picture: give a table",
    b"\x89HDF": "is an HDF5 file: save the table as CSV or Parquet",
    b"\x93NUMPY": "is a numpy array: load it with numpy and pass it to hccd.discover, or save it as CSV",
    b"$FL2": "is an SPSS file: save the table as CSV or Parquet",
    b"<stata_dta>": "is a Stata file: save the table as CSV or Parquet",
    b"SQLite format 3": "is a database: save the table as CSV or Parquet",
    b"RDX": "is an R workspace: save the table as CSV, with write.csv",
    b"<!DOCTYPE html": "is a web page, perhaps instead of a download: fetch the table itself",
    b"<html": "is a web page, perhaps instead of a download: fetch the table itself",
    b"<?xml": "is XML: save the table as CSV",
    b'{"': "is JSON: save the table as CSV or Parquet",
    b"[{": "is JSON: save the table as CSV or Parquet",
}


@dataclass(frozen=True)
class Reading:
    """How a file is to be read: the parameters of :func:`read_table`, as one value."""

    drop: Columns = ()
    index: Columns = ()
    discrete: Columns = ()
    continuous: Columns = ()
    ordinal: Columns = ()
    discretize: Mapping[str, int] | int | None = None
    drop_missing: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    header: bool | None = None
    na: Columns = ()


def read_table(
    path: str | PathLike[str],
    *,
    drop: Columns = (),
    index: Columns = (),
    discrete: Columns = (),
    continuous: Columns = (),
    ordinal: Columns = (),
    discretize: Mapping[str, int] | int | None = None,
    drop_missing: DropMissing | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    na: Columns = (),
) -> Table:
    r"""Read a table from a file.

    Wherever columns are named, an item is the name of a column, or else a list of names separated by commas or a range
    ``first:last``.

    Parameters
    ----------
    path : str or path
        CSV, TSV or other delimited text, Parquet, Feather or Arrow; compressed with gzip or not; ``"-"`` for standard
        input. The format is detected from the content.
    drop : columns
        Columns to leave out; they may hold anything.
    index : columns
        Columns of row labels, which are left out, too; a note says if a label is repeated.
    discrete, continuous, ordinal : columns
        Columns to treat as such, whatever they hold; ordinal: numbers that are ordered states.
    discretize : dict or int, optional
        Group the numbers of columns into classes of about equal size: ``{"age": 4}`` makes four classes of one column,
        a number alone does so for all continuous columns.
    drop_missing : {"rows", "columns"}, optional
        Leave out the rows, or the columns, that have missing values; by default they are kept, and ``missing`` of
        :func:`hccd.discover` says what is done about them.
    delimiter : str, optional
        What separates the cells of a text file; by default detected.
    encoding : str, optional
        Of a text file; by default UTF-8, UTF-16 or Windows-1252, as detected.
    decimal : {".", ","}, optional
        The decimal sign of a text file; by default detected.
    header : bool, optional
        Whether the first line holds the column names; by default it does unless it consists of numbers.
    na : list of str
        Cells that mean "no value" in every column; besides empty ones, and besides ``NA`` and the like among numbers.

    Returns
    -------
    Table
        The checked table, for :func:`hccd.discover`; ``notes`` say how the file was interpreted where it is ambiguous.

    Raises
    ------
    FileFormatError
        The file cannot be opened or is not a table.
    InvalidDataError
        The table cannot be used: see :class:`Table`.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> file = Path(mkdtemp()) / "ward.csv"
    >>> _ = file.write_text("patient;dose;fever\n" + "".join(f"{i};{i % 3};{37 + i / 10:.1f}\n" for i in range(30)))
    >>> table = read_table(file, index="patient", discretize={"fever": 3})
    >>> table.names, [kind.value for kind in table.kinds]
    (('dose', 'fever'), ['discrete', 'discrete'])
    """
    choices = Reading(
        drop,
        index,
        discrete,
        continuous,
        ordinal,
        discretize,
        drop_missing,
        delimiter,
        encoding,
        decimal,
        header,
        na,
    )
    with named_refusals(path):
        return read_raw_table(path, choices).table()


def read_raw_table(path: str | PathLike[str], choices: Reading | None = None) -> RawTable:
    """Read a table from a file and leave it to others to judge its columns; refusals do not name the file."""
    wanted = choices or Reading()
    text = TextFormat.of(wanted.delimiter, wanted.encoding, wanted.decimal, wanted.header, wanted.na)
    content = content_of(path)
    raw = read_content(content, Path(path).suffix.lower(), text, wanted)
    raw = replace(raw, digest=blake2b(content, digest_size=16).hexdigest())
    return as_wanted(raw, wanted)


def as_wanted(raw: RawTable, wanted: Reading) -> RawTable:
    """Do to columns what was asked for, once they are read."""
    raw = raw.indexed(wanted.index).declared(wanted.discrete, wanted.continuous, wanted.ordinal)
    return raw.without_gaps(wanted.drop_missing).discretized(wanted.discretize)


def read_content(
    content: bytes, suffix: str, text: TextFormat, wanted: Reading, marked: set[str] | None = None
) -> RawTable:
    """Tell the format by the content and read it, without the columns that are to be dropped.

    What stands for a missing number, ``NA`` and the like, is added to ``marked``.
    """
    if not content.strip():
        raise FileFormatError("the file is empty: give one with a header line and rows")
    if content[:4] == b"PAR1":
        return _from_arrow(content, "Parquet", text, wanted)
    if content[:6] == b"ARROW1" or content[:4] == b"\xff\xff\xff\xff":
        return _from_arrow(content, "Arrow", text, wanted)
    if suffix in _BINARY_SUFFIXES:
        raise FileFormatError(
            f"the name says {_BINARY_SUFFIXES[suffix]}, but the content is something else: check where it comes from"
        )
    for start, sentence in _UNREADABLE.items():
        if content.startswith(start):
            raise FileFormatError(f"the file {sentence}")
    plain, encoding_note = decoded(content, text.encoding)
    parsed = parse_delimited(plain, text.delimiter, text.header)
    gone = _dropped(parsed.names, wanted)
    kept = [i for i in range(len(parsed.names)) if i not in gone]
    names = tuple(parsed.names[i] for i in kept)
    states = {kept[i] for i in selected(names, wanted.discrete, "take as discrete")}
    quantities = {kept[i] for i in selected(names, wanted.continuous, "take as continuous")}
    quantities |= {kept[i] for i in selected(names, wanted.ordinal, "take as ordinal")}

    def read(i: int, missing: Sequence[str]) -> tuple[RawColumn, str]:
        return column_values(
            parsed.cells[i],
            parsed.names[i],
            delimiter=parsed.delimiter,
            decimal=text.decimal,
            missing=missing,
            states=i in states,
            quantities=i in quantities,
        )

    understood = [read(i, text.na) for i in kept]
    # What stands for a missing number stands for a missing text, too.
    marks = sorted(
        {
            mark
            for i, (values, _) in zip(kept, understood, strict=True)
            if isinstance(values, Encoded) and values.states.dtype.kind in "biuf"
            for mark in SURE_MARKS
            if mark in parsed.cells[i].distinct
        }
    )
    if marked is not None:
        marked.update(marks)
    if marks:
        understood = [
            read(i, [*text.na, *marks]) if is_text(values) else (values, note)
            for i, (values, note) in zip(kept, understood, strict=True)
        ]
    columns = [values for values, _ in understood]
    notes = [*encoding_note, *parsed.notes, *(note for _, note in understood if note)]
    if text.decimal is None and parsed.delimiter == ";":
        doubt = doubtful_points(
            {
                parsed.names[i]: (values.dtype.kind == "f", parsed.cells[i].distinct)
                for i, values in zip(kept, columns, strict=True)
                if isinstance(values, np.ndarray) and values.dtype.kind in "if"
            }
        )
        notes += [doubt] if doubt else []
    return RawTable(names, columns, notes=tuple(notes))


def is_text(column: RawColumn) -> TypeGuard[Text | Encoded]:
    """Whether a column that was read holds text."""
    return isinstance(column, Text) or (isinstance(column, Encoded) and column.states.dtype.kind == "O")


def _dropped(names: Sequence[str], wanted: Reading) -> set[int]:
    """Return the columns to drop; options that name no column are refused, all of them at once."""
    purposes = {
        "drop": wanted.drop,
        "take as index": wanted.index,
        "take as discrete": wanted.discrete,
        "take as continuous": wanted.continuous,
        "take as ordinal": wanted.ordinal,
        "discretize": wanted.discretize if isinstance(wanted.discretize, Mapping) else (),
    }
    return set(selections(names, purposes)[0])


def _from_arrow(content: bytes, name: str, text: TextFormat, wanted: Reading) -> RawTable:
    """Read Parquet or Arrow; what pandas stored as its index is no column."""
    if text.said:
        raise InvalidParameterError(
            f"the file is {name}, and {listed(text.said)} can be given for text files only: leave that out"
        )
    try:
        from pyarrow import BufferReader, ipc, parquet
    except ImportError:
        raise NotInstalledError(f"reading {name} needs pyarrow: pip install 'hccd[parquet]'") from None

    streamed = content[:4] == b"\xff\xff\xff\xff"
    reader = parquet.ParquetFile if name == "Parquet" else ipc.open_stream if streamed else ipc.open_file
    try:
        opened = reader(BufferReader(content))
        frame = opened.read() if name == "Parquet" else opened.read_all()
        # Offsets of text that lead out of the file would be followed.
        frame.validate(full=True)
    except Exception as error:
        raise FileFormatError(
            f"the file starts like {name} but cannot be read as such: it may be damaged, so fetch it again"
        ) from error
    kept = [i for i, column in enumerate(frame.column_names) if not re.fullmatch(r"__index_level_\d+__", column)]
    gone = _dropped([frame.column_names[i] for i in kept], wanted)
    return as_raw_table(frame.select([i for place, i in enumerate(kept) if place not in gone])).marked(text.na)
