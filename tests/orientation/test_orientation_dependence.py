"""The tests that settle conflicts: each claimed collider is asked about once, given its middle too."""

from __future__ import annotations

import numpy as np
import pytest

import hccd
from hccd.independence import BoundCITest
from hccd.orientation import Triple, Triples, with_dependence
from method_cases import discrete_net, linear_gaussian

LISTED = [
    Triple(0, 2, 3, True, (1, 4), 0.25),
    Triple(1, 2, 3, None, (), 0.5),
    Triple(0, 4, 5, False, (4,), 1.0),
    Triple(0, 5, 1, True, (), 0.3),
    Triple(3, 1, 5, True, (2, 0), 0.3),
]


@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
def test_claims_are_asked_given_the_middle_too(kind):
    rng = np.random.default_rng(4)
    ci = (
        hccd.FisherZ(0.01).bind(linear_gaussian(rng, 6, 3, 100))
        if kind == "gaussian"
        else hccd.GTest(0.05).bind(discrete_net(rng, 6, 3, 100))
    )
    asked, tests = with_dependence(Triples.of(LISTED), ci)
    assert tests == (0, 1, 0, 2)
    for before, after in zip(LISTED, asked, strict=True):
        assert after[:6] == before[:6]
        if before.collider:
            assert after.dependence == pytest.approx(ci.test(before.x, before.y, (*before.given, before.z)).p_value)
        else:
            assert np.isnan(after.dependence)


def test_a_test_without_p_values_is_not_asked():
    class Silent(BoundCITest):
        has_p_values = False
        n_variables = 6

        def test(self, x, y, given=()):
            raise AssertionError("nobody should ask")

    triples = Triples.of(LISTED)
    assert with_dependence(triples, Silent()) == (triples, ())


def test_a_run_counts_them_and_keeps_them(tmp_path):
    data = linear_gaussian(np.random.default_rng(3), 20, 3, 300)
    result = hccd.discover(data, scoring="none")
    plain = hccd.discover(data, scoring="none", conflicts="first")
    claims = [*result.colliders, *(conflict for conflict in result.conflicts if conflict.kind == "dropped")]
    assert sum(result.tests.by_stage["colliders"]) == sum(plain.tests.by_stage["colliders"]) + len(claims)
    ci = hccd.FisherZ(0.01).bind(data)
    for triple in result.colliders:
        assert triple.dependence == pytest.approx(ci.test(triple.x, triple.y, (*triple.given, triple.z)).p_value)
        text = f"(with it, p = {triple.dependence:.3g})"
        assert text in result.explain(triple.x, triple.z) + result.explain(triple.y, triple.z)
    assert all(np.isnan(triple.dependence) for triple in plain.colliders)
    result.save(tmp_path / "graph.json")
    assert hccd.HCCDResult.load(tmp_path / "graph.json").colliders == tuple(result.colliders)


def test_two_causes_are_believed_rather_than_two_strangers():
    """a -> b <- c -> d <- e: of two claims on b - c, the one whose ends the middle makes dependent is right.

    a and d, both far from c, are as independent as a and c: a p-value does not tell.
    """
    right = 0
    for seed in range(20):
        rng = np.random.default_rng([9, seed])
        a, c, e = rng.normal(size=(3, 400))
        b = a + c + rng.normal(size=400)
        d = 0.12 * c + e + rng.normal(size=400)
        found = hccd.discover(np.column_stack([a, b, c, d, e]), scoring="none").graph
        right += (2, 1) in {tuple(arrow) for arrow in found.directed_edges().tolist()}
    assert right == 20
