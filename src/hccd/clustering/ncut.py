r"""The normalized cut, the criterion that spectral clustering relaxes (section 3.1).

As printed, the paper's formula has an inner sum from j = k + 1 to k, which is empty. Meant is the k-way
normalized cut of Shi and Malik (2000),

.. math:: \mathrm{Ncut} = \sum_{i=1}^{k}
          \frac{\mathrm{cut}(X_i, X \setminus X_i)}{\mathrm{assoc}(X_i, X)},

where assoc is the sum of the degrees in :math:`X_i`, so that a weight inside the cluster counts twice. It
does not depend on how clusters are numbered. The paper's worked example, {X, Y} against {Z}, shows the first
cluster's term only, and counts I(X, Y) once. Its remark that equal weights are cut best into equal sizes does
not hold: every cut in two then costs n / (n - 1). Nothing here is used to grow a tree: the criterion serves
reports, diagnostics and tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd.errors import InvalidParameterError

if TYPE_CHECKING:
    from hccd.clustering.similarity import Similarity


def ncut(W: Similarity, labels: ArrayLike) -> float:
    """Compute the k-way normalized cut of a partition; between 0 and the number of clusters.

    Parameters
    ----------
    W : numpy.ndarray or scipy.sparse.csr_array
        Symmetric non-negative weights with a zero diagonal.
    labels : array of n labels
        The cluster of each variable, integers or anything else that can be compared.

    Examples
    --------
    >>> import numpy as np
    >>> W = np.array([[0.0, 0.2, 0.6], [0.2, 0.0, 0.4], [0.6, 0.4, 0.0]])  # X, Y, Z
    >>> round(ncut(W, [0, 0, 1]), 6)  # 1 / 1.4 for {X, Y}, 1 / 1 for {Z}
    1.714286
    """
    return float(ncut_terms(W, labels).sum())


def ncut_terms(W: Similarity, labels: ArrayLike) -> NDArray[np.float64]:
    """Each cluster's cut over its association, clusters in the order of their labels.

    A cluster without any weight cuts nothing: its term is 0.
    """
    n = W.shape[0]
    labels = np.asarray(labels)
    if labels.shape != (n,):
        raise InvalidParameterError(f"labels must hold one label for each of {n} variables, got shape {labels.shape}")
    names, cluster = np.unique(labels, return_inverse=True)
    degree = W.sum(axis=1)
    if isinstance(W, np.ndarray):
        inner = np.where(cluster[:, None] == cluster, W, 0.0).sum(axis=1)
    else:
        rows = np.repeat(np.arange(n), np.diff(W.indptr))
        same = cluster[rows] == cluster[W.indices]
        inner = np.bincount(rows[same], weights=W.data[same], minlength=n)
    association = np.bincount(cluster, weights=degree, minlength=len(names))
    cut = np.bincount(cluster, weights=degree - inner, minlength=len(names))
    return np.divide(cut, association, out=np.zeros(len(names)), where=association > 0)
