"""Events in words: what is being done, the time that has passed, and the time that is left."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from hccd.progress.events import Progress
from hccd.wording import STAGES

#: The phases of a run, in their order, as an estimate names them; what is not listed belongs to the tests.
_PHASES = ("tests", "score", "bootstrap")
_WIDTH = 20


class ProgressLine:
    """Puts events into words as they come, with the time that has passed and the time that is left.

    What is left of a phase is what it was expected to take (``expect``), less what it has taken. It is never less than
    the pace at hand says: the time that the edges, variables or resamples done so far took, carried over to the rest.
    How many orders or sweeps are still to come nobody knows, so where a phase takes longer than it was expected to,
    only that is said: so much *at least*, or nothing.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = self._phase_began = clock()
        self._expected: Mapping[str, float] = {}
        # The event at hand, with the first one of its order or sweep and the first of its phase that knew a share: a
        # run that is taken up begins in the midst of them.
        self._last: _Heard | None = None
        self._part: _Heard | None = None
        self._shares: _Heard | None = None
        self._share: float | None = None

    def expect(self, phases: Mapping[str, float]) -> None:
        """Take over how long phases are expected to take; one that is to come and not in it is not known."""
        self._expected = phases

    def hear(self, event: Progress) -> None:
        """Take note of the next event."""
        heard, before = _Heard(self._clock(), event), self._last
        if before is None or heard.phase != before.phase:
            self._phase_began, self._shares = heard.time, None
        if before is None or heard.part != before.part or event.done < before.event.done:
            self._part = heard
        if self._shares is None and heard.share > 0.0:
            self._shares = heard
        self._last = heard

    def text(self) -> str:
        """Say how it stands now."""
        assert self._last is not None
        return f"{duration(self._clock() - self._began)}, {self._left_told()}: {described(self._last.event)}"

    def share(self) -> float | None:
        """Return how much of the run is done, of its time; it never goes back. None if nobody knows."""
        left, known = self._left()
        passed = self._clock() - self._began
        if known and passed + left > 0.0:
            self._share = max(self._share or 0.0, passed / (passed + left))
        return self._share

    def _left_told(self) -> str:
        """Say how much time is left."""
        left, known = self._left()
        if known:
            return f"about {duration(left)} left"
        return f"at least {duration(left)} left" if left >= 1.0 else "time left unknown"

    def _left(self) -> tuple[float, bool]:
        """Return the seconds that are left, and whether these are all of them."""
        last, now = self._last, self._clock()
        assert last is not None and self._part is not None
        event, first, phase = last.event, self._part, last.phase
        of_part = _pace(now - first.time, event.done - first.event.done, event.edges - event.done)
        of_phase = None
        if self._shares is not None and last.share > 0.0:
            of_phase = _pace(now - self._shares.time, last.share - self._shares.share, 1.0 - last.share)
        pace = max(of_part or 0.0, of_phase or 0.0)
        to_come = sum(self._expected.get(later, 0.0) for later in _PHASES[_PHASES.index(phase) + 1 :])
        expected = self._expected.get(phase, 0.0) - (now - self._phase_began)
        if expected > 0.0 or of_phase is not None:
            return max(expected, pace) + to_come, True
        # Longer than expected, or nothing was: the pace knows of the order or the sweep at hand alone.
        return pace + to_come, False


class _Heard(NamedTuple):
    """An event and its time."""

    time: float
    event: Progress

    @property
    def phase(self) -> str:
        """The phase of the run, as an estimate calls it."""
        return self.event.stage if self.event.stage in _PHASES else _PHASES[0]

    @property
    def part(self) -> tuple[object, ...]:
        """What ``done`` counts in: one order of a level, for example."""
        return self.event.stage, self.event.height, self.event.order, self.event.edges

    @property
    def share(self) -> float:
        """How much of the phase is done, 0 if nobody knows."""
        if self.phase == "bootstrap" and self.event.edges:
            return self.event.done / self.event.edges
        return 0.0 if math.isnan(self.event.share) else self.event.share


def _pace(seconds: float, done: float, left: float) -> float | None:
    """Return how long the rest takes if so much took so many seconds; None if nothing can be told from that."""
    return seconds * left / done if done > 0 and left >= 0 else None


def described(event: Progress) -> str:
    """Put an event into words, the most interesting first: terminals are narrow."""
    words = STAGES.get(event.stage, event.stage)
    tests = f"{event.tests:,} tests"
    if event.stage == "score" and event.done:
        return f"{words}: {event.done:,} of {event.edges:,} variables in this sweep"
    if event.stage == "bootstrap":
        return f"{words}: {event.done:,} of {event.edges:,}"
    if event.stage not in ("leaf", "between", "refine"):
        return f"{words}; {tests}" if event.tests else words
    level = f"level {event.height + 1} of {event.heights}, " if event.heights > 1 else ""
    edges = f"{event.done:,} of {event.edges:,}" if 0 < event.done < event.edges else f"{event.edges:,}"
    return f"{words}, {level}order {event.order}: {edges} edges; {tests}"


def duration(seconds: float) -> str:
    """Say how long something takes; what has begun takes a second at least."""
    if seconds < 100:
        return f"{max(seconds, 1.0):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def bar(share: float) -> str:
    """Draw how much is done."""
    return f"[{'#' * int(_WIDTH * share)}{'.' * (_WIDTH - int(_WIDTH * share))}]"
