"""Which browser the tests use, and what is missing if there is none."""

from __future__ import annotations

import shutil

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def installed() -> str | None:
    """Where the browser is; None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def lack() -> str:
    """Say why browser tests are left out; nothing if they can run."""
    if installed() is None:
        return "browser tests were left out: no Chromium or Chrome is installed"
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "browser tests were left out: the package playwright is not installed"
    return ""
