"""Which claims of colliders a PAG goes by, where two of them put an arrowhead at both ends of an edge.

In a DAG two such claims contradict each other; in a PAG they may both be right, if a hidden variable causes both ends.
But most such pairs come from errors of tests. So the claims are taken in the order of their evidence, which is how much
the ends of a triple depend on each other given the middle too (``hccd.orientation.dependence``). One that puts a second
arrowhead on an edge stands only if that dependence is significant by itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.orientation import Triples
from hccd.orientation.triples import COLLIDER


def claims_to_follow(triples: Triples, level: float | None) -> NDArray[np.int64]:
    """Return the rows of claimed colliders that stand; all of them without a level or without p-values."""
    claimed = np.flatnonzero(triples.collider == COLLIDER)
    if level is None or np.isnan(triples.dependence[claimed]).all():
        return claimed
    # nan comes last: nothing to judge by.
    order = claimed[np.lexsort((-np.nan_to_num(triples.p_value[claimed]), triples.dependence[claimed]))]
    heads: set[tuple[int, int]] = set()
    stand = []
    for row in order.tolist():
        x, z, y = int(triples.x[row]), int(triples.z[row]), int(triples.y[row])
        if ((z, x) in heads or (z, y) in heads) and not triples.dependence[row] < level:
            continue
        heads |= {(x, z), (y, z)}
        stand.append(row)
    return np.array(sorted(stand), np.int64)
