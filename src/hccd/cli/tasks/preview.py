"""The short form of ``check`` at the beginning of ``learn``: warnings that learning itself does not give, long runs.

Only for tables of moderate size: it looks at every pair of columns, which is nothing there, and much for thousands of
columns.
"""

from __future__ import annotations

from dataclasses import dataclass

from hccd.cli.console import Console
from hccd.preflight import DataCheck, check_prepared
from hccd.run.prepared import Prepared

# Row visits of the unconditional tests: a tenth of a second or two.
_MOST_WORK = 2e9
_MOST_SAID = 5
_LONG = 10.0


@dataclass(frozen=True)
class Preview:
    """What a look at the table found; None if there was none."""

    check: DataCheck | None

    @classmethod
    def of(cls, prepared: Prepared) -> Preview:
        """Look at a table that is ready to be learned from, unless that would take long."""
        table = prepared.table
        if table is None or table.n_rows * table.n_columns**2 > _MOST_WORK:
            return cls(None)
        return cls(check_prepared(prepared))

    def say(self, console: Console, already: set[str]) -> None:
        """Say warnings that have not been said, a few of them, and how long it will take if it is long."""
        if self.check is None:
            return
        new = [finding.sentence for finding in self.check.of("warning") if finding.sentence not in already]
        shown = new if len(new) <= _MOST_SAID else new[: _MOST_SAID - 1]
        already.update(shown)
        for sentence in shown:
            console.warning(sentence)
        if len(shown) < len(new):
            console.warning(
                f"there are {len(new) - len(shown):,} more warnings about the columns: hccd check lists them"
            )
        cost = self.check.estimate
        if cost is not None and cost.seconds > _LONG:
            console.note(f"{cost} are to be expected, within a factor of {cost.factor:g}; --max-order bounds them")
