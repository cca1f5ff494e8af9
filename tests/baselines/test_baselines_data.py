"""RAI, B-RAI, MMPC and MMHC on data: knowledge, errors, hypotheses, and a score that keeps to the skeleton."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

import hccd
from hccd import CustomTest
from hccd.baselines import BRAI, MMPC, RAI
from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG
from method_cases import discrete_net, linear_gaussian, random_dag, random_tree, true_cpdag

NAMES = ["rai", "b-rai", "mmpc", "mmhc"]


@pytest.mark.parametrize("name", NAMES)
def test_close_to_pc_on_plenty_of_data(name):
    """Tests of 20,000 rows hardly err, so all find nearly the same edges."""
    data = linear_gaussian(np.random.default_rng(1), 30, 3, 20_000)
    pc = hccd.learn_skeleton(data, baseline="pc", max_order="none").skeleton.adjacency
    own = hccd.learn_skeleton(data, baseline=name).skeleton.adjacency
    assert np.triu(pc != own).sum() <= 2 and pc.sum() > 60


@pytest.mark.parametrize("name", NAMES)
def test_what_is_known_holds(name):
    rng = np.random.default_rng(3)
    data = linear_gaussian(rng, 10, 3, 500)
    names = [f"v{i}" for i in range(10)]
    free = hccd.discover(data, names=names, baseline=name, method="pc")
    (a, b, _), *_ = free.edges()
    apart = next(pair for pair in combinations(names, 2) if not free.skeleton.has_edge(*map(names.index, pair)))
    knowledge = hccd.Knowledge(forbidden=[(a, b), (b, a)], adjacent=[apart])
    for method in ("pc", "hccd"):
        result = hccd.discover(data, names=names, baseline=name, method=method, knowledge=knowledge)
        assert not result.skeleton.has_edge(names.index(a), names.index(b))
        assert result.skeleton.has_edge(*map(names.index, apart))


@pytest.mark.parametrize("name", NAMES)
def test_true_knowledge_leaves_a_perfect_test_exact(name):
    """A pair that is known to have no edge may depend without condition: it says nothing about colliders."""
    for seed in range(60):
        rng = np.random.default_rng([5, seed])
        dag = random_dag(rng, 9, 0.35)
        gone = [pair for pair in combinations(range(9), 2) if not dag.skeleton().has_edge(*pair)]
        chosen = rng.permutation(len(gone))[: len(gone) // 3]
        known = [(f"v{x}", f"v{y}") for k in chosen for x, y in (gone[k], gone[k][::-1])]
        result = hccd.discover(
            hccd.Oracle(dag).bind(), names=[f"v{i}" for i in range(9)], baseline=name,
            tree=random_tree(rng, 9), knowledge=hccd.Knowledge(forbidden=known),
        )  # fmt: skip
        assert result.skeleton == dag.skeleton(), f"seed {seed}"
        # A pair that was never asked claims no collider, but what is directed is directed truly.
        true = true_cpdag(dag).directed_edges().tolist()
        assert all(edge in true for edge in result.graph.directed_edges().tolist()), f"seed {seed}"


@pytest.mark.parametrize(
    ("baseline", "said"),
    [
        (RAI(max_order=-1), "max_order is -1"),
        (RAI(ordering="size"), "ordering is 'size'"),
        (MMPC(max_order=1.5), "max_order is 1.5"),
        (BRAI(hypotheses=0), "hypotheses is 0"),
        (BRAI(max_order="all"), "max_order is 'all'"),
    ],
)
def test_settings_without_a_meaning_are_refused(baseline, said):
    with pytest.raises(InvalidParameterError, match=said):
        hccd.discover(np.random.default_rng(0).normal(size=(50, 4)), baseline=baseline)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_the_test_comes_through(name, workers):
    def test(data, x, y, given):
        if given:
            raise ArithmeticError("no such set")
        return 0.0

    data = linear_gaussian(np.random.default_rng(2), 24, 3, 100)
    with pytest.raises(ArithmeticError, match="no such set"):
        hccd.discover(data, test=CustomTest(test, 0.05), baseline=name, n_jobs=workers)


@pytest.mark.parametrize("name", NAMES)
def test_a_limit_and_a_score_of_the_callers_own(name):
    data = linear_gaussian(np.random.default_rng(2), 24, 4, 400)
    limited = hccd.discover(data, baseline=name, max_order=1, bootstrap="none")
    assert limited.parameters["baseline"]["max_order"] == 1
    assert max(map(len, limited.separators.values())) <= 1
    scored = hccd.discover(data, baseline=name, scoring="bic", bootstrap="none")
    assert scored.score is not None
    assert hccd.discover(data, baseline=name, scoring="none", bootstrap="none").score is None


def best_within(data, skeleton, price):
    """The highest score of all DAGs with edges of a skeleton, by enumeration."""
    families = hccd.FisherZ().bind(data).families(8)
    scores = {}
    best = -np.inf
    for choice in product((0, 1, 2), repeat=skeleton.n_edges):
        arcs = [
            (x, y) if way == 1 else (y, x) for (x, y), way in zip(skeleton.edges.tolist(), choice, strict=True) if way
        ]
        dag = PDAG.from_edges(skeleton.n, directed=arcs)
        if not dag.is_dag():
            continue
        total = 0.0
        for v in range(skeleton.n):
            family = v, tuple(sorted(dag.parents(v)))
            if family not in scores:
                scores[family] = families.score(v, np.array(family[1], np.int32)) - price * len(family[1])
            total += scores[family]
        best = max(best, total)
    return best


def test_the_score_of_mmhc_is_the_best_within_the_skeleton():
    """The search is no proof: in one of these six it ends 1 % lower."""
    restricted = found = 0
    for seed in range(6):
        data = linear_gaussian(np.random.default_rng([11, seed]), 6, 2.4, 150, low=0.15)
        # A strict level leaves out edges that the score alone would have.
        options = {"method": "pc", "alpha": 0.001, "bootstrap": "none"}
        skeleton = hccd.learn_skeleton(data, baseline="mmpc", method="pc", alpha=0.001).skeleton
        result = hccd.discover(data, baseline="mmhc", **options)
        best = best_within(data, skeleton, result.score.price)
        assert 0.98 * best <= result.score.after <= best + 1e-6
        found += result.score.after > best - 1e-6
        assert result.score.candidates == skeleton.n_edges
        assert not (result.skeleton.adjacency & ~skeleton.adjacency).any()
        free = hccd.discover(data, baseline="mmpc", scoring="bic", **options)
        restricted += free.score.after > result.score.after + 1e-6
    assert restricted >= 4 and found >= 5


@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
def test_the_hypotheses_of_b_rai(kind):
    rng = np.random.default_rng(4)
    data = linear_gaussian(rng, 20, 4, 150) if kind == "gaussian" else discrete_net(rng, 20, 3, 300)

    def learned(seed=0, **settings):
        return hccd.learn_skeleton(data, baseline=BRAI(**settings), seed=seed, method="pc")

    one, rai = learned(hypotheses=1), hccd.learn_skeleton(data, baseline=RAI(), method="pc")
    assert one.skeleton == rai.skeleton and one.tests == rai.tests and one.separators == rai.separators
    several = learned(hypotheses=3)
    assert several.tests.total > rai.tests.total
    assert learned(hypotheses=3).tests == several.tests
    skeletons = {learned(seed, hypotheses=3).skeleton.edges.tobytes() for seed in range(6)}
    assert len(skeletons) > 1


def test_without_rows_or_a_score_b_rai_is_rai():
    data = linear_gaussian(np.random.default_rng(4), 12, 4, 150)
    bound = hccd.FisherZ(0.01).bind(data)
    own = hccd.learn_skeleton(bound, baseline=BRAI(hypotheses=3), method="pc")
    rai = hccd.learn_skeleton(bound, baseline=RAI(), method="pc")
    assert own.skeleton == rai.skeleton and own.tests == rai.tests


def test_a_baseline_says_what_it_is():
    assert RAI().describe() == {"name": "rai", "max_order": None, "ordering": "strength"}
    assert MMPC(max_order=2).describe() == {"name": "mmpc", "max_order": 2}
    assert BRAI().describe()["hypotheses"] == 3
    assert replace(BRAI(), seed=4).describe()["seed"] == 4
