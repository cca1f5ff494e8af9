"""What ``fit`` takes, leaves alone, sets, and refuses."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from hccd import HCCD, PDAG, ClusterTree, HCCDResult, Skeleton
from hccd.discovery import discover
from hccd.errors import DataWarning, HCCDError, InvalidDataError, InvalidParameterError, NotEnoughDataError

NAMES = ["rain", "sprinkler", "wet", "slippery", "noise"]
# rain -> wet <- sprinkler, wet -> slippery: every arrow is compelled, so the graph is known whole.
TRUTH = [("rain", "wet", "directed"), ("sprinkler", "wet", "directed"), ("wet", "slippery", "directed")]


def garden(rows=600, seed=0):
    rng = np.random.default_rng(seed)
    rain, sprinkler, wet, slippery, noise = rng.normal(size=(5, rows))
    wet += rain + sprinkler
    slippery += 2 * wet
    return np.column_stack([rain, sprinkler, wet, slippery, noise])


def weather(rows=3000, seed=0):
    """The same graph in words."""
    rng = np.random.default_rng(seed)
    rain, sprinkler, noise = rng.random((3, rows)) < 0.5
    wet = np.where(rng.random(rows) < 0.1, rng.random(rows) < 0.5, rain | sprinkler)
    slippery = np.where(rng.random(rows) < 0.2, rng.random(rows) < 0.5, wet)
    words = [("dry", "rain"), ("off", "on"), ("dry", "damp"), ("safe", "slippery"), ("heads", "tails")]
    columns = (rain, sprinkler, wet, slippery, noise)
    return {name: np.array(pair)[values.astype(int)] for name, pair, values in zip(NAMES, words, columns, strict=True)}


CONTAINERS = {
    "pandas": lambda columns: pd.DataFrame(columns),
    "pandas with an index": lambda columns: pd.DataFrame(columns).sample(frac=1, random_state=0).sort_index(),
    "polars": lambda columns: pl.DataFrame(columns),
    "lazy polars": lambda columns: pl.LazyFrame(columns),
    "pyarrow": lambda columns: pa.table(columns),
    "dictionary": dict,
    "structured array": lambda columns: np.rec.fromarrays(list(columns.values()), names=list(columns)),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_gives_the_same_graph_with_its_names(container):
    X = garden()
    learned = HCCD().fit(CONTAINERS[container](dict(zip(NAMES, X.T.copy(), strict=True))))
    assert learned.result_.edges() == TRUTH
    assert learned.result_.names == tuple(NAMES)
    assert learned.feature_names_in_.dtype == object
    assert learned.feature_names_in_.tolist() == NAMES
    plain = HCCD().fit(X)
    assert np.array_equal(learned.graph_.marks, plain.graph_.marks)
    assert learned.n_ci_tests_ == plain.n_ci_tests_
    assert dict(learned.separating_sets_) == dict(plain.separating_sets_)


@pytest.mark.parametrize("rows", [np.asarray, np.asfortranarray, np.ndarray.tolist], ids=["C", "Fortran", "list"])
def test_data_without_names_get_numbers(rows):
    learned = HCCD().fit(rows(garden()))
    assert learned.result_.names == ("X1", "X2", "X3", "X4", "X5")
    assert not hasattr(learned, "feature_names_in_")
    assert learned.n_features_in_ == 5


@pytest.mark.parametrize("names", [range(5), ["rain", 1, 2, 3, 4]], ids=["numbers", "numbers and text"])
def test_only_names_of_text_are_recorded(names):
    learned = HCCD().fit(pd.DataFrame(garden(), columns=list(names)))
    assert not hasattr(learned, "feature_names_in_")
    assert learned.result_.names == tuple(map(str, names))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame,
        lambda words: pd.DataFrame(words).astype("category"),
        lambda words: pl.DataFrame({name: values.tolist() for name, values in words.items()}),
        lambda words: pa.table({name: values.tolist() for name, values in words.items()}),
        lambda words: np.column_stack(list(words.values())).astype(object),
    ],
    ids=["pandas", "categories", "polars", "pyarrow", "array of objects"],
)
def test_discrete_columns_may_hold_text(frame):
    learned = HCCD().fit(frame(weather()))
    found = [(NAMES[i], NAMES[j]) for i, j in learned.graph_.directed_edges()]
    assert sorted(found) == [(source, target) for source, target, _ in TRUTH]
    assert len(learned.graph_.undirected_edges()) == 0


def test_the_attributes_are_those_of_the_result():
    X = garden()
    learned = HCCD(tree=[["X1", "X2"], ["X3", "X4", "X5"]]).fit(X)
    assert isinstance(learned.result_, HCCDResult)
    assert isinstance(learned.graph_, PDAG)
    assert learned.graph_ is learned.result_.graph
    assert isinstance(learned.skeleton_, Skeleton)
    assert learned.skeleton_.edges.tolist() == [[0, 2], [1, 2], [2, 3]]
    assert learned.cluster_tree_ == learned.result_.tree
    assert learned.separating_sets_.between(0, 1) == ()
    assert learned.separating_sets_.between(3, 0) == (2,)
    assert learned.separating_sets_.between(0, 2) is None
    assert type(learned.n_ci_tests_) is int
    assert learned.n_ci_tests_ == learned.result_.tests.total >= 10
    expected = discover(X, tree=[["X1", "X2"], ["X3", "X4", "X5"]])
    assert learned.result_.edges() == expected.edges()
    assert learned.result_.parameters == expected.parameters


@pytest.mark.parametrize(
    "tree", [[["rain", "sprinkler"], ["wet", "slippery", "noise"]], ClusterTree.flat([0, 0, 1, 1, 1])]
)
def test_a_given_tree_is_used(tree):
    learned = HCCD(tree=tree).fit(pd.DataFrame(garden(), columns=NAMES))
    assert learned.labels_.tolist() == [0, 0, 1, 1, 1]
    assert learned.cluster_tree_ == ClusterTree.flat([0, 0, 1, 1, 1])
    assert learned.result_.edges() == TRUTH


def test_labels_number_the_leaves_of_a_grown_tree():
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1], 10)
    X = rng.normal(size=(500, 2))[:, groups] + rng.normal(size=(500, 20))
    shuffled = rng.permutation(20)
    labels = HCCD().fit(X[:, shuffled]).labels_
    assert labels.shape == (20,)
    assert len(set(zip(labels.tolist(), groups[shuffled].tolist(), strict=True))) == len(set(labels.tolist())) >= 2


def test_the_preset_of_the_paper():
    learned = HCCD(preset="paper").fit(garden())
    assert np.array_equal(learned.graph_.marks, HCCD().fit(garden()).graph_.marks)
    assert learned.result_.parameters["preset"] == "paper"
    words = HCCD(preset="paper").fit(weather())
    assert words.result_.parameters["test"] != HCCD().fit(weather()).result_.parameters["test"]


def test_the_four_clusters_of_the_paper_are_of_equal_size():
    """Seventeen columns of one cause and three of another: the eigenvector alone would cut three off."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 2))[:, [0] * 17 + [1] * 3] + rng.normal(size=(500, 20))
    assert np.bincount(HCCD(preset="paper").fit(X).labels_).tolist() == [5, 5, 5, 5]


def test_before_fit_nothing_is_learned_and_after_it_nothing_predicts():
    estimator = HCCD()
    with pytest.raises(NotFittedError):
        check_is_fitted(estimator)
    for attribute in ("result_", "graph_", "labels_", "n_features_in_"):
        assert not hasattr(estimator, attribute)
    check_is_fitted(estimator.fit(garden()))
    for method in ("predict", "transform", "fit_predict", "fit_transform", "score", "partial_fit"):
        assert not hasattr(estimator, method)


def test_fit_returns_the_estimator_and_ignores_y():
    estimator = HCCD()
    assert estimator.fit(garden(), np.full(3, np.nan)) is estimator
    assert estimator.result_.edges() == HCCD().fit(garden()).result_.edges()


def test_a_second_fit_replaces_the_first():
    estimator = HCCD().fit(pd.DataFrame(garden(), columns=NAMES))
    other = np.random.default_rng(1).normal(size=(100, 3))
    estimator.fit(other)
    fresh = HCCD().fit(other)
    assert set(vars(estimator)) == set(vars(fresh))
    assert estimator.n_features_in_ == 3
    assert estimator.labels_.shape == (3,)
    assert estimator.result_.names == fresh.result_.names
    assert dict(estimator.separating_sets_) == dict(fresh.separating_sets_)


@pytest.mark.parametrize("change", [{"alpha": 3.0}, {"random_state": "luck"}, {"tree": [["X1", "X2"], ["X4"]]}])
def test_a_fit_that_fails_leaves_the_first_whole(change):
    estimator = HCCD().fit(pd.DataFrame(garden(), columns=NAMES))
    learned = {name: value for name, value in vars(estimator).items() if name.endswith("_")}
    with pytest.raises(InvalidParameterError):
        estimator.set_params(**change).fit(garden()[:, :3])
    with pytest.raises(NotEnoughDataError):
        estimator.set_params(**HCCD().get_params()).fit(garden()[:5])
    assert all(getattr(estimator, name) is value for name, value in learned.items())


def test_fit_changes_neither_the_data_nor_needs_to():
    X = garden()
    before = X.copy()
    X.flags.writeable = False
    assert HCCD().fit(X).result_.edges()
    assert np.array_equal(X, before)
    frame = pd.DataFrame(weather())
    untouched = frame.copy(deep=True)
    HCCD().fit(frame)
    pd.testing.assert_frame_equal(frame, untouched)


def test_pickling_keeps_everything():
    learned = HCCD(alpha=0.02).fit(pd.DataFrame(garden(), columns=NAMES))
    again = pickle.loads(pickle.dumps(learned))
    assert again.get_params() == learned.get_params()
    assert again.result_.to_dict() == learned.result_.to_dict()
    assert again.feature_names_in_.tolist() == NAMES
    assert again.result_.explain("rain", "slippery") == learned.result_.explain("rain", "slippery")
    assert np.array_equal(again.labels_, learned.labels_)
    assert again.cluster_tree_ == learned.cluster_tree_


def test_workers_change_nothing():
    X = np.random.default_rng(0).normal(size=(200, 30)).cumsum(axis=1)
    one, two = HCCD(n_jobs=1).fit(X), HCCD(n_jobs=2).fit(X)
    assert np.array_equal(one.graph_.marks, two.graph_.marks)
    assert one.result_.tests == two.result_.tests


def test_the_last_step_of_a_pipeline():
    X = pd.DataFrame(garden(), columns=NAMES)
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), HCCD()).fit(X)
    assert pipeline[-1].result_.edges() == TRUTH
    assert pipeline[-1].feature_names_in_.tolist() == NAMES


def test_a_constant_column_is_warned_of_by_name():
    frame = pd.DataFrame(garden(), columns=NAMES).assign(still=1.0)
    with pytest.warns(DataWarning, match="column 'still' has the same value in every row"):
        learned = HCCD().fit(frame)
    assert learned.result_.edges() == TRUTH
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        HCCD().fit(frame.drop(columns="still"))


def with_cell(value):
    X = garden(30)
    X[0, 0] = value
    return X


@pytest.mark.parametrize(
    ("X", "error", "words"),
    [
        (garden()[:, :1], NotEnoughDataError, ["1 column", "1 feature(s)"]),
        (garden()[:, :0], NotEnoughDataError, ["0 columns", "0 feature(s) (shape=(600, 0))"]),
        (garden()[:1], NotEnoughDataError, ["1 row", "1 sample(s)"]),
        (garden()[:9], NotEnoughDataError, ["9 rows", "at least 10", "9 sample(s)"]),
        (garden()[:, 0], InvalidDataError, ["1 dimension", "Reshape your data"]),
        (garden()[None], InvalidDataError, ["3 dimensions"]),
        (garden() + 1j, InvalidDataError, ["complex numbers", "Complex data not supported"]),
        (with_cell(np.inf), InvalidDataError, ["1 infinite value in 'X1'", "Input X contains infinity"]),
        (scipy.sparse.csr_array(garden(30)), InvalidDataError, ["sparse matrix", "Sparse data was passed"]),
        (scipy.sparse.dok_matrix(garden(30)), InvalidDataError, ["sparse matrix"]),
        (pd.DataFrame({"a": [1.5] * 20}), NotEnoughDataError, ["1 column"]),
        ("rain.csv", InvalidDataError, ["read_table"]),
    ],
)
def test_refusals_name_the_fault_in_both_languages(X, error, words):
    with pytest.raises(error) as caught:
        HCCD().fit(X)
    assert isinstance(caught.value, HCCDError)
    message = str(caught.value)
    assert all(word in message for word in words), message
    assert "\n" not in message
    assert len(message) < 400


def test_names_need_no_second_language():
    for X in (pd.DataFrame(with_cell(np.inf), columns=NAMES), dict(zip(NAMES, with_cell(np.inf).T, strict=True)), 3):
        with pytest.raises(InvalidDataError) as caught:
            HCCD().fit(X)
        assert "scikit-learn" not in str(caught.value)


def test_text_and_measurements_together_are_learned():
    frame = pd.DataFrame(garden(), columns=NAMES).assign(colour=["red", "blue"] * 300)
    assert HCCD().fit(frame).result_.parameters["test"] == {"name": "dg", "alpha": 0.01}
