"""Streams as a process: the command, and its memory."""

import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from stream_cases import numbers, written, written_parts

_PEAK = """
import sys, warnings
warnings.simplefilter("ignore")
import hccd
hccd.discover(hccd.stream(sys.argv[1]), bootstrap=20)
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""


@pytest.mark.slow
def test_the_command_streams_a_folder(tmp_path):
    columns = numbers(60_000)
    place = written_parts(tmp_path / "data", columns, 30_000)
    command = [sys.executable, "-m", "hccd", "learn", str(place), "--stream", "--drop", "v1", "--json"]
    ran = subprocess.run([*command, "--out", str(tmp_path / "out")], capture_output=True, text=True, check=True)
    assert "note: 60,000 rows of the folder" in ran.stderr and "were streamed" in ran.stderr
    assert "warning: 60,000" not in ran.stderr
    graph = json.loads((tmp_path / "out" / "graph.json").read_text())
    assert graph["parameters"]["streamed"]["rows"] == 60_000 and graph["parameters"]["n_samples"] == 60_000
    assert "were streamed" in graph["warnings"][0]["sentence"] and graph["warnings"][0]["kind"] == "streamed"
    # The same data may be learned from again into the same folder, others not.
    subprocess.run([*command, "--out", str(tmp_path / "out")], capture_output=True, text=True, check=True)
    written(place / "p1.parquet", pa.table(columns).slice(31_000, 29_000))
    other = subprocess.run([*command, "--out", str(tmp_path / "out")], capture_output=True, text=True, check=False)
    assert other.returncode == 2 and "is a graph of other data" in other.stderr


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
def test_memory_does_not_grow_with_the_rows(tmp_path):
    peaks = []
    for n_rows in (1 << 18, 1 << 22):
        file = tmp_path / f"{n_rows}.parquet"
        schema = pa.schema([(f"x{i}", pa.float32()) for i in range(20)])
        with parquet.ParquetWriter(file, schema, compression="none") as writer:
            for start in range(0, n_rows, 1 << 17):
                values = np.random.default_rng(start).standard_normal((20, 1 << 17), np.float32)
                values[1:] += 0.5 * values[:-1]
                writer.write_batch(pa.record_batch(list(map(pa.array, values)), schema=schema))
        ran = subprocess.run([sys.executable, "-c", _PEAK, str(file)], capture_output=True, text=True, check=True)
        peaks.append(int(ran.stdout.split()[-1]) / 1024)
        file.unlink()
    # The larger table has 340 MB as it lies there and 670 MB as numbers.
    assert peaks[1] < peaks[0] + 200 and peaks[1] < 1024
