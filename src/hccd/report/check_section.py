"""The findings of a data check, as the report shows them: a title and lines, each with its weight."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

from hccd.errors import InvalidParameterError

Level = Literal["fine", "note", "warning"]
LEVELS: tuple[str, ...] = get_args(Level)
#: The format that ``hccd check --json`` writes and ``hccd.check_data(...).to_dict()`` returns.
CHECK_FORMAT = "hccd-check"


class PlainData(Protocol):
    """A check that can be told as plain data, such as what ``hccd.check_data`` returns."""

    def to_dict(self) -> Mapping[str, Any]:
        """Return the check as a dictionary."""
        ...


@dataclass(frozen=True)
class CheckLine:
    """One finding: a sentence, and whether all is well, worth knowing, or suspicious."""

    text: str
    level: Level = "note"


@dataclass(frozen=True)
class CheckSection:
    """What a check of the data found.

    Examples
    --------
    >>> CheckSection.of({"title": "Survey", "lines": ["2,000 rows", {"level": "fine", "text": "no gaps"}]}).lines
    (CheckLine(text='2,000 rows', level='note'), CheckLine(text='no gaps', level='fine'))
    """

    title: str
    lines: tuple[CheckLine, ...] = ()

    @classmethod
    def of(cls, check: CheckSection | PlainData | Mapping[str, Any]) -> CheckSection:
        """Take a section as it is, or read it from a check or from plain data.

        Plain data are ``{"title": ..., "lines": [...]}``, where a line is a sentence or
        ``{"text": ..., "level": "fine" | "note" | "warning"}``, or what ``hccd check --json`` writes.
        """
        if isinstance(check, CheckSection):
            return check
        data = check if isinstance(check, Mapping) else _plain(check)
        if data.get("format") == CHECK_FORMAT:
            return cls("Check of the table", tuple(_check_lines(data)))
        lines = data.get("lines", ())
        if isinstance(lines, str) or not isinstance(lines, Sequence):
            raise InvalidParameterError(f"the lines of data_check are {lines!r}; give a list of sentences")
        return cls(str(data.get("title", "Check of the table")), tuple(map(_line, lines)))

    def without(self, sentences: Collection[str]) -> list[dict[str, str]]:
        """Return the lines as plain data, apart from sentences that stand elsewhere."""
        return [vars(line) for line in self.lines if line.text not in sentences]


def _plain(check: Any) -> Mapping[str, Any]:
    """Return a check as plain data."""
    data = check.to_dict() if callable(getattr(check, "to_dict", None)) else None
    if not isinstance(data, Mapping):
        raise InvalidParameterError(
            f"data_check is {check!r}; give what hccd.check_data returns, or a dictionary of title and lines"
        )
    return data


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


def _check_lines(data: Mapping[str, Any]) -> list[CheckLine]:
    """Read what ``hccd check`` found: the table and the test, then findings, then notes."""
    try:
        lines = [CheckLine(size_line(data["n_rows"], data["n_columns"], data["understood"]))]
        lines += [CheckLine(f"Test: {data['why']}")] if data["why"] else []
        lines += [CheckLine(f"Knowledge: {data['knowledge']}")] if data.get("knowledge") else []
        findings = [
            CheckLine(str(finding["sentence"]), "note" if finding["severity"] == "note" else "warning")
            for finding in data["findings"]
        ]
        notes = [CheckLine(str(sentence)) for sentence in data["notes"]]
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidParameterError(
            f"data_check is of the format {CHECK_FORMAT} but damaged ({error!r}): check the data again"
        ) from None
    return [*lines, *findings, *notes]


def size_line(n_rows: int, n_columns: int, understood: str) -> str:
    """Say how large the table is, and how its columns were understood."""
    return f"{n_rows:,} rows and {n_columns:,} columns: {understood}"
