"""Independent work on several workers of this machine: the only file that knows joblib.

No backend is named, only a preference for threads (the kernels release the GIL), so that the caller's
``joblib.parallel_config`` decides: processes, dask and ray plug in from outside.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

S = TypeVar("S")
T = TypeVar("T")


def worker_count(n_jobs: int | None) -> int:
    """How many workers ``n_jobs`` stands for: None is one (or what joblib's context says), -1 all cores."""
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):
        # Nobody has set a context of joblib's if nobody has imported it.
        return 1
    import joblib

    return max(1, int(joblib.effective_n_jobs(n_jobs)))


def map_independent(
    function: Callable[..., T], tasks: Sequence[tuple[Any, ...]], n_jobs: int | None, shared: tuple[Any, ...]
) -> list[T]:
    """Call ``function(*shared, *task)`` for each task and keep the order; one worker means no joblib at all."""
    if len(tasks) <= 1 or worker_count(n_jobs) == 1:
        return [function(*shared, *task) for task in tasks]
    import joblib

    calls = (joblib.delayed(function)(*shared, *task) for task in tasks)
    results = joblib.Parallel(n_jobs=n_jobs, prefer="threads")(calls)
    return list(results)


def shares_memory() -> bool:
    """Whether the workers that joblib would use now are threads of this process."""
    import joblib

    backend, _ = joblib.parallel.get_active_backend(prefer="threads")
    return bool(getattr(backend, "supports_sharedmem", False))


def in_threads(function: Callable[..., T], tasks: Sequence[tuple[Any, ...]]) -> list[T]:
    """Call ``function(*task)`` for each task, each in a thread of its own.

    For pieces of milliseconds in compiled code: joblib looks for results every hundredth of a second only.
    """
    with ThreadPoolExecutor(len(tasks)) as pool:
        return list(pool.map(lambda task: function(*task), tasks))


def in_order(function: Callable[[T], S], tasks: Iterable[T], n_jobs: int | None, ahead: int = 16) -> Iterator[S]:
    """Call ``function(task)`` for each task in threads, and yield each result in order as soon as it is there.

    For compiled work that shares its data. Tasks are taken as they are needed, ``ahead`` for each thread at most. Who
    stops listening, or is interrupted, ends what was not begun.
    """
    workers = worker_count(n_jobs)
    if workers == 1:
        yield from map(function, tasks)
        return
    pool = ThreadPoolExecutor(workers)
    under_way: deque[Future[S]] = deque()
    try:
        for task in tasks:
            under_way.append(pool.submit(function, task))
            if len(under_way) >= ahead * workers:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def one_ahead(items: Iterable[T]) -> Iterator[T]:
    """Yield items, while a thread makes the next one."""
    own, end = iter(items), object()
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, own, end)
        while (item := coming.result()) is not end:
            coming = pool.submit(next, own, end)
            yield item  # type: ignore[misc]


def as_they_come(function: Callable[..., T], tasks: Sequence[tuple[Any, ...]], n_jobs: int | None) -> Iterator[T]:
    """Call ``function(*task)`` for each task in processes, and yield each result in order as soon as it is there.

    For long work with much Python in it, which threads would do one after the other.
    """
    if len(tasks) <= 1 or worker_count(n_jobs) == 1:
        for task in tasks:
            yield function(*task)
        return
    import joblib

    parallel = joblib.Parallel(n_jobs=n_jobs, prefer="processes", return_as="generator", pre_dispatch="2*n_jobs")
    yield from parallel(joblib.delayed(function)(*task) for task in tasks)


def even_chunks(n_items: int, n_chunks: int) -> list[NDArray[np.int64]]:
    """Split ``range(n_items)`` into at most ``n_chunks`` runs of nearly equal length, none of them empty."""
    bounds = np.linspace(0, n_items, min(n_chunks, max(n_items, 1)) + 1).astype(np.int64)
    return [np.arange(a, b) for a, b in pairwise(bounds) if b > a]
