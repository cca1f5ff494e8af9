"""Gaussian networks against dense linear algebra, large samples, and the model with standard noise."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hccd.datasets import GaussianNetwork, LinearGaussian, load_network, random_dag, random_network
from hccd.errors import FileFormatError, InvalidGraphError, InvalidParameterError


def random_gaussian(seed, n=8):
    rng = np.random.default_rng(seed)
    model = LinearGaussian.random(random_dag(n, min(3.0, n - 1), rng).dag, rng, low=-1.5, high=1.5).shuffled(rng)
    names = tuple(f"g{i}" for i in range(n))
    return GaussianNetwork(names, model.dag, model.weights, rng.normal(size=n) * 5, rng.uniform(0.05, 9, n))


def population(network):
    """Mean and covariance by inverting the system of equations."""
    weights = np.zeros(network.dag.shape)
    weights[network.dag] = network.weights
    inverse = np.linalg.inv(np.eye(len(network.names)) - weights)
    return network.intercepts @ inverse, inverse.T @ np.diag(network.variances) @ inverse


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 20))
def test_moments_are_those_of_the_equations(seed, n):
    network = random_gaussian(seed, n)
    mean, covariance = population(network)
    np.testing.assert_allclose(network.mean(), mean, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(network.covariance(), covariance, rtol=1e-9, atol=1e-9)
    scale = np.sqrt(np.diag(covariance))
    np.testing.assert_allclose(network.correlation(), covariance / np.outer(scale, scale), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_samples_approach_the_population(seed):
    network = random_gaussian(seed, 10)
    rows = 100_000
    values = network.sample(rows, seed)
    mean, covariance = population(network)
    variances = np.diag(covariance)
    # The variance of a sample covariance of Gaussians is (s_ii s_jj + s_ij^2) / N.
    error = np.sqrt((np.outer(variances, variances) + covariance**2) / rows)
    assert (np.abs(np.cov(values, rowvar=False) - covariance) / error).max() < 5
    assert (np.abs(values.mean(axis=0) - mean) / np.sqrt(variances / rows)).max() < 5


def test_standard_noise_is_the_plain_model_to_the_bit():
    model = LinearGaussian.random(random_dag(30, 3, 1).dag, 2)
    network = GaussianNetwork.standard(model)
    assert network.names[0] == "X1" and network.names[-1] == "X30"
    assert np.array_equal(network.sample(40, 7), model.sample(40, 7))
    assert np.array_equal(network.covariance(), model.covariance())


def test_random_networks_can_be_drawn_again():
    first, second = random_network(60, 3, seed=4), random_network(60, 3, seed=4)
    assert np.array_equal(first.network.dag, second.network.dag)
    assert np.array_equal(first.network.weights, second.network.weights)
    assert not np.array_equal(first.network.dag, random_network(60, 3, seed=5).network.dag)
    # The columns do not betray the causal order, and the weights are those of the paper.
    assert np.tril(first.network.dag).any() and np.triu(first.network.dag).any()
    assert first.network.weights.min() >= 0.1 and first.network.weights.max() <= 1
    assert random_network(1000, 3, seed=0).added_edges > 0
    # The network comes from a stream of its own, so that a sample with the same seed does not repeat its numbers.
    rng = np.random.default_rng(4)
    same_stream = LinearGaussian.random(random_dag(60, 3, rng).dag, rng).shuffled(rng)
    assert not np.array_equal(same_stream.dag, first.network.dag)


def test_values_are_frozen_and_travel():
    network = random_gaussian(3)
    copy = pickle.loads(pickle.dumps(network))
    assert np.array_equal(copy.sample(9, 1), network.sample(9, 1))
    for field in ("dag", "weights", "intercepts", "variances"):
        assert not getattr(copy, field).flags.writeable
    assert repr(random_gaussian(0, 1)) == "GaussianNetwork(1 variable, 0 edges)"
    assert network.cpdag().n == 8


ONE = np.array([[False, True], [False, False]])
BAD = [
    (dict(names=("a", "a")), InvalidParameterError, "occurs twice"),
    (dict(names=("a",)), InvalidGraphError, "square matrix for 1 names"),
    (dict(weights=np.ones(2)), InvalidParameterError, r"weights has the shape \(2,\): give 1 finite"),
    (dict(intercepts=np.array([0, np.nan])), InvalidParameterError, "intercepts"),
    (dict(variances=np.array([1.0, 0.0])), InvalidParameterError, "a variance is 0.0"),
    (dict(dag=~np.eye(2, dtype=bool), weights=np.ones(2)), InvalidGraphError, "directed cycle"),
]


@pytest.mark.parametrize(("change", "error", "sentence"), BAD)
def test_parts_that_do_not_fit(change, error, sentence):
    good = dict(names=("a", "b"), dag=ONE, weights=np.ones(1), intercepts=np.zeros(2), variances=np.ones(2))
    GaussianNetwork(**good)
    with pytest.raises(error, match=sentence):
        GaussianNetwork(**{**good, **change})


FILE = {
    "nodes": ["b", "a"],
    "arcs": [["a", "b"]],
    "cpds": {
        "a": {"coefficients": {"(Intercept)": [1.0]}, "variance": [4.0], "parents": []},
        "b": {"coefficients": {"(Intercept)": [0.5], "a": [2.0]}, "variance": [0.25], "parents": ["a"]},
    },
}


def test_files_of_json(tmp_path):
    path = tmp_path / "two.json"
    path.write_text(json.dumps(FILE))
    network = load_network(path)
    assert isinstance(network, GaussianNetwork) and network.names == ("b", "a")
    assert network.dag.tolist() == [[False, False], [True, False]]
    assert (network.weights.tolist(), network.intercepts.tolist(), network.variances.tolist()) == (
        [2.0],
        [0.5, 1.0],
        [0.25, 4.0],
    )
    assert network.mean().tolist() == [2.5, 1.0]


def without(key):
    return {name: value for name, value in FILE.items() if name != key}


BAD_FILES = [
    ("{", "line 1: this is not JSON"),
    ("[1]", "'nodes', 'arcs' and 'cpds' are expected"),
    (json.dumps(without("arcs")), "'arcs' is missing"),
    (json.dumps(FILE).replace('["a", "b"]]', '["a", "c"]]'), "'c' is missing"),
    (json.dumps({**FILE, "arcs": []}), "the coefficients of 'b' do not fit the arcs"),
    (json.dumps(FILE).replace("0.25", "-0.25"), "a variance is -0.25"),
    (json.dumps(FILE).replace("[0.25]", "[]"), "two.json' holds no linear Gaussian network"),
    (json.dumps(FILE).replace("[0.25]", '["x"]'), "two.json' holds no linear Gaussian network"),
    (json.dumps(FILE).replace("[0.25]", "0.25"), "two.json' holds no linear Gaussian network"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD_FILES)
def test_damaged_files(tmp_path, text, sentence):
    path = tmp_path / "two.json"
    path.write_text(text)
    with pytest.raises(FileFormatError) as caught:
        load_network(path)
    assert sentence in str(caught.value) and "\n" not in str(caught.value) and "two.json" in str(caught.value)
