"""The line of progress: what it says, the time left, and that it is shown on terminals only."""

from __future__ import annotations

import pytest

from hccd.cli.progress import ProgressLine, described, duration
from hccd.progress import Progress


class Clock:
    def __init__(self):
        self.now = 50.0

    def __call__(self):
        return self.now


def level(done, order=2, tests=1000):
    return Progress("between", height=1, heights=4, order=order, edges=1200, tests=tests, done=done)


def test_words():
    assert described(level(300)) == ("between clusters, level 2 of 4, order 2: 300 of 1,200 edges; 1,000 tests")
    assert "order 2: 1,200 edges; " in described(level(1200))
    # What matters is seen on a terminal of eighty columns.
    long = Progress("between", height=19, heights=26, order=12, edges=26_733, tests=3_133_237, done=10_300)
    assert described(long, 5000.0).index("83 min left;") < 70


def test_the_time_left_is_that_of_the_edges_left():
    clock = Clock()
    line = ProgressLine(clock)
    line.text(level(1200, order=1))
    clock.now += 10.0
    assert "order 2: 300 of 1,200 edges, 30 s left;" in line.text(level(300))
    clock.now += 10.0
    assert "600 of 1,200 edges, 20 s left;" in line.text(level(600))
    clock.now += 20.0
    # Nobody knows how many orders are to come, so nothing is said after the last edge.
    assert "left" not in line.text(level(1200))
    # The next order has a clock of its own.
    clock.now += 1.0
    assert "order 3: 600 of 1,200 edges, 1 s left;" in line.text(level(600, order=3))
    assert "left" not in line.text(Progress("orientation", tests=5))


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "0 s"), (99, "99 s"), (600, "10 min"), (36_000, "10.0 h")])
def test_durations(seconds, words):
    assert duration(seconds) == words
