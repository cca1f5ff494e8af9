"""The compiled orientation equals plain Python: graphs, conflicts and reasons, verdicts, deciding sets and counts."""

from __future__ import annotations

import hashlib
import time

import numpy as np
import pytest
import reference_colliders
import reference_orient
from random_claims import SHAPES, skeleton_of, unshielded, verdicts

import hccd
from hccd.graphs import PDAG, Skeleton, meek_closure
from hccd.graphs.separators import Separations
from hccd.independence import BoundCITest, CIResult, Marginals
from hccd.orientation import COLLIDER_RULES, CONFLICT_POLICIES, Evidence, Triple, Triples, judge_triples, orient
from hccd.run import judged as run_judged
from method_cases import discrete_net, linear_gaussian, random_tree


def assert_same_orientation(skeleton, triples, policy, what):
    children, undirected, conflicts, reasons = reference_orient.orient(skeleton, triples, policy)
    oriented = orient(skeleton, triples, policy)
    expected = PDAG.from_edges(
        skeleton.n,
        [(a, b) for a, targets in enumerate(children) for b in targets],
        [(a, b) for a, others in enumerate(undirected) for b in others if a < b],
    )
    assert oriented.graph == expected, what
    assert repr(tuple(oriented.conflicts)) == repr(conflicts), what
    assert dict(oriented.reasons) == reasons, what
    dropped = {(c.x, c.z, c.y) for c in conflicts if c.kind == "dropped"}
    followed = [i for i, t in enumerate(triples) if t.collider and (t.x, t.z, t.y) not in dropped]
    assert oriented.followed.tolist() == followed, what
    return oriented


@pytest.mark.parametrize("policy", CONFLICT_POLICIES)
@pytest.mark.parametrize("shape", SHAPES)
def test_any_verdicts_on_any_shape(shape, policy):
    seen: set[str] = set()
    for seed in range(25):
        rng = np.random.default_rng([1, seed, len(shape)])
        skeleton = skeleton_of(shape, rng, int(rng.integers(1, 26)))
        triples = verdicts(rng, skeleton, colliders=rng.choice([0.1, 0.5, 1.0]), shuffled=bool(seed % 2))
        oriented = assert_same_orientation(skeleton, triples, policy, (shape, seed))
        seen.update(conflict.reason for conflict in oriented.conflicts)
    assert len(seen) >= {"empty": 0, "path": 1, "star": 0, "cliques": 2}.get(shape, 2)


def test_every_reason_occurs():
    """The comparison would say little about a reason that never comes up."""
    conflicts, arrows = set(), set()
    for seed in range(60):
        rng = np.random.default_rng([2, seed])
        skeleton = skeleton_of("dense" if seed % 2 else "sparse", rng, 14)
        for policy in CONFLICT_POLICIES:
            oriented = orient(skeleton, verdicts(rng, skeleton, colliders=0.3), policy)
            conflicts.update(conflict.reason for conflict in oriented.conflicts)
            arrows.update(oriented.reasons.values())
    assert len(conflicts) == 4
    assert arrows >= {"collider", "forced", "R1", "R2", "R3"}


@pytest.mark.parametrize("policy", CONFLICT_POLICIES)
def test_hundreds_of_variables(policy):
    for seed in range(3):
        rng = np.random.default_rng([3, seed])
        n = 300
        ends = rng.integers(0, n, (500, 2))
        skeleton = Skeleton.from_edges(n, ends[ends[:, 0] != ends[:, 1]])
        assert_same_orientation(skeleton, verdicts(rng, skeleton, colliders=0.4), policy, seed)


def test_consistent_verdicts_of_large_graphs():
    """What a DAG says: nothing is in conflict, and all four rules' reasons can be compared at leisure."""
    for seed in range(10):
        rng = np.random.default_rng([4, seed])
        n = 60
        rank = rng.permutation(n)
        pairs = {tuple(sorted(pair)) for pair in rng.integers(0, n, (110, 2)).tolist() if pair[0] != pair[1]}
        skeleton = Skeleton.from_edges(n, sorted(pairs))
        triples = [
            Triple(x, z, y, bool(rank[x] < rank[z] and rank[y] < rank[z]), (), float(rng.random()))
            for x, z, y in unshielded(skeleton)
        ]
        assert not assert_same_orientation(skeleton, triples, "strongest", seed).conflicts


def test_meeks_rules_on_any_arrows():
    """Also on graphs that contradict themselves: the first arrow found for an edge stays."""
    for seed in range(300):
        rng = np.random.default_rng([5, seed])
        n = int(rng.integers(2, 10))
        kind = rng.choice(4, (n, n), p=[0.45, 0.2, 0.1, 0.25])
        pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
        directed = [pair if kind[pair] == 1 else pair[::-1] for pair in pairs if kind[pair] in (1, 2)]
        undirected = [pair for pair in pairs if kind[pair] == 3]
        graph = PDAG.from_edges(n, directed, undirected)
        orienter = reference_orient.Orienter(n, directed + undirected)
        orienter.assume([(a, b, "given") for a, b in graph.directed_edges().tolist()])
        expected = PDAG.from_edges(
            n,
            [(a, b) for a in range(n) for b in orienter.children[a]],
            [(a, b) for a in range(n) for b in orienter.undirected[a] if a < b],
        )
        assert meek_closure(graph) == expected, seed


class Coarse(BoundCITest):
    """Answers from a hash of the question; p-values on a coarse grid, so that ties abound, or none to judge by."""

    def __init__(self, n, seed, has_p_values=True):
        self.n, self.seed = n, seed
        self.has_p_values = has_p_values

    @property
    def n_variables(self):
        return self.n

    def test(self, x, y, given=()):
        text = repr((self.seed, min(x, y), max(x, y), sorted(given))).encode()
        value = int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") % 12
        independent = value > (7 if given else 9)
        p = float("nan") if value == 11 or not self.has_p_values else value / 11 if independent else 0.001
        return CIResult(independent, (1 + value) / 12, p)


@pytest.fixture
def judged(monkeypatch):
    """Run a search and compare what its triples were judged to be."""
    asked = []

    def compared(skeleton, evidence, marginals, ci, rule, max_order, by_strength):
        found, counts = judge_triples(skeleton, evidence, marginals, ci, rule, max_order, by_strength)
        expected, expected_counts = reference_colliders.judge_triples(
            skeleton, evidence, marginals, ci, rule, max_order, by_strength
        )
        assert repr(list(found)) == repr(expected)
        assert counts == expected_counts
        asked.append((found, counts))
        return found, counts

    monkeypatch.setattr(run_judged, "judge_triples", compared)
    return asked


def run(seed, rule, kind):
    rng = np.random.default_rng([6, seed])
    n = int(rng.integers(3, 16))
    if kind == "gaussian":
        data, test = linear_gaussian(rng, n, 2.5, 150), "fisher-z"
    elif kind == "copies":
        data, test = linear_gaussian(rng, n, 2, 120), "fisher-z"
        data[:, -1] = data[:, 0]
    elif kind == "discrete":
        data, test = discrete_net(rng, n, 2.5, 80), "g"
    else:
        data, test = Coarse(n, seed, has_p_values=kind != "no p-values"), "auto"
    baseline = hccd.PC(
        stable=bool(seed % 2), ordering=("strength", "column")[seed % 3 == 0], max_order=(None, 1, 3)[seed % 3]
    )
    tree = None if seed % 4 == 0 else random_tree(rng, n)
    hccd.discover(data, test=test, tree=tree, baseline=baseline, colliders=rule, refine=("each", "root")[seed % 2])


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
@pytest.mark.parametrize("kind", ["gaussian", "copies", "discrete", "coarse", "no p-values"])
@pytest.mark.parametrize("rule", COLLIDER_RULES)
def test_verdicts_of_searches(rule, kind, judged):
    for seed in range(12):
        run(seed, rule, kind)
    verdict = {triple.collider for found, _ in judged for triple in found}
    assert {True, False} <= verdict
    asks = rule != "separating-set" and not (rule.startswith("max-p") and kind == "no p-values")
    assert asks == any(counts for _, counts in judged)


def random_evidence(rng, skeleton):
    """Separations of some of the pairs at distance two, with homes and clusters that no search would leave behind."""
    n = skeleton.n
    pairs = sorted({(x, y) for x, _, y in unshielded(skeleton) if rng.random() < 0.6})
    m = len(pairs)
    given = [
        rng.permutation([z for z in range(n) if z not in pair])[: int(rng.integers(0, min(4, n - 1)))].tolist()
        for pair in pairs
    ]
    start = np.cumsum([0, *map(len, given)])
    p = rng.choice([np.nan, 0.2, 0.5, 1.0], m)
    separations = Separations(
        np.array(pairs, np.int32).reshape(-1, 2),
        start,
        np.array([z for members in given for z in members], np.int32),
        p,
    )
    bounds = np.sort(rng.integers(0, n + 1, (4, m)), axis=0).astype(np.int32)
    return Evidence(
        separations,
        rng.permutation(n).astype(np.int32),
        bounds[1].copy(),
        bounds[2].copy(),
        rng.integers(-1, 4, m).astype(np.int32),
        bounds[0].copy(),
        bounds[3].copy(),
    )


@pytest.mark.parametrize(("max_order", "batch"), [(None, 50_000), (0, 50_000), (2, 3), (3, 1)])
@pytest.mark.parametrize("rule", COLLIDER_RULES)
def test_verdicts_with_any_evidence(rule, max_order, batch, monkeypatch):
    """However many questions are asked at once."""
    monkeypatch.setattr("hccd.orientation.untested._BATCH", batch)
    asked = 0
    for seed in range(15):
        rng = np.random.default_rng([7, seed])
        n = int(rng.integers(3, 10))
        skeleton = skeleton_of(SHAPES[seed % len(SHAPES)], rng, n)
        ci = Coarse(n, seed, has_p_values=bool(seed % 5))
        strength = np.round(rng.random((n, n)), 1)
        independent = rng.random((n, n)) < 0.5
        marginals = Marginals(independent | independent.T, (strength + strength.T) / 2, p_value=ci.marginals().p_value)
        arguments = (skeleton, random_evidence(rng, skeleton), marginals, ci, rule, max_order, bool(seed % 2))
        found, counts = judge_triples(*arguments)
        expected, expected_counts = reference_colliders.judge_triples(*arguments)
        assert repr(list(found)) == repr(expected), seed
        assert counts == expected_counts, seed
        asked += sum(counts)
    assert (asked > 20) == (rule != "separating-set" and not (max_order == 0 and rule != "max-p"))


@pytest.mark.parametrize(
    ("x", "z", "y"), [(0, 1, 3), (2, 1, 0), (0, 2, 1), (0, 1, 4), (-1, 1, 2), (0, 9, 2), (0, -1, 2), (1, 1, 1)]
)
def test_what_is_no_unshielded_triple_is_refused(x, z, y):
    skeleton = Skeleton.from_edges(5, [(0, 1), (1, 2), (1, 3), (0, 3)])
    orient(skeleton, [Triple(0, 1, 2, True, (), 0.5)], "first")
    with pytest.raises(hccd.errors.InvalidParameterError, match="leave it out"):
        orient(skeleton, [Triple(x, z, y, True, (), 0.5)], "first")


def test_a_separating_set_of_unknown_variables_is_refused():
    skeleton = Skeleton.from_edges(3, [(0, 1), (1, 2)])
    separations = Separations(np.array([[0, 2]]), np.array([0, 1]), np.array([3]), np.array([0.5]))
    column = np.zeros(1, np.int32)
    evidence = Evidence(separations, np.arange(3, dtype=np.int32), column, column, column, column, column)
    ci = Coarse(3, 0)
    with pytest.raises(hccd.errors.InvalidParameterError, match="beyond the 3"):
        judge_triples(skeleton, evidence, ci.marginals(), ci, "max-p", None, True)
    with pytest.raises(hccd.errors.InvalidGraphError, match="below 0"):
        Separations(np.array([[0, 2]]), np.array([0, 1]), np.array([-1]), np.array([0.5]))


def test_tens_of_thousands_of_claims_are_quick():
    """10,000 variables and over 20,000 colliders that contradict each other."""
    rng = np.random.default_rng(8)
    n = 10_000
    ends = rng.integers(0, n, (15_000, 2))
    skeleton = Skeleton.from_edges(n, ends[ends[:, 0] != ends[:, 1]])
    rows = skeleton.rows
    found = rows.unshielded()
    t = len(found.pair)
    triples = Triples(
        rows.neighbors[found.x_slot],
        rows.owner[found.x_slot],
        rows.neighbors[found.y_slot],
        (rng.random(t) < 0.6).astype(np.int8),
        np.zeros(t + 1, np.int64),
        np.zeros(0, np.int32),
        rng.random(t),
        rng.random(t),
    )
    assert (triples.collider == 1).sum() > 20_000
    start = time.process_time()
    oriented = orient(skeleton, triples, "strongest")
    assert time.process_time() - start < 1.0
    assert len(oriented.conflicts) > 1000
