"""Which effects a set of parents gets right: against the criterion with networkx, and against linear models."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_by_definition import as_bits, as_networkx, random_dag, subsets, wrong_effects

from hccd.datasets import LinearGaussian
from hccd.errors import InvalidGraphError
from hccd.graphs import PDAG
from hccd.graphs.dseparation import bits
from hccd.metrics.adjustment import Adjustment


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.floats(0.1, 0.9))
def test_wrong_effects_are_those_of_the_adjustment_criterion(seed: int, n: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, n, density)
    adjustment, graph = Adjustment(dag), as_networkx(dag)
    x = int(rng.integers(n))
    for parents in subsets(y for y in range(n) if y != x):
        assert set(bits(adjustment.wrong(x, as_bits(parents)))) == wrong_effects(graph, x, parents), parents


@pytest.mark.parametrize("seed", range(12))
def test_wrong_effects_are_wrong_in_a_linear_model(seed: int) -> None:
    """Adjusting is regressing: its coefficient must be the total effect, and is generically not if the set is bad."""
    rng = np.random.default_rng(seed)
    n = 5
    dag = random_dag(rng, n, rng.uniform(0.3, 0.9))
    model = LinearGaussian.random(dag.marks.astype(bool), seed=rng, low=0.5, high=1.5)
    weights = np.zeros((n, n))
    weights[model.dag] = model.weights
    effects = np.linalg.inv(np.eye(n) - weights)
    covariance = model.covariance()
    adjustment = Adjustment(dag)
    for x in range(n):
        for parents in subsets(y for y in range(n) if y != x):
            wrong = set()
            for y in set(range(n)) - {x}:
                claimed = 0.0
                if y not in parents:
                    regressors = [x, *parents]
                    claimed = np.linalg.solve(covariance[np.ix_(regressors, regressors)], covariance[regressors, y])[0]
                if abs(claimed - effects[x, y]) > 1e-8:
                    wrong.add(y)
            assert set(bits(adjustment.wrong(x, as_bits(parents)))) == wrong


@pytest.mark.parametrize("graph", [PDAG([[0, 1], [1, 0]]), PDAG([[0, 1, 0], [0, 0, 1], [1, 0, 0]])])
def test_the_true_graph_must_be_a_dag(graph: PDAG) -> None:
    with pytest.raises(InvalidGraphError, match="must be a DAG"):
        Adjustment(graph)
