"""Our readers against pgmpy's own, number by number; slow to import, so it runs only where pgmpy is installed whole."""

import gzip
from importlib.util import find_spec
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

# The networks alone may be there without what pgmpy needs to be imported.
if find_spec("pgmpy") is None or find_spec("opt_einsum") is None or find_spec("skbase") is None:
    pytest.skip("the package pgmpy is not installed", allow_module_level=True)

from network_cases import random_discrete_network

from hccd.datasets import bif_text, load_network

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

# Its parser takes a second for each of these, and minutes for the largest; there all 24 were compared once by hand.
SMALL = ["asia", "sachs", "alarm", "child"]


def reader_of(text):
    from pgmpy.readwrite import BIFReader

    return BIFReader(string=text)


def assert_same(network, reader):
    assert tuple(reader.variable_names) == network.names
    for variable, name in enumerate(network.names):
        assert tuple(reader.variable_states[name]) == network.states[variable]
        assert [network.names[p] for p in network.parents[variable]] == reader.variable_parents[name]
        np.testing.assert_array_equal(reader.variable_cpds[name].T, network.tables[variable])


@pytest.mark.parametrize("name", SMALL)
def test_discrete_networks(name):
    (folder,) = find_spec("pgmpy").submodule_search_locations
    packed = Path(folder, "utils", "example_models", f"{name}.bif.gz").read_bytes()
    assert_same(load_network(name), reader_of(gzip.decompress(packed).decode()))


@pytest.mark.parametrize("seed", range(3))
def test_it_reads_what_we_write(seed):
    network = random_discrete_network(seed, n=6)
    assert_same(network, reader_of(bif_text(network)))


@pytest.mark.parametrize("name", ["ecoli70", "arth150", "magic-niab", "magic-irri"])
def test_gaussian_networks(name):
    from pgmpy.models import LinearGaussianBayesianNetwork

    network = load_network(name)
    (folder,) = find_spec("pgmpy").submodule_search_locations
    model = LinearGaussianBayesianNetwork.load(str(Path(folder, "utils", "example_models", f"{name}.json")))
    dense = np.zeros(network.dag.shape)
    dense[network.dag] = network.weights
    number = {variable: i for i, variable in enumerate(network.names)}
    assert {(number[a], number[b]) for a, b in model.edges} == set(zip(*np.nonzero(network.dag), strict=True))
    for variable, j in number.items():
        cpd = model.get_cpds(variable)
        assert cpd.beta[0] == network.intercepts[j]
        assert cpd.std**2 == pytest.approx(network.variances[j], rel=1e-12)
        assert [dense[number[parent], j] for parent in cpd.evidence] == list(cpd.beta[1:])
    # Its joint distribution is an independent source for ours.
    mean, covariance = model.to_joint_gaussian()
    order = [number[variable] for variable in nx.topological_sort(model)]
    np.testing.assert_allclose(network.covariance()[np.ix_(order, order)], covariance, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(network.mean()[order], mean, rtol=1e-7, atol=1e-7)
