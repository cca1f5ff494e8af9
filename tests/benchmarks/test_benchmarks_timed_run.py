"""One measurement in a process of its own: what it says, and how it ends when it should not."""

import os
import sys
import time

import numpy as np
import pytest

from benchmarks import measure, timed_run
from benchmarks.implementations import IMPLEMENTATIONS, Peer
from benchmarks.store import DONE, FAILED, STOPPED
from benchmarks.workloads import Workload, gaussian

pytestmark = pytest.mark.slow


def test_f1_of_adjacent_pairs():
    truth = np.array([[0, 1], [1, 2], [2, 3]])
    assert timed_run.skeleton_f1(truth, truth) == 1.0
    assert timed_run.skeleton_f1(np.array([[0, 1], [0, 3]]), truth) == pytest.approx(2 * 1 / (2 + 3))
    assert timed_run.skeleton_f1(np.zeros((0, 2), int), truth) == 0.0


def test_pairs_come_sorted_and_once():
    read = {"directed": [[12, 3], [3, 12]], "undirected": [[0, 1]], "bidirected": [[4, 2]], "tests": 7}
    assert timed_run.pairs_of(read).tolist() == [[0, 1], [2, 4], [3, 12]]
    assert read == {"tests": 7}
    assert timed_run.pairs_of({}).shape == (0, 2)


def test_peak_memory_is_seen():
    before = timed_run.peak_megabytes()
    block = np.ones(40_000_000)
    assert timed_run.peak_megabytes() >= before
    assert timed_run.peak_megabytes() > block.nbytes / 2**20


def learner(seconds):
    """An implementation that is busy for a while."""
    calls = []

    def learn(data, kind):
        calls.append(len(data))
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        return data

    return calls, Peer("hccd", lambda data, kind: data, learn, lambda data: {"tests": 5}, "")


@pytest.mark.parametrize(("seconds", "expected"), [(0.01, timed_run.MOST_CALLS), (0.21, 1)])
def test_short_calls_are_repeated_and_the_first_is_not_timed(seconds, expected):
    calls, busy = learner(seconds)
    answer = timed_run.measure(busy, np.zeros((77, 3)), "continuous")
    assert answer["calls"] == expected
    # One call on the tiny table, then those that count.
    assert calls[0] != 77 and calls[1:] == [77] * expected
    assert seconds <= answer["cpu_s"] < seconds + 0.1
    assert answer["tests"] == 5


@pytest.fixture
def small(tmp_path):
    workload = gaussian(20, 3)
    data, truth = workload.files(tmp_path)
    return {
        "implementation": "hccd PC",
        "data": str(data),
        "truth": str(truth),
        "kind": "continuous",
    }


def test_a_child_answers(small):
    answer = measure.run_child(sys.executable, small, 60.0)
    assert answer["status"] == DONE
    assert answer["cpu_s"] > 0 and answer["peak_mb"] > 10
    assert 0.5 < answer["f1"] <= 1.0
    # Those that choose between colliders come on top.
    assert answer["tests"] >= sum(answer["skeleton_tests"]) > 190


def test_a_child_that_fails_says_why(small):
    answer = measure.run_child(sys.executable, {**small, "implementation": "pyagrum PC", "data": "nowhere.npy"}, 60.0)
    assert answer["status"] == FAILED
    assert "nowhere.npy" in answer["message"]


def test_a_child_is_stopped_at_its_cap(small):
    slow = {**small, "implementation": "hccd PC skeleton, 1 ms tests"}
    assert measure.run_child(sys.executable, slow, 0.05) == {"status": STOPPED}
    # Start-up takes longer than the cap, and does not count.
    assert measure.run_child(sys.executable, small, 0.5)["status"] == DONE


def test_cpu_seconds_of_a_process_are_seen():
    assert measure.cpu_seconds(os.getpid()) == pytest.approx(time.process_time(), abs=0.1)
    assert measure.cpu_seconds(2**30) == 0.0


def test_files_of_a_workload_are_made_once(tmp_path):
    made = []

    def make():
        made.append(1)
        return np.asfortranarray(np.ones((4, 3))), np.array([[0, 1, 0], [0, 0, 0], [0, 1, 0]], bool)

    workload = Workload("w", "continuous", "f", 3, make)
    data, truth = workload.files(tmp_path)
    assert workload.files(tmp_path) == (data, truth) and made == [1]
    assert np.load(truth).tolist() == [[0, 1], [1, 2]]
    assert np.load(data).flags.c_contiguous


def test_our_version_changes_with_the_source(tmp_path):
    (tmp_path / "a.py").write_text("x = 1")
    before = measure.source_digest(tmp_path)
    assert measure.source_digest(tmp_path) == before
    (tmp_path / "a.py").write_text("x = 2")
    assert measure.source_digest(tmp_path) != before


def test_every_kind_of_data_has_our_methods_and_peers():
    for kind in ("continuous", "discrete"):
        packages = {one.package for one in IMPLEMENTATIONS.values() if kind in one.kinds}
        assert packages >= {"hccd", "pybnesian", "causal-learn", "pgmpy"}
