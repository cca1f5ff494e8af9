"""Memory that is freed during a task is kept for the rest of it.

Dask has its workers give freed memory back to the system at once (``MALLOC_TRIM_THRESHOLD_``). A resample frees and
takes a few megabytes all the time, and to get them from the system again took a quarter of its time. Only the C library
of GNU can be told; elsewhere nothing is done. After the task the worker's own rule holds again.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

#: Numbers of options in malloc.h, and bytes: the most that an option takes.
_TRIM, _MMAP, _MOST = -1, -3, 1 << 25
#: What holds if the environment says nothing.
_USUAL = 1 << 17


@contextmanager
def freed_memory_kept() -> Iterator[None]:
    """Keep freed memory within this context."""
    _tell(_MOST, _MOST)
    try:
        yield
    finally:
        _tell(_of_environment("MALLOC_TRIM_THRESHOLD_"), _of_environment("MALLOC_MMAP_THRESHOLD_"))


def _of_environment(name: str) -> int:
    value = os.environ.get(name, "")
    return int(value) if value.isdecimal() else _USUAL


def _tell(trim: int, mmap: int) -> None:
    # No such library, or no such function in it.
    with suppress(AttributeError, OSError, TypeError):
        malloc_option = ctypes.CDLL(None).mallopt
        malloc_option(_TRIM, trim)
        malloc_option(_MMAP, mmap)
