"""Whether there are enough rows: for the cells of a contingency table, or for an effect of medium size to be seen.

A test of correlations finds an effect half of the time if it is as large as the test's own limit. That limit falls with
the rows, and rises with the columns: of all pairs about as many are dependent as there are columns, and the correction
for their number leaves each of them that share of alpha.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
from scipy.special import ndtri

from hccd.independence import BoundCITest, BoundDegenerateGaussian, BoundFisherZ
from hccd.independence.regression import BoundRegression
from hccd.independence.tables import BoundTableTest
from hccd.tables import Finding, FindingKind, Table
from hccd.tables.numbers import MOST_STATES_GUESSED
from hccd.wording import columns_named, counted

ROWS_PER_CELL = 5
"""The textbook's rule for tests of contingency tables."""
MEDIUM = 0.3
"""A correlation of medium size (Cohen, 1988), which should be found half of the time at least."""


def few_rows(table: Table, ci: BoundCITest, left_out: Collection[int]) -> list[Finding]:
    """Warn if there are too few rows for what the test is to tell."""
    if isinstance(ci, BoundTableTest):
        findings = [*_many_states(table, left_out), *_few_for_cells(table)]
    else:
        findings = _few_for_effects(table, ci)
    if not any(finding.kind is FindingKind.ROWS for finding in findings) and table.n_columns >= table.n_rows:
        findings.append(
            Finding(
                FindingKind.WIDE,
                (),
                f"there are {counted(table.n_columns, 'column')} and only {counted(table.n_rows, 'row')}: weak edges "
                "will be missed and large conditioning sets cannot be tested, so expect a sparse graph",
            )
        )
    return findings


def smallest_found(n_rows: float, n_columns: int, alpha: float) -> float:
    """Return the correlation that is found half of the time."""
    if n_rows <= 4.0:
        return 1.0
    level = alpha * min(1.0, 2.0 / max(n_columns - 1, 1))
    return math.tanh(-float(ndtri(level / 2.0)) / math.sqrt(n_rows - 3.0))


def typical_states(table: Table) -> float:
    """Return the geometric mean of the numbers of states of columns that vary; 1 if none does."""
    states = table.codes().cardinalities
    varying = states[states > 1]
    return float(np.exp(np.log(varying).mean())) if len(varying) else 1.0


def largest_set(n_rows: float, typical: float) -> int:
    """Return how many columns of so many states can be conditioned on with five rows for each cell."""
    return math.floor(math.log(max(n_rows / ROWS_PER_CELL, 1.0)) / math.log(typical) - 2.0 + 1e-9)


def _few_for_effects(table: Table, ci: BoundCITest) -> list[Finding]:
    """Warn if an effect of medium size would hardly be found."""
    if not isinstance(ci, BoundFisherZ | BoundDegenerateGaussian | BoundRegression):
        # What a test of the user's own can tell is not known.
        return []
    rows = float(getattr(ci, "n_samples", table.n_samples))
    smallest = smallest_found(rows, table.n_columns, ci.alpha)
    if smallest <= MEDIUM:
        return []
    sentence = (
        f"there are {counted(round(rows), 'row')} for {counted(table.n_columns, 'column')}, so a correlation must be "
        f"{smallest:.2f} to be found half of the time: weaker edges will be missed and directions are uncertain, so "
        "collect more rows or use fewer columns"
    )
    return [Finding(FindingKind.ROWS, (), sentence)]


def _many_states(table: Table, left_out: Collection[int]) -> list[Finding]:
    """Name columns with so many states that hardly any rows are left for each."""
    states, rows = table.codes().cardinalities, table.n_samples
    too_many = (states > MOST_STATES_GUESSED) & (states * typical_states(table) * ROWS_PER_CELL > rows)
    many = [i for i in np.flatnonzero(too_many).tolist() if i not in left_out]
    if not many:
        return []
    sentence = (
        f"{columns_named([table.names[i] for i in many])} {'has' if len(many) == 1 else 'have'} up to "
        f"{states[many].max():,} states for {counted(rows, 'row')}: tests with so many cells have little power and "
        "edges will be missed, so group the rare states"
    )
    return [Finding(FindingKind.STATES, tuple(many), sentence)]


def _few_for_cells(table: Table) -> list[Finding]:
    """Warn of a table that is too small altogether."""
    typical, rows = typical_states(table), table.n_samples
    if typical == 1.0 or (largest := largest_set(rows, typical)) >= 1:
        return []
    what, cells = ("with a condition", typical**3) if largest == 0 else ("of two columns", typical**2)
    sentence = (
        f"there are {counted(rows, 'row')} for columns with typically {typical:.1f} states, {rows / cells:.1f} for "
        f"each cell of a test {what} where {ROWS_PER_CELL} are needed: edges will be missed and directions are "
        "uncertain, so collect more rows or group states"
    )
    return [Finding(FindingKind.ROWS, (), sentence)]
