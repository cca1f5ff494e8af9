"""Tables and graphs that the tests of the fit share."""

from __future__ import annotations

import numpy as np

from hccd.fit.numbers import FOLDS, Numbers
from hccd.graphs import PDAG


def standard(values):
    return (values - values.mean(axis=1, keepdims=True)) / values.std(axis=1, keepdims=True)


def numbers(values):
    """Columns as rows, one for each variable."""
    n, rows = values.shape
    return Numbers(standard(values), np.arange(n + 1), np.ones(n, np.int64), np.ones(n, bool), np.arange(rows) % FOLDS)


def linear(n, rows, seed, neighbours=3.0):
    """Return columns as rows, and the DAG behind them."""
    rng = np.random.default_rng(seed)
    dag = np.triu(rng.random((n, n)) < neighbours / (n - 1), 1)
    weights = np.where(dag, rng.uniform(0.4, 0.9, (n, n)) * rng.choice((-1, 1), (n, n)), 0.0)
    values = np.zeros((n, rows))
    for y in range(n):
        values[y] = weights[:, y] @ values + rng.normal(size=rows)
    return values, PDAG.from_edges(n, np.argwhere(dag))
