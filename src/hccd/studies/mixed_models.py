"""Mixed tables of known DAGs.

A graph of n variables has 1.5 n edges at random. Half of the variables are continuous, a sixth each binary, nominal (3
or 4 states) and ordinal (4 or 5). A continuous or ordinal parent acts by its standardised value, a nominal or binary
one by an effect of each state. A continuous child is the sum of effects and normal noise; a binary or ordinal one is a
logistic sum, cut at places at random; a nominal child has a sum for each state and takes the largest (logit).
``curved`` parents act by a function that is no line: |v|, v^2 or tanh(2 v), standardised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.graphs import PDAG
from hccd.tables import Table

Floats = NDArray[np.float64]


def random_mixed(seed: int, n: int, n_rows: int, curved: bool = False) -> tuple[PDAG, Table]:
    """Return a DAG and rows of it."""
    rng = np.random.default_rng([seed, n, n_rows, curved])
    order = rng.permutation(n)
    pairs = np.array([(order[i], order[j]) for i in range(n) for j in range(i + 1, n)], np.int32)
    edges = pairs[np.sort(rng.choice(len(pairs), size=3 * n // 2, replace=False))]
    kinds = rng.choice(["continuous", "binary", "nominal", "ordinal"], p=[1 / 2, 1 / 6, 1 / 6, 1 / 6], size=n)
    columns: list[Any] = [None] * n
    for v in order:
        parents = [columns[x] for x in edges[edges[:, 1] == v, 0]]
        columns[v] = _column(rng, str(kinds[v]), parents, n_rows, curved)
    table = Table.from_columns(
        [f"X{i:02}" for i in range(n)],
        columns,
        categorical=[i for i in range(n) if kinds[i] in ("binary", "nominal")],
        ordinal=[i for i in range(n) if kinds[i] == "ordinal"],
        continuous=[i for i in range(n) if kinds[i] == "continuous"],
    )
    return PDAG.from_edges(n, edges), table


def _column(rng: np.random.Generator, kind: str, parents: Sequence[Any], n_rows: int, curved: bool) -> Any:
    """Draw one column."""
    if kind == "nominal":
        sums = [
            sum((_effect(rng, parent, curved) for parent in parents), np.zeros(n_rows)) * 1.5
            + rng.gumbel(size=n_rows)
            + rng.normal() * 0.3
            for _ in range(rng.integers(3, 5))
        ]
        return np.array([f"s{code}" for code in np.argmax(sums, axis=0)], dtype=object)
    total = sum((_effect(rng, parent, curved) for parent in parents), np.zeros(n_rows))
    if kind == "continuous":
        total = total + rng.normal(size=n_rows)
        return (total - total.mean()) / total.std()
    total = total * 1.5 + rng.logistic(size=n_rows)
    states = 2 if kind == "binary" else int(rng.integers(4, 6))
    shares = np.cumsum(rng.dirichlet(np.full(states, 8.0)))[:-1]
    return np.searchsorted(np.quantile(total, shares), total)


def _effect(rng: np.random.Generator, parent: Any, curved: bool) -> Floats:
    """Return what a parent adds to a child."""
    if parent.dtype == object or len(np.unique(parent)) == 2:
        states, codes = np.unique(parent, return_inverse=True)
        effects = rng.normal(size=len(states))
        effects = (effects - effects.mean()) / effects.std()
        return np.asarray(rng.uniform(0.5, 1.0) * effects[codes])
    values = (parent - parent.mean()) / parent.std()
    if curved:
        values = [np.abs(values), values**2, np.tanh(2.0 * values)][rng.integers(3)]
        values = (values - values.mean()) / values.std()
    return np.asarray(rng.uniform(0.5, 1.0) * rng.choice([-1.0, 1.0]) * values)
