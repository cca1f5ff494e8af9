"""``hccd learn`` as a process that is interrupted or killed at random moments, and called again until it is through."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

if sys.platform != "win32":
    from resource import RLIMIT_FSIZE, setrlimit

from hccd.datasets import LinearGaussian, random_dag

SOURCES = str(Path(__file__).parents[2] / "src")

# The command line as it is, but with a state every tenth of a second: the run itself takes some seconds.
HASTY = """
import sys
from functools import partial
from hccd.cli.tasks import learn as run
from hccd.cli.main import main
run.CheckpointFolder = partial(run.CheckpointFolder, every=0.1)
sys.exit(main(sys.argv[1:]))
"""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs signals")]


def factor(rng):
    """Columns with one common cause: everything depends on everything, through many orders of tests."""
    return rng.normal(size=(1500, 1)) + rng.normal(size=(1500, 26))


def dense(rng):
    """A network of many neighbours: a tenth of a second for the tests, and some for the score."""
    return LinearGaussian.random(random_dag(110, 8, rng).dag, rng).sample(2000, rng)


@pytest.fixture(scope="module", params=[factor, dense])
def table(request, tmp_path_factory):
    values = request.param(np.random.default_rng(0))
    path = tmp_path_factory.mktemp("data") / "table.csv"
    names = ",".join(f"v{i}" for i in range(values.shape[1]))
    np.savetxt(path, values, delimiter=",", header=names, comments="")
    return path


def start(table, out, *more, largest=None):
    """Begin a run; ``largest`` is the size of the largest file that it can write, in bytes."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HCCD_")}
    return subprocess.Popen(
        [sys.executable, "-c", HASTY, "learn", table, "--max-order", "6", "--out", out, *more],
        env={**environment, "PYTHONPATH": SOURCES}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=None if largest is None else lambda: setrlimit(RLIMIT_FSIZE, (largest, largest)),
    )  # fmt: skip


def content(folder):
    text, found = re.subn(rb'"seconds": \{[^}]*\}', b"", (folder / "graph.json").read_bytes())
    assert found == 1
    return text


def states(folder):
    return {path.name: path.stat().st_mtime_ns for path in folder.glob(".hccd-partial-*.npz")}


def wait_for_state(process, folder, before):
    """Wait until the run has left a state after that of ``before``, or is through."""
    while process.poll() is None and states(folder) == before:
        time.sleep(0.02)


@pytest.fixture(scope="module")
def whole(table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    process = start(table, folder)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0 and "going on" not in err
    assert {path.name for path in folder.iterdir()} == {"graph.json", "report.html"}
    return content(folder)


def test_killed_runs_are_taken_up(table, whole, tmp_path):
    chance = random.Random(1)
    resumed = calls = 0
    while True:
        before = states(tmp_path)
        process = start(table, tmp_path, "--jobs", chance.choice("12"))
        calls += 1
        stop = chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        if calls <= 3:
            wait_for_state(process, tmp_path, before)
            try:
                # The first signal comes at once, so that a fast machine is not through before it.
                process.wait(chance.uniform(0.0, 0.8) if calls > 1 else 0.0)
            except subprocess.TimeoutExpired:
                process.send_signal(stop)
        _, err = process.communicate(timeout=120)
        resumed += "continuing the interrupted run" in err
        # A signal may come when everything is written and Python is about to end.
        if process.returncode == 0 or (tmp_path / "report.html").exists():
            break
        if (tmp_path / "graph.json").exists():
            continue
        assert process.returncode == (-signal.SIGKILL if stop == signal.SIGKILL else 130), err
        if stop != signal.SIGKILL:
            assert err.endswith("error: interrupted\n") and "repeat the command to continue" in err, err
    assert resumed >= 1
    assert content(tmp_path) == whole
    if process.returncode == 0:
        assert {path.name for path in tmp_path.iterdir()} == {"graph.json", "report.html"}


def test_other_options_in_the_same_folder(table, tmp_path):
    process = start(table, tmp_path)
    wait_for_state(process, tmp_path, {})
    process.kill()
    process.communicate(timeout=60)
    kept = set(tmp_path.glob(".hccd-partial-*.npz"))
    process = start(table, tmp_path, "--alpha", "0.001", "--max-order", "1")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert err.count("note: a run with other data or options, or of another version of hccd, was interrupted in ") == 1
    assert kept <= set(tmp_path.iterdir()) and (tmp_path / "graph.json").exists()


def test_no_room_for_the_graph(tmp_path):
    """The command says so, keeps the states, and goes on with them when there is room."""
    rng, table = np.random.default_rng(3), tmp_path / "table.csv"
    values = LinearGaussian.random(random_dag(60, 4, rng).dag, rng).sample(500, rng)
    np.savetxt(table, values, delimiter=",", header=",".join(f"v{i}" for i in range(60)), comments="")
    options = ("--bootstrap", "60", "--no-report")
    process = start(table, tmp_path / "alone", *options)
    process.communicate(timeout=120)
    largest = (tmp_path / "alone" / "graph.json").stat().st_size // 2
    out = tmp_path / "out"
    process = start(table, out, *options, largest=largest)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2 and {path.suffix for path in out.iterdir()} == {".npz"}, err
    assert err.splitlines()[-2:] == [
        f"note: the state of the run is saved in {out}: repeat the command to continue",
        f"error: there is no room for the files of the run in '{out}' (File too large): make room and repeat the "
        "command",
    ]
    process = start(table, out, *options)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0 and "continuing the interrupted run" in err
    assert content(out) == content(tmp_path / "alone")
