"""Long work that can be interrupted at any moment.

Python hears signals in the main thread only, and only between two steps of Python: compiled code that is busy for an
hour would keep the user waiting. So the work is done in another thread, and the main thread does nothing but wait.

A process of our own handles signals from its first line to its last, because what Python does by itself is a traceback,
and death by the signal. Nothing is lost before a command begins and after it is over: an interrupt ends the process.
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")

#: The exit code.
INTERRUPTED = 130
_PATIENCE = 0.1
#: What stops a run, with what handles it if nobody else wants to: Ctrl-C, and what ``kill`` and schedulers send.
_SIGNALS: dict[int, Any] = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}


class Interrupts:
    """A handler that remembers: some libraries swallow the exception, most of all while being imported."""

    def __init__(self) -> None:
        self.heard = False

    def __call__(self, _number: int, _frame: Any) -> None:
        """Remember, and do what Python does at Ctrl-C."""
        self.heard = True
        raise KeyboardInterrupt


def end_when_interrupted() -> None:
    """Let interrupts end this process with exit code 130 whenever ``hearing_interrupts`` does not hear them.

    At the very end, when Python takes itself apart and would die of them, they are ignored.
    """
    ours = [number for number, usual in _SIGNALS.items() if signal.getsignal(number) is usual]

    def ignore() -> None:
        for number in ours:
            signal.signal(number, signal.SIG_IGN)

    for number in ours:
        signal.signal(number, _end)
    # What is registered first is called last.
    atexit.register(ignore)


def _end(_number: int, _frame: Any) -> None:
    """End at once: an exception could be swallowed by who is being imported."""
    with suppress(OSError):
        os.write(2, b"error: interrupted\n")
    os._exit(INTERRUPTED)


@contextmanager
def hearing_interrupts() -> Iterator[None]:
    """Make sure that no interrupt is lost; who handles one otherwise, or is no main thread, is left alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    ours = [number for number, usual in _SIGNALS.items() if before[number] in (usual, _end)]
    handler = Interrupts()
    for number in ours:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, before[number])


def _heard() -> bool:
    """Whether an interrupt has come."""
    handlers = map(signal.getsignal, _SIGNALS)
    return any(isinstance(handler, Interrupts) and handler.heard for handler in handlers)


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
        if _heard():
            raise KeyboardInterrupt
        # Not one long wait: a library may handle signals too, in a way that lets a system call go on after them.
        thread.join(_PATIENCE)
    if raised:
        raise raised[0]
    return returned[0]
