"""Effects as values, and what they say in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from hccd.wording import listed, quoted


class Contrast(NamedTuple):
    """One number of an effect with its interval: a change of a mean, or the probability of a state."""

    what: str
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.what} {self.value:.4g} ({self.low:.4g} to {self.high:.4g})"


@dataclass(frozen=True)
class Possibility:
    """The effect if these are the parents of the cause, and no others.

    Attributes
    ----------
    parents : tuple of str
        What is adjusted for.
    absent : str
        Why there is no effect at all in these graphs; empty if there may be one.
    contrasts : tuple of Contrast
        The effect; empty if there is none.
    """

    parents: tuple[str, ...]
    absent: str
    contrasts: tuple[Contrast, ...]


@dataclass(frozen=True)
class Effect:
    """The total effect of ``cause`` on ``effect``: one possibility for each possible set of parents of the cause.

    Attributes
    ----------
    cause, effect : str
        The variables.
    rows : int
        Number of rows used: those that are complete in all columns concerned.
    level : float
        The level of the intervals, which do not account for errors in the graph itself.
    possibilities : tuple of Possibility
        One if all graphs of the class agree on the parents of the cause.
    notes : tuple of str
        Remarks on the numbers.
    """

    cause: str
    effect: str
    rows: int
    level: float
    possibilities: tuple[Possibility, ...]
    notes: tuple[str, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether all graphs of the class agree on the effect."""
        return len({(each.contrasts, bool(each.absent)) for each in self.possibilities}) == 1

    def range(self, what: int = 0) -> tuple[float, float]:
        """Return the smallest and the largest possible value of a contrast, by its number; no effect counts as 0."""
        values = [each.contrasts[what].value if each.contrasts else 0.0 for each in self.possibilities]
        return min(values), max(values)

    def to_dict(self) -> dict[str, Any]:
        """Return the effect as plain data."""
        return {
            "cause": self.cause,
            "effect": self.effect,
            "rows": self.rows,
            "level": self.level,
            "settled": self.settled,
            "possibilities": [
                {
                    "parents": list(each.parents),
                    "absent": each.absent,
                    "contrasts": [contrast._asdict() for contrast in each.contrasts],
                }
                for each in self.possibilities
            ],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        cause, effect = quoted(self.cause), quoted(self.effect)
        head = f"Total effect of {cause} on {effect}, if the graph is right ({self.rows:,} rows):"
        lines = [head]
        if not self.settled:
            lines[0] = (
                f"The equivalence class leaves open the total effect of {cause} on {effect}. It has "
                f"{len(self.possibilities):,} possible values, one for each set of parents that {cause} can have "
                f"({self.rows:,} rows):"
            )
        shown = self.possibilities[:1] if self.settled else self.possibilities
        for each in shown:
            given = f"adjusted for {listed([quoted(name) for name in each.parents])}" if each.parents else "unadjusted"
            lines.append(f"  none: {each.absent}" if each.absent else f"  {given}:")
            lines += [f"    {contrast}" for contrast in each.contrasts]
        if any(each.contrasts for each in shown):
            lines.append(
                f"In brackets: {100 * self.level:g} % intervals. They do not account for errors in the graph itself."
            )
        return "\n".join([*lines, *self.notes])
