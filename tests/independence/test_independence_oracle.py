"""The oracle against networkx: every question about small DAGs, random ones about larger ones."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import hccd
from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs import PDAG
from hccd.independence.oracle import population_strength
from method_cases import random_dag


def foreign(dag):
    graph = nx.DiGraph(dag.directed_edges().tolist())
    graph.add_nodes_from(range(dag.n))
    return graph


@pytest.mark.parametrize("seed", range(12))
def test_every_question_about_a_small_dag(seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, 6, rng.uniform(0.2, 0.7))
    oracle, graph = hccd.Oracle(dag).bind(), foreign(dag)
    for x, y in combinations(range(6), 2):
        others = [z for z in range(6) if z not in (x, y)]
        for size in range(5):
            for given in combinations(others, size):
                answer = oracle.test(x, y, given)
                assert answer.independent == nx.is_d_separator(graph, {x}, {y}, set(given))
                assert np.isnan(answer.p_value)
                assert given == () or answer.strength == float(not answer.independent)


def test_random_questions_about_a_larger_dag():
    rng = np.random.default_rng(99)
    dag = random_dag(rng, 30, 0.12)
    oracle, graph = hccd.Oracle(dag).bind(), foreign(dag)
    answers = []
    for _ in range(400):
        x, y, *given = rng.permutation(30)[: int(rng.integers(2, 9))].tolist()
        answers.append(oracle.test(x, y, given).independent)
        assert answers[-1] == nx.is_d_separator(graph, {x}, {y}, set(given))
    assert 50 < sum(answers) < 350


@pytest.mark.parametrize("seed", range(8))
def test_strength_is_zero_exactly_where_nothing_connects(seed):
    rng = np.random.default_rng([1, seed])
    dag = random_dag(rng, 12, 0.15)
    oracle = hccd.Oracle(dag).bind()
    marginals = oracle.marginals()
    assert not oracle.has_p_values and marginals.p_value is None
    for x, y in combinations(range(12), 2):
        separated = nx.is_d_separator(foreign(dag), {x}, {y}, set())
        assert marginals.independent[x, y] == separated
        assert (marginals.strength[x, y] < 1e-12) == separated
        assert 0 <= marginals.strength[x, y] < 1


def test_strength_is_a_population_correlation():
    """A chain with weights 1/2: corr(0, 1) = 0.5 / sqrt(1.25), corr(0, 2) = 0.25 / sqrt(1.3125)."""
    strength = population_strength(PDAG.from_edges(3, directed=[(0, 1), (1, 2)]))
    assert strength[0, 1] == pytest.approx(0.5 / np.sqrt(1.25))
    assert strength[0, 2] == pytest.approx(0.25 / np.sqrt(1.3125))
    assert strength[1, 2] == pytest.approx(0.625 / np.sqrt(1.25 * 1.3125))
    assert np.array_equal(strength, strength.T) and not strength.diagonal().any()


def test_only_a_dag_can_be_asked():
    for graph in (
        PDAG.from_edges(3, directed=[(0, 1), (1, 2), (2, 0)]),
        PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)]),
    ):
        with pytest.raises(InvalidGraphError, match="acyclic"):
            hccd.Oracle(graph).bind()
    oracle = hccd.Oracle(PDAG.from_edges(3, directed=[(0, 1)])).bind()
    for question in ((0, 0), (0, 1, (1,)), (0, 3), (0, 1, (2, 2)), (-1, 0)):
        with pytest.raises(InvalidParameterError):
            oracle.test(*question)
