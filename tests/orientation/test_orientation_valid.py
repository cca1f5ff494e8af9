"""Whatever the verdicts, the graph is a CPDAG on the same skeleton, and every verdict it overrules is listed."""

from __future__ import annotations

import hashlib
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_claims import unshielded

import hccd
from hccd.graphs import Skeleton, check_validity, dag_to_cpdag, pdag_to_dag
from hccd.independence import BoundCITest, CIResult
from hccd.orientation import COLLIDER_RULES, CONFLICT_POLICIES, Triple, orient
from method_cases import random_dag, random_tree, true_cpdag

POLICIES = list(CONFLICT_POLICIES)


def colliders_of(graph):
    skeleton = graph.skeleton()
    return {(x, z, y) for x, z, y in unshielded(skeleton) if x in graph.parents(z) and y in graph.parents(z)}


def assert_cpdag(graph, skeleton):
    assert graph.skeleton() == skeleton
    assert check_validity(graph).valid
    dag = pdag_to_dag(graph)
    assert dag.is_dag()
    assert dag_to_cpdag(dag) == graph
    assert true_cpdag(dag) == graph


def assert_conflicts_are_what_was_overruled(oriented, triples):
    present = colliders_of(oriented.graph)
    judged = {(t.x, t.z, t.y) for t in triples if t.collider}
    listed = [(c.kind, (c.x, c.z, c.y)) for c in oriented.conflicts]
    expected = [("dropped", key) for key in judged - present] + [("forced", key) for key in present - judged]
    assert sorted(listed) == sorted(expected)
    p_values = {(t.x, t.z, t.y): t.p_value for t in triples}
    for conflict in oriented.conflicts:
        assert conflict.reason
        assert repr(conflict.p_value) == repr(p_values.get((conflict.x, conflict.z, conflict.y), float("nan")))


def random_skeleton(rng, n, density):
    return Skeleton.from_edges(n, [pair for pair in combinations(range(n), 2) if rng.random() < density])


def random_triples(rng, skeleton):
    """Nonsense: any verdict, any p-value, some triples without a verdict."""
    return [
        Triple(x, z, y, rng.choice([True, True, False, None]), (), float(rng.choice([np.nan, rng.random(), 0.5])))
        for x, z, y in unshielded(skeleton)
        if rng.random() < 0.9
    ]


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=150, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**31), n=st.integers(3, 11), density=st.floats(0.2, 0.7))
def test_nonsense_gives_a_cpdag(policy, seed, n, density):
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng, n, density)
    triples = random_triples(rng, skeleton)
    oriented = orient(skeleton, triples, policy)
    assert_cpdag(oriented.graph, skeleton)
    assert_conflicts_are_what_was_overruled(oriented, triples)
    assert set(oriented.reasons) == {tuple(arrow) for arrow in oriented.graph.directed_edges().tolist()}
    assert set(oriented.reasons.values()) <= {"collider", "forced", "R1", "R2", "R3", "R4"}


def test_the_nonsense_is_contradictory():
    """The cases above would be worth little if all verdicts could be followed."""
    dropped = forced = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        skeleton = random_skeleton(rng, 9, 0.4)
        conflicts = orient(skeleton, random_triples(rng, skeleton), "strongest").conflicts
        dropped += sum(conflict.kind == "dropped" for conflict in conflicts)
        forced += sum(conflict.kind == "forced" for conflict in conflicts)
    assert dropped > 100 and forced > 100


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**31), n=st.integers(3, 12), density=st.floats(0.1, 0.7))
def test_consistent_verdicts_are_followed(policy, seed, n, density):
    """What a DAG says of its triples: nothing is in conflict, and the graph is its equivalence class."""
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, n, density)
    skeleton = dag.skeleton()
    triples = [
        Triple(x, z, y, x in dag.parents(z) and y in dag.parents(z), (), float(rng.random()))
        for x, z, y in unshielded(skeleton)
    ]
    oriented = orient(skeleton, triples, policy)
    assert oriented.graph == true_cpdag(dag)
    assert oriented.conflicts == ()
    assert "forced" not in oriented.reasons.values()


class Nonsense(BoundCITest):
    """A test whose answers come from a hash of the question: no distribution stands behind them."""

    def __init__(self, n, seed, share, has_p_values):
        self.n, self.seed, self.share = n, seed, share
        self.has_p_values = has_p_values

    @property
    def n_variables(self):
        return self.n

    def test(self, x, y, given=()):
        text = repr((self.seed, min(x, y), max(x, y), sorted(given))).encode()
        value = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") / 2**64
        p = 0.05 * value / (1 - self.share) if value < 1 - self.share else value
        return CIResult(value >= 1 - self.share, 1.0 - value, p if self.has_p_values else float("nan"))


@pytest.mark.parametrize("rule", COLLIDER_RULES)
@pytest.mark.parametrize("policy", POLICIES)
def test_a_nonsense_test_gives_a_cpdag(policy, rule):
    conflicts = 0
    for seed in range(12):
        rng = np.random.default_rng([8, seed])
        n = int(rng.integers(4, 12))
        ci = Nonsense(n, seed, rng.uniform(0.05, 0.4), bool(seed % 2))
        result = hccd.discover(
            ci,
            tree=random_tree(rng, n),
            baseline=hccd.PC(stable=bool(seed % 3), max_order=3),
            refine=["each", "root", "never"][seed % 3],
            colliders=rule,
            conflicts=policy,
        )
        assert_cpdag(result.graph, result.skeleton)
        supported = {(t.x, t.z, t.y) for t in result.colliders}
        forced = {(c.x, c.z, c.y) for c in result.conflicts if c.kind == "forced"}
        dropped = {(c.x, c.z, c.y) for c in result.conflicts if c.kind == "dropped"}
        assert supported | forced == colliders_of(result.graph)
        assert not supported & forced and not dropped & colliders_of(result.graph)
        conflicts += len(result.conflicts)
    assert conflicts > 5
