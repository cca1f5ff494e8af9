"""The search by a score as the paper's Alg: which pairs it looks at in a pass over the clusters of one height.

Clusters of one height share no variable, so one search over the pairs inside them is a search in each of them. It
starts from the graphs of the clusters below, side by side, and may change their edges; pairs that it does not look at
stay without one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.clustering.layout import TreeLayout


def pairs_at(layout: TreeLayout, height: int, between: bool) -> NDArray[np.bool_]:
    """Return which pairs lie inside a cluster of this height; with ``between``, those from different children of it."""
    cluster = _number_of(layout, np.flatnonzero(layout.height == height))
    pairs: NDArray[np.bool_] = (cluster[:, None] == cluster) & (cluster >= 0)
    if between:
        child = _number_of(layout, np.flatnonzero((layout.parent >= 0) & (layout.height[layout.parent] == height)))
        pairs &= child[:, None] != child
    return pairs


def _number_of(layout: TreeLayout, clusters: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return which of these clusters, which share no variable, each variable is in; -1: in none."""
    number = np.full(len(layout.sequence), -1)
    for cluster in clusters.tolist():
        number[layout.sequence[layout.start[cluster] : layout.stop[cluster]]] = cluster
    return number
