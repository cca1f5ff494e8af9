"""A run that is stopped among its resamples goes on there, and ends with the same bytes."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from confidence_cases import table

import hccd

PARTIAL = ".hccd-partial-bootstrap-*.npz"


class Stop(Exception):
    pass


@pytest.fixture(autouse=True)
def saved_every_time(monkeypatch):
    """However long it takes to write next to what is written."""
    monkeypatch.setattr("hccd.checkpoint.folder._SHARE", 1e9)


def saved(result):
    data = result.to_dict()
    del data["seconds"]
    return json.dumps(data)


def stopped_after(columns, folder, done, **options):
    def progress(event):
        if event.stage == "bootstrap" and event.done == done:
            raise Stop

    kept = hccd.CheckpointFolder(folder, every=0.0)
    with pytest.raises(Stop):
        hccd.discover(columns, checkpoint=kept, progress=progress, **options)


@pytest.mark.parametrize("kind", ["numbers", "discrete"])
@pytest.mark.parametrize("workers", [1, 2])
def test_it_goes_on_where_it_was(kind, workers, tmp_path):
    columns = table(kind)
    whole = hccd.discover(columns, bootstrap=10)
    stopped_after(columns, tmp_path, 6, bootstrap=10)
    events = []
    kept = hccd.CheckpointFolder(tmp_path, every=0.0)
    again = hccd.discover(columns, bootstrap=10, checkpoint=kept, progress=events.append, n_jobs=workers)
    assert [event.done for event in events if event.stage == "bootstrap"] == [6, 7, 8, 9, 10]
    assert saved(again) == saved(whole)
    kept.remove()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"bootstrap": 10}, {"bootstrap": 10, "seed": 1}),
        ({"bootstrap": 10}, {"bootstrap": 10, "scoring": "none"}),
        ({"bootstrap": 10}, {"bootstrap": 10, "tiers": [["v0"], ["v1", "v2", "v3", "v4", "v5"]]}),
        # Fewer than have been counted.
        ({"bootstrap": 10}, {"bootstrap": 4}),
    ],
)
def test_other_resamples_begin_anew(first, second, tmp_path):
    columns = table("numbers")
    stopped_after(columns, tmp_path, 6, **first)
    again = hccd.discover(columns, checkpoint=hccd.CheckpointFolder(tmp_path), **second)
    assert saved(again) == saved(hccd.discover(columns, **second))


def test_more_resamples_go_on_from_fewer(tmp_path):
    columns = table("numbers")
    stopped_after(columns, tmp_path, 6, bootstrap=8)
    again = hccd.discover(columns, bootstrap=12, checkpoint=hccd.CheckpointFolder(tmp_path))
    assert saved(again) == saved(hccd.discover(columns, bootstrap=12))


def test_a_damaged_file_is_not_used(tmp_path):
    columns, notes = table("numbers"), []
    stopped_after(columns, tmp_path, 6, bootstrap=10)
    (file,) = tmp_path.glob(PARTIAL)
    file.write_bytes(file.read_bytes()[:-40])
    again = hccd.discover(columns, bootstrap=10, checkpoint=hccd.CheckpointFolder(tmp_path, note=notes.append))
    assert saved(again) == saved(hccd.discover(columns, bootstrap=10))
    assert any("damaged" in note for note in notes)


@pytest.mark.slow
def test_killed_for_real(tmp_path):
    rng = np.random.default_rng(0)
    values = np.cumsum(rng.normal(size=(400, 60)), axis=1)[:, rng.permutation(60)]
    np.savetxt(tmp_path / "data.csv", values, delimiter=",", header=",".join(f"v{i}" for i in range(60)), comments="")
    command = [sys.executable, "-m", "hccd", "learn", "data.csv", "--bootstrap", "600", "--no-report"]
    subprocess.run([*command, "--out", "whole"], cwd=tmp_path, check=True, capture_output=True)
    with subprocess.Popen(
        [*command, "--out", "cut"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        deadline = time.monotonic() + 60
        while not list((tmp_path / "cut").glob(PARTIAL)) and time.monotonic() < deadline and run.poll() is None:
            time.sleep(0.05)
        os.kill(run.pid, signal.SIGKILL)
    if not list((tmp_path / "cut").glob(PARTIAL)):
        pytest.skip("this machine is done before the first save")
    subprocess.run([*command, "--out", "cut"], cwd=tmp_path, check=True, capture_output=True)
    one, other = (json.loads((tmp_path / name / "graph.json").read_text()) for name in ("whole", "cut"))
    del one["seconds"], other["seconds"]
    assert one == other and not list((tmp_path / "cut").glob(".hccd*"))
