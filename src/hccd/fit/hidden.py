"""A sign of hidden common causes: strong edges between variables that are uncorrelated.

Let A and B have a hidden common cause, and X be a cause of A alone. X is independent of B, and depends on it given A.
No DAG of the observed variables says so: one with A -> B must have X -> B as well, with an effect that cancels the one
through A. By chance effects cancel now and then, in one place; so two edges that do are asked for. Measured on linear
models (docs/CHECKS.md): few false alarms, and most tables with hidden causes are found only if they have many columns
and thousands of rows. Nothing seen does not mean that nothing is hidden.

Only for correlations: variables that act together may be uncorrelated one by one where effects are not sums. Where
columns are exactly related, or directions are known beforehand, the same picture has other reasons.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from hccd.fit.remaining import asked_given
from hccd.independence import BoundCITest, Marginals

Ints = NDArray[np.int64]

#: How many deviations an edge is from nothing, given the other parents, and how few its ends are uncorrelated.
STRONG, UNCORRELATED = 6.0, 1.5
#: So many edges must be of that kind.
FEWEST = 2


def cancelled_edges(ci: BoundCITest, marginals: Marginals, parents: Sequence[Ints]) -> Ints:
    """Return strong edges between uncorrelated variables, as rows of ends; none if they are too few to tell."""
    edges = np.array([(x, y) for y, own in enumerate(parents) if len(own) > 1 for x in own.tolist()], np.int64).reshape(
        -1, 2
    )
    alone = marginals.p_values(edges[:, 0], edges[:, 1])
    edges = edges[alone > 2.0 * ndtr(-UNCORRELATED)]
    given = [np.setdiff1d(parents[y], x) for x, y in edges.tolist()]
    p_value = asked_given(ci, edges[:, 0], edges[:, 1], given)
    found = p_value < 2.0 * ndtr(-STRONG)
    return np.asarray(edges[found] if found.sum() >= FEWEST else edges[:0])
