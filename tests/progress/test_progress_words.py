"""The line of progress: what it says, the time that has passed and is left, and that it is shown on terminals only."""

from __future__ import annotations

import math

import pytest

from hccd.progress import Progress
from hccd.progress.words import ProgressLine, described, duration


class Clock:
    def __init__(self):
        self.now = 50.0

    def __call__(self):
        return self.now


def level(done, order=2, tests=1000):
    return Progress("between", height=1, heights=4, order=order, edges=1200, tests=tests, done=done)


def sweep(done, share=math.nan):
    return Progress("score", edges=300, done=done, tests=5, share=share)


class Following:
    """A line, and events at certain times."""

    def __init__(self, expected=None):
        self.clock = Clock()
        self.line = ProgressLine(self.clock)
        self.line.expect(expected or {})

    def __call__(self, seconds, event=None):
        """Return what the line says after so many seconds more, and an event."""
        self.clock.now += seconds
        if event is not None:
            self.line.hear(event)
        return self.line.text()


def test_words():
    assert described(level(300)) == ("between clusters, level 2 of 4, order 2: 300 of 1,200 edges; 1,000 tests")
    assert "order 2: 1,200 edges; " in described(level(1200))
    assert described(sweep(40)) == "score search: 40 of 300 variables in this sweep"
    assert described(Progress("bootstrap", edges=100, done=7)) == "resampling: 7 of 100"


def test_the_pace_of_an_order_says_the_least_that_is_left():
    follow = Following()
    assert follow(0.0, level(1200, order=1)).startswith("1 s, time left unknown: between")
    follow(0.0, level(0))
    assert follow(10.0, level(300)).startswith("10 s, at least 30 s left: between clusters, level 2 of 4, order 2: 300")
    assert follow(10.0, level(600)).startswith("20 s, at least 20 s left:")
    # Between two events the pace goes down, and with it what is left does not.
    assert follow(10.0).startswith("30 s, at least 30 s left:")
    # Nobody knows how many orders are to come.
    assert follow(10.0, level(1200)).startswith("40 s, time left unknown:")


def test_what_was_expected_is_said_until_it_is_exceeded():
    follow = Following({"tests": 20.0, "score": 100.0})
    assert follow(0.0, Progress("marginal")).startswith("1 s, about 2 min left: pairwise tests")
    assert follow(5.0, level(0)).startswith("5 s, about 2 min left:")
    # The pace says more than was expected.
    assert follow(5.0, level(24)).startswith("10 s, about 6 min left:")
    assert follow(15.0, level(1200)).startswith("25 s, at least 2 min left:")
    assert follow(5.0, sweep(0)).startswith("30 s, about 2 min left:")
    assert follow(30.0, sweep(20)).startswith("60 s, about 7 min left:")
    assert follow(75.0, sweep(300)).startswith("2 min, time left unknown:")


def test_the_share_of_a_stage_says_what_is_left_of_it():
    follow = Following({"bootstrap": 40.0})
    follow(0.0, sweep(4, 0.5))
    # Half of the work came before; a tenth of it took ten seconds.
    assert follow(10.0, sweep(300, 0.6)).startswith("10 s, about 80 s left:")
    assert follow(0.0, Progress("bootstrap", edges=100, done=0)).startswith("10 s, about 40 s left: resampling: 0 of")
    follow(1.0, Progress("bootstrap", edges=100, done=1))
    assert follow(9.0, Progress("bootstrap", edges=100, done=10)).startswith("20 s, about 90 s left: resampling: 10 of")


def test_a_run_that_is_taken_up_does_not_take_what_it_found_for_its_own():
    follow = Following()
    follow(1.0, Progress("clustering"))
    assert follow(1.0, level(900)).startswith("2 s, time left unknown:")
    assert follow(10.0, level(1000)).startswith("12 s, at least 20 s left:")


def test_nothing_is_left_for_no_time():
    """A line that says 0 s for a minute is a lie."""
    follow = Following({"tests": 0.2})
    for event in (Progress("marginal"), level(1), level(1199), level(1200), Progress("orientation")):
        for _ in range(3):
            assert " 0 s" not in follow(0.3, event)


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "1 s"), (99, "99 s"), (600, "10 min"), (36_000, "10.0 h")])
def test_durations(seconds, words):
    assert duration(seconds) == words
