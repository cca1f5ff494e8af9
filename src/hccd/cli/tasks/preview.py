"""The short form of ``check`` at the beginning of ``learn``: warnings that learning itself does not give, long runs.

Only for tables of moderate size: it costs about as much as the unconditional tests, which is nothing there, and much
for thousands of columns.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from hccd.cli.console import Console
from hccd.cli.tasks.request import Request
from hccd.errors import InvalidDataError
from hccd.preflight import DataCheck, check_data
from hccd.run.option import shared_options
from hccd.run.options import CheckOptions
from hccd.tables import Table

# Row visits of the unconditional tests: a tenth of a second or two.
_MOST_WORK = 2e9
_MOST_SAID = 5
_LONG = 10.0


@dataclass(frozen=True)
class Preview:
    """What a look at the table found; None if there was none."""

    check: DataCheck | None

    @classmethod
    def of(cls, request: Request, table: Table) -> Preview:
        """Look at a table, unless that would take long; what must be refused is left to the learner."""
        if table.n_rows * table.n_columns**2 > _MOST_WORK:
            return cls(None)
        try:
            found = check_data(table, **shared_options(request.options, CheckOptions))
        except InvalidDataError:
            return cls(None)
        return cls(found)

    def say(self, console: Console, already: Collection[str]) -> None:
        """Say warnings that have not been said, a few of them, and how long it will take if it is long."""
        if self.check is None:
            return
        new = [finding.sentence for finding in self.check.of("warning") if finding.sentence not in already]
        shown = new if len(new) <= _MOST_SAID else new[: _MOST_SAID - 1]
        for sentence in shown:
            console.warning(sentence)
        if len(shown) < len(new):
            console.warning(
                f"there are {len(new) - len(shown):,} more warnings about the columns: hccd check lists them"
            )
        cost = self.check.estimate
        if cost is not None and cost.seconds > _LONG:
            console.note(f"{cost} are to be expected, within a factor of {cost.factor:g}; --max-order bounds them")
