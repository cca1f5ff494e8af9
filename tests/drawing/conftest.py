"""Results to draw: the ALARM sample, and one whose names are as bad as names can be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import hccd
from hccd.datasets import alarm_path
from hccd.result import HCCDResult
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
