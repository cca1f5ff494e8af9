"""Knowledge in the search by a score: forbidden is absent, required is there, and nothing better is missed."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from knowledge_cases import names_of, random_knowledge

import hccd
from hccd.graphs import PDAG, check_validity
from hccd.independence import FisherZ, GTest
from hccd.scoring import CandidateParents, most_parents, search_dag
from method_cases import random_dag, random_tree


def gaussian(rng, dag, rows):
    values = np.zeros((rows, dag.n))
    for v in dag.topological_order():
        values[:, v] = rng.normal(size=rows)
        for u in dag.parents(v):
            values[:, v] += rng.choice([-1, 1]) * rng.uniform(0.4, 1.0) * values[:, u]
    return values


def states(rng, dag, rows):
    values = np.zeros((rows, dag.n), int)
    for v in dag.topological_order():
        weight = sum((values[:, u] * rng.choice([-2, 2]) for u in dag.parents(v)), np.zeros(rows))
        values[:, v] = (weight + rng.normal(size=rows) > 0) + (weight + rng.normal(size=rows) > 1)
    return values


def obeys(graph, constraints):
    arrows = graph.directed_edges()
    edges = {(x, y) for x, y in graph.skeleton().edges.tolist()}
    free = [
        (x, y)
        for x, y in graph.undirected_edges().tolist()
        if constraints.forbidden[x, y] or constraints.forbidden[y, x]
    ]
    return (
        not free
        and not constraints.forbidden[arrows[:, 0], arrows[:, 1]].any()
        and {(x, y) for x, y in np.argwhere(constraints.adjacent).tolist() if x < y} <= edges
    )


@pytest.mark.parametrize("draw", [gaussian, states])
@pytest.mark.parametrize("truth", [True, False], ids=["true", "wrong"])
def test_the_graph_obeys(draw, truth):
    for seed in range(40):
        rng = np.random.default_rng([31, seed])
        n = 4 + seed % 8
        dag = random_dag(rng, n, 2.5 / (n - 1))
        knowledge = random_knowledge(rng, dag if truth else random_dag(rng, n, 2.5 / (n - 1)))
        result = hccd.discover(draw(rng, dag, 300), names=names_of(n), knowledge=knowledge)
        assert result.score is not None
        assert obeys(result.graph, knowledge.constraints(result.names)), f"case {seed}"
        assert check_validity(result.graph).valid, f"case {seed}"


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
@pytest.mark.parametrize("draw", [gaussian, states])
def test_a_search_without_tests_obeys(draw):
    for seed in range(30):
        rng = np.random.default_rng([33, seed])
        n = 5 + seed % 7
        dag = random_dag(rng, n, 2.5 / (n - 1))
        knowledge = random_knowledge(rng, dag if seed % 2 else random_dag(rng, n, 2.5 / (n - 1)))
        data = draw(rng, dag, 300)
        if not knowledge.tells_apart("V0", "V1"):
            # A copy hangs on its original, and on nothing else.
            data[:, 1] = data[:, 0]
        for options in ({"method": "score"}, {"baseline": "score", "tree": random_tree(rng, n)}):
            result = hccd.discover(data, names=names_of(n), knowledge=knowledge, **options)
            assert obeys(result.graph, knowledge.constraints(result.names)), f"case {seed}"
            assert check_validity(result.graph).valid, f"case {seed}"
            assert len(result.tests.by_order) == 1 and not result.parameters.get("pairs_spared")


def best_of_all(families, price, n, constraints):
    """The highest score over all DAGs that agree with the constraints: all orders, all sets of parents."""
    value = {}
    for y in range(n):
        others = [x for x in range(n) if x != y]
        for chosen in product((False, True), repeat=n - 1):
            parents = [x for x, one in zip(others, chosen, strict=True) if one]
            if not constraints.forbidden[parents, y].any():
                value[y, frozenset(parents)] = families.score(y, np.array(parents, np.int32)) - price * len(parents)
    best = -np.inf
    for order in permutations(range(n)):
        total = 0.0
        for i, y in enumerate(order):
            before = frozenset(order[:i])
            must = frozenset(x for x in before if constraints.adjacent[x, y])
            fixed = frozenset(np.flatnonzero(constraints.required[:, y]).tolist())
            if not fixed <= before or constraints.forbidden[list(must), y].any():
                break
            total += max(score for (v, s), score in value.items() if v == y and must <= s <= before)
        else:
            best = max(best, total)
    return best


@pytest.mark.parametrize("test", [FisherZ(), GTest()], ids=["bic", "bd"])
def test_no_allowed_dag_scores_higher(test):
    reached = 0
    for seed in range(12):
        rng = np.random.default_rng([32, seed])
        n = 5
        dag = random_dag(rng, n, 0.5)
        constraints = random_knowledge(rng, random_dag(rng, n, 0.5)).constraints(names_of(n))
        data = (gaussian if isinstance(test, FisherZ) else states)(rng, dag, 200)
        arrows = np.argwhere(constraints.required)
        both = np.argwhere(constraints.adjacent & ~constraints.required & ~constraints.required.T)
        order = PDAG.from_edges(n, arrows).topological_order()
        place = {v: i for i, v in enumerate(order)}
        turned = [(x, y) for x, y in both.tolist() if place[x] < place[y]]
        start = PDAG.from_edges(n, np.array([*arrows.tolist(), *turned], np.int32).reshape(-1, 2))
        families = test.bind(data).families(most_parents(start, constraints))
        if isinstance(test, FisherZ):
            candidates = CandidateParents.everybody(n, 200, constraints)
        else:
            candidates = CandidateParents.of(families, np.zeros((n, n), bool), start, n, constraints=constraints)
        found = search_dag(families, candidates, start)
        assert obeys(found.dag, constraints), f"case {seed}"
        best = best_of_all(families, candidates.price, n, constraints)
        assert found.after <= best + 1e-6
        reached += found.after >= best - (2.0 if isinstance(test, GTest) else 1e-6)
    assert reached >= 11


def test_a_required_parent_is_kept_though_it_says_nothing():
    rng = np.random.default_rng(5)
    table = rng.normal(size=(200, 6))
    result = hccd.discover(table, names=names_of(6), knowledge=hccd.Knowledge(required=[("V3", "V0"), ("V5", "V0")]))
    assert result.edges() == [("V3", "V0", "directed"), ("V5", "V0", "directed")]
    assert "your knowledge" in result.explain("V0", "V3")


def test_knowledge_that_says_nothing_new_loses_nothing():
    """The search may then find what it missed without, but the graph is the same where it does not."""
    same = 0
    for seed in range(12):
        rng = np.random.default_rng([6, seed])
        table = gaussian(rng, random_dag(rng, 12, 0.3), 500)
        plain = hccd.discover(table, names=names_of(12))
        arrows = plain.graph.directed_edges().tolist()
        assert arrows
        knowledge = hccd.Knowledge(required=[(f"V{x}", f"V{y}") for x, y in arrows])
        known = hccd.discover(table, names=names_of(12), knowledge=knowledge)
        assert known.score.after >= plain.score.after - 1e-6
        same += known.graph == plain.graph
    assert same >= 10
