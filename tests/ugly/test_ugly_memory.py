"""Ugly tables x every test, score, method and preset: a valid graph, or a refusal of one sentence."""

from __future__ import annotations

import itertools
import time
import warnings

import pytest
from ugly_tables import IN_MEMORY, wide

import hccd
from hccd.choices import METHODS, PRESETS, SCORINGS, TESTS, TRANSFORMS
from hccd.errors import DataWarning, HCCDError
from hccd.graphs import check_validity

#: CPU seconds that no run on a table of this size may take.
LONGEST = 4.0


def learned(data, **options):
    """Learn; return the result, or the refusal once it is known to be a good one."""
    began = time.process_time()
    with warnings.catch_warnings():
        # All others are errors.
        warnings.simplefilter("ignore", DataWarning)
        try:
            result = hccd.discover(data, **options)
        except HCCDError as refusal:
            result = refusal
    assert time.process_time() - began < LONGEST, options
    if isinstance(result, HCCDError):
        sentence = str(result)
        assert "\n" not in sentence and 20 < len(sentence) < 2000 and not sentence.endswith("."), sentence
    else:
        assert check_validity(result.graph).valid, options
        assert all(seconds >= 0.0 for seconds in result.seconds.values())
    return result


@pytest.mark.parametrize("name", IN_MEMORY)
def test_a_valid_graph_or_a_refusal(name):
    data = IN_MEMORY[name]()
    scorings = itertools.cycle(SCORINGS)
    for test in TESTS:
        for method in METHODS:
            learned(data, test=test, method=method, scoring=next(scorings))
        learned(data, test=test, preset="paper")
    for scoring in SCORINGS:
        learned(data, scoring=scoring)
    for transform in TRANSFORMS:
        learned(data, transform=transform)


@pytest.mark.slow
@pytest.mark.parametrize("name", IN_MEMORY)
def test_all_options_at_once(name):
    data = IN_MEMORY[name]()
    for test, method, scoring, preset in itertools.product(TESTS, METHODS, SCORINGS, PRESETS):
        learned(data, test=test, method=method, scoring=scoring, preset=preset)


@pytest.mark.parametrize("name", IN_MEMORY)
def test_the_check_says_what_learning_does(name):
    data = IN_MEMORY[name]()
    try:
        check = hccd.check_data(data)
    except HCCDError as refusal:
        assert str(learned(data)) == str(refusal)
    else:
        assert check.ok == (not isinstance(learned(data), HCCDError))


@pytest.mark.slow
def test_thousands_of_columns_and_twelve_rows():
    began = time.process_time()
    with pytest.warns(DataWarning):
        assert check_validity(hccd.discover(wide()).graph).acyclic
    assert time.process_time() - began < 30.0


#: Tables that have a graph: a refusal of these would be a step back.
@pytest.mark.parametrize(
    "name",
    [
        "a sum of two", "all sums of two", "a constant", "a copy", "copies only", "copies of both kinds",
        "scales apart", "the largest numbers", "the smallest numbers", "integers beyond 2^53", "one huge number",
        "heavy tails", "separated by a threshold", "one column for each state", "names of rows",
        "names of rows among states", "dates", "times", "truth values", "decimals", "more columns than rows",
        "long names", "names that are no words",
        "two rows, repeated", "a row number", "many states",
    ],
)  # fmt: skip
def test_these_are_learned(name):
    assert isinstance(learned(IN_MEMORY[name]()), hccd.HCCDResult)
