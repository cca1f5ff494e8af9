"""What the shell may complete: values of options, networks, names of variables. Nothing heavy is imported for it.

Completion must never fail or speak: where nothing can be told, nothing is proposed.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import zlib
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
    return _names_beginning(_nodes(_given(context, "run")), incomplete)


def complete_column(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a column of the table that is named before: of plain text only."""
    return _names_beginning(_header(_given(context, "data")), incomplete)


def _given(context: typer.Context, parameter: str) -> Any:
    """Return the value of a parameter that was typed already.

    Where the value of an option is being typed, arguments before it are not assigned to their parameters yet.
    """
    value = context.params.get(parameter)
    if value is None:
        arguments = [each.name for each in context.command.params if each.param_type_name == "argument"]
        if parameter in arguments:
            value = dict(zip(arguments, context.args, strict=False)).get(parameter)
    return value


def _beginning(words: Iterable[str], incomplete: str) -> list[str]:
    return [word for word in words if word.startswith(incomplete)]


def _names_beginning(names: Iterable[str], incomplete: str) -> list[str]:
    """Return names that begin so, as the shell that asks has to be told them; without those that it cannot take."""
    # No shell can take a line break or an escape sequence.
    told = (_told(name) for name in _beginning(names, incomplete) if name.isprintable())
    return [each for each in told if each is not None][:_MOST_PROPOSED]


def _told(name: str) -> str | None:
    """Return a name as the shell that asks has to be told it; None if there is no way."""
    shell = os.environ.get("_HCCD_COMPLETE", "")
    if shell == "complete_bash":
        word = _word_in_bash()
        if word[:1] not in ("'", '"'):
            return _Told(re.sub(r"([^\w@%+=:,./-])", r"\\\1", name))
        # Within quotation marks bash takes the name as it is.
        return None if set(name) & set("'" if word[0] == "'" else '"$`\\!') else name
    if shell == "complete_zsh" and set(name) & set("'\"\\"):
        return None
    return name


class _Told(str):
    """A name with backslashes: it begins as what was typed once the shell has read it, for which typer asks."""

    def startswith(self, *_: Any) -> bool:
        return True


def _word_in_bash() -> str:
    """Return the word at the cursor as it stands there, with its quotation marks."""
    try:
        return os.environ["COMP_WORDS"].split("\n")[int(os.environ["COMP_CWORD"])]
    except (KeyError, ValueError, IndexError):
        return ""


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
        path = Path(str(data)).expanduser()
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
            line = file.readline(1_000_000).decode("utf-8-sig").rstrip("\r\n")
        return next(csv.reader([line], delimiter=max(",;\t|", key=line.count)))
    except (OSError, EOFError, ValueError, RuntimeError, zlib.error, csv.Error, StopIteration):
        return []
