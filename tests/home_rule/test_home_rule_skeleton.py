"""The home rule is a full memory: same graphs, separators and distinct questions, and nothing is asked twice."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from remembering import Remembering

from hccd import PC
from hccd.wrapper import backtrack
from method_cases import linear_gaussian, random_tree
from reference_pc import ReferencePC

N_CASES = 5


@cache
def cases():
    drawn = []
    for seed in range(N_CASES):
        rng = np.random.default_rng([45, seed])
        data = linear_gaussian(rng, 25, 2.5, 250)
        drawn.append((data, random_tree(rng, 25, leaf=2), {}))
    return drawn


def learn(data, tree, answers, baseline, refine, inner_order):
    ci = Remembering(data, answers=answers)
    learned = backtrack(tree, baseline, ci, ci.marginals(), refine=refine, inner_order=inner_order)
    return learned, ci


def separators(learned):
    return [(s.edge, s.given) for s in learned.removals.separations]


@pytest.mark.parametrize("ordering", ["strength", "column"])
@pytest.mark.parametrize("inner_order", [None, 1, 2])
@pytest.mark.parametrize("refine", ["each", "root", "never"])
@pytest.mark.parametrize("stable", [True, False], ids=["stable", "original"])
def test_the_home_rule_equals_a_full_memory(stable, refine, inner_order, ordering):
    spared = 0
    for seed, (data, tree, answers) in enumerate(cases()):
        settings = {"stable": stable, "ordering": ordering}
        by_rule, rule = learn(data, tree, answers, PC(**settings), refine, inner_order)
        by_memory, memory = learn(data, tree, answers, ReferencePC(exhaustive=False, **settings), refine, inner_order)

        assert by_rule.skeleton == by_memory.skeleton, f"case {seed}"
        assert separators(by_rule) == separators(by_memory), f"case {seed}"
        assert np.array_equal(by_rule.removals.stage, by_memory.removals.stage)
        assert np.array_equal(by_rule.removals.cluster, by_memory.removals.cluster)
        assert rule.distinct == memory.distinct, f"case {seed}"
        assert not rule.repeated, f"case {seed}"
        assert by_rule.tests.total == len(rule.distinct), f"case {seed}"
        assert sum(by_rule.tests.by_cluster) == by_rule.tests.total
        spared += len(memory.repeated)
    # Without a pass that comes back to old edges there is nothing to forget.
    assert (spared > 0) == (refine != "never")


@pytest.mark.parametrize("max_order", [0, 1, 2])
def test_the_home_rule_respects_the_order_that_was_reached(max_order):
    """Forgetting up to which order a pair was asked would skip questions that nobody asked."""
    for data, tree, answers in cases():
        by_rule, rule = learn(data, tree, answers, PC(max_order=max_order), "each", 1)
        by_memory, memory = learn(data, tree, answers, ReferencePC(exhaustive=False, max_order=max_order), "each", 1)
        assert by_rule.skeleton == by_memory.skeleton
        assert rule.distinct == memory.distinct
        assert not rule.repeated
        assert max(len(question) - 2 for question in rule.distinct) <= max_order


@pytest.mark.parametrize("stable", [True, False], ids=["stable", "original"])
def test_counts_by_order_and_stage_are_the_questions_asked(stable):
    for data, tree, answers in cases():
        learned, ci = learn(data, tree, answers, PC(stable=stable), "each", 2)
        sizes = np.bincount([len(question) - 2 for question in ci.distinct])
        assert np.array_equal(np.trim_zeros(np.array(learned.tests.by_order), "b"), sizes)
        assert learned.tests.by_stage["refine"][0] == 0
        pairs = ci.n_variables * (ci.n_variables - 1) // 2
        assert learned.tests.by_stage["leaf"][0] + learned.tests.by_stage["between"][0] == pairs


def test_inner_order_bounds_every_pass_before_the_roots_refine():
    for data, tree, answers in cases():
        learned, _ = learn(data, tree, answers, PC(), "root", 1)
        assert len(np.trim_zeros(learned.tests.by_stage["leaf"], "b")) <= 2
        assert len(np.trim_zeros(learned.tests.by_stage["between"], "b")) <= 2
        free, _ = learn(data, tree, answers, PC(), "never", 1)
        unlimited, _ = learn(data, tree, answers, PC(), "never", None)
        assert free.tests == unlimited.tests
