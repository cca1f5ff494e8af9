"""How often the checks after learning speak, where an assumption is broken and where it holds.

    python -m benchmarks checks-fit [--seeds 40] [--first 0] [--columns 10,50] [--rows 200,1000] [--only uneven]

Data are of linear models on random DAGs with three neighbours on average. A row of the table is a way to break an
assumption, or one of the ways to keep all of them, and the share of tables in which the check spoke.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import hccd
from hccd.datasets.synthetic import random_dag
from hccd.graphs import PDAG

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]

NEIGHBOURS = 3.0


def normal(rng: np.random.Generator, rows: int) -> Floats:
    return rng.normal(size=rows)


def skewed(rng: np.random.Generator, rows: int) -> Floats:
    return rng.exponential(size=rows) - 1.0


def heavy(rng: np.random.Generator, rows: int) -> Floats:
    return rng.standard_t(5, size=rows) / np.sqrt(5.0 / 3.0)


class Model(NamedTuple):
    """How a table is made: the noise, the share of effects that bend, how far noise grows."""

    noise: Draw = normal
    bent: float = 0.0
    uneven: float = 0.0

    def table(self, n: int, rows: int, seed: int) -> Floats:
        """Return a table of n columns."""
        rng = np.random.default_rng([seed, n, rows])
        dag = random_dag(n, NEIGHBOURS, rng).dag
        # Of both signs, so that effects may cancel by chance.
        weights = np.where(dag, rng.uniform(0.1, 1.0, dag.shape) * rng.choice((-1.0, 1.0), dag.shape), 0.0)
        values = np.zeros((n, rows))
        order = PDAG.from_edges(n, np.argwhere(dag)).topological_order()
        assert order is not None
        for y in order:
            parents = np.flatnonzero(weights[:, y])
            scale = np.ones(rows)
            for x in parents.tolist():
                told = (values[x] - values[x].mean()) / values[x].std()
                values[y] += weights[x, y] * (told * told + told if rng.random() < self.bent else values[x])
                if self.uneven and x == parents[0]:
                    scale = np.exp(self.uneven * told)
            values[y] += scale * self.noise(rng, rows)
        return values.T


class Check(NamedTuple):
    """A check: what it is called, whether it spoke of a result, data that break and data that keep the assumption."""

    name: str
    spoke: Callable[[hccd.HCCDResult], bool]
    breaks: dict[str, tuple[Model, dict[str, Any]]]
    keeps: dict[str, tuple[Model, dict[str, Any]]]


def said(words: str) -> Callable[[hccd.HCCDResult], bool]:
    """Return whether a warning has these words."""
    return lambda result: any(words in sentence for sentence in result.warnings)


LINEAR = {
    "normal noise": (Model(), {"transform": "none"}),
    "skewed noise": (Model(skewed), {"transform": "none"}),
    "skewed noise, default transform": (Model(skewed), {}),
    "heavy tails": (Model(heavy), {"transform": "none"}),
}
CHECKS = (
    Check(
        "non-linear",
        said("curved relations ("),
        {
            "a tenth of effects bends": (Model(bent=0.1), {"transform": "none"}),
            "half of them": (Model(bent=0.5), {"transform": "none"}),
        },
        {**LINEAR, "uneven noise": (Model(uneven=0.5), {"transform": "none"})},
    ),
    Check(
        "uneven",
        said("heteroscedasticity"),
        {
            "noise grows slowly": (Model(uneven=0.25), {}),
            "noise grows fast": (Model(uneven=0.5), {}),
        },
        LINEAR,
    ),
)


def share(check: Check, made: tuple[Model, dict[str, Any]], n: int, rows: int, seeds: range) -> float:
    """Return the share of tables in which a check spoke."""
    model, options = made
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = (hccd.discover(model.table(n, rows, seed), bootstrap="none", **options) for seed in seeds)
        return float(np.mean([check.spoke(result) for result in results]))


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def main(arguments: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks checks-fit")
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--first", type=int, default=0, help="the first seed; limits were set with 0 to 39")
    parser.add_argument("--columns", type=numbers, default=[10, 50])
    parser.add_argument("--rows", type=numbers, default=[200, 1000])
    parser.add_argument("--only", default="")
    chosen = parser.parse_args(arguments)
    seeds = range(chosen.first, chosen.first + chosen.seeds)
    sizes = [(n, rows) for n in chosen.columns for rows in chosen.rows]
    print("| check | data | assumption | " + " | ".join(f"{n} x {rows}" for n, rows in sizes) + " |")
    print("|---|---|---|" + "---|" * len(sizes))
    for check in CHECKS:
        if chosen.only not in check.name:
            continue
        for holds, group in (("broken", check.breaks), ("kept", check.keeps)):
            for data, made in group.items():
                shares = [share(check, made, n, rows, seeds) for n, rows in sizes]
                print(
                    f"| {check.name} | {data} | {holds} | " + " | ".join(f"{s:.2f}" for s in shares) + " |", flush=True
                )
    return 0
