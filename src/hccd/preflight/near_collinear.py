"""Continuous columns that others determine almost: conditioning on those leaves hardly anything to test.

The inverse of the correlation matrix tells for every column how much of its variance the others leave (the variance
inflation factor). Sets that determine a column exactly are found in :mod:`hccd.tables.inspect`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from hccd.preflight.data_check import CheckFinding
from hccd.tables import Table
from hccd.wording import listed, quoted

EXPLAINED = 0.99
"""Share of its variance from which on a column counts as almost determined: a variance inflation factor of 100."""
MOST_COLUMNS = 2000
_MOST_NAMED = 10
# A longer list helps nobody: then it is the others together.
_LARGEST_SET = 8


def near_collinear(
    table: Table, correlation: NDArray[np.float64], order: NDArray[np.int64], left_out: Collection[int]
) -> Iterator[CheckFinding]:
    """Name the columns that others determine almost, each set once, the worst first.

    Parameters
    ----------
    table
        The data; with fewer rows than columns, or more than 2000 columns, nothing is looked for.
    correlation, order
        The correlation matrix, and which column each of its rows is about.
    left_out
        Positions of columns that are known to be constant or determined exactly.
    """
    kept = np.flatnonzero(~np.isin(order, list(left_out)))
    if not 2 <= len(kept) <= min(MOST_COLUMNS, table.n_rows - 1):
        return
    among = correlation[np.ix_(kept, kept)]
    try:
        inverse = np.linalg.inv(np.linalg.cholesky(among))
    except np.linalg.LinAlgError:
        return
    precision = inverse.T @ inverse
    left = 1.0 / np.diag(precision)
    # Ties are broken by position in the table, so that the order of the columns decides nothing else.
    worst = sorted(np.flatnonzero(left <= 1.0 - EXPLAINED).tolist(), key=lambda i: (left[i], order[kept[i]]))
    named: set[int] = set()
    found = 0
    for i in worst:
        if i in named or found == _MOST_NAMED:
            continue
        by, explained = _explaining(among, precision, i)
        few = len(by) < _LARGEST_SET
        named.update((i, *by) if few else (i,))
        found += 1
        columns = tuple(
            table.names[order[kept[j]]] for j in (i, *sorted(by if few else (), key=lambda j: order[kept[j]]))
        )
        others = listed([quoted(name) for name in columns[1:]]) if few else "the other columns together"
        yield CheckFinding(
            "warning",
            "near-collinear",
            f"column {quoted(columns[0])} is almost a linear function of {others} ({100 * explained:.1f} % of its "
            "variance): edges between them are uncertain, so drop or combine some",
            columns,
        )


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
