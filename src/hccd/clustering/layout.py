"""A cluster tree as arrays: every cluster an interval of positions, every pair a question of arithmetic.

Variables get positions in the depth-first order of the leaves. Then a cluster is an interval
``start <= position < stop``, containment is a comparison of bounds, and clusters need no sets. Numbers of
clusters (ids) are places in preorder: the root is 0, a parent comes before its children.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hccd.clustering.cluster import Cluster


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """Arrays of a cluster tree; all of them are read-only.

    Attributes
    ----------
    position : array of n_variables
        The place of each variable in the depth-first order of the leaves.
    order : array of n_variables
        The variables in that order: ``order[position[v]] == v``.
    start, stop : arrays of n_clusters
        Cluster i holds the variables ``order[start[i]:stop[i]]``.
    parent : array of n_clusters
        The id of the cluster above, -1 for the root.
    rank : array of n_clusters
        The place among its siblings, 0 for the root.
    height : array of n_clusters
        0 for a leaf, else one more than the highest child.
    """

    position: NDArray[np.int64]
    order: NDArray[np.int64]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    parent: NDArray[np.int64]
    rank: NDArray[np.int64]
    height: NDArray[np.int64]

    @property
    def n_clusters(self) -> int:
        """How many clusters there are, the root included."""
        return len(self.parent)

    def variables(self, cluster: int) -> NDArray[np.int64]:
        """Return the variables of a cluster, ascending."""
        return np.sort(self.order[self.start[cluster] : self.stop[cluster]])

    def children(self, cluster: int) -> NDArray[np.int64]:
        """Return the ids of a cluster's children, first child first."""
        return np.flatnonzero(self.parent == cluster)

    def path(self, cluster: int) -> str:
        """Return a readable label: "0" for the root, "0.1" for its second child, "0.1.0" one below."""
        ranks = []
        while cluster >= 0:
            ranks.append(str(self.rank[cluster]))
            cluster = int(self.parent[cluster])
        return ".".join(reversed(ranks))


def lay_out(root: Cluster) -> TreeLayout:
    """Give numbers to the clusters of a tree and positions to its variables."""
    order: list[int] = []
    start: list[int] = []
    stop: list[int] = []
    parent: list[int] = []
    rank: list[int] = []
    waiting = [(root, -1, 0)]
    while waiting:
        cluster, above, place = waiting.pop()
        number = len(parent)
        parent.append(above)
        rank.append(place)
        start.append(len(order))
        stop.append(len(order) + len(cluster.variables))
        if not cluster.children:
            order.extend(cluster.variables)
        waiting.extend((child, number, i) for i, child in reversed(list(enumerate(cluster.children))))
    height = [0] * len(parent)
    for number in range(len(parent) - 1, 0, -1):
        above = parent[number]
        height[above] = max(height[above], height[number] + 1)

    by_position = np.array(order, dtype=np.int64)
    position = np.empty_like(by_position)
    position[by_position] = np.arange(len(by_position))
    arrays = [position, by_position] + [np.array(a, dtype=np.int64) for a in (start, stop, parent, rank, height)]
    for array in arrays:
        array.flags.writeable = False
    return TreeLayout(*arrays)
