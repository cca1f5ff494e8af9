"""What the shell may complete: values of options, networks, names of variables. Nothing heavy is imported for it.

Completion must never fail or speak: where nothing can be told, nothing is proposed.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import typer

GRAPH_FILE = "graph.json"

#: Reading more than this would make the user wait.
_MOST_BYTES = 64_000_000
_MOST_PROPOSED = 200


def completing(choices: Sequence[str]) -> Callable[[str], list[str]]:
    """Return a function that completes one of the choices."""

    def complete(incomplete: str) -> list[str]:
        return _beginning(choices, incomplete)

    return complete


def complete_variable(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a variable of the run that is named before."""
    return _beginning(_nodes(context.params.get("run")), incomplete)


def complete_column(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a column of the table that is named before: of plain text only."""
    return _beginning(_header(context.params.get("data")), incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    # A shell cannot take a line break or an escape sequence.
    return [name for name in names if name.startswith(incomplete) and name.isprintable()][:_MOST_PROPOSED]


def _nodes(run: Any) -> list[str]:
    try:
        path = Path(str(run))
        path = path / GRAPH_FILE if path.is_dir() else path
        if path.stat().st_size > _MOST_BYTES:
            return []
        return [name for name in json.loads(path.read_text(encoding="utf-8"))["nodes"] if isinstance(name, str)]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []


def _header(data: Any) -> list[str]:
    try:
        with Path(str(data)).open(encoding="utf-8-sig", newline="") as file:
            line = file.readline(1_000_000)
        return next(csv.reader([line], delimiter=max(",;\t|", key=line.count)))
    except (OSError, ValueError, csv.Error, StopIteration):
        return []
