"""MAGs and PAGs of the library against their definitions: every set tried, every graph on the same edges enumerated."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from mags_by_definition import is_mag, mag_of_dag, pag_by_enumeration, random_case

from hccd.ancestral import dag_to_mag, dag_to_pag, is_valid_pag
from hccd.ancestral.blocks import blocks_of
from hccd.ancestral.ends import Ends
from hccd.ancestral.mag import pag_of
from hccd.ancestral.member import member_of
from hccd.graphs import PDAG
from hccd.graphs.pag import ARROW, CIRCLE, PAG, TAIL


@cache
def small_cases():
    """DAGs of 3 to 5 observed variables with up to three hidden and three selection variables, and their MAGs."""
    square = [(x, s) for s, pair in enumerate([(0, 1), (1, 2), (2, 3), (0, 3), (0, 4)], 5) for x in pair]
    chosen = [
        # Selection joins four variables in a square (R5), and a fifth to one of them (R6).
        (PDAG.from_edges(10, directed=square), [], [5, 6, 7, 8, 9]),
        # A hidden cause of two effects.
        (PDAG.from_edges(5, directed=[(0, 1), (4, 1), (4, 2), (3, 2)]), [4], []),
    ]
    drawn = [(f"chosen {i}", case, mag_of_dag(*case)) for i, case in enumerate(chosen)]
    for seed in range(120):
        rng = np.random.default_rng([15, seed])
        hidden, selection = int(rng.integers(0, 4)), int(rng.integers(0, 4))
        case = random_case(rng, 3 + seed % 3, hidden, selection, rng.uniform(0, 2))
        mag = mag_of_dag(*case)
        if np.count_nonzero(mag) // 2 <= 5:
            drawn.append((seed, case, mag))
    return drawn


def test_mags_of_dags_are_those_of_the_definition():
    for seed, case, mag in small_cases():
        assert np.array_equal(dag_to_mag(*case).marks, mag), f"case {seed}"


def test_pags_are_what_the_class_shares():
    kinds = set()
    for seed, case, mag in small_cases():
        expected = pag_by_enumeration(mag)
        assert np.array_equal(dag_to_pag(*case).marks, expected), f"case {seed}"
        kinds |= {(int(a), int(b)) for a, b in zip(expected.ravel(), expected.T.ravel(), strict=True)}
    assert {(CIRCLE, CIRCLE), (CIRCLE, ARROW), (CIRCLE, TAIL), (ARROW, ARROW), (TAIL, ARROW), (TAIL, TAIL)} <= kinds


def test_the_member_of_a_pag_is_a_mag_of_its_class():
    for seed, case, _ in small_cases():
        pag = dag_to_pag(*case)
        member = member_of(Ends.of(pag))
        assert is_mag(member.pag().marks), f"case {seed}"
        assert pag_of(member).pag() == pag, f"case {seed}"
        assert is_valid_pag(pag)


def test_any_marks_lead_to_a_mag_and_a_valid_pag():
    rng = np.random.default_rng(4)
    changed = 0
    for _ in range(150):
        n = int(rng.integers(3, 7))
        edges = [(x, y) for x in range(n) for y in range(x + 1, n) if rng.random() < 0.6]
        marks = Ends(n, edges)
        for x, y in edges:
            marks.at[x][y], marks.at[y][x] = rng.choice([CIRCLE, ARROW, TAIL], 2, p=[0.3, 0.5, 0.2]).tolist()
        mag = member_of(marks)
        assert is_mag(mag.pag().marks)
        assert is_valid_pag(pag_of(mag).pag())
        changed += pag_of(mag).pag() != marks.pag()
    assert changed > 100


@pytest.mark.parametrize(
    "marks",
    [
        [[0, 2, 3], [3, 0, 2], [2, 3, 0]],  # a cycle
        [[0, 2, 0], [1, 0, 2], [0, 1, 0]],  # 0 o-> 1 o-> 2: a tail follows at 1
        [[0, 1, 0], [1, 0, 3], [0, 3, 0]],  # a tail that nothing shows
    ],
)
def test_what_no_class_shares_is_not_valid(marks):
    assert not is_valid_pag(PAG(marks))


def test_biconnected_components_are_those_of_networkx():
    nx = pytest.importorskip("networkx")
    for seed in range(100):
        graph = nx.gnm_random_graph(12, 8 + seed % 12, seed=seed)
        expected = {}
        for edges in nx.biconnected_component_edges(graph):
            edges = list(edges)
            members = sum(1 << v for v in set().union(*edges))
            expected |= {(min(edge), max(edge)): members for edge in edges}
        assert blocks_of(Ends(12, graph.edges)) == expected
