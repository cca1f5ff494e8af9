"""Columns that are left out because they name or count the rows, each with a sentence that says so."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from hccd.independence.degenerate_gaussian import MOST_STATES
from hccd.tables import Finding, FindingKind, Kind, Table
from hccd.tables.checks import FEWEST_COLUMNS
from hccd.tables.columns import Array
from hccd.tables.numbers import MOST_STATES_GUESSED
from hccd.wording import columns_named, counted


def without_row_numbers(table: Table) -> tuple[Table, list[Finding]]:
    """Leave out whole numbers that count the rows from 0 or 1, one by one, unless somebody said what they are."""
    said = table.nominal | table.ordinal | table.quantities
    counting = {
        int(block.positions[at])
        for block in table.blocks
        for first in (0, 1)
        for at in np.flatnonzero((block.low == first) & (block.high == first + table.n_rows - 1)).tolist()
        if _counts(block.values[at])
    } - said
    return without_columns(table, counting, said_of_row_numbers(counting))


def said_of_row_numbers(counting: Collection[int]) -> str:
    """Say what columns that number the rows do."""
    if len(counting) == 1:
        return "numbers the rows and is left out: declare it continuous if it measures something"
    return "number the rows and are left out: declare them continuous if they measure something"


def without_free_text(table: Table) -> tuple[Table, list[Finding]]:
    """Leave out text, and the numbers of texts, that name rows rather than states.

    They are taken for that if there are hardly two rows for each, or beside continuous columns more states than the
    test for mixed tables takes.
    """
    mixed = Kind.CONTINUOUS in table.kinds
    most = most_states(table.n_samples, mixed)
    free = {i for i, text in table.texts.items() if len(text.states) > most}
    if mixed:
        free |= {
            int(block.positions[at])
            for block in table.blocks
            for at in range(len(block.positions))
            if table.kinds[block.positions[at]] is Kind.DISCRETE and block.n_states(at) > most
        } - table.nominal
    return without_columns(table, free, said_of_free_text(free, most))


def most_states(n_samples: int, mixed: bool) -> int:
    """Return how many states text may have beside continuous columns, or others."""
    return min(MOST_STATES, n_samples // 2) if mixed else max(MOST_STATES_GUESSED, n_samples // 2)


def said_of_free_text(free: Collection[int], most: int) -> str:
    """Say what columns of more states than that do."""
    verb, are = ("holds", "is") if len(free) == 1 else ("hold", "are")
    return f"{verb} free text or identifiers (more than {counted(most, 'state')}) and {are} left out"


def _counts(values: Array) -> bool:
    return bool((np.diff(values) == 1).all())


def without_columns(table: Table, gone: Collection[int], what: str) -> tuple[Table, list[Finding]]:
    """Leave columns out if enough remain."""
    kept = [i for i in range(table.n_columns) if i not in gone]
    if not gone or len(kept) < FEWEST_COLUMNS:
        return table, []
    named = columns_named([table.names[i] for i in sorted(gone)])
    return table.part(kept), [Finding(FindingKind.LEFT_OUT, (), f"{named} {what}")]
