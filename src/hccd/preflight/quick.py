"""The check that a run makes of its own data before it begins: what it will cost, for whoever is waiting.

Only for tables of moderate size: it looks at every pair of columns, which is nothing there, and much for thousands of
columns.
"""

from __future__ import annotations

from hccd.preflight.check import check_prepared
from hccd.preflight.data_check import DataCheck
from hccd.run.prepared import Prepared

# Row visits of the unconditional tests: a tenth of a second or two.
_MOST_WORK = 2e9


def quick_check(prepared: Prepared) -> DataCheck | None:
    """Look at a table that is ready to be learned from, unless that would take long or there is no whole one."""
    table = prepared.table
    if table is None or prepared.binding.streamed is not None or table.n_rows * table.n_columns**2 > _MOST_WORK:
        return None
    return check_prepared(prepared)


def expected_phases(prepared: Prepared) -> dict[str, float]:
    """Return the seconds that each phase of a run is expected to take; nothing if that cannot be told."""
    check = quick_check(prepared)
    return {} if check is None or check.estimate is None else dict(check.estimate.phases)
