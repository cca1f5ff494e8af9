"""What a run says about its edges: probabilities, the same for any workers and order of columns, kept in files."""

import json
import math
import pickle
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from confidence_cases import table

import hccd
from hccd.confidence import cost
from hccd.confidence.calibration import NUMBERS, TABLES, calibrated
from hccd.confidence.learn import _Drawing
from hccd.discovery import _Again, _scored, _tested
from hccd.parallel import in_order
from hccd.run.options import Options
from hccd.run.prepared import prepare
from hccd.studies.calibration_runs import joined

KINDS = ["numbers", "discrete", "mixed", "gaps", "discrete-gaps", "mixed-gaps"]


def learned(kind="numbers", resamples=12, **options):
    return hccd.discover(table(kind), bootstrap=resamples, **options)


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_are_those_of_resamples(kind):
    result = learned(kind)
    found = result.confidence
    assert found.resamples == result.parameters["bootstrap"] == 12
    assert result.seconds["bootstrap"] > 0
    sums = found.probabilities.sum(axis=1)
    assert len(found.pairs) and (sums > 0).all() and (sums <= 1 + 1e-9).all()
    assert (found.pairs[:, 0] < found.pairs[:, 1]).all()
    assert found.pairs.tolist() == sorted(found.pairs.tolist())
    for i in range(6):
        for j in range(6):
            if i != j:
                own = found.of(i, j)
                assert sum(own) == pytest.approx(1.0)
                assert own.adjacent == pytest.approx(1 - own.none)
                assert own == found.of(j, i).reversed()
    for edge in result.edges():
        source, target, kind_of_edge = edge
        assert len(edge) == 3 and kind_of_edge in ("directed", "undirected")
        assert edge.probabilities == found.of(result.index(source), result.index(target))
        assert edge.confidence == edge.probabilities.adjacent
    assert pickle.loads(pickle.dumps(result.edges()))[0].probabilities == result.edges()[0].probabilities
    # Discrete tables have a map of their own.
    drawn, fitted = joined(result.graph)[tuple(found.pairs.T)], TABLES if "discrete" in kind else NUMBERS
    assert np.array_equal(found.probabilities, calibrated(found.counts, drawn, 12, fitted))


@pytest.mark.parametrize(("scoring", "most"), [("auto", 2), ("none", 1)])
def test_rows_are_drawn_again_for_a_score_alone(scoring, most):
    """Tests take copies of rows for evidence."""
    prepared = prepare(table("numbers"), Options(bootstrap=1, scoring=scoring))
    asked = []

    def reweighted(weights):
        asked.append(weights)
        return prepared.binding.ci

    drawing = _Drawing.of(replace(prepared, binding=replace(prepared.binding, reweighted=reweighted)), lambda own: own)
    drawing(0)
    assert (asked[0].max() >= 2) == (most == 2) and asked[0].min() == 0


def test_results_come_in_the_order_of_the_tasks():
    """Whoever is done first; and what was not begun is not begun any more once nobody listens."""
    begun, first_may_end = [], threading.Event()

    def work(task):
        begun.append(task)
        if task == 0:
            assert first_may_end.wait(30)
        else:
            first_may_end.set()
        return task

    assert list(in_order(work, range(6), 2)) == list(range(6))
    begun.clear()
    slow = in_order(lambda task: (begun.append(task), time.sleep(0.02)), range(500), 2)
    next(slow)
    slow.close()
    time.sleep(0.1)
    assert len(begun) < 400


def test_each_resample_is_learned_as_a_run_would_be():
    """The frequencies are those of graphs that were learned one by one."""
    prepared = prepare(table("numbers"), Options(bootstrap=8))
    tested = _tested(prepared)
    drawing = _Drawing.of(prepared, _Again.after(tested, _scored(tested)))
    graphs = [graph.relabelled(prepared.binding.columns) for graph in map(drawing, range(8))]
    found = learned(resamples=8).confidence
    for (i, j), counts in zip(found.pairs.tolist(), found.counts.tolist(), strict=True):
        assert counts[0] == sum(j in graph.children(i) for graph in graphs)
        assert counts[1] == sum(i in graph.children(j) for graph in graphs)
        assert counts[2] == sum(j in graph.undirected_neighbors(i) for graph in graphs)
    assert found.counts.sum() == sum(graph.skeleton().n_edges for graph in graphs)


@pytest.mark.parametrize("kind", ["numbers", "discrete", "mixed"])
def test_neither_order_nor_names_nor_workers_matter(kind):
    columns = table(kind)
    one = hccd.discover(columns, bootstrap=12)
    order = [4, 2, 0, 5, 1, 3]
    names = [f"other{i}" for i in range(6)]
    moved = {names[i]: columns[f"v{i}"] for i in order}
    others = hccd.discover(moved, bootstrap=12), hccd.discover(columns, bootstrap=12, n_jobs=2)
    place = [order.index(i) for i in range(6)]
    for i in range(6):
        for j in range(6):
            if i != j:
                assert one.confidence.of(i, j) == others[0].confidence.of(place[i], place[j])
                assert one.confidence.of(i, j) == others[1].confidence.of(i, j)
    same, moved_graph = one.consensus(0.5).graph, others[0].consensus(0.5).graph
    assert moved_graph.relabelled(order) == same


def test_the_seed_draws_the_resamples():
    one, same, other = (learned(seed=seed).confidence for seed in (1, 1, 2))
    assert np.array_equal(one.probabilities, same.probabilities)
    assert not np.array_equal(one.probabilities, other.probabilities)


@pytest.mark.parametrize("kind", ["numbers", "discrete"])
def test_what_is_known_holds_in_every_resample(kind):
    tiers = [["v3", "v4", "v5"], ["v1", "v2"], ["v0"]]
    knowledge = {"tiers": tiers, "required": [["v5", "v2"]], "forbidden": [["v3", "v1"], ["v1", "v3"]]}
    result = hccd.discover(table(kind), bootstrap=12, knowledge=knowledge)
    rank = {name: number for number, tier in enumerate(tiers) for name in tier}
    for (i, j), row in zip(result.confidence.pairs.tolist(), result.confidence.probabilities.tolist(), strict=True):
        a, b = result.names[i], result.names[j]
        assert row[0] == 0 or rank[a] <= rank[b]
        assert row[1] == 0 or rank[b] <= rank[a]
        assert rank[a] == rank[b] or row[2] == 0
    assert result.confidence.of(5, 2).forward == 1.0
    assert result.confidence.of(1, 3).none == 1.0
    graph = result.consensus(0.2).graph
    assert 2 in graph.children(5) and not result.constraints.forbidden[tuple(graph.directed_edges().T)].any()


def test_copies_hang_on_their_originals():
    columns = table("numbers")
    with pytest.warns(hccd.errors.DataWarning):
        result = hccd.discover({**columns, "twin": columns["v1"].copy()}, bootstrap=8)
    copy, original = result.index("twin"), result.index("v1")
    (pair,) = [(i, j) for i, j in result.confidence.pairs.tolist() if copy in (i, j)] or [(original, copy)]
    assert set(pair) == {copy, original}
    assert result.confidence.of(copy, original).none == 0.0


def test_the_file_holds_it_all(tmp_path):
    result = learned("discrete")
    result.save(tmp_path / "graph.json")
    data = json.loads((tmp_path / "graph.json").read_text())
    for edge in data["edges"]:
        assert set(edge["probabilities"]) == {"forward", "backward", "undirected", "none"}
        assert edge["confidence"] == pytest.approx(1 - edge["probabilities"]["none"])
    listed = {frozenset(map(result.index, (edge["source"], edge["target"]))) for edge in data["edges"]}
    assert not listed & {frozenset(row[:2]) for row in data["confidence"]["pairs"]}
    again = hccd.HCCDResult.load(tmp_path / "graph.json")
    assert np.array_equal(again.confidence.pairs, result.confidence.pairs)
    np.testing.assert_allclose(again.confidence.probabilities, result.confidence.probabilities)
    assert again.to_dict() == data


@pytest.mark.parametrize(
    "row", [[0, 0, 0.1, 0, 0], [1, 0, 0.1, 0, 0], [0, 9, 0.1, 0, 0], [4, 5, 0.9, 0.9, 0], [4, 5, 1]]
)
def test_damaged_probabilities_are_refused(row):
    data = learned().to_dict()
    data["confidence"]["pairs"] = [row]
    with pytest.raises(hccd.errors.FileFormatError, match="damaged"):
        hccd.HCCDResult.from_dict(data)


def test_auto_goes_by_counted_work(monkeypatch):
    columns = table("numbers")
    assert hccd.discover(columns).confidence is None
    monkeypatch.setattr(cost, "MOST_WORK", 5e9)
    assert hccd.discover(columns).parameters["bootstrap"] == 100
    assert hccd.discover(columns, preset="paper").confidence is None
    assert hccd.discover(columns, bootstrap="none").confidence is None
    assert hccd.discover(columns, bootstrap=0).confidence is None
    # A test in Python takes nobody knows how long.
    slow = hccd.discover(columns, test=lambda data, x, y, given: 0.5)
    assert slow.confidence is None and slow.parameters["bootstrap"] == 0
    # So much work that nobody would wait for it.
    monkeypatch.setattr(cost, "MOST_WORK", 100 * cost._ANY)
    assert hccd.discover(columns).confidence is None


def test_a_bound_test_and_a_skeleton_have_none(monkeypatch):
    monkeypatch.setattr(cost, "MOST_WORK", 5e9)
    values = np.column_stack(list(table("numbers").values()))
    bound = hccd.FisherZ().bind_correlation(np.corrcoef(values.T), 200)
    assert hccd.discover(bound).confidence is None
    assert hccd.discover(bound, bootstrap=10).parameters["bootstrap"] == 0
    assert "bootstrap" not in hccd.learn_skeleton(values).seconds


def test_methods_and_tests_without_a_score():
    for options in ({"scoring": "none"}, {"method": "pc"}, {"test": "mi", "threshold": [0.01, 0.05]}):
        result = learned("discrete", 6, **options)
        assert result.confidence.resamples == 6
    own = hccd.discover(table("numbers"), bootstrap=3, test=lambda data, x, y, given: math.exp(-abs(x - y)))
    assert own.confidence.resamples == 3


def test_the_estimator_has_it():
    fitted = hccd.HCCD(bootstrap=5).fit(table("numbers"))
    assert fitted.result_.confidence.resamples == 5


def test_progress_tells_of_every_resample():
    events = []
    learned(resamples=4, progress=events.append)
    assert [event.done for event in events if event.stage == "bootstrap"] == [0, 1, 2, 3, 4]


def test_explain_says_how_sure_it_is():
    result = learned()
    edge = result.edges()[0]
    said = result.explain(edge[0], edge[1])
    assert f"probability of an edge is {100 * edge.confidence:.3g} %" in said and "12 resamples" in said
    away = next((i, j) for i in range(6) for j in range(i) if result.confidence.of(i, j).none == 1.0)
    assert "adjacent in none of 12 resamples" in result.explain(*away)


@pytest.mark.parametrize("weights", ["counts", "sampling"])
@pytest.mark.parametrize("kind", ["numbers", "discrete", "mixed"])
def test_weighted_rows(kind, weights):
    rng = np.random.default_rng(0)
    own = rng.integers(1, 4, 200) if weights == "counts" else rng.random(200) + 0.2
    result = hccd.discover(table(kind), bootstrap=6, weights=own)
    assert result.confidence.resamples == 6 and len(result.confidence.pairs)


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
def test_tiny_tables():
    for n_rows in (10, 12):
        result = hccd.discover(table("numbers", n_rows=n_rows), bootstrap=5, transform="none")
        assert result.confidence.resamples == 5
