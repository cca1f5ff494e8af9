"""Continuous columns that others determine almost: conditioning on those leaves hardly anything to test.

The inverse of the correlation matrix tells for every column how much of its variance the others leave (the variance
inflation factor). Sets that determine a column exactly are found in :mod:`hccd.tables.inspect`.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotri

from hccd.independence.transforms import correlations
from hccd.run.checks.shapes import values_of
from hccd.tables import Finding, FindingKind, Table
from hccd.wording import columns_named, listed, quoted

EXPLAINED = 0.99
"""Share of its variance from which on a column counts as almost determined: a variance inflation factor of 100."""
MOST_COLUMNS, MOST_MADE = 500, 100
_MOST_NAMED = 3
# A longer list helps nobody: then it is the others together.
_LARGEST_SET = 8


def near_collinear(
    table: Table, correlation: NDArray[np.float64] | None, order: NDArray[np.int64], left_out: Collection[int]
) -> list[Finding]:
    """Name the columns that others determine almost, each set once, the worst first.

    Parameters
    ----------
    table
        The data; with fewer rows than columns, or more than 500 columns, nothing is looked for.
    correlation, order
        The correlation matrix, and which column each of its rows is about; None: to be made of the values, for
        ``MOST_MADE`` columns at most.
    left_out
        Positions of columns that are known to be constant or determined exactly.
    """
    kept = np.flatnonzero(~np.isin(order, list(left_out)))
    if not 2 <= len(kept) <= min(MOST_COLUMNS, table.n_rows - 1):
        return []
    if correlation is None and len(kept) > MOST_MADE:
        return []
    among = correlations(values_of(table, order[kept])) if correlation is None else correlation[np.ix_(kept, kept)]
    factor, failed = dpotrf(among, lower=1)
    if failed:
        return []
    # A quarter of the work of any other inverse; what is above the diagonal is what is below it.
    below = np.tril(dpotri(factor, lower=1)[0])
    precision = below + np.tril(below, -1).T
    left = 1.0 / np.diag(precision)
    # Ties are broken by position in the table, so that the order of the columns decides nothing else.
    worst = sorted(np.flatnonzero(left <= 1.0 - EXPLAINED).tolist(), key=lambda i: (left[i], order[kept[i]]))
    named: set[int] = set()
    findings: list[Finding] = []
    more: list[int] = []
    for i in worst:
        if i in named:
            continue
        if len(findings) == _MOST_NAMED:
            more.append(int(order[kept[i]]))
            continue
        by, explained = _explaining(among, precision, i)
        few = len(by) < _LARGEST_SET
        named.update((i, *by) if few else (i,))
        columns = (int(order[kept[i]]), *sorted(int(order[kept[j]]) for j in (by if few else ())))
        others = listed([quoted(table.names[j]) for j in columns[1:]]) if few else "the other columns together"
        sentence = (
            f"column {quoted(table.names[columns[0]])} is almost a linear function of {others} "
            f"({100 * explained:.1f} % of its variance): edges between them are uncertain, so drop or combine some"
        )
        findings.append(Finding(FindingKind.NEAR_COLLINEAR, columns, sentence))
    if more:
        names = columns_named([table.names[i] for i in sorted(more)])
        what = "is almost a linear function" if len(more) == 1 else "are almost linear functions"
        sentence = f"{names} {what} of others as well (99 % of the variance or more): edges between them are uncertain"
        findings.append(Finding(FindingKind.NEAR_COLLINEAR, tuple(sorted(more)), sentence))
    return findings


def _explaining(correlation: NDArray[np.float64], precision: NDArray[np.float64], i: int) -> tuple[list[int], float]:
    """Return the fewest columns that explain enough of column i, heaviest in its regression first; all if many do."""
    weight = np.abs(precision[i] / precision[i, i])
    weight[i] = -1.0
    ranked = np.argsort(-weight, kind="stable")[:-1]
    for size in (*range(1, min(_LARGEST_SET, len(ranked))), len(ranked)):
        by = ranked[:size]
        covariance = correlation[by, i]
        explained = float(covariance @ np.linalg.solve(correlation[np.ix_(by, by)], covariance))
        if explained >= EXPLAINED:
            break
    return by.tolist(), explained
