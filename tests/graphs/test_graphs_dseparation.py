"""D-separation against networkx on random questions, and on small named graphs whose answers are known."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest
from graphs_by_definition import random_dag

from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs import PDAG, DSeparation, d_separated


def as_networkx(dag: PDAG) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(dag.n))
    graph.add_edges_from(dag.directed_edges().tolist())
    return graph


@pytest.mark.parametrize(("n", "density"), [(5, 0.5), (8, 0.4), (12, 0.2), (20, 0.12), (70, 0.04)])
def test_random_questions_agree_with_networkx(n: int, density: float) -> None:
    rng = np.random.default_rng(n)
    answers = []
    for _ in range(20):
        dag = random_dag(rng, n, density)
        reference, ours = as_networkx(dag), DSeparation(dag)
        for _ in range(40):
            x, y, *others = (int(v) for v in rng.permutation(n))
            given = tuple(others[: rng.integers(0, min(6, n - 1))])
            expected = nx.is_d_separator(reference, {x}, {y}, set(given))
            assert ours.separated(x, y, given) == expected, (dag.directed_edges().tolist(), x, y, given)
            assert ours.separated(y, x, given[::-1]) == expected
            assert (y not in ours.connected(x, given)) == expected
            answers.append(expected)
    assert len(answers) == 800
    assert 100 < sum(answers) < 700


def test_connected_lists_exactly_the_variables_not_separated() -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        dag = random_dag(rng, 9, 0.3)
        x, *others = (int(v) for v in rng.permutation(9))
        given = tuple(others[: rng.integers(0, 4)])
        expected = [y for y in sorted(others) if y not in given and not d_separated(dag, x, y, given)]
        assert DSeparation(dag).connected(x, given) == tuple(expected)


@pytest.mark.parametrize(
    ("arcs", "given", "separated"),
    [
        pytest.param([(0, 1), (1, 2)], (), False, id="chain"),
        pytest.param([(0, 1), (1, 2)], (1,), True, id="chain, middle given"),
        pytest.param([(1, 0), (1, 2)], (), False, id="fork"),
        pytest.param([(1, 0), (1, 2)], (1,), True, id="fork, middle given"),
        pytest.param([(0, 1), (2, 1)], (), True, id="collider"),
        pytest.param([(0, 1), (2, 1)], (1,), False, id="collider given"),
        pytest.param([(0, 1), (2, 1), (1, 3), (3, 4)], (4,), False, id="descendant of the collider given"),
        pytest.param([(3, 0), (3, 1), (4, 1), (4, 2)], (), True, id="M"),
        pytest.param([(3, 0), (3, 1), (4, 1), (4, 2)], (1,), False, id="M, middle given"),
        pytest.param([(3, 0), (3, 1), (4, 1), (4, 2)], (1, 3), True, id="M, middle and one end given"),
        pytest.param([(0, 2)], (1, 3, 4), False, id="adjacent"),
        pytest.param([], (), True, id="empty"),
    ],
)
def test_named_graphs(arcs: list[tuple[int, int]], given: tuple[int, ...], separated: bool) -> None:
    dag = PDAG.from_edges(5, arcs)
    assert d_separated(dag, 0, 2, given) is separated
    assert d_separated(dag, 2, 0, given) is separated


def test_the_paper_s_example_needs_a_separator_outside_the_cluster() -> None:
    # A -> D <- C -> E <- B: within the cluster {D, E} nothing separates D and E, C does.
    a, b, c, d, e = range(5)
    dag = PDAG.from_edges(5, [(a, d), (c, d), (c, e), (b, e)])
    assert not d_separated(dag, d, e)
    assert d_separated(dag, d, e, (c,))
    assert not d_separated(dag, a, c, (d,))


def test_numpy_integers_and_pickles_work() -> None:
    dag = PDAG.from_edges(80, [(i, i + 1) for i in range(79)])
    questions = pickle.loads(pickle.dumps(DSeparation(dag)))
    assert questions.n == 80
    assert questions.separated(np.int64(0), np.int64(79), np.array([70]))
    assert not questions.separated(np.int32(0), np.int32(79), iter(()))


def test_what_is_not_a_dag_is_refused() -> None:
    with pytest.raises(InvalidGraphError, match="0 - 1 is undirected"):
        d_separated(PDAG.from_edges(3, undirected=[(0, 1)]), 0, 2)
    with pytest.raises(InvalidGraphError, match="directed cycle"):
        DSeparation(PDAG.from_edges(3, [(0, 1), (1, 2), (2, 0)]))


@pytest.mark.parametrize(
    ("x", "y", "given", "text"),
    [
        (1, 1, (), "itself"),
        (0, 1, (0, 2), "Variable 0 is in the conditioning set"),
        (0, 1, (1,), "Variable 1 is in the conditioning set"),
        (0, 3, (), "does not exist"),
        (-1, 1, (), "does not exist"),
        (0, 1, (3,), "does not exist"),
    ],
)
def test_bad_questions_are_refused(x: int, y: int, given: tuple[int, ...], text: str) -> None:
    with pytest.raises(InvalidParameterError, match=text):
        d_separated(PDAG.empty(3), x, y, given)


def test_connected_refuses_its_own_variable_as_a_condition() -> None:
    with pytest.raises(InvalidParameterError, match="Variable 2"):
        DSeparation(PDAG.empty(3)).connected(2, (2,))
