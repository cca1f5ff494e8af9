"""What a Dask worker does: the other side of :mod:`hccd.parallel.cluster`."""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from hccd.errors import WorkerError
from hccd.parallel.freed import freed_memory_kept
from hccd.version import __version__

T = TypeVar("T")

#: How many values lie on the workers at once, beside what tasks return.
KEPT = 8


def busy_worker() -> bool:
    """Whether this is a task on a worker."""
    if "distributed" not in sys.modules:
        return False
    from distributed import get_worker

    try:
        get_worker()
    except ValueError:
        return False
    return True


def unpacked(packed: bytes) -> object:
    """Be what all tasks need, on a worker."""
    return pickle.loads(packed)


def on_worker(version: str, function: Callable[..., T], *arguments: Any) -> T:
    """Do a task on a worker, which may have come after versions were compared."""
    if version != __version__:
        raise WorkerError(f"a Dask worker has hccd {__version__}, and the run hccd {version}: install the same on both")
    return function(*arguments)


@lru_cache(maxsize=KEPT)
def _small(packed: bytes) -> object:
    """Be what came with several tasks, on a worker, once."""
    return pickle.loads(packed)


def of_parcel(function: Callable[..., T], packed: bytes, *large: Any) -> tuple[float, list[T]]:
    """Return how long the tasks of a parcel took, and their results."""
    began = time.perf_counter()
    small, parcel = pickle.loads(packed)
    rest = iter(large)
    shared = [next(rest) if value is None else _small(value) for value in small]
    with freed_memory_kept():
        results = [function(*shared, *task) for task in parcel]
    return time.perf_counter() - began, results


def on_partition(
    part: Any,
    version: str,
    common: tuple[Callable[..., T], tuple[Any, ...], Sequence[tuple[Any, ...]]],
    _key: str,
    partition_info: Any = None,
) -> T:
    """Do the task of a partition, on a worker."""
    function, shared, tasks = common
    return on_worker(version, function, *shared, *tasks[partition_info["number"]], part)
