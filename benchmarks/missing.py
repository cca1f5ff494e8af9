"""Missing values: errors of graphs by how much is missing, and type-I errors of the tests with gaps.

    python -m benchmarks missing [--data alarm insurance gaussian quadratic] [--rates 0 5 10 20 30 40] [--seeds 5]
                                 [--first 0] [--networks DIR]
    python -m benchmarks missing --errors [--repetitions 10000]

Cells are missing completely at random (MCAR), or at random by an observed column (MAR): a fifth of the columns is
always observed, and each other column is missing more often the larger one of these is, at the same rate overall.
Compared are ``missing="auto"``, row deletion (``missing="rows"``; if fewer than ten rows are complete, the empty
graph) and the mean or the commonest state in place of a missing cell. For continuous data there are
``missing="impute"`` and regression on all other columns, iterated, without noise (iterative imputation); for discrete
data a search by the node-average likelihood (``node_average.py``).
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hccd
from benchmarks.node_average import learned_by_node_average
from hccd.errors import InvalidDataError, NotEnoughDataError
from hccd.graphs import PDAG
from hccd.independence.with_gaps import Testwise, bind_em
from hccd.metrics import shd
from hccd.studies.cells import Cell, NetworkCell, truth_of
from hccd.tables import MixedColumns, column_keys

Floats = NDArray[np.float64]
DATA = {
    "alarm": NetworkCell("alarm", 37, 2000),
    "insurance": NetworkCell("insurance", 27, 2000),
    "gaussian": Cell(100, 4, 1000),
    "quadratic": Cell(50, 3, 1000, model="quadratic"),
}


def with_gaps(values: Floats, rate: float, mar: bool, seed: int) -> Floats:
    """Take cells away, as NaN."""
    rng = np.random.default_rng([seed, int(1000 * rate), mar])
    n_rows, n = values.shape
    share = np.full(values.shape, rate)
    if mar:
        always = rng.permutation(n)[: max(1, n // 5)]
        ranks = values[:, always].argsort(axis=0).argsort(axis=0) / n_rows
        share = np.minimum(2.0 * rate * n / (n - len(always)) * ranks[:, rng.integers(len(always), size=n)], 0.95)
        share[:, always] = 0.0
    gaps = rng.random(values.shape) < share
    # A row without anything would tell nothing to anybody.
    gaps[gaps.all(axis=1), 0] = False
    return np.where(gaps, np.nan, values)


def row_deletion(values: Floats, discrete: bool) -> Any:
    """Learn from complete rows; None if there are too few."""
    try:
        return hccd.discover(values, bootstrap="none", missing="rows", **_kinds(values, discrete))
    except (InvalidDataError, NotEnoughDataError):
        return None


def commonest(values: Floats, discrete: bool) -> Any:
    """Learn from means or commonest states in place of gaps."""
    filled = values.copy()
    for column in filled.T:
        held = column[~np.isnan(column)]
        states, times = np.unique(held, return_counts=True)
        column[np.isnan(column)] = states[times.argmax()] if discrete else held.mean()
    return hccd.discover(filled, bootstrap="none", **_kinds(values, discrete))


def regressed(values: Floats, discrete: bool) -> Any:
    """Learn from what other columns let one expect in place of gaps, iterated."""
    filled = np.where(np.isnan(values), np.nanmean(values, axis=0), values)
    n = values.shape[1]
    for _ in range(5):
        for v in range(n):
            gaps = np.isnan(values[:, v])
            others = np.column_stack([np.ones(len(filled)), np.delete(filled, v, axis=1)])
            ridge = 1e-3 * len(filled) * np.eye(n)
            weights = np.linalg.solve(others[~gaps].T @ others[~gaps] + ridge, others[~gaps].T @ filled[~gaps, v])
            filled[gaps, v] = others[gaps] @ weights
    return hccd.discover(filled, bootstrap="none", **_kinds(values, discrete))


METHODS: Mapping[str, Callable[[Floats, bool], Any]] = {
    "auto": lambda values, discrete: hccd.discover(values, bootstrap="none", **_kinds(values, discrete)),
    "impute": lambda values, discrete: hccd.discover(
        values, bootstrap="none", missing="impute", **_kinds(values, discrete)
    ),
    "row deletion": row_deletion,
    "mean or mode": commonest,
    "iterative": regressed,
    "node average": lambda values, _: learned_by_node_average(values),
}
#: Those that take continuous columns only.
CONTINUOUS = ("impute", "iterative")


def _kinds(values: Floats, discrete: bool) -> dict[str, Any]:
    return {"discrete": range(values.shape[1])} if discrete else {}


def main(arguments: Sequence[str]) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="benchmarks missing")
    parser.add_argument("--data", nargs="+", choices=DATA, default=list(DATA))
    parser.add_argument("--rates", nargs="+", type=float, default=[0, 5, 10, 20, 30, 40])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--networks", type=Path, help="a folder of BIF files, used before those of pgmpy")
    parser.add_argument("--errors", action="store_true", help="type-I errors of the tests instead")
    parser.add_argument("--repetitions", type=int, default=10_000)
    given = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    if given.errors:
        _errors(given.repetitions)
        return 0
    NetworkCell.folder = given.networks
    print("| data | missing | % | " + " | ".join(METHODS) + " | CPU seconds of auto |")
    print("|---" * (len(METHODS) + 4) + "|")
    for name in given.data:
        for mar in (False, True):
            for rate in given.rates:
                if rate or not mar:
                    _print_distances(name, mar, rate / 100.0, range(given.first, given.first + given.seeds))
    return 0


def _print_distances(name: str, mar: bool, rate: float, seeds: range) -> None:
    """Print the mean SHD of each method."""
    cell = DATA[name]
    discrete = isinstance(cell, NetworkCell)
    found: dict[str, list[float]] = {method: [] for method in METHODS}
    spent = 0.0
    for seed in seeds:
        values, dag = cell.make(seed)
        truth = truth_of(dag)
        gaps = with_gaps(np.asarray(values, np.float64), rate, mar, seed)
        for method, learn in METHODS.items():
            if discrete == (method in CONTINUOUS) and method in (*CONTINUOUS, "node average"):
                continue
            start = time.process_time()
            result = learn(gaps, discrete)
            if method == "auto":
                spent += time.process_time() - start
            graph = PDAG.from_edges(len(dag), np.zeros((0, 2), np.int32)) if result is None else result
            graph = getattr(graph, "graph", graph)
            found[method].append(shd(truth, graph).total)
    means = " | ".join(f"{np.mean(each):.1f}" if each else "" for each in found.values())
    kind = "MAR" if mar else "MCAR"
    print(f"| {name} | {kind} | {100 * rate:g} | {means} | {spent / len(seeds):.2f} |", flush=True)


def _errors(repetitions: int) -> None:
    """Print how often tests at .05 call independent variables dependent, 20 % of the cells being missing."""
    print("| columns | rows | missing | order | em | effective rows of a test | test-wise | complete rows |")
    print("|---|---|---|---|---|---|---|---|")
    for kind, n, n_rows in (("continuous", 6, 200), ("continuous", 20, 500), ("mixed", 6, 500)):
        for mar in (False, True):
            for order in (0, 1, 2):
                found = np.array([_one(kind, n, n_rows, mar, order, seed) for seed in range(repetitions)])
                em, worth, deleted, complete = found.mean(axis=0)
                where = "MAR" if mar else "MCAR"
                print(
                    f"| {n} {kind} | {n_rows} | {where} | {order} | {em:.4f} | {worth:.0f} | {deleted:.4f} "
                    f"| {complete:.0f} |",
                    flush=True,
                )


def _one(kind: str, n: int, n_rows: int, mar: bool, order: int, seed: int) -> tuple[float, float, float, float]:
    """Make one test of each kind of variables that are independent given ``order`` others."""
    rng = np.random.default_rng([seed, n, n_rows, mar, order])
    given = rng.normal(size=(n_rows, order))
    x, y = (0.8 * given.sum(axis=1) + rng.normal(size=n_rows) for _ in range(2))
    columns = [x, y, *given.T, 0.8 * x + rng.normal(size=n_rows), 0.8 * y + rng.normal(size=n_rows)]
    columns += [rng.normal(size=n_rows) for _ in range(n - len(columns))]
    states = np.zeros(n, np.int64)
    if kind == "mixed":
        states[0], columns[0] = 3, np.digitize(columns[0], [-0.5, 0.7]).astype(np.float64)
    values = np.column_stack(columns)
    driver = columns[-1] + (0.0 if order else x)
    share = 0.2 if not mar else np.minimum(0.4 / (1.0 + np.exp(-2.0 * driver)), 1.0)[:, None]
    gaps = rng.random(values.shape) < share
    gaps[:, -1] &= not mar
    values[gaps] = np.nan
    mixed = MixedColumns(np.ascontiguousarray(values.T), states, column_keys(values))
    spec = hccd.DegenerateGaussian(0.05) if kind == "mixed" else hccd.FisherZ(0.05)
    em, deletion = bind_em(spec, mixed), Testwise(spec, mixed)
    asked = tuple(range(2, 2 + order))
    worth = em.gaps.rows().rows_of(0, 1, np.array(asked, np.int32))
    complete = float((~gaps[:, : 2 + order]).all(axis=1).sum())
    return not em.test(0, 1, asked).independent, worth, not deletion.test(0, 1, asked).independent, complete
