"""Where the time of a run goes, phase by phase.

    python -m benchmarks phases [--repeats 5]

CPU milliseconds of one thread for 1000 variables of the paper's generator (connectivity 3, 1000 samples) and for MUNIN1
(500 rows), PC and HCCD as they are by default; the best run of the repeats. Phases are timed by wrapping the functions
that ``hccd.discover`` calls one after the other; what is left is the translation to the caller's numbers. Run with
another version of the package on the path, it says where that version's time goes.
"""

from __future__ import annotations

import argparse
import importlib
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import hccd
from benchmarks.report import RESULTS
from benchmarks.workloads import gaussian, network
from hccd.independence.fisher_z import BoundFisherZ
from hccd.independence.tables import BoundTableTest

#: Phase, and the functions that are it: (module, name). Earlier versions have all of them in ``hccd.discovery``.
PHASES = {
    "check, code, bind": ("bind", "prepare"),
    "clustering": ("_tree",),
    "skeleton above order 0": ("backtrack",),
    "judge colliders": ("judge_triples",),
    "orient": ("orient",),
}
MODULES = ("hccd.run.skeleton", "hccd.discovery")
MARGINAL, REST, TOTAL = "all pairs, order 0", "translate back", "in all"


class PhaseClock:
    """CPU seconds by phase, of one run."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def wrapped(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time counted."""

        def timed(*arguments: Any, **options: Any) -> Any:
            start = time.process_time()
            try:
                return function(*arguments, **options)
            finally:
                self.seconds[phase] = self.seconds.get(phase, 0.0) + time.process_time() - start

        return timed

    def attach(self) -> None:
        """Wrap the functions of all phases, for the rest of this process."""
        for name in MODULES:
            try:
                module = importlib.import_module(name)
            except ModuleNotFoundError:
                continue
            for phase, functions in PHASES.items():
                for function in functions:
                    if hasattr(module, function):
                        setattr(module, function, self.wrapped(phase, getattr(module, function)))
        for test in (BoundFisherZ, BoundTableTest):
            setattr(test, "marginals", self.wrapped(MARGINAL, test.marginals))  # noqa: B010 - mypy knows it as a method

    def run(self, data: Any, test: Any, method: str) -> dict[str, float]:
        """Return the seconds by phase of one run."""
        self.seconds = {}
        start = time.process_time()
        hccd.discover(data, bootstrap="none", test=test, method=method, scoring="none", n_jobs=1)
        total = time.process_time() - start
        return {**self.seconds, REST: total - sum(self.seconds.values()), TOTAL: total}


def main(arguments: list[str]) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks phases", description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args(arguments).repeats
    clock = PhaseClock()
    clock.attach()
    warnings.simplefilter("ignore")
    columns: dict[str, dict[str, float]] = {}
    for workload, test in ((gaussian(1000, 3), hccd.FisherZ(0.01)), (network("munin1", 500), hccd.GTest(0.05))):
        data = np.load(workload.files(RESULTS / "workloads")[0])
        for method in ("pc", "hccd"):
            runs = [clock.run(data, test, method) for _ in range(repeats)]
            columns[f"{workload.name} {method.upper()}"] = min(runs, key=lambda run: run[TOTAL])
    phases = ["check, code, bind", MARGINAL, *list(PHASES)[1:], REST, TOTAL]
    print("| CPU ms | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for phase in phases:
        print(f"| {phase} | " + " | ".join(f"{1e3 * run.get(phase, 0.0):.1f}" for run in columns.values()) + " |")
