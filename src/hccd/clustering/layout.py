"""A cluster tree as arrays: every cluster an interval of positions, every pair a question of arithmetic.

Variables get positions in the depth-first order of the leaves. Then a cluster is an interval
``start <= position < stop``, containment is a comparison of bounds, and clusters need no sets. Numbers of
clusters (ids) are places in preorder: the root is 0, a parent comes before its children.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd.graphs.edges import sealed


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """Arrays of a cluster tree; all of them are read-only.

    Attributes
    ----------
    position : array of n_variables
        The place of each variable in the depth-first order of the leaves.
    sequence : array of n_variables
        The variables in that order: ``sequence[position[v]] == v``.
    start, stop : arrays of n_clusters
        Cluster i holds the variables ``sequence[start[i]:stop[i]]``.
    parent : array of n_clusters
        The id of the cluster above, -1 for the root.
    rank : array of n_clusters
        The place among its siblings, 0 for the root.
    height : array of n_clusters
        0 for a leaf, else one more than the highest child.
    """

    position: NDArray[np.int64]
    sequence: NDArray[np.int64]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    parent: NDArray[np.int64]
    rank: NDArray[np.int64]
    height: NDArray[np.int64]

    @property
    def n_clusters(self) -> int:
        """How many clusters there are, the root included."""
        return len(self.parent)

    @property
    def n_children(self) -> NDArray[np.int64]:
        """How many children each cluster has."""
        return np.bincount(self.parent[1:], minlength=self.n_clusters)

    def leaf_of_position(self) -> NDArray[np.int64]:
        """Return the number of the leaf at each position, leaves counted from first to last."""
        sizes = (self.stop - self.start)[self.height == 0]
        return np.repeat(np.arange(len(sizes)), sizes)

    def relabelled(self, name: NDArray[np.int64]) -> TreeLayout:
        """Return the same tree with variable v called ``name[v]``."""
        called = name[self.sequence]
        sequence = called[np.lexsort((called, self.leaf_of_position()))]
        return replace(self, sequence=sealed(sequence), position=sealed(_places(sequence)))

    def variables(self, cluster: int) -> NDArray[np.int64]:
        """Return the variables of a cluster, ascending."""
        return np.sort(self.sequence[self.start[cluster] : self.stop[cluster]])

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


def lay_out(sequence: ArrayLike, n_children: Sequence[int], n_members: Sequence[int]) -> TreeLayout:
    """Lay a tree out from its variables, leaf by leaf, and its clusters in preorder: their children and their sizes."""
    start: list[int] = []
    parent: list[int] = []
    rank: list[int] = []
    waiting = [(-1, 0)]
    position = 0
    for number, children in enumerate(n_children):
        above, place = waiting.pop()
        parent.append(above)
        rank.append(place)
        start.append(position)
        if children:
            waiting.extend((number, i) for i in range(children - 1, -1, -1))
        else:
            position += n_members[number]
    height = [0] * len(parent)
    for number in range(len(parent) - 1, 0, -1):
        above = parent[number]
        height[above] = max(height[above], height[number] + 1)

    by_position = np.array(sequence, dtype=np.int64)
    starts = np.array(start, dtype=np.int64)
    return TreeLayout(
        sealed(_places(by_position)),
        sealed(by_position),
        sealed(starts),
        sealed(starts + np.array(n_members, dtype=np.int64)),
        *(sealed(np.array(numbers, dtype=np.int64)) for numbers in (parent, rank, height)),
    )


def _places(sequence: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place of each variable in the sequence: its inverse."""
    place = np.empty_like(sequence)
    place[sequence] = np.arange(len(sequence))
    return place
