"""Knowledge that is true, with a perfect test: the result is what enumeration of all DAGs concludes."""

from __future__ import annotations

import numpy as np
import pytest
from knowledge_cases import exact_cases, names_of, random_knowledge

import hccd
from hccd.graphs import check_validity
from hccd.graphs.equivalence import dag_to_cpdag
from method_cases import random_dag, random_tree


def learned(dag, knowledge, **options):
    return hccd.discover(hccd.Oracle(dag).bind(), names=names_of(dag.n), knowledge=knowledge, **options)


def test_the_cases_are_worth_the_name():
    told = [len(graph.directed_edges()) - len(dag_to_cpdag(dag).directed_edges()) for _, dag, _, graph in exact_cases()]
    assert np.mean(np.array(told) > 0) > 0.4 and max(told) >= 5
    assert any(len(graph.undirected_edges()) for *_, graph in exact_cases())


@pytest.mark.parametrize("colliders", ["separating-set", "conservative", "max-p"])
def test_the_result_is_what_enumeration_concludes(colliders):
    for seed, dag, knowledge, graph in exact_cases():
        result = learned(dag, knowledge, colliders=colliders)
        assert result.graph == graph, f"case {seed}"
        assert not result.conflicts, f"case {seed}"
        assert check_validity(result.graph).valid
        for arrow in result.graph.directed_edges().tolist():
            assert result.reasons[tuple(arrow)]


@pytest.mark.parametrize("stable", [True, False], ids=["stable", "original"])
def test_larger_graphs_and_any_clusters(stable):
    for seed in range(120):
        rng = np.random.default_rng([1914, seed])
        n = 6 + seed % 9
        dag = random_dag(rng, n, 2.5 / (n - 1))
        knowledge = random_knowledge(rng, dag)
        result = learned(dag, knowledge, tree=random_tree(rng, n), baseline=hccd.PC(stable=stable))
        constraints = knowledge.constraints(result.names)
        assert result.skeleton == dag.skeleton(), f"case {seed}"
        assert not result.conflicts and check_validity(result.graph).valid
        arrows = result.graph.directed_edges()
        assert not constraints.forbidden[arrows[:, 0], arrows[:, 1]].any()
        required = {tuple(pair) for pair in np.argwhere(constraints.required).tolist()}
        assert required <= set(map(tuple, arrows.tolist()))
        truth = set(map(tuple, dag.directed_edges().tolist()))
        assert set(map(tuple, arrows.tolist())) <= truth


def test_settled_pairs_are_not_asked_by_the_search():
    asked = set()

    class Listening(hccd.BoundCITest):
        def __init__(self, inner):
            self.inner = inner

        @property
        def n_variables(self):
            return self.inner.n_variables

        def test(self, x, y, given):
            if given:
                asked.add((min(x, y), max(x, y)))
            return self.inner.test(x, y, given)

    dag = hccd.PDAG.from_edges(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)])
    options = {"names": names_of(5), "method": "pc", "colliders": "separating-set"}
    hccd.learn_skeleton(Listening(hccd.Oracle(dag).bind()), names=names_of(5), method="pc")
    assert {(0, 2), (0, 1)} <= asked
    asked.clear()
    knowledge = hccd.Knowledge(forbidden=[("V0", "V2"), ("V2", "V0")], required=[("V0", "V1")])
    result = hccd.learn_skeleton(
        Listening(hccd.Oracle(dag).bind()), names=names_of(5), method="pc", knowledge=knowledge
    )
    assert not {(0, 2), (0, 1)} & asked
    assert result.skeleton == dag.skeleton()
    assert result.parameters["settled_pairs"] == {"absent": 1, "present": 1}
    assert hccd.discover(Listening(hccd.Oracle(dag).bind()), knowledge=knowledge, **options).graph.n == 5


def test_wrong_knowledge_is_followed_nevertheless():
    """Whatever the data say: forbidden is absent, required is there, the graph is valid."""
    for seed in range(150):
        rng = np.random.default_rng([1915, seed])
        n = 4 + seed % 6
        dag, other = random_dag(rng, n, 0.4), random_dag(rng, n, 0.4)
        knowledge = random_knowledge(rng, other)
        result = learned(dag, knowledge)
        constraints = knowledge.constraints(result.names)
        assert check_validity(result.graph).valid, f"case {seed}"
        arrows = result.graph.directed_edges()
        assert not constraints.forbidden[arrows[:, 0], arrows[:, 1]].any(), f"case {seed}"
        edges = {tuple(pair) for pair in result.skeleton.edges.tolist()}
        assert {(x, y) for x, y in np.argwhere(constraints.adjacent).tolist() if x < y} <= edges, f"case {seed}"


def test_forbidden_directions_around_a_triangle_leave_no_cycle():
    dag = hccd.PDAG.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    knowledge = hccd.Knowledge(forbidden=[("V0", "V1"), ("V1", "V2"), ("V2", "V0")])
    result = learned(dag, knowledge)
    assert len(result.skeleton.edges) == 2 and check_validity(result.graph).valid
