"""Measurements survive an interruption, and what has been measured is not measured again."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import measure, report, run, runner
from benchmarks.profiles import Case
from benchmarks.store import DONE, FAILED, STOPPED, known_by, measurements
from benchmarks.workloads import Workload


def workload(name="small", size=10):
    return Workload(name, "continuous", "family", size, lambda: (np.zeros((5, 2)), np.zeros((2, 2), bool)))


def record(repeat=1, status=DONE, cpu=1.0, cap=10.0, version="1", name="small", size=10, implementation="fast"):
    return {
        "workload": name,
        "family": "family",
        "size": size,
        "implementation": implementation,
        "repeat": repeat,
        "version": version,
        "status": status,
        "cap": cap,
        "cpu_s": cpu,
        "edges": 3,
        "tests": None,
        "message": "boom",
        "time": "2020-01-01T00:00:00",
    }


def test_measurements_are_read_back(tmp_path):
    path = tmp_path / "deep" / "measurements.jsonl"
    store = measurements(path)
    store.add(record())
    store.add(record(repeat=2, cpu=0.5))
    again = measurements(path)
    assert again.runs == store.runs
    assert again.find(known_by("small", "fast", 2, "1"))["cpu_s"] == 0.5
    assert again.find(known_by("small", "fast", 3, "1")) is None
    assert again.find(known_by("small", "fast", 1, "2")) is None


def test_a_later_line_replaces_an_earlier_one(tmp_path):
    store = measurements(tmp_path / "m.jsonl")
    store.add(record(status=STOPPED, cap=1.0))
    store.add(record(cpu=2.0))
    assert [r["status"] for r in measurements(tmp_path / "m.jsonl").runs.values()] == [DONE]


@pytest.mark.parametrize("cut", range(1, 40, 7))
def test_a_line_cut_off_is_passed_over_and_harms_no_other(tmp_path, cut):
    path = tmp_path / "m.jsonl"
    store = measurements(path)
    store.add(record())
    store.add(record(repeat=2))
    path.write_bytes(path.read_bytes()[:-cut])
    survivor = measurements(path)
    expected = 2 if cut == 1 else 1
    assert len(survivor.runs) == expected
    survivor.add(record(repeat=3))
    assert len(measurements(path).runs) == expected + 1
    assert all(json.loads(line) for line in path.read_text().splitlines()[-1:])


def test_fresh_forgets(tmp_path, monkeypatch):
    measurements(tmp_path / report.MEASUREMENTS).add(record())
    monkeypatch.setattr(run.peers, "install", lambda: None)
    left = []
    monkeypatch.setattr(run, "run_cases", lambda cases, store, *_: left.append(len(store.runs)))
    for options in ([], ["--fresh"]):
        run.threads_main(["--out", str(tmp_path), *options])
    assert left == [1, 0]


def test_files_of_earlier_versions_are_read(tmp_path):
    """As they were written before studies and benchmarks shared a store: unsorted, with a line that was cut off."""
    path = tmp_path / "m.jsonl"
    lines = [json.dumps(record()), json.dumps(record(repeat=2))[:30], json.dumps(record(repeat=2, cpu=0.5))]
    path.write_text("\n".join(lines) + "\n")
    assert list(measurements(path).runs.values()) == [record(), record(repeat=2, cpu=0.5)]


def reason(store, repeat=1, cap=10.0, version="1", name="small", size=10):
    return runner.reason_to_skip(store, workload(name, size), "fast", version, repeat, cap)


@pytest.mark.parametrize(
    ("stored", "asked", "expected"),
    [
        (None, {}, None),
        (record(), {}, "measured"),
        (record(), {"version": "2"}, None),
        (record(), {"name": "other"}, None),
        (record(), {"repeat": 2}, None),
        (record(cpu=3.4), {"repeat": 2}, "long"),
        (record(cpu=3.3), {"repeat": 2}, None),
        (record(status=FAILED), {}, "measured"),
        (record(status=FAILED), {"repeat": 2}, "not repeated"),
        (record(status=STOPPED), {}, "measured"),
        (record(status=STOPPED), {"repeat": 2}, "not repeated"),
        (record(status=STOPPED), {"cap": 11.0}, None),
        (record(status=STOPPED), {"name": "large", "size": 11}, "stopped on small"),
        (record(status=STOPPED), {"name": "large", "size": 11, "cap": 20.0}, None),
        (record(status=STOPPED), {"name": "tiny", "size": 9}, None),
        (record(status=STOPPED), {"name": "large", "size": 11, "version": "2"}, None),
        (record(status=FAILED), {"name": "large", "size": 11}, None),
    ],
)
def test_what_is_due(tmp_path, stored, asked, expected):
    store = measurements(tmp_path / "m.jsonl")
    if stored is not None:
        store.add(stored)
    assert reason(store, **asked) == expected


class Measured:
    """Stands in for the real thing; interrupts itself after some measurements."""

    def __init__(self, until=None, status=DONE):
        self.calls = []
        self.until = until
        self.status = status

    def __call__(self, chosen, implementation, repeat, cap, results):
        if len(self.calls) == self.until:
            raise KeyboardInterrupt
        self.calls.append((chosen.name, implementation, repeat))
        status = self.status if implementation == "slow" else DONE
        return record(
            repeat=repeat, status=status, cap=cap, name=chosen.name, size=chosen.size, implementation=implementation
        )


def run_all(monkeypatch, path, measured, cap=10.0):
    monkeypatch.setattr(runner, "measure", measured)
    monkeypatch.setattr(runner, "version_of", lambda implementation: "1")
    cases = [
        Case("one", workload("a", 1), ("fast", "slow")),
        Case("one", workload("b", 2), ("fast", "slow")),
        Case("other", workload("a", 1), ("slow", "fast")),
    ]
    runner.run_cases(cases, measurements(path), Path("unused"), cap, 2)


def test_everybody_in_turn_and_each_once(monkeypatch, tmp_path):
    measured = Measured()
    run_all(monkeypatch, tmp_path / "m.jsonl", measured)
    one_round = [("a", "fast"), ("a", "slow"), ("b", "fast"), ("b", "slow")]
    assert measured.calls == [(*pair, repeat) for repeat in (1, 2) for pair in one_round]


def test_an_interrupted_run_goes_on_where_it_stopped(monkeypatch, tmp_path):
    first, second = Measured(until=3), Measured()
    with pytest.raises(KeyboardInterrupt):
        run_all(monkeypatch, tmp_path / "m.jsonl", first)
    run_all(monkeypatch, tmp_path / "m.jsonl", second)
    assert len(first.calls) == 3
    assert len(second.calls) == 5
    assert not set(first.calls) & set(second.calls)
    third = Measured()
    run_all(monkeypatch, tmp_path / "m.jsonl", third)
    assert third.calls == []


def test_what_is_stopped_is_neither_repeated_nor_tried_on_more(monkeypatch, tmp_path, capsys):
    measured = Measured(status=STOPPED)
    run_all(monkeypatch, tmp_path / "m.jsonl", measured)
    assert [call for call in measured.calls if call[1] == "slow"] == [("a", "slow", 1)]
    assert "b: slow: not tried, stopped on a" in capsys.readouterr().out
    longer = Measured()
    run_all(monkeypatch, tmp_path / "m.jsonl", longer, cap=20.0)
    assert [call for call in longer.calls if call[1] == "slow"] == [
        ("a", "slow", 1),
        ("b", "slow", 1),
        ("a", "slow", 2),
        ("b", "slow", 2),
    ]


def test_our_version_follows_the_source_during_a_run(monkeypatch):
    """A change of the source between two repeats must not be stored under the label of what was there before."""
    digests = iter(["before", "after"])
    monkeypatch.setattr(measure, "source_digest", lambda package: next(digests))
    assert [measure.version_of("hccd PC").rpartition("+")[2] for _ in range(2)] == ["before", "after"]
