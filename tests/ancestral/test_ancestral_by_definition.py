"""MAGs and PAGs of the library against their definitions: every set tried, every graph on the same edges enumerated."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from mags_by_definition import is_mag, mag_of_dag, pag_by_enumeration, random_case

from hccd.ancestral import dag_to_mag, dag_to_pag, is_valid_pag, rules
from hccd.ancestral.blocks import blocks_of
from hccd.ancestral.ends import Ends
from hccd.ancestral.mag import pag_of
from hccd.ancestral.member import member_of
from hccd.graphs import PDAG
from hccd.graphs.pag import ARROW, CIRCLE, PAG, TAIL


def case(n, arcs, latent, selection):
    return PDAG.from_edges(n, directed=arcs), latent, selection


#: Graphs whose PAG is another one without a rule.
NEEDING = {
    "_r9": case(4, [(0, 1), (0, 3), (1, 2), (3, 2)], [], []),
    "_r2": case(8, [(1, 0), (1, 4), (1, 7), (4, 2), (5, 3), (5, 4), (6, 0), (6, 2)], [1, 5, 6], []),
    "_r7": case(9, [(2, 0), (3, 4), (5, 4), (6, 0), (6, 1), (7, 1), (7, 8), (8, 2), (8, 5)], [], [0, 1, 4]),
}
#: ... and one with eight edges, for which there are 65,536 graphs to look through.
NEEDING_R10 = case(
    8,
    [(0, 5), (1, 0), (1, 4), (2, 1), (2, 4), (2, 7), (3, 1), (3, 7), (4, 5), (7, 0), (7, 5)],
    [2, 3],
    [],
)


@cache
def small_cases():
    """DAGs of 3 to 5 observed variables with up to three hidden and three selection variables, and their MAGs."""
    square = [(x, s) for s, pair in enumerate([(0, 1), (1, 2), (2, 3), (0, 3), (0, 4)], 5) for x in pair]
    chosen = [
        # Selection joins four variables in a square (R5), and a fifth to one of them (R6).
        (PDAG.from_edges(10, directed=square), [], [5, 6, 7, 8, 9]),
        # A hidden cause of two effects.
        (PDAG.from_edges(5, directed=[(0, 1), (4, 1), (4, 2), (3, 2)]), [4], []),
        *NEEDING.values(),
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


@pytest.mark.slow
def test_a_pag_that_needs_the_last_rule():
    assert np.array_equal(dag_to_pag(*NEEDING_R10).marks, pag_by_enumeration(mag_of_dag(*NEEDING_R10)))


@pytest.mark.parametrize("rule", [*(f"_r{k}" for k in (1, 2, 3, 4, 5, 6, 7, 9)), "_r10"])
def test_no_rule_can_be_left_out(rule, monkeypatch):
    """The cases that are enumerated would tell."""
    drawn = [case for _, case, _ in small_cases()] + [NEEDING_R10]
    complete = [dag_to_pag(*case) for case in drawn]
    for group in ("_ARROWHEADS", "_UNDIRECTED", "_TAILS"):
        monkeypatch.setattr(rules, group, tuple(one for one in getattr(rules, group) if one.__name__ != rule))
    assert any(dag_to_pag(*case) != pag for case, pag in zip(drawn, complete, strict=True))


@pytest.mark.parametrize("at_b", [ARROW, CIRCLE])
def test_rule_8_makes_a_cause_of_a_cause_a_cause(at_b):
    """a -> b -> c or a -o b -> c, and a o-> c: no random graph needs it, so it is shown by itself."""
    ends = Ends(3, [(0, 1), (1, 2), (0, 2)])
    ends.at[0][1], ends.at[1][0] = at_b, TAIL
    ends.at[1][2], ends.at[2][1] = ARROW, TAIL
    ends.at[0][2] = ARROW
    rules._r8(ends, lambda path: None)
    assert ends.at[2][0] == TAIL and ends.why[2, 0] == 8


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
