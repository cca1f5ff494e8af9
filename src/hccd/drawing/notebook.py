"""A result in a notebook: what was found in a few lines, and the graph as SVG if it can be read at that size."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from hccd.drawing.labels import printable
from hccd.drawing.plot import result_scene
from hccd.drawing.svg import graph_svg
from hccd.graphs.typed import edges_told
from hccd.result.belief import belief

if TYPE_CHECKING:
    from hccd.result import HCCDResult

#: Larger graphs are not drawn unasked.
MOST_VARIABLES = 60
_MOST_WARNINGS = 5


def result_html(result: HCCDResult) -> str:
    """Return the summary as HTML that needs nothing from elsewhere; names are text in it, whatever they hold."""
    n = len(result.names)
    rows = [f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{value}</td></tr>"
            for name, value in _facts(result)]  # fmt: skip
    warnings = [f"<div>warning: {escape(printable(text))}</div>" for text in result.warnings[:_MOST_WARNINGS]]
    if len(result.warnings) > _MOST_WARNINGS:
        warnings.append(f"<div>and {len(result.warnings) - _MOST_WARNINGS} more in <code>warnings</code></div>")
    if n <= MOST_VARIABLES:
        picture = graph_svg(result_scene(result), unit=84.0, title=f"The learned graph of {n} variables")
    else:
        picture = (
            "<div><code>plot()</code> draws the graph, <code>plot(around=name)</code> what is near a variable.</div>"
        )
    return "\n".join(["<div><strong>HCCDResult</strong>", "<table>", *rows, "</table>", *warnings, picture, "</div>"])


def _facts(result: HCCDResult) -> list[tuple[str, str]]:
    """List what the summary tells."""
    leaves = len(result.tree.leaves())
    facts = [
        ("variables", f"{len(result.names):,}"),
        ("edges", edges_told(result.graph)),
        ("clusters", f"{leaves:,} leaves, depth {result.tree.depth}" if leaves > 1 else "1"),
        ("tests", f"{result.tests.total:,}"),
    ]
    found = belief(result)
    if found is not None:
        facts.insert(2, ("sure", f"{found.sure}. {found.advice(bool(result.warnings))}".strip()))
    return facts
