"""Interrupt runs at random moments and call them again: do they go on, and do they end with the same bytes.

    python -m benchmarks kills [--kills 200] [--minutes 60]

``hccd learn`` as a process, on tables whose runs take some seconds: in the tests, in the score, in the resamples. A run
gets SIGINT, SIGTERM or SIGKILL at a moment that is drawn evenly from as long as it takes, and the same command is
called again, until it is through; its graph.json must be that of a run that was left alone, but for ``seconds``. The
log of the run tells in which stage it was interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.estimates import gaussian, network, scale_free


def factor(n: int, rows: int) -> Any:
    """Sample columns with one common cause: all depend on all, through many orders of tests."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(rows, 1)) + rng.normal(size=(rows, n))


#: A table, and the options of ``hccd learn``.
RUNS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "scale-free, 120 variables: score, resamples": (scale_free(120, 3, 1000), ("--bootstrap", "15")),
    "Gaussian, 80 variables, 8 neighbours: score": (gaussian(80, 8, 2000), ("--bootstrap", "none")),
    "Gaussian, 40 variables: resamples": (gaussian(40, 4, 1000), ("--bootstrap", "200")),
    "PATHFINDER, 500 rows: score, resamples": (network("pathfinder", 500), ("--bootstrap", "10")),
    "one factor, 24 variables: tests": (lambda: factor(24, 1500), ("--max-order", "6", "--scoring", "none")),
}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
#: Stages of the log by what a reader calls them; what comes before them all is reading.
STAGES = {"score": "score", "bootstrap": "resamples", "": "before"}


def main(arguments: list[str]) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=20.0, help="begin no run later than this")
    parser.add_argument("--seed", type=int, default=1, help="of the moments and the signals")
    chosen = parser.parse_args(arguments)
    chance = random.Random(chosen.seed)
    # A shell turns interrupts off for what it starts in the background.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    end = time.monotonic() + 60.0 * chosen.minutes
    print("| run | seconds | interruptions: signals | stages | continued | ended otherwise than told | identical |")
    print("|---|---:|---|---|---:|---:|---:|")
    for number, (name, (sample, options)) in enumerate(RUNS.items()):
        limit = time.monotonic() + (end - time.monotonic()) / (len(RUNS) - number)
        with tempfile.TemporaryDirectory() as folder:
            cells = interrupted(Path(folder), sample(), options, chosen.kills // len(RUNS), limit, chance)
            print(f"| {name} | {cells} |", flush=True)


def interrupted(
    folder: Path, values: Any, options: tuple[str, ...], kills: int, limit: float, chance: random.Random
) -> str:
    """Return the cells of a row."""
    table = folder / "table.csv"
    names = ",".join(f"v{i}" for i in range(values.shape[1]))
    np.savetxt(table, values, delimiter=",", header=names, comments="", fmt="%.9g")
    command = [sys.executable, "-m", "hccd", "learn", str(table), "--no-report", *options, "--out"]
    began = time.monotonic()
    subprocess.run([*command, str(folder / "whole")], check=True, capture_output=True, env=_environment())
    whole = time.monotonic() - began
    signals: Counter[str] = Counter()
    stages: Counter[str] = Counter()
    runs = identical = otherwise = continued = 0
    while signals.total() < kills and time.monotonic() < limit:
        out, log = folder / f"run{runs}", folder / f"run{runs}.log"
        runs += 1
        while True:
            process = subprocess.Popen(
                [*command, str(out), "--log", str(log)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=_environment(),
            )  # fmt: skip
            wait = chance.uniform(0.0, whole) if signals.total() < kills else None
            stop = chance.choice(SIGNALS)
            try:
                _, said = process.communicate(timeout=wait)
                stopped = False
            except subprocess.TimeoutExpired:
                process.send_signal(stop)
                _, said = process.communicate()
                stopped = True
            continued += "continuing the interrupted run" in said
            if process.returncode == 0:
                break
            # A signal that comes while Python starts or ends finds nobody to handle it.
            expected = {-signal.SIGKILL} if stop == signal.SIGKILL else {130, -stop}
            if not stopped or process.returncode not in expected:
                otherwise += 1
                print(f"exit code {process.returncode} after {stop.name}: {said[-300:]}", file=sys.stderr)
                if not stopped:
                    break
            signals[stop.name] += 1
            stages[_stage(log)] += 1
        identical += process.returncode == 0 and _content(out) == _content(folder / "whole")
    told = (", ".join(f"{name} {number}" for name, number in sorted(each.items())) for each in (signals, stages))
    return f"{whole:.0f} | {' | '.join(told)} | {continued} | {otherwise} | {identical} of {runs}"


def _stage(log: Path) -> str:
    """Return the stage that a run was in when it was interrupted."""
    stage = ""
    for line in log.read_text().splitlines() if log.exists() else ():
        event = json.loads(line)
        stage = "" if event["event"] == "start" else event["stage"] if event["event"] == "begin" else stage
    return STAGES.get(stage, "tests")


def _environment() -> dict[str, str]:
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def _content(folder: Path) -> bytes:
    """Return the graph without its times."""
    return re.sub(rb'"seconds": \{[^}]*\}', b"", (folder / "graph.json").read_bytes())


if __name__ == "__main__":
    main([])
