"""The line of progress on a terminal: drawn over and over, gone when the work is done. Elsewhere nothing is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hccd.cli.console import Console, one_line
from hccd.events import Progress

_STAGES = {
    "marginal": "testing all pairs",
    "clustering": "clustering",
    "leaf": "learning inside clusters",
    "between": "learning between clusters",
    "refine": "refining",
    "orientation": "orienting",
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


def described(event: Progress) -> str:
    """Put an event into words."""
    words = _STAGES.get(event.stage, event.stage)
    if event.stage not in ("leaf", "between", "refine"):
        return f"{words}, {event.tests:,} tests so far" if event.tests else words
    level = f"level {event.height + 1} of {event.heights}, " if event.heights > 1 else ""
    return f"{words}: {level}order {event.order}, {event.edges:,} edges asked, {event.tests:,} tests so far"
