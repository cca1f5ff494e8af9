"""What the page asks for, and what is made of it: the options as they are declared, and how the table is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from hccd.cli.groups import help_of
from hccd.cli.reading_options import ReadingOptions
from hccd.errors import InvalidParameterError
from hccd.run.option import Option, option_of
from hccd.run.options import Options

#: The options that the page has.
SHOWN = ("test", "alpha", "method", "bootstrap", "missing", "baseline")
#: How a text file is read, where the page says it.
READING = ("delimiter", "encoding", "decimal", "na")
#: What a column may be taken for, with the argument of ``read_table`` that says so.
KINDS = {"continuous": "continuous", "ordinal": "ordinal", "discrete": "discrete", "out": "drop"}


def option_fields() -> list[dict[str, Any]]:
    """Return the options for the page: name, help, default, what to choose from, and whether other values fit."""
    shown = []
    for name, (default, option) in _declared().items():
        assert option.flag is not None
        shown.append(
            {
                "name": name,
                "help": help_of(option),
                "default": "" if default is None else str(default),
                "choices": list(option.choices),
                "open": bool(option.flag.metavar),
            }
        )
    return shown


def reading_fields() -> list[dict[str, Any]]:
    """Return how a text file may be read, for the page, as the command line has it."""
    hints = get_type_hints(ReadingOptions, include_extras=True)
    return [
        {"name": name, "help": hints[name].__metadata__[0].help, "default": "", "choices": [], "open": True}
        for name in READING
    ]


def asked(wishes: Mapping[str, Any]) -> tuple[Options, dict[str, Any]]:
    """Return the options of a run and the arguments of ``read_table`` for what the page asks.

    Raises
    ------
    InvalidParameterError
        An option has no such value.
    """
    declared = _declared()
    texts, tiers = wishes.get("options", {}), wishes.get("tiers", [])
    kinds, file = wishes.get("kinds", {}), wishes.get("reading", {})
    if not all(isinstance(part, dict) for part in (texts, kinds, file)) or not isinstance(tiers, list):
        raise InvalidParameterError("the page sent an unknown request: reload it")
    given = {}
    for name, text in texts.items():
        if name not in declared or not isinstance(text, str):
            raise InvalidParameterError(f"the page has no option {name!r}: reload it")
        if text.strip():
            given[name] = declared[name][1].read(name, text.strip())
    unknown = next((kind for kind in kinds.values() if not isinstance(kind, str) or kind not in KINDS), None)
    if unknown is not None:
        raise InvalidParameterError(f"a column cannot be {unknown!r}: reload the page")
    reading: dict[str, Any] = {
        argument: columns
        for kind, argument in KINDS.items()
        if (columns := tuple(column for column, own in kinds.items() if own == kind))
    }
    for name, text in file.items():
        if name not in READING or not isinstance(text, str):
            raise InvalidParameterError(f"the page has no option {name!r}: reload it")
        if text.strip():
            # A list of cells, as on the command line.
            reading[name] = tuple(text.strip().split(",")) if name == "na" else text.strip()
    known = [[str(column) for column in tier] for tier in tiers if isinstance(tier, list) and tier]
    return Options(**given, tiers=known or None), reading


def _declared() -> dict[str, tuple[Any, Option]]:
    """Return the default and the declaration of the options that the page has, in its order."""
    found = {each.name: (each.default, option_of(each)) for each in fields(Options)}
    return {name: found[name] for name in SHOWN}
