"""Which browser the tests use, and what is missing if there is none."""

from __future__ import annotations

import shutil

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def installed() -> str | None:
    """Where the browser is; None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def lack() -> str:
    """Say why browser tests are left out; nothing if they can run."""
    if installed() is None:
        return "browser tests of the report were left out: no Chromium or Chrome is installed"
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "browser tests of the report were left out: the package playwright is not installed"
    return ""


#: Asks about every pair by clicking its two variables, and returns the sentences.
ASK_ALL = """() => {
  const click = (target) => target.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  const count = document.querySelectorAll("#scene [data-node]").length;
  const said = {};
  for (let a = 0; a < count; a += 1) for (let b = a + 1; b < count; b += 1) {
    click(document.querySelector("#graph"));
    click(document.querySelector(`[data-node="${a}"]`));
    click(document.querySelector(`[data-node="${b}"]`));
    said[`${a},${b}`] = document.querySelector("#answer .sentence").textContent;
  }
  return said;
}"""
