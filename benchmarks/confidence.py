"""What 100 resamples cost: CPU seconds and memory beside those of one run, and of other packages on resamples.

    python -m benchmarks confidence [--resamples 3] [--cap 60] [--only ALARM]

Every run of ours is a process of its own, by default settings, with one BLAS thread: without resamples, with 100 on one
worker, and on two. Other packages give no confidence: they learn ``--resamples`` resamples of the same rows, of which
100 would take 100 times the mean. One resample that takes them more CPU seconds than ``--cap`` is ended.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.implementations import WITH_RESAMPLES, WITHOUT
from benchmarks.measure import run_child
from benchmarks.store import DONE, Record
from benchmarks.workloads import Workload, gaussian, network
from hccd.studies.peer_script import PEERS as METHODS
from hccd.studies.peer_server import PeerServer
from hccd.tables.resamples import drawn

#: Name, table, and whether other packages learn it too.
CASES: tuple[tuple[str, Workload, bool], ...] = (
    ("ALARM, 2,000 rows", network("alarm", 2000), True),
    ("Gaussian, n 100, 1,000 rows", gaussian(100, 3), True),
    ("Gaussian, n 1,000, 1,000 rows", gaussian(1000, 3), False),
)
PEERS = ("causal-learn PC", "pgmpy hill climbing")
RESAMPLES = 100
#: Seconds of the processor after which a run of ours is ended.
OUR_CAP = 600.0


def main(arguments: Sequence[str]) -> int:
    """Print the two tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks confidence", description=__doc__)
    parser.add_argument("--resamples", type=int, default=3)
    parser.add_argument("--cap", type=float, default=60.0)
    parser.add_argument("--only", default="", help="tables whose name has this word")
    given = parser.parse_args(arguments)
    chosen = [case for case in CASES if given.only in case[0]]
    cost = [
        "| table | CPU s, one run | with 100 resamples | of these, resamples | two workers | MB, one run "
        "| with 100 resamples | two workers | memory, ratio | same result |",
        f"|---|{'---:|' * 9}",
    ]
    beside = [
        "| table | package | CPU s, one resample | 100 resamples | ours, 100 | ratio |",
        f"|---|---|{'---:|' * 4}",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for name, workload, compared in chosen:
            data, truth = workload.files(Path(folder))
            task = {"data": str(data), "truth": str(truth), "kind": workload.kind}
            runs = [
                run_child(sys.executable, {**task, "implementation": each}, OUR_CAP)
                for each in (WITHOUT, *WITH_RESAMPLES)
            ]
            if any(run["status"] != DONE for run in runs):
                cost.append(f"| {name} | {runs} |")
                continue
            cost.append(f"| {name} | {' | '.join(cost_cells(*runs))} |")
            for peer in PEERS if compared else ():
                took = taken(peer, np.load(data), workload.kind, given.resamples, given.cap)
                beside.append(f"| {name} | {peer} | {' | '.join(ratio_cells(took, given.cap, runs[1]['cpu_s']))} |")
    print("\n".join([*cost, "", *beside]))
    return 0


def cost_cells(without: Record, one: Record, two: Record) -> list[str]:
    """Return CPU seconds, megabytes, and whether both numbers of workers ended with the same bytes."""
    seconds = [
        f"{each:.2f}" for each in (without["cpu_s"], one["cpu_s"], one["cpu_s"] - without["cpu_s"], two["cpu_s"])
    ]
    megabytes = [run["peak_mb"] for run in (without, one, two)]
    ratio = f"{max(megabytes[1:]) / megabytes[0]:.2f}"
    return [
        *seconds,
        *(f"{each:.0f}" for each in megabytes),
        ratio,
        "yes" if one["outcome"] == two["outcome"] else "NO",
    ]


def taken(peer: str, data: Any, kind: str, resamples: int, cap: float) -> float | str | None:
    """Return the mean CPU seconds of a package on resamples; None if one takes longer than the cap; or what failed."""
    server, seconds = PeerServer(), []
    if METHODS[peer].package not in server.versions():
        return "not installed"
    try:
        for k in range(resamples):
            rows = np.repeat(np.arange(len(data)), drawn(0, k, len(data)).astype(np.int64))
            found = server.learn(peer, np.ascontiguousarray(data[rows]), kind, cap)
            if "seconds" not in found:
                return None if "late" in found else str(found["error"])
            seconds.append(found["seconds"])
    finally:
        server.close()
    return float(np.mean(seconds))


def ratio_cells(took: float | str | None, cap: float, own: float) -> list[str]:
    """Return what one resample and 100 take, ours, and the ratio."""
    if isinstance(took, str):
        return [took, "", f"{own:.2f}", ""]
    bound, value = ("> ", cap) if took is None else ("", took)
    return [
        f"{bound}{value:.2f}",
        f"{bound}{RESAMPLES * value:.0f}",
        f"{own:.2f}",
        f"{bound}{RESAMPLES * value / own:.0f}",
    ]
