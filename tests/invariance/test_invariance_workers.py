"""The same result for any number of workers and any backend: graph, evidence, counts, and the saved file."""

from __future__ import annotations

import json
from functools import cache

import joblib
import numpy as np
import pytest
from scipy.stats import pearsonr

import hccd
from hccd import CustomTest
from hccd.wrapper import workers
from method_cases import discrete_net, linear_gaussian

pytestmark = pytest.mark.slow

SETTINGS = {
    "hccd": {"method": "hccd"},
    "hccd-paper": {"method": "hccd", "preset": "paper"},
    "hccd-original": {"method": "hccd", "baseline": hccd.PC(stable=False, max_order=3)},
    "hccd-b-rai": {"method": "hccd", "baseline": "b-rai"},
    "hccd-mmhc": {"method": "hccd", "baseline": "mmhc"},
    "flat": {"method": "flat", "colliders": "majority"},
    "pc": {"method": "pc"},
    "score": {"method": "hccd", "baseline": "score"},
}


@pytest.fixture(scope="module", autouse=True)
def no_workers_left_behind():
    yield
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True)


@cache
def tables():
    rng = np.random.default_rng(17)
    return {"gaussian": linear_gaussian(rng, 70, 5, 200), "discrete": discrete_net(rng, 60, 5, 200, (2, 3))}


def content(result):
    """The saved file, to the byte, without the time it took."""
    data = result.to_dict()
    assert data.pop("seconds")["total"] > 0
    return json.dumps(data, sort_keys=True)


@cache
def alone(kind, name):
    return content(hccd.discover(tables()[kind], n_jobs=1, **SETTINGS[name]))


def let_few_pairs_be_worth_a_worker(patch, grain):
    """Tables of this size would not be shared at all."""
    hands = workers._Hands.__init__

    def init(self, ledger, searches):
        for one in searches:
            one.grain = grain
        hands(self, ledger, searches)

    patch.setattr(workers._Hands, "__init__", init)
    patch.setattr(workers._Processes, "grain", grain)


@pytest.fixture(autouse=True)
def small_runs(monkeypatch):
    let_few_pairs_be_worth_a_worker(monkeypatch, 3)


@pytest.mark.parametrize("backend", ["threading", "loky"])
@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
def test_the_work_is_shared(kind, backend, monkeypatch):
    """Several workers on many levels, stable or not, and several clusters."""
    shared = []
    processes, threads = workers.map_independent, workers.in_threads
    monkeypatch.setattr(
        workers, "map_independent", lambda f, tasks, *more: shared.append(len(tasks)) or processes(f, tasks, *more)
    )
    monkeypatch.setattr(workers, "in_threads", lambda f, tasks: shared.append(len(tasks)) or threads(f, tasks))
    for name in ("hccd", "hccd-original"):
        shared.clear()
        with joblib.parallel_config(backend=backend):
            result = hccd.discover(tables()[kind], n_jobs=2, **SETTINGS[name])
        assert sum(count > 1 for count in shared) >= 2
        assert len(result.tree.leaves()) >= 4


@pytest.mark.parametrize("grain", [1, 7, 512])
@pytest.mark.parametrize("stable", [True, False], ids=["stable", "original"])
def test_any_size_of_runs(stable, grain, monkeypatch):
    """Also too few edges to share, in clusters whose edges are interleaved."""
    data = linear_gaussian(np.random.default_rng(16), 20, 3, 200)
    baseline = hccd.PC(stable=stable)
    expected = hccd.discover(data, n_jobs=1, baseline=baseline)
    let_few_pairs_be_worth_a_worker(monkeypatch, grain)
    assert content(hccd.discover(data, n_jobs=2, baseline=baseline)) == content(expected)


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
@pytest.mark.parametrize("n_jobs", [2, 3, -1, None])
def test_any_number_of_workers(n_jobs, kind, name):
    assert content(hccd.discover(tables()[kind], n_jobs=n_jobs, **SETTINGS[name])) == alone(kind, name)


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_any_backend(backend, kind, name):
    with joblib.parallel_config(backend=backend):
        result = hccd.discover(tables()[kind], n_jobs=2, **SETTINGS[name])
    assert content(result) == alone(kind, name)


@pytest.mark.parametrize("name", ["hccd-original", "pc"])
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_a_level_in_parts(backend, name):
    """For who wants to be told, workers answer a level part by part; in a live one other processes need all of it."""
    events = []
    with joblib.parallel_config(backend=backend):
        result = hccd.discover(tables()["gaussian"], n_jobs=2, progress=events.append, **SETTINGS[name])
    assert content(result) == alone("gaussian", name)
    parts = sum(0 < event.done < event.edges for event in events if event.stage in ("leaf", "between", "refine"))
    assert (parts > 3) == ((backend, name) != ("loky", "hccd-original"))


def test_the_context_may_say_how_many():
    with joblib.parallel_config(backend="threading", n_jobs=2):
        result = hccd.discover(tables()["gaussian"])
    assert content(result) == alone("gaussian", "hccd")


def slow_partial_correlation(data, x, y, given):
    """A user's own test in plain Python, at module level so that other processes can find it."""
    columns = data - data.mean(axis=0)
    if given:
        z = columns[:, list(given)]
        columns = columns - z @ np.linalg.lstsq(z, columns, rcond=None)[0]
    return float(pearsonr(columns[:, x], columns[:, y])[1])


@pytest.mark.parametrize("stable", [True, False], ids=["stable", "original"])
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_a_users_function(backend, stable):
    data = linear_gaussian(np.random.default_rng(18), 14, 3, 100)
    options = {"test": CustomTest(slow_partial_correlation, 0.05), "baseline": hccd.PC(stable=stable)}
    expected = hccd.discover(data, n_jobs=1, **options)
    with joblib.parallel_config(backend=backend):
        result = hccd.discover(data, n_jobs=2, **options)
    assert content(result) == content(expected)
    assert expected.skeleton.n_edges > 5 and expected.tests.by_order[1] > 50


def test_a_users_function_finds_what_the_built_in_test_finds():
    data = linear_gaussian(np.random.default_rng(19), 12, 2, 300)
    own = hccd.discover(
        data, test=slow_partial_correlation, alpha=0.01, method="pc", baseline=hccd.PC(ordering="column")
    )
    built_in = hccd.discover(data, test="fisher-z", alpha=0.01, method="pc", baseline=hccd.PC(ordering="column"))
    # Student's t instead of Fisher's z: p-values differ a little, decisions on this table do not.
    assert own.skeleton == built_in.skeleton
    assert dict(own.separators) == dict(built_in.separators)


def test_an_error_in_a_worker_reaches_the_caller():
    data = linear_gaussian(np.random.default_rng(20), 10, 3, 60)

    def broken(data, x, y, given):
        if given:
            raise ZeroDivisionError("the user's own mistake")
        return 0.0

    for n_jobs in (1, 2):
        with pytest.raises(ZeroDivisionError, match="own mistake"):
            hccd.discover(data, test=broken, n_jobs=n_jobs)
