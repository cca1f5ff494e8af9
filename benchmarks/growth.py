"""How time and memory grow with the number of variables, stage by stage, the score included.

    python -m benchmarks growth [--variables 1000 2000 5000 10000 20000] [--workers 1]

The paper's generator, connectivity 3, 1000 rows, read from a CSV file as ``hccd learn`` reads it; each run in a process
of its own, by default and by the tests alone (``scoring="none"``). CPU seconds: a run notes seconds of the clock by
stage, and the CPU seconds of the whole run are parted by them. Peak memory is that of the process, imports included.
The files of 20,000 variables take half a gigabyte.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import RESULTS
from benchmarks.timed_run import peak_megabytes
from benchmarks.workloads import gaussian

VARIABLES = (1000, 2000, 5000, 10_000, 20_000)
#: Stages as a run notes them, in columns of the table.
TESTS = ("learning", "clustering", "orientation")
MARK = "MEASURED "


def as_csv(data: Path) -> Path:
    """Return the table as a CSV file, written if it is not there."""
    path = data.with_suffix(".csv")
    if not path.exists():
        values = np.load(data)
        unfinished = path.with_suffix(".unfinished")
        names = ",".join(f"x{i}" for i in range(values.shape[1]))
        np.savetxt(unfinished, values, fmt="%.6g", delimiter=",", header=names, comments="")
        unfinished.replace(path)
    return path


def measured(path: Path, scoring: str, workers: int) -> dict[str, Any]:
    """Read, learn and write in this process; return CPU seconds by stage, and the peak memory in megabytes."""
    import hccd

    started, clock = time.process_time(), time.perf_counter()
    table = hccd.read_table(path)
    read = time.process_time()
    began = time.perf_counter()
    result = hccd.discover(table, test=hccd.FisherZ(0.01), scoring=scoring, bootstrap="none", n_jobs=workers)
    learned = time.process_time()
    # What is not a stage by itself is checking the columns and the like, and is counted with the tests.
    share = (learned - read) / (time.perf_counter() - began)
    seconds = {stage: share * taken for stage, taken in result.seconds.items()}
    with tempfile.TemporaryDirectory() as folder:
        written = time.process_time()
        result.save(Path(folder) / "graph.json")
        written = time.process_time() - written
    score, fit = seconds.get("score", 0.0), seconds.get("fit", 0.0)
    return {
        "reading": read - started,
        "tests": learned - read - score - fit,
        "score": score,
        "fit": fit,
        "graph.json": written,
        "all": time.process_time() - started,
        "wall": time.perf_counter() - clock,
        "peak": peak_megabytes(),
        "edges": len(result.edges()),
    }


def in_process(path: Path, scoring: str, workers: int) -> dict[str, Any]:
    """Do the same in a process of its own, with BLAS at as many threads as there are workers."""
    threads = {name: str(workers) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
    task = [sys.executable, "-m", "benchmarks", "growth", "--one", str(path), scoring, "--workers", str(workers)]
    done = subprocess.run(task, capture_output=True, text=True, check=True, env={**os.environ, **threads})
    return dict(json.loads(next(line for line in done.stdout.splitlines() if line.startswith(MARK))[len(MARK) :]))


def main(arguments: list[str]) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth", description=__doc__)
    parser.add_argument("--variables", type=int, nargs="+", default=VARIABLES)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--one", nargs=2, metavar=("CSV", "SCORING"), help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    if chosen.one:
        print(MARK + json.dumps(measured(Path(chosen.one[0]), chosen.one[1], chosen.workers)))
        return
    stages = ("reading", "tests", "score", "fit", "graph.json", "all")
    names = [*stages, "clock, s", "peak MB", "tests alone, all", "tests alone, peak MB", "score / (reading + tests)"]
    print(f"| variables | edges | {' | '.join(names)} |")
    print("|---|" + "---:|" * (len(names) + 1))
    for n in chosen.variables:
        path = as_csv(gaussian(n, 3).files(RESULTS / "workloads")[0])
        run, alone = (in_process(path, scoring, chosen.workers) for scoring in ("auto", "none"))
        cells = [f"{run[stage]:.2f}" for stage in stages] + [f"{run['wall']:.1f}", f"{run['peak']:,.0f}"]
        cells += [f"{alone['all']:.2f}", f"{alone['peak']:,.0f}"]
        cells.append(f"{run['score'] / (run['reading'] + run['tests']):.2f}")
        print(f"| {n:,} | {run['edges']:,} | {' | '.join(cells)} |", flush=True)
