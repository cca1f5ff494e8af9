"""One process against a Dask cluster of two worker processes: seconds, bytes, and workers that are killed.

    python -m benchmarks distributed [--seconds 60] [--kills 20] [--no-times] [--rows 2000000] [--partitions 8]

The workers are processes of their own on the loopback address; the scheduler is in the process of the client, as
``LocalCluster`` has it. Runs are timed in one process and on the cluster in turn: a bootstrap of about so many seconds,
and a test of the user's own that takes a millisecond of the processor, on few variables and on more. CPU seconds are
those of all processes, what they do while they wait included; *CPU, times as much* is the sum of the cluster to that of
one process, so twice its inverse bounds what two cores can gain. *Sent* is what hccd packed for the workers. The bytes
received are those of the loopback device while nothing else used it, so an upper bound. Then a worker gets SIGKILL at a
random moment of the bootstrap, once in a run.

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
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import norm
from threadpoolctl import threadpool_limits

import hccd
from benchmarks.estimates import gaussian
from benchmarks.streams import KINDS, generated

#: How long a test of the user's own takes, in seconds, and how many resamples make a run to kill workers in.
MILLISECOND, FEW = 1e-3, 150


def slow_test(data: np.ndarray, x: int, y: int, given: tuple[int, ...]) -> float:
    """Test a partial correlation by regression, and be busy for a millisecond in all."""
    end = time.thread_time() + MILLISECOND
    rest = np.column_stack([np.ones(len(data)), data[:, list(given)]])
    a, b = (data[:, v] - rest @ np.linalg.lstsq(rest, data[:, v], rcond=None)[0] for v in (x, y))
    r = a @ b / np.sqrt((a @ a) * (b @ b))
    while time.thread_time() < end:
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

    with (
        LocalCluster(
            host="127.0.0.1", processes=True, n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0",
            silence_logs=50,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):  # fmt: skip
        client.wait_for_workers(2)
        if not chosen.no_times:
            # As the workers have it: numpy is imported before the environment could say so.
            with threadpool_limits(1), tempfile.TemporaryDirectory() as folder:
                _timed(client, folder, chosen.seconds, chosen.repeats)
        if chosen.kills:
            _killed(client, chosen.kills)
        if chosen.rows:
            _partitioned(client, chosen.rows, chosen.partitions)


def _timed(client: Any, folder: str, seconds: float, repeats: int) -> None:
    table = gaussian(100, 6, 1000)()
    per_resample = _timed_run(hccd.discover, table, bootstrap=20, n_jobs=1)[1] / 20
    resamples = max(20, int(seconds / per_resample))
    few, more = gaussian(30, 5, 500)(), gaussian(100, 5, 500)()
    # A run, and how often it is made.
    runs: dict[str, tuple[Any, Callable[..., Any], int]] = {
        f"bootstrap, {resamples} resamples of 100 variables": (
            table, lambda **far: hccd.discover(table, bootstrap=resamples, **far), repeats,
        ),
        "a test of 1 ms, 30 variables": (
            few, lambda **far: hccd.discover(few, slow_test, bootstrap="none", **far), 2 * repeats,
        ),
        "a test of 1 ms, 100 variables": (
            more, lambda **far: hccd.discover(more, slow_test, bootstrap="none", **far), repeats,
        ),
    }  # fmt: skip
    # Workers import what they need before the clock runs.
    hccd.discover(table, bootstrap=8, client=client)
    hccd.discover(few, slow_test, bootstrap="none", client=client)
    workers = list(client.run(os.getpid).values())
    print(
        "| run | one process (s) | two workers (s) | times as fast | CPU: one process (s) | client, scheduler (s) | "
        "workers (s) | ratio | data (MB) | sent (MB) | received (MB) | identical |"
    )
    print(f"|---|{'---:|' * 10}---|")
    for name, (data, run, times) in runs.items():
        found: dict[str, list[float]] = {}
        results = []
        for _ in range(times):
            for where, options in (("alone", {"n_jobs": 1}), ("far", {"client": client})):
                before, began = (_cpu(os.getpid()), sum(map(_cpu, workers)), _loopback()), time.perf_counter()
                log = Path(folder) / "run.log"
                log.unlink(missing_ok=True)
                results.append(_content(run(log=log, **options)))
                seconds = time.perf_counter() - began
                after = (_cpu(os.getpid()), sum(map(_cpu, workers)), _loopback())
                own, theirs, received = (b - a for a, b in zip(before, after, strict=True))
                ended = next(
                    line for line in map(json.loads, log.read_text().splitlines()) if line["event"] == "result"
                )
                for what, value in (
                    ("seconds", seconds), ("own", own), ("theirs", theirs), ("received", received),
                    ("sent", ended.get("bytes_sent", 0)),
                ):  # fmt: skip
                    found.setdefault(f"{where} {what}", []).append(value)
        of = {what: statistics.median(values) for what, values in found.items()}
        cells = [
            f"{of['alone seconds']:.1f}", f"{of['far seconds']:.1f}", f"{of['alone seconds'] / of['far seconds']:.2f}",
            f"{of['alone own']:.1f}", f"{of['far own']:.1f}", f"{of['far theirs']:.1f}",
            f"{(of['far own'] + of['far theirs']) / of['alone own']:.2f}",
            *(f"{size / 1e6:.1f}" for size in (data.nbytes, of["far sent"], of["far received"])),
            "yes" if len(set(results)) == 1 else "NO",
        ]  # fmt: skip
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _cpu(process: int) -> float:
    """Return the CPU seconds of a process so far."""
    import psutil

    times = psutil.Process(process).cpu_times()
    return float(times.user + times.system)


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
