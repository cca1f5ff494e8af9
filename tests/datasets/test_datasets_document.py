"""docs/DATASETS.md: its examples run, and its table is the truth."""

import re
from pathlib import Path

import pytest
from network_cases import needs_pgmpy

from hccd.datasets import load_network, network_names

TEXT = (Path(__file__).parents[2] / "docs" / "DATASETS.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.S)


def test_the_random_example_runs():
    (block,) = (block for block in BLOCKS if "random_network" in block)
    names: dict[str, object] = {}
    exec(compile(block, "DATASETS.md", "exec"), names)
    assert names["data"].shape == (1000, 100) and names["exact"].shape == (100, 100)


@needs_pgmpy
def test_the_example_of_a_known_network_runs():
    (block,) = (block for block in BLOCKS if "load_network" in block)
    names: dict[str, object] = {}
    exec(compile(block, "DATASETS.md", "exec"), names)
    assert list(names["labels"]) == list(names["alarm"].names) and names["truth"].n == 37


def stated_sizes():
    rows = re.findall(r"\| ([a-z][\w-]+)(?: \(Gaussian\))? \| (\d+) \| (\d+) \| ([\d,]*)", TEXT)
    return {name: (int(n), int(edges), int(cells.replace(",", "") or 0)) for name, n, edges, cells in rows}


def test_the_table_names_every_network():
    assert set(stated_sizes()) == set(network_names())


@needs_pgmpy
@pytest.mark.parametrize("name", ["asia", "hepar2", "pathfinder", "pigs", "munin1", "ecoli70", "arth150"])
def test_the_table_is_right(name):
    network = load_network(name)
    assert stated_sizes()[name] == (len(network.names), network.dag.sum(), getattr(network, "n_parameters", 0))
