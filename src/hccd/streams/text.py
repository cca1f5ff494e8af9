"""Delimited text, piece by piece: each piece is read by the rules for whole files, with the first line above it.

The first piece settles the delimiter, and whether the first line holds names. A piece ends with a line: a cell that
holds a line break may be cut there, and is refused as a row of another length.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from hccd.errors import FileFormatError, HCCDError, InvalidDataError
from hccd.files.content import named_refusals
from hccd.streams.source import Source, arrow_needed, digest_of, table_of
from hccd.tables import Reading
from hccd.tables.columns import RawColumn
from hccd.tables.gaps import missing_cells
from hccd.tables.read import is_text, read_content
from hccd.tables.text.cells import SURE_MARKS
from hccd.tables.text.delimited import find_delimiter, parse_delimited
from hccd.tables.text.encodings import decoded
from hccd.tables.text.format import TextFormat
from hccd.tables.texts import Encoded, Text
from hccd.wording import listed, quoted

#: Bytes of a piece, and of the part that tells how a file is to be read.
PIECE, _HEAD = 1 << 23, 1 << 18


def text_source(files: list[Path], place: Path, reading: Reading) -> Source | None:
    """Return the rows of text files with the same columns; None for what is no such text, or in UTF-16."""
    form = TextFormat.of(reading.delimiter, reading.encoding, reading.decimal, reading.header, reading.na)
    first: tuple[str, ...] | None = None
    settled: list[tuple[Path, TextFormat, bytes]] = []
    rows = 0.0
    for file in files:
        with named_refusals(file) if place.is_dir() else nullcontext():
            head, whole = _head(file)
            if b"\0" in head:
                if place.is_dir():
                    raise FileFormatError("this is no text, or in UTF-16, and cannot be read in a folder: take it out")
                return None
            own, line, names = _settled(head, form)
        if first is None:
            first = names
        elif names != first:
            raise InvalidDataError(
                f"{quoted(file, longest=4096)} has the columns {listed([quoted(name) for name in names])} and "
                f"{quoted(files[0], longest=4096)} has others: give all files the same header line"
            )
        settled.append((file, own, line))
        rows += (
            file.stat().st_size / max(len(head) / max(head.count(b"\n"), 1), 1.0) if not whole else head.count(b"\n")
        )

    def batches(_: int, names: list[str]) -> Iterator[Any]:
        pa = arrow_needed("text")
        # Which of ``NA`` and the like occur among numbers, and which were taken for words.
        marks: set[str] = set()
        words: set[str] = set()
        assert first is not None
        drop = tuple(name for name in first if name not in names)
        for file, own, line in settled:
            wanted = Reading(
                drop, delimiter=own.delimiter, encoding=own.encoding, decimal=own.decimal, header=own.header, na=own.na
            )
            with named_refusals(file):
                place = 0
                for piece in _pieces(file, line):
                    try:
                        marked = replace(own, na=(*own.na, *sorted(marks)))
                        raw = read_content(piece, "", marked, wanted, marks)
                    except HCCDError as error:
                        counted_from = f" (lines are counted from byte {place:,} of the file on)" if place else ""
                        raise error.reworded(error.sentence + counted_from) from error
                    for each in filter(is_text, raw.columns):
                        words |= {each.states[code] for code in np.unique(each.codes) if code >= 0} & {*SURE_MARKS}
                    for mark in sorted(marks & words):
                        raise InvalidDataError(
                            f"{quoted(mark)} stands for a missing number in some rows, and among words in earlier ones "
                            f"it may be a word: write it in another way, or declare it as missing with --na {mark}"
                        )
                    place += len(piece) - (len(line) if place else 0)
                    yield pa.record_batch([_to_arrow(pa, each) for each in raw.columns], names=list(raw.names))

    def collect() -> Any:
        assert first is not None
        return table_of(list(batches(0, list(first))))

    what = f"the {'folder' if place.is_dir() else 'file'} {quoted(place, longest=4096)}"
    return None if first is None else Source(what, first, int(rows), batches, collect, digest=digest_of(files))


def _opened(file: Path) -> IO[bytes]:
    with file.open("rb") as plain:
        packed = plain.read(2) == b"\x1f\x8b"
    return cast("IO[bytes]", gzip.open(file, "rb")) if packed else file.open("rb")


def _head(file: Path) -> tuple[bytes, bool]:
    """Return the first lines of a file, and whether these are all."""
    with _opened(file) as content:
        head = _read(content, _HEAD)
        if len(head) < _HEAD:
            return head, True
    return head[: head.rfind(b"\n") + 1], False


def _settled(head: bytes, form: TextFormat) -> tuple[TextFormat, bytes, tuple[str, ...]]:
    """Return how a file is to be read, its line of names (empty if it has none), and the names of the columns."""
    if not head.strip():
        raise FileFormatError("the file is empty: give one with a header line and rows")
    plain, _ = decoded(head, form.encoding)
    delimiter = form.delimiter or find_delimiter(plain.decode().split("\n"))
    names = parse_delimited(plain, delimiter, form.header).names
    header = form.header
    if header is None:
        header = names == parse_delimited(plain, delimiter, True).names
    line = next(each for each in head.split(b"\n") if each.strip()) + b"\n" if header else b""
    own = TextFormat(delimiter, form.encoding, form.decimal, header, form.na)
    return own, line, names


def _pieces(file: Path, line: bytes) -> Iterator[bytes]:
    """Return the lines of a file in pieces, each with the line of names above it."""
    with _opened(file) as content:
        rest, first, ahead = b"", True, _read(content, PIECE)
        while ahead:
            read, ahead = ahead, _read(content, PIECE)
            # The last line may not end.
            end = read.rfind(b"\n") + 1 if ahead else len(read)
            piece, rest = (rest + read[:end], read[end:]) if end else (b"", rest + read)
            if piece.strip():
                yield piece if first else line + piece
                first = False


def _read(content: IO[bytes], size: int) -> bytes:
    try:
        return content.read(size)
    except (OSError, EOFError, zlib.error) as error:
        raise FileFormatError("the file is damaged or cut off: fetch it again") from error


def _to_arrow(pa: Any, column: RawColumn) -> Any:
    """Return a column of a piece as Arrow."""
    if isinstance(column, Text):
        return pa.DictionaryArray.from_arrays(
            pa.array(column.codes.astype(np.int32), mask=column.missing), pa.array(list(column.states), pa.string())
        )
    if isinstance(column, Encoded):
        if column.states.dtype.kind == "O":
            codes = pa.array(column.codes.astype(np.int32), mask=column.codes < 0)
            return pa.DictionaryArray.from_arrays(codes, pa.array(list(column.states), pa.string()))
        column = column.cells()
    gaps = missing_cells(column)
    return pa.array(np.ma.getdata(column), mask=gaps if gaps.any() else None, from_pandas=True)
