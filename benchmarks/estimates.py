"""How long a run was expected to take, and how long it took.

    python -m benchmarks estimates [--only WORD] [--neuropain FOLDER]

CPU seconds of one worker: what ``hccd check`` expects of the tests, the score and the resamples, what they took, and
the ratio of the sums. A few minutes.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hccd.datasets import LinearGaussian, load_network, load_neuropain, random_dag
from hccd.discovery import learn_graph
from hccd.preflight.check import check_prepared
from hccd.run.options import Options
from hccd.run.prepared import prepare


def gaussian(n: int, connectivity: float, rows: int) -> Callable[[], Any]:
    """Return how to sample a random network of the paper's generator."""
    return lambda: LinearGaussian.random(random_dag(n, connectivity, 1).dag, 1).sample(rows, 1)


def scale_free(n: int, edges: int, rows: int) -> Callable[[], Any]:
    """Return how to sample a network in which every variable chooses so many parents, busy ones more often."""

    def sample() -> Any:
        rng = np.random.default_rng(0)
        dag, busy = np.zeros((n, n), np.bool_), np.ones(n)
        for v in range(edges, n):
            parents = rng.choice(v, edges, replace=False, p=busy[:v] / busy[:v].sum())
            dag[parents, v] = True
            busy[parents] += 1
            busy[v] += edges
        return LinearGaussian.random(dag, 0).sample(rows, 0)

    return sample


def network(name: str, rows: int) -> Callable[[], Any]:
    """Return how to sample a published network."""
    return lambda: load_network(name).sample(rows, 1)


def mixed(n: int, connectivity: float, rows: int) -> Callable[[], Any]:
    """Return how to sample a random network of which every third variable is cut into three states."""

    def sample() -> Any:
        values = gaussian(n, connectivity, rows)()
        cut = {i: np.digitize(v, np.quantile(v, [0.3, 0.7])).astype(str) for i, v in enumerate(values.T) if i % 3 == 0}
        return {f"x{i}": cut.get(i, v) for i, v in enumerate(values.T)}

    return sample


CASES: dict[str, Callable[[], Any]] = {
    "Gaussian, 100 variables, 3 neighbours, 1,000 rows": gaussian(100, 3, 1000),
    "Gaussian, 300, 3, 1,000": gaussian(300, 3, 1000),
    "Gaussian, 1,000, 3, 1,000": gaussian(1000, 3, 1000),
    "Gaussian, 100, 8, 1,000": gaussian(100, 8, 1000),
    "Gaussian, 300, 6, 1,000": gaussian(300, 6, 1000),
    "Gaussian, 100, 4, 100,000": gaussian(100, 4, 100_000),
    "scale-free, 100, 6, 5,000": scale_free(100, 3, 5000),
    "scale-free, 300, 6, 1,000": scale_free(300, 3, 1000),
    "mixed, 60, 3, 2,000": mixed(60, 3, 2000),
    "ALARM, 2,000": network("alarm", 2000),
    "ALARM, 100,000": network("alarm", 100_000),
    "HEPAR II, 5,000": network("hepar2", 5000),
    "WIN95PTS, 2,000": network("win95pts", 2000),
    "MUNIN1, 500": network("munin1", 500),
    "PATHFINDER, 2,000": network("pathfinder", 2000),
    "ANDES, 2,000": network("andes", 2000),
}


def main(arguments: list[str]) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks estimates", description=__doc__)
    parser.add_argument("--only", default="", help="cases whose name has this word")
    parser.add_argument("--neuropain", type=Path, help="the folder with neuropain_params.json, for one case more")
    chosen = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    cases = dict(CASES)
    if chosen.neuropain is not None:
        cases["NeuroPain, 1,000"] = lambda: load_neuropain(chosen.neuropain).sample(1000, 1)
    print("| CPU s | tests, expected | real | score, expected | real | resamples, expected | real | expected / real |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    # What is imported at the first call is of no run.
    learn_graph(prepare(gaussian(10, 2, 200)(), Options(n_jobs=1)))
    for name, sample in cases.items():
        if chosen.only in name:
            print(f"| {name} | {' | '.join(measured(sample()))} |", flush=True)


def measured(data: Any) -> list[str]:
    """Return the cells of a row."""
    options = Options(n_jobs=1)
    estimate = check_prepared(prepare(data, options)).estimate
    assert estimate is not None
    start = time.process_time()
    result = learn_graph(prepare(data, options))
    taken = time.process_time() - start
    # A run notes seconds of the clock: on a busy machine only their proportions mean something.
    score, resamples = (
        taken * result.seconds.get(phase, 0.0) / result.seconds["total"] for phase in ("score", "bootstrap")
    )
    expected = [estimate.phases[phase] for phase in ("tests", "score", "bootstrap")]
    cells = (
        expected[0],
        taken - score - resamples,
        expected[1],
        score,
        expected[2],
        resamples,
        sum(expected) / taken,
    )
    return [f"{cell:.2f}" for cell in cells]


if __name__ == "__main__":
    main([])
