"""Connected components of the similarity graph: groups without any weight between them.

With screened weights (pairs called marginally independent have weight 0) a component is separated from the
rest by the independence test itself, so no eigenvector needs to be asked where to cut. This is the limit of
the paper's reading of the spectrum: each component adds one eigenvalue that is exactly zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hccd.clustering.similarity import Similarity


def components(W: Similarity) -> NDArray[np.intp]:
    """Label each variable with its component, numbered by their smallest variables.

    A sweep is one product with W, so the cost is the number of weights times the diameter of the graph; for
    similarities, whose diameter is small, that is less than any general routine costs to set up.

    Examples
    --------
    >>> import numpy as np
    >>> components(np.array([[0.0, 0.0, 0.5], [0.0, 0.0, 0.0], [0.5, 0.0, 0.0]]))
    array([0, 1, 0])
    """
    n = W.shape[0]
    reached = _reached_from(W, 0)
    if reached.all():
        return np.zeros(n, dtype=np.intp)
    labels = np.full(n, -1, dtype=np.intp)
    labels[reached] = 0
    alone = np.flatnonzero((W.sum(axis=1) == 0) & ~reached)
    labels[alone] = 1 + np.arange(len(alone))
    count = 1 + len(alone)
    while (labels < 0).any():
        labels[_reached_from(W, int(np.argmax(labels < 0)))] = count
        count += 1
    return _by_first_appearance(labels)


def _reached_from(W: Similarity, start: int) -> NDArray[np.bool_]:
    """Which variables a walk from ``start`` can reach; weights are not negative, so none cancel."""
    inside = np.zeros(W.shape[0], dtype=bool)
    inside[start] = True
    size = 1
    while True:
        inside |= W @ inside.astype(np.float64) > 0
        grown = int(np.count_nonzero(inside))
        if grown == size or grown == len(inside):
            return inside
        size = grown


def _by_first_appearance(labels: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the same partition, numbered in the order in which its labels first occur."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]
