"""What the wrapper saves of causal-learn's tests and time: its searches alone, through the adapter, and in HCCD.

    python -m benchmarks foreign-baselines [--seeds 3] [--seconds 300] [--only "pc, Gaussian"]

Alone are causal-learn's own functions with its own test. Through the adapter they ask ours, on one cluster and wrapped.
Directions are left out everywhere. Times are those of the processor; a run that takes more than ``--seconds`` is ended.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import multiprocessing
import resource
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import hccd
from hccd.baselines import CausalLearnFCI, CausalLearnPC
from hccd.datasets.synthetic import LinearGaussian, random_dag
from hccd.graphs import PDAG, Skeleton
from hccd.studies.cells import NetworkCell, truth_of

#: Tests by data: ours, causal-learn's name, level.
TESTS = {"ALARM": ("g", "gsq", 0.05), "Gaussian": ("fisher-z", "fisherz", 0.01), "Gaussian, KCI": ("kci", "kci", 0.01)}
ROWS = {"ALARM": 2000, "Gaussian": 1000, "Gaussian, KCI": 150}

Measured = tuple[int, float, int, int]


def sampled(name: str, seed: int) -> tuple[Any, PDAG]:
    """Return rows and the DAG behind them."""
    if name == "ALARM":
        table, dag = NetworkCell("alarm", 37, ROWS[name]).make(seed)
        return np.asarray(table), truth_of(dag)
    rng = np.random.default_rng([seed, 15])
    n = 20 if "KCI" in name else 100
    model = LinearGaussian.random(random_dag(n, 3.0, rng).dag, rng).shuffled(rng)
    return model.sample(ROWS[name], rng), truth_of(model.dag)


def alone(algorithm: str, name: str, seed: int) -> Measured:
    """Return tests, seconds, and edges too many and too few of causal-learn's own search with its own test."""
    from causallearn.graph.Endpoint import Endpoint
    from causallearn.graph.GraphNode import GraphNode
    from causallearn.search.ConstraintBased import FCI
    from causallearn.utils.cit import CIT
    from causallearn.utils.PCUtils.SkeletonDiscovery import skeleton_discovery

    data, dag = sampled(name, seed)
    _, method, alpha = TESTS[name]
    begun = time.process_time()
    test = CIT(data, method)
    known = len(test.pvalue_cache)
    with contextlib.redirect_stdout(io.StringIO()):
        if algorithm == "pc":
            graph = skeleton_discovery(data, alpha, test, show_progress=False).G
        else:
            nodes = [GraphNode(f"X{i + 1}") for i in range(data.shape[1])]
            graph, sets, _ = FCI.fas(data, nodes, test, alpha, show_progress=False)
            FCI.reorientAllWith(graph, Endpoint.CIRCLE)
            FCI.rule0(graph, graph.get_nodes(), sets, None, False)
            FCI.removeByPossibleDsep(graph, test, alpha, sets)
    seconds = time.process_time() - begun
    return len(test.pvalue_cache) - known, seconds, *_wrong(Skeleton.from_adjacency(graph.graph != 0), dag)


def adapted(algorithm: str, name: str, seed: int, method: str = "hccd") -> Measured:
    """Return the same of the search through the adapter."""
    data, dag = sampled(name, seed)
    baseline = CausalLearnPC() if algorithm == "pc" else CausalLearnFCI()
    test, _, alpha = TESTS[name]
    warnings.simplefilter("ignore")
    begun = time.process_time()
    found = hccd.learn_skeleton(
        data, test=test, alpha=alpha, method=method, baseline=baseline, correction="none", transform="none"
    )
    return found.tests.total, time.process_time() - begun, *_wrong(found.skeleton, dag)


def _wrong(found: Skeleton, dag: PDAG) -> tuple[int, int]:
    """Return how many edges are too many, and too few."""
    own, true = (set(map(tuple, skeleton.edges.tolist())) for skeleton in (found, dag.skeleton()))
    return len(own - true), len(true - own)


def _limited(seconds: int, function: Callable[[], Measured], sender: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    sender.send(function())


def within(seconds: int, function: Callable[[], Measured]) -> Measured | None:
    """Return what a function does in a process of its own; None if it takes longer."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_limited, args=(seconds, function, sender))
    process.start()
    sender.close()
    try:
        return receiver.recv()  # type: ignore[no-any-return]
    except EOFError:
        return None
    finally:
        process.join()


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks foreign-baselines", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--only", default="", help="algorithm and data, such as 'pc, Gaussian'")
    options = parser.parse_args(arguments)
    # Imports are no part of the times.
    adapted("pc", "Gaussian, KCI", 0)
    ways = {"alone": alone, "adapter, one cluster": partial(adapted, method="pc"), "adapter, in HCCD": adapted}
    print("| algorithm, data | run | tests | CPU seconds | edges too many | too few |")
    print("|---|---|---|---|---|---|")
    for algorithm in ("pc", "fci"):
        for name in TESTS:
            if options.only and options.only != f"{algorithm}, {name}":
                continue
            for way, function in ways.items():
                runs = [within(options.seconds, partial(function, algorithm, name, s)) for s in range(options.seeds)]
                ended = np.array([run for run in runs if run is not None], float).reshape(-1, 4)
                label = f"| {algorithm}, {name} | {way} |"
                if len(ended) < len(runs):
                    label += f" {len(runs) - len(ended)} of {len(runs)} did not end in {options.seconds} s |"
                    print(label + " | | |", flush=True)
                    continue
                spread = [f"{column.mean():,.{digits}f} ± {column.std():,.{digits}f}" for column, digits in zip(
                    ended.T, (0, 2, 1, 1), strict=True)]  # fmt: skip
                print(f"{label} {' | '.join(spread)} |", flush=True)
