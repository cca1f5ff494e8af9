"""Where progress is shown: on a line of the terminal, or below a cell of a notebook; elsewhere nothing is.

The line is drawn over and over and is gone when the work is done. Rich and IPython are imported where they are used.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

from hccd.progress.events import Progress
from hccd.progress.words import ProgressLine, bar
from hccd.wording import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

#: Makes a text, and how much is done if somebody knows: whenever it is drawn, for time goes on between two events.
Shown = Callable[[], tuple[str, float | None]]

#: A page in a browser need not be drawn more often, in seconds.
_EVERY = 0.2


class Display:
    """Shows what is being done: events of a run, which it is called with, and other work by a text."""

    def __init__(self, show: Callable[[Shown], None]) -> None:
        self._show = show
        self._line = ProgressLine()

    def __call__(self, event: Progress) -> None:
        """Show the next event of a run."""
        self._line.hear(event)
        self._show(lambda: (self._line.text(), self._line.share()))

    def expect(self, phases: Mapping[str, float]) -> None:
        """Take over how long phases of the run are expected to take."""
        self._line.expect(phases)

    def say(self, text: str, share: float | None = None) -> None:
        """Show something else that is being done."""
        self._show(lambda: (text, share))


#: Gives a display for as long as the work takes; a terminal is offered to it.
Showing = Callable[["Console | None"], AbstractContextManager[Display]]


@contextmanager
def display_on(terminal: Console | None) -> Iterator[Display]:
    """Show progress on a terminal, if there is one; names in a text may hold anything."""
    if terminal is None:
        yield Display(lambda shown: None)
        return
    from rich.live import Live
    from rich.spinner import Spinner

    # The spinner made of ASCII works on every terminal.
    spinner = Spinner("line")
    # What is printed meanwhile stands above the line, if it is on the same terminal.
    same = sys.stdout is not None and sys.stdout.isatty()
    with Live(spinner, console=terminal, transient=True, refresh_per_second=12.5, redirect_stdout=same):
        yield Display(lambda shown: spinner.update(text=_Line(shown)))


@contextmanager
def display_here() -> Iterator[Display]:
    """Show progress wherever this process is watched: in a notebook, or on the terminal of its stderr."""
    if _in_notebook():
        with _below_the_cell() as display:
            yield display
        return
    terminal = None
    if sys.stderr is not None and sys.stderr.isatty():
        from rich.console import Console

        terminal = Console(file=sys.stderr, markup=False, emoji=False, highlight=False, soft_wrap=True)
    with display_on(terminal) as display:
        yield display


class _Line:
    """One line of the terminal."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown

    def __rich__(self) -> Text:
        from rich.text import Text

        text, share = self._shown()
        shown = one_line(text if share is None else f"{bar(share)} {text}")
        return Text(shown, overflow="ellipsis", no_wrap=True)


def _in_notebook() -> bool:
    """Whether there is a page that shows what this process displays; whoever has one has imported IPython."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


@contextmanager
def _below_the_cell() -> Iterator[Display]:
    from IPython import display as page

    began = drawn = time.monotonic()
    handle = page.display(_as_html("", None), raw=True, display_id=True)

    def show(shown: Shown) -> None:
        nonlocal drawn
        now = time.monotonic()
        if now - drawn >= _EVERY:
            drawn = now
            handle.update(_as_html(*shown()), raw=True)

    try:
        yield Display(show)
    finally:
        handle.update(_as_html(f"{time.monotonic() - began:.1f} s", None), raw=True)


def _as_html(text: str, share: float | None) -> dict[str, Any]:
    """Return what a notebook shows, and what it keeps where it cannot show that."""
    done = "" if share is None else f"<progress value='{share:.3f}'></progress> "
    return {"text/html": f"<div>{done}{escape(text)}</div>", "text/plain": text}
