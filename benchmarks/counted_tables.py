"""Rows of states of which the distinct ones do not fit: what the score search on a sample is worth.

Rows are drawn from networks of the package and learned from three times: in memory; and streamed without keeping
distinct rows, once with the score search on the sample and once by tests alone. Errors are those of the equivalence
class: adjacencies (missing and extra edges) and directions.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import hccd
from hccd.datasets.networks import load_network
from hccd.metrics import shd

NETWORKS = ("alarm", "insurance", "win95pts", "hailfinder")


def main(arguments: list[str]) -> int:
    """Compare the three on each network."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks counted-tables", description=__doc__)
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--network", action="append", help="one of the package; several times for more")
    wanted = parser.parse_args(arguments)
    print("| network | rows | how | errors | adjacencies | directions | tests | passes | CPU s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in wanted.network or NETWORKS:
        with tempfile.TemporaryDirectory() as folder:
            _compare(name, wanted.rows, Path(folder))
    return 0


def _compare(name: str, n_rows: int, folder: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    network = load_network(name)
    codes = network.sample(n_rows, 1)
    file = folder / "rows.parquet"
    parquet.write_table(pa.table({f"v{i}": column.astype(np.uint8) for i, column in enumerate(codes.T)}), file)
    del codes
    table = hccd.read_table(file)
    # No distinct rows are kept, whatever their number is.
    none_kept = patch("hccd.run.streamed.Streamed._distinct_rows", lambda *_: None)
    for how, data, options in (
        ("in memory", table, {}),
        ("streamed, score on the sample", hccd.stream(file), {}),
        ("streamed, tests alone", hccd.stream(file), {"scoring": "none"}),
    ):
        log = folder / f"{how}.jsonl"
        start = time.process_time()
        with none_kept, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result: Any = hccd.discover(data, test="g", bootstrap="none", log=log, **options)
        spent = time.process_time() - start
        found = shd(result.graph, network.cpdag())
        notes = [json.loads(line).get("text", "") for line in log.read_text().splitlines()]
        adjacencies = found.missing + found.extra
        print(
            f"| {name} | {n_rows:,} | {how} | {found.total} | {adjacencies} | {found.total - adjacencies} "
            f"| {result.tests.total:,} | {sum('over the rows counts' in note for note in notes)} | {spent:.1f} |",
            flush=True,
        )
