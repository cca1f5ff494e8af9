"""The cases of the checks: random graphs and trees, tables drawn from them, and an oracle that counts its answers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hccd.clustering import ClusterTree
from hccd.graphs import PDAG
from hccd.independence import BoundCITest, CIResult
from hccd.independence.oracle import BoundOracle

#: What the columns of a table are.
Columns = Literal["continuous", "discrete"]


def require(kept: bool, promise: str) -> None:
    """Say which promise is broken, if it is."""
    if not kept:
        raise AssertionError(promise)


def random_dag(rng: np.random.Generator, n: int, neighbours: float) -> PDAG:
    """Return a DAG of a random order, with so many neighbours on average."""
    order = rng.permutation(n).tolist()
    arcs = [pair for pair in combinations(order, 2) if rng.random() < neighbours / max(n - 1, 1)]
    return PDAG.from_edges(n, directed=arcs)


def random_tree(rng: np.random.Generator, n: int) -> ClusterTree:
    """Return clusters within clusters, divided at random."""

    def divided(variables: NDArray[np.int64]) -> list[Any]:
        if len(variables) < 4:
            return list(variables.tolist())
        cut = int(rng.integers(1, len(variables)))
        return [divided(variables[:cut]), divided(variables[cut:])]

    return ClusterTree.from_nested(divided(rng.permutation(n)))


def sample(rng: np.random.Generator, dag: PDAG, n_rows: int, columns: Columns) -> NDArray[Any]:
    """Draw rows: a linear Gaussian model, or the same cut into three states variable by variable."""
    order = dag.topological_order()
    assert order is not None
    rows = rng.standard_normal((n_rows, dag.n))
    for v in order:
        for parent in dag.parents(v):
            rows[:, v] += rng.choice([-1.0, 1.0]) * rng.uniform(0.8, 1.2) * rows[:, parent]
        if columns == "discrete":
            # What follows depends on the states only, so that they separate as the graph says.
            rows[:, v] = np.searchsorted(np.quantile(rows[:, v], [1 / 3, 2 / 3]), rows[:, v]) - 1.0
    return (rows + 1.0).astype(np.int64) if columns == "discrete" else rows


class CountedOracle(BoundCITest):
    """The truth about a graph, which counts the questions; one of them may be told to fail."""

    has_p_values = False

    def __init__(self, dag: PDAG, fails_at: int | None = None) -> None:
        self.truth = BoundOracle(dag)
        self.asked: list[int] = []
        self.fails_at = fails_at

    @property
    def n_variables(self) -> int:
        """The nodes of the graph."""
        return self.truth.n_variables

    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Answer by the graph."""
        self.asked.append(len(given))
        if self.fails_at == len(self.asked) - 1:
            raise OutOfOrderError
        return self.truth.test(x, y, given)

    def describe(self) -> dict[str, object]:
        """Name only."""
        return {"name": "oracle"}


class OutOfOrderError(Exception):
    """What a test raises that cannot go on."""
