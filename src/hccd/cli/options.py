"""The values of options: what may be chosen, and the sentences for what may not.

Typer hands every value on as text and is not asked to convert: the wording of its own refusals changes from version to
version. The formats repeat those of ``hccd.result.graph_files``, which is too heavy to import for ``--help``; a test
keeps them equal.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Annotated

import typer

from hccd.errors import InvalidParameterError
from hccd.run.option import whole_number as whole_number_of

GRAPH_FORMATS = ("json", "graphml", "gml", "dot", "edges", "adjacency", "amat", "amat-pag", "dagitty", "tetrad")
READ_FORMATS = (*GRAPH_FORMATS, "bif")
#: graph.json is always written.
EXPORT_FORMATS = GRAPH_FORMATS[1:]

Out = Annotated[
    str,
    typer.Option("--out", metavar="DIR", help="Folder for graph.json and report.html; created if it does not exist."),
]
Force = Annotated[
    bool,
    typer.Option(
        "--force",
        help="Replace a graph.json of other data in DIR, a graph.json or report.html that hccd did not write, and "
        "exported files. A run on the same data is always replaced.",
    ),
]
Report = Annotated[
    bool | None,
    typer.Option(
        "--report/--no-report",
        help="Write DIR/report.html, a page to explore the graph in a browser, with the reason for every edge; by "
        "default for up to 500 variables.",
        show_default=False,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write the result to stdout as JSON; messages go to stderr.")]


def typed_name(text: str) -> str:
    """Return a name as it was typed, where the locale does not know its letters and left the bytes as they were."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text


def one_of(choices: Sequence[str]) -> str:
    """Show choices in a help text."""
    return "|".join(choices)


def choice(option: str, value: str, choices: Sequence[str]) -> str:
    """Return the value of an option if it is one of the choices."""
    if value not in choices:
        raise InvalidParameterError(f"{option} is {value!r}; choose one of {', '.join(choices)}")
    return value


def number(option: str, text: str | None) -> float | None:
    """Return the value of an option as a number."""
    try:
        return None if text is None else float(text)
    except ValueError:
        raise InvalidParameterError(f"{option} is {text!r}; give a number, for example 0.01") from None


def whole_number(option: str, text: str, *, least: int | None = None) -> int:
    """Return the value of an option as a whole number, not below ``least``."""
    refusal = InvalidParameterError(
        f"{option} is {text!r}; give a whole number" + ("" if least is None else f" from {least}")
    )
    try:
        value = whole_number_of(text)
    except ValueError:
        raise refusal from None
    if least is not None and value < least:
        raise refusal
    return value


def probability(option: str, text: str) -> float:
    """Return the value of an option as a probability above 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 < value <= 1.0:
        raise InvalidParameterError(f"{option} is {text!r}; give a probability above 0, such as 0.5")
    return value
