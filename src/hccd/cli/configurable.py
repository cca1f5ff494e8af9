"""What every command has: ``--config`` and ``--show-config``, and errors that say where a bad value came from.

``configurable(function)`` returns the function with the two options added, for typer to make a command of. Options that
the command line does not give are then taken from the environment and the config file (:mod:`hccd.cli.config`).
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

from hccd.cli.config import CONFIG_FILE, Given, known_options, settings_elsewhere
from hccd.cli.console import Console
from hccd.errors import InvalidParameterError

_KEY = "hccd.settings"


def _load(context: typer.Context, asked: str | None) -> str | None:
    """Make what stands in the file and the environment the defaults of this command."""
    if context.resilient_parsing:  # for completion
        return asked
    commands: Mapping[str, Any] = getattr(context.find_root().command, "commands", {})
    options = {name: known_options(command.params) for name, command in commands.items()}
    command = str(context.info_name)
    try:
        found, unknown = settings_elsewhere(asked, options, command)
    except InvalidParameterError as error:
        # Raised later: who asks for the help gets it all the same.
        context.meta[_KEY] = error
        return asked
    context.meta[_KEY] = (found, unknown)
    context.default_map = {options[command][name].parameter: given.value for name, given in found.items()}
    return asked


def _show(context: typer.Context, wanted: bool) -> bool:
    """Let the arguments be left out if the settings are to be shown only."""
    if wanted:
        for parameter in context.command.params:
            if parameter.param_type_name == "argument":
                parameter.required = False
    return wanted


Config = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar="HCCD_CONFIG",
        callback=_load,
        is_eager=True,
        show_default=False,
        show_envvar=False,
        help=f"Take options from this TOML file; by default from {CONFIG_FILE} in this folder, if there is one.",
    ),
]
ShowConfig = Annotated[
    bool,
    typer.Option("--show-config", callback=_show, is_eager=True, help="Show the options in effect and exit."),
]


def configurable(function: Callable[..., None]) -> Callable[..., None]:
    """Return a command with ``--config`` and ``--show-config``."""
    signature = inspect.signature(function)
    hints = get_type_hints(function, include_extras=True)
    own = [parameter.replace(annotation=hints[name]) for name, parameter in signature.parameters.items()]
    keyword = inspect.Parameter.KEYWORD_ONLY
    added = [
        inspect.Parameter("config_context", keyword, annotation=typer.Context),
        inspect.Parameter("config", keyword, annotation=Config, default=None),
        inspect.Parameter("show_config", keyword, annotation=ShowConfig, default=False),
    ]

    @wraps(function)
    def command(*, config_context: typer.Context, config: str | None, show_config: bool, **values: Any) -> None:
        elsewhere: tuple[dict[str, Given], list[str]] | InvalidParameterError = config_context.meta[_KEY]
        if isinstance(elsewhere, InvalidParameterError):
            raise elsewhere
        found, unknown = elsewhere
        for sentence in unknown:
            Console(quiet=bool(values.get("quiet"))).warning(sentence)
        if show_config:
            _say_settings(config_context, found, values)
            return
        try:
            function(**values)
        except InvalidParameterError as error:
            raise error.reworded(_with_source(error.sentence, config_context, found)) from error

    named = [parameter.replace(kind=keyword) for parameter in own]
    command.__signature__ = signature.replace(parameters=[*named, *added])  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in (*named, *added)}
    return command


def _from_elsewhere(context: typer.Context, parameter: str) -> bool:
    """Whether the value of a parameter was found in the file or the environment."""
    return getattr(context.get_parameter_source(parameter), "name", "") == "DEFAULT_MAP"


def _with_source(sentence: str, context: typer.Context, found: Mapping[str, Given]) -> str:
    """Say where the value of the option stands that a sentence begins with, if not on the command line."""
    option = re.match(r"--([a-z-]+) ", sentence)
    known = known_options(context.command.params).get(option[1]) if option else None
    if known is None or known.name not in found or not _from_elsewhere(context, known.parameter):
        return sentence
    return f"{sentence} (it is {found[known.name].source})"


def _say_settings(context: typer.Context, found: Mapping[str, Given], values: Mapping[str, Any]) -> None:
    """Show the options in force as the table of a config file, each with where it came from."""
    console = Console()
    shown: dict[str, dict[str, Any]] = {}
    for known in known_options(context.command.params).values():
        source = getattr(context.get_parameter_source(known.parameter), "name", "")
        where = {"COMMANDLINE": "command line", "DEFAULT_MAP": found[known.name].source if known.name in found else ""}
        shown[known.name] = {"value": values[known.parameter], "source": where.get(source, "default")}
    if values.get("as_json"):
        console.data({"command": context.info_name, "options": shown})
        return
    console.result(f"[{context.info_name}]")
    for name, entry in shown.items():
        value = entry["value"]
        if value is None or value == []:
            console.result(f"# {name} is not set")
        else:
            console.result(f"{name} = {_as_toml(value)}  # {entry['source']}")


def _as_toml(value: Any) -> str:
    """Write a value for a config file; JSON writes texts, truth values and lists of texts as TOML does."""
    plain_number = isinstance(value, str) and re.fullmatch(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]*[1-9])?", value)
    return str(value) if plain_number else json.dumps(value)
