"""The line of progress on a terminal: drawn over and over, gone when the work is done. Elsewhere nothing is shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hccd.cli.console import Console, one_line
from hccd.progress import Progress

_STAGES = {
    "marginal": "testing all pairs",
    "clustering": "clustering",
    "leaf": "inside clusters",
    "between": "between clusters",
    "refine": "refining",
    "orientation": "orienting",
    "score": "searching by the score",
    "bootstrap": "learning resamples of the rows",
}


@contextmanager
def progress_line(console: Console) -> Iterator[Callable[[str], None]]:
    """Give a function that shows what is being done."""
    terminal = console.progress
    if terminal is None:
        yield lambda text: None
        return
    from rich.text import Text

    # The spinner made of ASCII works on every terminal.
    with terminal.status("", spinner="line") as status:
        yield lambda text: status.update(Text(one_line(text), overflow="ellipsis", no_wrap=True))


class ProgressLine:
    """Puts events into words as they come, with an estimate of the time that is left where there is one to give.

    How many orders are still to come nobody knows, so the estimate is for the order at hand: the time that the edges
    asked so far took, carried over to the rest of them.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()

    def text(self, event: Progress) -> str:
        """Put the next event into words."""
        now = self._clock()
        if not 0 < event.done < event.edges:
            self._began = now
            return described(event)
        return described(event, (now - self._began) * (event.edges - event.done) / event.done)


def described(event: Progress, left: float | None = None) -> str:
    """Put an event into words, the most interesting first: terminals are narrow."""
    words = _STAGES.get(event.stage, event.stage)
    tests = f"{event.tests:,} tests"
    if event.stage == "score" and event.done:
        return f"{words}: {event.done:,} of {event.edges:,} variables in this sweep"
    if event.stage == "bootstrap":
        remaining = "" if left is None else f", {duration(left)} left"
        return f"{words}: {event.done:,} of {event.edges:,}{remaining}"
    if event.stage not in ("leaf", "between", "refine"):
        return f"{words}; {tests}" if event.tests else words
    level = f"level {event.height + 1} of {event.heights}, " if event.heights > 1 else ""
    edges = f"{event.done:,} of {event.edges:,}" if 0 < event.done < event.edges else f"{event.edges:,}"
    remaining = "" if left is None else f", {duration(left)} left"
    return f"{words}, {level}order {event.order}: {edges} edges{remaining}; {tests}"


def duration(seconds: float) -> str:
    """Say how long something takes."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
