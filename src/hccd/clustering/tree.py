"""The tree of clusters: what the top-down stage makes and the bottom-up stage walks (section 3.2).

Theorem 2 holds for any partition, so a tree may as well come from prior knowledge: build one from labels,
nested lists or a file. A tree is a value: immutable, compared by content, checked when it is made. It knows
nothing of similarities; how to grow one from data is in :mod:`hccd.clustering.grow`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import ge
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd.clustering import nested as nested_forms
from hccd.clustering.cluster import Cluster, Record, assemble, merged
from hccd.clustering.layout import TreeLayout, lay_out
from hccd.errors import InvalidParameterError


@dataclass(frozen=True, init=False, eq=False, repr=False)
class ClusterTree:
    """A hierarchy of clusters over the variables 0, ..., n - 1.

    Parameters
    ----------
    root : Cluster
        The cluster of all variables. Each cluster below is a leaf, or is divided into at least two disjoint, non-empty
        children that cover it.

    Examples
    --------
    >>> tree = ClusterTree.from_nested([["A", "B"], ["C", ["D", "E"]]], names="ABCDE")
    >>> tree
    ClusterTree(n_variables=5, depth=2, n_leaves=3)
    >>> tree.labels()
    array([0, 0, 1, 2, 2])
    >>> [cluster.variables for cluster in tree.bottom_up()]
    [(0, 1), (2,), (3, 4), (2, 3, 4), (0, 1, 2, 3, 4)]
    """

    _layout: TreeLayout
    _eigenvalues: tuple[tuple[float, ...], ...]

    def __init__(self, root: Cluster) -> None:
        _validate(root)
        clusters = list(root.preorder())
        layout = lay_out(
            [v for cluster in clusters if not cluster.children for v in cluster.variables],
            [len(cluster.children) for cluster in clusters],
            [len(cluster.variables) for cluster in clusters],
        )
        self._set(layout, tuple(cluster.eigenvalues for cluster in clusters))

    @classmethod
    def from_layout(cls, layout: TreeLayout, eigenvalues: tuple[tuple[float, ...], ...]) -> ClusterTree:
        """Make a tree from arrays and each cluster's eigenvalues; nothing is checked."""
        tree = cls.__new__(cls)
        tree._set(layout, eigenvalues)
        return tree

    def _set(self, layout: TreeLayout, eigenvalues: tuple[tuple[float, ...], ...]) -> None:
        object.__setattr__(self, "_layout", layout)
        object.__setattr__(self, "_eigenvalues", eigenvalues)

    @cached_property
    def root(self) -> Cluster:
        """The cluster of all variables; clusters are made when they are first asked for."""
        layout = self._layout
        order, start, stop = layout.sequence.tolist(), layout.start.tolist(), layout.stop.tolist()
        return assemble(
            [
                Record(n_children, () if n_children else tuple(order[start[i] : stop[i]]), self._eigenvalues[i])
                for i, n_children in enumerate(layout.n_children.tolist())
            ]
        )

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self._layout.sequence)

    @property
    def depth(self) -> int:
        """How many divisions lie between the root and its deepest leaf; 0 for a single cluster."""
        return int(self._layout.height[0])

    def clusters(self) -> tuple[Cluster, ...]:
        """All clusters in preorder; a cluster's place in it is its id in :meth:`layout`."""
        return tuple(self.root.preorder())

    def leaves(self) -> tuple[Cluster, ...]:
        """Return the clusters that are not divided, from first to last."""
        return tuple(cluster for cluster in self.root.preorder() if not cluster.children)

    def bottom_up(self) -> Iterator[Cluster]:
        """All clusters, children before their parent, first child first."""
        waiting = [(self.root, False)]
        while waiting:
            cluster, opened = waiting.pop()
            if opened or not cluster.children:
                yield cluster
            else:
                waiting.append((cluster, True))
                waiting.extend((child, False) for child in reversed(cluster.children))

    def by_height(self) -> list[list[Cluster]]:
        """Clusters grouped by height, leaves (0) first; those of one height have no variable in common."""
        groups: list[list[Cluster]] = [[] for _ in range(self.depth + 1)]
        for cluster, height in zip(self.root.preorder(), self._layout.height, strict=True):
            groups[height].append(cluster)
        return groups

    def labels(self) -> NDArray[np.int64]:
        """For each variable the number of its leaf, leaves counted from first to last."""
        return self._layout.leaf_of_position()[self._layout.position]

    def layout(self) -> TreeLayout:
        """Return the tree as arrays: ids, intervals, parents, heights."""
        return self._layout

    def path(self, cluster: int) -> str:
        """Return the readable label of the cluster with this id, such as "0.1.0"; the root is "0"."""
        return self.layout().path(cluster)

    def relabelled(self, order: Sequence[int] | NDArray[np.integer[Any]]) -> ClusterTree:
        """Return the same tree with variable i called ``order[i]``; children keep their order."""
        new = np.asarray(order)
        if new.shape != (self.n_variables,) or not np.array_equal(np.sort(new), np.arange(self.n_variables)):
            raise InvalidParameterError(
                f"order must hold each of 0, ..., {self.n_variables - 1} once, got {np.array2string(new, threshold=8)}."
            )
        return ClusterTree.from_layout(self._layout.relabelled(new), self._eigenvalues)

    def to_dict(self, names: Sequence[Any] | None = None) -> dict[str, Any]:
        """Nested dicts for JSON: leaves hold ``variables``, inner clusters ``children``."""
        return nested_forms.to_dict(self.root, names)

    @classmethod
    def from_dict(cls, nested: Mapping[str, Any], names: Sequence[Any] | None = None) -> ClusterTree:
        """Undo :meth:`to_dict`, with the same names."""
        return cls(nested_forms.from_dict(nested, names))

    @classmethod
    def from_nested(cls, nested: Sequence[Any], names: Sequence[Any] | None = None) -> ClusterTree:
        """Read nested lists: a list of variables is a leaf, a list with lists in it is divided.

        Each entry of a divided list is a child, a bare variable a leaf of one. Without ``names`` variables
        are numbers from 0.
        """
        return cls(nested_forms.from_nested(nested, names))

    @classmethod
    def single(cls, n_variables: int) -> ClusterTree:
        """One cluster of all variables: with it HCCD is plain PC."""
        if n_variables < 1:
            raise InvalidParameterError(f"a tree needs at least one variable, got {n_variables}")
        return cls.from_layout(lay_out(range(n_variables), [0], [n_variables]), ((),))

    @classmethod
    def flat(cls, labels: ArrayLike) -> ClusterTree:
        """One level of clusters, one per distinct label, in the order of their smallest variables."""
        groups: dict[Any, list[int]] = {}
        for variable, label in enumerate(np.asarray(labels).tolist()):
            groups.setdefault(label, []).append(variable)
        if len(groups) <= 1:
            return cls.single(sum(map(len, groups.values())))
        leaves = tuple(Cluster(tuple(group)) for group in groups.values())
        return cls(Cluster(merged(leaf.variables for leaf in leaves), leaves))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ClusterTree):
            return NotImplemented
        a, b = self._layout, other._layout
        return self._eigenvalues == other._eigenvalues and all(
            map(np.array_equal, (a.sequence, a.stop, a.parent), (b.sequence, b.stop, b.parent))
        )

    def __hash__(self) -> int:
        return hash((self._layout.sequence.tobytes(), self._layout.parent.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        # Made anew, and so checked anew: unpickled arrays of a stored layout would be writeable.
        return ClusterTree, (self.root,)

    def __repr__(self) -> str:
        n_leaves = np.count_nonzero(self._layout.height == 0)
        return f"ClusterTree(n_variables={self.n_variables}, depth={self.depth}, n_leaves={n_leaves})"


def _validate(root: Cluster) -> None:
    """Raise unless the clusters below ``root`` are nested partitions of 0, ..., n - 1; name the offender."""
    for cluster in root.preorder():
        variables = cluster.variables
        if not variables:
            raise InvalidParameterError("a cluster has no variables; leave it out")
        if any(map(ge, variables, variables[1:])):
            previous, variable = next((a, b) for a, b in pairwise(variables) if a >= b)
            if variable == previous and cluster.children:
                raise InvalidParameterError(
                    f"variable {variable} is in more than one child of {cluster!r}; "
                    "put each variable into one cluster only."
                )
            raise InvalidParameterError(
                f"variables of a cluster must ascend and occur once, but {variable} follows {previous}; sort "
                "them, and put each variable into one cluster only."
            )
        if len(cluster.children) == 1:
            raise InvalidParameterError(
                f"{cluster!r} has a single child; a cluster is a leaf or has at least two children."
            )
        if cluster.children:
            _validate_partition(cluster)
    if root.variables != tuple(range(len(root.variables))):
        expected, variable = next((i, v) for i, v in enumerate(root.variables) if i != v)
        raise InvalidParameterError(
            f"the root must hold the variables 0, ..., n - 1, but {variable} stands where {expected} should; "
            "put every variable into one cluster."
        )


def _validate_partition(cluster: Cluster) -> None:
    """Raise unless the children share no variable and make up the cluster."""
    below = merged(child.variables for child in cluster.children)
    if below == cluster.variables:
        return
    for a, b in pairwise(below):
        if a == b:
            raise InvalidParameterError(
                f"variable {a} is in more than one child of {cluster!r}; put each variable into one cluster only."
            )
    variable = min(set(below) ^ set(cluster.variables))
    if variable in cluster.variables:
        raise InvalidParameterError(f"variable {variable} of {cluster!r} is in none of its children; add it to one")
    raise InvalidParameterError(f"variable {variable} is in a child of {cluster!r} but not in the cluster itself")
