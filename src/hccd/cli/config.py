"""Options from a file and from the environment: ``hccd.toml``, one table per command, and ``HCCD_COMMAND_OPTION``.

    [learn]
    alpha = 0.01
    drop = ["patient", "date"]

The command line wins over the environment, the environment over the file, the file over the defaults. A key that no
command knows is refused, with the file, the table and the nearest key that there is; so is a value of a wrong kind.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hccd.errors import InvalidParameterError

CONFIG_FILE = "hccd.toml"
PREFIX = "HCCD"

_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")
#: Never from the file or the environment: they are about these, or about one call.
_NOT_SET_ELSEWHERE = ("config", "show-config", "help", "version", "install-completion", "show-completion")
_KINDS = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "a table"}


@dataclass(frozen=True)
class Known:
    """An option of a command: its name without hyphens in front, the function's own name for it, and its kind."""

    name: str
    parameter: str
    flag: bool
    several: bool

    def variable(self, command: str) -> str:
        """Return the environment variable of this option."""
        return f"{PREFIX}_{command}_{self.name}".upper().replace("-", "_")


@dataclass(frozen=True)
class Given:
    """The value of an option from elsewhere than the command line, and where it stands."""

    value: Any
    source: str


def known_options(parameters: Iterable[Any]) -> dict[str, Known]:
    """List the options among typer's parameters of a command, by name."""
    known = {}
    for parameter in parameters:
        name = next((text.lstrip("-") for text in parameter.opts if text.startswith("--")), "")
        if name and parameter.param_type_name == "option" and name not in _NOT_SET_ELSEWHERE:
            flag, several = bool(getattr(parameter, "is_flag", False)), bool(getattr(parameter, "multiple", False))
            known[name] = Known(name, parameter.name, flag, several)
    return known


def read_config(asked: str | None) -> tuple[str, dict[str, Any]]:
    """Return the name and the tables of the config file: the one that was asked for, or the one that is here if any."""
    path = Path(asked) if asked is not None else Path(CONFIG_FILE)
    named = _shown(path)
    try:
        if asked is None and not path.is_file():
            return named, {}
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InvalidParameterError(f"--config is {named}, and there is no such file: check the name") from None
    except IsADirectoryError:
        raise InvalidParameterError(f"--config is {named}, which is a folder: give a file") from None
    except UnicodeDecodeError:
        raise InvalidParameterError(f"{named} is not UTF-8 text: save it as such") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidParameterError(f"{named} cannot be read ({reason}): check the name") from None
    return named, _parsed(named, text)


def _parsed(named: str, text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InvalidParameterError(f"{named} is not TOML ({reason}): correct it") from None


def from_config(
    named: str, tables: Mapping[str, Any], options: Mapping[str, Mapping[str, Known]], command: str
) -> dict[str, Given]:
    """Check a config file against the options of all commands, and return what it holds for one of them."""
    found: dict[str, Given] = {}
    for table, entries in tables.items():
        if not isinstance(entries, dict):
            owners = [owner for owner, known in options.items() if table.replace("_", "-") in known]
            where = f"put it under [{owners[0] if owners else command}]"
            raise InvalidParameterError(f"{named} has the key {_shown(table)} outside any table: {where}")
        if table not in options:
            hint = nearest(table, options) or f"choose one of {', '.join(options)}"
            raise InvalidParameterError(f"{named} has a table {_shown(f'[{table}]')}, which is not a command: {hint}")
        seen: set[str] = set()
        for key, value in entries.items():
            where = f"{_shown(key)} in [{table}] of {named}"
            name = key.replace("_", "-")
            if name not in options[table]:
                hint = nearest(name, options[table]) or f"see hccd {table} --help"
                raise InvalidParameterError(f"{where} is not an option of hccd {table}: {hint}")
            if name in seen:
                raise InvalidParameterError(f"{where} is set twice, with - and with _: remove one")
            seen.add(name)
            known = options[table][name]
            given = Given(_checked(value, known, where), f"{key} in [{table}] of {named}")
            if table == command:
                found[name] = given
    return found


def from_environment(
    environment: Mapping[str, str], options: Mapping[str, Known], command: str
) -> tuple[dict[str, Given], list[str]]:
    """Return what the environment holds for a command, and a sentence for each variable that it does not know."""
    found: dict[str, Given] = {}
    unknown = []
    variables = {known.variable(command): known for known in options.values()}
    start = f"{PREFIX}_{command}_".upper().replace("-", "_")
    for variable, text in sorted(environment.items()):
        if not variable.startswith(start) or variable == f"{start}CONFIG":
            continue
        known = variables.get(variable)
        if known is None:
            hint = nearest(variable, variables) or f"see hccd {command} --help"
            unknown.append(f"{_shown(variable)} in the environment is not an option of hccd {command}: {hint}")
        elif text or known.flag:
            value: Any = text
            if known.flag:
                if text.lower() not in (*_TRUE, *_FALSE):
                    raise InvalidParameterError(f"{variable} is {_shown(text)} in the environment; give 1 or 0")
                value = text.lower() in _TRUE
            elif known.several:
                value = [part.strip() for part in text.split(",") if part.strip()]
            found[known.name] = Given(value, f"{variable} in the environment")
    return found, unknown


def settings_elsewhere(
    asked: str | None, options: Mapping[str, Mapping[str, Known]], command: str
) -> tuple[dict[str, Given], list[str]]:
    """Return the options of a command that come from the file or the environment, and sentences for the user."""
    named, tables = read_config(asked)
    configured = from_config(named, tables, options, command)
    variables, unknown = from_environment(os.environ, options[command], command)
    return {**configured, **variables}, unknown


def nearest(name: str, names: Iterable[str]) -> str:
    """Ask whether the nearest of some names was meant; nothing if none is near."""
    near = difflib.get_close_matches(name, list(names), n=1)
    return f"did you mean {_shown(near[0])}?" if near else ""


def _checked(value: Any, known: Known, where: str) -> Any:
    """Return a value of TOML as the command line would have it: flags as they are, everything else as text."""
    wanted: tuple[type, ...]
    if known.flag:
        wanted = (bool,)
    elif known.several:
        value = [value] if isinstance(value, str) else value
        wanted = (list,)
    else:
        wanted = (str, int, float)
    fits = isinstance(value, wanted) and (known.flag or not isinstance(value, bool))
    if known.several and fits:
        fits = all(isinstance(item, str) for item in value)
    if not fits:
        expected = "true or false" if known.flag else "a list of texts" if known.several else "a text or a number"
        raise InvalidParameterError(f"{where} is {_KINDS.get(type(value), 'a date or a time')}: give {expected}")
    return value if known.flag or known.several else str(value)


def _shown(name: object) -> str:
    text = str(name)
    return repr(text if len(text) <= 200 else f"{text[:197]}...")
