"""One thread of BLAS during a run: the same bits for any number of cores, and no waiting of threads for each other.

Most matrices here are small, and its threads wait by computing: where other processes use the cores as well, a run of
100 variables takes several times as long with two of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

_users, _limit, _lock = 0, None, Lock()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS to one thread. The limit is that of the process: the first user sets it, and the last one lifts it."""
    global _users, _limit
    with _lock:
        _users += 1
        if _users == 1:
            _limit = _libraries().limit(limits=1, user_api="blas")
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if not _users and _limit is not None:
                _limit.restore_original_limits()


@cache
def _libraries() -> Any:
    """Return what controls the libraries that are loaded; to look for them takes a millisecond."""
    import scipy.linalg  # noqa: F401 - it has one of its own
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
