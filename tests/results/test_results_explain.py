"""Sentences of explain: what they claim is looked up in the graph and asked of the test again."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from result_cases import KINDS, results

import hccd
from hccd import HCCDResult
from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG
from hccd.independence import BoundCITest, CIResult
from method_cases import linear_gaussian, random_dag


def learned(*arcs, n=None, **options):
    n = n or 1 + max(max(arc) for arc in arcs)
    return hccd.discover(hccd.Oracle(PDAG.from_edges(n, directed=arcs)).bind(), names=list("abcdefghij")[:n], **options)


def loaded(result, tmp_path):
    result.save(tmp_path / "graph.json")
    return HCCDResult.load(tmp_path / "graph.json")


def test_a_collider():
    text = learned((0, 2), (1, 2)).explain("a", "c")
    assert text.startswith("'a' and 'c' are adjacent: they stayed dependent")
    assert (
        "It points 'a' -> 'c', because 'c' is a collider between 'a' and 'b': these two are independent without any "
        "condition, and 'c' is not in the conditioning set." in text
    )


def test_a_collider_with_a_separating_set():
    """a <- d -> b, a -> c <- b: the ends of the collider are separated by d."""
    text = learned((0, 2), (1, 2), (3, 0), (3, 1)).explain("c", "b")
    assert "It points 'b' -> 'c'" in text
    assert "independent given 'd', and 'c' is not in the conditioning set" in text


def test_an_undirected_edge():
    result = learned((0, 1), (1, 2))
    for pair in (("a", "b"), ("b", "a"), (1, 2)):
        assert "The edge is undirected: graphs with either direction fit" in result.explain(*pair)


def test_meeks_first_rule():
    result = learned((0, 2), (1, 2), (2, 3))
    assert result.reasons[2, 3] == "R1"
    text = result.explain("d", "c")
    assert "It points 'c' -> 'd', because 'a' -> 'c' is already directed" in text
    assert "would make 'c' a collider that the tests rule out (Meek's rule 1)" in text


def examples(rule, wanted=3):
    """Results with an arrow of this rule, from random graphs and a perfect test."""
    found = []
    for seed in range(3000):
        rng = np.random.default_rng(seed)
        dag = random_dag(rng, 6, 0.5)
        result = hccd.discover(hccd.Oracle(dag).bind(), method="pc")
        arrows = [arrow for arrow, why in result.reasons.items() if why == rule]
        if arrows:
            found.append((result, arrows))
        if len(found) == wanted:
            return found
    raise AssertionError(f"no graph shows {rule}")


def quoted(text):
    return re.findall(r"'([^']+)'", text)


def test_the_first_rule_names_a_true_cause():
    for result, arrows in examples("R1"):
        for a, b in arrows:
            names = quoted(result.explain(a, b).split("because")[1])
            cause = result.index(names[0])
            assert result.graph.marks[cause, a] and not result.graph.marks[a, cause]
            assert not result.skeleton.has_edge(cause, b)


def test_the_second_rule_names_a_true_path():
    for result, arrows in examples("R2"):
        for a, b in arrows:
            text = result.explain(b, a)
            assert "a directed path leads there already through" in text and "(Meek's rule 2)" in text
            (through,) = quoted(text.split("because")[1])
            assert result.index(through) in set(result.graph.children(a)) & set(result.graph.parents(b))


def test_the_third_rule():
    for result, arrows in examples("R3", wanted=1):
        for a, b in arrows:
            text = result.explain(a, b)
            assert f"It points '{result.names[a]}' -> '{result.names[b]}'" in text
            assert "would force a cycle or a collider that the tests rule out (Meek's rule 3)" in text


def test_the_fourth_rule_and_an_arrow_without_a_reason():
    """Colliders alone never need the fourth rule; a result from elsewhere may have it, or no reason at all."""
    result = learned((0, 2), (1, 2), (2, 3))
    fourth = replace(result, reasons={**result.reasons, (2, 3): "R4"})
    assert "(Meek's rule 4)" in fourth.explain("c", "d")
    given = replace(result, reasons={})
    assert "It points 'c' -> 'd', because it was given." in given.explain("c", "d")


class Answers(BoundCITest):
    """Pairs that are independent by the sets listed, and by no others."""

    def __init__(self, n, separators):
        self.n = n
        self.separators = {frozenset(pair): {frozenset(s) for s in sets} for pair, sets in separators.items()}

    @property
    def n_variables(self):
        return self.n

    def test(self, x, y, given=()):
        independent = frozenset(given) in self.separators.get(frozenset((x, y)), ())
        return CIResult(independent, 0.5, 0.4 if independent else 0.001)


def test_a_forced_collider():
    """A cycle of four whose verdicts are all against a collider."""
    ci = Answers(4, {(0, 2): [{1, 3}], (1, 3): [{0, 2}]})
    result = hccd.discover(ci, method="pc", names=list("abcd"), colliders="separating-set")
    (conflict,) = result.conflicts
    assert conflict.kind == "forced"
    text = result.explain(conflict.x, conflict.z)
    assert "form a cycle without a chord, so that some variable on it must be a collider" in text
    assert "The graph disagrees with one test for a collider at this edge" in text


def test_a_dropped_collider_is_mentioned():
    """a - b - c - d with a collider at b and one at c: both want the edge b - c."""
    ci = Answers(4, {(0, 2): [()], (1, 3): [()], (0, 3): [()]})
    result = hccd.discover(ci, method="pc", names=list("abcd"))
    (conflict,) = result.conflicts
    assert conflict.kind == "dropped"
    for x, y in (("b", "c"), ("c", "b")):
        assert "The graph disagrees with one test for a collider at this edge: stronger evidence" in result.explain(
            x, y
        )
    assert result.graph.marks[1, 2] != result.graph.marks[2, 1]


@pytest.mark.parametrize("order", [0, 1, 2])
def test_an_edge_is_said_to_have_been_tested_as_far_as_it_was(order):
    """Larger sets that only the orientation asked about say nothing about an edge."""
    data = linear_gaussian(np.random.default_rng(0), 14, 4, 200)
    result = hccd.discover(data, method="pc", baseline=hccd.PC(max_order=order), colliders="majority", collider_order=3)
    assert len(result.tests.by_stage["colliders"]) >= 4
    x, y = result.skeleton.edges[0].tolist()
    tested = f"given every tested set of up to {order} of their neighbours" if order else "without any condition"
    assert f"they stayed dependent {tested} " in result.explain(x, y)


def test_an_absent_edge_with_a_separator():
    dag_arcs = ((0, 3), (2, 3), (2, 4), (1, 4))
    tree = hccd.ClusterTree.from_nested([[3, 4], [0, 1, 2]])
    result = learned(*dag_arcs, tree=tree)
    assert result.explain("d", "e") == (
        "'d' and 'e' are not adjacent: they are independent given 'c'. "
        "This was found in the completeness pass of cluster 0 (5 variables)."
    )
    assert result.explain("a", "b") == (
        "'a' and 'b' are not adjacent: they are independent without any condition. "
        "This was found inside cluster 0.1 (3 variables)."
    )
    assert result.explain("e", "a") == (
        "'e' and 'a' are not adjacent: they are independent without any condition. "
        "This was found between the parts of cluster 0 (5 variables)."
    )


def test_a_pair_that_nothing_separated():
    """Only a graph from elsewhere can lack an edge without a reason."""
    result = learned((0, 1), (1, 2))
    empty = np.zeros((3, 3), dtype=bool)
    none = replace(
        result,
        marginal=replace(result.marginal, matrix=empty),
        removals=replace(result.removals, separations=type(result.removals.separations).empty()),
    )
    assert none.removal("a", "c") is None
    assert "nothing separated them: the edge was ruled out from the start" in none.explain("a", "c")


def test_every_claim_about_an_absent_edge_is_true():
    data = linear_gaussian(np.random.default_rng(5), 14, 3, 200)
    ci = hccd.FisherZ(0.01).bind(data)
    result = hccd.discover(ci, scoring="none")
    with_set = corrected = 0
    for x, y in combinations(range(14), 2):
        if result.skeleton.has_edge(x, y):
            continue
        text = result.explain(x, y)
        claim = text.split("independent ")[1].split(" (p")[0]
        given = [result.index(name) for name in quoted(claim)]
        assert claim.startswith("given") == bool(given)
        answer = ci.test(x, y, given)
        if answer.independent:
            assert f"(p = {answer.p_value:.3g})" in text
        else:
            assert not given
            assert f"(p = {answer.p_value:.3g}, which is below 0.01, but not small enough for a false" in text
            corrected += 1
        path, size = re.search(r"cluster ([\d.]+) \((\d+) variables\)", text).groups()
        numbers = [result.tree.path(i) for i in range(len(result.tree.clusters()))]
        cluster = result.tree.clusters()[numbers.index(path)]
        assert {x, y, *given} <= set(cluster.variables) and len(cluster.variables) == int(size)
        with_set += bool(given)
    assert with_set > 10 and corrected > 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_loaded_result_explains_the_same(kind, tmp_path):
    result = results()[kind]
    other = loaded(result, tmp_path)
    for x, y in combinations(range(len(result.names)), 2):
        one, two = result.explain(x, y), other.explain(x, y)
        if "without any condition (p" in one:
            # The p-value of an unconditional test is stored with three digits: the last one shown may differ.
            p, q = (float(re.search(r"p = ([\d.e-]+)", text)[1]) for text in (one, two))
            assert q == pytest.approx(p, rel=0.0101)
            one, two = (re.sub(r"p = [\d.e-]+", "p", text) for text in (one, two))
        assert two == one


@pytest.mark.parametrize("kind", KINDS)
def test_every_pair_has_an_explanation(kind):
    result = results()[kind]
    for x, y in combinations(range(len(result.names)), 2):
        text = result.explain(x, y)
        assert f"'{result.names[x]}'" in text and f"'{result.names[y]}'" in text
        assert text.endswith(".") and "nan" not in text.replace(result.names[x], "").replace(result.names[y], "")
        assert ("are adjacent" in text) == result.skeleton.has_edge(x, y)


def test_one_variable_or_an_unknown_one_is_refused():
    result = learned((0, 1))
    with pytest.raises(InvalidParameterError, match="two different variables, got 'a' twice"):
        result.explain("a", 0)
    with pytest.raises(InvalidParameterError, match="no variable 'z'"):
        result.explain("a", "z")
