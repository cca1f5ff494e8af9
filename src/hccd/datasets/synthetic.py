"""Random DAGs and linear Gaussian models on them, as in appendix B1 of the paper.

A DAG has an edge i -> j (i < j) with probability rho / (n - 1), independently, and is drawn again until it is weakly
connected; weights are uniform on [0.1, 1] and the noise is standard normal. When n is large, connected DAGs of this
kind are very rare (about one in 1e22 at rho = 3, n = 1000). So after a given number of tries the components of the
last draw are joined by random edges, and their number is reported.

DAGs are boolean matrices, row to column. This module does not generate discrete data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidGraphError, InvalidParameterError

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Seed = int | np.random.SeedSequence | np.random.Generator | None


@dataclass(frozen=True, eq=False)
class RandomDAG:
    """A random DAG.

    Attributes
    ----------
    dag
        Boolean matrix, upper triangular; ``dag[i, j]`` is the edge i -> j.
    added_edges
        The number of edges that were added to connect the DAG; 0 if none was needed.
    """

    dag: Bools
    added_edges: int


def random_dag(
    n: int, connectivity: float, seed: Seed = None, *, connected: bool = True, tries: int = 100
) -> RandomDAG:
    """Draw a DAG over ``n`` variables whose expected number of neighbours is ``connectivity``.

    Parameters
    ----------
    n
        Number of variables.
    connectivity
        The paper's rho, from 0 to n - 1.
    seed
        Anything that :func:`numpy.random.default_rng` takes. A generator is used directly.
    connected
        Draw again until the DAG is weakly connected.
    tries
        The number of draws after which the components of the last DAG are joined, each by one random edge.

    Raises
    ------
    InvalidParameterError
        A number is out of range.

    Examples
    --------
    >>> drawn = random_dag(20, 3, seed=1)
    >>> drawn.dag.shape, drawn.added_edges
    ((20, 20), 0)
    """
    if n < 1:
        raise InvalidParameterError(f"a DAG of {n} variables is requested: give 1 or more")
    if not 0 <= connectivity <= max(n - 1, 0):
        raise InvalidParameterError(
            f"connectivity is {connectivity}, the expected number of neighbours: give 0 to {n - 1} for {n} variables"
        )
    if tries < 1:
        raise InvalidParameterError(f"tries is {tries}: give 1 or more")
    rng = np.random.default_rng(seed)
    added = 0
    for _ in range(tries):
        tails, heads = _bernoulli_edges(n, connectivity / max(n - 1, 1), rng)
        labels = _components(n, tails, heads) if connected else np.zeros(n, dtype=np.intp)
        if labels.max() == 0:
            break
    else:
        new_tails, new_heads = _joining_edges(labels, rng)
        tails, heads = np.append(tails, new_tails), np.append(heads, new_heads)
        added = new_tails.size
    dag = np.zeros((n, n), dtype=np.bool_)
    dag[tails, heads] = True
    dag.flags.writeable = False
    return RandomDAG(dag, added)


def _bernoulli_edges(n: int, probability: float, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Draw each cell of the upper triangle with the same probability.

    The number of edges is binomial and, given it, every set of cells is equally likely: the same distribution
    as n (n - 1) / 2 coins, without throwing them.
    """
    pairs = n * (n - 1) // 2
    chosen = rng.choice(pairs, size=rng.binomial(pairs, probability), replace=False) if pairs else np.empty(0, int)
    # Cells counted column by column: the cells above column j are those before j (j - 1) / 2. The root of a
    # rounded number may be off by one.
    heads = ((1 + np.sqrt(1 + 8 * chosen.astype(np.float64))) / 2).astype(np.intp)
    heads -= heads * (heads - 1) // 2 > chosen
    heads += heads * (heads + 1) // 2 <= chosen
    tails = chosen - heads * (heads - 1) // 2
    return tails.astype(np.intp), heads


def _components(n: int, tails: Ints, heads: Ints) -> Ints:
    """Label the weakly connected components from 0."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(tails.size, dtype=np.int8), (tails, heads)), shape=(n, n))
    return connected_components(graph, directed=False)[1].astype(np.intp)  # type: ignore[no-any-return]


def _joining_edges(labels: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Draw one edge for each component after the first: a random variable of it with one already joined."""
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(1, labels.max() + 1))
    ends = np.append(starts[1:], labels.size)
    one = order[rng.integers(0, starts)]
    other = order[rng.integers(starts, ends)]
    return np.minimum(one, other), np.maximum(one, other)


@dataclass(frozen=True, eq=False)
class LinearGaussian:
    """A linear model with standard normal noise: X_j = sum_i w_ij X_i + e_j over the parents i of j.

    Attributes
    ----------
    dag
        Boolean matrix, ``dag[i, j]`` is the edge i -> j; the variables may have any order.
    weights
        One number for each edge, in the order of ``numpy.nonzero(dag)`` (row by row).
    """

    dag: Bools
    weights: Floats

    def __post_init__(self) -> None:
        edges = int(np.count_nonzero(self.dag))
        if self.dag.ndim != 2 or self.dag.shape[0] != self.dag.shape[1]:
            raise InvalidGraphError(f"the DAG has the shape {self.dag.shape}: give a square matrix")
        if self.weights.shape != (edges,):
            raise InvalidParameterError(
                f"the weights have the shape {self.weights.shape}: give one number for each of the {edges} edges"
            )
        for field, values in (
            ("dag", self.dag.astype(np.bool_)),
            ("weights", self.weights.astype(np.float64)),
        ):
            values.flags.writeable = False
            object.__setattr__(self, field, values)

    @classmethod
    def random(cls, dag: Bools, seed: Seed = None, low: float = 0.1, high: float = 1.0) -> LinearGaussian:
        """Draw the weights uniformly from ``low`` to ``high``, all positive by default as in the paper."""
        rng = np.random.default_rng(seed)
        return cls(dag, rng.uniform(low, high, size=int(np.count_nonzero(dag))))

    def sample(self, n_samples: int, seed: Seed = None) -> Floats:
        """Draw ``n_samples`` independent rows.

        Returns
        -------
        numpy.ndarray
            Rows by variables, each column contiguous in memory (Fortran order).
        """
        if n_samples < 1:
            raise InvalidParameterError(f"{n_samples} samples are requested: give 1 or more")
        rng = np.random.default_rng(seed)
        values = rng.standard_normal((self.dag.shape[0], n_samples))
        by_child = self._weights_by_child()
        for level in self._levels():
            # Parents lie in earlier levels, so their rows are final; a variable's own row is still its noise.
            values[level] += by_child[level] @ values
        return values.T

    def covariance(self) -> Floats:
        """Compute the exact population covariance, (I - W)^-T (I - W)^-1.

        The inverse is not formed: in causal order each row of the matrix is the weighted sum of the rows of
        the parents, which costs n operations for each edge.
        """
        n = self.dag.shape[0]
        order = np.concatenate([*self._levels(), np.empty(0, dtype=np.intp)])
        by_child = self._weights_by_child()[order][:, order]
        covariance = np.zeros((n, n))
        for j in range(n):
            start, end = by_child.indptr[j], by_child.indptr[j + 1]
            parents, weights = by_child.indices[start:end], by_child.data[start:end]
            row = weights @ covariance[parents, :j]
            covariance[j, :j] = row
            covariance[:j, j] = row
            covariance[j, j] = 1.0 + row[parents] @ weights
        back = np.empty(n, dtype=np.intp)
        back[order] = np.arange(n)
        return covariance[np.ix_(back, back)]

    def correlation(self) -> Floats:
        """Compute the exact population correlation matrix."""
        covariance = self.covariance()
        scale = 1.0 / np.sqrt(np.diagonal(covariance))
        correlation: Floats = covariance * scale * scale[:, None]
        np.fill_diagonal(correlation, 1.0)
        return correlation

    def shuffled(self, seed: Seed = None) -> LinearGaussian:
        """Put the variables into a random order, so that their order does not reveal the causal order."""
        rng = np.random.default_rng(seed)
        order = rng.permutation(self.dag.shape[0])
        dense = np.zeros(self.dag.shape)
        dense[self.dag] = self.weights
        dag = self.dag[np.ix_(order, order)]
        return LinearGaussian(dag, dense[np.ix_(order, order)][dag])

    def _weights_by_child(self) -> Any:
        """Sparse matrix of weights, one row for each child, columns sorted."""
        from scipy.sparse import csr_array

        tails, heads = np.nonzero(self.dag)
        matrix = csr_array((self.weights, (heads, tails)), shape=self.dag.shape)
        matrix.sort_indices()
        return matrix

    def _levels(self) -> list[Ints]:
        """Group the variables by the length of the longest path into them; parents come in earlier groups."""
        waiting = self.dag.sum(axis=0)
        level = np.flatnonzero(waiting == 0)
        levels, placed = [], 0
        while level.size:
            levels.append(level)
            placed += level.size
            freed = self.dag[level].sum(axis=0)
            waiting = waiting - freed
            level = np.flatnonzero((waiting == 0) & (freed > 0))
        if placed < self.dag.shape[0]:
            raise InvalidGraphError("the graph has a directed cycle: give an acyclic one")
        return levels
