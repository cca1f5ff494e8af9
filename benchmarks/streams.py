"""Rows that do not fit into memory: peak memory, time and throughput of hccd on generated files, beside polars.

Data are generated in batches into one Parquet file, which hccd learns from in a process of its own (``hccd learn
--stream``). Another process sums every column with polars: the least that a pass over the file takes. Throughput is
rows for each second, and for each CPU second, as a share of that of polars. The files are deleted afterwards.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from hccd.parallel import in_threads_in_order

KINDS = ("continuous", "discrete", "mixed")
_BATCH = 1 << 18

_HCCD = """
import json, resource, sys, time
start = time.perf_counter()
from hccd.cli.main import main
try:
    code = main(["learn", sys.argv[1], "--stream", "--out", sys.argv[2], "--quiet", *sys.argv[3:]])
except SystemExit as end:
    code = end.code
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([code or 0, time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""
_POLARS = """
import json, resource, sys, time
start = time.perf_counter()
import polars as pl
pl.scan_parquet(sys.argv[1]).sum().collect(engine="streaming")
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([0, time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""


def generate(file: Path, kind: str, n_rows: int, n_columns: int, seed: int = 0) -> None:
    """Write rows of a random network, a few batches at a time."""
    from pyarrow import parquet

    starts = range(0, n_rows, _BATCH)
    made = in_threads_in_order(
        lambda start: generated(kind, start, min(start + _BATCH, n_rows), n_columns, seed), starts, -1, ahead=1
    )
    writer = None
    for batch in made:
        writer = writer or parquet.ParquetWriter(file, batch.schema, compression="lz4")
        writer.write_batch(batch)
    if writer is not None:
        writer.close()


def generated(kind: str, start: int, end: int, n_columns: int, seed: int = 0) -> Any:
    """Return rows of a random network; ``start`` is the seed of all of them."""
    import pyarrow as pa

    weights = _weights(np.random.default_rng(seed), n_columns)
    states = {"discrete": range(n_columns), "mixed": range(0, n_columns, 5), "continuous": ()}[kind]
    own = np.random.default_rng([seed, start])
    if kind == "discrete":
        columns = _states(own, end - start, n_columns)
    else:
        columns = own.standard_normal((n_columns, end - start), dtype=np.float32)
        for j in range(n_columns):
            for parent in np.flatnonzero(weights[:, j]):
                columns[j] += weights[parent, j] * columns[parent]
            if j in states:
                columns[j] = np.digitize(columns[j], [-0.7, 0.7])
    types = [pa.int8() if i in states else pa.float32() for i in range(n_columns)]
    arrays = [pa.array(np.asarray(own), kind, safe=False) for own, kind in zip(columns, types, strict=True)]
    return pa.record_batch(arrays, names=[f"x{i}" for i in range(n_columns)])


def _weights(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return the effects of a random network with two parents for each variable on average."""
    weights = np.zeros((n, n), np.float32)
    for j in range(1, n):
        parents = rng.choice(j, size=min(j, int(rng.integers(0, 4))), replace=False)
        weights[parents, j] = rng.choice([-0.6, -0.4, 0.4, 0.6], size=len(parents))
    return weights


def _states(rng: np.random.Generator, rows: int, n: int) -> np.ndarray:
    """Return columns of two states, of which most follow another one in all but few rows: rows repeat."""
    columns = (rng.random((n, rows)) < 0.002).astype(np.int8)
    for j in range(n):
        columns[j] = columns[j] ^ columns[(j - 1) // 3] if j >= 8 else rng.integers(0, 2, rows)
    return columns


def measure(file: Path, options: list[str]) -> dict[str, dict[str, float]]:
    """Run both, once in turn each, and return seconds, CPU seconds and the peak of memory in MiB."""
    found = {}
    with tempfile.TemporaryDirectory() as out:
        for name, code, arguments in (("polars", _POLARS, []), ("hccd", _HCCD, [f"{out}/run", *options])):
            made = subprocess.run(
                [sys.executable, "-c", code, str(file), *arguments], capture_output=True, text=True, check=False
            )
            if made.returncode:
                raise RuntimeError(made.stderr)
            failed, wall, cpu, peak = json.loads(made.stdout.strip().splitlines()[-1])
            if failed:
                raise RuntimeError(made.stderr)
            found[name] = {"seconds": wall, "cpu": cpu, "peak_mib": peak / 1024}
        graph = Path(out) / "run" / "graph.json"
        if graph.exists():
            found["stages"] = json.loads(graph.read_text())["seconds"]
    return found


def main(arguments: list[str]) -> int:
    """Measure all kinds of data."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks streams", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--repeats", type=int, default=1, help="both in turn so often; medians are printed")
    parser.add_argument("--folder", type=Path, help="where the files go; they are deleted afterwards")
    parser.add_argument("--option", action="append", default=[], help="an option for hccd learn")
    wanted = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(dir=wanted.folder))
    try:
        print(
            "| data | rows | columns | GB | polars, s (CPU s) | hccd, s (CPU s) | throughput / polars (CPU) | "
            "peak of hccd, MiB |"
        )
        print("|---|---|---|---|---|---|---|---|")
        for kind in wanted.kind or KINDS:
            file = folder / f"{kind}.parquet"
            generate(file, kind, wanted.rows, wanted.columns)
            runs = [measure(file, wanted.option) for _ in range(wanted.repeats)]
            hccd, polars = (
                {what: median(run[name][what] for run in runs) for what in ("seconds", "cpu", "peak_mib")}
                for name in ("hccd", "polars")
            )
            print(
                f"| {kind} | {wanted.rows:,} | {wanted.columns} | {file.stat().st_size / 1e9:.2f} "
                f"| {polars['seconds']:.1f} ({polars['cpu']:.1f}) | {hccd['seconds']:.1f} ({hccd['cpu']:.1f}) "
                f"| {polars['seconds'] / hccd['seconds']:.0%} ({polars['cpu'] / hccd['cpu']:.0%}) "
                f"| {hccd['peak_mib']:.0f} |",
                flush=True,
            )
            print(runs[-1].get("stages"), file=sys.stderr)
            file.unlink()
    finally:
        shutil.rmtree(folder)
    return 0
