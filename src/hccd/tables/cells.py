"""What the cells of a text file mean: numbers, truth values, dates or text.

A column holds numbers (or truth values) if every cell does, apart from empty ones and marks of missing values
(``NA``, ``NaN``, ``null``, ``?`` ...). In a column of text only an empty cell is missing: there ``NA`` may
well be a state, so it is kept, and the user is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hccd.tables.columns import Array
from hccd.tables.wording import counted, listed, quoted

if TYPE_CHECKING:
    import polars as pl

_SURE_MARKS = ("NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "?")
MISSING_MARKS = (*_SURE_MARKS, "None", "none", ".", "-")
"""Stand for a missing value in a column of numbers; the last four are too common as states to mention."""

_ISO_TIME = r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$"


def column_values(cells: pl.Series, name: str, *, decimal_comma: bool) -> tuple[Array, str]:
    """Turn cells of text into a raw column.

    Parameters
    ----------
    cells
        Text, stripped, null where the cell is empty.
    name
        For the note.
    decimal_comma
        Whether ``1,5`` may be a number; it is only where no cell of the column has a point.

    Returns
    -------
    values : numpy.ndarray
        Numbers with NaN where missing, truth values, days, or objects with None where missing.
    note : str
        A sentence for the user, or nothing.
    """
    import polars as pl

    plain = _as_numbers(cells)
    if plain is not None:
        return plain, ""
    # Everything else is told from the distinct cells: usually few.
    distinct = cells.drop_nulls().unique(maintain_order=True)
    present = distinct.filter(~distinct.is_in(MISSING_MARKS))
    comma = decimal_comma and _contain(present, ",") and not _contain(present, ".")
    kept = cells.set(cells.is_in(MISSING_MARKS), None)
    if _as_numbers(_with_point(present, comma)) is not None:
        return _with_point(kept, comma).cast(pl.Float64, strict=False).to_numpy(), ""
    if present.str.to_lowercase().is_in(["true", "false"]).all():
        truth = (kept.str.to_lowercase() == "true").to_list()
        return np.fromiter(truth, dtype=object, count=len(truth)), ""
    if present.str.contains(_ISO_TIME).all():
        return np.zeros(len(cells), dtype="datetime64[D]"), ""
    text = np.fromiter(cells.to_list(), dtype=object, count=len(cells))
    return text, _note_on_text(cells, distinct, present, name)


def _as_numbers(cells: pl.Series) -> Array | None:
    """Return the cells as whole numbers or as numbers with NaN for null; None if one is no number."""
    import polars as pl

    whole = cells.cast(pl.Int64, strict=False)
    if whole.null_count() == 0:
        return whole.to_numpy()
    numbers = cells.cast(pl.Float64, strict=False)
    return numbers.to_numpy() if numbers.null_count() == cells.null_count() else None


def _contain(cells: pl.Series, mark: str) -> bool:
    return bool(cells.str.contains(mark, literal=True).any())


def _with_point(cells: pl.Series, comma: bool) -> pl.Series:
    return cells.str.replace(",", ".", literal=True) if comma else cells


def _note_on_text(cells: pl.Series, distinct: pl.Series, present: pl.Series, name: str) -> str:
    """Warn of a column that was perhaps not meant to be text."""
    import polars as pl

    odd = present.filter(present.cast(pl.Float64, strict=False).is_null())
    times = int(cells.is_in(odd.to_list()).sum()) if len(odd) < len(present) else len(cells)
    if 2 * times < len(cells):
        shown = listed([quoted(cell) for cell in odd.to_list()], most=3)
        cells_are = counted(times, "cell is", "cells are")
        return f"column {quoted(name)} is read as text, since {cells_are} no number: {shown}"
    marks = [mark for mark in distinct.to_list() if mark in _SURE_MARKS]
    if marks:
        shown = listed([quoted(mark) for mark in marks], most=3)
        rows = counted(int(cells.is_in(marks).sum()), "row")
        return (
            f"column {quoted(name)} holds {shown} in {rows}, taken as a state: "
            "leave the cells empty if the values are missing"
        )
    return ""
