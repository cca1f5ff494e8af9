"""The files of the page. Style and small helpers are those of the report, so that both look and behave alike."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

#: The scripts of the page, joined in this order after those of the report.
SCRIPTS = ("api.js", "state.js", "data.js", "columns.js", "tiers.js", "options.js", "run.js", "result.js", "main.js")
#: What the report has that the page uses.
_SHARED = ("dom.js", "parts.js")


def page() -> str:
    """Return the HTML of the page."""
    return _text("serve", "page.html")


@cache
def assets() -> dict[str, tuple[str, str]]:
    """Return style and script: type and text by name."""
    shared = [_text("report", name) for name in _SHARED]
    own = [_text("serve", name) for name in SCRIPTS]
    script = "\n".join(["(() => {", '"use strict";', *shared, *own, "})();"])
    return {
        "report.css": ("text/css", _text("report", "page.css")),
        "page.css": ("text/css", _text("serve", "page.css")),
        "page.js": ("text/javascript", script),
    }


def _text(package: str, name: str) -> str:
    return (files(f"hccd.{package}") / "page" / name).read_text(encoding="utf-8")
