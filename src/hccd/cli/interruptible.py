"""Long work that can be interrupted at any moment.

Python hears Ctrl-C in the main thread only, and only between two steps of Python: compiled code that is busy for an
hour would keep the user waiting. So the work is done in another thread, and the main thread does nothing but wait.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

T = TypeVar("T")

_PATIENCE = 0.1


def interruptible(work: Callable[[], T]) -> T:
    """Return what ``work`` returns, or raise what it raises, or ``KeyboardInterrupt`` as soon as it comes.

    After an interrupt the work goes on until the process ends, so the process should end.
    """
    returned: list[T] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            returned.append(work())
        except BaseException as error:
            raised.append(error)

    thread = Thread(target=run, name="hccd-work", daemon=True)
    thread.start()
    while thread.is_alive():
        # Not one long wait: polars handles signals too, in a way that lets a system call go on after them.
        thread.join(_PATIENCE)
    if raised:
        raise raised[0]
    return returned[0]
