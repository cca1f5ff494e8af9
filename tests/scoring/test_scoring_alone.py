"""The search by a score instead of tests: over all variables, and as the algorithm inside the clusters."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from scoring_cases import dag_total, gaussian_score, parents_of, quietly, table_score

import hccd
from hccd.cli.main import main
from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG
from hccd.independence import FisherZ, GTest
from hccd.report import report_html
from hccd.report.repeat import repetition
from hccd.result import HCCDResult
from hccd.run.options import Options
from hccd.run.prepared import prepare
from hccd.scoring import CandidateParents, candidates_for, pairs_at, score_of, search_dag, search_nearby
from method_cases import discrete_net, linear_gaussian, random_dag, random_tree, true_cpdag

ALONE, WRAPPED = {"method": "score"}, {"baseline": "score"}
WAYS = [ALONE, WRAPPED, {"baseline": "score", "refine": "root"}, {"method": "not-c", "baseline": "score"}]


def correlations(rng, dag):
    """The correlation matrix of a linear model over a DAG, without rows."""
    weights = np.zeros((dag.n, dag.n))
    for x, y in dag.directed_edges().tolist():
        weights[x, y] = rng.choice([-1, 1]) * rng.uniform(0.4, 1.2)
    effects = np.linalg.inv(np.eye(dag.n) - weights)
    covariance = effects.T @ effects
    scale = np.sqrt(np.diag(covariance))
    return covariance / np.outer(scale, scale)


def test_the_true_class_from_the_true_correlations():
    for seed in range(40):
        rng = np.random.default_rng([71, seed])
        dag = random_dag(rng, 4 + seed % 12, 0.3)
        bound = FisherZ().bind_correlation(correlations(rng, dag), 10**7)
        truth = true_cpdag(dag)
        for options in (ALONE, {**WRAPPED, "tree": random_tree(rng, dag.n)}, {**WRAPPED, "refine": "root"}):
            result = quietly(bound, **options)
            assert result.graph == truth, f"case {seed}: {options}"


def strong_states(rng, dag, rows):
    """Two states each, and every parent tells: the sum of the parents' states, blurred."""
    values = np.zeros((rows, dag.n), int)
    for v in dag.topological_order():
        parents = dag.parents(v)
        if not len(parents):
            values[:, v] = rng.random(rows) < rng.uniform(0.3, 0.7)
            continue
        code = values[:, parents] @ (1 << np.arange(len(parents)))
        values[:, v] = rng.random(rows) < rng.permutation(np.linspace(0.1, 0.9, 1 << len(parents)))[code]
    return values


def test_the_true_class_from_many_rows_of_states():
    right = 0
    for seed in range(12):
        rng = np.random.default_rng([72, seed])
        dag = random_dag(rng, 8, 0.25)
        data, truth = strong_states(rng, dag, 100_000), true_cpdag(dag)
        found = [quietly(data, test="g", bootstrap="none", **way).graph for way in (ALONE, WRAPPED)]
        assert found[0] == found[1]
        right += found[0] == truth
    # Some table of probabilities may be the same for two parents' states.
    assert right >= 11


@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
@pytest.mark.parametrize("options", WAYS)
def test_the_record(kind, options):
    """Tests of order 0 only, scores by formulas of their own, and no step from the end gains."""
    rng = np.random.default_rng([73, len(options)])
    data, test, formula = (
        (linear_gaussian(rng, 26, 3, 200), FisherZ(), gaussian_score)
        if kind == "gaussian"
        else (discrete_net(rng, 26, 3, 300), GTest(), table_score)
    )
    result = quietly(data, test=test, **options)
    record = result.score
    assert record.start == ("alone" if result.tree.depth == 0 else "clusters") and record.without_tests
    assert (result.tree.depth == 0) == (options == ALONE)
    assert result.tests.by_order == (26 * 25 // 2,)
    assert not result.colliders and not result.conflicts and not len(result.removals.separations)
    assert set(result.reasons.values()) <= {"score", "R1", "R2", "R3", "R4"}
    dependent = ~result.marginal.independent & ~np.eye(26, dtype=bool)
    assert np.array_equal(result.tested.skeleton().adjacency, dependent)
    assert record.before == pytest.approx(sum(formula(data, v, ()) for v in range(26)), abs=1e-6)
    binding = prepare(data, Options(test=test)).binding
    families, dag = binding.ci.families(100), searched_dag(binding, data, test, options)
    by_formula = dag_total(
        parents_of(dag.relabelled(binding.columns)), lambda v, own: formula(data, v, own), record.price
    )
    assert record.after == pytest.approx(by_formula, abs=1e-6)
    everybody = candidates_for(families, prepare(data, Options(test=test)).marginals, dag)
    nearby = search_nearby(families, everybody, dag)
    assert score_of(families, record.price, nearby) == pytest.approx(record.after, abs=1e-5)


def searched_dag(binding, data, test, options):
    """The DAG that a run found, in its own numbers."""
    from hccd.discovery import searched

    return searched(prepare(data, Options(test=test, **options))).dag


def test_the_file_says_it_all():
    data = linear_gaussian(np.random.default_rng(74), 14, 3, 200)
    for options in (ALONE, WRAPPED):
        result = quietly(data, **options)
        file = json.loads(json.dumps(result.to_dict()))
        assert file["ci_tests"]["total"] == sum(file["ci_tests"]["by_order"][:1]) == 91
        assert file["score"]["evaluations"] == result.score.evaluations > 91
        again = HCCDResult.from_dict(file)
        assert again.to_dict() == result.to_dict()
        assert np.array_equal(again.marginal.independent, result.marginal.independent)
        for x, y in combinations(range(14), 2):
            said = again.explain(x, y)
            if not result.skeleton.has_edge(x, y) and not result.marginal.independent[x, y]:
                assert "the score is higher without an edge" in said
        del file["score"]["evaluations"]
        assert HCCDResult.from_dict(file).score.evaluations == 0
        repeated = repetition(result.parameters)
        assert ("--method score" in repeated.command) == (options == ALONE)
        assert ("--baseline score" in repeated.command) == (options == WRAPPED)
        methods = result.methods_text()
        assert (
            "by a search over directed acyclic graphs by the Bayesian" in methods or "around a search over" in methods
        )
        assert "Independence was decided" not in methods and "these tests" not in methods
        page = report_html(result)
        assert "A score search" in page and "families scored" in page and "plain PC" not in page


def test_pairs_inside_and_between_clusters():
    for seed in range(30):
        rng = np.random.default_rng([75, seed])
        n = 2 + seed % 14
        tree = random_tree(rng, n)
        heights = tree.by_height()
        for height, clusters in enumerate(heights):
            inside, between = np.zeros((n, n), bool), np.zeros((n, n), bool)
            for cluster in clusters:
                inside[np.ix_(cluster.variables, cluster.variables)] = True
                for one, other in combinations(cluster.children, 2):
                    between[np.ix_(one.variables, other.variables)] = True
            apart = ~np.eye(n, dtype=bool)
            assert np.array_equal(pairs_at(tree.layout(), height, False) & apart, inside & apart)
            if height:
                assert np.array_equal(pairs_at(tree.layout(), height, True), between | between.T)


@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
def test_a_search_stays_within_its_pairs(kind):
    """Few others are asked about one by one, many at once: both are the score of the formula."""
    n = 40
    rng = np.random.default_rng(76)
    data, test, formula = (
        (linear_gaussian(rng, n, 3, 200), FisherZ(), gaussian_score)
        if kind == "gaussian"
        else (discrete_net(rng, n, 3, 800), GTest(), table_score)
    )
    bound = test.bind(data)
    families = bound.families(100)
    start = random_dag(rng, n, 0.02)
    everywhere = candidates_for(families, bound.marginals(), start)
    whole = search_dag(families, everywhere, start)
    for share in (0.1, 0.4):
        drawn = np.triu(rng.random((n, n)) < share, 1)
        allowed = drawn | drawn.T
        candidates = everywhere.within(allowed, start)
        best = search_dag(families, candidates, start, bare=False, part=True)
        joined = best.dag.skeleton().adjacency
        assert not (joined & ~allowed & ~start.skeleton().adjacency).any() and (joined & allowed).any()
        total = dag_total(parents_of(best.dag), lambda v, own: formula(data, v, own), everywhere.price)
        assert best.before <= best.after == pytest.approx(total, abs=1e-6)
        assert best.after < whole.after


def test_what_is_known_holds_within_pairs():
    first, last, parents = (
        CandidateParents.everybody(4, 100.0).within(np.zeros((4, 4), bool), PDAG.from_edges(4, [(1, 3)])).lists()
    )
    lists = [set(parents[a:b].tolist()) - {y} for y, (a, b) in enumerate(zip(first, last, strict=True))]
    assert lists == [set(), {3}, set(), {1}]


REFUSED = [
    ({**ALONE, "tree": [[0, 1], [2, 3]]}, "method 'score' has one cluster"),
    ({**ALONE, "splitter": hccd.SpectralSplitter()}, "method 'score' has one cluster"),
    ({**ALONE, "baseline": "cpc"}, "leave out baseline, or choose method 'pc'"),
    ({**ALONE, "baseline": hccd.PC()}, "leave out baseline, or choose method 'pc'"),
    ({**ALONE, "preset": "paper"}, "not in the paper"),
    ({**WRAPPED, "preset": "paper"}, "not in the paper"),
    ({**ALONE, "scoring": "none"}, "is a score search"),
    ({**ALONE, "scoring": "bd"}, "which is for discrete data"),
    ({**ALONE, "max_order": 2}, "max_order applies to conditional tests"),
    ({**WRAPPED, "inner_order": 1}, "inner_order applies to conditional tests"),
    ({**WRAPPED, "colliders": "majority"}, "colliders applies to conditional tests"),
    ({**ALONE, "conflicts": "first"}, "conflicts applies to conditional tests"),
    ({**ALONE, "test": lambda data, x, y, given: 0.5}, "there is none for the test"),
]


@pytest.mark.parametrize(("options", "sentence"), REFUSED)
def test_what_has_no_meaning_is_refused_in_one_sentence(options, sentence):
    data = linear_gaussian(np.random.default_rng(77), 4, 2, 100)
    with pytest.raises(InvalidParameterError, match=sentence) as told:
        hccd.discover(data, **options)
    assert "\n" not in str(told.value) and not str(told.value).endswith(".")


def test_others_that_are_refused():
    data = linear_gaussian(np.random.default_rng(77), 4, 2, 100)
    for options in (ALONE, WRAPPED):
        with pytest.raises(InvalidParameterError, match="learn_skeleton needs conditional tests"):
            hccd.learn_skeleton(data, **options)
        with pytest.raises(InvalidParameterError, match="none for the test 'oracle'"):
            hccd.discover(hccd.Oracle(PDAG.from_edges(3, [(0, 2)])).bind(), **options)
    with pytest.raises(InvalidParameterError, match="thresholds are chosen by the graphs of the tests"):
        hccd.discover((data > 0).astype(int), test="mi", threshold=[0.01, 0.02], **ALONE)


@pytest.mark.parametrize("test", ["fisher-z", "dg"])
def test_a_test_may_be_named(test):
    data = linear_gaussian(np.random.default_rng(78), 6, 2, 200)
    assert quietly(data, test=test, **ALONE).parameters["test"]["name"] == test


def test_on_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = linear_gaussian(np.random.default_rng(79), 12, 3, 200)
    np.savetxt("x.csv", data, delimiter=",", header=",".join(f"c{i}" for i in range(12)), comments="")
    expected = {"score": quietly(data, **ALONE).graph, "GES": quietly(data, **WRAPPED).graph}
    for option, name in (("--method", "score"), ("--baseline", "GES")):
        assert main(["learn", "x.csv", option, name, "--out", name]) == 0
        assert "hccd's own search" in capsys.readouterr().out
        result = HCCDResult.load(tmp_path / name / "graph.json")
        assert result.graph == expected[name] and result.parameters["baseline"]["name"] == "score"
        assert main(["explain", name]) == 0 and "hccd's own search" in capsys.readouterr().out
    assert main(["check", "x.csv", "--method", "score"]) == 0
    for wrong in (["--max-order", "2"], ["--test", "regression"], ["--scoring", "none"]):
        capsys.readouterr()
        assert main(["learn", "x.csv", "--method", "score", *wrong, "--out", "wrong"]) == 2
        said = capsys.readouterr()
        assert said.err.strip().count("\n") == 0 and "Traceback" not in said.err


@pytest.mark.parametrize("name", ["hc", "GES", "Boss", "hill-climbing", "score"])
def test_names_that_others_have(name):
    data = linear_gaussian(np.random.default_rng(80), 8, 2, 200)
    assert quietly(data, baseline=name).graph == quietly(data, **WRAPPED).graph


def test_missing_cells_are_filled_in_by_what_depends():
    """Filled in as if nothing depended on anything, the cells would hide a third of what does."""
    right = 0
    for seed in range(6):
        rng = np.random.default_rng([81, seed])
        dag = random_dag(rng, 8, 0.25)
        data = strong_states(rng, dag, 4000).astype(float)
        data[rng.random(data.shape) < 0.3] = np.nan
        found = [quietly(data, test="g", bootstrap="none", **way).graph for way in (ALONE, WRAPPED)]
        right += sum(graph == true_cpdag(dag) for graph in found)
    assert right >= 9
