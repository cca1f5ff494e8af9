"""Judging colliders asks only what the skeleton search does not know, and decides as if it had asked everything."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from remembering import Remembering

import hccd
from method_cases import linear_gaussian, random_tree

RULES = ["max-p", "max-p-full", "majority", "conservative"]
NAMES = [f"v{i:02d}" for i in range(25)]


@cache
def cases():
    drawn = []
    for seed in range(5):
        rng = np.random.default_rng([46, seed])
        drawn.append((linear_gaussian(rng, 25, 2.5, 250), random_tree(rng, 25, leaf=2), {}))
    return drawn


def discover(case, rule, **options):
    data, tree, answers = case
    ci = Remembering(data, answers=answers)
    # Conflicts are not settled by tests here, which may ask for a p-value again.
    options = {"collider_order": 3, "conflicts": "first", **options}
    return hccd.discover(ci, tree=tree, names=NAMES, colliders=rule, **options), ci


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("refine", "inner_order", "stable", "ordering"),
    [
        ("each", 2, True, "strength"),
        ("each", "none", False, "column"),
        ("root", 1, True, "column"),
        ("root", "none", False, "strength"),
        ("never", "none", True, "strength"),
    ],
)
def test_no_question_is_asked_twice(rule, refine, inner_order, stable, ordering):
    asked_more = 0
    for case in cases():
        baseline = hccd.PC(stable=stable, ordering=ordering)
        result, ci = discover(case, rule, refine=refine, inner_order=inner_order, baseline=baseline)
        assert not any(len(question) > 2 for question in ci.repeated)
        assert result.tests.total == len(ci.distinct)
        asked_more += sum(result.tests.by_stage["colliders"])
    assert asked_more > 0


@pytest.mark.parametrize("rule", ["separating-set", *RULES])
def test_order_zero_is_not_asked_twice_either(rule):
    for case in cases():
        _, ci = discover(case, rule)
        assert not ci.repeated


def neighbour_sets(result, x, y, largest):
    """All sets up to a size among the neighbours of x or among those of y."""
    sets = set()
    for side in (result.skeleton.neighbors(x), result.skeleton.neighbors(y)):
        for size in range(min(largest, len(side)) + 1):
            sets.update(combinations(sorted(side), size))
    return sets


def expected_verdict(result, ci, rule, x, z, y):
    """The rule by its definition, from every answer, known or not."""
    separator = result.separators.between(x, y)
    largest = len(separator) if rule == "max-p" else 3
    answers = {frozenset(given): ci.test(x, y, given) for given in neighbour_sets(result, x, y, largest) | {separator}}
    # What removed the pair separates it, at order 0 by another level than the test's.
    separating = [given for given, answer in answers.items() if answer.independent or given == frozenset(separator)]
    without = [given for given in separating if z not in given]
    if rule.startswith("max-p"):
        best = max(separating, key=lambda given: answers[given].p_value)
        return z not in best
    if rule == "conservative":
        return None if 0 < len(without) < len(separating) else bool(without)
    return None if 2 * len(without) == len(separating) else 2 * len(without) > len(separating)


@pytest.mark.parametrize("rule", RULES)
def test_verdicts_are_those_of_the_full_enumeration(rule):
    """Judged colliders are the graph's supported ones plus the dropped ones; ambiguous triples are neither."""
    ambiguous = colliders = 0
    for case in cases():
        result, ci = discover(case, rule)
        claimed = {(t.x, t.z, t.y) for t in result.colliders}
        claimed |= {(c.x, c.z, c.y) for c in result.conflicts if c.kind == "dropped"}
        expected = set()
        for z in range(25):
            for x, y in combinations(result.skeleton.neighbors(z), 2):
                if not result.skeleton.has_edge(x, y):
                    verdict = expected_verdict(result, ci, rule, x, z, y)
                    ambiguous += verdict is None
                    if verdict:
                        expected.add((x, z, y))
        assert claimed == expected
        colliders += len(expected)
    assert colliders > 0
    assert ambiguous > 0 or rule.startswith("max-p")
