"""Each collider rule on an example small enough to be worked out by hand.

X and Y are separated by several sets, with p-values that pull each rule another way. The skeleton is
W - X - Z - Y: the neighbours of X are W and Z, that of Y is Z.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import hccd
from hccd import discovery
from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG
from hccd.independence import BoundCITest, CIResult
from hccd.orientation import orient

X, Y, Z, W = range(4)
NAMES = ["a-x", "b-y", "c-z", "d-w"]
NOTHING, BY_Z, BY_W, BY_BOTH = (), (Z,), (W,), (Z, W)


class Scripted(BoundCITest):
    """Answers about X and Y as the example says; W - Y and W - Z are separated by X, all else is dependent."""

    def __init__(self, p_values, has_p_values=True):
        self.p_values = {frozenset(given): p for given, p in p_values.items()}
        self.has_p_values = has_p_values
        self.asked = []

    @property
    def n_variables(self):
        return 4

    def test(self, x, y, given=()):
        pair, given = {x, y}, frozenset(given)
        self.asked.append((frozenset(pair), given))
        if pair == {X, Y}:
            p = self.p_values.get(given, 0.001)
        else:
            p = 0.5 if W in pair and X not in pair and X in given else 0.001
        if not self.has_p_values:
            return CIResult(p != p or p >= 0.05, 0.5)
        return CIResult(p != p or p >= 0.05, 0.5, p)


@pytest.fixture
def middle(monkeypatch):
    """What a rule says of X - Z - Y: True, False, or None if the evidence is ambiguous."""
    seen = []

    def spy(skeleton, triples, policy, constraints):
        seen.append({(t.x, t.z, t.y): t.collider for t in triples})
        return orient(skeleton, triples, policy, constraints)

    monkeypatch.setattr(discovery, "orient", spy)

    def judge(p_values, rule, has_p_values=True):
        ci = Scripted(p_values, has_p_values)
        result = hccd.discover(
            ci, method="pc", names=NAMES, colliders=rule, collider_order=2, baseline=hccd.PC(ordering="column")
        )
        assert result.skeleton.edges.tolist() == [[X, Z], [X, W], [Y, Z]]
        assert seen[-1].keys() == {(X, Z, Y), (Z, X, W)}
        assert seen[-1][Z, X, W] is False
        verdict = seen[-1][X, Z, Y]
        arrows = {tuple(arrow) for arrow in result.graph.directed_edges().tolist()}
        # W is no parent of X, so the arrow into Z can be drawn on alone; without a collider nothing is directed.
        assert arrows == ({(X, Z), (Y, Z)} if verdict else set())
        return verdict

    return judge


def test_the_rules_differ_on_the_same_evidence(middle):
    """{Z} separates first (p = 0.06), {W} better (0.8), both together best (0.95)."""
    evidence = {BY_Z: 0.06, BY_W: 0.8, BY_BOTH: 0.95}
    assert middle(evidence, "separating-set") is False
    # Sets no larger than the separating set: {W} wins, and Z is not in it.
    assert middle(evidence, "max-p") is True
    # Any size: both together win, and Z is among them.
    assert middle(evidence, "max-p-full") is False
    # Z is in two of three separating sets.
    assert middle(evidence, "majority") is False
    # They do not agree.
    assert middle(evidence, "conservative") is None


def test_votes_of_separating_sets(middle):
    # {Z} and {W} separate, both together do not: one half each.
    assert middle({BY_Z: 0.06, BY_W: 0.8}, "majority") is None
    assert middle({BY_Z: 0.06, BY_W: 0.8}, "conservative") is None
    assert middle({BY_W: 0.06, BY_Z: 0.01}, "majority") is True
    assert middle({BY_W: 0.06, BY_Z: 0.01}, "conservative") is True
    assert middle({BY_Z: 0.06, BY_BOTH: 0.06}, "conservative") is False


def test_no_condition_at_all_is_a_separating_set(middle):
    assert middle({NOTHING: 0.3}, "separating-set") is True
    assert middle({NOTHING: 0.3}, "max-p") is True
    # Sets no larger than the empty one: only itself.
    assert middle({NOTHING: 0.06, BY_Z: 0.9}, "max-p") is True
    assert middle({NOTHING: 0.06, BY_Z: 0.9}, "max-p-full") is False
    assert middle({NOTHING: 0.06, BY_Z: 0.9}, "majority") is None
    assert middle({NOTHING: 0.06, BY_W: 0.9, BY_Z: 0.2}, "majority") is True
    assert middle({NOTHING: 0.06, BY_W: 0.9, BY_Z: 0.2}, "conservative") is None


def test_a_set_without_evidence_never_wins(middle):
    """Nothing to judge by: independent, but the p-value is nan, and it has no vote."""
    assert middle({BY_Z: 0.06, BY_W: math.nan}, "max-p") is False
    assert middle({BY_Z: 0.06, BY_W: math.nan, BY_BOTH: math.nan}, "max-p-full") is False
    assert middle({BY_Z: 0.06, BY_W: math.nan}, "majority") is False
    assert middle({BY_Z: 0.06, BY_W: math.nan}, "conservative") is False


def test_a_separating_set_without_evidence_gives_way(middle):
    assert middle({BY_Z: math.nan, BY_W: 0.06}, "max-p") is True
    assert middle({BY_Z: math.nan}, "max-p") is False


@pytest.mark.parametrize("rule", ["max-p", "max-p-full"])
def test_without_p_values_the_separating_set_decides(rule, middle):
    assert middle({BY_Z: 0.06, BY_W: 0.8, BY_BOTH: 0.95}, rule, has_p_values=False) is False
    assert middle({BY_W: 0.06, BY_BOTH: 0.95}, rule, has_p_values=False) is True


def test_votes_need_no_p_values(middle):
    assert middle({BY_Z: 0.06, BY_W: 0.8}, "majority", has_p_values=False) is None
    assert middle({BY_W: 0.8}, "conservative", has_p_values=False) is True


def test_what_is_known_is_not_asked():
    """The pass came to {Z} before {W}; only {W}, and with larger sets both together, are new."""
    for rule, new in (
        ("separating-set", []),
        ("max-p", [{W}]),
        ("max-p-full", [{W}, {Z, W}]),
        ("majority", [{W}, {Z, W}]),
    ):
        ci = Scripted({BY_Z: 0.06, BY_W: 0.8})
        options = {"colliders": rule, "collider_order": 2, "conflicts": "first", "baseline": hccd.PC(ordering="column")}
        result = hccd.discover(ci, method="pc", names=NAMES, **options)
        about = [given for pair, given in ci.asked if pair == {X, Y}]
        assert about == [set(), {Z}, *new]
        other = [given for pair, given in ci.asked if pair != {X, Y}]
        assert sum(result.tests.by_stage["colliders"]) + sum(result.tests.by_stage["leaf"]) == len(about) + len(other)


def test_an_unknown_rule_is_refused():
    with pytest.raises(InvalidParameterError, match=r"'max-q'.*separating-set"):
        hccd.discover(hccd.Oracle(PDAG.empty(3)).bind(), colliders="max-q")


def table_without_freedom():
    """W -> X, W -> Y, and Z shows either X or Y, by a coin: given Z, one of them is always constant."""
    rng = np.random.default_rng(0)
    w = rng.integers(0, 2, 400)
    x = np.where(rng.random(400) < 0.15, 1 - w, w)
    y = np.where(rng.random(400) < 0.15, 1 - w, w)
    z = np.where(rng.random(400) < 0.5, x, 2 + y)
    return hccd.GTest(0.05).bind(np.column_stack([x, y, z, w]))


def test_a_table_without_degrees_of_freedom_never_wins():
    """{Z} removed X - Y with nothing to compare; {W} has a real p-value, so W is no collider, and Z is one."""
    ci = table_without_freedom()
    assert ci.test(X, Y, (Z,)).independent and np.isnan(ci.test(X, Y, (Z,)).p_value)
    assert 0.05 < ci.test(X, Y, (W,)).p_value < 1.0
    by_separator = hccd.discover(ci, method="pc", colliders="separating-set")
    assert by_separator.separators[X, Y] == (Z,)
    by_evidence = hccd.discover(ci, method="pc", colliders="max-p")
    assert by_evidence.graph == PDAG.from_edges(4, directed=[(X, Z), (Y, Z)], undirected=[(X, W), (Y, W)])
