"""What a look at the data before learning has found, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from hccd.errors import InvalidDataError, all_of
from hccd.wording import STAGES, counted

Severity = Literal["error", "warning", "note"]
FORMAT, VERSION = "hccd-check", 1
FACTOR = 3.0
"""Within what factor the estimates of tests have been found to hold; see docs/DATA.md."""


@dataclass(frozen=True)
class CheckFinding:
    """One thing to know about the data.

    Attributes
    ----------
    severity
        ``"error"``: learning would be refused; ``"warning"``: the graph may be wrong or poor; ``"note"``: how something
        was understood.
    kind
        What it is about: ``"missing"``, ``"constant"``, ``"duplicate"``, ``"collinear"``, ...
    sentence
        One sentence that says what is wrong, where, and what to do.
    columns
        The names of the columns concerned; all of them, where the sentence names five.
    go_on
        Options with which an error would be none.
    """

    severity: Severity
    kind: str
    sentence: str
    columns: tuple[str, ...] = ()
    go_on: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ColumnSummary:
    """One column: what it is taken for and by what that was told; its states if it is discrete; missing cells."""

    name: str
    kind: str | None
    told_by: str
    states: int | None
    missing: int


@dataclass(frozen=True)
class WorkEstimate:
    """What learning will cost.

    Attributes
    ----------
    tests, by_order
        Expected independence tests, in all and by the size of the conditioning set.
    phases
        Expected time of the ``tests``, the ``score`` and the resamples (``bootstrap``), of one worker on this machine;
        it differs from run to run, the tests do not. A phase of which nothing is known is not in it.
    gigabytes
        Expected memory.
    factor
        The tests are expected between ``tests / factor`` and ``tests * factor``.
    """

    tests: int
    by_order: tuple[int, ...]
    phases: Mapping[str, float]
    gigabytes: float
    factor: float = FACTOR

    @property
    def seconds(self) -> float:
        """All phases together."""
        return sum(self.phases.values())

    def __str__(self) -> str:
        """Say it in one phrase."""
        others = [f"{_duration(own)} of it for the {STAGES[phase]}" for phase, own in self._long() if phase in STAGES]
        tests = "1 test" if self.tests == 1 else f"{_rounded(self.tests)} tests"
        return ", ".join([f"about {tests}, {_duration(self.seconds)}", *others])

    def _long(self) -> list[tuple[str, float]]:
        """List the phases that are worth a word: a second and a tenth of the whole."""
        return [(phase, own) for phase, own in self.phases.items() if own >= max(1.0, 0.1 * self.seconds)]


@dataclass(frozen=True)
class DataCheck:
    """What :func:`hccd.check_data` found.

    Attributes
    ----------
    n_rows
        Number of rows.
    columns
        One summary per column.
    understood
        How the columns are interpreted, in one line.
    test, why
        The test that would be used, None if no test can be; and why, in one line.
    findings
        Everything to know, errors first.
    estimate
        The expected cost of learning; None if learning would be refused, or if it cannot be estimated.
    notes
        How the file was interpreted, where that was ambiguous.
    knowledge
        The background knowledge, in one line; empty if there is none.
    """

    n_rows: int
    columns: tuple[ColumnSummary, ...]
    understood: str
    test: str | None
    why: str
    findings: tuple[CheckFinding, ...]
    estimate: WorkEstimate | None = None
    notes: tuple[str, ...] = ()
    knowledge: str = ""

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.columns)

    @property
    def ok(self) -> bool:
        """Whether learning would not be refused."""
        return not self.of("error")

    def of(self, severity: Severity) -> tuple[CheckFinding, ...]:
        """Return the findings of one severity."""
        return tuple(finding for finding in self.findings if finding.severity == severity)

    def raise_if_refused(self) -> None:
        """Raise an error with every reason for which learning would be refused, if there is one."""
        problems = [InvalidDataError(finding.sentence, go_on=finding.go_on) for finding in self.of("error")]
        if problems:
            raise all_of(problems)

    def rows(self) -> list[tuple[str, str]]:
        """Return the check as lines of (label, text)."""
        gaps = [column.missing for column in self.columns if column.missing]
        states = [column.states for column in self.columns if column.states is not None]
        # Warnings name the columns that are left out.
        used = sum(column.kind is not None for column in self.columns)
        said = [
            ("rows", f"{self.n_rows:,}"),
            ("columns", f"{used:,}: {self.understood}" if self.understood else f"{self.n_columns:,}"),
            ("missing", f"{counted(sum(gaps), 'cell')} in {counted(len(gaps), 'column')}" if gaps else "none"),
        ]
        if states:
            said.append(("states", f"{min(states):,} to {max(states):,} in a discrete column"))
        said.append(("test", self.why or "none"))
        if self.knowledge:
            said.append(("knowledge", self.knowledge))
        if self.estimate is not None:
            said.append(("expected", f"{self.estimate}, within a factor of {self.estimate.factor:g}"))
        said += [(finding.severity, finding.sentence) for finding in self.findings]
        said += [("note", sentence) for sentence in self.notes]
        if not self.of("error") and not self.of("warning"):
            said.append(("findings", "nothing suspicious"))
        return said

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "ok": self.ok,
            "n_rows": self.n_rows,
            "n_columns": self.n_columns,
            "understood": self.understood,
            "test": self.test,
            "why": self.why,
            "estimate": None if self.estimate is None else {**asdict(self.estimate), "seconds": self.estimate.seconds},
            "findings": [asdict(finding) for finding in self.findings],
            "notes": list(self.notes),
            "knowledge": self.knowledge,
            "columns": [asdict(column) for column in self.columns],
        }

    def __str__(self) -> str:
        """Return the lines of the check as one text."""
        lines = self.rows()
        width = max(len(label) for label, _ in lines) + 2
        return "\n".join(f"{label:<{width}}{text}" for label, text in lines)


def _rounded(number: int) -> str:
    """Write a number with two digits that count, and in words where it is very large."""
    if number < 100:
        return f"{number:,}"
    if number >= 1e12:
        return f"{number:.0e}".replace("e+", " x 10^")
    digits = len(str(number)) - 2
    return f"{round(number, -digits):,}"


def _duration(seconds: float) -> str:
    """Say a time as a person would."""
    for limit, unit, name in ((90.0, 1.0, "seconds"), (90 * 60.0, 60.0, "minutes"), (48 * 3600.0, 3600.0, "hours")):
        if seconds < 1.0:
            return "less than a second"
        if seconds < limit:
            return f"about {seconds / unit:.0f} {name if round(seconds / unit) != 1 else name[:-1]}"
    days = seconds / 86400.0
    return f"about {days:,.0f} days" if days < 1000 else "years"
