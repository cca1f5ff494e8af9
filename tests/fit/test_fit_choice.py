"""Levels and prices chosen by the data, and which edges depend on them."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from fit_cases import linear
from scipy.stats import multivariate_normal

import hccd
from hccd.cli.main import main
from hccd.datasets import alarm_path
from hccd.errors import InvalidParameterError
from hccd.fit.choice import LEVELS, strictest_of_the_best
from hccd.graphs import pdag_to_dag
from hccd.report.repeat import repetition
from hccd.varied import FACTORS


@pytest.fixture(scope="module")
def table():
    return linear(8, 300, seed=2)[0].T


def test_the_strictest_of_equals_is_taken():
    told = np.array([[-9.0, -9, -9], [-5, -6, -5.5], [-5, -5, -5], [-5, -5.1, -5]])
    # The second is 1.5 behind, with a standard error of .87; the last comes after the best.
    assert strictest_of_the_best(told) == 2
    assert strictest_of_the_best(np.array([[-1.0, -3, -2], [-2, -2, -1.9]])) == 0


def test_alpha_is_chosen_by_rows_that_were_not_learned_from():
    """The recorded likelihood by hand: learn without a fifth of the rows, fit, and predict these."""
    table = linear(5, 600, seed=1, neighbours=2.0)[0].T
    result = hccd.discover(table, alpha="auto", scoring="none", transform="none")
    choice = result.parameters["alpha_choice"]
    assert [value for value, _ in choice["tried"]] == list(LEVELS)
    assert result.parameters["test"]["alpha"] == choice["chosen"]
    assert result.seconds["alpha_choice"] > 0
    same = hccd.discover(table, alpha=choice["chosen"], scoring="none", transform="none")
    assert result.edges() == same.edges()
    columns = (table - table.mean(axis=0)) / table.std(axis=0)
    total = 0.0
    for fold in range(5):
        held = np.arange(len(table)) % 5 == fold
        graph = hccd.discover(columns[~held], alpha=0.03, scoring="none", transform="none").graph
        dag, covariance = pdag_to_dag(graph), np.cov(columns[~held].T, bias=True)
        slopes, noise = np.zeros((5, 5)), np.zeros(5)
        for y in range(5):
            own = sorted(dag.parents(y))
            slopes[y, own] = np.linalg.solve(covariance[np.ix_(own, own)], covariance[own, y])
            noise[y] = covariance[y, y] - slopes[y, own] @ covariance[own, y]
        mixing = np.linalg.inv(np.eye(5) - slopes)
        fitted = multivariate_normal(columns[~held].mean(axis=0), mixing @ np.diag(noise) @ mixing.T)
        total += fitted.logpdf(columns[held]).sum()
    assert dict(map(tuple, choice["tried"]))[0.03] == pytest.approx(total / len(table), abs=1e-6)


def test_a_price_is_kept_to(table):
    free, usual, dear = (hccd.discover(table, price=price) for price in (0.0, None, 1e4))
    assert dear.skeleton.n_edges == 0 and dear.score.price == 1e4
    assert free.skeleton.n_edges >= usual.skeleton.n_edges
    assert hccd.discover(table, price=usual.score.price).edges() == usual.edges()
    assert "price" not in usual.parameters
    assert "--price 0.0" in repetition(free.parameters).command


def test_a_price_is_chosen(table):
    result = hccd.discover(table, price="auto")
    choice = result.parameters["price_choice"]
    prices = [value for value, _ in choice["tried"]]
    assert prices == sorted(prices, reverse=True) and len(prices) == 7
    assert result.score.price == choice["chosen"] in prices
    assert json.loads(json.dumps(result.to_dict()["parameters"]["price_choice"])) == choice
    discrete = hccd.read_table(alarm_path())
    assert "price_choice" in hccd.discover(discrete, price="auto").parameters


def test_a_choice_does_not_depend_on_columns(table):
    one = hccd.discover(table, alpha="auto", names=list("abcdefgh")).parameters["alpha_choice"]
    other = hccd.discover(table[:, ::-1], alpha="auto", names=list("hgfedcba")).parameters["alpha_choice"]
    assert one == other


def test_skeletons_have_a_level_too(table):
    chosen = hccd.learn_skeleton(table, alpha="auto")
    assert chosen.parameters["alpha_choice"]["chosen"] == chosen.parameters["test"]["alpha"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"alpha": "auto", "price": "auto"}, "give a number for one"),
        ({"price": 3.0, "scoring": "none"}, "there is no score search here"),
        ({"alpha": "auto", "weights": np.ones(300) * 2}, "weighted rows"),
        ({"alpha": "auto", "test": lambda data, x, y, given: 0.5}, "alpha"),
        ({"alpha": "often"}, "'auto'"),
        ({"price": -1.0}, "'auto'"),
    ],
)
def test_refusals(table, options, why):
    with pytest.raises(InvalidParameterError, match=why):
        hccd.discover(table, **options)


def test_gaps_and_few_rows_are_refused(table):
    gaps = table.copy()
    gaps[0, 0] = np.nan
    for data, why in ((gaps, "missing"), (table[:40], "fewer than 50")):
        with pytest.raises(InvalidParameterError, match=why):
            hccd.discover(data, alpha="auto")


@pytest.mark.parametrize("options", [{"scoring": "none"}, {"scoring": "auto"}, {"baseline": "fci"}])
def test_sensitivity_is_that_of_single_runs(options):
    data = linear(12, 200, seed=4)[0].T * 1.0
    data[:, 0] += 0.15 * data[:, 7]
    found = hccd.sensitivity(data, **options, alpha=0.02)
    assert found.alpha == 0.02 and (found.price is None) == (options != {"scoring": "auto"})
    runs = []
    for factor in FACTORS:
        own = {} if found.price is None else {"price": max(found.price - math.log(factor), 0.0)}
        runs.append(set(hccd.discover(data, **options, alpha=0.02 * factor, **own).edges()))
    here = FACTORS.index(1.0)
    assert {(e.source, e.target, e.kind) for e in found.edges} == runs[here]
    assert {(e.source, e.target, e.kind) for e in found.others} == set.union(*runs) - runs[here]
    for edge in (*found.edges, *found.others):
        inside = [edge.least <= factor <= edge.greatest for factor in FACTORS]
        assert all(edge[:3] in run for run, own in zip(runs, inside, strict=True) if own)
        first, last = inside.index(True), len(inside) - inside[::-1].index(True)
        assert first == 0 or edge[:3] not in runs[first - 1]
        assert last == len(runs) or edge[:3] not in runs[last]
    assert set(found.firm()) == set.intersection(*runs)
    assert any(e.least > FACTORS[0] for e in found.edges) or found.others


def test_sensitivity_needs_a_level(table):
    with pytest.raises(InvalidParameterError, match=r"bound already"):
        hccd.sensitivity(hccd.FisherZ().bind(table), alpha=0.1)
    with pytest.raises(InvalidParameterError, match="alpha"):
        hccd.sensitivity(table, lambda data, x, y, given: 0.5)
    with pytest.raises(InvalidParameterError, match="give one"):
        hccd.sensitivity(table, alpha="auto")


def test_the_command(table, tmp_path, capsys):
    file = tmp_path / "table.csv"
    np.savetxt(file, table, delimiter=",", header="a,b,c,d,e,f,g,h", comments="")
    assert main(["sensitivity", str(file), "--scoring", "none"]) == 0
    assert "do not change" in capsys.readouterr().out
    assert main(["sensitivity", str(file), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == json.loads(json.dumps(hccd.sensitivity(hccd.read_table(file)).to_dict()))
    assert main(["learn", str(file), "--alpha", "auto", "--out", str(tmp_path / "out")]) == 0
    assert main(["learn", str(file), "--price", "cheap", "--out", str(tmp_path / "other")]) == 2
    assert "--price is 'cheap'" in capsys.readouterr().err
