"""Random discrete networks, their joint distributions by enumeration, and where optional data are."""

from __future__ import annotations

import os
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from hccd.datasets import DiscreteNetwork

needs_pgmpy = pytest.mark.skipif(
    find_spec("pgmpy") is None, reason="the package pgmpy, which holds the networks, is not installed"
)


def random_discrete_network(seed, n=5, most_states=4, zeros=False):
    """A network over a random order of the variables, with up to three parents each."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    n_states = rng.integers(1, most_states + 1, n)
    parents = [()] * n
    tables = [None] * n
    for place, variable in enumerate(order):
        count = rng.integers(0, min(place, 3) + 1)
        parents[variable] = tuple(rng.choice(order[:place], count, replace=False).tolist())
        rows = int(np.prod(n_states[list(parents[variable])], dtype=int))
        table = rng.dirichlet(np.full(n_states[variable], 0.7), size=rows)
        if zeros:
            table = np.where((table < 0.25) & (table < table.max(axis=1, keepdims=True)), 0.0, table)
            table /= table.sum(axis=1, keepdims=True)
        tables[variable] = table
    return DiscreteNetwork(
        names=tuple(f"v{i}" for i in range(n)),
        states=tuple(tuple(f"s{k}" for k in range(m)) for m in n_states),
        parents=tuple(parents),
        tables=tuple(tables),
    )


def joint_distribution(network):
    """The probability of every combination of states, as a dictionary."""
    joint = {}
    for states in product(*(range(len(s)) for s in network.states)):
        probability = 1.0
        for variable, parents in enumerate(network.parents):
            row = 0
            for parent in parents:
                row = row * len(network.states[parent]) + states[parent]
            probability *= network.tables[variable][row][states[variable]]
        joint[states] = probability
    return joint


def shared_data(folder, file):
    """A folder with data that are not part of the project; the test is skipped if this machine has none."""
    root = Path(__file__).parents[2]
    for base in (os.environ.get("HCCD_SHARED_DATA"), root.parent / "shared" / "data"):
        if base and Path(base, folder, file).exists():
            return Path(base, folder)
    pytest.skip(f"there is no {folder}/{file}: set HCCD_SHARED_DATA to a folder that has it")
