"""Samples of published Bayesian networks (ALARM, HEPAR II, WIN95PTS, MUNIN1) as a workload."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def discrete_workload(name: str, n_rows: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Sample a network: states as codes, columns in the order of the file, and the true DAG (row to column)."""
    # Here: what is only read from a file needs no networks, and earlier versions of the package have none.
    from hccd.datasets import DiscreteNetwork, load_network

    network = load_network(name)
    assert isinstance(network, DiscreteNetwork)
    return network.sample(n_rows, seed).astype(np.int64), network.dag
