"""One graph that says what most resamples say: a valid CPDAG of the edges that are probable enough.

Its edges are those whose probability reaches the threshold, and those that must be. A triple x - z - y whose ends are
not adjacent is a collider if of each of its two edges more than half of the probability is that of the arrow to z.
Colliders that contradict each other, or what is known, are settled as those of a run are, the more probable one first
(:mod:`hccd.orientation.orient`). So the graph has a DAG, and every arrow of it follows from its colliders and from what
is known.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.graphs import PDAG, Skeleton
from hccd.graphs.constraints import Constraints
from hccd.orientation import Triples, orient
from hccd.orientation.triples import COLLIDER, NO_COLLIDER
from hccd.result.confidence import Confidence


def consensus(
    confidence: Confidence, threshold: float, order: NDArray[np.int64], constraints: Constraints | None = None
) -> PDAG:
    """Return the graph of the edges whose probability is at least the threshold.

    ``order`` lists the variables; where colliders are equally probable it decides between them.
    """
    n = len(order)
    place = np.argsort(order)
    arrow, line = np.zeros((n, n)), np.zeros((n, n))
    x, y = place[confidence.pairs.T]
    arrow[x, y], arrow[y, x] = confidence.probabilities[:, 0], confidence.probabilities[:, 1]
    line[x, y] = line[y, x] = confidence.probabilities[:, 2]
    adjacent = arrow + arrow.T + line
    # Probabilities have been rounded.
    there = adjacent >= threshold - 1e-9
    if constraints is not None:
        both = np.ix_(order, order)
        copies = tuple((int(place[a]), int(place[b])) for a, b in constraints.copies)
        constraints = Constraints(constraints.forbidden[both], constraints.adjacent[both], copies)
        there = (there & ~constraints.excluded) | constraints.adjacent
    skeleton = Skeleton.from_edges(n, np.argwhere(np.triu(there, 1)))
    if constraints is not None:
        skeleton = constraints.admitted(skeleton, adjacent)
    return orient(skeleton, _judged(skeleton, arrow, adjacent), "strongest", constraints).graph.relabelled(order)


def _judged(skeleton: Skeleton, arrow: NDArray[np.float64], adjacent: NDArray[np.float64]) -> Triples:
    """Say of every unshielded triple whether it is a collider, and how probable its arrows are."""
    rows = skeleton.rows
    found = rows.unshielded(np.ones(rows.n_slots, np.bool_))
    x, z, y = rows.neighbors[found.x_slot], rows.owner[found.x_slot], rows.neighbors[found.y_slot]
    both = (2.0 * arrow[x, z] > adjacent[x, z]) & (2.0 * arrow[y, z] > adjacent[y, z])
    doubt = 1.0 - np.minimum(arrow[x, z], arrow[y, z])
    return Triples(
        x,
        z,
        y,
        np.where(both, COLLIDER, NO_COLLIDER).astype(np.int8),
        np.zeros(len(x) + 1, np.int64),
        np.zeros(0, np.int32),
        np.full(len(x), np.nan),
        doubt,
    )
