"""The files of interrupted runs: damaged ones are not used, short runs leave none, a full disk stops no run."""

from __future__ import annotations

import errno
import io
import zipfile
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hccd
from hccd import CheckpointFolder
from method_cases import linear_gaussian


class Stopped(Exception):
    """The power went off."""


class StoppedAfter(CheckpointFolder):
    def __init__(self, folder, saves, stage="search"):
        super().__init__(folder)
        self.saves, self.stage = saves, stage

    def due(self, stage, *, finished=False):
        return True

    def save(self, stage, key, state):
        super().save(stage, key, state)
        self.saves -= stage == self.stage
        if self.saves == 0:
            raise Stopped


@cache
def values():
    return linear_gaussian(np.random.default_rng(2), 30, 4, 300)


@cache
def edges():
    return hccd.discover(values()).edges()


@cache
def kept_file(stage):
    """The name and the content of the file of a run that was stopped."""
    with TemporaryDirectory() as folder:
        with pytest.raises(Stopped):
            hccd.discover(values(), checkpoint=StoppedAfter(folder, 6, stage))
        (file,) = Path(folder).glob(f"*-{stage}-*")
        return file.name, file.read_bytes()


def stopped(folder, stage="search"):
    name, content = kept_file(stage)
    (folder / name).write_bytes(content)
    return folder / name


def go_on(folder):
    told = []
    kept = CheckpointFolder(folder, note=told.append)
    result = hccd.discover(values(), checkpoint=kept)
    return result, told, kept


def arrays_of(file):
    with np.load(file, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.floats(0, 1), flip=st.floats(0, 1), truncate=st.booleans())
def test_damage_is_noticed(tmp_path_factory, cut, flip, truncate):
    folder = tmp_path_factory.mktemp("run")
    file = stopped(folder)
    content = bytearray(file.read_bytes())
    if truncate:
        content = content[: int(cut * (len(content) - 1))]
    else:
        content[int(flip * (len(content) - 1))] ^= 0x55
    file.write_bytes(content)
    result, told, kept = go_on(folder)
    assert result.edges() == edges()
    assert len(told) == 1 and (
        "is damaged: this run starts again" in told[0] or told[0].startswith("continuing the interrupted run")
    )
    if truncate:
        assert "damaged" in told[0]
    kept.remove()
    assert list(folder.iterdir()) == []


def doctored(name, change):
    def make(arrays):
        return {**arrays, name: change(arrays[name].copy())}

    return make


def first_becomes(value):
    def change(array):
        array.flat[0] = value
        return array

    return change


DOCTORED = {
    "another key": doctored("key", lambda array: np.array("f" * 32)),
    "another format": doctored("format", lambda array: np.array("hccd-partial 9")),
    "a part is missing": lambda arrays: {name: array for name, array in arrays.items() if name != "outer"},
    "too many passes": doctored("progress", first_becomes(10**6)),
    "negative passes": doctored("progress", first_becomes(-1)),
    "a set with a stranger": doctored("given", first_becomes(10**6)),
    "sets that are cut off": doctored("given", lambda array: array[:2]),
    "a set that begins nowhere": doctored("given_start", lambda array: array + 10**6),
    "a set before the first": doctored("given_start", first_becomes(-1)),
    "a set of too many": doctored("fell_order", first_becomes(10**6)),
    "more than is given": doctored("used", first_becomes(10**6)),
    "a cluster that is none": doctored("fell_cluster", first_becomes(10**6)),
    "a stage that is none": doctored("fell_stage", first_becomes(7)),
    "a home outside": doctored("home_stop", first_becomes(10**6)),
    "homes that are cut off": doctored("home_start", lambda array: array[:-1]),
    "numbers of another kind": doctored("home_order", lambda array: array.astype(np.float64)),
    "a matrix": doctored("outer", lambda array: array.reshape(1, -1)),
    "counts that are cut off": doctored("by_stage", lambda array: array[:-1]),
    "counts of no order": doctored("orders", first_becomes(-1)),
    "a level of too many pairs": doctored("tests", lambda array: np.full(10**6, -1, np.int64)),
    "a level without its sets": doctored("tests", lambda array: np.full(400, -1, np.int64)),
}


@pytest.mark.parametrize("what", DOCTORED)
def test_states_that_cannot_be_are_not_used(what, tmp_path):
    file = stopped(tmp_path)
    np.savez(file, **DOCTORED[what](arrays_of(file)))
    result, told, _ = go_on(tmp_path)
    assert result.edges() == edges()
    assert len(told) == 1 and "is damaged: this run starts again" in told[0]


def every(value):
    return lambda array: np.full_like(array, value)


DOCTORED_SCORES = {
    "another part": doctored("place", first_becomes(-7)),
    "a place that is cut off": doctored("place", lambda array: array[:-1]),
    "a part is missing": lambda arrays: {name: array for name, array in arrays.items() if name != "shrunk"},
    "an edge of strangers": doctored("found_edges", first_becomes(10**6)),
    "a cycle": doctored("found_edges", lambda array: np.array([[0, 1], [1, 2], [2, 0]], array.dtype)),
    "an order of one": doctored("sequence", every(0)),
    "a node that is none": doctored("node", first_becomes(10**6)),
    "a node without an end": doctored("end_count", every(-1)),
    "more parents than there is room for": doctored("size", every(200)),
    "a tree in a circle": doctored("above", lambda array: np.arange(len(array))),
    "a branch to nowhere": doctored("branch_node", every(10**6)),
    "branches that are cut off": doctored("branch_variable", lambda array: array[:-1]),
    "a branch to a stranger's node": doctored("branch_node", lambda array: np.roll(array, 1)),
    "a branch beyond the last": doctored("branch_node_at", lambda array: array + 10**6),
    "branches of others": doctored("branch_first", lambda array: array + 10**6),
    "a parent that is none": doctored("ends", first_becomes(-1)),
    "neighbours in a circle": doctored("near_next", lambda array: np.arange(len(array))),
    "a neighbour that is none": doctored("near_variable", first_becomes(30)),
    "someone waits who is none": doctored("waiting", lambda array: np.array([-1], np.int32)),
    "a family of strangers": doctored("members", lambda array: np.array([77], np.int32)),
    "a family of more than it has": doctored("family", lambda array: np.array([0, 77], np.int32)),
    "numbers of another kind": doctored("score", lambda array: array.astype(np.float32)),
    "negative work": doctored("tree_work", first_becomes(-1)),
}


@pytest.mark.parametrize("what", DOCTORED_SCORES)
def test_states_of_a_score_that_cannot_be_are_not_used(what, tmp_path):
    file = stopped(tmp_path, "score")
    np.savez(file, **DOCTORED_SCORES[what](arrays_of(file)))
    result, told, _ = go_on(tmp_path)
    assert result.edges() == edges()
    assert len(told) == 1 and "is damaged: the score search starts again" in told[0]


def test_a_score_goes_on_without_the_state_of_the_search(tmp_path):
    """A search of less than a second is made again, and leads to the same score."""
    stopped(tmp_path, "score")
    result, told, kept = go_on(tmp_path)
    assert result.edges() == edges()
    assert len(told) == 1 and "the score search was at sweep" in told[0]
    kept.remove()
    assert list(tmp_path.iterdir()) == []


def test_nothing_in_a_file_is_executed(tmp_path):
    file = stopped(tmp_path)
    arrays = arrays_of(file)
    buffer = io.BytesIO()
    np.save(buffer, np.array([print], dtype=object), allow_pickle=True)
    np.savez(file, **{name: array for name, array in arrays.items() if name != "outer"})
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("outer.npy", buffer.getvalue())
    result, told, _ = go_on(tmp_path)
    assert result.edges() == edges() and "damaged" in told[0]


def test_short_runs_leave_nothing(tmp_path):
    folder = tmp_path / "never made"
    kept = CheckpointFolder(folder, every=60.0)
    hccd.discover(values(), checkpoint=kept)
    kept.remove()
    assert not folder.exists() and not kept.saved


def test_saves_are_at_most_so_often(tmp_path, monkeypatch):
    clock = SimpleNamespace(now=100.0, step=0.0)

    def monotonic():
        clock.now += clock.step
        return clock.now

    monkeypatch.setattr("hccd.checkpoint.folder.time", SimpleNamespace(monotonic=monotonic))
    states = []

    class Catching(CheckpointFolder):
        def due(self, stage, *, finished=False):
            return True

        def save(self, stage, key, state):
            states.append((stage, key, state))

    hccd.discover(values(), checkpoint=Catching(tmp_path))
    kept = CheckpointFolder(tmp_path, every=3.0)
    # The first comes early: nobody knows how short the run will be.
    clock.now += 0.9
    assert not kept.due("search")
    clock.now += 0.2
    assert kept.due("search")
    kept.save(*states[0])
    clock.now += 2.9
    assert not kept.due("search")
    clock.now += 0.2
    assert kept.due("search")
    # Saves that take a second each come every twenty seconds.
    clock.step = 1.0
    kept.save(*states[0])
    clock.step = 0.0
    clock.now += 19.0
    assert not kept.due("search")
    clock.now += 2.0
    assert kept.due("search")


def test_a_stage_of_more_than_a_second_is_kept_at_its_end(tmp_path, monkeypatch):
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr("hccd.checkpoint.folder.time", SimpleNamespace(monotonic=lambda: clock.now))
    kept = CheckpointFolder(tmp_path, every=60.0)
    for stage in ("search", "score"):
        kept.resume(stage, str, dict)
        clock.now += 0.9
        assert not kept.due(stage, finished=True)
        clock.now += 0.2
        kept._next = clock.now + 60.0
        assert kept.due(stage, finished=True) and not kept.due(stage)


def test_what_cannot_be_saved_stops_no_run(tmp_path):
    (tmp_path / "file").write_text("")
    told = []

    class Always(CheckpointFolder):
        def due(self, stage, *, finished=False):
            return not self._failed

    kept = Always(tmp_path / "file" / "folder", note=told.append)
    assert hccd.discover(values(), checkpoint=kept).edges() == edges()
    assert len(told) == 1 and "cannot be saved" in told[0]


def test_a_disk_that_is_full_for_a_while(tmp_path, monkeypatch):
    """It is said when states cannot be saved and when they can again; the state before stays, and is gone on with."""
    told, tried = [], []
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr("hccd.checkpoint.folder.time", SimpleNamespace(monotonic=lambda: clock.now))
    save = np.savez

    def full(file, **arrays):
        tried.append(file.name)
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    kept = CheckpointFolder(tmp_path, note=told.append)
    kept.resume("search", str, dict)
    state = SimpleNamespace(reached="something is done", to_arrays=lambda: {"a": np.arange(3)})
    clock.now += 1.0
    assert kept.due("search")
    kept.save("search", lambda: "key", state)
    (before,) = [path.read_bytes() for path in tmp_path.iterdir()]
    monkeypatch.setattr("hccd.checkpoint.folder.np.savez", full)
    for _ in range(100):
        clock.now += 1.0
        if kept.due("search"):
            kept.save("search", lambda: "key", state)
    assert 3 <= len(tried) <= 5
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [before]
    assert len(told) == 1 and told[0].endswith(
        "cannot be saved (No space left on device): if the run is interrupted, it continues from the previous state"
    )
    monkeypatch.setattr("hccd.checkpoint.folder.np.savez", save)
    clock.now += 31.0
    assert kept.due("search")
    kept.save("search", lambda: "key", state)
    assert told[1:] == ["the state of the run is saved again"]
    clock.now += 3.1
    assert kept.due("search")


def test_half_a_file_is_overwritten_and_removed(tmp_path):
    file = stopped(tmp_path)
    part = file.with_suffix(".npz.part")
    part.write_bytes(b"half")
    _, told, kept = go_on(tmp_path)
    assert told[0].startswith("continuing") and len(told) == 1
    kept.remove()
    assert list(tmp_path.iterdir()) == []


def weighted(data, x, y, given, power):
    """A test whose answers depend on what it was made with, but not those that are asked before a run can be told."""
    p_value = hccd.FisherZ().bind(data).test(x, y, given).p_value
    return p_value ** (1.0 / power) if given else p_value


def test_another_function_does_not_go_on_with_the_answers_of_the_first(tmp_path):
    data = values()[:, :8]
    with pytest.raises(Stopped):
        hccd.discover(data, test=partial(weighted, power=1), checkpoint=StoppedAfter(tmp_path, 2))
    other = partial(weighted, power=8)
    resumed = hccd.discover(data, test=other, checkpoint=CheckpointFolder(tmp_path))
    assert resumed.edges() == hccd.discover(data, test=other).edges()
    assert resumed.tests == hccd.discover(data, test=other).tests


def test_a_folder_used_again_leaves_other_searches_alone(tmp_path):
    folder = StoppedAfter(tmp_path, 6)
    with pytest.raises(Stopped):
        hccd.discover(values(), checkpoint=folder)
    assert folder.saved
    before = sorted(tmp_path.iterdir())
    quiet = CheckpointFolder(tmp_path)
    quiet._used = folder._used
    hccd.discover(values()[:, :5], checkpoint=quiet)
    assert not quiet.saved
    quiet.remove()
    assert sorted(tmp_path.iterdir()) == before


def test_half_a_file_of_a_killed_run_goes(tmp_path):
    file = stopped(tmp_path)
    half = file.with_name(f"{file.name}.part")
    file.rename(half)
    folder = CheckpointFolder(tmp_path)
    assert hccd.discover(values(), checkpoint=folder).edges() == edges()
    folder.remove()
    assert list(tmp_path.iterdir()) == []
