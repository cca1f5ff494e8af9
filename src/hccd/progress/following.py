"""What ``progress`` and ``verbose`` stand for, as one function that takes events."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from hccd.progress.display import Display, display_here
from hccd.progress.events import Progress, ProgressFunction
from hccd.progress.words import described


class Lines:
    """Writes a line to stdout when a stage begins, or a level of it, with the seconds that have passed."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._last: tuple[str, int] | None = None

    def __call__(self, event: Progress) -> None:
        """Write the line, if something has begun."""
        if (event.stage, event.height) != self._last:
            self._last = event.stage, event.height
            # How many there are, not that the first one is done.
            self.write(described(event._replace(done=0)))

    def write(self, text: str) -> None:
        """Write a line."""
        if sys.stdout is not None:
            sys.stdout.write(f"{time.monotonic() - self._began:8.2f} s  {text}\n")
            sys.stdout.flush()


class Followers:
    """Everybody who is to hear of a run."""

    def __init__(self, functions: Sequence[ProgressFunction]) -> None:
        self._functions = functions
        self._displays = [each for each in functions if isinstance(each, Display)]

    def __call__(self, event: Progress) -> None:
        """Pass an event on."""
        for function in self._functions:
            function(event)

    def expect(self, phases: Callable[[], Mapping[str, float]]) -> None:
        """Tell displays how long phases are expected to take, which is found out for them alone."""
        if self._displays:
            expected = phases()
            for display in self._displays:
                display.expect(expected)


@contextmanager
def following(progress: bool | ProgressFunction | None, verbose: bool | int) -> Iterator[Followers]:
    """Give the function to call with events, for those who follow: a bar, lines, a function of the caller's own."""
    with ExitStack() as stack:
        lines = Lines()
        functions: list[ProgressFunction] = [lines] if verbose else []
        if progress is True:
            functions.append(stack.enter_context(display_here()))
        elif callable(progress):
            functions.append(progress)
        yield Followers(functions)
        if verbose:
            lines.write("done")
