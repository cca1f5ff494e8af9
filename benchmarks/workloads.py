"""The data that everybody is run on: made once, written as files, the same for all.

A workload is a name, how to make it, and its place in a family: an implementation that is stopped on one member is not
tried on larger ones. ``truth`` is the skeleton of the graph that the data come from, as pairs x < y.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.known_networks import discrete_workload
from hccd.datasets.synthetic import LinearGaussian, random_dag
from hccd.studies.discrete_networks import sample_discrete_network
from hccd.studies.peer_script import ALPHA

SAMPLES = 1000


@dataclass(frozen=True)
class Workload:
    """A table with a known truth; ``size`` orders the members of a family."""

    name: str
    kind: str
    family: str
    size: int
    make: Callable[[], tuple[NDArray[Any], NDArray[np.bool_]]]

    @property
    def alpha(self) -> float:
        """The significance level of every test on it."""
        return ALPHA[self.kind]

    def files(self, directory: Path) -> tuple[Path, Path]:
        """Return the files of data and truth, written if they are not there."""
        data_path, truth_path = directory / f"{self.name}.npy", directory / f"{self.name}.truth.npy"
        if not (data_path.exists() and truth_path.exists()):
            directory.mkdir(parents=True, exist_ok=True)
            data, dag = self.make()
            # Data last: it is what says that the workload is complete.
            for path, array in ((truth_path, skeleton_pairs(dag)), (data_path, np.ascontiguousarray(data))):
                unfinished = path.with_suffix(".unfinished")
                with unfinished.open("wb") as file:
                    np.save(file, array)
                unfinished.replace(path)
        return data_path, truth_path


def skeleton_pairs(dag: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the adjacent pairs x < y of a DAG."""
    return np.argwhere(np.triu(dag | dag.T, 1))


def gaussian(n: int, connectivity: int, seed: int = 1) -> Workload:
    """The paper's generator: a random DAG with linear Gaussian data, columns in random order, 1000 samples."""

    def make() -> tuple[NDArray[Any], NDArray[np.bool_]]:
        rng = np.random.default_rng(seed)
        model = LinearGaussian.random(random_dag(n, connectivity, rng).dag, rng).shuffled(rng)
        return model.sample(SAMPLES, rng), model.dag

    suffix = "" if seed == 1 else f"_seed{seed}"
    return Workload(f"gauss_n{n}_c{connectivity}{suffix}", "continuous", f"gauss_c{connectivity}", n, make)


def network(name: str, n_rows: int) -> Workload:
    """A sample of a published network."""
    return Workload(f"{name}_{n_rows}", "discrete", name, n_rows, lambda: discrete_workload(name, n_rows, seed=1))


def random_network(n: int, most_states: int, n_rows: int) -> Workload:
    """A sample of a random discrete network of connectivity 3."""
    family = f"random{n}_s{most_states}"
    return Workload(
        f"{family}_{n_rows}",
        "discrete",
        family,
        n_rows,
        lambda: sample_discrete_network(n, 3, most_states, n_rows, seed=1),
    )
