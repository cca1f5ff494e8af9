"""Text files with delimiters: which character separates the cells, where the header is, what each row holds.

The first line is the header, with one exception: when it holds numbers only, the file has no header and the
columns are called X1, X2, ... - unless the numbers just count the columns (0, 1, 2, ... or 1, 2, 3, ...),
which is how frames without names are written. Blank lines are skipped; blanks around names and cells are no
part of them. A first column without a name that has a different label in each row holds row names and is
left out. The user is told all this in ``notes``.

Cells stay text here; :mod:`hccd.tables.cells` tells what they mean.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from hccd.errors import FileFormatError, InvalidDataError, NotEnoughDataError
from hccd.tables.checks import check_unique
from hccd.tables.frames import numbered_names
from hccd.tables.wording import counted, listed, quoted

if TYPE_CHECKING:
    import polars as pl

# In order of preference: a comma may also be a decimal comma.
_DELIMITERS = {"\t": "tab", ";": "semicolon", "|": "bar", ",": "comma"}
_BLANK = " "
_SAMPLE_LINES = 100
_SAMPLE_CHARACTERS = 100_000
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?|NA|NaN|nan")


@dataclass(frozen=True)
class DelimitedText:
    """A parsed file: names, columns of text with null for empty cells, and what to tell the user."""

    names: tuple[str, ...]
    cells: tuple[pl.Series, ...]
    delimiter: str
    notes: tuple[str, ...]


def parse_delimited(text: str) -> DelimitedText:
    """Parse the text of a file.

    Raises
    ------
    FileFormatError
        The text is no table: empty, one column only, or rows of different lengths (the line is given).
    NotEnoughDataError
        There is a header but no row.
    InvalidDataError
        Column names are repeated or missing.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    delimiter = find_delimiter(lines)
    reader = _records(lines, delimiter)
    header_line, header = next(reader, (0, []))
    cells = [cell.strip() for cell in header]
    notes: list[str] = []
    if _is_data(cells):
        names = list(numbered_names(len(cells)))
        notes.append(
            "the first line holds numbers only, so the file is taken to have no header: "
            f"its columns are called {names[0]} to {names[-1]}"
        )
        columns = _read_rows(lines, 0, delimiter, len(names))
    else:
        names = cells
        trimmed = [quoted(raw) for raw, name in zip(header, names, strict=True) if raw != name and name]
        if trimmed and delimiter != _BLANK:
            notes.append(f"blanks around names are left out: {listed(trimmed)}")
        columns = _read_rows(lines, header_line, delimiter, len(names))
    names, columns = _without_row_names(names, columns, notes)
    check_unique(names, "rename the columns, or add a header line if the file has none")
    return DelimitedText(tuple(names), tuple(columns), delimiter, tuple(notes))


def find_delimiter(lines: Sequence[str]) -> str:
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
    if not any(line.strip(" ,;|\t") for line in sample):
        raise FileFormatError("the file is empty: give one with a header line and rows")
    best, best_agreement = "", -1.0
    for delimiter in (*_DELIMITERS, _BLANK):
        widths = _sample_widths(sample, delimiter, cut)
        if widths[0] < 2 or (delimiter == _BLANK and best):
            continue
        agreement = sum(width - widths[0] in (0, 1) for width in widths) / len(widths)
        if agreement > best_agreement and (delimiter != _BLANK or agreement == 1):
            best, best_agreement = delimiter, agreement
    if not best:
        tried = listed([*_DELIMITERS.values(), "blank"])
        raise FileFormatError(
            f"the file has only one column, for none of {tried} separates the cells of its first line: "
            "give a table with a delimiter"
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


def _is_data(cells: Sequence[str]) -> bool:
    """Whether the first line is a row of numbers and not a header."""
    named = [cell for cell in cells if cell]
    if not named or not all(_NUMBER.fullmatch(cell) for cell in named):
        return False
    counts = (list(map(str, range(len(named)))), list(map(str, range(1, len(named) + 1))))
    counts_columns = named in counts and (len(named) > 2 or not cells[0])
    return not counts_columns and any(map(str.isdigit, "".join(named)))


def _records(lines: Sequence[str], delimiter: str, start: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yield the records below the first ``start`` lines, blank ones apart, each with the line it ends on."""
    blank = delimiter == _BLANK
    source = ((line.strip(" ") if blank else line) + "\n" for line in lines[start:])
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
            f"the row that starts on line {last + 1:,} cannot be read ({error}): mend its quotation marks"
        ) from None


def _read_rows(lines: Sequence[str], start: int, delimiter: str, width: int) -> list[pl.Series]:
    """Read the rows after the first ``start`` lines into columns of text, empty cells as null."""
    import polars as pl

    body = lines[start:]
    if any('"' in line for line in body):
        numbered = list(_records(lines, delimiter, start))
        _check_widths([number for number, _ in numbered], [len(row) for _, row in numbered], width)
        columns = zip(*(row for _, row in numbered), strict=True)
        frame = pl.DataFrame({str(i): column for i, column in enumerate(columns)})
    else:
        kept = [(number, line) for number, line in enumerate(body, start=start + 1) if line.strip(delimiter + " ")]
        rows = [line for _, line in kept]
        if delimiter == _BLANK:
            rows = [_BLANK.join(line.split()) for line in rows]
        _check_widths([number for number, _ in kept], [row.count(delimiter) + 1 for row in rows], width)
        # Without quotation marks polars can read it: much faster, and no cell can mean anything else.
        frame = pl.read_csv(
            BytesIO("\n".join(rows).encode()),
            separator=delimiter,
            has_header=False,
            infer_schema_length=0,
            quote_char=None,
        )
        if not any(blank in row for blank in " \t\xa0" for row in rows):
            return frame.get_columns()
    return frame.select(pl.all().str.strip_chars().replace("", None)).get_columns()


def _check_widths(numbers: Sequence[int], widths: Sequence[int], width: int) -> None:
    """Refuse rows that do not fit the header; all may have one cell more, for a name of the row."""
    if not widths:
        raise NotEnoughDataError("the file has a header but no rows: add the data")
    expected = width + 1 if widths[0] == width + 1 and len(set(widths)) == 1 else width
    for number, found in zip(numbers, widths, strict=True):
        if found != expected:
            raise FileFormatError(
                f"line {number:,} has {counted(found, 'cell')} where the first line has {width:,}: "
                "give every row the same number of cells"
            )


def _without_row_names(
    names: Sequence[str], columns: Sequence[pl.Series], notes: list[str]
) -> tuple[list[str], list[pl.Series]]:
    """Leave out columns that have no name because they are row names or empty; refuse other nameless ones."""
    if len(columns) > len(names):
        trailing = columns[-1].null_count() == len(columns[-1])
        names = [*names, ""] if trailing else ["", *names]
    kept_names, kept = [], []
    for i, (name, column) in enumerate(zip(names, columns, strict=True)):
        if name == "" and column.null_count() == len(column):
            notes.append(f"column {i + 1:,} has neither a name nor values and is left out")
        elif i == 0 and name in ("", "Unnamed: 0") and column.drop_nulls().n_unique() == len(column):
            notes.append("the first column has no name and a different label in each row: it is left out")
        elif name == "":
            raise InvalidDataError(
                f"column {i + 1:,} has no name: complete the header line, or add one if the file has none"
            )
        else:
            kept_names.append(name)
            kept.append(column)
    return kept_names, kept
