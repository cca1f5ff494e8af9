"""What the workers of a Dask cluster do comes out as if it had been done here, to the byte."""

from __future__ import annotations

import re
import threading
import time

import numpy as np
import pytest
from cluster_cases import OWN_CALLS_FAIL_GIVEN, by_regression, chained, content, failing

import hccd
from hccd import parallel
from hccd.cli.main import main
from hccd.datasets import LinearGaussian, random_dag
from hccd.parallel import Cluster

pytestmark = pytest.mark.slow


@pytest.fixture
def sent(monkeypatch):
    """What was sent to workers: how often each function, in how many parcels, and which values were shared."""
    seen = {"tasks": {}, "parcels": 0, "shared": []}
    send, share = Cluster._sent_off, Cluster._shared

    def sending(self, function, shared, parcels):
        seen["tasks"][function.__name__] = seen["tasks"].get(function.__name__, 0) + sum(map(len, parcels))
        seen["parcels"] += len(parcels)
        return send(self, function, shared, parcels)

    def sharing(self, values):
        seen["shared"] += [value for value in values if id(value) not in self._sent]
        return share(self, values)

    monkeypatch.setattr(Cluster, "_sent_off", sending)
    monkeypatch.setattr(Cluster, "_shared", sharing)
    return seen


@pytest.fixture
def far(monkeypatch):
    """Everything is worth its way to a worker, however short."""
    monkeypatch.setattr("hccd.parallel.cluster._WORTH", 0.0)
    monkeypatch.setattr("hccd.parallel.cluster._PIECE", 1e-9)


TABLES = {
    "numbers": lambda: chained(),
    "states": lambda: (chained() > 0).astype(int) + (chained() > 1),
    "mixed": lambda: {f"v{i}": np.where(c > 0, "a", "b") if i % 3 else c for i, c in enumerate(chained(9).T)},
    "gaps": lambda: np.where(np.random.default_rng(1).random((300, 12)) < 0.03, np.nan, chained()),
}


@pytest.mark.filterwarnings("ignore:the data have .* missing values:hccd.errors.DataWarning")
@pytest.mark.parametrize("options", [{}, {"scoring": "none"}], ids=["score", "tests"])
@pytest.mark.parametrize("kind", TABLES)
def test_resamples(kind, options, cluster, sent):
    table = TABLES[kind]()
    alone = hccd.discover(table, bootstrap=20, n_jobs=1, **options)
    far = hccd.discover(table, bootstrap=20, client=cluster.scheduler_address, **options)
    assert content(far) == content(alone)
    assert sent["tasks"] == {"_called": 20} and len(sent["shared"]) == 1


@pytest.mark.parametrize(
    ("baseline", "functions"),
    [
        ("pc", {"_ask_pairs", "_answered", "_ask_many"}),
        (hccd.PC(stable=False), {"_ask_pairs", "_answered", "_ask_many"}),
        ("rai", {"_ask_pairs", "_learned_in", "_ask_many"}),
    ],
    ids=["stable", "original", "rai"],
)
def test_a_test_of_ones_own_by_the_active_client(baseline, functions, client, sent, far):
    # Large enough that pairs fall in one level that bound what is asked in the next.
    table = LinearGaussian.random(random_dag(30, 5, 1).dag, 1).sample(500, 1)
    options = {"test": by_regression, "baseline": baseline, "bootstrap": 3}
    alone = hccd.discover(table, n_jobs=1, **options)
    assert not sent["tasks"]
    with_workers = hccd.discover(table, **options)
    assert content(with_workers) == content(alone) and alone.skeleton.n_edges > 8
    assert sent["tasks"].keys() == functions | {"_called"}
    # The data are not sent with each task, and not with each level.
    assert sum(isinstance(value, hccd.BoundCITest) for value in sent["shared"]) == 1


def test_tests_that_take_no_time_stay_here(client, sent, capsys):
    cheap = hccd.discover(chained(), bootstrap="none", verbose=True)
    assert content(cheap) == content(hccd.discover(chained(), bootstrap="none", n_jobs=1))
    assert not sent["tasks"]
    assert capsys.readouterr().out.count("the tests are made on this machine") == 1


def test_an_error_in_a_task_is_raised_as_it_is(client, far):
    with pytest.raises(ZeroDivisionError, match=re.escape(OWN_CALLS_FAIL_GIVEN)):
        hccd.discover(chained(), test=failing)


def test_what_cannot_be_pickled_is_refused(client, far):
    lock = threading.Lock()

    def locked(data, x, y, given):
        with lock:
            return by_regression(data, x, y, given)

    with pytest.raises(hccd.errors.InvalidParameterError, match="cannot be sent to the Dask workers"):
        hccd.discover(chained(), test=locked)


def test_the_command_line(cluster, tmp_path, capsys):
    table = tmp_path / "table.csv"
    names = ",".join(f"v{i}" for i in range(12))
    np.savetxt(table, chained(), delimiter=",", header=names, comments="")
    for out, more in (("alone", []), ("far", ["--dask", cluster.scheduler_address])):
        assert main(["learn", str(table), "--bootstrap", "20", "--out", str(tmp_path / out), *more]) == 0
        assert ("the tests are made on this machine" in capsys.readouterr().err) == (out == "far")
    alone, far = (
        re.sub(rb'"seconds": \{[^}]*\}', b"", (tmp_path / out / "graph.json").read_bytes()) for out in ("alone", "far")
    )
    assert alone == far


def squared(number):
    time.sleep(0.0 if number < 3 else 60.0)
    return number * number


def test_few_tasks_are_under_way_and_the_rest_is_cancelled(client):
    drawn = 0

    def numbers():
        nonlocal drawn
        for number in range(1000):
            drawn += 1
            yield number

    with parallel.working_on(client, None, print):
        results = parallel.in_order(squared, numbers(), 1)
        assert [next(results) for _ in range(3)] == [0, 1, 4]
        assert drawn < 100
        results.close()
    # What was begun is through in a minute at the earliest, what waits for it never.
    end = time.monotonic() + 20
    while sum(map(len, client.processing().values())) > 2 and time.monotonic() < end:
        time.sleep(0.05)
    assert sum(map(len, client.processing().values())) <= 2


def test_studies(client, sent, tmp_path):
    files, small = {}, {"variables": [12], "rows": [100], "graphs": 2}
    for out, n_jobs in (("far", None), ("alone", 1)):
        from hccd.studies import reproduce

        outcome = reproduce("samples", tmp_path / out, n_jobs=n_jobs, replaced=small)
        files[out] = {
            path.name: path.read_bytes() for path in outcome.folder.iterdir() if path.suffix in (".md", ".csv")
        }
        files[out] = {name: content for name, content in files[out].items() if "times" not in name}
    assert files["far"] == files["alone"] and files["far"]
    assert sent["tasks"]["measure"] > 1
