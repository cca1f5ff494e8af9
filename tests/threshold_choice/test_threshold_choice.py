"""The threshold of mutual information by BDeu on the training data."""

from __future__ import annotations

from functools import reduce
from itertools import combinations

import numpy as np
import pytest

import hccd
from hccd.errors import InvalidParameterError
from hccd.independence import MutualInformation
from hccd.metrics import bdeu
from hccd.run.settings import PAPER
from hccd.run.threshold import TESTS_PER_PAIR
from uncompiled import uncompiled

GRID = (0.2, 0.1, 0.05, 0.03, 0.02, 0.012)


def table(n_rows=400, n=9, states=3, seed=3):
    """A chain with side branches, noisy copies of whole numbers."""
    rng = np.random.default_rng(seed)
    columns = {}
    for i in range(n):
        noise = rng.integers(0, states, n_rows)
        parent = columns.get(f"v{(i - 1) // 2}", noise)
        columns[f"v{i}"] = np.where(rng.random(n_rows) < 0.6, parent, noise)
    return columns


@pytest.mark.parametrize("method", ["hccd", "pc", "tscb"])
def test_the_best_of_all_thresholds(method):
    """By hand: a graph for each threshold, scored by the public metric."""
    data = table()
    scores = {}
    for threshold in GRID:
        by_hand = hccd.discover(data, test="mi", threshold=threshold, method=method, preset="paper")
        scores[threshold] = bdeu(by_hand.graph, data), by_hand.tests.total
    chosen = hccd.discover(data, test="mi", threshold=GRID[::-1], method=method, preset="paper")
    best = max(scores, key=lambda threshold: scores[threshold][0])
    assert chosen.parameters["test"] == {"name": "mi", "threshold": best}
    assert len({score for score, _ in scores.values()}) > 2
    tried = chosen.parameters["threshold_choice"]["tried"]
    assert [each[0] for each in tried] == list(GRID)
    for threshold, score, tests in tried:
        assert score == pytest.approx(scores[threshold][0], abs=1e-8)
        assert tests == scores[threshold][1]
    assert chosen.seconds["threshold_choice"] > 0
    assert chosen.seconds["total"] > chosen.seconds["threshold_choice"]


@pytest.mark.parametrize("method", ["hccd", "flat"])
def test_the_result_is_that_of_the_chosen_threshold(method):
    data = table()
    chosen = hccd.discover(data, preset="paper", method=method)
    again = hccd.discover(data, preset="paper", method=method, threshold=chosen.parameters["test"]["threshold"])
    one, other = chosen.to_dict(), again.to_dict()
    assert one.pop("seconds") and other.pop("seconds")
    assert one["parameters"].pop("threshold_choice")
    assert one == other
    skeleton = hccd.learn_skeleton(data, preset="paper", method=method)
    assert np.array_equal(skeleton.skeleton.edges, chosen.skeleton.edges)
    assert skeleton.parameters["threshold_choice"] == chosen.parameters["threshold_choice"]


def test_neither_order_nor_names_of_columns_matter():
    """A common effect gives directions to compare."""
    data = table()
    data["effect"] = data["v5"] + data["v8"]
    names = list(data)
    shuffled = [names[i] for i in np.random.default_rng(0).permutation(len(names))]
    first = hccd.discover(data, preset="paper")
    second = hccd.discover({f"other {name}": data[name] for name in shuffled}, preset="paper")
    assert first.parameters == second.parameters

    def drawn(result):
        ends = [(a.removeprefix("other "), b.removeprefix("other "), kind) for a, b, kind in result.edges()]
        return {(a, b) if kind == "directed" else frozenset((a, b)) for a, b, kind in ends}

    assert drawn(first) == drawn(second)
    assert any(kind == "directed" for _, _, kind in first.edges())


def test_what_is_shared_changes_no_answer():
    """A test with another threshold against one bound anew."""
    codes = np.column_stack(list(table().values()))
    shared = MutualInformation(0.5).bind(codes)
    shared.marginals()
    for threshold in GRID:
        other, fresh = shared.with_threshold(threshold), MutualInformation(threshold).bind(codes)
        assert np.array_equal(other.marginals().independent, fresh.marginals().independent)
        assert np.array_equal(other.marginals().strength, fresh.marginals().strength)
        assert other.describe() == fresh.describe()
        for given in ((), (4,), (4, 5)):
            assert other.test(0, 1, given) == pytest.approx(fresh.test(0, 1, given), nan_ok=True)


def test_the_search_ends_where_tests_explode():
    """Many states and few rows: small thresholds join everything."""
    data = table(n_rows=60, n=8, states=8)
    tried = hccd.discover(data, preset="paper").parameters["threshold_choice"]["tried"]
    most = TESTS_PER_PAIR * 8 * 7 // 2
    assert [tests > most for _, _, tests in tried] == [False] * (len(tried) - 1) + [True]
    assert len(tried) < len(PAPER.thresholds)


@pytest.mark.parametrize(
    "tree", [[["v0", "v1", "v2", "v3"], ["v4", "v5", "v6", "v7", "v8"]], [[0, 1, 2, 3], [4, 5, 6, 7, 8]]]
)
def test_the_callers_clusters_are_used(tree):
    result = hccd.discover(table(), preset="paper", tree=tree)
    assert [sorted(leaf.variables) for leaf in result.tree.leaves()] == [[0, 1, 2, 3], [4, 5, 6, 7, 8]]
    threshold = result.parameters["test"]["threshold"]
    tests = {each[0]: each[2] for each in result.parameters["threshold_choice"]["tried"]}[threshold]
    assert tests == result.tests.total


def test_nothing_to_choose():
    """Continuous data, a threshold of the caller's own, a bound test, the default preset."""
    rng = np.random.default_rng(0)
    codes = np.column_stack(list(table().values()))
    for result in (
        hccd.discover(rng.normal(size=(100, 5)), preset="paper"),
        hccd.discover(codes, test="mi", threshold=0.02, preset="paper"),
        hccd.discover(MutualInformation(0.02).bind(codes), preset="paper"),
        hccd.discover(codes, test="mi"),
    ):
        assert "threshold_choice" not in result.parameters
        assert "threshold_choice" not in result.seconds


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"test": "mi", "threshold": []}, "threshold is"),
        ({"test": "mi", "threshold": [0.1, -1.0]}, "threshold is"),
        ({"test": "mi", "threshold": [0.1, float("nan")]}, "threshold is"),
        ({"test": "mi", "threshold": "0.1"}, "threshold is"),
        ({"test": "mi", "threshold": [True]}, "threshold is"),
        ({"test": "mi", "threshold": np.array(0.1)}, "threshold is"),
        ({"test": "g", "threshold": [0.1]}, "for the test 'mi'"),
        ({"test": "auto", "threshold": [0.1]}, "for the test 'mi'"),
    ],
)
def test_refusals(options, sentence):
    with pytest.raises(InvalidParameterError, match=sentence):
        hccd.discover(table(), **options)


def test_answers_are_found_again_or_given_up():
    """Against a dictionary: what is known is right, and a full memory forgets."""
    answers = uncompiled("answers").Answers(6, 4)
    kept = {}
    for x, y in combinations(range(6), 2):
        others = [z for z in range(6) if z not in (x, y)]
        for given in [(), *combinations(others, 1), *combinations(others, 2)]:
            question = answers.pair(x, y)
            for z in given:
                question = answers.with_member(question, z)
            assert question == reduce(answers.with_member, reversed(given), answers.pair(y, x))
            assert question not in kept
            kept[question] = float(len(kept))
            answers.keep(question, kept[question])
    known = [question for question in kept if answers.knows(question)]
    assert 8 < len(known) <= 16
    assert all(answers.recall(question) == kept[question] for question in known)
