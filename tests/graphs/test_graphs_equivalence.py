"""Equivalence classes against enumeration and causal-learn; extensions against enumeration of all graphs."""

from __future__ import annotations

import time
from collections import defaultdict

import numpy as np
import pytest
from graphs_by_definition import (
    Arcs,
    adjacencies,
    agreed,
    all_dags,
    all_pdags,
    arcs_of,
    class_key,
    colliders,
    random_dag,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from hccd.errors import InvalidGraphError, NotExtendableError
from hccd.graphs import PDAG, dag_to_cpdag, markov_equivalent, pdag_to_dag, v_structures


def classes(n: int) -> dict[object, list[Arcs]]:
    found: dict[object, list[Arcs]] = defaultdict(list)
    for dag in all_dags(n):
        found[class_key(dag)].append(dag)
    return found


# The numbers of DAGs (OEIS A003024) and of Markov equivalence classes (A007984).
@pytest.mark.parametrize(("n", "n_dags", "n_classes"), [(1, 1, 1), (2, 3, 2), (3, 25, 11), (4, 543, 185)])
def test_every_cpdag_is_what_its_members_agree_on(n: int, n_dags: int, n_classes: int) -> None:
    groups = classes(n)
    results = set()
    for members in groups.values():
        expected = agreed(n, members)
        for dag in members:
            assert dag_to_cpdag(PDAG.from_edges(n, list(dag))) == expected
        results.add(expected)
    assert sum(map(len, groups.values())) == n_dags
    assert len(groups) == len(results) == n_classes


def test_cpdags_of_five_variables_are_what_their_members_agree_on() -> None:
    groups = classes(5)
    assert len(groups) == 8782
    rng = np.random.default_rng(0)
    keys = list(groups)
    for k in rng.choice(len(keys), size=1500, replace=False):
        members = groups[keys[k]]
        dag = members[rng.integers(len(members))]
        assert dag_to_cpdag(PDAG.from_edges(5, list(dag))) == agreed(5, members)


def causal_learn_cpdag(dag: PDAG) -> PDAG:
    from causallearn.graph.Dag import Dag
    from causallearn.graph.GraphNode import GraphNode
    from causallearn.utils.DAG2CPDAG import dag2cpdag

    nodes = [GraphNode(f"X{i}") for i in range(dag.n)]
    theirs = Dag(nodes)
    for i, j in dag.directed_edges().tolist():
        theirs.add_directed_edge(nodes[i], nodes[j])
    ends = dag2cpdag(theirs).graph
    # causal-learn writes the mark at j of the edge i, j into [j, i]: 1 an arrow head, -1 a tail.
    heads = np.argwhere((ends == 1) & (ends.T == -1))[:, ::-1]
    tails = np.argwhere(np.triu((ends == -1) & (ends.T == -1)))
    return PDAG.from_edges(dag.n, heads, tails)


@pytest.mark.parametrize("n", [6, 10, 15])
def test_cpdags_agree_with_causal_learn(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(12):
        dag = random_dag(rng, n, rng.uniform(0.1, 0.5))
        assert dag_to_cpdag(dag) == causal_learn_cpdag(dag)


def test_every_graph_of_four_variables_is_extended_if_and_only_if_a_dag_exists() -> None:
    by_skeleton: dict[object, list[Arcs]] = defaultdict(list)
    for dag in all_dags(4):
        by_skeleton[adjacencies(dag)].append(dag)
    n_extendable = n_graphs = 0
    for directed, undirected in all_pdags(4):
        n_graphs += 1
        adjacent = adjacencies(directed | undirected)
        kept = colliders(directed, adjacent)
        extensions = {dag for dag in by_skeleton[adjacent] if directed <= dag and colliders(dag, adjacent) == kept}
        graph = PDAG.from_edges(4, list(directed), list(undirected))
        assert set(v_structures(graph)) == kept
        if extensions:
            n_extendable += 1
            assert arcs_of(pdag_to_dag(graph)) in extensions
        else:
            with pytest.raises(NotExtendableError):
                pdag_to_dag(graph)
    assert n_graphs == 4**6
    assert 543 < n_extendable < n_graphs


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 25), st.floats(0.05, 0.7))
def test_the_extension_of_a_cpdag_is_in_its_class(seed: int, n: int, density: float) -> None:
    dag = random_dag(np.random.default_rng(seed), n, density)
    cpdag = dag_to_cpdag(dag)
    extension = pdag_to_dag(cpdag)
    assert extension.is_dag()
    assert class_key(arcs_of(extension)) == class_key(arcs_of(dag))
    assert dag_to_cpdag(extension) == cpdag
    assert markov_equivalent(extension, dag)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.floats(0.1, 0.7))
def test_any_partly_undirected_class_member_is_extended_within_its_colliders(seed: int, n: int, density: float) -> None:
    # Arrows beyond the CPDAG's own (background knowledge) keep it extendable: the DAG itself extends it.
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, n, density)
    cpdag = dag_to_cpdag(dag)
    known = rng.random((n, n)) < 0.3
    graph = PDAG(np.where(known, dag.marks, cpdag.marks))
    extension = pdag_to_dag(graph)
    assert arcs_of(graph) <= arcs_of(extension)
    assert class_key(arcs_of(extension)) == class_key(arcs_of(dag))


@pytest.mark.parametrize(
    ("directed", "undirected"),
    [
        pytest.param([], [(0, 1), (1, 2), (2, 3), (3, 0)], id="undirected cycle without a chord"),
        pytest.param([(0, 1), (1, 2), (2, 0)], [(2, 3)], id="directed cycle"),
        pytest.param([(0, 1), (3, 2)], [(1, 2)], id="either direction makes a collider"),
        pytest.param([(0, 1), (2, 3)], [(1, 2), (3, 0)], id="partly directed cycle without a chord"),
    ],
)
def test_graphs_without_extension_are_refused(directed: list, undirected: list) -> None:
    with pytest.raises(NotExtendableError, match="no consistent DAG extension"):
        pdag_to_dag(PDAG.from_edges(5, directed, undirected))


def test_free_edges_run_from_smaller_to_larger_numbers() -> None:
    n = 6
    every_pair = [(x, y) for x in range(n) for y in range(x + 1, n)]
    assert pdag_to_dag(PDAG.from_edges(n, undirected=every_pair)) == PDAG.from_edges(n, every_pair)
    path = [(x, x + 1) for x in range(n - 1)]
    assert pdag_to_dag(PDAG.from_edges(n, undirected=path)) == PDAG.from_edges(n, path)


def test_a_dag_is_its_own_extension_and_empty_graphs_are_fine() -> None:
    dag = random_dag(np.random.default_rng(5), 20, 0.3)
    assert pdag_to_dag(dag) == dag
    for n in (0, 1, 3):
        assert pdag_to_dag(PDAG.empty(n)) == dag_to_cpdag(PDAG.empty(n)) == PDAG.empty(n)


@pytest.mark.parametrize("shape", ["sparse", "star", "path"])
def test_extension_stays_fast_for_two_thousand_variables(shape: str) -> None:
    n = 2000
    rng = np.random.default_rng(2)
    if shape == "sparse":
        cpdag = dag_to_cpdag(random_dag(rng, n, 4 / n))
    else:
        order = rng.permutation(n)
        spokes = [(order[0 if shape == "star" else i], order[i + 1]) for i in range(n - 1)]
        cpdag = PDAG.from_edges(n, undirected=spokes)
    start = time.process_time()
    extension = pdag_to_dag(cpdag)
    assert time.process_time() - start < 1.0
    assert v_structures(extension) == v_structures(cpdag)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.floats(0.1, 0.8))
def test_relabelling_and_then_completing_is_completing_and_then_relabelling(seed: int, n: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, n, density)
    order = rng.permutation(n)
    assert dag_to_cpdag(dag.relabelled(order)) == dag_to_cpdag(dag).relabelled(order)


def test_v_structures_count_directed_unshielded_pairs_only() -> None:
    assert v_structures(PDAG.from_edges(3, [(2, 1), (0, 1)])) == [(0, 1, 2)]
    assert v_structures(PDAG.from_edges(3, [(2, 1), (0, 1), (0, 2)])) == []
    assert v_structures(PDAG.from_edges(3, [(2, 1), (0, 1)], [(0, 2)])) == []
    assert v_structures(PDAG.from_edges(3, [(0, 1)], [(1, 2)])) == []
    parents = [(x, 3) for x in (0, 1, 2)]
    assert v_structures(PDAG.from_edges(4, parents)) == [(0, 3, 1), (0, 3, 2), (1, 3, 2)]


def test_markov_equivalence_of_all_pairs_of_three_variables() -> None:
    dags = all_dags(3)
    for one in dags:
        for two in dags:
            expected = class_key(one) == class_key(two)
            assert markov_equivalent(PDAG.from_edges(3, list(one)), PDAG.from_edges(3, list(two))) == expected


def test_graphs_over_different_variables_are_not_equivalent() -> None:
    assert not markov_equivalent(PDAG.empty(2), PDAG.empty(3))


@pytest.mark.parametrize(
    "graph", [PDAG.from_edges(3, undirected=[(0, 1)]), PDAG.from_edges(3, [(0, 1), (1, 2), (2, 0)])]
)
def test_what_needs_a_dag_says_so(graph: PDAG) -> None:
    with pytest.raises(InvalidGraphError, match="DAG is needed"):
        dag_to_cpdag(graph)
    with pytest.raises(InvalidGraphError, match="DAG is needed"):
        markov_equivalent(PDAG.empty(3), graph)
