"""NeuroPain: exact probabilities on a small network of its kind, and the published sample where it is at hand."""

import csv
import gzip
import json
from itertools import product

import numpy as np
import pytest
from network_cases import shared_data

from hccd.datasets import load_neuropain
from hccd.errors import FileFormatError, InvalidParameterError
from hccd.graphs import PDAG

NODES = [
    {"id": 0, "name": "a", "english": "A", "parents": [], "p": 0.3},
    {"id": 1, "name": "b", "english": "B", "parents": [], "p": 0.1},
    {"id": 3, "name": "d", "english": "D", "parents": [0, 2], "e": [0.2, 1.0]},
    {"id": 2, "name": "c", "english": "C", "parents": [0, 1], "e": [0.5, 0.8]},
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "neuropain_params.json").write_text(json.dumps({"nodes": NODES}))
    return tmp_path


def exact_distribution():
    """Every combination but the one without findings, by the definition."""
    parts = {}
    for a, b, c, d in product((0, 1), repeat=4):
        p_c = max(0.5 * a, 0.8 * b)
        p_d = max(0.2 * a, 1.0 * c)
        chances = ((0.3, a), (0.1, b), (p_c, c), (p_d, d))
        parts[a, b, c, d] = np.prod([p if happens else 1 - p for p, happens in chances])
    parts.pop((0, 0, 0, 0))
    total = sum(parts.values())
    return {states: p / total for states, p in parts.items()}


def test_samples_follow_the_rule(folder):
    network = load_neuropain(folder)
    assert network.names == ("a", "b", "c", "d") and network.english == ("A", "B", "C", "D")
    assert network.states[0] == ("0", "1") and repr(network) == "NeuroPain(4 variables, 4 edges)"
    rows = 100_000
    sample = network.sample(rows, 3)
    assert sample.shape == (rows, 4) and sample.any(axis=1).all() and sample.flags.f_contiguous
    for states, exact in exact_distribution().items():
        frequency = (sample == states).all(axis=1).mean()
        assert abs(frequency - exact) <= 4.5 * np.sqrt(exact * (1 - exact) / rows), states
    assert np.array_equal(sample[:10], network.sample(rows, 3)[:10])
    assert network.cpdag().directed_edges().tolist() == [[0, 2], [0, 3], [1, 2], [2, 3]]


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        (lambda n: n[0].pop("p"), FileFormatError, "'p'"),
        (lambda n: n[0].update(p=1.5), FileFormatError, "outside 0 to 1"),
        (lambda n: n[2].update(e=[0.5, 0.5, 0.5]), FileFormatError, "does not hold the parameters"),
        (lambda n: n[2].update(parents=[0, 9]), FileFormatError, "9"),
        (lambda n: [node.update(p=0.0) for node in n[:2]], FileFormatError, "nothing can ever happen"),
        (lambda n: n[0].update(parents=[3], e=[0.1]), FileFormatError, "cycle"),
    ],
)
def test_damaged_parameters(folder, change, error, sentence):
    nodes = json.loads(json.dumps(NODES))
    change(nodes)
    (folder / "neuropain_params.json").write_text(json.dumps({"nodes": nodes}))
    with pytest.raises(error, match=sentence):
        load_neuropain(folder)


def test_other_refusals(folder, tmp_path):
    with pytest.raises(InvalidParameterError, match="0 rows are requested"):
        load_neuropain(folder).sample(0)
    with pytest.raises(FileFormatError, match="there is no such file"):
        load_neuropain(tmp_path / "nowhere")
    (folder / "neuropain_params.json").write_text("{")
    with pytest.raises(FileFormatError, match="line 1: this is not JSON"):
        load_neuropain(folder)


def test_the_published_sample_is_reproduced_to_the_cell():
    folder = shared_data("neuropain", "neuropain_params.json")
    network = load_neuropain(folder)
    assert network.dag.shape == (222, 222) and network.dag.sum() == 770 and network.dag.sum(axis=0).max() == 20
    with gzip.open(folder / "neuropathic_data_1000.csv.gz", "rt", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == network.names
    # The simulator used numpy's old generator with the seed 7.
    generator = np.random.Generator(np.random.RandomState(7)._bit_generator)
    assert np.array_equal(network.sample(1000, generator), np.array(rows, dtype=int))
    with gzip.open(folder / "cpdag_GT.csv.gz", "rt") as file:
        _, *marks = csv.reader(file)
    assert network.cpdag() == PDAG(np.array([row[1:] for row in marks], dtype=int))
