"""Progress events: what a long run is doing, as values passed to the caller's own function.

The search never prints and never draws a bar; it calls ``progress(event)`` in the calling thread, at least once per
level of a pass, and about every half second in the course of a long one. A progress function must be quick and must
not raise, except to stop the run. An algorithm of the user's own is one level to the library, of the largest order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple


class Progress(NamedTuple):
    """One step of a run.

    ``stage`` is one of ``marginal``, ``clustering``, ``leaf``, ``between``, ``refine``, ``orientation``, ``score``,
    ``bootstrap``;
    ``height`` and ``heights`` count the levels of the cluster tree from the leaves (0) to the root;
    ``order`` is the size of the conditioning sets; ``edges`` the edges to be asked at that order, ``done`` those of
    them that have been asked; ``tests`` the independence tests made so far. In the stage ``score``, ``edges`` and
    ``done`` count the variables of the sweep at hand, in the stage ``bootstrap`` the resamples. ``share`` is how much
    of the stage is done, nan if nobody knows: a search ends when nothing is found any more.
    """

    stage: str
    height: int = 0
    heights: int = 1
    order: int = 0
    edges: int = 0
    tests: int = 0
    done: int = 0
    share: float = math.nan


ProgressFunction = Callable[[Progress], None]


def silent(_event: Progress) -> None:
    """Ignore the event."""
