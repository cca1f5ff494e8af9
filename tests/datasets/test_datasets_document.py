"""docs/DATASETS.md: its table is the truth."""

import re
from pathlib import Path

import pytest
from network_cases import needs_pgmpy

from hccd.datasets import load_network, network_names

TEXT = (Path(__file__).parents[2] / "docs" / "DATASETS.md").read_text(encoding="utf-8")


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
