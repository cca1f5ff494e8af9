"""Rows that belong together: the same subject several times. Tests take them for independent, and find too many edges.

A column that may name subjects has ten values at least and two rows for each. Rows of one value resemble each other in
another column if its means differ from value to value by more than the rows of a value do. Values that are neighbours
in sorted order are compared, so that a quantity such as an age, along which means change slowly, names no subjects.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.run.checks.row_order import rising_columns
from hccd.tables import Finding, FindingKind, Table
from hccd.wording import quoted

#: How many subjects there have to be, and how many rows each has on average.
FEWEST_SUBJECTS, FEWEST_EACH, MOST_EACH = 10, 2.0, 100.0
#: The share of variance between subjects that matters, and the deviations by which it has to be sure.
LARGE, DEVIATIONS = 0.2, 5.0
MOST_COLUMNS, MOST_CANDIDATES = 50, 10


def repeated_subjects(table: Table) -> list[Finding]:
    """Warn of a column that names subjects of several rows, if most other columns tell them apart."""
    findings = []
    candidates = _candidates(table)[:MOST_CANDIDATES]
    # A year of several rows is time, and no subject.
    clock = rising_columns(table) if candidates else ()
    for i in candidates:
        if i in clock:
            continue
        values = table.texts[i].codes if i in table.texts else table.columns[i]
        _, subject, each = np.unique(values, return_inverse=True, return_counts=True)
        others = [j for j in range(table.n_columns) if j != i and j not in table.texts and not table.n_missing[j]]
        within = [_alike(subject, each, table.columns[j]) for j in others[:MOST_COLUMNS]]
        shares = np.array([share for share in within if share is not None])
        alike = shares[shares > LARGE]
        if len(alike) < 2 or 2 * len(alike) < len(shares):
            continue
        findings.append(
            Finding(
                FindingKind.GROUPED,
                (i,),
                f"column {quoted(table.names[i])} has {len(each):,} values with typically {np.median(each):.0f} rows "
                "each, and the rows of one value resemble each other (intraclass correlation up to "
                f"{alike.max():.2f}): if the column names subjects, their rows are not independent and tests find too "
                "many edges, so use one row or the mean of each subject",
            )
        )
    return findings


def _candidates(table: Table) -> list[int]:
    """Return the columns of text or whole numbers that have many values, and several rows for each."""
    found = []
    fewest, most = max(FEWEST_SUBJECTS, table.n_rows / MOST_EACH), table.n_rows / FEWEST_EACH
    for i, text in table.texts.items():
        if fewest <= len(text.states) <= most and not table.n_missing[i]:
            found.append(i)
    for block in table.blocks:
        wide = block.whole & (block.high.astype(np.float64) - block.low.astype(np.float64) >= fewest - 1) & ~block.gaps
        for at in np.flatnonzero(wide).tolist():
            i = int(block.positions[at])
            if i not in table.ordinal and fewest <= block.n_states(at) <= most:
                found.append(i)
    return sorted(found)


def _alike(subject: NDArray[np.intp], each: NDArray[np.int64], column: NDArray[np.float64]) -> float | None:
    """Return the share of a column's variance that lies between neighbouring subjects; None if it does not vary.

    It is 0 where it is not sure.
    """
    values = column / max(float(np.abs(column * 1.0).max()), 1e-300)
    values = values - values.mean()
    total = float(values @ values)
    if total <= 1e-20 * len(values):
        return None
    means = np.bincount(subject, values) / each
    inside = values - means[subject]
    freedom = len(values) - len(each)
    within = float(inside @ inside) / max(freedom, 1)
    steps = np.diff(means) ** 2 / (1.0 / each[1:] + 1.0 / each[:-1])
    between = float(steps.mean())
    if within <= 1e-12 * total / len(values):
        return 1.0 if between > 0.0 else 0.0
    ratio = between / within
    # Squares of neighbouring steps are correlated, so that they count as two thirds.
    chance = np.sqrt(3.0 / (len(each) - 1) + 2.0 / max(freedom, 1))
    return (ratio - 1.0) / (ratio - 1.0 + float(each.mean())) if ratio > 1.0 + DEVIATIONS * chance else 0.0
