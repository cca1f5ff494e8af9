"""Possible effects, against every DAG of the class one by one, statsmodels' formula and exact interventions."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from scipy import stats

import hccd
from hccd.cli.main import main
from hccd.datasets import random_dag
from hccd.effects.parent_sets import parent_sets
from hccd.effects.states import _probabilities
from hccd.errors import InvalidDataError, InvalidParameterError
from hccd.graphs import PDAG, dag_to_cpdag, meek_closure
from hccd.graphs.members import members

seeds = pytest.mark.parametrize("seed", range(40))


def learned(graph, table, test):
    """Return a result with this graph, as if it had been learned from the table."""
    result = hccd.discover(table, test=test, bootstrap="none")
    return type(result)(**{**vars(result), "graph": graph})


@seeds
def test_parent_sets_are_those_of_the_members(seed):
    rng = np.random.default_rng(seed)
    graph = dag_to_cpdag(PDAG(random_dag(7, 3, rng).dag))
    lines = graph.undirected_edges()
    if seed % 2 and len(lines):
        # What somebody knows: an arrow inside an undirected part.
        known = next(iter(members(graph))).marks[tuple(lines[0])]
        arrow = lines[0] if known else lines[0][::-1]
        graph = meek_closure(PDAG.from_edges(7, [*graph.directed_edges().tolist(), arrow.tolist()], lines[1:]))
    for x in range(7):
        expected = {dag.parents(x) for dag in members(graph)}
        assert {each.parents for each in parent_sets(graph, x)} == expected


@seeds
def test_linear_effects_are_those_of_the_members(seed):
    rng = np.random.default_rng(seed)
    dag = PDAG(random_dag(6, 2.5, rng).dag)
    weights = dag.marks.T * rng.uniform(0.4, 1.2, (6, 6))
    mixing = np.linalg.inv(np.eye(6) - weights)
    covariance = mixing @ np.diag(rng.uniform(0.5, 2.0, 6)) @ mixing.T
    # A table with exactly this covariance.
    noise = rng.normal(size=(200, 6))
    noise -= noise.mean(axis=0)
    values = noise @ np.linalg.inv(np.linalg.cholesky(np.cov(noise.T))).T @ np.linalg.cholesky(covariance).T
    graph = dag_to_cpdag(dag)
    result = learned(graph, values, "fisher-z")
    for x, y in [(0, 1), (2, 5), (4, 3)]:
        expected = set()
        for member in members(graph):
            own = np.zeros((6, 6))
            for v in range(6):
                parents = list(member.parents(v))
                own[v, parents] = np.linalg.solve(covariance[np.ix_(parents, parents)], covariance[parents, v])
            expected.add(round(float(np.linalg.inv(np.eye(6) - own)[y, x]), 6) + 0.0)
        found = result.effect(x, y)
        values_found = {
            round(each.contrasts[0].value, 6) + 0.0 if each.contrasts else 0.0 for each in found.possibilities
        }
        assert values_found == expected
        assert found.range() == (pytest.approx(min(expected), abs=1e-5), pytest.approx(max(expected), abs=1e-5))
        assert found.settled == (len(expected) == 1) or len(found.possibilities) > 1


def test_intervals_are_those_of_least_squares():
    rng = np.random.default_rng(3)
    z, noise = rng.normal(size=300), rng.normal(size=300)
    x = z + rng.normal(size=300)
    y = 2.0 * x - z + noise
    graph = PDAG.from_edges(3, directed=[(0, 1), (0, 2), (1, 2)])
    contrast = (
        learned(graph, np.column_stack([z, x, y]), "fisher-z").effect(1, 2, level=0.9).possibilities[0].contrasts[0]
    )
    # Frisch-Waugh: the residuals of x and y given z, and scipy's simple regression of one on the other.
    rest = [v - np.polyval(np.polyfit(z, v, 1), z) for v in (x, y)]
    line = stats.linregress(*rest)
    assert contrast.value == pytest.approx(line.slope)
    spread = line.stderr * np.sqrt(298 / 297) * stats.t.ppf(0.95, 297)
    assert (contrast.low, contrast.high) == (pytest.approx(line.slope - spread), pytest.approx(line.slope + spread))


def test_discrete_effects_are_interventions():
    """Counts in exact proportion to a network z -> x, z -> y, x -> y, so that nothing is left to chance."""
    p_z, p_x, p_y = [0.5, 0.5], [[0.8, 0.2], [0.25, 0.75]], [[[0.5, 0.5], [0.25, 0.75]], [[0.75, 0.25], [0.5, 0.5]]]
    rows = [
        (z, x, y)
        for z in (0, 1) for x in (0, 1) for y in (0, 1)
        for _ in range(round(1600 * p_z[z] * p_x[z][x] * p_y[z][x][y]))
    ]  # fmt: skip
    graph = PDAG.from_edges(3, directed=[(0, 1), (0, 2), (1, 2)])
    found = learned(graph, np.array(rows), "g").effect(1, 2)
    exact = [sum(p_z[z] * p_y[z][x][y] for z in (0, 1)) for x in (0, 1) for y in (0, 1)]
    assert [contrast.value for contrast in found.possibilities[0].contrasts] == pytest.approx(exact)
    assert all(contrast.low < contrast.value < contrast.high for contrast in found.possibilities[0].contrasts)
    assert not found.notes


def test_strata_without_a_state_are_left_out_and_told():
    counts = np.array([[[10.0, 10.0], [5.0, 15.0]], [[30.0, 10.0], [0.0, 0.0]]])
    found, share = _probabilities(counts)
    assert found.tolist() == [pytest.approx([0.5 * 0.5 + 0.5 * 0.75, 0.375]), pytest.approx([0.25, 0.75])]
    assert share == pytest.approx(0.5)


def test_intervals_of_probabilities_hold_what_they_promise():
    rng, within = np.random.default_rng(0), 0
    graph = PDAG.from_edges(3, directed=[(0, 1), (0, 2), (1, 2)])
    exact = 0.5 * 0.3 + 0.5 * 0.6
    result = None
    for _ in range(150):
        z = rng.integers(0, 2, 300)
        x = (rng.random(300) < np.where(z, 0.7, 0.3)).astype(int)
        y = (rng.random(300) < np.where(x, np.where(z, 0.6, 0.3), 0.5)).astype(int)
        table = np.column_stack([z, x, y])
        result = result or learned(graph, table, "g")
        low, high = result.effect(1, 2, table).possibilities[0].contrasts[3][2:]
        within += low <= exact <= high
    # 95 % of 150, give or take three standard deviations.
    assert 134 <= within <= 150


def test_states_of_the_cause_move_the_mean():
    rng = np.random.default_rng(2)
    group = rng.choice(["a", "b", "c"], 600)
    y = np.select([group == "b", group == "c"], [1.0, 3.0]) + rng.normal(size=600)
    result = hccd.discover({"group": group, "y": y}, knowledge={"required": [("group", "y")]})
    (possibility,) = result.effect("group", "y").possibilities
    means = [y[group == state].mean() for state in "abc"]
    assert [each.value for each in possibility.contrasts] == pytest.approx([means[1] - means[0], means[2] - means[0]])
    with pytest.raises(InvalidDataError, match="'group' is discrete and 'y' is continuous"):
        turned = hccd.discover({"group": group, "y": y}, knowledge={"required": [("y", "group")]})
        turned.effect("y", "group")


def test_words_and_refusals(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.normal(size=500)
    table = {"x": x, "y": x + rng.normal(size=500)}
    result = hccd.discover(table)
    open_effect = result.effect("x", "y")
    assert not open_effect.settled and "leaves open the total effect of 'x' on 'y'" in str(open_effect)
    assert "none: 'y' is a cause of 'x'" in str(open_effect) and "unadjusted" in str(open_effect)
    settled = hccd.discover(table, tiers=[["x"], ["y"]]).effect("x", "y")
    assert settled.settled and str(settled).startswith("Total effect of 'x' on 'y', if the graph is right (500 rows):")
    with pytest.raises(InvalidParameterError, match="'x' is both cause and effect"):
        result.effect("x", "x")
    with pytest.raises(InvalidParameterError, match="level is 95; give a number between 0 and 1"):
        result.effect("x", "y", level=95)
    with pytest.raises(InvalidParameterError, match="has no data: give the table"):
        pickle.loads(pickle.dumps(result)).effect("x", "y")
    with pytest.raises(InvalidParameterError, match="no column 'y'"):
        result.effect("x", "y", {"x": x, "z": x})
    own, noise = rng.normal(size=(2, 500))
    chain = learned(PDAG.from_edges(3, [(2, 0), (0, 1)]), {"x": x, "y": own, "z": noise}, "fisher-z")
    with pytest.raises(InvalidDataError, match="effect of 'x' on 'y' cannot be estimated"):
        chain.effect("x", "y", {"x": x, "y": own, "z": x})


def test_on_the_command_line(tmp_path, capsys):
    rng = np.random.default_rng(4)
    x, z = rng.normal(size=(2, 400))
    y = x + z + 0.5 * rng.normal(size=400)
    table, run = str(tmp_path / "t.csv"), str(tmp_path / "run")
    np.savetxt(table, np.column_stack([x, z, y]), delimiter=",", header="x,z,y", comments="")
    assert main(["learn", table, "--out", run]) == 0
    capsys.readouterr()
    assert main(["effect", run, "x", "y", "--data", table, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == hccd.HCCDResult.load(f"{run}/graph.json").effect("x", "y", hccd.read_table(table)).to_dict()
    assert found["settled"] and found["possibilities"][0]["contrasts"][0]["value"] == pytest.approx(1.0, abs=0.15)
    assert main(["effect", run, "x", "y", "--data", table]) == 0
    assert "change of the mean for 'x' + 1:" in capsys.readouterr().out
    assert main(["effect", run, "x", "w", "--data", table]) == 2
    assert "there is no variable 'w'" in capsys.readouterr().err
    # The file is named once, whoever refuses it.
    assert main(["effect", run, "x", "y", "--data", "gone.csv"]) == 2
    assert capsys.readouterr().err == "error: 'gone.csv': there is no such file: check the name and the folder\n"
    assert main(["effect", run, "x", "y"]) == 2
    assert capsys.readouterr().err == (
        "error: a run does not contain its table: name the file that it was learned from, such as --data survey.csv\n"
    )
