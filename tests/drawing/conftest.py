"""Results to draw: the ALARM sample, and one whose names are as bad as names can be."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest

import hccd
from hccd.datasets import alarm_path
from hccd.result import HCCDResult
from hccd.result.confidence import Confidence
from hccd.tables import read_table

NASTY = (
    "</script><script>alert(1)</script>",
    "$\\frac{1}{0}$",
    "line\nbreak\tand tab",
    "emoji 😀 and 👩‍👩‍👧",
    "שלום עולם",
    "年龄和收入的关系以及更多的文字",
    "nul \x00 bell \x07 escape \x1b[31m",
    "a" * 200,
    "__proto__",
    "100 % of_all & {braces} #1 \\textbf{x}",
    "\u202ereversed",
    '"quotes" & <b>bold</b>',
    " ",
    "lone \ud800 surrogate",
)


@pytest.fixture(scope="session")
def alarm() -> HCCDResult:
    return hccd.discover(read_table(alarm_path()))


@pytest.fixture(scope="session")
def rated(alarm) -> HCCDResult:
    """ALARM with probabilities: every edge has its own, all arrows point as they do in 0.8 of the cases."""
    pairs = alarm.skeleton.edges
    arrows = alarm.graph.directed_edges()
    share = 1.0 - np.arange(len(pairs)) / len(pairs)
    up = {(a, b) for a, b in arrows.tolist() if a < b}
    down = {(b, a) for a, b in arrows.tolist() if a > b}
    kinds = [(0.8, 0.2, 0.0) if pair in up else (0.2, 0.8, 0.0) if pair in down else (0.1, 0.1, 0.8)
             for pair in map(tuple, pairs.tolist())]  # fmt: skip
    return dataclasses.replace(alarm, confidence=Confidence(pairs, share[:, None] * np.array(kinds), 100))


@pytest.fixture(scope="session")
def nasty() -> HCCDResult:
    rng = np.random.default_rng(5)
    data = rng.normal(size=(400, len(NASTY)))
    for i in range(2, len(NASTY)):
        data[:, i] += data[:, i - 1] - data[:, i - 2]
    return hccd.discover(data, names=NASTY)


@pytest.fixture
def pyplot() -> Iterator[object]:
    """Return matplotlib's pyplot without a screen, and close what a test opened."""
    from matplotlib import pyplot

    pyplot.switch_backend("agg")
    yield pyplot
    pyplot.close("all")
