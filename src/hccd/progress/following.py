"""What ``progress`` and ``verbose`` stand for, as one function that takes events."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from hccd.progress.display import Display, display_here
from hccd.progress.events import Progress, ProgressFunction
from hccd.progress.log import RunLog, logged
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

    def note(self, sentence: str) -> None:
        """Write what happens to the run."""
        self.write(sentence)

    def write(self, text: str) -> None:
        """Write a line."""
        if sys.stdout is not None:
            sys.stdout.write(f"{time.monotonic() - self._began:8.2f} s  {text}\n")
            sys.stdout.flush()


class Followers:
    """Everybody who is to hear of a run."""

    def __init__(self, functions: Sequence[ProgressFunction], notes: Sequence[Callable[[str], None]] = ()) -> None:
        self._functions, self._notes = functions, notes
        self.log = next((each for each in functions if isinstance(each, RunLog)), None)
        self._displays = [each for each in functions if isinstance(each, Display)]

    def __call__(self, event: Progress) -> None:
        """Pass an event on."""
        for function in self._functions:
            function(event)

    def note(self, sentence: str) -> None:
        """Pass on a sentence about what happens to the run."""
        for say in self._notes:
            say(sentence)

    def expect(self, phases: Callable[[], Mapping[str, float]]) -> None:
        """Tell displays how long phases are expected to take, which is found out for them alone."""
        if self._displays:
            expected = phases()
            for display in self._displays:
                display.expect(expected)


@contextmanager
def following(
    progress: bool | ProgressFunction | None,
    verbose: bool | int,
    log: str | os.PathLike[str] | None = None,
    note: Callable[[str], None] | None = None,
) -> Iterator[Followers]:
    """Give the function to call with events, for those who follow: a bar, lines, a log, a function of the caller's own.

    ``note`` hears of what happens to the run, as lines and log do.
    """
    with ExitStack() as stack:
        lines = Lines()
        functions: list[ProgressFunction] = [lines] if verbose else []
        notes = [] if note is None else [note]
        notes += [lines.note] if verbose else []
        if log is not None:
            written = stack.enter_context(logged(log, lambda sentence: [say(sentence) for say in notes]))
            functions.append(written)
        if progress is True:
            functions.append(stack.enter_context(display_here()))
        elif callable(progress):
            functions.append(progress)
        yield Followers(functions, notes if log is None else [*notes, written.note])
        if verbose:
            lines.write("done")
