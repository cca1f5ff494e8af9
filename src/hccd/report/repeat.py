"""What to type to have the same run again: on the command line where it can say all, and in Python.

Only what differs from the defaults of the method and its preset is written, so that a short command stays short.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from shlex import quote
from typing import Any

from hccd.choices import METHODS, PRESETS, TESTS
from hccd.run.options import Options
from hccd.run.settings import Settings, settings_of

#: The tests that have a name on the command line.
_NAMED_TESTS = tuple(test for test in TESTS if test != "auto")


@dataclass(frozen=True)
class Repetition:
    """The same run again; ``command`` is empty where the command line has no option for a choice."""

    command: str
    python: str


def repetition(parameters: Mapping[str, Any]) -> Repetition | None:
    """Return how to repeat a run with these parameters; None for a graph that was not learned."""
    method, preset = parameters.get("method"), parameters.get("preset")
    test = parameters.get("test")
    if method not in METHODS or preset not in PRESETS or not isinstance(test, Mapping):
        return None
    scored = parameters.get("scoring", "none")
    settings = settings_of(Options(method=method, preset=preset)).before(None if scored == "none" else scored)
    named = test.get("name") in _NAMED_TESTS
    choices = _choices(parameters, settings)
    order = _max_order(parameters.get("baseline"), settings)
    baseline = [] if order is not None else _baseline(parameters.get("baseline"), settings)
    limit = {key: test[key] for key in ("alpha", "threshold") if key in test}
    seed = parameters.get("seed", 0)
    score = _score(parameters, settings)

    arguments = [f"test={test['name']!r}" if named else "test=TEST"]
    arguments += [f"{key}={value!r}" for key, value in limit.items()]
    arguments += [f"method={method!r}", f"preset={preset!r}", *baseline, *choices]
    arguments += [f"max_order={order!r}"] if order is not None else []
    arguments += [f"scoring={score!r}"] if score else []
    arguments += [f"seed={seed}"] if seed else []
    reading = parameters.get("reading", {})
    read = "".join(f", {name}={value!r}" for name, value in reading.items())
    lines = ["import hccd", "", f'table = hccd.read_table("DATA"{read})']
    if not named:
        lines.append(f"# TEST is the test {str(test.get('name'))!r} of this run.")
    if any(choice.startswith("tree=") for choice in choices):
        lines.append('run = hccd.HCCDResult.load("graph.json")')
    lines.append(f"result = hccd.discover(table, {', '.join(arguments)})")

    command = ""
    if named and not choices and not baseline:
        words = ["hccd learn DATA", *_reading_options(reading), f"--test {test['name']}"]
        words += [f"--{key} {value}" for key, value in limit.items()]
        words += [f"--method {method}", f"--preset {preset}"]
        words += [f"--max-order {order}"] if order is not None else []
        words += [f"--scoring {score}"] if score else []
        words += [f"--seed {seed}"] if seed else []
        command = " ".join(words)
    return Repetition(command, "\n".join(lines))


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


def _choices(parameters: Mapping[str, Any], settings: Settings) -> list[str]:
    """Return the single choices that differ from the settings, as arguments of ``discover``."""
    chosen = []
    tree = parameters.get("tree")
    if tree == "given":
        chosen.append("tree=run.tree")
    elif isinstance(tree, Mapping) and tree != _described(settings):
        chosen.append(f"splitter={_splitter(tree)}")
    chosen += [
        f"{name}={('none' if parameters[name] is None else parameters[name])!r}"
        for name in ("refine", "inner_order", "colliders", "conflicts")
        if name in parameters and parameters[name] != getattr(settings, name)
    ]
    return chosen


def _score(parameters: Mapping[str, Any], settings: Settings) -> str:
    """Return the score to ask for; empty if the settings ask for it themselves."""
    score = str(parameters.get("scoring", settings.scoring))
    own = score == settings.scoring or (settings.scoring == "auto" and score != "none")
    return "" if own else score


def _described(settings: Settings) -> object:
    """Return the splitter of the settings as a run records it."""
    if settings.splitter is None:
        return "one cluster"
    rule = settings.splitter.rule
    return {**vars(settings.splitter), "rule": {"name": type(rule).__name__, **vars(rule)}}


def _splitter(tree: Mapping[str, Any]) -> str:
    """Return the call that makes a recorded splitter."""
    rule = dict(tree["rule"])
    name = rule.pop("name")
    inner = ", ".join(f"{key}={value!r}" for key, value in rule.items())
    rest = ", ".join(f"{key}={value!r}" for key, value in tree.items() if key != "rule")
    return f"hccd.SpectralSplitter(rule=hccd.{name}({inner}), {rest})"


def _baseline(recorded: Any, settings: Settings) -> list[str]:
    """Return the argument for the baseline if it is not that of the settings."""
    if not isinstance(recorded, Mapping) or recorded == settings.baseline.describe():
        return []
    if recorded.get("name") != "pc":
        return ["baseline=BASELINE"]
    return [f"baseline=hccd.PC({', '.join(f'{key}={value!r}' for key, value in recorded.items() if key != 'name')})"]


def _max_order(recorded: Any, settings: Settings) -> int | str | None:
    """Return the largest order to ask for if the baseline differs from that of the settings in nothing else."""
    own = settings.baseline.describe()
    if not isinstance(recorded, Mapping) or recorded == own or {**recorded, "max_order": own["max_order"]} != own:
        return None
    order: int | None = recorded["max_order"]
    return "none" if order is None else order
