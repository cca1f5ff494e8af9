"""Who does independent work: the workers of this machine, or a Dask cluster that the run was given.

A cluster is in use within ``working_on``, in the thread that entered it. What a worker is sent to do is done there,
never sent on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from hccd.parallel import here
from hccd.parallel.cluster import Cluster, Say
from hccd.parallel.worker import busy_worker

S = TypeVar("S")
T = TypeVar("T")

_IN_USE: ContextVar[Cluster | None] = ContextVar("cluster in use", default=None)


@contextmanager
def working_on(client: Any, n_jobs: int | None, say: Say) -> Iterator[Cluster | None]:
    """Use a cluster: of a client, at an address, or, if neither is given nor a number of jobs, of the active client.

    ``say`` is called with a sentence about what happens to the cluster.
    """
    client = client if client is not None else _active() if n_jobs is None else None
    if client is None:
        yield None
        return
    with Cluster.of(client, say) as cluster:
        token = _IN_USE.set(cluster)
        try:
            yield cluster
        finally:
            _IN_USE.reset(token)


def _active() -> Any:
    """Return the client that is active in this process, if it can be used; a task's own process is no client."""
    if "distributed" not in sys.modules or busy_worker():
        return None
    from distributed import default_client

    try:
        client = default_client()
    except ValueError:
        return None
    return client if client.status == "running" and not client.asynchronous else None


def cluster_in_use() -> Cluster | None:
    """Return the cluster of the run at hand."""
    return _IN_USE.get()


def map_independent(
    function: Callable[..., T], tasks: Sequence[tuple[Any, ...]], n_jobs: int | None, shared: tuple[Any, ...] = ()
) -> list[T]:
    """Call ``function(*shared, *task)`` for each task and keep the order; ``shared`` is sent to a cluster once."""
    cluster = cluster_in_use()
    if cluster is not None and len(tasks) > 1:
        return list(cluster.run(function, tasks, shared, together=True))
    return here.map_independent(function, tasks, n_jobs, shared)


def in_order(function: Callable[[T], S], tasks: Iterable[T], n_jobs: int | None) -> Iterator[S]:
    """Call ``function(task)`` for each task, in threads or on a cluster, and yield results in order as they come."""
    cluster = cluster_in_use()
    if cluster is not None:
        return cluster.run(_called, ((task,) for task in tasks), (function,))
    return here.in_order(function, tasks, n_jobs)


def as_they_come(function: Callable[..., T], tasks: Sequence[tuple[Any, ...]], n_jobs: int | None) -> Iterator[T]:
    """Call ``function(*task)`` for each task, in processes or on a cluster, and yield results in order as they come."""
    cluster = cluster_in_use()
    if cluster is not None:
        return cluster.run(function, tasks, ())
    return here.as_they_come(function, tasks, n_jobs)


def _called(function: Callable[[T], S], task: T) -> S:
    """Call a function that is shared."""
    return function(task)
