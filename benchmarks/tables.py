"""The tables as rows: from the measurements of one study to what a reader compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.profiles import LIMITED, Case
from benchmarks.store import Record
from benchmarks.summary import OWN_PC, Line, fastest_peer, line

Row = dict[str, Any]

#: The same collider rule on both sides.
WRAPPER_PAIRS = (
    ("skeleton", "hccd HCCD skeleton", "hccd PC skeleton"),
    ("separating set", "hccd HCCD", "hccd PC"),
    ("max-p", "hccd HCCD max-p", "hccd PC max-p"),
)


def comparison_rows(lines: Sequence[Line]) -> list[Row]:
    """Return everybody's costs and accuracy, with ratios to the fastest peer and to our own PC."""
    rows = []
    for one in lines:
        row: Row = {"workload": one.workload, "implementation": one.implementation, "version": one.version}
        if not one.done:
            rows.append({**row, "note": one.note, "stopped after s": one.stopped})
            continue
        peer = fastest_peer(lines, one.workload)
        own = next((o for o in lines if o.workload == one.workload and o.implementation == OWN_PC and o.done), None)
        rows.append(
            {
                **row,
                "CPU s": one.cpu,
                "worst CPU s": one.worst_cpu,
                "repeats": len(one.records),
                "wall s": one.wall,
                "peak MB": one.peak,
                "CI tests": one.first.get("tests"),
                "edges": one.first["edges"],
                "F1": one.first.get("f1"),
                "/ fastest peer": one.cpu / peer.cpu if peer else None,
                "/ our PC": one.cpu / own.cpu if own else None,
                "note": "",
            }
        )
    return rows


def wrapper_rows(records: Sequence[Record], cases: Sequence[Case]) -> list[Row]:
    """Return HCCD over PC in CPU time and in tests for the skeleton, the collider rule being the same."""
    rows = []
    for workload in dict.fromkeys(case.workload.name for case in cases):
        for rule, wrapped, plain in WRAPPER_PAIRS:
            above, below = line(records, workload, wrapped), line(records, workload, plain)
            if above and below and above.done and below.done and _is_what_it_says(rule, above):
                rows.append(
                    {
                        "workload": workload,
                        "colliders": rule,
                        "PC CPU s": below.cpu,
                        "HCCD CPU s": above.cpu,
                        "HCCD / PC, CPU": above.cpu / below.cpu,
                        "PC tests": below.skeleton_tests,
                        "HCCD tests": above.skeleton_tests,
                        "HCCD / PC, tests": above.skeleton_tests / below.skeleton_tests,
                        "PC F1": below.first.get("f1"),
                        "HCCD F1": above.first.get("f1"),
                    }
                )
    return rows


def _is_what_it_says(rule: str, wrapped: Line) -> bool:
    """Whether a skeleton was learned alone; measurements from before that could be done include an orientation."""
    return rule != "skeleton" or bool(wrapped.first.get("skeleton_only"))


def growth_rows(records: Sequence[Record], cases: Sequence[Case]) -> list[Row]:
    """Return time, tests and time per test of each point of the growth curves."""
    rows = []
    for case in cases:
        for implementation in case.implementations:
            found = line(records, case.workload.name, implementation)
            if found is None or not found.done:
                continue
            tests = found.first.get("tests")
            rows.append(
                {
                    "family": case.workload.family,
                    "size": case.workload.size,
                    "implementation": implementation,
                    "CPU s": found.cpu,
                    "CI tests": tests,
                    "ns per test": 1e9 * found.cpu / tests if tests else None,
                    "peak MB": found.peak,
                }
            )
    return rows


def limit_rows(records: Sequence[Record], cases: Sequence[Case]) -> list[Row]:
    """Return ours over the plain C program, from the same input, and from the table with numpy's matrix added to C."""
    rows = []
    for workload in dict.fromkeys(case.workload.name for case in cases):
        program, bound, table, matrix = (line(records, workload, implementation) for implementation in LIMITED)
        if not (program and bound and table and program.done and bound.done and table.done):
            continue
        before = matrix.cpu if matrix and matrix.done else 0.0
        rows.append(
            {
                "workload": workload,
                "tests": program.skeleton_tests,
                "C s": program.cpu,
                "ours s": bound.cpu,
                "ours / C": bound.cpu / program.cpu,
                "numpy matrix s": before or None,
                "ours from table s": table.cpu,
                "from table / (matrix + C)": table.cpu / (before + program.cpu),
                "same tests": _stripped(program.first) == _stripped(bound.first),
                "same edges": program.first["pairs_digest"] == bound.first["pairs_digest"],
                "skeleton only": bool(bound.first.get("skeleton_only")),
            }
        )
    return rows


def _stripped(record: Record) -> list[int]:
    """Return tests by order without empty orders at the end."""
    tests = list(record["skeleton_tests"])
    while tests and tests[-1] == 0:
        tests.pop()
    return tests
