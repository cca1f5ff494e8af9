"""The findings of a data check, as the report shows them: a title and lines, each with its weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from hccd.errors import InvalidParameterError

Level = Literal["fine", "note", "warning"]
LEVELS: tuple[str, ...] = get_args(Level)


@dataclass(frozen=True)
class CheckLine:
    """One finding: a sentence, and whether all is well, worth knowing, or suspicious."""

    text: str
    level: Level = "note"


@dataclass(frozen=True)
class DataCheck:
    """What a check of the data found.

    Examples
    --------
    >>> DataCheck.of({"title": "Check of survey.csv", "lines": ["2,000 rows", {"level": "fine", "text": "no gaps"}]})
    DataCheck(title='Check of survey.csv', lines=(CheckLine(text='2,000 rows', level='note'), \
CheckLine(text='no gaps', level='fine')))
    """

    title: str
    lines: tuple[CheckLine, ...] = ()

    @classmethod
    def of(cls, check: DataCheck | Mapping[str, Any]) -> DataCheck:
        """Take a check as it is, or read it from ``{"title": ..., "lines": [...]}``.

        A line is a sentence, or ``{"text": ..., "level": "fine" | "note" | "warning"}``.
        """
        if isinstance(check, DataCheck):
            return check
        if not isinstance(check, Mapping):
            raise InvalidParameterError(
                f"data_check is {check!r}; give a DataCheck, or a dictionary of title and lines"
            )
        lines = check.get("lines", ())
        if isinstance(lines, str) or not isinstance(lines, Sequence):
            raise InvalidParameterError(f"the lines of data_check are {lines!r}; give a list of sentences")
        return cls(str(check.get("title", "Data check")), tuple(map(_line, lines)))


def _line(line: Any) -> CheckLine:
    """Read one line."""
    if isinstance(line, CheckLine):
        return line
    if isinstance(line, str):
        return CheckLine(line)
    if not isinstance(line, Mapping) or "text" not in line:
        raise InvalidParameterError(f"data_check has a line {line!r}; give a sentence, or a dictionary with a text")
    level = line.get("level", "note")
    if level not in LEVELS:
        raise InvalidParameterError(f"data_check has a line of level {level!r}; choose one of {', '.join(LEVELS)}")
    return CheckLine(str(line["text"]), level)
