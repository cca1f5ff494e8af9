"""One worker and two: wall time of the skeleton, and whether the results are the same.

BLAS stays at one thread on both sides, so that what is seen are our own workers. On a machine that is busy with other
things, two workers show little.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.profiles import Case
from benchmarks.store import Record
from benchmarks.summary import line
from benchmarks.tables import Row
from benchmarks.workloads import gaussian, network

STUDY = "threads"
#: From a bound test (a correlation matrix, coded columns), and from the table: then with its correlations, by BLAS.
METHODS = ("hccd PC skeleton, bound", "hccd PC skeleton", "hccd HCCD skeleton")


def cases() -> list[Case]:
    """Return both methods with one worker and with two, on one large workload of each kind."""
    implementations = tuple(name for method in METHODS for name in (method, f"{method}, 2 workers"))
    return [Case(STUDY, workload, implementations) for workload in (gaussian(5000, 3), network("munin1", 5000))]


def rows(records: Sequence[Record]) -> list[Row]:
    """Return wall times and whether the outcome is the same to the last bit."""
    found = []
    for case in cases():
        for method in METHODS:
            one, two = (line(records, case.workload.name, name) for name in (method, f"{method}, 2 workers"))
            if one and two and one.done and two.done:
                found.append(
                    {
                        "workload": case.workload.name,
                        "method": method,
                        "wall s, 1 worker": one.wall,
                        "wall s, 2 workers": two.wall,
                        "2 / 1": two.wall / one.wall,
                        "CPU s, 1 worker": one.cpu,
                        "CPU s, 2 workers": two.cpu,
                        "same result": one.first["outcome"] == two.first["outcome"],
                    }
                )
    return found
