"""Every baseline alone and inside HCCD: tests, CPU time, and the distance from the truth.

    python -m benchmarks baselines --per-test
    python -m benchmarks baselines [--seeds 10] [--only rai mmpc] [--data alarm] [--cap 120] [--page docs/ALGORITHMS.md]

*Alone* is the baseline on one cluster of all variables (``method="pc"``), *inside* is it on the clusters of HCCD. Both
have the same order-0 tests and the same orientation; tests for the orientation are counted, and no score follows unless
it belongs to the baseline. *Inside / alone* is the mean over seeds of tests inside over tests alone, with its standard
error. A run that takes more CPU seconds than ``--cap`` is ended, and no more seeds are tried. CPU seconds are those of
one thread. *Pairs* are those whose adjacency is wrong; graphs with other marks than a CPDAG have these alone.

``--per-test`` is what one test costs an algorithm: called by itself, in batches, and in the compiled walk over the sets
of an edge, with its share of everything around it.
"""

from __future__ import annotations

import argparse
import signal
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import hccd
from hccd.choices import BASELINES
from hccd.errors import HCCDError
from hccd.graphs import PDAG, dag_to_cpdag
from hccd.independence import Level, LevelOutcome, answer
from hccd.metrics import shd
from hccd.run.named_baselines import NAMED
from hccd.studies.cells import AnyCell, Cell, NetworkCell, truth_of

DATA: dict[str, AnyCell] = {
    "alarm": NetworkCell("alarm", 37, 2000),
    "win95pts": NetworkCell("win95pts", 76, 2000),
    "gaussian-100": Cell(100, 4, 1000),
    "gaussian-500": Cell(500, 4, 1000, seeds=3),
}
MEASURES = "CPU s | SHD | pairs"
BEGIN, END = "<!-- begin: python -m benchmarks baselines -->", "<!-- end -->"


class Measured(NamedTuple):
    """What a run took, and how far it ended from the truth; ``distance`` is nan where there is no CPDAG."""

    tests: int
    seconds: float
    distance: float
    pairs: int


class OverTimeError(Exception):
    """A run has used up its CPU seconds."""


def _end(signum: int, frame: object) -> None:
    raise OverTimeError


def measure(table: Any, dag: PDAG, name: str, method: str, cap: float) -> Measured:
    """Run a baseline once."""
    # The score that follows by default belongs to the wrapper's own default, not to a baseline.
    options: dict[str, Any] = {} if "scoring" in NAMED[name] else {"scoring": "none"}
    signal.signal(signal.SIGPROF, _end)
    signal.setitimer(signal.ITIMER_PROF, cap)
    began = time.process_time()
    try:
        result = hccd.discover(table, baseline=name, method=method, bootstrap="none", n_jobs=1, **options)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
    seconds = time.process_time() - began
    graph = result.graph
    pairs = int(np.triu(graph.skeleton().adjacency != dag.skeleton().adjacency).sum())
    distance = float(shd(dag_to_cpdag(dag), graph).total) if isinstance(graph, PDAG) else float("nan")
    return Measured(result.tests.total, seconds, distance, pairs)


def measured(cell: AnyCell, name: str, seeds: int, cap: float) -> tuple[dict[str, list[Measured]], str]:
    """Run a baseline both ways on fresh data; return what came out, and why it ended if it did."""
    found: dict[str, list[Measured]] = {"alone": [], "inside": []}
    why = ""
    for way, method in (("alone", "pc"), ("inside", "hccd")):
        for seed in range(seeds):
            table, truth = cell.make(seed)
            try:
                found[way].append(measure(table, truth_of(truth), name, method, cap))
            except OverTimeError:
                why += f"{way}: over {cap:g} s. "
                break
            except (HCCDError, ImportError) as error:
                return found, f"{error}"
    return found, why.strip()


def mean(values: list[float], digits: int = 1) -> str:
    """Return the mean and the standard deviation."""
    if not values or np.isnan(values).any():
        return "–"
    spread = f" ± {np.std(values, ddof=1):,.{digits}f}" if len(values) > 1 else ""
    return f"{np.mean(values):,.{digits}f}{spread}"


def row(name: str, found: dict[str, list[Measured]], why: str) -> str:
    """Return a row of the table."""
    alone, inside = found["alone"], found["inside"]
    cells = [name]
    for runs in (alone, inside):
        cells += [mean([run.tests for run in runs], 0), mean([run.seconds for run in runs], 2)]
        cells += [mean([run.distance for run in runs]), mean([float(run.pairs) for run in runs])]
    ratio = [i.tests / a.tests for i, a in zip(inside, alone, strict=False) if a.tests]
    error = f" ± {np.std(ratio, ddof=1) / np.sqrt(len(ratio)):.2f}" if len(ratio) > 1 else ""
    cells.append(f"{np.mean(ratio):.2f}{error}" if ratio else "–")
    return "| " + " | ".join([*cells, why]).rstrip() + " |"


def per_test(cell: AnyCell) -> list[float]:
    """Return the CPU microseconds of a test given two variables: by itself, in batches of 1,000, and in the walk."""
    table, _ = cell.make(0)
    ci = (hccd.FisherZ() if isinstance(cell, Cell) else hccd.GTest()).bind(table)
    n, rng = cell.n, np.random.default_rng(0)
    asked = np.array([rng.permutation(n)[:4] for _ in range(1000)], np.int32)
    x, y, given = asked[:, 0], asked[:, 1], asked[:, 2:]
    # The walk: no pair of a complete graph falls at a level that nothing reaches, so all of its sets are asked.
    pairs = np.array(np.triu_indices(12, 1), np.int32)
    owner, others = np.nonzero(~np.eye(12, dtype=bool))
    degree = np.bincount(owner, minlength=n).astype(np.int32)
    home = np.zeros((3, pairs.shape[1]), np.int32)
    level = Level(
        2, *pairs, *home, np.arange(n, dtype=np.int32), np.cumsum(degree, dtype=np.int64) - degree,
        others.astype(np.int32), degree, np.ones((n, n)), np.full(n, np.inf), False, False,
    )  # fmt: skip
    strict = ci.with_alpha(1 - 1e-12)

    def ways() -> list[tuple[float, int]]:
        found = []
        for way in (
            lambda: [ci.test(a, b, row) for a, b, row in zip(x.tolist(), y.tolist(), given.tolist(), strict=True)],
            lambda: ci.test_many(x, y, given),
            lambda: answer(strict, level),
        ):
            began = time.process_time()
            result = way()
            count = int(np.abs(result.tests).sum()) if isinstance(result, LevelOutcome) else len(x)
            found.append((time.process_time() - began, count))
        return found

    repeats = [[1e6 * seconds / count for seconds, count in ways()] for _ in range(5)]
    return np.min(repeats, axis=0).tolist()


def main(arguments: list[str]) -> None:
    """Print the tables, and put them into a page if one is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks baselines", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", nargs="+", choices=BASELINES, default=list(BASELINES))
    parser.add_argument("--data", nargs="+", choices=DATA, default=list(DATA))
    parser.add_argument("--cap", type=float, default=120.0, help="CPU seconds of one run")
    parser.add_argument("--page", type=Path, help="a page with the marks of the tables")
    parser.add_argument("--per-test", action="store_true", help="what one test costs, and nothing else")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    if options.per_test:
        print("| CPU microseconds of a test | single call | in batches | compiled search |\n|---|---:|---:|---:|")
        for label in options.data:
            print(f"| {DATA[label].name} | " + " | ".join(f"{cost:.2f}" for cost in per_test(DATA[label])) + " |")
        return
    lines: list[str] = []
    for label in options.data:
        cell = DATA[label]
        seeds = min(options.seeds, cell.seeds or options.seeds)
        lines += [f"**{cell.name}**, {seeds} seeds, mean ± standard deviation", ""]
        lines += [
            "| baseline | tests alone | CPU s | SHD | pairs | tests inside | CPU s | SHD | pairs | inside / alone | |"
        ]
        lines += ["|---|" + "---:|" * 9 + "---|"]
        print("\n".join(lines[-4:]))
        for name in options.only:
            lines.append(row(name, *measured(cell, name, seeds, options.cap)))
            print(lines[-1], flush=True)
        lines.append("")
    if options.page is not None:
        text = options.page.read_text()
        before, after = text.split(BEGIN)[0], text.split(BEGIN)[1].split(END, 1)[1]
        options.page.write_text("\n".join([f"{before}{BEGIN}", "", *lines[:-1], "", f"{END}{after}"]))
