"""Copies of a column, and what a rule says decided: no collider from a tie, no explanation that contradicts itself."""

import numpy as np
import pytest

import hccd


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
def test_a_copied_middle_is_no_collider():
    """l - m - r with m twice: both separate l and r equally well, so neither is a common effect."""
    rng = np.random.default_rng(1)
    left = rng.normal(size=500)
    middle = left + rng.normal(size=500)
    right = middle + rng.normal(size=500)
    for names in (("m1", "m2"), ("m2", "m1")):
        data = {"l": left, names[0]: middle, names[1]: middle, "r": right}
        result = hccd.discover(data, scoring="none")
        assert not result.colliders
        adjacent = {frozenset(edge[:2]) for edge in result.edges()}
        # A copy has one edge, to its original.
        assert {frozenset(pair) for pair in (("l", "m1"), ("m1", "r"), ("m1", "m2"))} == adjacent


@pytest.mark.parametrize("rule", ["separating-set", "max-p", "max-p-full", "majority", "conservative"])
def test_what_is_said_to_have_decided_agrees_with_the_verdict(rule):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        data = rng.normal(size=(200, 12))
        for j in range(1, 12):
            data[:, j] += data[:, :j] @ (rng.uniform(0.3, 1, j) * (rng.random(j) < 0.25))
        for triple in hccd.discover(data, colliders=rule).colliders:
            assert triple.z not in triple.given
