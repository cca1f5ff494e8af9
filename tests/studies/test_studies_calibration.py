"""The study of confidence: claims from counts, and tables that compare on the same data."""

from __future__ import annotations

import numpy as np
import pytest

from hccd.confidence.calibration import BACKWARD, FORWARD, NONE, NUMBERS, TABLES, UNDIRECTED, calibrated
from hccd.graphs import PDAG
from hccd.studies import calibration_runs
from hccd.studies.calibration_report import ADJACENCY, ARROWHEADS, claims_of, frequencies, tables
from hccd.studies.calibration_runs import SOMEHOW, joined
from hccd.studies.description import load_study

# How the graph has a pair, counts of resamples forward, backward and undirected, and how it is in truth.
PAIRS = [
    [FORWARD, 8, 1, 0, FORWARD],
    [BACKWARD, 3, 5, 1, FORWARD],
    [UNDIRECTED, 0, 0, 10, NONE],
    [NONE, 2, 0, 0, UNDIRECTED],
]


def row(family, method="hccd", graph=1, pairs=PAIRS):
    peers = {name: {"graphs": 1, "resamples": 10, "cap": 60} for name in ("causal-learn PC", "pgmpy hill climbing")}
    return {
        "case": {"family": family, "graph": graph, "peers": peers},
        "method": method,
        "values": {"pairs": pairs, "resamples": 10},
    }


def test_claims_are_edges_and_arrowheads_of_the_graph():
    edges = claims_of([row("alarm")], frequencies, ADJACENCY)
    assert edges.probability.tolist() == pytest.approx([0.9, 0.9, 1.0]) and edges.right.tolist() == [True, True, False]
    heads = claims_of([row("alarm")], frequencies, ARROWHEADS)
    assert heads.probability.tolist() == pytest.approx([0.8, 0.5]) and heads.right.tolist() == [True, False]
    # Of a class with hidden variables only adjacencies are known.
    hidden = [row("hidden variables", pairs=[[FORWARD, 8, 1, 0, SOMEHOW]])]
    assert not len(claims_of(hidden, frequencies, ARROWHEADS).right)
    assert claims_of(hidden, frequencies, ADJACENCY).right.tolist() == [True]


@pytest.mark.parametrize(("family", "fitted"), [("alarm", TABLES), ("Gaussian, moderate", NUMBERS), ("mixed", NUMBERS)])
def test_ours_are_the_probabilities_that_a_run_reports(family, fitted):
    pairs = np.array(PAIRS)
    own = calibrated(pairs[:, 1:4], pairs[:, 0], 10, fitted)[:3].sum(axis=1)
    assert claims_of([row(family)], calibrated, ADJACENCY).probability.tolist() == own.tolist()


def test_packages_are_compared_on_the_tables_that_both_learned():
    peer, wrong = "causal-learn PC", [[FORWARD, 10, 0, 0, NONE]]
    rows = [row("alarm"), row("alarm", graph=2, pairs=wrong), row("child"), row("alarm", peer, pairs=wrong)]
    text = tables(load_study("calibration"), rows)
    title = f"## The same tables: hccd and {peer}, frequencies"
    assert text.count("## The same tables") == 1 and title in text
    said, lines = (part.splitlines() for part in text.split(title)[1].strip().split("\n\n"))
    # Of the first tables of two families, it has learned one.
    assert said == ["1 of 2 tables were learned with 10 resamples within 60 CPU seconds each."]
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| alarm", "| all"]
    cells = lines[2].strip("| ").split(" | ")[1:]
    # Two of three edges are right in ours, whose second graph the other has not learned.
    assert "(3, 0.667)" in cells[0] and cells[1] == "1.000, 1.000 (1, 0.000)" and "(2, 0.500)" in cells[2]


def test_graphs_are_read_pair_by_pair():
    found = joined(PDAG.from_edges(4, np.array([[0, 1], [3, 2]]), np.array([[1, 3]])))
    assert (found[0, 1], found[2, 3], found[1, 3], found[0, 2]) == (FORWARD, BACKWARD, UNDIRECTED, NONE)
    assert np.count_nonzero(found) == 3


@pytest.mark.parametrize(("each", "learned"), [(1.0, True), (3.5, False), (7.0, False)])
def test_a_package_has_its_own_graphs_resamples_and_seconds(monkeypatch, each, learned):
    limits = []

    class Server:
        def learn(self, peer, data, kind, cap):
            limits.append(cap)
            return {"late": cap} if each > cap else {"directed": [[0, 1]], "undirected": [], "seconds": each}

    monkeypatch.setattr(calibration_runs, "_server", lambda peer: Server())
    peers = {"causal-learn PC": {"graphs": 1, "resamples": 4, "cap": 16}, "pgmpy hill climbing": {"graphs": 0}}
    case = {"family": "asia, sachs", "graph": 1, "resamples": 2, "peers": peers}
    rows = calibration_runs.measure_calibration(load_study("calibration"), case)
    assert [row["method"] for row in rows] == ["hccd", "causal-learn PC"][: 1 + learned]
    # All that is left of 16 seconds, and a quarter for the first graph: who takes more will not end.
    assert limits == {1.0: [4, 16 - 1, 16 - 2, 16 - 3, 16 - 4], 3.5: [4, 12.5, 9, 5.5, 2], 7.0: [4]}[each]
    if learned:
        assert rows[1]["values"]["resamples"] == 4 and rows[1]["seconds"] == 5.0
        assert [1, 4] in [[pair[0] > 0, sum(pair[1:4])] for pair in rows[1]["values"]["pairs"]]
