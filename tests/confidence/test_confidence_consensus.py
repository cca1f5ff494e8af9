"""The consensus graph: valid whatever the probabilities are, and the graph itself where all resamples agree."""

import numpy as np
import pytest
from confidence_cases import table
from hypothesis import given
from hypothesis import strategies as st

import hccd
from hccd.graphs import PDAG, check_validity, dag_to_cpdag
from hccd.graphs.constraints import Constraints
from hccd.result.confidence import Confidence
from hccd.result.consensus import consensus


def random_confidence(rng, n, density):
    pairs = np.argwhere(np.triu(rng.random((n, n)) < density, 1))
    shares = rng.dirichlet([0.5] * 4, len(pairs))[:, :3].reshape(-1, 3)
    return Confidence(pairs.astype(np.int64), shares, 100)


@given(st.integers(0, 2**32 - 1), st.integers(2, 9), st.floats(0.1, 1.0), st.floats(0.05, 1.0))
def test_it_is_a_valid_cpdag(seed, n, density, threshold):
    rng = np.random.default_rng(seed)
    own = random_confidence(rng, n, density)
    graph = consensus(own, threshold, np.arange(n))
    assert check_validity(graph).valid
    from hccd.graphs import pdag_to_dag

    assert dag_to_cpdag(pdag_to_dag(graph)) == graph
    there = {
        tuple(pair) for pair, row in zip(own.pairs.tolist(), own.probabilities, strict=True) if row.sum() >= threshold
    }
    assert set(map(tuple, graph.skeleton().edges.tolist())) == there


@given(st.integers(0, 2**32 - 1), st.integers(3, 8))
def test_it_agrees_with_what_is_known(seed, n):
    rng = np.random.default_rng(seed)
    rank = rng.integers(0, 3, n)
    forbidden = rank[:, None] > rank[None, :]
    adjacent = np.zeros((n, n), bool)
    x, y = np.argsort(rank, kind="stable")[[0, -1]]
    adjacent[x, y] = adjacent[y, x] = True
    known = Constraints(forbidden, adjacent)
    graph = consensus(random_confidence(rng, n, 0.6), 0.4, rng.permutation(n), known)
    assert check_validity(graph).valid
    assert graph.skeleton().has_edge(int(x), int(y))
    assert not forbidden[tuple(graph.directed_edges().T)].any()


@given(st.integers(0, 2**32 - 1))
def test_where_all_resamples_agree_it_is_their_graph(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    dag = np.triu(rng.random((n, n)) < 0.4, 1)
    order = rng.permutation(n)
    graph = dag_to_cpdag(PDAG(dag[np.ix_(order, order)]))
    rows = {tuple(pair): [0, 0, 1] for pair in graph.undirected_edges().tolist()}
    rows |= {(min(i, j), max(i, j)): [i < j, i > j, 0] for i, j in graph.directed_edges().tolist()}
    pairs = sorted(rows)
    own = Confidence(
        np.array(pairs, np.int64).reshape(-1, 2), np.array([rows[p] for p in pairs], float).reshape(-1, 3), 10
    )
    assert consensus(own, 0.5, rng.permutation(n)) == graph


@pytest.mark.parametrize("threshold", [0, 1.5, "half", float("nan")])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(hccd.errors.InvalidParameterError, match="probability"):
        hccd.discover(table("numbers"), bootstrap=3).consensus(threshold)


def test_without_resamples_there_is_none():
    with pytest.raises(hccd.errors.InvalidParameterError, match="bootstrap=100"):
        hccd.discover(table("numbers"), bootstrap="none").consensus()
