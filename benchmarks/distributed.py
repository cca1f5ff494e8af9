"""One process against a Dask cluster of two worker processes: seconds, bytes, and workers that are killed.

    python -m benchmarks distributed [--seconds 60] [--kills 20] [--no-times] [--rows 2000000] [--partitions 8]

The scheduler and its workers are processes of their own on the loopback address. Two runs are timed, in one process and
on the cluster in turn: a bootstrap of about so many seconds, and a test of the user's own that takes a millisecond. The
bytes are those that the workers' machine received on the loopback device while nothing else used it, so an upper bound.
Then a worker gets SIGKILL at a random moment of the bootstrap, once in a run.

Last, hccd learns from Dask DataFrames of 50 columns whose partitions lie on the workers, or are made there when they
are needed: the bytes that were received are set against those of the data.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import norm

import hccd
from benchmarks.estimates import gaussian
from benchmarks.streams import KINDS, generated

#: How long a test of the user's own takes, in seconds, and how many resamples make a run to kill workers in.
MILLISECOND, FEW = 1e-3, 150


def slow_test(data: np.ndarray, x: int, y: int, given: tuple[int, ...]) -> float:
    """Test a partial correlation by regression, and be busy for a millisecond in all."""
    end = time.perf_counter() + MILLISECOND
    rest = np.column_stack([np.ones(len(data)), data[:, list(given)]])
    a, b = (data[:, v] - rest @ np.linalg.lstsq(rest, data[:, v], rcond=None)[0] for v in (x, y))
    r = a @ b / np.sqrt((a @ a) * (b @ b))
    while time.perf_counter() < end:
        pass
    return float(2 * norm.sf(np.sqrt(len(data) - len(given) - 3) * abs(np.arctanh(r))))


def main(arguments: list[str]) -> None:
    """Print two tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks distributed", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the bootstrap in one process")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--no-times", action="store_true", help="time nothing")
    parser.add_argument("--rows", type=int, default=2_000_000, help="of the Dask DataFrames; 0 leaves them out")
    parser.add_argument("--partitions", type=int, default=8)
    chosen = parser.parse_args(arguments)
    from distributed import Client, LocalCluster

    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with (
        LocalCluster(
            host="127.0.0.1", processes=True, n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0",
            silence_logs=50,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):  # fmt: skip
        client.wait_for_workers(2)
        if not chosen.no_times:
            _timed(client, chosen.seconds, chosen.repeats)
        if chosen.kills:
            _killed(client, chosen.kills)
        if chosen.rows:
            _partitioned(client, chosen.rows, chosen.partitions)


def _timed(client: Any, seconds: float, repeats: int) -> None:
    table = gaussian(100, 6, 1000)()
    per_resample = _timed_run(hccd.discover, table, bootstrap=20, n_jobs=1)[1] / 20
    resamples = max(20, int(seconds / per_resample))
    own = gaussian(30, 5, 500)()
    runs: dict[str, Callable[..., Any]] = {
        f"bootstrap, {resamples} resamples of 100 variables": lambda **far: hccd.discover(
            table, bootstrap=resamples, **far
        ),
        "a test of 1 ms, 30 variables": lambda **far: hccd.discover(own, slow_test, bootstrap="none", **far),
    }
    print("| run | one process (s) | two workers (s) | times as fast | data (MB) | received (MB) | identical |")
    print("|---|---:|---:|---:|---:|---:|---|")
    for name, run in runs.items():
        # Workers import what they need before the clock runs.
        run(client=client)
        alone, far, received, results = [], [], [], []
        for _ in range(repeats):
            result, seconds = _timed_run(run, n_jobs=1)
            alone.append(seconds)
            results.append(result)
            before = _loopback()
            result, seconds = _timed_run(run, client=client)
            received.append(_loopback() - before)
            far.append(seconds)
            results.append(result)
        size = (table if "bootstrap" in name else own).nbytes
        first, second = statistics.median(alone), statistics.median(far)
        same = len(set(map(_content, results))) == 1
        print(
            f"| {name} | {first:.1f} | {second:.1f} | {first / second:.2f} | {size / 1e6:.1f} | "
            f"{statistics.median(received) / 1e6:.1f} | {'yes' if same else 'NO'} |",
            flush=True,
        )


def _killed(client: Any, kills: int) -> None:
    """Kill a worker in each run, at a random moment of it."""
    table, chance = gaussian(40, 4, 500)(), random.Random(1)
    expected = _content(hccd.discover(table, bootstrap=FEW, n_jobs=1))
    whole = min(_timed_run(hccd.discover, table, bootstrap=FEW, client=client)[1] for _ in range(3))
    runs = made = identical = 0
    while made < kills and runs < 2 * kills:
        runs += 1
        client.wait_for_workers(2, timeout=120)
        victim = chance.choice(list(client.run(os.getpid).values()))
        timer = threading.Timer(chance.uniform(0.0, whole), os.kill, (victim, signal.SIGKILL))
        timer.start()
        identical += _content(hccd.discover(table, bootstrap=FEW, client=client)) == expected
        made += not timer.is_alive()
        timer.cancel()
        timer.join()
    print(f"\n{runs} runs, a worker killed during {made} of them: {identical} identical")


def _partitioned(client: Any, rows: int, partitions: int) -> None:
    """Learn from data that lie on the workers."""
    from dask import dataframe

    print("\n| data | rows | partitions | MB | loaded | received (MB) | share | identical |")
    print("|---|---:|---:|---:|---|---:|---:|---|")
    bounds = np.linspace(0, rows, partitions + 1).astype(int).tolist()
    for kind in KINDS:
        options = {"kind": kind, "bounds": bounds, "meta": _partition(0, kind, [0, 10])[:0]}
        frame = dataframe.from_map(_partition, range(partitions), **options)
        expected = _content(hccd.discover(hccd.stream(frame), bootstrap="none", n_jobs=1))
        held = client.persist(frame)
        size = sum(client.compute(held.map_partitions(lambda own: own.memory_usage(index=False).sum())).result())
        for loaded, data in (("before", held), ("when needed", frame)):
            before = _loopback()
            result = hccd.discover(hccd.stream(data), bootstrap="none", client=client)
            received = _loopback() - before
            same = _content(result) == expected
            print(
                f"| {kind} | {rows:,} | {partitions} | {size / 1e6:.0f} | {loaded} | {received / 1e6:.1f} "
                f"| {received / size:.1%} | {'yes' if same else 'NO'} |",
                flush=True,
            )


def _partition(which: int, kind: str, bounds: list[int]) -> Any:
    """Make rows of 50 columns, on a worker."""
    return generated(kind, bounds[which], bounds[which + 1], 50).to_pandas()


def _timed_run(run: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Any, float]:
    """Return the result of a run, and its seconds."""
    began = time.perf_counter()
    result = run(*arguments, **options)
    return result, time.perf_counter() - began


def _content(result: Any) -> str:
    data = result.to_dict()
    data.pop("seconds")
    return json.dumps(data, sort_keys=True)


def _loopback() -> int:
    """Return the bytes that the loopback device has received."""
    line = next(line for line in Path("/proc/net/dev").read_text().splitlines() if line.strip().startswith("lo:"))
    return int(line.split(":")[1].split()[0])


if __name__ == "__main__":
    main([])
