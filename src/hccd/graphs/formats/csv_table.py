"""Tables of text as spreadsheets and statistics programs write them: read with any delimiter, written with commas.

Shared by the formats that are tables; what a table means is told there.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from hccd.errors import FileFormatError, InvalidGraphError

DELIMITERS = ",;\t"
_QUOTED = frozenset(',;\t"\r\n')


def parsed_rows(text: str, delimiter: str) -> list[list[str]]:
    """Return the rows, without empty lines and without rows of empty cells at the end.

    Raises
    ------
    FileFormatError
        If the quotation marks do not fit together.
    """
    try:
        reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
        rows = [row for row in reader if len(row) > 1 or (row and row[0].strip())]
    except csv.Error:
        raise FileFormatError("this is not a table of text: its quotation marks do not fit together") from None
    while len(rows) > 1 and not any(rows[-1]):
        del rows[-1]
    return rows


def first_row(text: str, delimiter: str) -> list[str]:
    """Return the first row that is not empty, or nothing."""
    try:
        reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
        return next((row for row in reader if any(map(str.strip, row))), [])
    except csv.Error:
        return []


def written_rows(rows: Iterable[Sequence[str]], format_name: str) -> str:
    """Return rows as text; cells are quoted where another reader may need it."""
    return "".join(",".join(_cell(cell, format_name) for cell in row) + "\n" for row in rows)


def _cell(text: str, format_name: str) -> str:
    if "\0" in text:
        raise InvalidGraphError(f"{format_name} cannot hold the name {text!r}, which has a zero byte: rename it")
    if _QUOTED.isdisjoint(text) and text == text.strip() and text.isprintable():
        return text
    return '"' + text.replace('"', '""') + '"'
