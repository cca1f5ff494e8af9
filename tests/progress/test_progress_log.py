"""The log of a run: one JSON object in each line, with the tests of the result."""

from __future__ import annotations

import json
from datetime import datetime

import numpy as np
import pytest

import hccd
from hccd.cli.main import main
from hccd.errors import InvalidParameterError
from hccd.progress.log import RunLog


def table(n=30):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(400, n))
    values[:, 1:] += 0.8 * values[:, :-1]
    values[:, 4:] += 0.5 * values[:, :-4]
    return values


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class Always:
    """A checkpoint that keeps every state there is, in memory."""

    def __init__(self):
        self.kept = {}

    def resume(self, stage, key, read):
        return read(self.kept[stage]) if stage in self.kept else None

    def due(self, stage, *, finished=False):
        return True

    def save(self, stage, key, state):
        self.kept[stage] = {name: np.array(array) for name, array in state.to_arrays().items()}


def test_the_log_says_what_the_result_says(tmp_path):
    path = tmp_path / "run.log"
    kept = Always()
    result = hccd.discover(table(), log=path, bootstrap=5, checkpoint=kept)
    lines = lines_of(path)
    assert lines[0]["event"] == "start" and lines[0]["version"] == hccd.__version__ and "dashboard" not in lines[0]
    assert lines[-1]["event"] == "done"
    assert [line["seconds"] for line in lines] == sorted(line["seconds"] for line in lines)
    assert all(datetime.fromisoformat(line["time"]).utcoffset().total_seconds() == 0 for line in lines)
    begun = [line["stage"] for line in lines if line["event"] == "begin"]
    assert begun == [line["stage"] for line in lines if line["event"] == "stage"]
    assert begun[:2] == ["marginal", "clustering"] and begun[-3:] == ["orientation", "score", "bootstrap"]
    # Levels and unconditional tests are all tests before the orientation.
    levels = [line for line in lines if line["event"] == "level"]
    search = [by_order for stage, by_order in result.tests.by_stage.items() if stage in ("leaf", "between", "refine")]
    assert sum(line["tests"] for line in levels) == sum(sum(by_order[1:]) for by_order in search) > 0
    for line in levels:
        assert line["pairs"] > 0 and line["order"] >= 1 and line["memory"] > 10**7
    clusters = [line for line in lines if line["event"] == "cluster"]
    assert sum(line["tests"] for line in clusters) == sum(result.tests.by_cluster)
    assert max(line["variables"] for line in clusters) == 30
    (told,) = (line for line in lines if line["event"] == "result")
    assert told["tests"] == result.tests.total and told["edges"] == len(result.edges())
    states = [line for line in lines if line["event"] == "state"]
    assert {line["stage"] for line in states} == {"search", "score", "bootstrap"}
    assert all(line["bytes"] > 0 for line in states)


def test_a_run_that_goes_on_writes_below(tmp_path):
    path = tmp_path / "run.log"

    def stop(event):
        if event.stage == "bootstrap" and event.done == 3:
            raise RuntimeError("enough")

    kept = Always()
    with pytest.raises(RuntimeError, match="enough"):
        hccd.discover(table(), log=path, bootstrap=5, checkpoint=kept, progress=stop)
    assert lines_of(path)[-1]["error"] == "enough"
    hccd.discover(table(), log=path, bootstrap=5, checkpoint=kept)
    lines = lines_of(path)
    assert [line["event"] for line in lines].count("start") == 2 and lines[-1]["event"] == "done"
    assert "3 resamples are done" in [line.get("taken_up") for line in lines]


def test_the_result_does_not_know_of_the_log(tmp_path):
    with_log, without = (hccd.discover(table(8), log=log).to_dict() for log in (tmp_path / "run.log", None))
    assert with_log | {"seconds": {}} == without | {"seconds": {}}


def test_a_log_that_cannot_be_written(tmp_path, capsys):
    with pytest.raises(InvalidParameterError, match=r"the log '.*' cannot be written \(.*\): choose another file"):
        hccd.discover(table(8), log=tmp_path / "nowhere" / "run.log")
    with pytest.raises(InvalidParameterError, match="log is 3; give the name of a file"):
        hccd.discover(table(8), log=3)
    np.savetxt(tmp_path / "t.csv", table(4), delimiter=",", header="a,b,c,d", comments="")
    command = ["learn", str(tmp_path / "t.csv"), "--log", str(tmp_path), "--out", str(tmp_path / "out")]
    assert main(command) == 2
    assert capsys.readouterr().err.startswith(f"error: the log '{tmp_path}' cannot be written (")


def test_a_full_disk_ends_the_log_and_not_the_run(tmp_path):
    notes = []
    log = RunLog("/dev/full", notes.append)
    log.start()
    log.write("note", text="lost")
    log.end(None)
    assert len(notes) == 1 and notes[0].startswith("the log '/dev/full' cannot be continued (No space left on device)")
