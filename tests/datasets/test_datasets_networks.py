"""Networks by name: their published sizes, their distributions, and that nothing is imported to get them."""

import gzip
import json
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from network_cases import needs_pgmpy, shared_data

from hccd.datasets import DiscreteNetwork, GaussianNetwork, alarm_edges, load_network, network_names, networks
from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG

# Nodes and arcs (and parameters) as the repository of bnlearn states them.
PUBLISHED = {
    "asia": (8, 8, 18),
    "cancer": (5, 4, 10),
    "earthquake": (5, 4, 10),
    "sachs": (11, 17, 178),
    "survey": (6, 6, 21),
    "alarm": (37, 46, 509),
    "barley": (48, 84, 114005),
    "child": (20, 25, 230),
    "insurance": (27, 52, 1008),
    "mildew": (35, 46, 540150),
    "water": (32, 66, 10083),
    "hailfinder": (56, 66, 2656),
    "hepar2": (70, 123, 1453),
    "win95pts": (76, 112, 574),
    "andes": (223, 338, 1157),
    "diabetes": (413, 602, 429409),
    "link": (724, 1125, 14211),
    "munin1": (186, 273, 15622),
    "munin": (1041, 1397, 80592),
    "munin2": (1003, 1244, 69431),
    "munin3": (1041, 1306, 71059),
    "munin4": (1038, 1388, 80352),
    "pathfinder": (109, 195, 72079),
    "pigs": (441, 592, 5618),
    "ecoli70": (46, 70, None),
    "magic-niab": (44, 66, None),
    "magic-irri": (64, 102, None),
    "arth150": (107, 150, None),
}


def test_the_names():
    assert len(network_names()) == len(set(network_names())) == 28
    assert set(network_names()) == set(PUBLISHED)


@needs_pgmpy
def test_the_names_are_all_that_the_package_holds():
    (folder,) = find_spec("pgmpy").submodule_search_locations
    files = {path.name for path in Path(folder, "utils", "example_models").iterdir()}
    held = {name.removesuffix(".bif.gz").removesuffix(".json") for name in files if not name.endswith(".txt")}
    assert held == set(network_names())


@needs_pgmpy
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_sizes_and_plain_sampling(name):
    network = load_network(name)
    nodes, arcs, parameters = PUBLISHED[name]
    assert (len(network.names), int(network.dag.sum())) == (nodes, arcs)
    assert isinstance(network, DiscreteNetwork if parameters else GaussianNetwork)
    assert nx.is_directed_acyclic_graph(nx.from_numpy_array(network.dag, create_using=nx.DiGraph))
    sample = network.sample(50, 1)
    assert sample.shape == (50, nodes) and np.array_equal(sample, network.sample(50, 1))
    if parameters:
        assert network.n_parameters == parameters
        assert (sample >= 0).all() and (sample.max(axis=0) < [len(states) for states in network.states]).all()


@needs_pgmpy
@pytest.mark.parametrize("name", ["asia", "cancer", "earthquake", "sachs", "survey"])
def test_small_networks_have_their_exact_marginals(name):
    """Marginals by summing out the variables one after the other, against a sample."""
    network = load_network(name)
    n, rows = len(network.names), 40_000
    letters = [chr(97 + i) for i in range(n)]
    factors = [
        table.reshape([len(network.states[p]) for p in parents] + [-1])
        for table, parents in zip(network.tables, network.parents, strict=True)
    ]
    indices = ["".join(letters[p] for p in parents) + letters[v] for v, parents in enumerate(network.parents)]
    sample = network.sample(rows, 3)
    for variable in range(n):
        exact = np.einsum(",".join(indices) + "->" + letters[variable], *factors, optimize=True)
        frequency = np.bincount(sample[:, variable], minlength=exact.size) / rows
        assert (np.abs(frequency - exact) <= 4.5 * np.sqrt(exact * (1 - exact) / rows) + 1e-6).all()


@needs_pgmpy
def test_alarm_is_the_network_of_the_embedded_sample():
    network = load_network("alarm")
    arcs = {(network.names[i], network.names[j]) for i, j in zip(*np.nonzero(network.dag), strict=True)}
    assert arcs == set(alarm_edges())
    assert network.names[:3] == ("HISTORY", "CVP", "PCWP")
    assert network.states[1] == ("LOW", "NORMAL", "HIGH")


@needs_pgmpy
def test_large_networks_are_quick():
    start = time.process_time()
    network = load_network("munin1")
    network.sample(5000, 1)
    # A tenth of a second where it was measured.
    assert time.process_time() - start < 2


@needs_pgmpy
def test_counts_and_classes_agree_with_another_program(monkeypatch):
    folder = shared_data("networks", "cpdags.json.gz")
    expected = json.loads(gzip.decompress((folder / "cpdags.json.gz").read_bytes()))
    counts = json.loads((folder / "network_stats.json").read_text())
    assert len(expected) == len(counts) == 24
    for name, graphs in expected.items():
        network = load_network(name)
        assert list(network.names) == graphs["nodes"]
        number = {variable: i for i, variable in enumerate(network.names)}
        pairs = {key: [(number[a], number[b]) for a, b in graphs[key]] for key in graphs if key != "nodes"}
        assert PDAG.from_edges(len(number), pairs["dag"]) == PDAG(network.dag.astype(np.int8))
        learned = PDAG.from_edges(len(number), pairs["cpdag_directed"], pairs["cpdag_undirected"])
        assert network.cpdag() == learned, name
        stated = counts[name]
        assert (stated["nodes"], stated["arcs"], stated["params"]) == PUBLISHED[name]
        assert stated["max_indeg"] == max(map(len, network.parents))
        assert stated["max_card"] == max(map(len, network.states))
        assert stated["cpt_rows"] == sum(len(table) for table in network.tables)
        assert stated["max_cpt"] == max(table.size for table in network.tables)


ASIA = """network unknown {}
variable smoke { type discrete [ 2 ] { yes, no }; }
variable cough { type discrete [ 2 ] { yes, no }; }
probability ( smoke ) { table 0.5, 0.5; }
probability ( cough | smoke ) { (yes) 0.6, 0.4; (no) 0.3, 0.7; }
"""


@pytest.fixture
def fake_package(tmp_path):
    """A package of the same name that cannot be imported."""
    models = tmp_path / "site" / "pgmpy" / "utils" / "example_models"
    models.mkdir(parents=True)
    (tmp_path / "site" / "pgmpy" / "__init__.py").write_text("raise SystemExit('pgmpy was imported')\n")
    (models / "asia.bif.gz").write_bytes(gzip.compress(ASIA.encode()))
    return tmp_path / "site"


def in_a_process(program, *paths):
    environment = {"PYTHONPATH": ":".join(map(str, [*paths, *sys.path]))}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)


def test_files_are_found_without_importing_the_package(fake_package):
    program = (
        "import sys; from hccd.datasets import load_network\n"
        "print(load_network('Asia').names, 'pgmpy' in sys.modules, 'pandas' in sys.modules)\n"
    )
    ran = in_a_process(program, fake_package)
    assert (ran.stdout, ran.stderr) == ("('smoke', 'cough') False False\n", "")


def test_a_version_that_lacks_a_network(fake_package, monkeypatch):
    monkeypatch.syspath_prepend(str(fake_package))
    monkeypatch.delitem(sys.modules, "pgmpy", raising=False)
    with pytest.raises(InvalidParameterError) as caught:
        load_network("alarm")
    assert str(caught.value) == (
        "the network 'alarm' comes with the package pgmpy, which does not hold it in the version that is installed: "
        "pip install 'hccd[experiments]', or give the path of a BIF file"
    )


def test_without_the_package(monkeypatch):
    monkeypatch.setattr(networks, "find_spec", lambda name: None)
    for name in ("alarm", "ecoli70"):
        with pytest.raises(InvalidParameterError) as caught:
            load_network(name)
        assert str(caught.value) == (
            f"the network '{name}' comes with the package pgmpy, which is not installed: "
            "pip install 'hccd[experiments]', or give the path of a BIF file"
        )


def test_a_file_of_the_same_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "alarm").write_text(ASIA)
    for path in (Path("alarm"), "./alarm"):
        assert load_network(path).names == ("smoke", "cough")


def test_unknown_names():
    with pytest.raises(InvalidParameterError, match="there is no network and no file 'alram': did you mean 'alarm'"):
        load_network("alram")
    with pytest.raises(InvalidParameterError, match="choose one of alarm, andes, "):
        load_network("zzzzz\n")
