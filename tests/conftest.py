"""For all tests: this directory is on the import path, so that they can share inputs; deadlines, interrupts, a browser.

Without a browser its tests are left out, and one line says so.
"""

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from hccd.confidence import cost
from real_browser import FLAGS, installed, lack

# A busy machine is no failure.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# A shell turns interrupts off for what it starts in the background; the tests send some, to themselves and to others.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Resamples by default would make most tests ten times as long; those of tests/confidence ask for them.
cost.MOST_WORK = 0.0


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if lack():
        terminalreporter.write_line(lack())


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all: a process can drive it once."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=installed(), args=FLAGS)
        yield started
        started.close()
