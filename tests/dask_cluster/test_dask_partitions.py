"""Rows of a Dask DataFrame are added up on the workers that load them, to the same bits as in one process."""

from __future__ import annotations

import os
import signal
import sys

import numpy as np
import pytest
from cluster_cases import content, loaded, rows_of_both_kinds

import hccd
from hccd.errors import InvalidDataError
from hccd.streams.partitions import Partitions

dd = pytest.importorskip("dask.dataframe")
pytestmark = pytest.mark.slow

COLUMNS = {
    "numbers": ["a", "b", "c"],
    "states": ["word", "few"],
    "both": ["a", "b", "word", "few", "c"],
}


def frame(bounds, columns, driver=0, killing=""):
    return dd.from_map(
        loaded, range(len(bounds) - 1), bounds=bounds, driver=driver, killing=killing, meta=rows_of_both_kinds(1000)[:0]
    )[columns]


def alone(columns, bounds=(0, 30_000), **options):
    return content(hccd.discover(hccd.stream(frame(bounds, columns)), n_jobs=1, bootstrap=20, **options))


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
def test_partitions_are_never_collected(client, columns, monkeypatch):
    for bounds in ([0, 30_000], [0, 1, 1, 9000, 9100, 23_456, 30_000]):
        data = hccd.stream(frame(bounds, columns, os.getpid()))
        with monkeypatch.context() as collecting:
            collecting.setattr("hccd.streams.partitions.Partitions.batches", None)
            far = content(hccd.discover(data, client=client, bootstrap=20))
        assert far == alone(columns, bounds)


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
def test_partitions_that_lie_on_the_workers_stay_there(client):
    bounds = list(range(0, 30_001, 5000))
    held = frame(bounds, COLUMNS["both"], os.getpid()).persist()
    assert content(hccd.discover(hccd.stream(held), client=client, bootstrap=20)) == alone(COLUMNS["both"])


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_worker_is_killed_while_it_loads_a_partition(client, tmp_path):
    data = hccd.stream(frame(list(range(0, 30_001, 3000)), COLUMNS["both"], os.getpid(), str(tmp_path)))
    far = hccd.discover(data, client=client, bootstrap=20)
    assert len(list(tmp_path.iterdir())) > 2
    assert content(far) == alone(COLUMNS["both"])


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_workers_die_with_the_partitions_that_lie_on_them(client, monkeypatch):
    held = frame(list(range(0, 30_001, 3000)), COLUMNS["both"], os.getpid()).persist()
    victims = iter(list(client.run(os.getpid).values()))

    each = Partitions.each

    def killing(self, *arguments):
        """Kill a worker after the first result of a pass, and the other one after the fourth."""
        for place, part in enumerate(each(self, *arguments)):
            if place in (0, 3) and (victim := next(victims, None)):
                os.kill(victim, signal.SIGKILL)
            yield part

    monkeypatch.setattr(Partitions, "each", killing)
    data = hccd.stream(held)
    far = hccd.discover(data, client=client, bootstrap=20)
    monkeypatch.undo()
    assert next(victims, None) is None
    assert content(far) == alone(COLUMNS["both"])


def test_what_a_worker_refuses_is_said_in_its_sentence(client):
    def part(which):
        table = rows_of_both_kinds(9000)[["a", "c"]]
        return table if which < 2 else table.assign(c=np.inf)

    data = dd.from_map(part, range(3), meta=rows_of_both_kinds(1000)[["a", "c"]][:0])
    with pytest.raises(InvalidDataError, match="9,000 infinite values in 'c'"):
        hccd.discover(hccd.stream(data), client=client)
