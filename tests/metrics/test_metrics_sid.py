"""The structural intervention distance, against published values, gadjid, the definition and all members of a class."""

from __future__ import annotations

import time
from itertools import combinations

import gadjid
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from metrics_by_definition import members, random_dag, sid_of_dags

import hccd.datasets
from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs import PDAG, dag_to_cpdag
from hccd.metrics import sid

SEEDS = st.integers(0, 2**32 - 1)

# Peters and Bühlmann (2015), figure 1: two causes X1 -> X2, both of which act on Y1, Y2 and Y3.
PUBLISHED = [(0, 1), *((x, y) for x in (0, 1) for y in (2, 3, 4))]


def by_gadjid(truth: PDAG, learned: PDAG) -> int:
    return gadjid.sid(truth.marks.copy(), learned.marks.copy(), edge_direction="from row to column")[1]


def test_published_values() -> None:
    truth = PDAG.from_edges(5, PUBLISHED)
    extra = PDAG.from_edges(5, [*PUBLISHED, (2, 3)])
    reversed_edge = PDAG.from_edges(5, [(1, 0), *PUBLISHED[1:]])
    assert (sid(truth, extra).lower, sid(truth, extra).upper) == (0, 0)
    assert (sid(truth, reversed_edge).lower, sid(truth, reversed_edge).upper) == (8, 8)
    assert sid(truth, reversed_edge).pairs == 20


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.integers(2, 30), st.floats(0.0, 0.6), st.floats(0.0, 0.6))
def test_distances_of_dags_are_those_of_gadjid(seed: int, n: int, density: float, other: float) -> None:
    rng = np.random.default_rng(seed)
    truth, learned = random_dag(rng, n, density), random_dag(rng, n, other)
    found = sid(truth, learned)
    assert found.lower == found.upper == found.mid == by_gadjid(truth, learned)
    assert found.exact


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(2, 6))
def test_distances_of_dags_are_those_of_the_definition(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    truth, learned = random_dag(rng, n, 0.5), random_dag(rng, n, 0.5)
    assert sid(truth, learned).lower == sid_of_dags(truth, learned)


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.integers(2, 6), st.floats(0.2, 0.8), st.floats(0.2, 0.7))
def test_bounds_of_a_class_are_its_members_distances(seed: int, n: int, density: float, other: float) -> None:
    rng = np.random.default_rng(seed)
    truth, learned = random_dag(rng, n, density), dag_to_cpdag(random_dag(rng, n, other))
    assume(len(learned.undirected_edges()) <= 8)
    distances = [by_gadjid(truth, member) for member in members(learned)]
    found = sid(truth, learned)
    assert (found.lower, found.upper, found.exact) == (min(distances), max(distances), True)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(2, 15))
def test_the_true_class_has_a_member_without_mistakes(seed: int, n: int) -> None:
    truth = random_dag(np.random.default_rng(seed), n, 0.3)
    assert sid(truth, dag_to_cpdag(truth)).lower == 0
    assert sid(truth, truth).upper == 0


def test_few_steps_give_looser_bounds_and_say_so() -> None:
    rng = np.random.default_rng(3)
    truth = random_dag(rng, 8, 0.4)
    complete = PDAG.from_edges(8, undirected=list(combinations(range(8), 2)))
    exact, loose = sid(truth, complete), sid(truth, complete, limit=200)
    assert exact.exact and not loose.exact
    assert loose.lower <= exact.lower <= exact.upper < loose.upper
    # Too many parent sets for the limit: nothing at all is known.
    assert (sid(truth, complete, limit=3).lower, sid(truth, complete, limit=3).upper) == (0, 56)


def test_a_graph_that_no_dag_fits_gets_local_bounds() -> None:
    square = PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3), (3, 0)])
    found = sid(PDAG.from_edges(4, [(0, 1), (1, 2), (2, 3)]), square)
    assert not found.exact and found.lower < found.upper


def test_small_graphs() -> None:
    for n in (0, 1):
        assert (sid(PDAG.empty(n), PDAG.empty(n)).upper, sid(PDAG.empty(n), PDAG.empty(n)).pairs) == (0, 0)


def test_what_has_no_distance_is_refused() -> None:
    with pytest.raises(InvalidGraphError, match="must be a DAG"):
        sid(PDAG.from_edges(2, undirected=[(0, 1)]), PDAG.empty(2))
    with pytest.raises(InvalidParameterError, match="limit of steps is -1"):
        sid(PDAG.empty(2), PDAG.empty(2), limit=-1)


@pytest.mark.parametrize("shape", ["sparse", "path", "star", "cliques"])
def test_two_hundred_variables_take_seconds_at_most(shape: str) -> None:
    n = 200
    truth = PDAG(hccd.datasets.random_dag(n, 3, seed=1).dag)
    learned = {
        "sparse": lambda: dag_to_cpdag(PDAG(hccd.datasets.random_dag(n, 3, seed=2).dag)),
        "path": lambda: PDAG.from_edges(n, undirected=[(x, x + 1) for x in range(n - 1)]),
        "star": lambda: PDAG.from_edges(n, undirected=[(0, x) for x in range(1, n)]),
        "cliques": lambda: PDAG.from_edges(
            n, undirected=[pair for x in range(0, n - 5, 6) for pair in combinations(range(x, x + 6), 2)]
        ),
    }[shape]()
    start = time.process_time()
    found = sid(truth, learned)
    assert time.process_time() - start < 10
    assert found.exact and found.lower < found.upper
