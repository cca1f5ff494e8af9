"""BLAS has one thread during a run, and as many as before afterwards."""

import numpy as np
import pytest
import scipy.linalg  # noqa: F401 - it has a BLAS of its own
from threadpoolctl import threadpool_info, threadpool_limits

import hccd
from hccd.parallel import one_blas_thread

DATA = np.random.default_rng(0).normal(size=(60, 4))


def threads():
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(2, "blas"):
        if threads() != {2}:
            pytest.skip("this BLAS has no second thread")
        yield


@pytest.mark.parametrize("of", ["discover", "estimator", "skeleton", "sensitivity"])
def test_a_run_has_one_thread(of):
    seen = []

    def progress(_step):
        if len(seen) < 2:
            seen.append(threads())

    run = {
        "discover": lambda: hccd.discover(DATA, progress=progress),
        "estimator": lambda: hccd.HCCD(progress=progress).fit(DATA),
        "skeleton": lambda: hccd.learn_skeleton(DATA, progress=progress),
        "sensitivity": lambda: hccd.sensitivity(DATA, progress=progress),
    }[of]
    run()
    assert seen and all(each == {1} for each in seen)
    assert threads() == {2}


def test_the_last_of_several_runs_lifts_the_limit():
    one, other = one_blas_thread(), one_blas_thread()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert threads() == {1}
    other.__exit__(None, None, None)
    assert threads() == {2}
