"""What ``transform="auto"`` does: where it should, where it should not, and that it does not see order or names."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest

import hccd
from hccd.errors import DataWarning
from hccd.graphs import PDAG
from hccd.independence.transforms import curved
from hccd.metrics import shd
from hccd.run.suited import Suited, is_curved, relations, shapes, spanning_tree, suited

N, ROWS = 12, 400


def linear(seed, noise=None, n=N, rows=ROWS):
    """A chain with a few shortcuts; rows are variables."""
    rng = np.random.default_rng(seed)
    noise = noise or (lambda size: rng.normal(size=size))
    values = np.zeros((n, rows))
    for y in range(n):
        values[y] = noise(rows)
        for x in {y - 1, y - 3} & set(range(y)):
            values[y] += rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 1.2) * values[x]
    return values


def with_outlying_rows(values, rows=4, seed=0):
    rng = np.random.default_rng(seed)
    spoiled = values.copy()
    spoiled[:, :: values.shape[1] // rows][:, :rows] = (
        10 * values.std(axis=1, keepdims=True) * rng.normal(size=(len(values), rows))
    )
    return spoiled


def with_outlying_cells(values, seed=0):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(values.shape) < 0.01, 20 * rng.normal(size=values.shape), values)


def quadratic(seed):
    rng = np.random.default_rng(seed)
    values = np.zeros((N, ROWS))
    for y in range(N):
        values[y] = rng.normal(size=ROWS)
        if y:
            values[y] += (values[y - 1] - values[y - 1].mean()) ** 2 / values[y - 1].var()
    return values


@pytest.mark.parametrize("seed", range(3))
def test_what_is_done(seed):
    rng = np.random.default_rng(seed)
    assert suited(linear(seed)) == Suited("none")
    for noise in (
        lambda size: rng.exponential(size=size),
        lambda size: rng.lognormal(size=size),
        lambda size: rng.standard_t(3, size),
        lambda size: rng.uniform(size=size),
    ):
        # Noise that is not normal is no reason where effects are linear.
        assert suited(linear(seed, noise)) == Suited("none")
    assert suited(with_outlying_rows(linear(seed))) == Suited("trim")
    assert suited(with_outlying_cells(linear(seed))) == Suited("trim-cells")
    assert suited(with_outlying_cells(linear(seed)), cells=False) == Suited("normal-scores")
    assert suited(np.exp(linear(seed) / 2)) == Suited("normal-scores")
    # Heavy tails alone look like dependence.
    assert suited(rng.standard_t(2, size=(50, 200))) == Suited("normal-scores")
    assert suited(quadratic(seed)) == Suited("curves")
    # A relation that bends is told from a line also where it rises throughout, and in rows beside outlying ones.
    assert suited(with_outlying_rows(quadratic(seed))) == Suited("curves")


def test_few_rows_and_constants_are_left_alone():
    assert suited(np.exp(3 * linear(0)[:, :29])) == Suited("none")
    assert suited(np.ones((3, 100))) == Suited("none")
    assert suited(np.exp(linear(0))[:1]) == Suited("none")
    skewed = np.exp(linear(1) / 2)
    skewed[0] = 1.0
    for scale in (1.0, 1e-290, 1e290):
        assert suited(skewed * scale) == Suited("normal-scores")


def test_normal_data_are_hardly_ever_changed():
    """At most one in twenty is what is promised."""
    changed = 0
    for seed in range(100):
        n, rows = (5, 40) if seed % 2 else (12, 200)
        changed += suited(linear(seed, n=n, rows=rows)) != Suited("none")
    assert changed <= 1


def test_independent_columns_are_hardly_ever_called_curved():
    """Whatever their distributions, since only ranks are looked at; one in a hundred is what is promised."""
    from hccd.independence.transforms import normal_scores

    alarms = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        scores = normal_scores(rng.lognormal(size=(10, 150)))
        alarms += bool(relations(scores)[1].any())
    assert alarms <= 5  # 1 % of 200, and two deviations


def test_curved_and_straight_pairs_are_told_apart():
    from hccd.independence.transforms import normal_scores

    rng = np.random.default_rng(3)
    x = rng.normal(size=500)
    table = np.vstack([x, x + rng.normal(size=500), x**2 + rng.normal(size=500), rng.normal(size=500)])
    straight, curved = relations(normal_scores(table))
    assert np.argwhere(straight).tolist() == [[0, 1]]
    assert [0, 2] in np.argwhere(curved).tolist() and not curved[:, 3].any() and not curved[0, 1]


def test_shapes_are_those_of_scipy():
    from scipy.stats import kurtosis, skew

    values = np.random.default_rng(0).lognormal(size=(4, 90))
    skewness, excess = shapes(values)
    np.testing.assert_allclose(skewness, skew(values, axis=1), rtol=1e-10)
    np.testing.assert_allclose(excess, kurtosis(values, axis=1), rtol=1e-10)


def test_the_spanning_tree_is_that_of_networkx():
    import networkx as nx

    correlation = np.corrcoef(linear(5))
    graph = nx.from_numpy_array(np.abs(correlation) - np.eye(N))
    expected = {frozenset(edge) for edge in nx.maximum_spanning_edges(graph, data=False)}
    tree = spanning_tree(correlation)
    assert {frozenset(edge) for edge in zip(tree.parent.tolist(), tree.child.tolist(), strict=True)} == expected
    squares = [correlation[tuple(edge)] ** 2 for edge in expected]
    assert tree.information == pytest.approx(-0.5 * np.log1p(-np.array(squares)).sum())


TABLES = {
    "trim": lambda: with_outlying_rows(linear(1)),
    "trim-cells": lambda: with_outlying_cells(linear(1)),
    "normal-scores": lambda: np.exp(linear(1) / 2),
    "ties": lambda: np.round(np.exp(linear(1) / 2), 1),
    "curved": lambda: quadratic(1),
}


@pytest.mark.filterwarnings(f"ignore::{DataWarning.__module__}.{DataWarning.__name__}")
@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("transform", ["auto", "ranks"])
def test_neither_order_nor_names_matter(kind, transform):
    data = TABLES[kind]().T
    names = [f"v{i}" for i in range(N)]
    first = hccd.discover(data, names=names, transform=transform)
    order = np.random.default_rng(9).permutation(N)
    other = hccd.discover(data[:, order], names=[names[i] for i in order], transform=transform)
    renamed = hccd.discover(data, names=names[::-1], transform=transform)
    assert first.parameters == other.parameters == renamed.parameters
    assert named_edges(first) == named_edges(other)
    assert renamed.graph == first.graph
    assert sorted(first.strength.tolist()) == sorted(other.strength.tolist())


def named_edges(result):
    return {(x, y) if kind == "directed" else frozenset((x, y)) for x, y, kind in result.edges()}


def warned(data, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = hccd.discover(data, **options)
    assert [str(each.message) for each in caught if each.category is DataWarning] == list(result.warnings)
    return result


def said_of(result, kind):
    return [finding.sentence for finding in result.findings if finding.kind.value == kind]


def test_what_was_done_is_said_and_recorded():
    trimmed = warned(with_outlying_rows(linear(2)).T)
    assert trimmed.parameters["transform"] == "trim" and trimmed.parameters["n_samples"] == ROWS - 4
    assert said_of(trimmed, "transform") == [
        "4 rows are far from all others in many columns and left out (rows 1, 101, 201 and 301): the transform 'none' "
        "uses the values as they are",
    ]
    assert not said_of(trimmed, "outliers")
    values = linear(2)
    values[3, 7], values[5, 9] = 40.0, -40.0
    replaced = warned(values.T)
    assert replaced.parameters["transform"] == "trim-cells" and replaced.parameters["n_samples"] == ROWS
    assert said_of(replaced, "transform") == [
        "2 cells contradict the rest of the row, as errors do, and are replaced by values that fit (1 in 'X4' and 1 in "
        "'X6'): if they are true values, use the transform 'none'",
    ]
    (finding,) = [each for each in replaced.findings if each.kind.value == "transform"]
    assert finding.columns == (3, 5)
    ranked = warned(np.exp(linear(2) / 2).T)
    assert ranked.parameters["transform"] == "normal-scores"
    assert ranked.warnings[0].startswith("ranks are more strongly correlated than values")
    left = warned(np.exp(linear(2) / 2).T, transform="none")
    assert left.parameters["transform"] == "none" and not said_of(left, "transform") and said_of(left, "skewed")
    assert warned(np.exp(linear(2) / 2).T, preset="paper").parameters["transform"] == "none"


def test_outlying_rows_do_not_change_the_graph():
    clean = hccd.discover(linear(4).T)
    spoiled = with_outlying_rows(linear(4)).T
    with pytest.warns(DataWarning, match="left out"):
        robust = hccd.discover(spoiled)
    kept, wrong = (shd(clean.graph, each.graph).total for each in (robust, warned(spoiled, transform="none")))
    assert kept <= 6 and wrong > 4 * kept


def test_curved_relations_are_learned_by_curves():
    data = quadratic(0).T
    truth = PDAG.from_edges(N, np.array([(y - 1, y) for y in range(1, N)], np.int32))
    result = warned(data)
    assert result.parameters["transform"] == "curves" and result.parameters["test"]["name"] == "dg"
    assert result.score is not None and result.score.name == "bic"
    (done,) = said_of(result, "transform")
    assert done.startswith("many relations are curved, so squares and cubes of the values are used")
    lines = warned(data, transform="none")
    assert shd(truth, result.graph).total <= 6 < 12 < shd(truth, lines.graph).total
    # The same by every way of asking for it.
    for options in ({"test": "dg"}, {"transform": "curves"}):
        assert warned(data, **options).graph == result.graph
    repeated = warned(data, test="dg", transform="curves")
    assert repeated.graph == result.graph and not said_of(repeated, "transform")


def test_a_test_by_name_stays_where_relations_are_curved():
    result = warned(quadratic(0).T, test="fisher-z")
    assert result.parameters["transform"] == "none" and result.parameters["test"]["name"] == "fisher-z"
    assert "so use the test 'auto'" in said_of(result, "transform")[0]


def test_curves_of_a_column_do_not_depend_on_its_scale():
    column = np.random.default_rng(0).lognormal(size=100)
    first = curved(column)
    for other in (1e200 * column, 1e-200 * column, column + 1000.0, -column):
        correlated = np.abs([np.corrcoef(a, b)[0, 1] for a, b in zip(first, curved(other), strict=True)])
        np.testing.assert_allclose(correlated, 1.0, atol=1e-6)
    assert not curved(np.full(50, 0.1))[:2].any()


def test_errors_on_one_side_are_no_curves():
    """A code for missing cells that stands among the numbers bends relations until it is replaced."""
    for seed in (0, 1):
        values = linear(seed, rows=1000)
        coded = np.where(np.random.default_rng(seed).random(values.shape) < 0.02, -30.0, values)
        assert is_curved(coded) and suited(coded) == Suited("trim-cells")
    assert suited(with_outlying_cells(quadratic(0))) == Suited("curves")


@pytest.mark.parametrize("noise", ["exponential", "lognormal", "t3"])
def test_linear_effects_in_noise_of_any_kind_are_no_curves(noise):
    """The reverse of such an effect may bend; with many rows that is seen."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        draw = {"exponential": rng.exponential, "lognormal": rng.lognormal, "t3": partial(rng.standard_t, 3)}[noise]
        assert not is_curved(linear(seed, lambda size, draw=draw: draw(size=size), rows=2000))


def test_check_names_what_it_sees_and_what_would_be_done():
    rng = np.random.default_rng(0)
    tail = rng.lognormal(sigma=1.5, size=500)
    table = {
        "tail": tail,
        "flat": rng.uniform(size=500),
        "effect": tail + rng.normal(size=500),
        "t": rng.normal(size=500),
    }
    table["t"][7:9] = 14.0, -14.0
    table["bent"] = (table["flat"] - 0.5) ** 2 + 0.02 * rng.normal(size=500)
    found = {finding.kind: finding for finding in hccd.check_data(table).findings}
    assert found["skewed"].columns == ("tail", "effect") and "skewness up to" in found["skewed"].sentence
    assert "t" in found["outliers"].columns
    assert found["curved"].severity == "warning" and {"flat", "bent"} <= set(found["curved"].columns)
    assert "'flat' with 'bent'" in found["curved"].sentence
    plain = hccd.check_data({"a": rng.normal(size=500), "b": rng.normal(size=500)})
    assert plain.findings == () and plain.why.endswith("alpha 0.01")
    asked = hccd.check_data(table, transform="ranks")
    assert asked.why.endswith("alpha 0.01, on ranks")


def test_check_says_what_learning_says():
    data = with_outlying_rows(linear(2)).T
    check = hccd.check_data(data)
    assert check.why.endswith("alpha 0.01, without outlying rows")
    said = [finding.sentence for finding in check.of("warning")]
    with pytest.warns(DataWarning):
        assert list(hccd.discover(data).warnings) == said


def test_copies_are_told_from_the_values_not_from_their_ranks():
    x = np.exp(linear(2) / 2).T
    x[:, 3] = np.log(x[:, 2])
    result = warned(x, transform="ranks")
    assert not said_of(result, "collinear") and len(said_of(result, "near-collinear")) == 1
    x[:, 3] = 2.0 * x[:, 2]
    assert "X4 = 2 X3 in every row" in warned(x, transform="ranks").warnings[0]
