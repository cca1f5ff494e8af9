"""Sphinx roles in docstrings, such as :func:`hccd.discover`: a hook of mkdocs that leaves the name and drops the role.

Where the name is described on the same page, it becomes a link.
"""

from __future__ import annotations

import re
from typing import Any

_ROLE = re.compile(r":(?:attr|class|func|meth|mod):<code>~?([\w.]+)</code>")


def on_page_content(html: str, **_: Any) -> str:
    """Replace the roles of a page."""
    return without_roles(html)


def without_roles(html: str) -> str:
    """Return the page with names, linked where there is something to link to, instead of roles."""
    anchors: dict[str, list[str]] = {}
    for anchor in re.findall(r'id="(hccd\.[\w.]+)"', html):
        anchors.setdefault(anchor.rpartition(".")[2], []).append(anchor)

    def linked(match: re.Match[str]) -> str:
        name = match[1]
        found = anchors.get(name.rpartition(".")[2], [])
        # Several classes have methods of the same name: a name alone does not tell which is meant.
        return f'<a href="#{found[0]}"><code>{name}</code></a>' if len(found) == 1 else f"<code>{name}</code>"

    return _ROLE.sub(linked, html)
