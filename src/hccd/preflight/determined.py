"""Discrete columns that one other column determines: given that one, no test about them can say anything.

Column x determines y if every state of x goes with one state of y; then their mutual information is all the entropy
that y has, which the unconditional tests have measured already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from hccd.preflight.data_check import CheckFinding
from hccd.tables import Table
from hccd.wording import columns_named, quoted

_FEWEST_ODD = 5
_MOST_NAMED = 10


def determined(
    table: Table, information: NDArray[np.float64], order: NDArray[np.int64], left_out: Collection[int]
) -> Iterator[CheckFinding]:
    """Name the columns that another one determines, by the column that does.

    Parameters
    ----------
    table
        Discrete data. A column with fewer than five rows outside its commonest state is not looked at: chance may
        do that.
    information, order
        Mutual information of all pairs in nats, and which column each row of it is about.
    left_out
        Positions of constants, identifiers and copies.
    """
    codes = table.codes()
    entropy, odd = np.empty(table.n_columns), np.empty(table.n_columns, dtype=np.int64)
    for i in range(table.n_columns):
        counts = np.bincount(codes.codes[:, i])[: codes.cardinalities[i]]
        share = counts[counts > 0] / counts.sum()
        entropy[i], odd[i] = -(share * np.log(share)).sum(), counts.sum() - counts.max()
    at = np.argsort(order)
    by_column = information[np.ix_(at, at)] if not np.array_equal(at, np.arange(len(at))) else information
    usable = odd >= _FEWEST_ODD
    usable[list(left_out)] = False
    # Rounding in a sum of as many terms as there are cells.
    determines = (by_column >= entropy[None, :] - 1e-9) & usable[None, :] & usable[:, None]
    np.fill_diagonal(determines, False)
    for x in np.flatnonzero(determines.any(axis=1))[:_MOST_NAMED].tolist():
        columns = np.flatnonzero(determines[x]).tolist()
        names = [table.names[y] for y in columns]
        yield CheckFinding(
            "warning",
            "determined",
            f"column {quoted(table.names[x])} determines {columns_named(names)} (each of its states goes with one of "
            "theirs): edges around them may be missing, so keep the coarser or the finer ones",
            (table.names[x], *names),
        )
