"""From which cost of a test on the wrapper pays: HCCD makes fewer tests, but has a tree to grow.

With our own tests, HCCD takes D CPU seconds more than PC and saves S tests. A test that costs c seconds more than ours
turns the difference into D - c S; so HCCD pays from c = D / S on. Both sides learn the skeleton (until that can be done
alone, colliders are added from the separating sets). The second part asks directly: Fisher's z as a Python function
that is busy for 1 ms at every call.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.profiles import SKELETONS, Case
from benchmarks.store import Record
from benchmarks.summary import Line, line
from benchmarks.tables import Row
from benchmarks.workloads import Workload, gaussian

STUDY = "break-even"
SIZES = (20, 50, 100, 200, 500, 1000)
CONNECTIVITIES = (3, 5)
SLOW = ("hccd PC skeleton, 1 ms tests", "hccd HCCD skeleton, 1 ms tests")
#: Where the slow test is tried: PC needs some ten thousand tests there.
SLOW_WORKLOAD = (100, 5)
#: More graphs than anybody asks for; the report takes those that were measured.
MOST_GRAPHS = 100


def cases(graphs: int, slow: bool = True) -> list[Case]:
    """Return PC and HCCD on some graphs of every size, and the slow test on one."""
    found = [
        Case(STUDY, gaussian(n, connectivity, seed), SKELETONS)
        for connectivity in CONNECTIVITIES
        for n in SIZES
        for seed in range(1, graphs + 1)
    ]
    return [*found, Case(STUDY, gaussian(*SLOW_WORKLOAD), SLOW)] if slow else found


def rows(records: Sequence[Record]) -> list[Row]:
    """Return, for each size and connectivity, tests saved, seconds lost, and the quotient."""
    found = []
    for connectivity in CONNECTIVITIES:
        for n in SIZES:
            workloads = [gaussian(n, connectivity, seed) for seed in range(1, MOST_GRAPHS + 1)]
            both = [pair for workload in workloads if (pair := _both(records, workload, SKELETONS)) is not None]
            if both:
                found.append({"variables": n, "connectivity": connectivity, "graphs": len(both), **_costs(both)})
    return found


def direct_rows(records: Sequence[Record]) -> list[Row]:
    """Return what a test that costs 1 ms makes of it."""
    workload = gaussian(*SLOW_WORKLOAD)
    both = _both(records, workload, SLOW)
    if both is None:
        return []
    plain, wrapped = both
    return [
        {
            "workload": workload.name,
            "PC tests": plain.first["tests"],
            "HCCD tests": wrapped.first["tests"],
            "HCCD / PC, tests": wrapped.first["tests"] / plain.first["tests"],
            "PC CPU s": plain.cpu,
            "HCCD CPU s": wrapped.cpu,
            "HCCD / PC, CPU": wrapped.cpu / plain.cpu,
        }
    ]


def _both(records: Sequence[Record], workload: Workload, names: Sequence[str]) -> tuple[Line, Line] | None:
    """Return the lines of PC and HCCD on a workload, if both came to an end."""
    plain, wrapped = (line(records, workload.name, name) for name in names)
    return (plain, wrapped) if plain and wrapped and plain.done and wrapped.done else None


def _costs(both: Sequence[tuple[Line, Line]]) -> Row:
    """Return means over graphs; the break-even is the quotient of the sums."""
    k = len(both)
    pc_tests, hccd_tests = (sum(pair[side].skeleton_tests for pair in both) / k for side in (0, 1))
    pc, hccd = (sum(pair[side].cpu for pair in both) / k for side in (0, 1))
    saved, lost = pc_tests - hccd_tests, hccd - pc
    return {
        "PC tests": pc_tests,
        "HCCD tests": hccd_tests,
        "tests saved": saved,
        "PC CPU s": pc,
        "HCCD CPU s": hccd,
        "overhead s": lost,
        # None: there is no such cost, because nothing is saved; 0: it pays with our own tests.
        "break-even, us per test": (1e6 * max(lost, 0.0) / saved) if saved > 0 else None,
    }
