"""Random DAGs and linear Gaussian models against networkx, dense linear algebra and large samples."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from hccd.datasets import LinearGaussian, RandomDAG, random_dag
from hccd.errors import InvalidGraphError, InvalidParameterError


def dense_weights(model):
    weights = np.zeros(model.dag.shape)
    weights[model.dag] = model.weights
    return weights


@settings(max_examples=60, deadline=None)
@given(n=st.integers(2, 40), density=st.floats(0, 1), seed=st.integers(0, 2**32), tries=st.integers(1, 5))
def test_dags_are_upper_triangular_and_connected(n, density, seed, tries):
    drawn = random_dag(n, density * (n - 1), seed, tries=tries)
    assert not np.tril(drawn.dag).any()
    assert nx.is_weakly_connected(nx.from_numpy_array(drawn.dag, create_using=nx.DiGraph))


@settings(max_examples=40, deadline=None)
@given(n=st.integers(2, 30), seed=st.integers(0, 2**32))
def test_added_edges_are_the_missing_links(n, seed):
    free = random_dag(n, min(1.0, n - 1), seed, connected=False)
    graph = nx.from_numpy_array(free.dag, create_using=nx.DiGraph)
    components = nx.number_weakly_connected_components(graph)
    joined = random_dag(n, min(1.0, n - 1), seed, tries=1)
    assert joined.added_edges == components - 1
    assert joined.dag.sum() == free.dag.sum() + components - 1
    assert joined.dag[free.dag].all()


def test_without_edges_a_random_tree_is_added():
    drawn = random_dag(50, 0, 3)
    assert drawn.added_edges == drawn.dag.sum() == 49
    assert random_dag(50, 0, 3, connected=False).dag.sum() == 0


def test_every_cell_of_the_upper_triangle_is_equally_likely():
    n, draws = 7, 4000
    rng = np.random.default_rng(5)
    total = np.zeros((n, n))
    for _ in range(draws):
        total += random_dag(n, 2.0, rng, connected=False).dag
    frequency = total[np.triu_indices(n, 1)] / draws
    z = (frequency - 2 / 6) / np.sqrt(2 / 6 * 4 / 6 / draws)
    assert np.abs(z).max() < 4.5
    assert stats.chi2.sf((z**2).sum(), z.size) > 1e-4


def test_full_connectivity_gives_the_complete_dag():
    assert np.array_equal(random_dag(60, 59, 0).dag, np.triu(np.ones((60, 60), bool), 1))


def test_cells_far_out_are_reached():
    drawn = random_dag(5000, 3, 0, connected=False)
    tails, heads = np.nonzero(drawn.dag)
    assert (tails < heads).all()
    assert abs(drawn.dag.sum() - 7500) < 5 * np.sqrt(7500)
    assert heads.max() > 4950 and tails.min() < 50


def test_the_same_seed_gives_the_same_bits():
    first, second = random_dag(100, 3, 11), random_dag(100, 3, 11)
    assert np.array_equal(first.dag, second.dag)
    model = LinearGaussian.random(first.dag, 4)
    assert np.array_equal(model.weights, LinearGaussian.random(first.dag, 4).weights)
    assert np.array_equal(model.sample(50, 9), model.sample(50, 9))
    assert not np.array_equal(model.sample(50, 9), model.sample(50, 10))
    rng = np.random.default_rng(11)
    assert np.array_equal(random_dag(100, 3, rng).dag, first.dag)


def test_one_variable():
    drawn = random_dag(1, 0, 0)
    assert isinstance(drawn, RandomDAG) and drawn.dag.shape == (1, 1) and drawn.added_edges == 0
    model = LinearGaussian.random(drawn.dag, 0)
    assert model.covariance().tolist() == [[1.0]]
    assert model.sample(5, 0).shape == (5, 1)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 25), seed=st.integers(0, 2**32))
def test_covariance_is_the_inverse_formula(n, seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(n, min(4.0, n - 1), rng).dag
    model = LinearGaussian.random(dag, rng, low=-1, high=1).shuffled(rng)
    inverse = np.linalg.inv(np.eye(n) - dense_weights(model))
    expected = inverse.T @ inverse
    np.testing.assert_allclose(model.covariance(), expected, rtol=1e-9, atol=1e-9)
    assert np.array_equal(model.covariance(), model.covariance().T)
    scale = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(model.correlation(), expected / np.outer(scale, scale), rtol=1e-9, atol=1e-9)
    assert (np.diag(model.correlation()) == 1).all()


def test_sample_covariance_approaches_the_population():
    model = LinearGaussian.random(random_dag(15, 3, 1).dag, 2).shuffled(3)
    rows = 200_000
    values = model.sample(rows, 4)
    expected = model.covariance()
    # The variance of a sample covariance of Gaussians is (s_ii s_jj + s_ij^2) / N.
    variances = np.diag(expected)
    error = np.sqrt((np.outer(variances, variances) + expected**2) / rows)
    assert (np.abs(np.cov(values, rowvar=False) - expected) / error).max() < 5
    assert (np.abs(values.mean(axis=0)) / np.sqrt(variances / rows)).max() < 5


def test_residuals_on_the_parents_are_independent_standard_noise():
    model = LinearGaussian.random(random_dag(12, 3, 6).dag, 7).shuffled(8)
    values = model.sample(50_000, 9)
    noise = values - values @ dense_weights(model)
    assert np.abs(np.cov(noise, rowvar=False) - np.eye(12)).max() < 0.03
    assert min(stats.kstest(column, "norm").pvalue for column in noise.T) > 1e-4


def test_weights_stay_in_their_interval():
    model = LinearGaussian.random(random_dag(80, 5, 0).dag, 1)
    assert 0.1 <= model.weights.min() < 0.15 and 0.95 < model.weights.max() <= 1.0


def test_shuffled_is_the_same_model_under_other_names():
    model = LinearGaussian.random(random_dag(30, 3, 0).dag, 1)
    other = model.shuffled(2)
    assert np.tril(other.dag).any()
    assert sorted(model.weights) == sorted(other.weights)
    before = np.sort(np.linalg.eigvalsh(model.covariance()))
    np.testing.assert_allclose(np.sort(np.linalg.eigvalsh(other.covariance())), before)
    graphs = (nx.from_numpy_array(m.dag, create_using=nx.DiGraph) for m in (model, other))
    assert nx.is_isomorphic(*graphs)


def test_a_large_model_is_affordable():
    drawn = random_dag(2000, 3, 0, tries=2)
    values = LinearGaussian.random(drawn.dag, 1).sample(100, 2)
    assert values.shape == (100, 2000) and values.dtype == np.float64 and np.isfinite(values).all()


def test_values_are_read_only_and_arguments_untouched():
    drawn = random_dag(10, 2, 0)
    dag = np.array(drawn.dag)
    weights = np.ones(int(dag.sum()))
    model = LinearGaussian(dag, weights)
    dag[:] = False
    weights[:] = 0
    assert model.weights.all() and np.array_equal(model.dag, drawn.dag)
    for array in (drawn.dag, model.dag, model.weights):
        assert not array.flags.writeable


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((0, 0), "a DAG of 0 variables is requested: give 1 or more"),
        ((5, 4.5), "connectivity is 4.5, the expected number of neighbours: give 0 to 4 for 5 variables"),
        ((5, -1), "connectivity is -1, "),
        ((5, float("nan")), "connectivity is nan, "),
    ],
)
def test_parameters_out_of_range(arguments, sentence):
    with pytest.raises(InvalidParameterError) as caught:
        random_dag(*arguments, seed=0)
    assert str(caught.value).startswith(sentence)


def test_other_refusals():
    dag = np.triu(np.ones((3, 3), bool), 1)
    with pytest.raises(InvalidParameterError, match="tries is 0: give 1 or more"):
        random_dag(3, 1, 0, tries=0)
    with pytest.raises(InvalidParameterError, match="0 samples are requested"):
        LinearGaussian.random(dag, 0).sample(0)
    with pytest.raises(InvalidParameterError, match="one number for each of the 3 edges"):
        LinearGaussian(dag, np.ones(2))
    with pytest.raises(InvalidGraphError, match="square"):
        LinearGaussian(dag[:2], np.ones(3))
    cycle = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], bool)
    with pytest.raises(InvalidGraphError, match="directed cycle"):
        LinearGaussian(cycle, np.ones(3)).sample(5, 0)
    with pytest.raises(InvalidGraphError, match="directed cycle"):
        LinearGaussian(cycle, np.ones(3)).covariance()
