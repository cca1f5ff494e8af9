"""What is refused when a table is made, and the sentences that say so.

Each refusal is one sentence: which columns (five at most by name), what is wrong with them, what to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from hccd.errors import InvalidDataError, NotEnoughDataError
from hccd.tables.columns import Array, Flaw, FlawedColumn, RawColumn
from hccd.tables.wording import counted, listed, quoted

FEWEST_ROWS = 10
FEWEST_COLUMNS = 2


def check_shape(names: Sequence[str], columns: Sequence[RawColumn] | Array) -> None:
    """Refuse tables that are too small, ragged, or have repeated names."""
    if len(names) != len(columns):
        raise InvalidDataError(
            f"{counted(len(names), 'name')} given for {counted(len(columns), 'column')}: give one name for each column"
        )
    if len(columns) < FEWEST_COLUMNS:
        raise NotEnoughDataError(
            f"the data have {counted(len(columns), 'column')}: at least {FEWEST_COLUMNS} are needed"
        )
    check_unique(names)
    lengths = {columns.shape[1]} if isinstance(columns, np.ndarray) else {len(column) for column in columns}
    if len(lengths) > 1:
        longest, shortest = max(lengths), min(lengths)
        short = next(name for name, column in zip(names, columns, strict=True) if len(column) == shortest)
        raise InvalidDataError(
            f"the columns differ in length: {quoted(short)} has {counted(shortest, 'row')} where another has "
            f"{longest:,}; give every column the same number of rows"
        )
    rows = lengths.pop()
    if rows < FEWEST_ROWS:
        raise NotEnoughDataError(f"the data have {counted(rows, 'row')}: at least {FEWEST_ROWS} are needed")


def check_unique(names: Sequence[str], advice: str = "rename or drop the repeated columns") -> None:
    """Refuse repeated column names, naming them."""
    if len(set(names)) == len(names):
        return
    repeated = [name for name, times in Counter(names).items() if times > 1]
    raise InvalidDataError(
        f"the column name{'' if len(repeated) == 1 else 's'} {listed(list(map(quoted, repeated)))} "
        f"occur{'s' if len(repeated) == 1 else ''} more than once: {advice}"
    )


_ADVICE = {
    Flaw.NESTED: ("holds lists or other nested values", "give each part a column of its own or drop it"),
    Flaw.COMPLEX: ("holds complex numbers", "replace it by real numbers, such as the size and the angle"),
    Flaw.DATE: ("holds dates or times", "turn it into a number, such as days since a start, or drop it"),
    Flaw.BYTES: ("holds bytes", "decode it into text or drop it"),
    Flaw.MIXED: ("mixes numbers and text ({example})", "make it all numbers or all text"),
    Flaw.FOREIGN: ("holds values of type {example}", "turn it into numbers or text, or drop it"),
}


def refuse_flaws(names: Sequence[str], flaws: Mapping[int, FlawedColumn]) -> None:
    """Raise one sentence about the gravest kind of flaw, naming up to five columns (by position) that have it."""
    for flaw in Flaw:
        found = [(names[i], column) for i, column in sorted(flaws.items()) if column.flaw is flaw]
        if not found:
            continue
        if flaw in (Flaw.MISSING, Flaw.INFINITE):
            first = counted(found[0][1].cells, f"{flaw.value} value")
            cells = [f"{first} in {quoted(found[0][0])}"]
            cells += [f"{column.cells:,} in {quoted(name)}" for name, column in found[1:]]
            what = "remove or impute them" if flaw is Flaw.MISSING else "remove or replace them"
            raise InvalidDataError(f"the data have {listed(cells)}: {what}")
        what, advice = _ADVICE[flaw]
        phrases = [f"column {quoted(name)} {what.format(example=column.example)}" for name, column in found]
        raise InvalidDataError(f"{listed(phrases)}: {advice}")
