"""Rows of measurements that occur more than once, cell by cell: copies, which tests count as rows of their own.

Where a column has a value of its own in almost every distinct row, chance repeats no row. Rows of states repeat anyway,
and nothing can be told from that.
"""

from __future__ import annotations

import numpy as np

from hccd.tables import Finding, FindingKind, Kind, Table
from hccd.wording import counted

#: The share of rows that are copies from which on it matters, and their number.
SHARE, FEWEST = 0.01, 3
#: The share of distinct rows that a column tells apart for chance to be excluded.
TOLD_APART = 0.9
_TRIED = 5


def repeated_rows(table: Table) -> list[Finding]:
    """Warn if more than one row in a hundred is a copy of another."""
    measured = [i for i in range(table.n_columns) if table.kinds[i] is Kind.CONTINUOUS and not table.n_missing[i]]
    if table.weights is not None or len(measured) < 2:
        return []
    finest = 0
    for i in measured[:_TRIED]:
        finest = max(finest, len(np.unique(table.columns[i])))
        if finest == table.n_rows:
            return []
    distinct = _distinct_rows(table)
    copies = table.n_rows - distinct
    if copies < max(FEWEST, SHARE * table.n_rows) or finest < TOLD_APART * distinct:
        return []
    sentence = (
        f"{counted(copies, 'row is a copy', 'rows are copies')} of another, cell by cell: tests treat "
        "copies as independent rows and find too many edges, so keep each row once, or give the counts as weights"
    )
    return [Finding(FindingKind.REPEATED_ROWS, (), sentence)]


def _distinct_rows(table: Table) -> int:
    """Count the rows that differ from all before them."""
    cells = [table.texts[i].codes if i in table.texts else table.columns[i] for i in range(table.n_columns)]
    ranks = np.array([np.unique(each, return_inverse=True)[1] for each in cells], np.uint32)
    rows = np.ascontiguousarray(ranks.T)
    return len(np.unique(rows.view(np.dtype((np.void, rows.strides[0])))))
