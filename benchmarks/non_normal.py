"""How often directions by noise that is not normal are right, and how often normal data are refused.

    python -m benchmarks non-normal [--seeds 20]

Linear models over random DAGs of 20 variables with two neighbours each on average, weights 0.5 to 1 of both signs.
Counted are true edges that the class of the learned graph leaves undirected: directed rightly, wrongly, or left.
"""

from __future__ import annotations

import argparse
import warnings
from collections import Counter

import numpy as np
from numpy.typing import NDArray

import hccd
from hccd.datasets.synthetic import random_dag
from hccd.errors import InvalidDataError

VARIABLES, NEIGHBOURS = 20, 2.0
NOISES = ("uniform", "exponential", "laplace", "t of 5 degrees", "half of the columns uniform", "normal")


def noise(kind: str, rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
    """Draw noise of mean 0 and deviation 1."""
    if kind == "uniform":
        return rng.uniform(-np.sqrt(3.0), np.sqrt(3.0), shape)
    if kind == "exponential":
        return rng.exponential(1.0, shape) - 1.0
    if kind == "laplace":
        return rng.laplace(0.0, np.sqrt(0.5), shape)
    if kind.startswith("t of"):
        return rng.standard_t(5, shape) * np.sqrt(0.6)
    drawn = rng.standard_normal(shape)
    if kind.startswith("half"):
        drawn[:, ::2] = noise("uniform", rng, (shape[0], len(range(0, shape[1], 2))))
    return drawn


def directions(kind: str, rows: int, seed: int) -> Counter[str]:
    """Count what became of the undirected edges of one table."""
    rng = np.random.default_rng([seed, rows, NOISES.index(kind)])
    dag = random_dag(VARIABLES, NEIGHBOURS, rng).dag
    data = noise(kind, rng, (rows, VARIABLES))
    truth = hccd.PDAG.from_edges(VARIABLES, directed=np.argwhere(dag))
    order = truth.topological_order()
    assert order is not None
    for v in order:
        for parent in truth.parents(v):
            data[:, v] += rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 1.0) * data[:, parent]
    shuffled = rng.permutation(VARIABLES)
    data, place = data[:, shuffled], np.argsort(shuffled)
    arcs = {(int(place[x]), int(place[y])) for x, y in np.argwhere(dag)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = hccd.discover(data, bootstrap="none").graph
        try:
            graph = hccd.discover(data, bootstrap="none", undirected="lingam").graph
        except InvalidDataError:
            return Counter(refused=1)
    found: Counter[str] = Counter()
    for x, y in plain.undirected_edges().tolist():
        if (x, y) in arcs or (y, x) in arcs:
            found["open"] += 1
            if y not in graph.undirected_neighbors(x):
                found["right" if ((x, y) in arcs) == (y in graph.children(x)) else "wrong"] += 1
    return found


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks non-normal", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args(arguments)
    print("| noise | rows | tables refused | edges left open by the class | directed rightly | wrongly | still open |")
    print("|---|---|---|---|---|---|---|")
    for kind in NOISES:
        for rows in (200, 500, 2000):
            runs = [directions(kind, rows, seed) for seed in range(options.seeds)]
            total = sum(runs, Counter())
            told = [run["right"] / (run["right"] + run["wrong"]) for run in runs if run["right"] + run["wrong"]]
            spread = f" ({100 * np.mean(told):.0f} ± {100 * np.std(told):.0f} %)" if told else ""
            print(
                f"| {kind} | {rows:,} | {total['refused']} of {len(runs)} | {total['open']} | {total['right']}{spread} "
                f"| {total['wrong']} | {total['open'] - total['right'] - total['wrong']} |",
                flush=True,
            )
