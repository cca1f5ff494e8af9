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

SOURCES = str(Path(__file__).parents[2] / "src")

# The command line as it is, but with a state every tenth of a second: the run itself takes a second or two.
HASTY = """
import sys
from functools import partial
from hccd.cli.tasks import learn as run
from hccd.cli.main import main
run.CheckpointFolder = partial(run.CheckpointFolder, every=0.1)
sys.exit(main(sys.argv[1:]))
"""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs signals")]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Twenty columns with one common cause: everything depends on everything, through many orders."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(1500, 1)) + rng.normal(size=(1500, 20))
    path = tmp_path_factory.mktemp("data") / "factor.csv"
    np.savetxt(path, values, delimiter=",", header=",".join(f"v{i}" for i in range(20)), comments="")
    return path


def start(table, out, *more):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HCCD_")}
    return subprocess.Popen(
        [sys.executable, "-c", HASTY, "learn", table, "--max-order", "6", "--out", out, *more],
        env={**environment, "PYTHONPATH": SOURCES}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
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
    assert (process.returncode, err) == (0, "")
    assert {path.name for path in folder.iterdir()} == {"graph.json", "report.html"}
    return content(folder)


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_runs_are_taken_up(table, whole, tmp_path, seed):
    chance = random.Random(seed)
    resumed = calls = 0
    while True:
        before = states(tmp_path)
        process = start(table, tmp_path, "--jobs", chance.choice("12"))
        calls += 1
        stop = chance.choice([signal.SIGINT, signal.SIGKILL])
        if calls <= 3:
            wait_for_state(process, tmp_path, before)
            try:
                process.wait(chance.uniform(0.0, 0.8))
            except subprocess.TimeoutExpired:
                process.send_signal(stop)
        _, err = process.communicate(timeout=120)
        resumed += "going on with the run that was interrupted" in err
        # A signal may come when everything is written and Python is about to end.
        if process.returncode == 0 or (tmp_path / "report.html").exists():
            break
        if (tmp_path / "graph.json").exists():
            continue
        assert process.returncode == (130 if stop == signal.SIGINT else -signal.SIGKILL), err
        if stop == signal.SIGINT:
            assert err.endswith("error: interrupted\n") and "the same command goes on from there" in err
    assert resumed >= 1
    assert content(tmp_path) == whole
    if process.returncode == 0:
        assert {path.name for path in tmp_path.iterdir()} == {"graph.json", "report.html"}


def test_other_options_in_the_same_folder(table, tmp_path):
    process = start(table, tmp_path)
    wait_for_state(process, tmp_path, {})
    process.kill()
    process.communicate(timeout=60)
    (state,) = tmp_path.glob(".hccd-partial-*.npz")
    process = start(table, tmp_path, "--max-order", "1")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert err.startswith("note: a run with other data or options was interrupted in ") and err.count("\n") == 1
    assert state.exists() and (tmp_path / "graph.json").exists()
