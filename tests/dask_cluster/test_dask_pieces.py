"""How work is divided for workers elsewhere: pieces of equal work, and none that is not worth its way."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hccd.parallel import Cluster
from hccd.parallel.freed import freed_memory_kept
from hccd.wrapper.workers import _even, _possible


def cluster_of(threads):
    client = SimpleNamespace(scheduler=None, nthreads=lambda: {"one": threads})
    return Cluster(client, print)


def test_pieces():
    two = cluster_of(2)
    # Less than two pieces of a fiftieth of a second stay here.
    assert [two.pieces(seconds) for seconds in (0.0, 0.001, 0.039)] == [0, 0, 1]
    assert [two.pieces(seconds) for seconds in (0.041, 0.1, 0.161, 1.0)] == [2, 5, 8, 8]
    # Long work becomes more pieces, so that nobody waits long for the last.
    assert [two.pieces(seconds) for seconds in (2.0, 4.0, 40.0)] == [8, 16, 160]
    # A cluster without workers yet may get some.
    assert cluster_of(0).pieces(1.0) == 4


def test_a_pace_that_is_unknown_may_be_worth_it():
    cluster, fast, slow = cluster_of(2), object(), object()
    cluster.note_pace(fast, 1e-6)
    cluster.note_pace(slow, 1e-3)
    assert [cluster.is_worth(test) for test in (fast, slow, object())] == [False, True, True]
    assert [cluster.pace(test) for test in (fast, slow, object())] == [1e-6, 1e-3, None]


@given(work=st.lists(st.floats(0.1, 1000.0), min_size=1, max_size=40), pieces=st.integers(0, 12))
def test_runs_of_equal_work(work, pieces):
    runs = np.split(np.arange(len(work)), _even(np.array(work), pieces))
    assert [*np.concatenate(runs)] == [*range(len(work))]
    assert all(len(run) for run in runs) and len(runs) <= max(pieces, 1)
    # No run is longer than its share and one pair.
    assert max(sum(work[i] for i in run) for run in runs) <= sum(work) / max(pieces, 1) + max(work) + 1e-6


@given(seed=st.integers(0, 10**6), order=st.integers(1, 3), density=st.floats(0.2, 0.9))
def test_possible_questions_are_counted(seed, order, density):
    """As many as there are, by listing them; a set among the neighbours of both ends counts twice."""
    rng, n = np.random.default_rng(seed), 8
    graph = np.triu(rng.random((n, n)) < density, 1)
    x, y = (side.astype(np.int32) for side in graph.nonzero())
    if not len(x):
        return
    graph |= graph.T
    position = rng.permutation(n).astype(np.int32)
    # Homes hold both ends.
    start = np.minimum(position[x], position[y]) - rng.integers(0, 2, len(x))
    stop = np.maximum(position[x], position[y]) + rng.integers(1, 3, len(x))
    home_order = rng.integers(0, 4, len(x))
    degree = graph.sum(axis=1)
    lists = (np.cumsum(degree) - degree, np.concatenate([np.flatnonzero(row) for row in graph]), degree)
    found = _possible(order, (x, y, start, stop, home_order), lists, position)
    for pair, count in enumerate(found):
        expected = 0
        for end, other in ((x[pair], y[pair]), (y[pair], x[pair])):
            for given_ in combinations(sorted({*np.flatnonzero(graph[end])} - {other}), order):
                at_home = all(start[pair] <= position[z] < stop[pair] for z in given_)
                expected += not (at_home and order <= home_order[pair])
        assert count == max(expected, 0.1)


def test_memory_that_is_freed_is_kept_during_a_task_only(monkeypatch):
    """The C library is told so, and told what the worker's environment says afterwards, whatever the task does."""
    told = {}
    library = SimpleNamespace(mallopt=told.__setitem__)
    monkeypatch.setattr("ctypes.CDLL", lambda _name: library)
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    monkeypatch.delenv("MALLOC_MMAP_THRESHOLD_", raising=False)
    with pytest.raises(ZeroDivisionError), freed_memory_kept():
        assert told == {-1: 1 << 25, -3: 1 << 25}
        raise ZeroDivisionError
    assert told == {-1: 65536, -3: 131072}
    # Another library has no such function.
    del library.mallopt
    with freed_memory_kept():
        pass


def doubled(number):
    return 2 * number


@pytest.mark.slow
def test_short_tasks_travel_together(client, monkeypatch):
    from hccd import parallel

    sizes = []
    send = Cluster._sent_off

    def sending(self, function, shared, parcels):
        sizes.extend(map(len, parcels))
        return send(self, function, shared, parcels)

    monkeypatch.setattr(Cluster, "_sent_off", sending)
    with parallel.working_on(client, None, print):
        assert [*parallel.in_order(doubled, iter(range(2000)), 1)] == [*range(0, 4000, 2)]
    # How long they take is unknown at first.
    assert sizes[0] == 1 and sum(sizes) == 2000 and len(sizes) < 200
