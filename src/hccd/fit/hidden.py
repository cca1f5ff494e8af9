"""A sign of hidden common causes: more strong edges between uncorrelated variables than chance makes.

Let A and B have a hidden common cause, and X be a cause of A alone. X is independent of B, and depends on it given A.
No DAG of the observed variables says so: one with A -> B must have X -> B as well, with an effect that cancels the one
through A. Effects cancel by chance as well. But then the correlation of the ends is anywhere near zero: among strong
edges whose ends are within three widths of zero, a third is within one. Where significantly more are, something makes
them zero.

Measured on linear models (docs/CHECKS.md): hardly any false alarm, and hidden causes are seen in some large tables
only. Nothing seen does not mean that nothing is hidden. Conflicts among colliders, the obvious sign, are as frequent
without hidden causes as with them.

Only for correlations: variables that act together may be uncorrelated one by one where effects are not sums. Where
columns are exactly related, or directions are known beforehand, the same picture has other reasons.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtr

from hccd.fit.remaining import asked_given
from hccd.independence import BoundCITest, Marginals

Ints = NDArray[np.int64]

#: From how many deviations on an edge is strong, given the other parents.
STRONG = 6.0
#: Up to how many deviations the ends of an edge are uncorrelated, and nearly so.
UNCORRELATED, NEARLY = 1.5, 4.5
#: Chance of so many uncorrelated ones among all that are nearly so.
FALSE_CLAIM = 0.05


def cancelled_edges(ci: BoundCITest, marginals: Marginals, parents: Sequence[Ints]) -> Ints:
    """Return strong edges between uncorrelated variables, as rows of ends; none if chance may have made them."""
    edges = np.array([(x, y) for y, own in enumerate(parents) if len(own) > 1 for x in own.tolist()], np.int64).reshape(
        -1, 2
    )
    alone = marginals.p_values(edges[:, 0], edges[:, 1])
    near = alone > 2.0 * ndtr(-NEARLY)
    edges, alone = edges[near], alone[near]
    given = [np.setdiff1d(parents[y], x) for x, y in edges.tolist()]
    strong = asked_given(ci, edges[:, 0], edges[:, 1], given) < 2.0 * ndtr(-STRONG)
    zero = strong & (alone > 2.0 * ndtr(-UNCORRELATED))
    # The chance of as many or more: bdtrc(k - 1, n, p).
    by_chance = bdtrc(int(zero.sum()) - 1, int(strong.sum()), UNCORRELATED / NEARLY) if zero.any() else 1.0
    return np.asarray(edges[zero] if by_chance <= FALSE_CLAIM else edges[:0])
