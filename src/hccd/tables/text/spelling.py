"""How people write numbers: decimal comma or point, thousands set apart by commas, points, apostrophes or blanks.

A column is read in such a spelling only if every cell fits it and no other spelling gives other numbers: ``1,234``
alone may be 1234 or 1.234, so a column of such cells stays text, and the user is told. ``1,234.5`` or ``1,234,567`` in
one row settle it for all. Where the delimiter is a semicolon, commas are decimal commas, as spreadsheets write them; in
a file with commas between its cells a lone comma inside a cell is rather a list of answers, and no decimal comma.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hccd.wording import columns_named, quoted

_BLANKS = (" ", "\u00a0", "\u2009", "\u202f")
_SEPARATORS = {".": (",", "'", "\u2019", *_BLANKS), ",": (".", "'", "\u2019", *_BLANKS)}
_NAMES = {",": "commas", ".": "points", "'": "apostrophes", "\u2019": "apostrophes"}


class Spelling(NamedTuple):
    """A decimal sign, and what sets thousands apart; nothing if they are not set apart."""

    decimal: str
    thousands: str = ""

    def number(self, cell: str) -> float | None:
        """Return what a cell says in this spelling; None if it does not fit."""
        if self.thousands:
            apart, sign = re.escape(self.thousands), re.escape(self.decimal)
            grouped = rf"[+-]?(\d+|\d{{1,3}}({apart}\d{{3}})+)({sign}\d*)?([eE][+-]?\d+)?"
            if not re.fullmatch(grouped, cell, re.ASCII):
                return None
            cell = cell.replace(self.thousands, "")
        if self.decimal == ",":
            cell = cell.replace(".", "x").replace(",", ".", 1)
        return as_number(cell)

    @property
    def described(self) -> str:
        """The spelling in words."""
        sign = "decimal commas" if self.decimal == "," else "decimal points"
        return sign + (f" and {_NAMES.get(self.thousands, 'blanks')} between thousands" if self.thousands else "")


class Spelled(NamedTuple):
    """The numbers of the cells, None for a cell that is none, or no numbers at all; and a note for the user."""

    numbers: list[float] | None
    note: str = ""


def as_number(cell: str) -> float | None:
    """Return a cell as a plain number; None if it is none. Python knows more spellings of numbers than people use."""
    if not cell.isascii() or "_" in cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def read_spelled(cells: Sequence[str], name: str, decimal: str | None, delimiter: str) -> Spelled:
    """Read cells that are not all plain numbers as numbers in the one spelling that fits.

    Parameters
    ----------
    cells
        The distinct cells of a column, without those that are missing.
    name
        Of the column, for the note.
    decimal
        The decimal sign if the user named it.
    delimiter
        What separates the cells of the file.
    """
    if not cells or not all(any(map(str.isdigit, cell)) for cell in cells[:100]):
        return Spelled(None)
    if decimal is None and delimiter == ";":
        ordinary = _all_numbers(cells, Spelling(","))
        if ordinary is not None:
            return Spelled(ordinary)
    fitting: dict[Spelling, list[float]] = {}
    for sign in (".", ",") if decimal is None else (decimal,):
        for apart in ("", *_SEPARATORS[sign]):
            spelling = Spelling(sign, apart)
            numbers = _all_numbers(cells, spelling)
            if numbers is not None and numbers not in fitting.values():
                fitting[spelling] = numbers
    if len(fitting) > 1:
        example = next(cell for cell in cells if "," in cell or "." in cell)
        meant = " or ".join(dict.fromkeys(f"{s.number(example):g}" for s in fitting))
        return Spelled(
            None,
            f"column {quoted(name)} is read as text, since {quoted(example)} may mean {meant}: "
            "name the decimal sign (option decimal)",
        )
    if not fitting:
        return Spelled(None)
    (spelling, numbers), *_ = fitting.items()
    if decimal is not None:
        return Spelled(numbers)
    if spelling == Spelling(",") and delimiter == ",":
        return Spelled(None)
    return Spelled(numbers, f"column {quoted(name)} is read with {spelling.described}")


def doubtful_points(columns: Mapping[str, tuple[bool, Sequence[str]]]) -> str:
    """Warn of columns whose points may stand between thousands, since other columns of the file have decimal commas.

    Parameters
    ----------
    columns
        For each column of numbers its name, whether it holds fractions, and its distinct cells.
    """
    if not any("," in cell for _, cells in columns.values() for cell in cells):
        return ""
    grouped = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})?", re.ASCII)
    doubtful = [
        name
        for name, (fractions, cells) in columns.items()
        if fractions and any("." in cell for cell in cells) and all(map(grouped.fullmatch, cells))
    ]
    if not doubtful:
        return ""
    example = next(cell for cell in columns[doubtful[0]][1] if "." in cell)
    verb = "is" if len(doubtful) == 1 else "are"
    return (
        f"{columns_named(doubtful)} {verb} read with decimal points though others have decimal commas: "
        f"if {quoted(example)} means {example.replace('.', '')}, name the decimal sign (option decimal)"
    )


def _all_numbers(cells: Sequence[str], spelling: Spelling) -> list[float] | None:
    """Return the cells as numbers if all of them fit the spelling."""
    numbers = []
    for cell in cells:
        number = spelling.number(cell)
        if number is None:
            return None
        numbers.append(number)
    return numbers
