"""Separating sets of the pairs that have no edge by background knowledge.

The skeleton search does not test these pairs. Those with a common neighbour are tested here, given sets among the final
neighbours of either end, because the data must decide whether the common neighbour is a collider.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hccd.graphs.constraints import Constraints
from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Marginals
from hccd.independence.level import Level, answer
from hccd.orientation.untested import Evidence


def with_excluded(
    evidence: Evidence,
    skeleton: Skeleton,
    constraints: Constraints,
    marginals: Marginals,
    ci: BoundCITest,
    max_order: int | None,
    by_strength: bool,
) -> tuple[Evidence, tuple[int, ...]]:
    """Return the evidence with the separating sets of excluded pairs, where there are any, and the tests by order."""
    found, n = skeleton.rows.unshielded(), skeleton.n
    asked = constraints.excluded[found.pair_x, found.pair_y] & ~marginals.independent[found.pair_x, found.pair_y]
    x, y = found.pair_x[asked], found.pair_y[asked]
    # The walk over the sets of a pair wants either end among the neighbours of the other.
    rows = Skeleton.from_edges(n, np.concatenate([skeleton.edges, np.column_stack([x, y])])).rows
    first, neighbors = rows.first[:-1].copy(), rows.neighbors.copy()
    degree = np.diff(rows.first).astype(np.int32)
    counts = [0]
    pairs, sizes, given, p_values = [], [], [], []
    for order in range(1, n if max_order is None else max_order + 1):
        able = (degree[x] > order) | (degree[y] > order)
        x, y = x[able], y[able]
        if not len(x):
            break
        nowhere = np.zeros(len(x), np.int32)
        level = Level(
            order, x, y, nowhere, nowhere, nowhere, evidence.position, first, neighbors, degree,
            marginals.association, np.full(n, np.inf), by_strength, False,
        )  # fmt: skip
        outcome = answer(ci, level)
        counts.append(int(np.abs(outcome.tests).sum()))
        fell = outcome.removed
        pairs.append(np.column_stack([x[fell], y[fell]]))
        sizes.append(np.full(int(fell.sum()), order))
        given += list(outcome.given[fell])
        orders = np.full(int(fell.sum()), order, np.int32)
        p_values.append(ci.p_values(orders, outcome.statistic[fell], outcome.freedom[fell]))
        x, y = x[~fell], y[~fell]
    if not given:
        return evidence, tuple(counts) if len(counts) > 1 else ()
    old = evidence.separations
    both = np.concatenate([old.pairs, *pairs])
    sets = [*np.split(old.given, old.start[1:-1]), *given] if len(old) else given
    by_pair = np.lexsort((both[:, 1], both[:, 0]))
    lengths = np.concatenate([np.diff(old.start), *sizes])[by_pair]
    start = np.concatenate([[0], np.cumsum(lengths)])
    p_value = np.concatenate([old.p_value, *p_values])[by_pair]
    separations = Separations(both[by_pair], start, np.concatenate([sets[i] for i in by_pair]), p_value)
    # Of the new pairs nothing else is known: an empty home, an empty cluster.
    columns = {
        name: np.concatenate([getattr(evidence, name), np.full(len(given), -1 if name == "home_order" else 0)])[by_pair]
        for name in ("home_start", "home_stop", "home_order", "cluster_start", "cluster_stop")
    }
    own = {name: column.astype(np.int32) for name, column in columns.items()}
    return replace(evidence, separations=separations, **own), tuple(counts)
