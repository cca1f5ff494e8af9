"""What to type to have the same run again: on the command line where it can say all, and in Python.

Only what differs from the defaults of the method and its preset is written, so that a short command stays short.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from shlex import quote
from typing import Any

from hccd.choices import BASELINES, METHODS, PRESETS, TESTS
from hccd.confidence.cost import RESAMPLES
from hccd.run.option import option_of
from hccd.run.options import Options
from hccd.run.settings import Settings, described_splitter, settings_of

#: Settings whose None is given as "none".
_LIMITS = ("inner_order", "collider_order", "dsep_order")


@dataclass(frozen=True)
class Repetition:
    """The same run again; ``command`` is empty where the command line has no option for a choice."""

    command: str
    python: str


class _Code(str):
    """An argument that is written as it is."""

    __repr__ = str.__str__


def repetition(parameters: Mapping[str, Any], data: str = "DATA") -> Repetition | None:
    """Return how to repeat a run with these parameters on a file; None for a graph that was not learned."""
    method, preset = parameters.get("method"), parameters.get("preset")
    test = parameters.get("test")
    if method not in METHODS or preset not in PRESETS or not isinstance(test, Mapping):
        return None
    scored = parameters.get("scoring", "none")
    named = _named(parameters.get("baseline"), method)
    settings = settings_of(Options(method=method, preset=preset, baseline=named))
    settings = settings.before(None if scored == "none" else scored)
    given = _given(parameters, test, settings)
    reading = parameters.get("reading", {})
    read = "".join(f", {name}={value!r}" for name, value in reading.items())
    lines = ["import hccd", "", f"table = hccd.read_table({_in_double(data)}{read})"]
    if isinstance(given["test"], _Code):
        lines.append(f"# TEST is the test {str(test.get('name'))!r} of this run.")
    if "tree" in given:
        lines.append('run = hccd.HCCDResult.load("graph.json")')
    arguments = ", ".join(f"{name}={value!r}" for name, value in given.items())
    lines.append(f"result = hccd.discover(table, {arguments})")
    return Repetition(_command(data, given, reading), "\n".join(lines))


def _in_double(text: str) -> str:
    """Return a text as Python writes it, in double quotes where that needs no escape."""
    return f'"{text}"' if text.isprintable() and not set(text) & set('"\\') else repr(text)


def _command(data: str, given: Mapping[str, Any], reading: Mapping[str, Any]) -> str:
    """Return the command, or nothing if it has no option for one of the arguments."""
    flags = {each.name: option_of(each).flag for each in fields(Options)}
    words = []
    for name, value in given.items():
        flag = flags[name]
        if flag is None or isinstance(value, _Code | Mapping):
            return ""
        if flag.several:
            words += [f"--{flag.name} {quote(_as_list(columns))}" for columns in value]
            continue
        words.append(f"--{(flag.name or name).replace('_', '-')} {quote(str(value))}")
    return " ".join(["hccd learn", quote(data), *_reading_options(reading), *words])


def _as_list(names: Sequence[str]) -> str:
    """Return names as one text, as options for columns take it."""
    if len(names) == 1:
        return names[0]
    quoted = ('"' + name.replace('"', '""') + '"' if set(name) & set(',"') else name for name in names)
    return ",".join(quoted)


def _given(parameters: Mapping[str, Any], test: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the arguments to give: the test, the method, the preset, and what differs from what they stand for."""
    order = _max_order(parameters.get("baseline"), settings)
    baseline = settings.named if order is not None else _baseline(parameters.get("baseline"), settings)
    own: dict[str, Any] = {
        **parameters,
        "test": test["name"] if test.get("name") in TESTS and test["name"] != "auto" else _Code("TEST"),
        "alpha": test.get("alpha"),
        "threshold": test.get("threshold"),
        "max_order": order,
        # A method that is called like its baseline has it.
        "baseline": None if baseline == parameters.get("method") else baseline,
        "seed": parameters.get("seed") or None,
        "weights": _Code("WEIGHTS") if parameters.get("weights") == "given" else parameters.get("weights"),
        "tree": _Code("run.tree") if parameters.get("tree") == "given" else None,
        "splitter": _splitter(parameters.get("tree"), settings),
        "scoring": _score(parameters, settings),
        "bootstrap": _resamples(parameters.get("bootstrap")),
        **_knowledge(parameters.get("knowledge")),
        **{name: _limit(parameters.get(name, getattr(settings, name))) for name in _LIMITS},
    }
    given = {}
    for each in fields(Options):
        usual: Any = getattr(settings, each.name, each.default)
        if each.name in _LIMITS:
            usual = _limit(usual)
        always = each.name in ("test", "transform", "method", "preset")
        if each.name in own and (always or own[each.name] not in (None, usual)):
            given[each.name] = own[each.name]
    return given


def _knowledge(recorded: Any) -> dict[str, Any]:
    """Return recorded knowledge as it is given: tiers by themselves if there is nothing else."""
    if isinstance(recorded, Mapping) and set(recorded) == {"tiers"}:
        return {"knowledge": None, "tiers": recorded["tiers"]}
    return {"knowledge": recorded}


def _limit(order: int | None) -> int | str:
    """Return a limit as it is given."""
    return "none" if order is None else order


def _reading_options(reading: Mapping[str, Any]) -> list[str]:
    """Return how the table was read as options of ``learn``."""
    words = []
    for name, value in reading.items():
        option = f"--{name.replace('_', '-')}"
        if name == "discretize" and isinstance(value, Mapping):
            value = [f"{column}={classes}" for column, classes in value.items()]
        if isinstance(value, bool):
            words.append(option if value else f"--no-{name}")
        else:
            words += [f"{option} {quote(str(each))}" for each in ([value] if isinstance(value, str | int) else value)]
    return words


def _score(parameters: Mapping[str, Any], settings: Settings) -> str | None:
    """Return the score to ask for; None if the settings ask for it themselves."""
    score = str(parameters.get("scoring", settings.scoring))
    return None if settings.scoring == "auto" and score != "none" else score


def _resamples(recorded: Any) -> Any:
    """Return the resamples to ask for, recorded as a number: as many as ``auto`` draws are left to it."""
    return {0: "none", RESAMPLES: "auto"}.get(recorded, recorded)


def _splitter(tree: Any, settings: Settings) -> str | None:
    """Return the call that makes a recorded splitter, if it is not that of the settings."""
    if not isinstance(tree, Mapping) or tree == described_splitter(settings.splitter):
        return None
    rule = dict(tree["rule"])
    name = rule.pop("name")
    inner = ", ".join(f"{key}={value!r}" for key, value in rule.items())
    rest = ", ".join(f"{key}={value!r}" for key, value in tree.items() if key != "rule")
    return _Code(f"hccd.SpectralSplitter(rule=hccd.{name}({inner}), {rest})")


def _named(recorded: Any, method: str) -> str | None:
    """Return the name that a recorded baseline was asked for by; that of the method is there without that."""
    name = recorded.get("name") if isinstance(recorded, Mapping) else None
    return name if name in BASELINES and name not in ("pc", method) else None


def _baseline(recorded: Any, settings: Settings) -> str | None:
    """Return the name of a recorded baseline, or the call that makes it; None if it is that of the method."""
    if not isinstance(recorded, Mapping) or recorded == settings.described_baseline():
        return settings.named
    if recorded.get("name") != "pc":
        return _Code("BASELINE")
    return _Code(f"hccd.PC({', '.join(f'{key}={value!r}' for key, value in recorded.items() if key != 'name')})")


def _max_order(recorded: Any, settings: Settings) -> int | str | None:
    """Return the largest order to ask for if the baseline differs from that of the settings in nothing else."""
    own = settings.described_baseline()
    if not isinstance(recorded, Mapping) or recorded == own or {**recorded, "max_order": own["max_order"]} != own:
        return None
    return _limit(recorded["max_order"])
