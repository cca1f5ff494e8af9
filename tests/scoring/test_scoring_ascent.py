"""The search over DAGs: what it adds up, where it stops, and whether it finds the best, by brute force."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scoring_cases import (
    ROOM,
    all_dags,
    all_pairs,
    dag_total,
    gaussian_score,
    is_acyclic,
    neighbours_of,
    parents_of,
    table_score,
)

import hccd
from hccd._kernels.scores.ascent import Ascent
from hccd.graphs import PDAG
from hccd.scoring import MAX_PARENTS, CandidateParents, ScoreJournal, most_parents, search_dag
from method_cases import discrete_net, linear_gaussian, random_dag

KINDS = ["gaussian", "discrete"]


def case(kind, seed, n, rows=150):
    """Families, the same score by brute force, and candidates: all pairs, or some of them."""
    rng = np.random.default_rng([41, seed])
    if kind == "gaussian":
        data, test, formula = linear_gaussian(rng, n, 3, rows), hccd.FisherZ(0.05), gaussian_score
    else:
        data, test, formula = discrete_net(rng, n, 3, rows), hccd.GTest(0.05), table_score
    families = test.bind(data).families(ROOM)
    if seed % 2:
        candidates = all_pairs(n)
    else:
        independent = rng.random((n, n)) < 0.3
        candidates = CandidateParents.of(families, independent & independent.T, PDAG.from_edges(n), n)
    return rng, families, cache(lambda child, parents: formula(data, child, parents)), candidates


def started(families, candidates, start=None, most=ROOM, price=None):
    rows = candidates.rows
    edge = np.zeros(rows.n_slots, np.uint8) if start is None else start
    price = candidates.price if price is None else price
    return Ascent(families, rows.first, rows.neighbors, rows.mirror, edge, price, most)


def found(ascent, candidates):
    return parents_of(candidates.dag_of(np.array(ascent.edge)))


def random_start(rng, candidates, density=0.4):
    """A random DAG of candidate edges."""
    dag = random_dag(rng, candidates.n, density)
    known = set(map(tuple, np.column_stack([candidates.rows.owner, candidates.rows.neighbors]).tolist()))
    return candidates.slots_of(
        PDAG.from_edges(candidates.n, [edge for edge in dag.directed_edges().tolist() if tuple(edge) in known])
    )


def pairs_of(candidates):
    return sorted({tuple(sorted(p)) for p in zip(candidates.rows.owner, candidates.rows.neighbors, strict=True)})


def assert_no_step_gains(parents, candidates, score, total, most=ROOM, price=None):
    price = candidates.price if price is None else price
    for other in neighbours_of(parents, pairs_of(candidates)):
        if max(map(len, other.values())) <= most:
            assert dag_total(other, score, price) <= total + 1e-5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_totals_and_the_end_of_a_climb(kind, seed):
    rng, families, score, candidates = case(kind, seed, 6)
    for start in (None, random_start(rng, candidates), random_start(rng, candidates, 0.9)):
        ascent = started(families, candidates, start)
        before = ascent.total()
        assert before == pytest.approx(dag_total(found(ascent, candidates), score, candidates.price), abs=1e-6)
        ascent.climb()
        parents = found(ascent, candidates)
        assert is_acyclic(parents)
        assert ascent.total() >= before
        assert ascent.total() == pytest.approx(dag_total(parents, score, candidates.price), abs=1e-6)
        assert_no_step_gains(parents, candidates, score, ascent.total())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("most", [1, 2])
def test_no_more_parents_than_allowed(kind, most):
    _, families, score, candidates = case(kind, 1, 6)
    ascent = started(families, candidates, most=most, price=0.0)
    ascent.climb()
    while ascent.shake(0, 6):
        ascent.climb()
    parents = found(ascent, candidates)
    assert max(map(len, parents.values())) == most
    assert_no_step_gains(parents, candidates, score, ascent.total(), most, 0.0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_shaking_never_loses_and_leaves_no_trace(kind, seed):
    """After many shakes, most of them undone, everything is as in a search that starts there."""
    rng, families, score, candidates = case(kind, seed, 7)
    ascent = started(families, candidates, random_start(rng, candidates))
    gained = 0
    for _ in range(30):
        before = ascent.total()
        first = int(rng.integers(0, 7))
        count = ascent.shake(first, int(rng.integers(first, 8)))
        assert ascent.total() >= before - 1e-9
        assert (ascent.total() > before) == (count > 0)
        gained += count
        parents = found(ascent, candidates)
        assert is_acyclic(parents)
        assert ascent.total() == pytest.approx(dag_total(parents, score, candidates.price), abs=1e-6)
    fresh = started(families, candidates, np.array(ascent.edge))
    assert fresh.total() == pytest.approx(ascent.total(), abs=1e-9)
    ascent.climb()
    fresh.climb()
    assert np.array_equal(np.array(fresh.edge), np.array(ascent.edge))
    assert_no_step_gains(found(ascent, candidates), candidates, score, ascent.total())
    assert gained > 0


@cache
def every_dag():
    dags = list(all_dags(4))
    assert len(dags) == 543
    return dags


@pytest.mark.parametrize("kind", KINDS)
def test_the_best_of_all_dags_of_four(kind):
    """A heuristic, but with four variables it has nothing to miss."""
    best = []
    for seed in range(1, 41, 2):
        rng, families, score, candidates = case(kind, seed, 4, 120)
        ended = search_dag(families, candidates, random_dag(rng, 4, 0.5))
        highest = max(dag_total(parents, score, candidates.price) for parents in every_dag())
        assert ended.after == pytest.approx(dag_total(parents_of(ended.dag), score, candidates.price), abs=1e-6)
        assert ended.before <= ended.after <= highest + 1e-6
        best.append(ended.after > highest - 1e-6)
    assert all(best)


@pytest.mark.parametrize("kind", KINDS)
def test_the_higher_end_counts(kind):
    for seed in range(4):
        rng, families, score, candidates = case(kind, seed, 6)
        start = candidates.dag_of(random_start(rng, candidates))
        told = []
        ended = search_dag(families, candidates, start, ScoreJournal(lambda done, _, told=told: told.append(done)))
        assert ended.before == pytest.approx(dag_total(parents_of(start), score, candidates.price), abs=1e-6)
        assert ended.after == pytest.approx(dag_total(parents_of(ended.dag), score, candidates.price), abs=1e-6)
        for slots in (candidates.slots_of(start), None):
            climb = started(families, candidates, slots)
            climb.climb()
            assert ended.after >= climb.total() - 1e-6
        assert {4, 6} <= set(told) <= set(range(7))


@pytest.mark.filterwarnings("ignore:column 'X111' is almost")
def test_a_start_of_more_parents_than_are_looked_for():
    """The learned graph may have a hub; its parents are not forgotten, nor written beyond their place."""
    n = MAX_PARENTS + 10
    rng = np.random.default_rng(3)
    causes = rng.normal(size=(10_000, n))
    data = np.column_stack([causes, causes.sum(axis=1) + rng.normal(size=10_000)])
    start = PDAG.from_edges(n + 1, [(v, n) for v in range(n)])
    assert most_parents(start) == n and most_parents(PDAG.from_edges(3, [(0, 1)])) == MAX_PARENTS
    assert most_parents(PDAG.from_edges(3)) == MAX_PARENTS
    result = hccd.discover(data, baseline=hccd.PC(max_order=0))
    assert result.score is not None and len(result.tested.parents(n)) > MAX_PARENTS
    assert set(result.graph.parents(n)) == set(range(n))


@pytest.mark.parametrize("hub", [30, 60])
def test_a_hub_of_many_parents_is_found(hub):
    """Scale-free graphs have such, and a search that may not give a hub its parents makes up for them elsewhere."""
    rng = np.random.default_rng(hub)
    causes = rng.normal(size=(4000, hub))
    data = np.column_stack([causes, causes @ rng.uniform(0.5, 1.0, hub) + rng.normal(size=4000)])
    empty = PDAG.from_edges(hub + 1)
    families = hccd.FisherZ().bind(data).families(most_parents(empty))
    found = search_dag(families, CandidateParents.everybody(hub + 1, 4000.0), empty)
    assert found.dag == PDAG.from_edges(hub + 1, [(v, hub) for v in range(hub)])


@pytest.mark.parametrize("seed", range(8))
def test_variables_that_all_but_determine_each_other(seed):
    """What a step gains is then little more than rounding, which must not send the search round in circles."""
    rng = np.random.default_rng([43, seed])
    rows, n = 1000, 8
    noise = 10.0 ** rng.uniform(-6, -3, n) * rng.normal(size=(rows, n))
    data = rng.normal(size=(rows, 2)) @ rng.normal(size=(2, n)) + noise
    families = hccd.FisherZ(0.01).bind(data).families(ROOM)
    candidates = all_pairs(n)
    ended = search_dag(families, candidates, PDAG.from_edges(n))
    parents = parents_of(ended.dag)
    assert is_acyclic(parents) and np.isfinite(ended.after)
    own = sum(
        families.score(v, np.array(sorted(parents[v]), np.int32)) - candidates.price * len(parents[v]) for v in parents
    )
    assert ended.after == pytest.approx(own, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_candidates_by_definition(kind):
    for seed in range(5):
        rng = np.random.default_rng([44, seed])
        n = 9
        data = linear_gaussian(rng, n, 2, 60) if kind == "gaussian" else discrete_net(rng, n, 2, 60)
        formula = gaussian_score if kind == "gaussian" else table_score
        ci = (hccd.FisherZ(0.05) if kind == "gaussian" else hccd.GTest(0.05)).bind(data)
        independent = ci.marginals().independent
        if seed == 4:
            independent = ~np.eye(n, dtype=bool)
        learned = random_dag(rng, n, 0.15)
        most = (n, 2)[seed % 2]
        candidates = CandidateParents.of(ci.families(ROOM), independent, learned, most)
        wanted, shown = set(map(tuple, learned.skeleton().edges.tolist())), 0
        for y in range(n):
            gains = {x: formula(data, y, [x]) - formula(data, y, []) for x in range(n) if x != y}
            others = [x for x, gain in gains.items() if gain > np.log(n) or not independent[x, y]]
            shown += len(others)
            wanted |= {(min(x, y), max(x, y)) for x in sorted(others, key=lambda x: -gains[x])[:most]}
        assert pairs_of(candidates) == sorted(wanted)
        assert candidates.n == n
        assert candidates.price == pytest.approx(2 * np.log(max(shown / n, 2)))
        slots = candidates.slots_of(learned)
        assert slots.sum() == len(learned.directed_edges())
        assert candidates.dag_of(slots) == learned
        x, y = learned.directed_edges()[0]
        place = candidates.rows.slots(np.array([y]), np.array([x]))[0]
        assert slots[place] == 1 and slots[candidates.rows.mirror[place]] == 0


def test_an_edge_costs_more_where_there_may_be_nothing_but_noise():
    """A Bayes factor of 10 n: one in 20 n pairs of independent variables has it, or fewer."""
    rng = np.random.default_rng(45)
    ci = hccd.GTest(0.05).bind(discrete_net(rng, 6, 2, 60))
    dependent = ~np.eye(6, dtype=bool)
    few = np.zeros((6, 6), bool)
    few[:2, 2:4] = few[2:4, :2] = True

    def price(corrected):
        start = PDAG.from_edges(6)
        return CandidateParents.of(ci.families(ROOM), ~dependent, start, 5, ~corrected & dependent).price

    usual = CandidateParents.of(ci.families(ROOM), ~dependent, PDAG.from_edges(6), 5).price
    assert usual == price(dependent) == pytest.approx(2 * np.log(5))
    assert price(few[:, ::-1] & few) == pytest.approx(np.log(60))


def test_who_gains_beside_the_others_becomes_a_candidate():
    """Mostly an exclusive or: one of the two is dependent on the third alone, the other is not."""
    rng = np.random.default_rng(46)
    one, other, noise = rng.integers(0, 2, (3, 400))
    both = np.where(rng.random(400) < 0.7, one ^ other, one)
    families = hccd.GTest(0.05).bind(np.column_stack([one, other, both, noise])).families(ROOM)
    start = PDAG.from_edges(4, np.array([[0, 2]], np.int32))
    candidates = CandidateParents.of(families, ~np.eye(4, dtype=bool), start, 3)
    assert pairs_of(candidates) == [(0, 2)]
    more = candidates.extended(families, start)
    assert pairs_of(more) == [(0, 2), (1, 2)] and more.price == candidates.price
    assert more.extended(families, start) is None
    found = search_dag(families, candidates, start)
    # A common effect of the two, 0 or 2: either says all there is.
    assert found.dag.skeleton().edges.tolist() in ([[0, 1], [0, 2]], [[0, 2], [1, 2]])


def test_candidates_of_nothing():
    for n in (1, 2):
        families = hccd.FisherZ(0.01).bind_correlation(np.eye(n), 100).families(ROOM)
        candidates = CandidateParents.of(families, np.ones((n, n), bool), PDAG.from_edges(n), 1)
        assert candidates.rows.n_slots == 0 and candidates.price == pytest.approx(2 * np.log(2))
        assert search_dag(families, candidates, PDAG.from_edges(n)).after == 0.0
