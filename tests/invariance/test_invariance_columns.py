"""Neither the order nor the names of the columns change anything: graph, separators, p-values to the bit, counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from named_view import named_view

import hccd
from hccd.errors import DataWarning
from method_cases import discrete_net, linear_gaussian, random_dag, random_tree

pytestmark = pytest.mark.filterwarnings(f"ignore::{DataWarning.__module__}.{DataWarning.__name__}")

N = 16
ROWS = 300
NAMES = [f"column {i}" for i in range(N)]

METHODS = {
    "pc": {"method": "pc"},
    "pc-paper": {"method": "pc", "preset": "paper"},
    "hccd": {"method": "hccd"},
    "hccd-paper": {"method": "hccd", "preset": "paper"},
    "hccd-original": {"method": "hccd", "baseline": hccd.PC(stable=False)},
    "hccd-by-column": {"method": "hccd", "baseline": hccd.PC(ordering="column"), "colliders": "majority"},
    "hccd-rai": {"method": "hccd", "baseline": "rai"},
    "hccd-b-rai": {"method": "hccd", "baseline": "b-rai"},
    "hccd-mmhc": {"method": "hccd", "baseline": "mmhc"},
    "flat": {"method": "flat"},
    "flat-paper": {"method": "flat", "preset": "paper"},
    "score": {"method": "score"},
    "hccd-score": {"method": "hccd", "baseline": "score"},
}
TABLES = ["gaussian", "discrete", "gaussian-twins", "discrete-twins"]

few = settings(max_examples=5, deadline=None, derandomize=True)


def table(kind, seed):
    rng = np.random.default_rng([31, seed])
    data = linear_gaussian(rng, N, 3, ROWS) if kind.startswith("gaussian") else discrete_net(rng, N, 3, ROWS, (2, 3))
    if kind.endswith("twins"):
        # Identical columns, opposite ones and constants: all that can make ties.
        data[:, 5] = data[:, 2]
        data[:, 11] = data[:, 2]
        data[:, 7] = -data[:, 4]
        data[:, 9] = 1
        data[:, 13] = 1
    return data


def test_the_cases_have_structure():
    """What does not depend on order must be there to be seen."""
    for kind in ("gaussian", "discrete"):
        for options in METHODS.values():
            result = hccd.discover(table(kind, 0), **options)
            assert result.skeleton.n_edges >= 6
            # The threshold that scores best leaves few edges to separate.
            if result.parameters["baseline"]["name"] != "score":
                assert len(result.removals.separations) > (2 if "threshold_choice" in result.parameters else 5)
            assert options["method"] in ("pc", "score") or result.tree.depth > 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", TABLES)
@few
@given(seed=st.integers(0, 10_000), order=st.permutations(range(N)))
def test_columns_may_be_permuted(kind, method, seed, order):
    data = table(kind, seed)
    one = hccd.discover(data, names=NAMES, **METHODS[method])
    other = hccd.discover(data[:, order], names=[NAMES[i] for i in order], **METHODS[method])
    assert named_view(other) == named_view(one)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
@few
@given(
    seed=st.integers(0, 10_000),
    names=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=6),
                   min_size=N, max_size=N, unique_by=lambda name: name.strip().casefold() or name),
)  # fmt: skip
def test_columns_may_be_renamed(kind, method, seed, names):
    data = table(kind, seed)
    old = hccd.discover(data, names=NAMES, **METHODS[method])
    new = hccd.discover(data, names=names, **METHODS[method])
    back = dict(zip(new.names, NAMES, strict=True))
    assert named_view(new, back.__getitem__) == named_view(old)


@pytest.mark.parametrize("method", ["hccd", "hccd-paper", "pc-paper"])
@few
@given(seed=st.integers(0, 10_000), order=st.permutations(range(N)))
def test_names_of_twins_only_say_which_is_which(method, seed, order):
    """Other names in the same alphabetical order: the same graph, even with identical columns."""
    data = table("gaussian-twins", seed)
    one = hccd.discover(data, names=NAMES, **METHODS[method])
    longer = {name: f"a {name}" for name in NAMES}
    other = hccd.discover(data[:, order], names=[longer[NAMES[i]] for i in order], **METHODS[method])
    assert named_view(one, longer.__getitem__) == named_view(other)


@few
@given(seed=st.integers(0, 10_000), order=st.permutations(range(N)))
def test_columns_without_names_are_their_content(seed, order):
    """A bare array names its columns by place; the place says nothing."""
    data = table("gaussian", seed)
    one, other = hccd.discover(data), hccd.discover(data[:, order])
    back = {name: one.names[i] for name, i in zip(other.names, order, strict=True)}
    assert named_view(other, back.__getitem__) == named_view(one)


@pytest.mark.parametrize("method", ["hccd", "pc-paper", "flat"])
@few
@given(seed=st.integers(0, 10_000), order=st.permutations(range(N)))
def test_a_correlation_matrix_may_be_permuted(method, seed, order):
    matrix = np.corrcoef(table("gaussian", seed), rowvar=False)
    spec = hccd.FisherZ(0.01)
    one = hccd.discover(spec.bind_correlation(matrix, ROWS), names=NAMES, **METHODS[method])
    moved = spec.bind_correlation(matrix[np.ix_(order, order)], ROWS)
    other = hccd.discover(moved, names=[NAMES[i] for i in order], **METHODS[method])
    assert named_view(other) == named_view(one)


@pytest.mark.parametrize("method", ["hccd", "hccd-paper", "flat"])
@few
@given(seed=st.integers(0, 10_000), order=st.permutations(range(N)))
def test_the_variables_of_an_oracle_may_be_permuted(method, seed, order):
    """An oracle has no columns; its names are all there is, and they travel with the variables.

    Its strengths are sums over paths in the order of the variables, equal up to rounding only: they may decide a tie
    otherwise, so the graph is compared, not the way to it.
    """
    dag = random_dag(np.random.default_rng([32, seed]), N, 0.15)
    place = np.argsort(order)
    one = hccd.discover(hccd.Oracle(dag).bind(), names=NAMES, **METHODS[method])
    moved = hccd.Oracle(dag.relabelled(place)).bind()
    other = hccd.discover(moved, names=[NAMES[i] for i in order], **METHODS[method])
    view, moved_view = named_view(one), named_view(other)
    for what in ("directed", "undirected"):
        assert moved_view[what] == view[what]
    assert moved_view["separators"].keys() == view["separators"].keys()


@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
@few
@given(seed=st.integers(0, 10_000), order=st.permutations(range(N)))
def test_a_given_tree_may_be_permuted_along(kind, seed, order):
    data = table(kind, seed)
    tree = random_tree(np.random.default_rng(seed), N, leaf=2)
    one = hccd.discover(data, names=NAMES, tree=tree)
    other = hccd.discover(data[:, order], names=[NAMES[i] for i in order], tree=tree.relabelled(np.argsort(order)))
    assert named_view(other) == named_view(one)


@pytest.mark.parametrize("kind", TABLES)
def test_the_same_input_gives_the_same_bytes(kind):
    data = table(kind, 5)
    one, other = (hccd.discover(data, names=NAMES).to_dict() for _ in range(2))
    assert one.pop("seconds").keys() == other.pop("seconds").keys()
    assert one == other


def test_rows_are_not_columns():
    """The order of rows changes rounding only; the decisions of a plain case stay."""
    data = table("gaussian", 1)
    one, other = hccd.discover(data), hccd.discover(data[::-1])
    assert one.graph == other.graph
    assert dict(one.separators) == dict(other.separators)
