"""Seconds by phase."""

from __future__ import annotations

import time
from collections.abc import Mapping


class Clock:
    """Adds up what each phase of a run takes; phases may come again."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self._last_busy = time.process_time()
        self._busy: dict[str | None, float] = {}
        self._laps: dict[str | None, float] = {"clustering": 0.0, "learning": 0.0, "orientation": 0.0}

    def lap(self, phase: str | None) -> None:
        """Count the time since the last lap to this phase, or, by None, to no phase, only to the total."""
        now, busy = time.perf_counter(), time.process_time()
        self._laps[phase] = self._laps.get(phase, 0.0) + now - self._last
        # Several threads are busier than the clock is fast; on a busy machine it is the other way round.
        self._busy[phase] = self._busy.get(phase, 0.0) + min(now - self._last, busy - self._last_busy)
        self._last, self._last_busy = now, busy

    def rest(self) -> None:
        """Forget the time since the last lap: it was not spent on this run."""
        self._last, self._last_busy = time.perf_counter(), time.process_time()

    def take(self, part: Mapping[str, float], phase: str) -> None:
        """Count the time since the last lap to this phase, apart from a part of it whose phases are known."""
        self.lap(phase)
        self._laps[phase] -= part["total"]
        for name, seconds in part.items():
            if name != "total":
                self._laps[name] = self._laps.get(name, 0.0) + seconds

    def spent(self, phase: str) -> float:
        """Return the seconds of a phase so far, without those that others had the machine."""
        return self._busy.get(phase, 0.0)

    def seconds(self) -> dict[str, float]:
        """Return the seconds of each phase, and in all."""
        self.lap(None)
        return {"total": sum(self._laps.values()), **{name: taken for name, taken in self._laps.items() if name}}
