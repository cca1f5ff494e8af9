"""Random discrete Bayesian networks, as a workload: skewed tables, so that dependence is strong but not certain."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.datasets.synthetic import random_dag

#: More parents than this would need more rows than anybody has.
MOST_PARENTS = 4


def sample_discrete_network(
    n: int, connectivity: float, most_states: int, n_rows: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Sample rows from a random network with 2 .. most_states states; columns come in random order.

    Returns the codes and the true DAG, row to column.
    """
    rng = np.random.default_rng(seed)
    drawn = random_dag(n, connectivity, rng).dag
    dag = np.zeros_like(drawn)
    states = rng.integers(2, most_states + 1, n)
    data = np.zeros((n_rows, n), np.int64)
    for child in range(n):
        parents = np.flatnonzero(drawn[:, child])[:MOST_PARENTS]
        dag[parents, child] = True
        row_code = np.zeros(n_rows, np.int64)
        for parent in parents:
            row_code = row_code * states[parent] + data[:, parent]
        tables = rng.dirichlet(np.full(states[child], 0.5), size=int(np.prod(states[parents])))
        levels = np.cumsum(tables, axis=1)[row_code, :-1]
        data[:, child] = (rng.random(n_rows)[:, None] > levels).sum(axis=1)
    order = rng.permutation(n)
    return data[:, order], dag[np.ix_(order, order)]
