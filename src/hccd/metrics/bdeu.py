"""BDeu: the logarithm of the probability of data given a network, averaged over all its parameters.

For variable i with r states, its parents with q states together, and N_jk rows in which the parents are in state j and
the variable in state k, the score is the sum over i and j of::

    lnG(a/q) - lnG(a/q + N_j) + sum_k ( lnG(a/(r q) + N_jk) - lnG(a/(r q)) )

where lnG is the logarithm of the gamma function and a the equivalent sample size (Heckerman, Geiger and Chickering
1995; section 4.3 of the paper). Higher is better. All DAGs of one equivalence class have the same score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG, pdag_to_dag
from hccd.metrics.pairing import GraphLike, named
from hccd.metrics.sample import Sample, family_counts


def bdeu(graph: GraphLike, data: Any, *, ess: float = 1.0, reference: Any = None) -> float:
    """Score a graph by BDeu.

    Parameters
    ----------
    graph : GraphLike
        Any graph with a DAG extension. A CPDAG is scored by one of its DAGs; all have the same score.
    data
        Discrete data: anything that `hccd.tables.as_table` takes. Columns are matched by name if the graph has names,
        and otherwise by order.
    ess : float
        The equivalent sample size: the weight of the prior, in rows. Its default differs between programs: it is 1 in
        the paper's experiments and in bnlearn, 10 in pgmpy and Tetrad.
    reference
        A source of further states of each variable: the table from which the graph was learned, or a mapping from
        names to lists of states.

    Returns
    -------
    float
        The score, a natural logarithm.

    Raises
    ------
    NotExtendableError
        If the graph has no DAG extension.
    InvalidDataError
        If the data lack a variable or are not discrete.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> data = {"coin": [0, 1] * 5, "copy": [0, 1] * 5}
    >>> linked, apart = PDAG.from_edges(2, undirected=[(0, 1)]), PDAG.empty(2)
    >>> round(bdeu(linked, data), 3), round(bdeu(apart, data), 3)
    (-10.558, -16.667)
    """
    pdag, names = named(graph)
    return BDeu(Sample.of(data, names, pdag.n, reference), ess).of(pdag)


class BDeu:
    """BDeu of many graphs on the same rows. Each variable with its parents is scored once.

    Parameters
    ----------
    sample : Sample
        The rows.
    ess : float
        The equivalent sample size.
    """

    def __init__(self, sample: Sample, ess: float = 1.0) -> None:
        if not 0 < ess < math.inf:
            raise InvalidParameterError(f"The equivalent sample size is {ess}: give a number above 0, for example 1.")
        self.sample = sample
        self.ess = ess
        self._families: dict[tuple[int, tuple[int, ...]], float] = {}

    def of(self, graph: PDAG) -> float:
        """Score a graph by one of its DAGs."""
        dag = pdag_to_dag(graph)
        return math.fsum(self.family(x, dag.parents(x)) for x in range(dag.n))

    def family(self, child: int, parents: Sequence[int]) -> float:
        """Return the part of the score that belongs to one variable with its parents."""
        key = child, tuple(sorted(parents))
        if key not in self._families:
            joint, marginal, configurations = family_counts(self.sample, *key)
            log_prior = math.log(self.ess) - math.log(configurations)
            own = log_prior - math.log(self.sample.cardinalities[child])
            self._families[key] = float(np.sum(_log_rising(own, joint)) - np.sum(_log_rising(log_prior, marginal)))
        return self._families[key]


def _log_rising(log_x: float, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return lnG(x + n) - lnG(x), from the logarithm of x: a prior spread over many states is a tiny x."""
    from scipy.special import gammaln

    x = math.exp(log_x)
    # lnG(x) = lnG(1 + x) - ln x.
    rising: NDArray[np.float64] = gammaln(x + counts) - gammaln(1.0 + x) + log_x
    return rising
