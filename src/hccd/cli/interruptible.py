"""Long work that can be interrupted at any moment.

Python hears Ctrl-C in the main thread only, and only between two steps of Python: compiled code that is busy for an
hour would keep the user waiting. So the work is done in another thread, and the main thread does nothing but wait.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")

_PATIENCE = 0.1


class Interrupts:
    """A handler of Ctrl-C that remembers it: some libraries swallow the exception, most of all while being imported."""

    def __init__(self) -> None:
        self.heard = False

    def __call__(self, _number: int, _frame: Any) -> None:
        """Remember, and do what Python does."""
        self.heard = True
        raise KeyboardInterrupt


@contextmanager
def hearing_interrupts() -> Iterator[None]:
    """Make sure that Ctrl-C is not lost; who handles it otherwise, or is no main thread, is left alone."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, Interrupts())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


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
        handler = signal.getsignal(signal.SIGINT)
        if isinstance(handler, Interrupts) and handler.heard:
            raise KeyboardInterrupt
        # Not one long wait: a library may handle signals too, in a way that lets a system call go on after them.
        thread.join(_PATIENCE)
    if raised:
        raise raised[0]
    return returned[0]
