"""Which pairs without an edge still depend on each other: what the graph leaves unexplained.

In a DAG a variable is independent of all that come before it given its parents. So each pair without an edge is tested
given the parents of its later variable, by the test of the run (the G test for mutual information). The q-values are
Benjamini and Hochberg's, over all pairs without an edge.

Not more pairs are tested than a share of the tests that the search has made, or some that cost nothing: those that
depend most without condition. All others count as if they had been tested and nothing found.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hccd.graphs import PDAG
from hccd.independence import BoundCITest, BoundFisherZ, GTest, Marginals
from hccd.independence.degenerate_gaussian import BoundDegenerateGaussian
from hccd.independence.tables import BoundTableTest

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: The share of the tests of the search, and what is tested in any case.
SHARE, AT_LEAST = 0.02, 500
#: Pairs that are looked through at once.
PAIRS_AT_ONCE = 1 << 21


def answers_quickly(ci: BoundCITest) -> bool:
    """Whether a test is compiled; one of the user's own may take any time."""
    return isinstance(ci, BoundFisherZ | BoundDegenerateGaussian | BoundTableTest)


def remaining_pairs(
    ci: BoundCITest, marginals: Marginals, dag: PDAG, parents: Sequence[Ints], order: Sequence[int], n_tests: int
) -> tuple[NDArray[np.int64], Floats, int]:
    """Test pairs without an edge; return the pairs, their p-values, and how many pairs without an edge there are.

    A pair with nothing to judge by has no p-value and is not among them.
    """
    if isinstance(ci, BoundTableTest):
        ci = ci.at_hand if ci.has_p_values else GTest()._bound(ci.data, ci._keys)
    place = np.empty(dag.n, np.int64)
    place[np.asarray(order, np.int64)] = np.arange(dag.n)
    n_pairs = dag.n * (dag.n - 1) // 2 - len(dag.skeleton().edges)
    x, y = _strongest_apart(marginals.association, dag, max(AT_LEAST, int(SHARE * n_tests)))
    earlier, later = np.where(place[x] < place[y], (x, y), (y, x))
    p_value = asked_given(ci, earlier, later, [parents[v] for v in later.tolist()])
    judged = ~np.isnan(p_value)
    return np.column_stack([x, y])[judged], p_value[judged], n_pairs


def _strongest_apart(association: Floats, dag: PDAG, most: int) -> tuple[Ints, Ints]:
    """Return the pairs without an edge that depend most without condition; equals all belong to them.

    Some rows of the matrix at a time: to list all pairs of 10,000 variables would take gigabytes.
    """
    n, edges = dag.n, dag.skeleton().edges
    step = max(1, PAIRS_AT_ONCE // max(n, 1))
    pairs, strength, least = np.zeros((0, 2), np.int64), np.zeros(0), 0.0
    for first in range(0, n, step):
        part = np.abs(association[first : first + step, first:])
        part[:, : len(part)][np.tri(len(part), dtype=np.bool_)] = -1.0
        begin, end = np.searchsorted(edges[:, 0], (first, first + len(part)))
        part[edges[begin:end, 0] - first, edges[begin:end, 1] - first] = -1.0
        row, column = np.nonzero(~(part < least))
        pairs = np.concatenate([pairs, np.column_stack([row, column]) + first])
        strength = np.concatenate([strength, part[row, column]])
        if len(strength) > most:
            # Equals all belong to them, so that their order does not matter.
            least = np.partition(strength, len(strength) - most)[len(strength) - most]
            kept = np.flatnonzero(strength >= least)
            pairs, strength = pairs[kept], strength[kept]
    return pairs[:, 0], pairs[:, 1]


def asked_given(ci: BoundCITest, x: Ints, y: Ints, given: Sequence[Ints]) -> Floats:
    """Return the p-values of pairs, each given its set; nan where there is nothing to judge by."""
    sizes = np.array([len(own) for own in given], np.int64)
    p_value = np.full(len(x), np.nan)
    for size in np.unique(sizes).tolist():
        rows = np.flatnonzero(sizes == size)
        sets = np.array([given[row] for row in rows.tolist()], np.int32).reshape(len(rows), size)
        p_value[rows] = ci.test_many(x[rows].astype(np.int32), y[rows].astype(np.int32), sets).p_value
    return p_value


def q_values(p_value: Floats, n_tests: int) -> Floats:
    """Return Benjamini and Hochberg's q-values of some among ``n_tests`` p-values; all others count as 1."""
    order = np.argsort(p_value, kind="stable")
    ratio = p_value[order] * n_tests / np.arange(1, len(order) + 1)
    q = np.empty(len(order))
    q[order] = np.minimum(np.minimum.accumulate(ratio[::-1])[::-1], 1.0)
    return q
