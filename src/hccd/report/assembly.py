"""The page as text: its HTML, style and script from the folder ``page``, and the data of one result.

The script is plain JavaScript in small files that are joined in the order below. There is no framework and no build
step: a page that must open from a file in ten years needs neither, the whole of it is smaller than a framework, and
anybody who can read JavaScript can change it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from hccd.report.embedded import policy, safe_json

#: What a report begins with, so that one can be told from any other file.
MARK = "<!DOCTYPE html>\n<!-- hccd-report 1 -->\n"

STYLES = ("page.css", "picture.css", "devices.css")
SCRIPTS = (
    "dom.js",
    "parts.js",
    "data.js",
    "wording.js",
    "state.js",
    "combobox.js",
    "camera.js",
    "overview.js",
    "pointer.js",
    "neighbourhood.js",
    "belief.js",
    "graph.js",
    "walk.js",
    "controls.js",
    "tree.js",
    "why.js",
    "table.js",
    "tests.js",
    "choice.js",
    "sections.js",
    "printing.js",
    "save.js",
    "link.js",
    "main.js",
)


def page(content: Mapping[str, Any], seconds: Mapping[str, float], title: str) -> str:
    """Return the page of one report; times are apart from the rest, which is the same in every run.

    Parameters
    ----------
    content : mapping
        Plain data, as ``hccd.report.content.gather`` returns them.
    seconds : mapping
        Seconds by phase.
    title : str
        The title of the window; it must not hold names from the data.
    """
    template, style, script = _sources()
    parts = {
        "TITLE": title,
        "POLICY": policy(script, style),
        "STYLE": style,
        "CONTENT": safe_json(content),
        "SECONDS": safe_json(dict(seconds)),
        "SCRIPT": script,
    }
    text = template
    for name, part in parts.items():
        before, after = text.split(f"@{name}@")
        text = before + part + after
    return MARK + text


@cache
def _sources() -> tuple[str, str, str]:
    """Read the template, the style and the script."""
    folder = files(__package__) / "page"

    def read(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    script = "\n".join(["(() => {", '"use strict";', *map(read, SCRIPTS), "})();"])
    return read("page.html"), "".join(map(read, STYLES)), f"\n{script}\n"
