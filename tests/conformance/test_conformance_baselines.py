"""``check_baseline``: everything that the package has passes, and what breaks one promise is told which."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from plain_baseline import Plain

import hccd
from hccd.baselines import CausalLearnPC, LocalResult
from hccd.choices import BASELINES
from hccd.graphs.separators import Separations
from hccd.testing import check_baseline

#: Baselines that ask no test.
SCORE_BASED = {"score"}


@pytest.mark.parametrize("name", [name for name in BASELINES if name not in SCORE_BASED])
def test_named_baselines_pass(name):
    check_baseline(name)


@pytest.mark.parametrize("baseline", [hccd.PC(stable=False), hccd.PC(ordering="column"), Plain()])
def test_baselines_pass(baseline):
    check_baseline(baseline)


@pytest.mark.parametrize("baseline", [hccd.PC(max_order=1), CausalLearnPC(max_order=1), Plain(max_order=1)])
def test_limited_baselines_are_sound_but_not_complete(baseline):
    check_baseline(baseline, complete=False)
    with pytest.raises(AssertionError, match="edges are left"):
        check_baseline(baseline)


def spoiled(learn):
    """A baseline that spoils what the plain one found."""

    @dataclass(frozen=True)
    class Spoiled(Plain):
        def learn(self, variables, initial, edges, ci, context):
            return learn(super().learn, variables, initial, edges, ci, context)

    return Spoiled()


def greedy(learn, variables, initial, edges, ci, context):
    return learn(variables, initial, np.ones_like(edges), ci, context)


def unlimited(learn, variables, initial, edges, ci, context):
    return learn(variables, initial, edges, ci, replace(context, order_limit=None))


def miscounted(learn, *arguments):
    found = learn(*arguments)
    return replace(found, tests=found.tests + 1)


def without_reason(learn, *arguments):
    found = learn(*arguments)
    return replace(found, separations=Separations.empty())


def rash(learn, variables, initial, edges, ci, context):
    """Every pair falls by the variable after it, whatever the test says."""
    x, y = initial.edges[edges].T
    given = np.array([next(v for v in range(9, -1, -1) if v not in pair) for pair in zip(x, y, strict=True)])
    given = given.reshape(-1, 1).astype(np.int32) % ci.n_variables
    found = Separations.of_one_order(initial.edges[edges], given, np.ones(len(given)))
    return LocalResult(initial, edges.copy(), found, np.zeros((int(edges.sum()), 2), np.int64))


def deaf(learn, variables, initial, edges, ci, context):
    try:
        return learn(variables, initial, edges, ci, context)
    except Exception:
        none = np.zeros(len(edges), np.bool_)
        return LocalResult(initial, none, Separations.empty(), np.zeros((int(edges.sum()), 1), np.int64))


CALLS = iter(range(10**9))


def moody(learn, variables, initial, edges, ci, context):
    """On real data, half of the calls leave everything as it is."""
    if not ci.has_p_values or next(CALLS) % 2:
        return learn(variables, initial, edges, ci, context)
    none = np.zeros(len(edges), np.bool_)
    return LocalResult(initial, none, Separations.empty(), np.zeros((int(edges.sum()), 1), np.int64))


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (greedy, "not to be learned were removed"),
        (unlimited, "larger than the limit of order"),
        (miscounted, "tests by order are counted as"),
        (without_reason, "must be those of the removed edges"),
        (rash, "which does not separate them|has one of them in it"),
        (deaf, "must raise the error of a test that fails"),
        (moody, "two runs on the same data|two workers"),
    ],
)
def test_a_broken_baseline_is_told_what_is_wrong(how, said):
    with pytest.raises(AssertionError, match=said):
        check_baseline(spoiled(how))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ordering": "random"}, "ordering is 'random'"),
        ({"exhaustive": 1}, "exhaustive is 1"),
        ({"max_order": -1}, "max_order is -1"),
        ({"describe": lambda self: {}}, "a dict that has a 'name'"),
        ({"describe": lambda self: {"name": "x", "data": np.zeros(2)}}, "plain data"),
    ],
)
def test_a_protocol_that_is_not_kept(change, said):
    wrong = type("Wrong", (Plain,), change)()
    if "max_order" in change:
        object.__setattr__(wrong, "max_order", change["max_order"])
    with pytest.raises(AssertionError, match=said):
        check_baseline(wrong)
