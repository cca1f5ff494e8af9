"""Small worked examples of conflicting colliders under each policy."""

from __future__ import annotations

import math

import pytest

from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG, Skeleton
from hccd.orientation import CONFLICT_POLICIES, Triple, orient

PATH = Skeleton.from_edges(4, [(0, 1), (1, 2), (2, 3)])


def claims(first, second):
    """0 -> 1 <- 2 and 1 -> 2 <- 3: both want the edge 1 - 2."""
    return [Triple(0, 1, 2, True, (), first), Triple(1, 2, 3, True, (), second)]


LEFT = PDAG.from_edges(4, directed=[(0, 1), (2, 1)], undirected=[(2, 3)])
RIGHT = PDAG.from_edges(4, directed=[(1, 2), (3, 2)], undirected=[(0, 1)])


@pytest.mark.parametrize(("first", "second", "winner"), [(0.3, 0.9, RIGHT), (0.9, 0.3, LEFT)])
def test_the_strongest_evidence_wins(first, second, winner):
    oriented = orient(PATH, claims(first, second), "strongest")
    assert oriented.graph == winner
    (conflict,) = oriented.conflicts
    assert conflict.kind == "dropped"
    assert conflict.p_value == min(first, second)
    assert "stronger evidence" in conflict.reason


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [(1e-9, 1e-3, LEFT), (1e-3, 1e-9, RIGHT), (math.nan, 0.9, RIGHT), (0.9, math.nan, LEFT), (0.0, 0.0, RIGHT)],
)
def test_dependence_given_the_middle_comes_before_the_p_value(first, second, winner):
    """The p-values speak for the right one, and decide between equals only."""
    left, right = claims(0.3, 0.9)
    triples = [left._replace(dependence=first), right._replace(dependence=second)]
    assert orient(PATH, triples, "strongest").graph == winner


@pytest.mark.parametrize(("first", "second"), [(0.3, 0.9), (0.9, 0.3), (math.nan, 0.9)])
def test_the_first_wins(first, second):
    oriented = orient(PATH, claims(first, second), "first")
    assert oriented.graph == LEFT
    assert [(c.x, c.z, c.y) for c in oriented.conflicts] == [(1, 2, 3)]


def test_without_p_values_the_order_of_the_variables_decides():
    assert orient(PATH, claims(math.nan, math.nan), "strongest").graph == LEFT


@pytest.mark.parametrize(("first", "second"), [(0.3, 0.9), (0.9, 0.3)])
def test_both_claims_on_an_edge_may_be_left_out(first, second):
    """The arrows 0 -> 1 and 3 -> 2 stay, and no DAG has them without one of the colliders: one verdict holds."""
    oriented = orient(PATH, claims(first, second), "undirected")
    assert oriented.graph in (LEFT, RIGHT)
    (conflict,) = oriented.conflicts
    assert conflict.reason == "colliders need opposite directions of one of its edges"


def test_a_contested_edge_leaves_the_rest_of_its_colliders_standing():
    """0 and 4 point to 1 by a collider of their own; only the edge 1 - 2 is contested."""
    skeleton = Skeleton.from_edges(5, [(0, 1), (1, 2), (2, 3), (1, 4)])
    triples = [
        Triple(0, 1, 2, True, (), 0.9),
        Triple(0, 1, 4, True, (), 0.9),
        Triple(2, 1, 4, True, (), 0.9),
        Triple(1, 2, 3, True, (), 0.3),
    ]
    strongest = orient(skeleton, triples, "strongest")
    assert strongest.graph == PDAG.from_edges(5, directed=[(0, 1), (2, 1), (4, 1)], undirected=[(2, 3)])
    both_out = orient(skeleton, triples, "undirected")
    assert {(0, 1), (4, 1)} <= set(map(tuple, both_out.graph.directed_edges().tolist()))
    assert both_out.conflicts


def test_a_collider_that_would_close_a_cycle_is_dropped():
    """A triangle a, b, c with a leaf at each corner: a -> b, b -> c, c -> a cannot all be."""
    a, b, c, at_b, at_c, at_a = range(6)
    skeleton = Skeleton.from_edges(6, [(a, b), (b, c), (a, c), (at_b, b), (at_c, c), (at_a, a)])
    triples = [
        Triple(b, a, at_a, False, (b,), 0.6),
        Triple(c, a, at_a, True, (), 0.7),
        Triple(a, b, at_b, True, (), 0.9),
        Triple(c, b, at_b, False, (b,), 0.6),
        Triple(b, c, at_c, True, (), 0.8),
        Triple(a, c, at_c, True, (), 0.8),
    ]
    oriented = orient(skeleton, triples, "strongest")
    assert oriented.graph == PDAG.from_edges(
        6, directed=[(a, b), (at_b, b), (b, c), (at_c, c), (a, c)], undirected=[(a, at_a)]
    )
    assert [(x.kind, x.z, x.p_value) for x in oriented.conflicts] == [("dropped", a, 0.7)]
    assert "cycle" in oriented.conflicts[0].reason or "other direction" in oriented.conflicts[0].reason


@pytest.mark.parametrize("policy", CONFLICT_POLICIES)
@pytest.mark.parametrize("verdict", [False, None])
def test_a_cycle_of_four_has_a_collider_though_nothing_speaks_for_it(policy, verdict):
    skeleton = Skeleton.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    triples = [Triple(*key, verdict, (), 0.5) for key in [(1, 0, 3), (0, 1, 2), (1, 2, 3), (0, 3, 2)]]
    oriented = orient(skeleton, triples, policy)
    assert len(oriented.graph.directed_edges()) == 2
    assert set(oriented.reasons.values()) == {"forced"}
    assert [conflict.kind for conflict in oriented.conflicts] == ["forced"]


@pytest.mark.parametrize("policy", CONFLICT_POLICIES)
def test_a_judged_collider_settles_a_cycle_of_four(policy):
    skeleton = Skeleton.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    triples = [Triple(*key, key == (0, 1, 2), (), 0.5) for key in [(1, 0, 3), (0, 1, 2), (1, 2, 3), (0, 3, 2)]]
    oriented = orient(skeleton, triples, policy)
    assert oriented.graph == PDAG.from_edges(4, directed=[(0, 1), (2, 1)], undirected=[(0, 3), (2, 3)])
    assert not oriented.conflicts


@pytest.mark.parametrize("policy", CONFLICT_POLICIES)
@pytest.mark.parametrize("verdict", [None, False, "absent"])
def test_what_claims_nothing_directs_nothing(policy, verdict):
    skeleton = Skeleton.from_edges(3, [(0, 1), (1, 2)])
    triples = [] if verdict == "absent" else [Triple(0, 1, 2, verdict, (), 0.9)]
    oriented = orient(skeleton, triples, policy)
    assert not len(oriented.graph.directed_edges())
    assert not oriented.conflicts and not oriented.reasons


def test_meeks_rules_follow_from_colliders():
    """0 -> 2 <- 1 and 2 - 3: the edge points away from the collider, by the first rule."""
    skeleton = Skeleton.from_edges(4, [(0, 2), (1, 2), (2, 3)])
    triples = [Triple(0, 2, 1, True, (), 0.5), Triple(0, 2, 3, False, (2,), 0.5), Triple(1, 2, 3, False, (2,), 0.5)]
    oriented = orient(skeleton, triples, "strongest")
    assert dict(oriented.reasons) == {(0, 2): "collider", (1, 2): "collider", (2, 3): "R1"}


def test_an_unknown_policy_is_refused():
    with pytest.raises(InvalidParameterError, match=r"'weakest'.*strongest, first, undirected"):
        orient(PATH, [], "weakest")
