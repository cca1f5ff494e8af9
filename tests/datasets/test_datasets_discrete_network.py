"""Discrete networks: samples against exact distributions by enumeration, and what is refused."""

import pickle

import networkx as nx
import numpy as np
import pytest
from network_cases import joint_distribution, random_discrete_network
from scipy import stats

import hccd
from hccd.datasets import DiscreteNetwork
from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs import PDAG, dag_to_cpdag

ROWS = 20_000


@pytest.mark.parametrize("seed", range(25))
def test_samples_follow_the_joint_distribution(seed):
    network = random_discrete_network(seed, zeros=seed % 2 == 1)
    joint = joint_distribution(network)
    assert abs(sum(joint.values()) - 1) < 1e-9
    drawn, counts = np.unique(network.sample(ROWS, seed), axis=0, return_counts=True)
    seen = {tuple(row): count for row, count in zip(drawn.tolist(), counts.tolist(), strict=True)}
    assert all(joint[states] > 0 for states in seen)
    # Cells that expect few rows are put together, as the chi-square test needs it.
    common = {states: p for states, p in joint.items() if p * ROWS >= 5}
    rest = 1 - sum(common.values())
    observed = [seen.get(states, 0) for states in common]
    expected = [p * ROWS for p in common.values()]
    if rest * ROWS > 5:
        observed.append(ROWS - sum(observed))
        expected.append(rest * ROWS)
    statistic = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    assert stats.chi2.sf(statistic, max(len(observed) - 1, 1)) > 1e-4


@pytest.mark.parametrize("seed", range(6))
def test_marginals_of_each_variable(seed):
    network = random_discrete_network(seed + 100, n=7, most_states=3)
    sample = network.sample(ROWS, seed)
    joint = joint_distribution(network)
    for variable, states in enumerate(network.states):
        for code in range(len(states)):
            exact = sum(p for at, p in joint.items() if at[variable] == code)
            error = np.sqrt(max(exact * (1 - exact), 0) / ROWS)
            assert abs((sample[:, variable] == code).mean() - exact) < 4.5 * error + 1e-9


def test_what_is_impossible_is_never_drawn(monkeypatch):
    # The last states are impossible, and the first row adds up to less than 1 in binary numbers.
    table = [[0.1] * 10 + [0.0, 0.0], [0.0] * 11 + [1.0]]
    network = DiscreteNetwork(
        ("a", "b"), (("x", "y"), tuple("abcdefghijkl")), ((), (0,)), (np.array([[0.5, 0.5]]), np.array(table))
    )

    class Highest:
        """The largest and the smallest number that a generator can return."""

        def random(self, n):
            return np.resize([np.nextafter(1.0, 0.0), 0.0], n)

    with monkeypatch.context() as patched:
        patched.setattr(np.random, "default_rng", lambda seed: Highest())
        assert network.sample(2).tolist() == [[1, 11], [0, 0]]
        certain = DiscreteNetwork(("a",), (("x", "y", "z"),), ((),), (np.array([[0.0, 1.0, 0.0]]),))
        assert certain.sample(2).tolist() == [[1], [1]]
    drawn = network.sample(50_000, 1)
    assert set(drawn[drawn[:, 0] == 0, 1].tolist()) == set(range(10))
    assert set(drawn[drawn[:, 0] == 1, 1].tolist()) == {11}


def test_rounded_probabilities_are_normalised():
    network = DiscreteNetwork(("a",), (("x", "y", "z"),), ((),), (np.array([[0.33, 0.33, 0.33]]),))
    assert network.tables[0].tolist() == [[0.33, 0.33, 0.33]]
    counts = np.bincount(network.sample(90_000, 0)[:, 0])
    assert stats.chisquare(counts).pvalue > 1e-4


def test_seeds_and_layout():
    network = random_discrete_network(3, n=8)
    first = network.sample(100, 5)
    assert np.array_equal(first, network.sample(100, 5))
    assert np.array_equal(first, network.sample(100, np.random.default_rng(5)))
    assert not np.array_equal(first, network.sample(100, 6))
    assert first.shape == (100, 8) and first.dtype == np.int32 and first.flags.f_contiguous


def test_the_graph():
    network = random_discrete_network(11, n=9)
    arcs = [(p, child) for child, parents in enumerate(network.parents) for p in parents]
    assert arcs and set(zip(*np.nonzero(network.dag), strict=True)) == set(arcs)
    assert nx.is_directed_acyclic_graph(nx.DiGraph(arcs))
    assert network.cpdag() == dag_to_cpdag(PDAG.from_edges(9, arcs))
    assert network.n_parameters == sum(t.shape[0] * (t.shape[1] - 1) for t in network.tables)


def test_labels_are_a_table_that_can_be_learned_from():
    network = random_discrete_network(2, n=4, most_states=3)
    codes = network.sample(500, 0)
    labels = network.labels(codes)
    assert tuple(labels) == network.names
    for variable, name in enumerate(network.names):
        assert labels[name].tolist() == [network.states[variable][code] for code in codes[:, variable]]
    rain = DiscreteNetwork(
        ("rain", "wet"), (("no", "yes"),) * 2, ((), (0,)), (np.array([[0.5, 0.5]]), np.array([[0.9, 0.1], [0.1, 0.9]]))
    )
    result = hccd.discover(rain.labels(rain.sample(300, 1)))
    assert result.edges() == [("rain", "wet", "undirected")]
    with pytest.raises(InvalidParameterError, match="give a matrix with 2 columns"):
        rain.labels(codes)


def test_values_are_frozen_and_travel():
    table = np.array([[0.25, 0.75]])
    network = DiscreteNetwork(("a",), (("x", "y"),), ((),), (table,))
    table[:] = 0.5
    assert network.tables[0].tolist() == [[0.25, 0.75]]
    copy = pickle.loads(pickle.dumps(network))
    assert np.array_equal(copy.sample(50, 1), network.sample(50, 1))
    for value in (network, copy):
        assert not value.dag.flags.writeable and not value.tables[0].flags.writeable
    assert repr(network) == "DiscreteNetwork(1 variable, 0 edges, 1 parameter)"


HALF = [[0.5, 0.5]]
BAD = [
    (dict(names=("a", "a")), InvalidParameterError, "'a' occurs twice"),
    (dict(names=("a", "")), InvalidParameterError, "not empty"),
    (dict(names=("a",)), InvalidParameterError, "1 names but 2 states"),
    (dict(states=(("x", "x"), ("x", "y"))), InvalidParameterError, "the states of 'a' must differ"),
    (dict(states=((), ("x", "y"))), InvalidParameterError, "'a' has no states"),
    (dict(parents=((), (1,))), InvalidGraphError, "parents of 'b'"),
    (dict(parents=((), (5,))), InvalidGraphError, "parents of 'b'"),
    (dict(parents=((), (-1,))), InvalidGraphError, "parents of 'b'"),
    (dict(parents=((), (0, 0))), InvalidGraphError, "parents of 'b'"),
    (dict(parents=((1,), (0,)), tables=(HALF * 2, HALF * 2)), InvalidGraphError, "directed cycle"),
    (dict(tables=(HALF, HALF)), InvalidParameterError, r"shape \(1, 2\): give 2 rows"),
    (dict(tables=(HALF, [[0.5, 0.5], [0.5, 0.4]])), InvalidParameterError, "row 1 of the table of 'b'"),
    (dict(tables=(HALF, [[1.5, -0.5], [0.5, 0.5]])), InvalidParameterError, "row 0 of the table of 'b'"),
    (dict(tables=(HALF, [[np.nan, 0.5], [0.5, 0.5]])), InvalidParameterError, "row 0 of the table of 'b'"),
]


@pytest.mark.parametrize(("change", "error", "sentence"), BAD)
def test_parts_that_do_not_fit(change, error, sentence):
    good = dict(names=("a", "b"), states=(("x", "y"),) * 2, parents=((), (0,)), tables=(HALF, HALF * 2))
    DiscreteNetwork(**good)
    with pytest.raises(error, match=sentence) as caught:
        DiscreteNetwork(**{**good, **change})
    assert "\n" not in str(caught.value)


def test_too_few_rows():
    with pytest.raises(InvalidParameterError, match="0 rows are requested"):
        random_discrete_network(0).sample(0)
