"""Errors that a user can cause and correct: one sentence each, saying what is wrong, where, and what to do.

Where options would do it, the error knows them: Python says them as arguments, the command line as flags. Several
things that are wrong with one table are one error, with a line for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

E = TypeVar("E", bound="HCCDError")

#: Options that only somebody has who reads a file.
READING = ("drop", "drop_missing")


class HCCDError(Exception):
    """Base of every error this library raises on purpose; its text is fit to be shown to a user.

    ``go_on`` holds options, by their names in Python, with which the run would succeed.
    """

    def __init__(self, sentence: object = "", *, go_on: Mapping[str, Any] | None = None, of_file: bool = False) -> None:
        super().__init__(sentence)
        self.go_on = dict(go_on or {})
        self.of_file = of_file

    @property
    def sentence(self) -> str:
        """What is wrong, without the options that help."""
        return str(self.args[0])

    def reworded(self: E, sentence: str, *, of_file: bool = False) -> E:
        """Return the same error in other words."""
        return type(self)(sentence, go_on=self.go_on, of_file=of_file or self.of_file)

    def __str__(self) -> str:
        usable = {name: value for name, value in self.go_on.items() if self.of_file or name not in READING}
        said = ", ".join(f"{name}={value!r}" for name, value in usable.items())
        between = "\n" if "\n" in self.sentence else "; "
        return f"{self.sentence}{between}to continue: {said}" if said else self.sentence


def all_of(errors: Iterable[E]) -> E:
    """Return one error that says what several say, and how to go on with all of them."""
    several = list(errors)
    if len(several) == 1:
        return several[0]
    lines = "".join(f"\n- {error.sentence}" for error in several)
    options: dict[str, Any] = {}
    for error in several:
        for name, value in error.go_on.items():
            both = [*options[name], *value] if isinstance(value, list) and name in options else value
            options[name] = list(dict.fromkeys(both)) if isinstance(both, list) else both
    # Options that leave a problem do not go on.
    enough = all(error.go_on for error in several)
    of_data = all(isinstance(error, InvalidDataError) for error in several)
    kind = type(several[0]) if of_data or len({type(error) for error in several}) == 1 else InvalidDataError
    return kind(f"there are {len(several)} problems to fix:{lines}", go_on=options if enough else None)  # type: ignore[return-value]


class InvalidParameterError(HCCDError, ValueError):
    """A parameter has a value that cannot be used."""


class InvalidDataError(HCCDError, ValueError):
    """The data cannot be used as they are: missing values, too few rows, a wrong type of column."""


class NotEnoughDataError(InvalidDataError):
    """Too few rows or columns to learn anything."""


class InvalidGraphError(HCCDError, ValueError):
    """A graph does not have the property that an operation needs."""


class NotExtendableError(InvalidGraphError):
    """A partially directed graph has no consistent DAG extension."""


class FileFormatError(HCCDError, ValueError):
    """A file does not hold what its reader expects."""


class NotInstalledError(HCCDError, ImportError):
    """An optional package is needed and is not installed."""


class WorkerError(HCCDError, RuntimeError):
    """The workers of a Dask cluster cannot be reached, or cannot do the work."""


class DataWarning(UserWarning):
    """The data can be used, but something in them affects the result: constants, duplicates, collinear columns."""
