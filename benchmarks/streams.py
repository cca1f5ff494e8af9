"""Rows that do not fit into memory: peak memory, time and throughput of hccd on generated files, beside polars.

Data are generated in batches into one Parquet file, which hccd learns from in a process of its own (``hccd learn
--stream``). Another process sums every column with polars: the least that a pass over the file takes. CPU seconds of
both are given. The files are deleted afterwards.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

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
    """Write rows of a random network, batch by batch."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(seed)
    weights = _weights(rng, n_columns)
    names = [f"x{i}" for i in range(n_columns)]
    states = set(range(n_columns)) if kind == "discrete" else set(range(0, n_columns, 5)) if kind == "mixed" else set()
    schema = pa.schema([(name, pa.int8() if i in states else pa.float32()) for i, name in enumerate(names)])
    with parquet.ParquetWriter(file, schema, compression="lz4") as writer:
        for start in range(0, n_rows, _BATCH):
            rows = min(_BATCH, n_rows - start)
            own = np.random.default_rng([seed, start])
            if kind == "discrete":
                columns = _states(own, rows, n_columns)
            else:
                columns = own.standard_normal((n_columns, rows), dtype=np.float32)
                for j in range(n_columns):
                    parents = np.flatnonzero(weights[:, j])
                    columns[j] += weights[parents, j] @ columns[parents]
                    if j in states:
                        columns[j] = np.digitize(columns[j], [-0.7, 0.7])
            arrays = [pa.array(np.asarray(own), schema.field(i).type, safe=False) for i, own in enumerate(columns)]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


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
    parser.add_argument("--folder", type=Path, help="where the files go; they are deleted afterwards")
    parser.add_argument("--option", action="append", default=[], help="an option for hccd learn")
    wanted = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(dir=wanted.folder))
    try:
        print("| data | rows | columns | GB | polars, s (CPU s) | hccd, s (CPU s) | rows / s | peak, MiB |")
        print("|---|---|---|---|---|---|---|---|")
        for kind in wanted.kind or KINDS:
            file = folder / f"{kind}.parquet"
            generate(file, kind, wanted.rows, wanted.columns)
            found = measure(file, wanted.option)
            hccd, polars = found["hccd"], found["polars"]
            print(
                f"| {kind} | {wanted.rows:,} | {wanted.columns} | {file.stat().st_size / 1e9:.2f} "
                f"| {polars['seconds']:.1f} ({polars['cpu']:.1f}) | {hccd['seconds']:.1f} ({hccd['cpu']:.1f}) "
                f"| {wanted.rows / hccd['seconds']:,.0f} | {hccd['peak_mib']:.0f} |",
                flush=True,
            )
            print(found.get("stages"), file=sys.stderr)
            file.unlink()
    finally:
        shutil.rmtree(folder)
    return 0
