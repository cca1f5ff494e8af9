"""Linear Gaussian networks with names: X_j = a_j + sum_i w_ij X_i + e_j over the parents i of j, with Var e_j = v_j.

`hccd.datasets.synthetic` computes samples and the population covariance of the standardised model, whose noise has
variance 1; this module only scales and shifts them. A noise variance of 0 is refused, because a variable that is a
function of its parents has no Gaussian density.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hccd.datasets.acyclic import acyclic_graph
from hccd.datasets.discrete_network import name_flaw
from hccd.datasets.synthetic import Bools, Floats, LinearGaussian, Seed, random_dag
from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs import PDAG, dag_to_cpdag


@dataclass(frozen=True, eq=False, repr=False)
class GaussianNetwork:
    """A linear Gaussian network.

    Parameters
    ----------
    names : tuple of str
        The variables, in the order of the columns of a sample.
    dag : array of bool, shape (n, n)
        ``dag[i, j]`` is the edge i -> j.
    weights : array of float
        One coefficient for each edge, in the order of ``numpy.nonzero(dag)`` (row by row).
    intercepts, variances : array of float, shape (n,)
        The constant of each variable's equation, and the variance of its noise.

    Raises
    ------
    InvalidParameterError, InvalidGraphError
        The arguments contradict each other, a number is not finite, a variance is not positive, or the graph has a
        cycle.

    Examples
    --------
    >>> network = GaussianNetwork(("a", "b"), [[0, 1], [0, 0]], weights=[2.0], intercepts=[1.0, 0.5], variances=[1, 4])
    >>> network
    GaussianNetwork(2 variables, 1 edge)
    >>> network.mean().tolist(), network.covariance().tolist()
    ([1.0, 2.5], [[1.0, 2.0], [2.0, 8.0]])
    """

    names: tuple[str, ...]
    dag: Bools
    weights: Floats
    intercepts: Floats
    variances: Floats
    _graph: PDAG = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        for part in ("dag", "weights", "intercepts", "variances"):
            values = np.array(getattr(self, part), dtype=np.bool_ if part == "dag" else np.float64)
            values.flags.writeable = False
            object.__setattr__(self, part, values)
        n = len(self.names)
        if flaw := name_flaw(self.names):
            raise InvalidParameterError(f"the names of the variables {flaw}")
        if self.dag.shape != (n, n):
            raise InvalidGraphError(f"the DAG has the shape {self.dag.shape}: give a square matrix for {n} names")
        for part, length in (("weights", self.n_edges), ("intercepts", n), ("variances", n)):
            values = getattr(self, part)
            if values.shape != (length,) or not np.isfinite(values).all():
                raise InvalidParameterError(f"{part} has the shape {values.shape}: give {length} finite numbers")
        if not (self.variances > 0).all():
            raise InvalidParameterError(f"a variance is {self.variances.min()}: give positive numbers")
        object.__setattr__(self, "_graph", acyclic_graph(self.dag))

    @classmethod
    def standard(cls, model: LinearGaussian, names: Sequence[str] | None = None) -> GaussianNetwork:
        """Name the variables of a model with standard normal noise; ``X1`` .. ``Xn`` by default."""
        n = model.dag.shape[0]
        chosen = tuple(f"X{i + 1}" for i in range(n)) if names is None else tuple(names)
        return cls(chosen, model.dag, model.weights, np.zeros(n), np.ones(n))

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return int(np.count_nonzero(self.dag))

    @cached_property
    def _scale(self) -> Floats:
        scale: Floats = np.sqrt(self.variances)
        return scale

    @cached_property
    def _standardised(self) -> LinearGaussian:
        """The model of (X_j - mean_j) / sqrt(v_j), whose noise is standard normal."""
        tails, heads = np.nonzero(self.dag)
        return LinearGaussian(self.dag, self.weights * self._scale[tails] / self._scale[heads])

    def cpdag(self) -> PDAG:
        """Return the CPDAG of the DAG's Markov equivalence class, which is what data can identify."""
        return dag_to_cpdag(self._graph)

    def sample(self, n_rows: int, seed: Seed = None) -> Floats:
        """Draw independent rows.

        Parameters
        ----------
        n_rows : int
            Number of rows.
        seed
            Anything that :func:`numpy.random.default_rng` takes. A generator is used directly.

        Returns
        -------
        numpy.ndarray of float64
            Rows by variables, each column contiguous in memory (Fortran order).
        """
        values = self._standardised.sample(n_rows, seed)
        values *= self._scale
        values += self.mean()
        return values

    def mean(self) -> Floats:
        """Compute the population means."""
        mean = np.array(self.intercepts)
        weights = np.zeros(self.dag.shape)
        weights[self.dag] = self.weights
        for variable in self._graph.topological_order() or ():
            parents = np.flatnonzero(self.dag[:, variable])
            mean[variable] += weights[parents, variable] @ mean[parents]
        return mean

    def covariance(self) -> Floats:
        """Compute the exact population covariance."""
        covariance: Floats = self._standardised.covariance() * self._scale * self._scale[:, None]
        return covariance

    def correlation(self) -> Floats:
        """Compute the exact population correlation matrix."""
        return self._standardised.correlation()

    def __repr__(self) -> str:
        counts = ((len(self.names), "variable"), (self.n_edges, "edge"))
        return f"GaussianNetwork({', '.join(f'{n} {what}' + 's' * (n != 1) for n, what in counts)})"

    def __reduce__(self) -> tuple[object, ...]:
        # Through the constructor: unpickled arrays would be writable.
        return GaussianNetwork, (self.names, self.dag, self.weights, self.intercepts, self.variances)


@dataclass(frozen=True)
class RandomNetwork:
    """A random network, and the number of edges added to connect it."""

    network: GaussianNetwork
    added_edges: int


def random_network(n: int, connectivity: float, seed: int | None = None) -> RandomNetwork:
    """Draw a connected linear Gaussian network as in appendix B1 of the paper, with variables in random order.

    The network has its own random stream, so the same ``seed`` may be used again for its ``sample``.

    Parameters
    ----------
    n : int
        Number of variables; they are called ``X1`` .. ``Xn``.
    connectivity : float
        The expected number of neighbours, from 0 to n - 1.
    seed : int, optional
        The seed of the random numbers; the same seed gives the same network.

    Examples
    --------
    >>> drawn = random_network(100, 3, seed=1)
    >>> drawn.network, drawn.added_edges
    (GaussianNetwork(100 variables, 158 edges), 0)
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed).spawn(1)[0])
    drawn = random_dag(n, connectivity, rng)
    model = LinearGaussian.random(drawn.dag, rng).shuffled(rng)
    return RandomNetwork(GaussianNetwork.standard(model), drawn.added_edges)
