"""The short form of ``check`` at the beginning of ``learn``: how long it will take, if it is long.

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

    def say(self, console: Console) -> None:
        """Say how long it will take if it is long."""
        cost = None if self.check is None else self.check.estimate
        if cost is not None and cost.seconds > _LONG:
            console.note(f"expected: {cost}, within a factor of {cost.factor:g}; --max-order limits the tests")
