"""What the score costs on top of the tests, and what plain PC takes.

    python -m benchmarks score-cost [--repeats 3] [--only TEXT] [--million]

CPU milliseconds of one thread, the best run of the repeats: stable PC, HCCD by the tests alone, HCCD by default, and
what the score took of that. The tests are the same on both sides, but for sets of more than three variables, which the
default leaves to the score. ``--million``: one million rows of 50 discrete columns, and nothing else.
"""

from __future__ import annotations

import argparse
import time
import warnings
from typing import Any

import numpy as np

import hccd
from benchmarks.report import RESULTS
from benchmarks.workloads import gaussian, network, random_network

#: Column, and the options of ``hccd.discover`` behind it.
METHODS: dict[str, dict[str, Any]] = {
    "PC": {"method": "pc"},
    "HCCD, tests alone": {"scoring": "none"},
    "HCCD, default": {},
}


def best_of(repeats: int, data: Any, options: dict[str, Any]) -> tuple[float, float]:
    """Return the CPU seconds of the quickest run, and the seconds of its score."""
    found = []
    for _ in range(repeats):
        start = time.process_time()
        result = hccd.discover(data, bootstrap="none", n_jobs=1, **options)
        taken = time.process_time() - start
        # A run notes seconds of the clock: on a busy machine only their proportions mean something.
        found.append((taken, taken * result.seconds.get("score", 0.0) / result.seconds["total"]))
    return min(found)


def main(arguments: list[str]) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks score-cost", description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="", help="workloads whose name has this text")
    parser.add_argument("--million", action="store_true", help="one million rows and 50 columns: a minute each")
    chosen = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    print(f"| CPU ms | {' | '.join(METHODS)} | of it the score | default / PC |")
    print("|---|" + "---:|" * (len(METHODS) + 2))
    continuous = [(gaussian(n, 3), hccd.FisherZ(0.01)) for n in (100, 200, 1000, 5000)]
    names = ("alarm", "hepar2", "win95pts", "munin1", "pathfinder")
    discrete = [(network(name, rows), hccd.GTest(0.05)) for rows in (500, 5000) for name in names]
    million = [(random_network(50, 4, 1_000_000), hccd.GTest(0.05))]
    for workload, test in million if chosen.million else continuous + discrete:
        if chosen.only not in workload.name:
            continue
        data = np.load(workload.files(RESULTS / "workloads")[0])
        times = {label: best_of(chosen.repeats, data, {"test": test, **options}) for label, options in METHODS.items()}
        cells = [f"{1e3 * seconds:.1f}" for seconds, _ in times.values()]
        score = times["HCCD, default"][1]
        ratio = times["HCCD, default"][0] / times["PC"][0]
        print(f"| {workload.name} | {' | '.join(cells)} | {1e3 * score:.1f} | {ratio:.1f} |", flush=True)


if __name__ == "__main__":
    main([])
