"""Text files with delimiters: which character separates the cells, where the header is, what each row holds.

The first line is the header, with one exception: when it holds numbers only, the file has no header and the
columns are called X1, X2, ... - unless the numbers just count the columns (0, 1, 2, ... or 1, 2, 3, ...),
which is how frames without names are written. Blank lines are skipped; blanks around names and cells are no
part of them. A first column without a name that has a different label in each row holds row names and is
left out. The user is told all this in ``notes``.

Cells stay text here; :mod:`hccd.tables.text.cells` tells what they mean.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hccd._kernels.tables.delimited import cut_cells
from hccd.errors import FileFormatError, InvalidDataError, NotEnoughDataError
from hccd.tables.checks import check_unique
from hccd.tables.frames import numbered_names
from hccd.tables.text.cells import Cells
from hccd.wording import counted, listed, quoted

# In order of preference: a comma may also be a decimal comma.
_DELIMITERS = {"\t": "tab", ";": "semicolon", "|": "bar", ",": "comma"}
_BLANK = " "
_SAMPLE_LINES = 100
_SAMPLE_CHARACTERS = 100_000
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?|NA|NaN|nan")


@dataclass(frozen=True)
class DelimitedText:
    """A parsed file: names, columns of text, and what to tell the user."""

    names: tuple[str, ...]
    cells: tuple[Cells, ...]
    delimiter: str
    notes: tuple[str, ...]


def parse_delimited(text: bytes, delimiter: str | None = None, header: bool | None = None) -> DelimitedText:
    """Parse the text of a file, in UTF-8.

    Parameters
    ----------
    text
        The whole file.
    delimiter, header
        What separates the cells, and whether the first line holds names; None is told from the file.

    Raises
    ------
    FileFormatError
        The text is no table: empty, one column only, or rows of different lengths (the line is given).
    NotEnoughDataError
        There is a header but no row.
    InvalidDataError
        Column names are repeated or missing.
    """
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    # Unicode has blanks of its own, such as the non-breaking one, which only text can tell.
    if not text.strip(b" ,;|\t\n") or not any(map(str.strip, _lines(text))):
        raise FileFormatError("the file is empty: give one with a header line and rows")
    delimiter = delimiter or find_delimiter(_lines(text))
    header_line, first = next(_records(_lines(text), delimiter), (0, []))
    cells = [cell.strip() for cell in first]
    notes: list[str] = []
    if header is False or (header is None and _is_data(cells)):
        names = list(numbered_names(len(cells)))
        if header is None:
            notes.append(
                "the first line holds numbers only, so the file is taken to have no header: "
                f"its columns are called {names[0]} to {names[-1]}"
            )
        columns = _read_rows(text, 0, delimiter, len(names))
    else:
        names = cells
        trimmed = [quoted(raw) for raw, name in zip(first, names, strict=True) if raw != name and name]
        if trimmed and delimiter != _BLANK:
            notes.append(f"blanks around names are left out: {listed(trimmed)}")
        if names and all(len(name) > 2 and name[0] == name[-1] == "'" for name in names):
            names = [name[1:-1] for name in names]
            notes.append(f"names are read without the single quotation marks around them: {listed(names)}")
        columns = _read_rows(text, header_line, delimiter, len(names))
    names, columns = _without_row_names(names, columns, notes)
    check_unique(names, "rename the columns, or add a header line if the file has none")
    return DelimitedText(tuple(names), tuple(columns), delimiter, tuple(notes))


def _lines(text: bytes) -> Iterator[str]:
    """Yield the lines one by one, since often the first ones are enough."""
    start = 0
    while start <= len(text):
        stop = text.find(b"\n", start)
        stop = len(text) if stop < 0 else stop
        yield text[start:stop].decode()
        start = stop + 1


def find_delimiter(lines: Iterable[str]) -> str:
    """Tell what separates the cells: the delimiter by which most rows have as many cells as the first.

    Runs of blanks are tried only where tab, semicolon, bar and comma all leave the first line in one piece.
    """
    sample: list[str] = []
    seen = 0
    cut = False
    for line in filter(str.strip, lines):
        cut = len(sample) > _SAMPLE_LINES or (len(sample) > 2 and seen > _SAMPLE_CHARACTERS)
        if cut:
            break
        sample.append(line)
        seen += len(line)
    best, best_agreement = "", -2.0
    for delimiter in (*_DELIMITERS, _BLANK):
        widths = _sample_widths(sample, delimiter, cut)
        if widths[0] < 2 or (delimiter == _BLANK and best):
            continue
        agreement = sum(width - widths[0] in (0, 1) for width in widths) / len(widths)
        # A quotation mark that seems open to the end makes one record of many: something else separates the cells.
        agreement -= not cut and _ends_in_quotes(sample, delimiter)
        if agreement > best_agreement and (delimiter != _BLANK or agreement == 1):
            best, best_agreement = delimiter, agreement
    if not best:
        tried = listed([*_DELIMITERS.values(), "blank"])
        raise FileFormatError(
            f"the file has only one column, for none of {tried} separates the cells of its first line: "
            "give a table of several columns, or name its delimiter (option delimiter)"
        )
    return best


def _sample_widths(sample: Sequence[str], delimiter: str, cut: bool) -> list[int]:
    """Count the cells of the first records; lenient, since most delimiters tried are wrong ones."""
    source = [line.strip(" ") for line in sample] if delimiter == _BLANK else sample
    reader = csv.reader(source, delimiter=delimiter, skipinitialspace=delimiter == _BLANK)
    try:
        widths = [len(record) for record in reader]
    except csv.Error:
        return [0]
    # A sample that is cut off may end inside a quoted cell that holds line breaks.
    return widths[:-1] if cut and len(widths) > 1 else widths


def _ends_in_quotes(sample: Sequence[str], delimiter: str) -> bool:
    """Whether the last record ends inside a quoted cell."""
    try:
        # The mark that is added ends that cell, or begins a record of its own.
        return list(csv.reader([*sample, '"'], delimiter=delimiter))[-1] != [""]
    except csv.Error:
        return False


def _is_data(cells: Sequence[str]) -> bool:
    """Whether the first line is a row of numbers and not a header."""
    named = [cell for cell in cells if cell]
    if not named or not all(_NUMBER.fullmatch(cell) for cell in named):
        return False
    counts = (list(map(str, range(len(named)))), list(map(str, range(1, len(named) + 1))))
    counts_columns = named in counts and (len(named) > 2 or not cells[0])
    return not counts_columns and any(map(str.isdigit, "".join(named)))


def _records(lines: Iterable[str], delimiter: str, start: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yield the records of the lines below line ``start``, blank ones apart, each with the line it ends on."""
    blank = delimiter == _BLANK
    source = ((line.strip(" ") if blank else line) + "\n" for line in lines)
    reader = csv.reader(source, delimiter=delimiter, skipinitialspace=blank, strict=True)
    last = start
    try:
        for record in reader:
            last = start + reader.line_num
            if any(record):
                yield last, record
    except csv.Error as error:
        # An open quotation mark is noticed at the end of the file, but is to be mended where its row starts.
        raise FileFormatError(
            f"the row that starts on line {last + 1:,} cannot be read ({error}): correct its quotation marks"
        ) from None


def _read_rows(text: bytes, start: int, delimiter: str, width: int) -> list[Cells]:
    """Read the rows after the first ``start`` lines into columns of cells."""
    position = 0
    for _ in range(start):
        position = text.find(b"\n", position) + 1 or len(text)
    body = text[position:]
    if b'"' in body:
        numbered = list(_records(_lines(body), delimiter, start))
        _check_widths([number for number, _ in numbered], [len(row) for _, row in numbered], width)
        return [Cells.of(column) for column in zip(*(row for _, row in numbered), strict=True)]
    if delimiter == _BLANK:
        body = "\n".join(_BLANK.join(line.split()) for line in _lines(body)).encode()
    # Without quotation marks every delimiter separates cells.
    found = _cut(body, delimiter, width)
    if isinstance(found, _OtherWidth) and found.cells == width + 1:
        wider = _cut(body, delimiter, width + 1)
        found = found if isinstance(wider, _OtherWidth) else wider
    if isinstance(found, _OtherWidth):
        raise _refusal(start + 1 + found.line, found.cells, width)
    return found


class _OtherWidth(NamedTuple):
    """A line, from 0, that has another number of cells."""

    line: int
    cells: int


def _cut(body: bytes, delimiter: str, width: int) -> list[Cells] | _OtherWidth:
    """Cut lines into ``width`` cells each, or return the first line that has another number of them."""
    room = (width, body.count(b"\n") + 1)
    start, stop = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    failure = np.empty(2, dtype=np.int64)
    rows = cut_cells(body, ord(delimiter), start, stop, failure)
    if rows < 0:
        return _OtherWidth(*failure.tolist())
    if rows == 0:
        raise _no_rows()
    return [Cells(body, a[:rows], b[:rows]) for a, b in zip(start, stop, strict=True)]


def _check_widths(numbers: Sequence[int], widths: Sequence[int], width: int) -> None:
    """Refuse rows that do not fit the header; all may have one cell more, for a name of the row."""
    if not widths:
        raise _no_rows()
    expected = width + 1 if widths[0] == width + 1 and len(set(widths)) == 1 else width
    for number, found in zip(numbers, widths, strict=True):
        if found != expected:
            raise _refusal(number, found, width)


def _refusal(number: int, found: int, width: int) -> FileFormatError:
    return FileFormatError(
        f"line {number:,} has {counted(found, 'cell')} where the first line has {width:,}: "
        "give every row the same number of cells"
    )


def _no_rows() -> NotEnoughDataError:
    return NotEnoughDataError("the file has a header but no rows: add the data")


def _without_row_names(
    names: Sequence[str], columns: Sequence[Cells], notes: list[str]
) -> tuple[list[str], list[Cells]]:
    """Leave out columns that have no name because they are row names or empty; refuse other nameless ones."""
    if len(columns) > len(names):
        names = [*names, ""] if columns[-1].all_empty else ["", *names]
    kept_names, kept = [], []
    for i, (name, column) in enumerate(zip(names, columns, strict=True)):
        if name == "" and column.all_empty:
            notes.append(f"column {i + 1:,} has neither a name nor values and is left out")
        elif i == 0 and name in ("", "Unnamed: 0") and column.all_different:
            notes.append("the first column has no name and a different label in each row: it is left out")
        elif name == "":
            raise InvalidDataError(
                f"column {i + 1:,} has no name: complete the header line, or add one if the file has none"
            )
        else:
            kept_names.append(name)
            kept.append(column)
    return kept_names, kept
