"""The score inside a run: when there is one, what it leaves alone, what a result says of it, and files."""

from __future__ import annotations

import json
import pickle
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import pearsonr
from scoring_cases import dag_total, gaussian_score, parents_of, quietly, table_score
from sklearn.base import clone

import hccd
from hccd.datasets.synthetic import LinearGaussian, random_dag
from hccd.errors import FileFormatError, InvalidParameterError
from hccd.graphs import PDAG, check_validity, dag_to_cpdag, pdag_to_dag
from hccd.result import HCCDResult
from hccd.run.options import Options
from hccd.run.prepared import prepare
from method_cases import discrete_net, linear_gaussian, true_cpdag

N = 18
NAMES = [f"column {i}" for i in range(N)]
#: From careless to timid: with the first the score parts pairs, with the last it joins some found independent.
ALPHAS = (0.2, 0.05, 0.01, 1e-6)
CASES = [(kind, seed) for kind in ("gaussian", "discrete") for seed in range(4)]


def table(kind, seed):
    rng = np.random.default_rng([61, seed])
    return linear_gaussian(rng, N, 3, 120, 0.15) if kind == "gaussian" else discrete_net(rng, N, 3, 200, (2, 4))


@cache
def learned(kind, seed, score=None, baseline=None):
    return quietly(table(kind, seed), names=NAMES, scoring=score, baseline=baseline, **options(kind, seed))


def options(kind, seed):
    return {"test": "fisher-z" if kind == "gaussian" else "g", "alpha": ALPHAS[seed]}


def pairs(result):
    return combinations(range(len(result.names)), 2)


def content(result):
    """The file without the time."""
    data = json.loads(json.dumps(result.to_dict()))
    seconds = data.pop("seconds")
    assert ("score" in seconds) == (result.score is not None)
    return data


def test_the_cases_show_what_a_score_does():
    for kind in ("gaussian", "discrete"):
        changes = [learned(kind, seed).score.changes(learned(kind, seed).graph) for seed in range(4)]
        assert sum(change.added for change in changes) > 2
        assert sum(change.removed for change in changes) > 2
        assert sum(change.turned for change in changes) > 2


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_without_a_score_the_tests_have_the_last_word(kind, seed):
    # Where a score follows, tests condition on no more than three variables.
    scored, plain = learned(kind, seed), learned(kind, seed, "none", hccd.PC(max_order=3))
    assert plain.score is None and plain.tested is plain.graph
    assert scored.tested == plain.graph
    assert scored.parameters["scoring"] == ("bic" if kind == "gaussian" else "bd")
    assert plain.parameters["scoring"] == "none"
    assert scored.tests == plain.tests
    assert dict(scored.separators) == dict(plain.separators)
    assert np.array_equal(scored.marginal.independent, plain.marginal.independent)
    assert content(learned(kind, seed, scored.parameters["scoring"])) == content(scored)
    assert content(learned(kind, seed, "auto")) == content(scored)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_the_record_by_brute_force(kind, seed):
    """Scores before and after, by formulas of their own; edges are counted by hand."""
    result, data = learned(kind, seed), table(kind, seed)
    record = result.score
    formula = gaussian_score if kind == "gaussian" else table_score
    # The run has numbers of its own for the columns; they say which DAG of the class is the first.
    order = prepare(data, Options(test=options(kind, seed)["test"], alpha=ALPHAS[seed], names=NAMES)).binding.columns
    before, after = (
        dag_total(
            parents_of(pdag_to_dag(graph.relabelled(np.argsort(order))).relabelled(order)),
            lambda v, own: formula(data, v, own),
            record.price,
        )
        for graph in (result.tested, result.graph)
    )
    assert record.before == pytest.approx(before, abs=1e-6)
    # Equivalent DAGs have the same BIC; with the other score the search ends at one of its class.
    assert record.after == pytest.approx(after, abs=1e-6 if kind == "gaussian" else 30.0)
    assert record.after >= record.before
    assert record.start in ("tests", "empty") and record.candidates >= result.tested.skeleton().n_edges
    assert 2 * np.log(2) <= record.price <= 2 * np.log(N)
    one, two = result.tested.skeleton(), result.graph.skeleton()
    changes = record.changes(result.graph)
    assert changes.added == sum(two.has_edge(*pair) and not one.has_edge(*pair) for pair in pairs(result))
    assert changes.removed == sum(one.has_edge(*pair) and not two.has_edge(*pair) for pair in pairs(result))
    old, new = result.tested.marks, result.graph.marks
    assert changes.turned == sum(
        one.has_edge(x, y) and two.has_edge(x, y) and (old[x, y], old[y, x]) != (new[x, y], new[y, x])
        for x, y in pairs(result)
    )
    assert f"{changes.removed} removed" in str(changes)
    assert check_validity(result.graph).valid
    assert dag_to_cpdag(pdag_to_dag(result.graph)) == result.graph
    assert set(result.reasons) == set(map(tuple, result.graph.directed_edges().tolist()))


def test_who_has_a_score_by_default():
    data = table("gaussian", 0)
    for method in ("hccd", "pc", "flat", "tscb", "not-c"):
        for preset in ("default", "paper"):
            result = quietly(data, method=method, preset=preset)
            assert (result.score is not None) == ((method, preset) == ("hccd", "default"))
            assert result.parameters["scoring"] == ("none" if result.score is None else "bic")
    assert quietly(data, method="pc", scoring="auto").score.name == "bic"
    assert quietly(table("discrete", 0), method="flat", preset="paper", scoring="bd").score.name == "bd"
    for test in ("g", "chi2", "mi"):
        assert quietly(table("discrete", 0), test=test).score.name == "bd"


def own_test(data, x, y, given):
    return pearsonr(data[:, x], data[:, y]).pvalue


def test_tests_without_data_have_none():
    oracle = hccd.Oracle(PDAG.from_edges(3, [(0, 2), (1, 2)])).bind()
    data = table("gaussian", 0)[:, :4]
    for asked in (None, "auto", "none"):
        assert quietly(oracle, scoring=asked).score is None
        assert quietly(data, test=own_test, scoring=asked).score is None
    skeleton = hccd.learn_skeleton(data, test=own_test)
    assert skeleton.skeleton.n == 4


WRONG = {
    "oracle": lambda: (hccd.Oracle(PDAG.from_edges(3, [(0, 2), (1, 2)])).bind(), {"scoring": "bic"}),
    "own function": lambda: (table("gaussian", 0)[:, :4], {"test": own_test, "scoring": "bic"}),
    "bic of states": lambda: (table("discrete", 0), {"test": "g", "scoring": "bic"}),
    "bd of numbers": lambda: (table("gaussian", 0), {"test": "fisher-z", "scoring": "bd"}),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_score_for_other_data_is_refused_before_the_work(case):
    data, asked = WRONG[case]()
    told = []
    with pytest.raises(InvalidParameterError) as refused:
        quietly(data, progress=told.append, **asked)
    sentence = str(refused.value)
    assert sentence.startswith(f"scoring is '{asked['scoring']}', which is for ")
    assert sentence.endswith("choose 'auto' or 'none'") and "\n" not in sentence and ". " not in sentence
    assert told == []


@pytest.mark.parametrize("score", ["BIC", "", "bdeu", 3])
def test_an_unknown_score_is_refused(score):
    with pytest.raises(
        InvalidParameterError, match=r"^scoring is .*; choose one of auto, none, bic, bd( \(did you mean .*\))?$"
    ):
        quietly(table("gaussian", 0), scoring=score)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_neither_order_nor_names_nor_workers_matter(kind, seed):
    result, data = learned(kind, seed), table(kind, seed)
    order = np.random.default_rng(seed).permutation(N)
    moved = quietly(data[:, order], names=[NAMES[v] for v in order], **options(kind, seed))
    assert moved.graph.relabelled(order) == result.graph
    assert moved.tested.relabelled(order) == result.tested
    for name in ("name", "price", "candidates", "before", "after", "start"):
        assert getattr(moved.score, name) == getattr(result.score, name)
    assert {(order[a], order[b]): why for (a, b), why in moved.reasons.items()} == dict(result.reasons)
    renamed = quietly(data, names=[name.upper() + "!" for name in reversed(NAMES)], **options(kind, seed))
    assert renamed.graph == result.graph and renamed.score.after == result.score.after
    for jobs in (1, 2):
        assert content(quietly(data, names=NAMES, **options(kind, seed), n_jobs=jobs)) == content(result)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_a_file_keeps_everything(kind, seed, tmp_path):
    result = learned(kind, seed)
    result.save(tmp_path / "graph.json")
    other = HCCDResult.load(tmp_path / "graph.json")
    assert other.graph == result.graph and other.tested == result.tested
    for name in ("name", "price", "candidates", "before", "after", "start"):
        assert getattr(other.score, name) == getattr(result.score, name)
    assert np.array_equal(other.marginal.independent, result.marginal.independent)
    for x, y in pairs(result):
        one, two = result.removal(x, y), other.removal(x, y)
        assert (one is None) == (two is None)
        if one is not None:
            assert (one.given, one.stage, one.cluster) == (two.given, two.stage, two.cluster)
            assert two.p_value == pytest.approx(one.p_value, rel=0.0006)
    assert content(other) == content(result)
    assert content(pickle.loads(pickle.dumps(result))) == content(result)
    assert "score" not in learned(kind, seed, "none").to_dict()


def test_p_values_of_pairs_that_the_score_joined_are_their_own():
    """Such a pair is independent without condition and an edge all the same; the file lists it once, in its place."""
    joined = 0
    for kind, seed in CASES:
        result = learned(kind, seed)
        other = HCCDResult.from_dict(result.to_dict())
        for x, y in pairs(result):
            if result.skeleton.has_edge(x, y) and result.marginal.independent[x, y]:
                joined += 1
                assert other.removal(x, y).p_value == pytest.approx(result.removal(x, y).p_value, rel=0.0006)
                assert f"(p = {result.removal(x, y).p_value:.3g}" in result.explain(x, y)
    assert joined > 2


PARTS = ["edges_of_tests", "name", "price", "candidates", "before", "after", "start", "edges"]


@pytest.mark.parametrize("part", PARTS)
def test_a_damaged_record_is_refused(part):
    data = learned("gaussian", 0).to_dict()
    data["score"] = {name: value for name, value in data["score"].items() if name != part}
    with pytest.raises(FileFormatError, match="damaged"):
        HCCDResult.from_dict(data)


@pytest.mark.parametrize("place", ["edges", "edges_of_tests"])
def test_an_edge_that_is_gone_is_noticed(place):
    """Without it the file would be another graph, or its p-values those of other pairs."""
    data = learned("discrete", 0).to_dict()
    del (data if place == "edges" else data["score"])[place][0]
    with pytest.raises(FileFormatError, match="damaged"):
        HCCDResult.from_dict(data)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_every_pair_is_explained(kind, seed):
    result = learned(kind, seed)
    plain = learned(kind, seed, "none", hccd.PC(max_order=3))
    for x, y in pairs(result):
        for a, b in ((x, y), (y, x)):
            text = result.explain(a, b)
            assert text.startswith(f"'{NAMES[a]}' and '{NAMES[b]}' are ") and text.endswith(".") and "nan" not in text
            is_edge, was_edge = result.skeleton.has_edge(a, b), result.tested.skeleton().has_edge(a, b)
            by_score = "are adjacent, because the score is higher with an edge" in text
            parted = "no tested set separated them, but the score is higher without an edge." in text
            assert by_score == (is_edge and not was_edge) and parted == (was_edge and not is_edge)
            assert ("are not adjacent" in text) != is_edge
            if not is_edge and not was_edge:
                assert text == plain.explain(a, b)
            if is_edge and was_edge:
                assert text.split(".")[0] == plain.explain(a, b).split(".")[0]
            if by_score:
                removal = result.removal(a, b)
                given = "without any condition" if not removal.given else f"given '{removal.given[0]}'"
                assert f"though the tests found independence {given}" in text
    for (a, b), why in result.reasons.items():
        if why == "score":
            text = result.explain(a, b)
            other = text.split(f"collider between '{NAMES[a]}' and '")[1].split("'")[0]
            assert f"the score is highest with '{NAMES[b]}' as a collider" in text
            assert NAMES.index(other) in result.graph.parents(b)
            assert not result.skeleton.has_edge(a, NAMES.index(other))


def test_what_the_score_decides_is_said_somewhere():
    whys = [why for kind, seed in CASES for why in learned(kind, seed).reasons.values()]
    assert whys.count("score") > 5 and whys.count("collider") > 5
    reasons = {conflict.reason for kind, seed in CASES for conflict in learned(kind, seed).conflicts}
    assert "the score is higher with other directions" in reasons


@pytest.mark.parametrize("rows", [1e8, 1e14])
@pytest.mark.parametrize("rho", [2, 3, 4])
def test_with_exact_covariances_the_true_class_is_found(rho, rows):
    """What the tests get right, the score leaves as it is."""
    for n in (10, 20):
        for seed in range(3):
            drawn = LinearGaussian.random(random_dag(n, rho, seed=[n, rho, seed]).dag, seed=[n, rho, seed, 1], low=0.3)
            result = hccd.discover(hccd.FisherZ(0.01).bind_correlation(drawn.covariance(), rows))
            assert result.graph == true_cpdag(PDAG(drawn.dag)), (n, seed)
            # With fewer rows the tests alone do not find all of them.
            assert result.score.name == "bic" and (rows < 1e14 or not result.conflicts)


def test_the_estimator_has_the_parameter():
    data = table("gaussian", 1)
    for score in (None, "auto", "none", "bic"):
        estimator = clone(hccd.HCCD(scoring=score))
        assert estimator.get_params()["scoring"] == score
        assert (estimator.fit(data).result_.score is None) == (score == "none")
    assert hccd.HCCD().get_params()["scoring"] is None
    assert hccd.HCCD().set_params(scoring="none").fit(data).graph_ == hccd.HCCD().fit(data).result_.tested


def test_progress_is_told():
    events = []
    quietly(table("gaussian", 0), progress=events.append)
    scored = [event for event in events if event.stage == "score"]
    assert scored[0].done == 0 and all(0 <= event.done <= N for event in scored)
    assert all(event.edges == N for event in scored)
    assert events.index(scored[0]) == len(events) - len(scored)
