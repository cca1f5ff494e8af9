"""The separability condition: how many clusters the spectrum of a cluster shows (section 3.2, k' of line 9).

The paper: eigenvalues of the Laplacian "close to zero correspond to isolated groups"; if there is more than
one, the cluster is divided further, into as many parts as there are such eigenvalues. Left open there:

- how close is close: no threshold is given, so :class:`NearZero` has one as a parameter;
- which Laplacian: here the normalized one of the generalized eigenproblem, whose eigenvalues lie in [0, 2]
  for any scale of the weights, so that one threshold can serve clusters of different sizes;
- the experiments of the appendix use k = k' = 2 throughout: :class:`FixedK`, with a limit on the depth;
- whether small clusters are exempt: a least size and the limit on the depth are parameters of
  :class:`hccd.clustering.SpectralSplitter`.

:class:`Eigengap` is the usual alternative without a threshold; it is not in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidParameterError


@runtime_checkable
class SeparabilityRule(Protocol):
    """Anything that reads a number of clusters from the smallest eigenvalues."""

    @property
    def n_eigenvalues(self) -> int:
        """How many of the smallest eigenvalues the rule wants to see, the trivial one included."""
        ...

    @property
    def most_clusters(self) -> int:
        """The largest number of clusters the rule can answer."""
        ...

    def clusters(self, eigenvalues: NDArray[np.float64]) -> int:
        """How many clusters; 1 means that the cluster is not divided.

        ``eigenvalues`` ascend and start with the trivial 0; a small cluster may have fewer than asked for.
        """
        ...

    def check(self) -> None:
        """Raise if a parameter cannot be used."""
        ...


@dataclass(frozen=True)
class FixedK:
    """Always ``k`` clusters, whatever the spectrum: the paper's ablation (k = k' = 2) and its flat variant.

    Examples
    --------
    >>> import numpy as np
    >>> FixedK(2).clusters(np.array([0.0, 0.9]))
    2
    """

    k: int = 2

    @property
    def n_eigenvalues(self) -> int:
        """``k``: the trivial one, and one for each of the k - 1 coordinates."""
        return self.k

    @property
    def most_clusters(self) -> int:
        """``k``."""
        return self.k

    def clusters(self, eigenvalues: NDArray[np.float64]) -> int:
        """``k``, or fewer for fewer variables than that."""
        return min(self.k, len(eigenvalues))

    def check(self) -> None:
        """Raise unless ``k`` is an integer of at least 2."""
        _check_count("FixedK", "k", self.k)


@dataclass(frozen=True)
class NearZero:
    """As many clusters as there are eigenvalues of at most ``threshold``: the paper's rule.

    Parameters
    ----------
    threshold : float
        In (0, 1]; in a graph with equal weights all eigenvalues but the trivial one are slightly above 1.
    max_clusters : int
        No more than this many clusters at once.

    Examples
    --------
    >>> import numpy as np
    >>> NearZero(threshold=0.3).clusters(np.array([0.0, 0.1, 0.25, 0.7]))
    3
    """

    threshold: float = 0.5
    max_clusters: int = 8

    @property
    def n_eigenvalues(self) -> int:
        """``max_clusters``."""
        return self.max_clusters

    @property
    def most_clusters(self) -> int:
        """``max_clusters``."""
        return self.max_clusters

    def clusters(self, eigenvalues: NDArray[np.float64]) -> int:
        """Count the eigenvalues near zero, the trivial one included."""
        near = int(np.count_nonzero(np.asarray(eigenvalues) <= self.threshold))
        return min(max(near, 1), self.max_clusters)

    def check(self) -> None:
        """Raise unless the threshold is in (0, 1] and ``max_clusters`` an integer of at least 2."""
        if not 0.0 < self.threshold <= 1.0:
            raise InvalidParameterError(f"threshold of NearZero is {self.threshold!r}; give one above 0 and up to 1")
        _check_count("NearZero", "max_clusters", self.max_clusters)


@dataclass(frozen=True)
class Eigengap:
    """As many clusters as there are eigenvalues below the largest gap, 1 if the first gap is the largest.

    Examples
    --------
    >>> import numpy as np
    >>> Eigengap(max_clusters=3).clusters(np.array([0.0, 0.1, 0.7, 0.8]))
    2
    """

    max_clusters: int = 8

    @property
    def n_eigenvalues(self) -> int:
        """One more than ``max_clusters``: the last gap needs its upper end."""
        return self.max_clusters + 1

    @property
    def most_clusters(self) -> int:
        """``max_clusters``."""
        return self.max_clusters

    def clusters(self, eigenvalues: NDArray[np.float64]) -> int:
        """Count the eigenvalues below the largest gap, the first of equal gaps."""
        gaps = np.diff(np.asarray(eigenvalues)[: self.max_clusters + 1])
        return 1 + int(np.argmax(gaps)) if len(gaps) else 1

    def check(self) -> None:
        """Raise unless ``max_clusters`` is an integer of at least 2."""
        _check_count("Eigengap", "max_clusters", self.max_clusters)


def _check_count(owner: str, name: str, value: object) -> None:
    """Raise unless the value is an integer of at least 2."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 2:
        raise InvalidParameterError(f"{name} of {owner} is {value!r}; give a whole number from 2")
