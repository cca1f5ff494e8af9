"""Discrete columns that one other column determines: given that one, no test about them can say anything.

Column x determines y if every state of x goes with one state of y; then their mutual information is all the entropy
that y has, which the unconditional tests of discrete tables have measured already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from hccd.independence import GTest, Marginals
from hccd.independence.tables import BoundTableTest
from hccd.run.binding import Binding
from hccd.tables import Finding, FindingKind, Kind, Table, column_keys
from hccd.tables.codes import Codes
from hccd.tables.relations import plain_name
from hccd.wording import listed

_FEWEST_ODD = 5
_MOST_NAMED = 10
#: What is known to be worse than determined.
_WORSE = (FindingKind.CONSTANT, FindingKind.DUPLICATE, FindingKind.IDENTIFIER)


def determined_columns(table: Table, binding: Binding, marginals: Marginals) -> list[Finding]:
    """Name the discrete columns that another one determines; a table of measurements has none."""
    out = {i for finding in binding.findings if finding.kind in _WORSE for i in finding.columns}
    out -= {finding.columns[0] for finding in binding.findings if finding.kind is FindingKind.DUPLICATE}
    if isinstance(binding.ci, BoundTableTest):
        back = np.argsort(binding.columns)
        looked_at = marginals if binding.ci.at_hand is binding.ci else binding.ci.at_hand.marginals()
        return list(_determined(table, looked_at.strength[np.ix_(back, back)], out))
    states = [i for i, kind in enumerate(table.kinds) if kind is Kind.DISCRETE and i not in out]
    if len(states) < 2 or len(states) == table.n_columns:
        return []
    part = table.part(states)
    coded = part.codes()
    keys, gaps = column_keys(coded.codes), coded.gaps if coded.gaps.any() else None
    ci = GTest().bind_columns(np.ascontiguousarray(coded.codes.T), keys, gaps, table.weights)
    information = ci.marginals().strength
    found = _determined(part, information, ())
    return [finding._replace(columns=tuple(states[i] for i in finding.columns)) for finding in found]


def _entropies(codes: Codes, weights: NDArray[np.float64] | None) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the entropy of each column and the rows outside its commonest state, both without missing cells."""
    first = codes.first
    counts = codes.counts * 1.0
    if weights is not None:
        widths = np.diff(first).tolist()
        own = [np.bincount(each, weights, width) for each, width in zip(codes.codes.T, widths, strict=True)]
        counts = np.concatenate(own)
    counts[first[1:][codes.gaps] - 1] = 0.0
    total, commonest = np.add.reduceat(counts, first[:-1]), np.maximum.reduceat(counts, first[:-1])
    share = counts / np.repeat(total, np.diff(first))
    return -np.add.reduceat(xlogy(share, share), first[:-1]), np.rint(total - commonest).astype(np.int64)


def _determined(table: Table, information: NDArray[np.float64], left_out: Collection[int]) -> Iterator[Finding]:
    """Name the columns that another one determines, by the column that does.

    ``information`` is that of all pairs in nats. A column with fewer than five rows outside its commonest state is not
    looked at: chance may do that.
    """
    codes = table.codes()
    entropy, odd = _entropies(codes, table.weights)
    usable = odd >= _FEWEST_ODD
    usable[list(left_out)] = False
    # Rounding in a sum of as many terms as there are cells.
    determines = (information >= entropy[None, :] - 1e-9) & usable[None, :] & usable[:, None]
    np.fill_diagonal(determines, False)
    for x in np.flatnonzero(determines.any(axis=1))[:_MOST_NAMED].tolist():
        columns = np.flatnonzero(determines[x]).tolist()
        known, names = plain_name(table.names[x]), listed([plain_name(table.names[y]) for y in columns])
        yield Finding(
            FindingKind.DETERMINED,
            (x, *columns),
            f"{names} {'is' if len(columns) == 1 else 'are'} determined by {known} (rows with the same {known} have "
            f"the same {names}): tests that condition on {known} are undefined and remove no edge, so drop one of the "
            "columns to avoid extra edges",
        )
