"""The search over orders: parents by brute force, where it stops, what it gives back, and what it finds."""

from __future__ import annotations

from functools import partial
from itertools import permutations

import numpy as np
import pytest
from scipy.special import xlogy
from scoring_cases import ROOM, dag_total, gaussian_score, parents_of, quietly, table_score

import hccd
from hccd._kernels.scores.permutation import PermutationSearch
from hccd.graphs import PDAG, dag_to_cpdag
from hccd.independence.tables import EQUIVALENT_ROWS
from hccd.metrics import shd
from hccd.scoring import CandidateParents, candidates_for, search_dag
from method_cases import discrete_net, linear_gaussian, random_dag
from uncompiled import uncompiled

N = 7
PRICE = 1.0


def case(kind, seed, rows=120):
    """A search from a random order, its score by brute force, and whom each variable may have as parents."""
    rng = np.random.default_rng([61, seed])
    if kind == "gaussian":
        data, test, formula = linear_gaussian(rng, N, 3, rows), hccd.FisherZ(0.05), gaussian_score
        lists = CandidateParents.everybody(N, rows).lists()
        allowed = {y: set(range(N)) - {y} for y in range(N)}
    else:
        data, test, formula = discrete_net(rng, N, 3, rows), hccd.GTest(0.05), table_score
        families = test.bind(data).families(ROOM)
        chosen = CandidateParents.of(families, rng.random((N, N)) < 0, random_dag(rng, N, 0.2), 3)
        lists = chosen.lists()
        allowed = {y: set(lists[2][lists[0][y] : lists[1][y]].tolist()) for y in range(N)}
    order = rng.permutation(N).astype(np.int32)
    search = PermutationSearch(test.bind(data).families(ROOM), *lists, order, PRICE, ROOM)
    known = {}

    def score(child, parents):
        key = child, tuple(sorted(parents))
        if key not in known:
            known[key] = formula(data, *key) - PRICE * len(parents)
        return known[key]

    return rng, search, score, allowed


def grown_and_shrunk(child, available, score):
    """Add the parent that gains most until none gains, then take away the one whose loss gains most."""
    parents = set()
    while True:
        gains = {x: score(child, parents | {x}) - score(child, parents) for x in sorted(available - parents)}
        best = max(gains, key=lambda x: gains[x], default=None)
        if best is None or gains[best] <= 1e-6:
            break
        parents.add(best)
    while parents:
        gains = {x: score(child, parents - {x}) - score(child, parents) for x in sorted(parents)}
        best = max(gains, key=lambda x: gains[x])
        if gains[best] <= 1e-6:
            break
        parents.remove(best)
    return parents


def by_hand(order, score, allowed):
    """The score of an order, and the parents in it."""
    parents = {}
    for i, y in enumerate(order):
        parents[y] = grown_and_shrunk(y, set(order[:i]) & allowed[y], score)
    return sum(score(y, own) for y, own in parents.items()), parents


def learned(search):
    return {y: set(search.parents(y).tolist()) for y in range(N)}


def to_the_end(search):
    while search.improve(3):
        pass


@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
@pytest.mark.parametrize("seed", range(4))
def test_parents_in_an_order(kind, seed):
    """Whatever orders were looked at before, the parents are those of growing and shrinking."""
    rng, search, score, allowed = case(kind, seed)
    for _ in range(12):
        order = rng.permutation(N)
        search.begin(order.astype(np.int32))
        total, parents = by_hand(order.tolist(), score, allowed)
        assert learned(search) == parents
        assert search.total() == pytest.approx(total, abs=1e-6)
        search.improve(int(rng.integers(0, 6)))


@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
@pytest.mark.parametrize("seed", range(4))
def test_no_move_of_one_variable_gains_at_the_end(kind, seed):
    _, search, score, allowed = case(kind, seed)
    before = search.total()
    to_the_end(search)
    order = np.array(search.sequence).tolist()
    total, parents = by_hand(order, score, allowed)
    assert sorted(order) == list(range(N)) and learned(search) == parents
    assert search.total() == pytest.approx(total, abs=1e-6) and search.total() >= before
    check_that_no_move_gains(order, total, score, allowed)


def check_that_no_move_gains(order, total, score, allowed):
    """By trying every place of every variable."""
    for v in order:
        left = [w for w in order if w != v]
        for place in range(N):
            moved, _ = by_hand([*left[:place], v, *left[place:]], score, allowed)
            assert moved <= total + 1e-5


@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
def test_a_kick_is_undone_or_gains(kind):
    """Whatever happens on the way, the end is an order with its own parents, and no lower than the beginning."""
    gained = 0
    for seed in range(12):
        rng, search, score, allowed = case(kind, seed)
        search.begin(rng.permutation(N).astype(np.int32))
        to_the_end(search)
        for warmth, along in ((64.0, 2), (1.0, 1), (8.0, 2), (64.0, 1)):
            before, order, parents = search.total(), np.array(search.sequence), learned(search)
            found = search.kick(0, N, warmth, along, 1e-6)
            gained += found
            now = np.array(search.sequence).tolist()
            total, by_order = by_hand(now, score, allowed)
            assert search.total() == pytest.approx(total, abs=1e-6) and learned(search) == by_order
            assert search.improve(100) == 0
            if found:
                assert search.total() > before
                check_that_no_move_gains(now, total, score, allowed)
            else:
                assert np.array_equal(np.array(search.sequence), order) and learned(search) == parents
    assert gained


def test_a_kick_that_gains_too_little_is_undone():
    _, search, _, _ = case("gaussian", 3)
    search.begin(np.random.default_rng(3).permutation(N).astype(np.int32))
    order, total = np.array(search.sequence), search.total()
    assert search.kick(0, N, 8.0, 1, 1e9) == 0
    assert np.array_equal(np.array(search.sequence), order) and search.total() == total


def cancelling(rows=400):
    """a -> b, and y = a - b + noise in such a way that neither of the two is dependent on y; then three of noise."""
    rng = np.random.default_rng(8)
    exact = np.linalg.qr(rng.normal(size=(rows, 6)))[0] * np.sqrt(rows)
    a, own, noise = exact[:, 0], exact[:, 1], exact[:, 2]
    b = 0.99 * a + np.sqrt(1 - 0.99**2) * own
    return np.column_stack([a, b, a - b + 0.3 * noise, exact[:, 3:]])


def test_two_parents_that_gain_together_only():
    data = cancelling()
    ci = hccd.FisherZ(0.05).bind(data - data.mean(axis=0))
    lists = CandidateParents.everybody(6, 400).lists()
    search = PermutationSearch(ci.families(ROOM), *lists, np.arange(6, dtype=np.int32), 3.0, ROOM)
    assert search.parents(2).tolist() == []
    assert search.look_ahead() == 1 and search.look_ahead() == 0
    assert search.parents(2).tolist() == [0, 1]
    # Where only one of them is available, neither is a parent.
    search.begin(np.array([0, 2, 1, 3, 4, 5], np.int32))
    assert search.parents(2).tolist() == []
    # The pair is a reason to move.
    to_the_end(search)
    assert search.total() == pytest.approx(search_of_all_orders(ci, lists), abs=1e-6)


@pytest.mark.parametrize("kind", ["compiled", "uncompiled"])
def test_parents_that_growing_misses_can_be_led_to(kind):
    """y is the parity of three coins: none of them gains alone, nor any two of them together."""
    rng = np.random.default_rng(5)
    coins = rng.integers(0, 2, (600, 4))
    data = np.column_stack([coins, coins[:, :3].sum(axis=1) % 2])
    ci = hccd.GTest(0.05).bind(data)
    lists, order = CandidateParents.everybody(5, 600).lists(), np.arange(5, dtype=np.int32)
    search = PermutationSearch(ci.families(ROOM), *lists, order, PRICE, ROOM)
    if kind == "uncompiled":
        search = uncompiled("permutation").PermutationSearch(plain_families(ci), *lists, order, PRICE, ROOM)
    assert search.parents(4).tolist() == [] and search.look_ahead() == 0
    before, wanted = search.total(), np.array([0, 1, 2], np.int32)
    assert search.lead(4, wanted) and not search.lead(4, wanted)
    assert search.parents(4).tolist() == [0, 1, 2]
    gain = table_score(data, 4, (0, 1, 2)) - 3 * PRICE - table_score(data, 4, ())
    assert search.total() - before == pytest.approx(gain, abs=1e-6) and gain > 100.0
    # What scores no higher changes nothing, nor do parents of whom one comes later.
    assert not search.lead(3, wanted) and search.parents(3).tolist() == []
    search.begin(np.array([0, 1, 4, 2, 3], np.int32))
    assert search.parents(4).tolist() == []
    to_the_end(search)
    assert search.total() == pytest.approx(before + gain, abs=1e-6)


@pytest.mark.parametrize("seed", [4, 6, 7])
def test_the_start_does_not_decide_where_variables_are_few(seed):
    """Columns in other units are in another canonical order, so the search begins elsewhere: single moves get stuck."""
    rng = np.random.default_rng(seed)
    values = np.zeros((400, 12))
    for y in range(12):
        values[:, y] = rng.normal(size=400)
        for x in {y - 1, y - 3} & set(range(y)):
            values[:, y] += rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 1.2) * values[:, x]
    ends = [quietly(values * rng.uniform(0.5, 2.0, 12)).score.after for _ in range(6)]
    assert ends == pytest.approx([ends[0]] * 6, abs=1e-6)


@pytest.mark.parametrize("seed", [10, 35])
def test_pairs_of_parents_lead_higher_than_single_ones(seed, monkeypatch):
    data, _ = linear_model(seed, 20, 6, 150)
    by_pairs = quietly(data).score.after

    def improve(search, _progress):
        while search.improve(1000):
            pass

    monkeypatch.setattr("hccd.scoring.search._improve", improve)
    assert by_pairs > quietly(data).score.after + 1.0


def search_of_all_orders(ci, lists):
    """The highest score of any order of the first three."""
    found = []
    for order in permutations(range(3)):
        search = PermutationSearch(ci.families(ROOM), *lists, np.array([*order, 3, 4, 5], np.int32), 3.0, ROOM)
        search.look_ahead()
        found.append(search.total())
    return max(found)


def test_trees_that_grow_too_large_begin_anew(monkeypatch):
    """The bound on memory: what was found stays, also what was kept before."""
    plain = uncompiled("permutation")
    monkeypatch.setattr(uncompiled("variable_order"), "MOST_NODES", 25)
    rng = np.random.default_rng(5)
    ci = hccd.FisherZ(0.05).bind(linear_gaussian(rng, N, 3, 100))
    lists = CandidateParents.everybody(N, 100).lists()
    order = np.arange(N, dtype=np.int32)
    families = uncompiled("gaussian_families").GaussianFamilies(np.array(ci.correlation), 97.0, 1e-10, ROOM)
    bounded = plain.PermutationSearch(families, *lists, order, PRICE, ROOM)
    free = PermutationSearch(ci.families(ROOM), *lists, order, PRICE, ROOM)
    for search in (bounded, free):
        to_the_end(search)
    assert bounded.total() == pytest.approx(free.total(), abs=1e-9)
    for warmth in (1.0, 8.0, 64.0):
        assert bounded.kick(0, N, warmth, 1, 1e-6) == free.kick(0, N, warmth, 1, 1e-6)
        assert bounded.total() == pytest.approx(free.total(), abs=1e-9) and learned(bounded) == learned(free)
    assert bounded.trees.n_nodes < free.trees.n_nodes


def linear_model(seed, n, degree, rows, low=0.5, high=1.5):
    """Strong effects of random size and sign, columns in random order; the class of the true DAG."""
    rng = np.random.default_rng([62, seed])
    edge = np.triu(rng.random((n, n)) < degree / (n - 1), 1)
    weight = edge * rng.uniform(low, high, (n, n)) * rng.choice([-1.0, 1.0], (n, n))
    data = np.zeros((rows, n))
    for y in range(n):
        data[:, y] = data @ weight[:, y] + rng.uniform(0.7, 1.4) * rng.normal(size=rows)
    order = rng.permutation(n)
    return data[:, order], dag_to_cpdag(PDAG.from_edges(n, np.argwhere(edge[np.ix_(order, order)])))


def test_the_graph_is_found_where_there_are_rows_enough():
    """Strong effects and four neighbours: single edges get stuck there, orders do not."""
    cases = [linear_model(seed, 30, 4, 20_000) for seed in range(6)]
    wrong = [shd(truth, quietly(data).graph).total for data, truth in cases]
    assert sum(wrong) <= 4 and wrong.count(0) >= 4


@pytest.mark.parametrize(("n", "rows"), [(20, 10), (60, 15), (200, 15), (200, 50), (200, 1000), (300, 100)])
def test_independent_columns_stay_apart(n, rows):
    edges = [len(quietly(np.random.default_rng([63, n, rows, s]).normal(size=(rows, n))).edges()) for s in range(5)]
    assert np.mean(edges) <= n / 20


@pytest.mark.parametrize(("n", "rows"), [(20, 15), (20, 100), (100, 15), (100, 200)])
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_independent_discrete_columns_stay_apart(n, rows, share):
    edges = []
    for seed in range(5):
        states = np.random.default_rng([64, n, rows, seed]).random((rows, n, 2)) < share
        edges.append(len(quietly(states.sum(axis=2), test="g").edges()))
    assert np.mean(edges) <= n / 20


def test_everybody_is_a_candidate_of_continuous_data():
    rng = np.random.default_rng(0)
    ci = hccd.FisherZ(0.01).bind(rng.normal(size=(400, 5)))
    candidates = candidates_for(ci.families(ROOM), ci.marginals(), PDAG.from_edges(5))
    assert candidates.rows is None and candidates.n_pairs == 10
    # BIC's own price twice, which is more than is needed among five variables.
    assert candidates.price == pytest.approx(0.5 * np.log(397))
    assert CandidateParents.everybody(1000, 50).price == pytest.approx(np.log(1000) + 2 - 0.5 * np.log(50))
    found = search_dag(ci.families(ROOM), candidates, PDAG.from_edges(5))
    assert found.before == found.after == 0.0 and parents_of(found.dag) == {v: frozenset() for v in range(5)}


def test_the_end_is_never_below_the_start():
    for seed in range(6):
        rng = np.random.default_rng([64, seed])
        data = linear_gaussian(rng, 8, 3, 200)
        families = hccd.FisherZ(0.05).bind(data).families(ROOM)
        candidates = CandidateParents.everybody(8, 197)
        start = random_dag(rng, 8, 0.4)
        found = search_dag(families, candidates, start)
        score = partial(gaussian_score, data)
        assert found.before == pytest.approx(dag_total(parents_of(start), score, candidates.price), abs=1e-6)
        assert found.after == pytest.approx(dag_total(parents_of(found.dag), score, candidates.price), abs=1e-6)
        assert found.after >= found.before


def test_a_full_memory_gives_up_the_old():
    memory = uncompiled("set_memory").SetMemory(5, 2)
    keys = [int(memory.child_key[0]) ^ int(key) for key in memory.member_key]
    assert len({*keys, *map(int, memory.child_key)}) == 10
    for key in keys:
        memory.keys[memory.place(key)] = key
    held = set(map(int, memory.keys))
    assert len(held) == 4 and keys[-1] in held and held < set(keys)


@pytest.mark.parametrize("seed", range(6))
def test_no_move_gains_among_many_variables(seed):
    """Every place of every variable, each as an order of its own: who is near whom must not hide a move that gains."""
    n = 20
    data, _ = linear_model(seed, n, 5, 300)
    families = hccd.FisherZ(0.05).bind(data).families(ROOM)
    order = np.random.default_rng(seed).permutation(n).astype(np.int32)
    search = PermutationSearch(families, *CandidateParents.everybody(n, 300).lists(), order, PRICE, ROOM)
    to_the_end(search)
    end, total = np.array(search.sequence).tolist(), search.total()
    for v in end:
        left = [w for w in end if w != v]
        for place in range(n):
            search.begin(np.array([*left[:place], v, *left[place:]], np.int32))
            assert search.total() <= total + 1e-5


def plain_families(ci):
    """The scores of families of a table, uncompiled."""
    counts = np.arange(ci.n_samples + 1, dtype=np.float64)
    columns = uncompiled("coded_columns").CodedColumns(ci.codes, ci.states, xlogy(counts, counts))
    return uncompiled("table_families").TableFamilies(columns, EQUIVALENT_ROWS, ROOM)


def test_scores_are_right_where_the_memory_is_full(monkeypatch):
    monkeypatch.setattr(uncompiled("table_families"), "MEMORY_BITS", 3)
    rng = np.random.default_rng(8)
    ci = hccd.GTest(0.05).bind(discrete_net(rng, N, 3, 60))
    families, free = plain_families(ci), ci.families(4)
    for _ in range(150):
        child, *parents = rng.permutation(N)[: 1 + int(rng.integers(0, 4))].tolist()
        members = np.array(sorted(parents), np.int32)
        assert families.score(child, members) == pytest.approx(free.score(child, members), abs=1e-9)


def test_drawing_the_trees_together_changes_nothing():
    """A search whose memory is put in order again and again goes the same way as one whose is not."""
    rng = np.random.default_rng(7)
    data = linear_gaussian(rng, 20, 9, 300)
    ci, lists = hccd.FisherZ(0.05).bind(data), CandidateParents.everybody(20, 300).lists()
    ends = []
    for compacted in (False, True):
        search = PermutationSearch(ci.families(ROOM), *lists, np.arange(20, dtype=np.int32), 3.0, ROOM)
        gained = []
        for turn in range(12):
            if turn % 3 == 0:
                to_the_end(search)
                gained.append(search.look_ahead())
            if compacted:
                search.compact()
            gained.append(search.kick(0, 20, (2.0, 8.0, 32.0)[turn % 3], 1 + turn % 2, 0.5))
        ends.append((gained, np.asarray(search.sequence).tolist(), search.total(), search.work, search.trees.n_nodes))
        ends[-1] += ([search.parents(y).tolist() for y in range(20)],)
    assert sum(ends[0][0]) > 0
    assert ends[0] == ends[1]
