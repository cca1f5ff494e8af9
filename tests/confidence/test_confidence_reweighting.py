"""A test bound again with weights answers as one bound to the repeated rows, and so does its score."""

from itertools import combinations

import numpy as np
import pytest
from confidence_cases import repeated, table

from hccd.graphs import PDAG
from hccd.independence import CustomTest, Oracle
from hccd.run.options import Options
from hccd.run.prepared import prepare

CASES = [
    ("numbers", {"test": "fisher-z", "transform": "none"}),
    ("numbers", {"test": "fisher-z", "transform": "log"}),
    ("numbers", {"test": "fisher-z", "transform": "ranks"}),
    ("numbers", {"test": "auto", "transform": "none"}),
    ("discrete", {"test": "g"}),
    ("discrete", {"test": "chi2"}),
    ("discrete", {"test": "mi", "threshold": 0.02}),
    ("discrete-gaps", {"test": "g"}),
    ("mixed", {"test": "dg", "transform": "none"}),
    ("mixed", {"test": "regression", "transform": "none"}),
    ("gaps", {"test": "fisher-z", "transform": "none", "missing": "em"}),
    ("gaps", {"test": "fisher-z", "transform": "none", "missing": "testwise"}),
    ("mixed-gaps", {"test": "dg", "transform": "none", "missing": "em"}),
]


def times_of(seed, n_rows):
    rng = np.random.default_rng(seed)
    return np.bincount(rng.integers(n_rows, size=n_rows), minlength=n_rows)


def bound(columns, options):
    return prepare(columns, Options(**options, bootstrap="none"))


@pytest.mark.parametrize(("kind", "options"), CASES)
@pytest.mark.parametrize("seed", [0, 1])
def test_weights_are_repeated_rows(kind, options, seed):
    columns = table(kind, seed)
    if options.get("transform") == "log":
        columns = {name: np.exp(column) for name, column in columns.items()}
    times = times_of(seed, 200)
    one = bound(columns, options)
    again = one.binding.reweighted(times.astype(float))
    other = bound(repeated(columns, times), options)
    # Each in its own canonical order.
    place, there = np.argsort(one.binding.columns), np.argsort(other.binding.columns)
    for x, y in combinations(range(6), 2):
        for given in ((), (next(z for z in range(6) if z not in (x, y)),)):
            mine = again.test(place[x], place[y], [place[z] for z in given])
            theirs = other.binding.ci.test(there[x], there[y], [there[z] for z in given])
            assert mine.independent == theirs.independent
            np.testing.assert_allclose(mine.strength, theirs.strength, rtol=1e-7, atol=1e-9)
            np.testing.assert_allclose(mine.p_value, theirs.p_value, rtol=1e-6, atol=1e-12)
    if again.score_name is None:
        return
    # Drawn cells depend on the order of the rows, which is the same here.
    dag = PDAG.from_edges(6)
    families = again.completed(dag).families(4), other.binding.ci.completed(dag).families(4)
    for y, parents in ((0, ()), (3, (1,)), (5, (1, 2))):
        if kind == "discrete-gaps" and place.tolist() != there.tolist():
            continue
        mine = families[0].score(place[y], np.sort(place[list(parents)]).astype(np.int32))
        theirs = families[1].score(there[y], np.sort(there[list(parents)]).astype(np.int32))
        assert mine == pytest.approx(theirs, rel=1e-9)


def test_a_test_of_ones_own_gets_the_rows_repeatedly():
    seen = []

    def function(data, x, y, given):
        seen.append(data.shape)
        return 0.5

    columns = table("numbers")
    one = bound(columns, {"test": CustomTest(function)})
    weights = np.zeros(200)
    weights[[3, 5]] = 2.0, 1.0
    one.binding.reweighted(weights).test(0, 1)
    assert seen[-1] == (3, 6)


def test_an_oracle_has_no_rows():
    truth = PDAG.from_edges(3, [(0, 1)])
    assert prepare(Oracle(truth).bind(), Options()).binding.reweighted is None


@pytest.mark.parametrize("kind", ["numbers", "discrete", "mixed"])
def test_weights_of_counted_rows_are_those_of_repeated_ones(kind):
    """Where rows are distinct and have counts, a resample has other counts: the same as a table with those."""
    columns, rng = table(kind), np.random.default_rng(4)
    counts = rng.integers(1, 4, 200)
    drawn = rng.binomial(counts, 0.6).astype(float)
    options = {} if kind == "discrete" else {"transform": "none"}
    one = prepare(columns, Options(weights=counts, bootstrap="none", **options))
    again = one.binding.reweighted(drawn)
    other = bound(repeated(columns, drawn.astype(int)), options)
    place, there = np.argsort(one.binding.columns), np.argsort(other.binding.columns)
    for x, y in combinations(range(6), 2):
        mine, theirs = again.test(place[x], place[y]), other.binding.ci.test(there[x], there[y])
        assert mine.p_value == pytest.approx(theirs.p_value, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("missed", [0, 1, 3])
@pytest.mark.parametrize("test", ["dg", "regression"])
def test_a_state_that_is_not_drawn_is_none(test, missed):
    """As with the table of the drawn rows, which never heard of it."""
    columns = table("mixed", n_rows=300)
    columns["v4"] = np.array(["a", "b", "c", "d"])[np.digitize(table("numbers", n_rows=300)["v4"], (-1, 0, 1))]
    times = (columns["v4"] != "abcd"[missed]).astype(int)
    one = bound(columns, {"test": test, "transform": "none"})
    again, other = (
        one.binding.reweighted(times.astype(float)),
        bound(repeated(columns, times), {"test": test, "transform": "none"}),
    )
    place, there = np.argsort(one.binding.columns), np.argsort(other.binding.columns)
    for x in (0, 1, 5):
        for given in ([], [2]):
            mine = again.test(place[x], place[4], place[given])
            theirs = other.binding.ci.test(there[x], there[4], there[given])
            assert mine.p_value == pytest.approx(theirs.p_value, rel=1e-6)
    if test == "dg":
        mine = again.families(3).score(place[4], np.array([place[1]], np.int32))
        assert mine == pytest.approx(other.binding.ci.families(3).score(there[4], np.array([there[1]], np.int32)))
