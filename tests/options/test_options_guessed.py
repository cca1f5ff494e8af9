"""Options by the names that people know from other packages, and their tables as they are."""

from __future__ import annotations

import numpy as np
import pytest

import hccd
from hccd.errors import InvalidParameterError
from hccd.result import HCCDResult
from hccd.tables.bins import equal_frequency


def numbers(rows=300):
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, rows))
    return {"a": a, "b": b, "c": a + b + 0.5 * rng.normal(size=rows)}


def plain(result):
    return {**result.to_dict(), "seconds": None}


@pytest.mark.parametrize("taker", [hccd.discover, hccd.learn_skeleton])
def test_random_state_is_the_seed(taker):
    for given, seed in (
        ({}, 0), ({"seed": None}, 0), ({"random_state": None}, 0), ({"random_state": 3}, 3),
        ({"random_state": np.int64(3)}, 3), ({"seed": 4, "random_state": 4}, 4), ({"seed": 5}, 5),
    ):  # fmt: skip
        assert taker(numbers(), **given).parameters["seed"] == seed


@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
def test_a_generator_gives_one_seed_to_a_run(make):
    first, second = (hccd.discover(numbers(), random_state=make(1)) for _ in range(2))
    assert plain(first) == plain(second) and first.parameters["seed"] > 0
    # The same generator moves on from run to run.
    source = make(1)
    seeds = [hccd.discover(numbers(), random_state=source, bootstrap=2).parameters["seed"] for _ in range(2)]
    assert seeds[0] == first.parameters["seed"] != seeds[1]


def test_two_seeds_are_refused():
    sentence = "^seed is 0 and random_state is 3, which are two names of one thing: give one$"
    for learn in (
        lambda: hccd.discover(numbers(), seed=0, random_state=3),
        lambda: hccd.learn_skeleton(numbers(), seed=0, random_state=3),
        lambda: hccd.HCCD(seed=0, random_state=3).fit(numbers()),
    ):
        with pytest.raises(InvalidParameterError, match=sentence):
            learn()


def test_the_seed_decides_the_resamples():
    """An alias that is heard but not followed would go unnoticed otherwise."""
    rng = np.random.default_rng(2)
    weak = rng.normal(size=(60, 6)) + 1.0 * rng.normal(size=(60, 1))
    by_seed, by_state, other = (
        [edge.probabilities for edge in hccd.discover(weak, bootstrap=9, **given).edges()]
        for given in ({"seed": 9}, {"random_state": 9}, {"seed": 10})
    )
    assert by_seed == by_state != other


def test_discretize_groups_the_numbers():
    data = numbers()
    whole = hccd.discover(data, discretize=4)
    assert whole.parameters["test"]["name"] == "g" and whole.parameters["reading"] == {"discretize": 4}
    by_hand = {name: np.array(list("wxyz"))[equal_frequency(values, 4)] for name, values in data.items()}
    assert whole.edges() == hccd.discover(by_hand).edges()
    # An estimator, a table that is read already, and single columns.
    fitted = hccd.HCCD(discretize=4).fit(data).result_
    assert plain(fitted) == plain(whole) == plain(hccd.discover(hccd.tables.as_table(data), discretize=4))
    one = hccd.discover(data, discretize={"a": 3})
    assert one.parameters["test"]["name"] == "dg" and one.parameters["reading"] == {"discretize": {"a": 3}}
    assert one.table.codes is not None and [kind.value for kind in one.table.kinds] == [
        "discrete", "continuous", "continuous",
    ]  # fmt: skip
    check = hccd.check_data(data, discretize=4)
    assert check.test == "g" and check.ok


def test_discretize_is_repeated_by_the_command_line(tmp_path, monkeypatch):
    from hccd.cli.main import main
    from hccd.report.repeat import repetition

    monkeypatch.chdir(tmp_path)
    data = numbers()
    np.savetxt("DATA", np.column_stack(list(data.values())), delimiter=",", header="a,b,c", comments="", fmt="%.17g")
    result = hccd.discover(data, discretize=4)
    words = repetition(result.parameters).command.split()
    assert words[:5] == ["hccd", "learn", "DATA", "--discretize", "4"]
    assert main([*words[1:], "--out", "run", "--quiet", "--no-report"]) == 0
    assert HCCDResult.load("run/graph.json").edges() == result.edges()


def test_what_cannot_be_grouped_is_refused():
    for wrong, sentence in (
        ({"a": 1}, "'a' is to have 1 class; give a number from 2 to 150"),
        ({"z": 3}, "'z'"),
        (1000, "'a' is to have 1,000 classes; give a number from 2 to 150"),
    ):
        with pytest.raises(ValueError, match=sentence):
            hccd.discover(numbers(), discretize=wrong)
    oracle = hccd.Oracle(hccd.PDAG.empty(3)).bind()
    with pytest.raises(InvalidParameterError, match="discretize cannot be set any more"):
        hccd.discover(oracle, discretize=3)


@pytest.mark.parametrize(
    ("guess", "name"),
    [
        ("fisherz", "fisher-z"), ("gaussCItest", "fisher-z"), ("parcorr", "fisher-z"), ("pearsonr", "fisher-z"),
        ("gsq", "g"), ("g_sq", "g"), ("disCItest", "g"), ("chisq", "chi2"), ("chi_square", "chi2"), ("x2", "chi2"),
    ],
)  # fmt: skip
def test_tests_by_the_names_of_other_packages(guess, name):
    data = numbers() if name == "fisher-z" else {k: (v > 0).astype(int) for k, v in numbers().items()}
    assert hccd.discover(data, test=guess).parameters["test"]["name"] == name
