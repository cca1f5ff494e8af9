"""BIC of a discrete network: the maximum log-likelihood minus half the log number of rows for each parameter.

For variable i with r states, its parents with q states together, N rows, and N_jk of them in which the parents are in
state j and the variable in state k, the score is the sum over i of::

    sum_jk N_jk ln(N_jk / N_j) - 0.5 ln(N) q (r - 1)

Higher is better: as in other packages for structure learning (pgmpy, bnlearn), the score is -1/2 times the BIC of
statistics. All DAGs of one equivalence class have the same score. Continuous data cannot be scored by this function.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from hccd.graphs import pdag_to_dag
from hccd.metrics.pairing import GraphLike, named
from hccd.metrics.sample import Sample, family_counts


def bic(graph: GraphLike, data: Any, *, reference: Any = None) -> float:
    """Score a graph by BIC.

    Parameters
    ----------
    graph : GraphLike
        Any graph with a DAG extension. A CPDAG is scored by one of its DAGs; all have the same score.
    data
        Discrete data: anything that `hccd.tables.as_table` takes. Columns are matched by name if the graph has names,
        and otherwise by order.
    reference
        A source of further states of each variable, as in `bdeu`.

    Returns
    -------
    float
        The score; minus infinity if the number of parameters is too large for a float.

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
    >>> round(bic(linked, data), 3), round(bic(apart, data), 3)
    (-10.385, -16.166)
    """
    pdag, names = named(graph)
    dag = pdag_to_dag(pdag)
    sample = Sample.of(data, names, dag.n, reference)
    return math.fsum(local_bic(sample, x, dag.parents(x)) for x in range(dag.n))


def local_bic(sample: Sample, child: int, parents: Sequence[int]) -> float:
    """Compute the part of the score that belongs to one variable with its parents."""
    joint, marginal, configurations = family_counts(sample, child, parents)
    likelihood = float(np.sum(joint * np.log(joint)) - np.sum(marginal * np.log(marginal)))
    parameters = configurations * (sample.cardinalities[child] - 1)
    try:
        return likelihood - 0.5 * math.log(sample.n_rows) * parameters
    except OverflowError:
        return -math.inf
