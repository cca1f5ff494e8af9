"""Groups of options in a command: typer sees every option, the command gets each group as one value.

A parameter of a command whose type is a dataclass is a group. The options of a run are made of their declaration in
``hccd.run.options``; the fields of other groups are as typer wants them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_type_hints

import typer

from hccd.cli.completion import completing
from hccd.cli.options import one_of
from hccd.run.option import Flag, Option, option_of


def grouped(function: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose groups are taken apart."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if isinstance(hint, type) and is_dataclass(hint)}
    apart = {name: _parameters(group) for name, group in groups.items()}

    @wraps(function)
    def command(**values: Any) -> None:
        whole = {
            name: _whole(group, {each.name: values.pop(each.name) for each in apart[name]})
            for name, group in groups.items()
        }
        function(**whole, **values)

    shown: list[inspect.Parameter] = []
    for name, own in inspect.signature(function).parameters.items():
        alone = own.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
        shown += apart.get(name, [alone])
    command.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in shown}
    return command


def help_of(option: Option) -> str:
    """Return what is said about an option; what is code in the documentation, a word in quotes mostly, is a word."""
    return re.sub(r'``"?(.*?)"?``', r"\1", option.doc)


def _parameters(group: Any) -> list[inspect.Parameter]:
    """Return the options of a group as parameters of a command."""
    flagged = _flagged(group)
    if flagged:
        return [_parameter(name, *each) for name, each in flagged.items()]
    hints = get_type_hints(group, include_extras=True)
    keyword = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(each.name, keyword, default=each.default, annotation=hints[each.name])
        for each in fields(group)
    ]


def _whole(group: Any, values: Mapping[str, Any]) -> Any:
    """Return the group with the values of the command line."""
    flagged = _flagged(group)
    if not flagged:
        return group(**values)
    return group(
        **{
            field.name: list(values[name]) if flag.several else option.read(f"--{name.replace('_', '-')}", values[name])
            for name, (field, option, flag) in flagged.items()
            if values[name] or (values[name] is not None and not flag.several)
        }
    )


def _flagged(group: Any) -> dict[str, tuple[Field[Any], Option, Flag]]:
    """Return the declared options that the command line has, by their names there."""
    found = {}
    for each in fields(group):
        option = option_of(each) if get_args(each.type) else None
        if option is not None and option.flag is not None:
            found[option.flag.name or each.name] = (each, option, option.flag)
    return found


def _parameter(name: str, field: Field[Any], option: Option, flag: Flag) -> inspect.Parameter:
    """Return a declared option as typer wants it; its value stays text, which `Option.read` reads."""
    default = flag.default or (None if field.default is None else str(field.default))
    shown = typer.Option(
        metavar=flag.metavar or one_of(option.choices),
        autocompletion=completing(option.choices) if option.choices else None,
        help=help_of(option),
    )
    kind: Any = list[str] | None if flag.several else str if default is not None else str | None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, shown])
