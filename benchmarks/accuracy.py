"""How far from the truth our graphs are on fresh synthetic data, and those of other searches by a score.

    python -m benchmarks accuracy [--seeds 5] [--first 1000] [--only TEXT] [--up-to N] [--as-they-are] [--peers]

For every cell of ``accuracy_cells.py``: the structural Hamming distance (SHD) between the CPDAGs, mean and standard
error over the seeds, how many graphs are exact, and the CPU seconds of one thread, on average. With ``--peers`` XGES
and BOSS (``accuracy_peers.py``) learn from the same tables; one that takes more CPU seconds than ``--cap`` is not asked
again in that cell.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import hccd
from benchmarks import accuracy_peers, peers
from benchmarks.accuracy_cells import Cell, chosen
from hccd.graphs import PDAG
from hccd.studies.peer_server import PeerServer

#: The environment of these peers.
HOME = peers.HOME.with_name(".venv-accuracy")
#: Column, and the options of ``hccd.discover`` behind it.
OURS: dict[str, dict[str, Any]] = {"tests alone": {"scoring": "none"}, "default": {}}
#: The same, whatever the data look like.
AS_THEY_ARE: dict[str, dict[str, Any]] = {
    "tests alone, no transform": {"scoring": "none", "transform": "none"},
    "score, no transform": {"scoring": "bic", "transform": "none"},
}

#: A learner takes a table and returns the graph and CPU seconds; the graph is None if it took too long or failed.
Learner = Callable[[Any], tuple[PDAG | None, float]]


def ours(options: dict[str, Any]) -> Learner:
    """Return a learner that calls ``hccd.discover``."""

    def learn(data: Any) -> tuple[PDAG | None, float]:
        start = time.process_time()
        graph = hccd.discover(data, n_jobs=1, **options).graph
        return graph, time.process_time() - start

    return learn


def theirs(server: PeerServer, name: str, cap: float) -> Learner:
    """Return a learner that asks a peer."""

    def learn(data: Any) -> tuple[PDAG | None, float]:
        answer = server.learn(name, data, "continuous", cap)
        if "error" in answer:
            print(f"<!-- {name}: {answer['error']} -->", flush=True)
        if "seconds" not in answer:
            return None, cap
        return PDAG.from_edges(data.shape[1], answer["directed"], answer["undirected"]), answer["seconds"]

    return learn


def measure(cell: Cell, learners: dict[str, Learner], seeds: range) -> dict[str, list[tuple[float, float]] | None]:
    """Return SHD and seconds for every seed, by learner; None for one that did not finish."""
    found: dict[str, list[tuple[float, float]] | None] = {name: [] for name in learners}
    for seed in seeds:
        data, truth = cell.make(seed)
        for name, learn in learners.items():
            measured = found[name]
            if measured is None:
                continue
            graph, seconds = learn(data)
            if graph is None:
                found[name] = None
            else:
                measured.append((cell.distance(truth, graph), seconds))
    return found


def said(measured: list[tuple[float, float]] | None, cap: float) -> str:
    """Return the mean SHD, its standard error, the exact graphs if there are any, and the seconds."""
    if measured is None:
        return f"not in {cap:.0f} s"
    distances, seconds = np.array(measured).T
    error = f" ± {distances.std(ddof=1) / np.sqrt(len(distances)):.1f}" if len(distances) > 1 else ""
    exact = int((distances == 0).sum())
    share = f", {exact} of {len(distances)} exact" if exact else ""
    taken = seconds.mean()
    return f"{distances.mean():.1f}{error} ({taken:.{3 if taken < 0.1 else 2}f} s{share})"


def print_table(title: str, cells: list[Cell], learners: dict[str, Learner], seeds: range, cap: float) -> None:
    """Print one table, each row when it is known."""
    print(f"| {title} | {' | '.join(learners)} |")
    print("|---|" + "---|" * len(learners))
    for cell in cells:
        own = range(seeds.start, seeds.start + (cell.seeds or len(seeds)))
        found = measure(cell, learners, own)
        print(f"| {cell.name} | {' | '.join(said(each, cap) for each in found.values())} |", flush=True)
    print(flush=True)


def main(arguments: list[str]) -> None:
    """Print a table for each kind of cell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks accuracy", description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="graphs of each cell, but for cells that have a number")
    parser.add_argument("--first", type=int, default=1000, help="the first seed")
    parser.add_argument("--only", default="", help="cells whose name, or whose table's, has this text")
    parser.add_argument("--up-to", type=int, default=1 << 30, help="cells of at most so many variables")
    parser.add_argument("--peers", action="store_true", help="let XGES and BOSS learn as well")
    parser.add_argument("--cap", type=float, default=60.0, help="CPU seconds that a peer may take for one table")
    parser.add_argument(
        "--as-they-are", action="store_true", help="learn without transforms, and by the score, as well"
    )
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    learners = {name: ours(each) for name, each in (OURS | (AS_THEY_ARE if options.as_they_are else {})).items()}
    server = PeerServer(str(peers.install(HOME, accuracy_peers.PINS)), accuracy_peers.SCRIPT) if options.peers else None
    if server is not None:
        learners |= {name: theirs(server, name, options.cap) for name in accuracy_peers.PEERS}
    seeds = range(options.first, options.first + options.seeds)
    try:
        with threadpool_limits(1):
            # What is loaded at the first call is not timed.
            for learn in learners.values():
                learn(np.random.default_rng(0).normal(size=(100, 5)))
            for title, cells in chosen(options.only, options.up_to).items():
                print_table(title, cells, learners, seeds, options.cap)
    finally:
        if server is not None:
            server.close()


if __name__ == "__main__":
    main([])
