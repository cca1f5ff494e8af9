"""Kill runs at random moments and call them again: do they go on, and do they end with the same bytes.

    python -m benchmarks kills [--kills 60] [--minutes 20]

``hccd learn`` as a process, on tables whose runs take some seconds, some in the tests and most in the score. A run gets
SIGKILL at a moment that is drawn evenly from as long as it takes, and the same command is called again, until it is
through; its graph.json must be that of a run that was left alone, but for ``seconds``.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
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
    "scale-free, 300 variables: the score": (scale_free(300, 3, 1000), ()),
    "Gaussian, 150 variables, 8 neighbours: the score": (gaussian(150, 8, 10_000), ()),
    "PATHFINDER, 2,000 rows: tests and score": (network("pathfinder", 2000), ()),
    "one factor, 22 variables: tests": (lambda: factor(22, 1500), ("--max-order", "6", "--scoring", "none")),
}


def main(arguments: list[str]) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=20.0, help="begin no run later than this")
    chosen = parser.parse_args(arguments)
    chance = random.Random(1)
    end = time.monotonic() + 60.0 * chosen.minutes
    print("| run | seconds | kills | went on | of those killed after 2 s | identical |")
    print("|---|---:|---:|---:|---:|---:|")
    for number, (name, (sample, options)) in enumerate(RUNS.items()):
        limit = time.monotonic() + (end - time.monotonic()) / (len(RUNS) - number)
        with tempfile.TemporaryDirectory() as folder:
            print(
                f"| {name} | {killed(Path(folder), sample(), options, chosen.kills // len(RUNS), limit, chance)} |",
                flush=True,
            )


def killed(folder: Path, values: Any, options: tuple[str, ...], kills: int, limit: float, chance: random.Random) -> str:
    """Return the cells of a row."""
    table = folder / "table.csv"
    names = ",".join(f"v{i}" for i in range(values.shape[1]))
    np.savetxt(table, values, delimiter=",", header=names, comments="", fmt="%.9g")
    command = [sys.executable, "-m", "hccd", "learn", str(table), "--no-report", *options, "--out"]
    began = time.monotonic()
    subprocess.run([*command, str(folder / "whole")], check=True, capture_output=True, env=_environment())
    whole = time.monotonic() - began
    made = judged = went_on = late = late_went_on = runs = identical = 0
    while made < kills and time.monotonic() < limit:
        out = folder / f"run{runs}"
        runs += 1
        after: float | None = None
        while True:
            process = subprocess.Popen(
                [*command, str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=_environment()
            )
            wait = chance.uniform(0.0, whole) if made < kills else None
            try:
                _, said = process.communicate(timeout=wait)
            except subprocess.TimeoutExpired:
                process.kill()
                _, said = process.communicate()
            # Who is killed before the search says nothing of the kill before: the next call will.
            if after is not None and (process.returncode == 0 or "going on" in said):
                resumed = "going on with the run that was interrupted" in said
                judged += 1
                went_on += resumed
                late += after > 2.0
                late_went_on += after > 2.0 and resumed
                after = None
            if process.returncode == 0:
                break
            if wait is not None:
                made += 1
                after = max(after or 0.0, wait)
        identical += _content(out) == _content(folder / "whole")
    return f"{whole:.0f} | {made} | {went_on} of {judged} | {late_went_on} of {late} | {identical} of {runs}"


def _environment() -> dict[str, str]:
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def _content(folder: Path) -> bytes:
    """Return the graph without its times."""
    return re.sub(rb'"seconds": \{[^}]*\}', b"", (folder / "graph.json").read_bytes())


if __name__ == "__main__":
    main([])
