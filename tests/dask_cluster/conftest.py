"""A real scheduler with two worker processes on the loopback address, started once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    with LocalCluster(
        host="127.0.0.1",
        processes=True,
        n_workers=2,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
    ) as started:
        yield started


@pytest.fixture
def client(cluster: Any) -> Iterator[Any]:
    """The active client."""
    from distributed import Client

    with Client(cluster) as active:
        active.wait_for_workers(2, timeout=60)
        yield active
