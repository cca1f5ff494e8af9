"""Parameters: stored as they are, copied, changed, shown, and handed to ``discover`` under the same names."""

import inspect
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, ParameterGrid

import hccd
from hccd import HCCD, PC, CheckpointFolder, ClusterTree, FisherZ, FixedK, GTest, Knowledge, SpectralSplitter
from hccd.discovery import discover
from hccd.errors import InvalidParameterError


def fisher_z(data, x, y, given):
    """Partial correlation by regression, written without the library."""
    rest = np.column_stack([np.ones(len(data)), data[:, list(given)]])
    a, b = (data[:, v] - rest @ np.linalg.lstsq(rest, data[:, v], rcond=None)[0] for v in (x, y))
    r = a @ b / np.sqrt((a @ a) * (b @ b))
    return 2 * norm.sf(np.sqrt(len(data) - len(given) - 3) * abs(np.arctanh(r)))


def chain(n=8, rows=300, seed=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, n))
    for i in range(1, n):
        X[:, i] += 0.8 * X[:, i - 1]
    return X


EVERY_PARAMETER = {
    "test": FisherZ(0.05),
    "alpha": 0.02,
    "threshold": 0.01,
    "discrete": ["a"],
    "continuous": ["b:c"],
    "ordinal": ["d"],
    "discretize": {"b": 4},
    "missing": "rows",
    "method": "flat",
    "preset": "paper",
    "tree": [["a", "b"], ["c", "d"]],
    "splitter": SpectralSplitter(rule=FixedK(3)),
    "correction": "none",
    "baseline": PC(stable=False),
    "max_order": 2,
    "refine": "root",
    "knowledge": Knowledge(roots=["a"]),
    "tiers": [["a"], ["b"]],
    "inner_order": 1,
    "colliders": "majority",
    "collider_order": 2,
    "conflicts": "undirected",
    "dsep_order": 2,
    "dsep_length": 3,
    "undirected": "lingam",
    "scoring": "none",
    "price": 3.0,
    "bootstrap": 3,
    "n_jobs": 2,
    "client": "tcp://127.0.0.1:8786",
    "log": "run.log",
    "transformation": "ranks",
    "seed": 7,
    "random_state": 7,
    "progress": print,
    "verbose": True,
    "checkpoint": CheckpointFolder("kept"),
}


def test_parameters_and_defaults_are_those_of_discover():
    def defaults(function, other_than):
        parameters = inspect.signature(function).parameters.values()
        return {p.name: (p.default, p.kind) for p in parameters if p.name not in other_than}

    own = defaults(HCCD, {"transformation", "test"})
    assert own == defaults(discover, {"data", "names", "transform", "weights", "test"})
    assert HCCD().test == inspect.signature(discover).parameters["test"].default
    assert HCCD("g").test == "g"
    assert HCCD().transformation == inspect.signature(discover).parameters["transform"].default


def test_the_constructor_stores_and_does_no_more():
    assert set(EVERY_PARAMETER) == set(HCCD().get_params())
    estimator = HCCD(**EVERY_PARAMETER)
    assert all(value is EVERY_PARAMETER[name] for name, value in vars(estimator).items())
    assert len(vars(estimator)) == len(EVERY_PARAMETER)


def test_every_parameter_is_handed_on(monkeypatch):
    seen = {}

    def recorder(data, **parameters):
        seen.update(parameters)
        return discover(data)

    monkeypatch.setattr("hccd.estimator.discover", recorder)
    HCCD(**EVERY_PARAMETER).fit(chain())
    assert seen.pop("transform") == EVERY_PARAMETER["transformation"]
    assert seen.pop("weights") is None
    assert seen == {k: value for k, value in EVERY_PARAMETER.items() if k != "transformation"}


def test_set_params_and_get_params():
    estimator = HCCD()
    assert estimator.set_params(**EVERY_PARAMETER) is estimator
    assert all(estimator.get_params()[name] is value for name, value in EVERY_PARAMETER.items())
    with pytest.raises(ValueError, match="Invalid parameter 'beta'"):
        estimator.set_params(beta=0.1)


def test_clone_copies_parameters_and_no_results():
    estimator = HCCD(tree=ClusterTree.flat([0, 0, 0, 0, 1, 1, 1, 1]), alpha=0.05, baseline=PC(stable=False)).fit(
        chain()
    )
    copy = clone(estimator)
    assert copy.get_params() == estimator.get_params()
    assert not [name for name in vars(copy) if name.endswith("_")]
    assert clone(HCCD(**EVERY_PARAMETER)).get_params() == EVERY_PARAMETER


def test_the_representation_shows_what_was_changed():
    assert repr(HCCD()) == "HCCD()"
    assert repr(HCCD(alpha=0.05, method="pc")) == "HCCD(alpha=0.05, method='pc')"
    assert repr(HCCD(GTest(0.05))) == f"HCCD(test={GTest(0.05)!r})"
    assert "HCCD" in HCCD(alpha=0.05).fit(chain())._repr_mimebundle_()["text/html"]


def test_alpha_decides_which_edges_stay():
    X = chain(n=2, rows=60)
    X[:, 1] -= 0.55 * X[:, 0]
    p = fisher_z(X, 0, 1, ())
    assert 0.001 < p < 0.2
    edges = {}
    for parameters in ParameterGrid({"alpha": [p / 2, 2 * p]}):
        edges[parameters["alpha"]] = len(HCCD(scoring="none").set_params(**parameters).fit(X).skeleton_.edges)
    assert edges == {p / 2: 0, 2 * p: 1}


def test_grid_search_with_a_score_of_the_users_own():
    X = chain()

    def fewest_edges(estimator, X, y=None):
        return -len(estimator.skeleton_.edges)

    grid = {"alpha": [0.3, 1e-4], "method": ["hccd", "pc"]}
    search = GridSearchCV(HCCD(scoring="none"), grid, scoring=fewest_edges, cv=2).fit(X)
    assert search.best_params_["alpha"] == 1e-4
    assert search.best_estimator_.result_.parameters["test"]["alpha"] == 1e-4


@pytest.mark.parametrize(
    ("changes", "recorded"),
    [
        ({"method": "pc"}, {"tree": "one cluster"}),
        ({"method": "tscb"}, {"refine": "never"}),
        ({"method": "not-c"}, {"refine": "root"}),
        ({"refine": "root"}, {"refine": "root"}),
        ({"inner_order": "none"}, {"inner_order": None}),
        ({"inner_order": 1}, {"inner_order": 1}),
        ({"colliders": "separating-set"}, {"colliders": "separating-set"}),
        ({"conflicts": "undirected"}, {"conflicts": "undirected"}),
        ({"baseline": PC(stable=False)}, {"baseline": PC(stable=False).describe()}),
        ({"preset": "paper"}, {"preset": "paper", "colliders": "separating-set", "conflicts": "undirected"}),
    ],
)
def test_each_choice_reaches_the_run(changes, recorded):
    default = HCCD().fit(chain()).result_.parameters
    changed = HCCD(**changes).fit(chain()).result_.parameters
    assert {name: changed[name] for name in recorded} == recorded
    assert any(default[name] != value for name, value in recorded.items())


def test_a_splitter_of_the_users_own_shapes_the_tree():
    tree = HCCD(splitter=SpectralSplitter(rule=FixedK(2), min_size=2, max_depth=1)).fit(chain()).cluster_tree_
    assert (tree.depth, len(tree.leaves())) == (1, 2)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"method": "magic"}, "method is 'magic'"),
        ({"preset": "best"}, "preset is 'best'"),
        ({"test": "t-test"}, "test is 't-test'"),
        ({"alpha": 2.0}, "alpha is 2.0"),
        ({"refine": "often"}, "refine is 'often'"),
        ({"random_state": "luck"}, "random_state is 'luck'"),
        ({"random_state": -1}, "random_state is -1"),
        ({"random_state": 1.5}, "random_state is 1.5"),
        ({"random_state": True}, "random_state is True"),
        ({"tree": ClusterTree.flat([0, 0, 1])}, "tree has 3 variables, the data have 8"),
        ({"tree": [["X1", "X9"], ["X2"]]}, "X9"),
    ],
)
def test_values_without_meaning_are_refused_by_fit_and_not_before(changes, sentence):
    estimator = HCCD().set_params(**changes)
    with pytest.raises(InvalidParameterError, match=sentence):
        estimator.fit(chain())


def seed_of(random_state, fits=1):
    estimator = HCCD(random_state=random_state)
    return [estimator.fit(chain(n=3, rows=30)).result_.parameters["seed"] for _ in range(fits)]


@given(st.integers(0, 2**64))
def test_a_whole_number_is_the_seed_itself(number):
    assert seed_of(number) == [number]


def test_no_seed_means_zero_every_time():
    assert seed_of(None, fits=2) == [0, 0]
    assert HCCD().fit(chain(n=3, rows=30)).result_.parameters["seed"] == 0
    assert seed_of(np.int64(3)) == [3]
    assert type(seed_of(np.int64(3))[0]) is int


@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
def test_a_generator_gives_a_seed_and_moves_on(make):
    first, second = seed_of(make(5), fits=2)
    assert first != second
    assert seed_of(make(5), fits=2) == [first, second]
    assert seed_of(make(6)) != [first]


def test_a_function_of_the_users_own_finds_what_the_built_in_test_finds():
    X = chain(n=5)
    own, built_in = HCCD(fisher_z, alpha=0.01).fit(X), HCCD("fisher-z", alpha=0.01).fit(X)
    assert own.result_.parameters["test"]["name"] == "fisher_z"
    assert own.result_.edges() == built_in.result_.edges()
    assert dict(own.separating_sets_) == dict(built_in.separating_sets_)
    again = pickle.loads(pickle.dumps(own))
    assert again.test is fisher_z
    assert again.result_.edges() == own.result_.edges()


def test_progress_is_reported():
    stages = []
    HCCD(progress=lambda event: stages.append(event.stage)).fit(chain())
    assert stages[0] == "marginal"
    assert stages[-1] == "score" and "orientation" in stages


@pytest.mark.parametrize(
    "wrong",
    [
        {"test": hccd.FisherZ},
        {"baseline": hccd.PC},
        {"tree": [None, [0, 1]]},
        {"method": "pc", "tree": [[0, 1], [2]]},
        {"method": "pc", "splitter": hccd.SpectralSplitter()},
        {"test": hccd.Oracle(hccd.PDAG.empty(2))},
        {"seed": True},
        {"checkpoint": "folder"},
        {"checkpoint": hccd.CheckpointFolder},
    ],
    ids=str,
)
def test_what_has_no_meaning_is_refused(wrong):
    data = np.random.default_rng(0).normal(size=(50, 3))
    with pytest.raises(InvalidParameterError):
        discover(data, **wrong)


def test_a_bound_test_takes_nothing_but_good_names():
    oracle = hccd.Oracle(hccd.PDAG.empty(3)).bind()
    for wrong in ({"names": ["a", "a", "b"]}, {"names": ["a"]}, {"alpha": 0.1}, {"test": "mi"}):
        with pytest.raises(InvalidParameterError):
            discover(oracle, **wrong)
    result = discover(oracle, names=[1, 2, 3])
    assert result.names == ("1", "2", "3")
    with pytest.raises(InvalidParameterError):
        result.explain(0, 1.7)
