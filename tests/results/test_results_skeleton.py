"""The skeleton alone: what the whole run has before it looks for directions, and the same arguments."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import hccd
from hccd.errors import InvalidParameterError
from method_cases import discrete_net, linear_gaussian


@pytest.mark.parametrize("method", ["pc", "hccd", "tscb"])
@pytest.mark.parametrize("discrete", [False, True])
def test_it_is_the_first_half_of_the_whole_run(method, discrete):
    rng = np.random.default_rng(3)
    data = discrete_net(rng, 16, 3, 400) if discrete else linear_gaussian(rng, 16, 3, 400)
    alone = hccd.learn_skeleton(data, method=method)
    whole = hccd.discover(data, method=method, colliders="separating-set", conflicts="first", scoring="none")
    assert alone.skeleton == whole.skeleton
    assert dict(alone.separators) == dict(whole.separators)
    assert alone.tree == whole.tree
    assert alone.tests.total == whole.tests.total > 120
    assert np.array_equal(alone.strength, whole.strength)
    assert alone.edges() == [(whole.names[x], whole.names[y]) for x, y in whole.skeleton.edges]
    assert whole.parameters.items() >= alone.parameters.items()
    assert 0 < alone.skeleton.n_edges < 120


def test_it_takes_every_argument_that_does_not_concern_directions():
    whole = inspect.signature(hccd.discover).parameters
    alone = inspect.signature(hccd.learn_skeleton).parameters
    others = (
        "colliders", "collider_order", "conflicts", "undirected", "dsep_order", "dsep_length", "scoring", "price",
        "bootstrap",
    )  # fmt: skip
    assert {**whole} == {**alone, **{name: whole[name] for name in others}}


def test_it_refuses_what_the_whole_run_refuses():
    data = np.random.default_rng(0).normal(size=(50, 3))
    with pytest.raises(InvalidParameterError, match="seed"):
        hccd.learn_skeleton(data, seed=-1)
    with pytest.raises(InvalidParameterError, match="one cluster"):
        hccd.learn_skeleton(data, method="pc", tree=[[0], [1, 2]])
