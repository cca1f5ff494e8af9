"""The log of a run: a file with one JSON object in each line, made of the events and the states of the run.

A line has the ``time`` (UTC), the ``seconds`` since the run began, and an ``event``: ``start``, ``begin`` (of a stage),
``level`` (of the skeleton search, over), ``stage`` (over), ``progress`` (in a stage), ``state`` (saved or taken up),
``note``, ``cluster``, ``result``, ``done`` or ``failed``. A log is never replaced: a run that goes on writes below what
is there.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, TextIO

from hccd.errors import InvalidParameterError
from hccd.progress.events import Progress
from hccd.version import __version__

_LEVELS = ("leaf", "between", "refine")
#: Seconds between two lines about how far a stage is.
_EVERY = 1.0


class RunLog:
    """Writes what it is told to a file; one that cannot be written to any more is given up, and the run goes on."""

    def __init__(self, path: str | os.PathLike[str], note: Callable[[str], object]) -> None:
        self.path, self._note = Path(path), note
        self._began = time.monotonic()
        self._stage, self._stage_began, self._tests = "", self._began, 0
        self._level_began, self._level_tests, self._told = self._began, 0, self._began
        try:
            self._file: TextIO | None = self.path.open("a", encoding="utf-8")
        except OSError as error:
            raise InvalidParameterError(
                f"the log {os.fspath(path)!r} cannot be written ({error.strerror or error}): choose another file"
            ) from None

    def write(self, event: str, **values: Any) -> None:
        """Write a line."""
        if self._file is None:
            return
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        line = {"time": now, "seconds": round(time.monotonic() - self._began, 3), "event": event, **values}
        try:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
        except OSError as error:
            with suppress(OSError):
                self._file.close()
            self._file = None
            self._note(
                f"the log '{self.path}' cannot be continued ({error.strerror or error}): the run continues without it"
            )

    def start(self, **values: Any) -> None:
        """Write the first line."""
        self.write(
            "start", version=__version__, python=platform.python_version(), process=os.getpid(),
            cores=os.cpu_count(), **values,
        )  # fmt: skip

    def __call__(self, event: Progress) -> None:
        """Write what an event of the run says, if it says something new."""
        now = time.monotonic()
        if event.stage != self._stage:
            self._end_stage(now)
            self.write("begin", stage=event.stage)
            self._stage, self._stage_began, self._level_began = event.stage, now, now
        tests, self._tests = max(event.tests - self._level_tests, 0), max(self._tests, event.tests)
        whole = event.done == event.edges
        if event.stage in _LEVELS and whole:
            self.write(
                "level", stage=event.stage, height=event.height, heights=event.heights, order=event.order,
                pairs=event.edges, tests=tests, took=round(now - self._level_began, 3), memory=peak_memory(),
            )  # fmt: skip
            self._level_began, self._level_tests = now, self._tests
        elif event.edges and now >= self._told + _EVERY:
            self._told = now
            self.write("progress", stage=event.stage, done=event.done, of=event.edges)
        if event.stage not in _LEVELS:
            self._level_tests = self._tests

    def _end_stage(self, now: float) -> None:
        if self._stage:
            self.write(
                "stage", stage=self._stage, tests=self._tests, took=round(now - self._stage_began, 3),
                memory=peak_memory(),
            )  # fmt: skip

    def end(self, error: BaseException | None) -> None:
        """Write the last lines."""
        self._end_stage(time.monotonic())
        if error is None:
            self.write("done", tests=self._tests, memory=peak_memory())
        elif isinstance(error, KeyboardInterrupt | GeneratorExit):
            self.write("failed", error="interrupted")
        else:
            self.write("failed", error=str(error) or type(error).__name__)
        if self._file is not None:
            self._file.close()

    def note(self, sentence: str) -> None:
        """Write a sentence about what happens to the run."""
        self.write("note", text=sentence)

    def clusters(self, clusters: Iterable[tuple[int, int, int]]) -> None:
        """Write a line for each cluster that tests were made in: its number, variables, height and tests."""
        for number, (variables, height, tests) in enumerate(clusters):
            if tests:
                self.write("cluster", number=number, variables=variables, height=height, tests=tests)


@contextmanager
def logged(path: str | os.PathLike[str], note: Callable[[str], object]) -> Iterator[RunLog]:
    """Give a log for as long as a run takes."""
    log = RunLog(path, note)
    try:
        yield log
    except BaseException as error:
        log.end(error)
        raise
    log.end(None)


def peak_memory() -> int | None:
    """Return the most memory that this process has had, in bytes; None where nobody tells."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
