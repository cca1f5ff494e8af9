"""Everybody in turn: repeat 1 of all, then repeat 2 of all, one process each, every result stored as it comes.

On a workload the implementations follow one another, so that they meet the same state of the machine; the repeats of
one of them lie far apart, so that a busy minute does not hit them all. What the store has already is not measured
again. Not repeated: what was stopped at the cap, what failed, what took more than a third of the cap. Not tried:
workloads larger than one of the same family that the implementation was stopped on.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.limit import programs
from benchmarks.measure import C_LIMIT, measure, version_of
from benchmarks.profiles import Case
from benchmarks.store import DONE, FAILED, STOPPED, Record, known_by
from benchmarks.workloads import Workload
from hccd.studies.run_store import RunStore

Pairs = list[tuple[Workload, str]]


def pairs_to_measure(cases: Iterable[Case]) -> Pairs:
    """Return every workload with each of its implementations once, whatever the studies."""
    workloads: dict[str, Workload] = {}
    implementations: dict[str, dict[str, None]] = {}
    for case in cases:
        workloads.setdefault(case.workload.name, case.workload)
        implementations.setdefault(case.workload.name, {}).update(dict.fromkeys(case.implementations))
    return [(workloads[name], implementation) for name, chosen in implementations.items() for implementation in chosen]


def reason_to_skip(
    store: RunStore, workload: Workload, implementation: str, version: str, repeat: int, cap: float
) -> str | None:
    """Return why a measurement is not to be made, or None."""

    def stands(record: Record | None) -> bool:
        """Whether a stored measurement answers for this cap: one stopped earlier than now does not."""
        return record is not None and (record["status"] != STOPPED or record["cap"] >= cap)

    if stands(store.find(known_by(workload.name, implementation, repeat, version))):
        return "measured"
    for earlier in range(1, repeat):
        before = store.find(known_by(workload.name, implementation, earlier, version))
        if before is None or not stands(before):
            continue
        if before["status"] != DONE:
            return "not repeated"
        if before["cpu_s"] > cap / 3:
            return "long"
    smaller = smaller_stopped(store.runs.values(), workload.family, workload.size, implementation, version)
    if smaller is not None and stands(smaller):
        return f"stopped on {smaller['workload']}"
    return None


def smaller_stopped(
    records: Iterable[Record], family: str, size: int, implementation: str, version: str
) -> Record | None:
    """Return the record of a smaller workload of the family that the implementation was stopped on, if there is one."""
    for record in records:
        same = record["implementation"] == implementation and record["version"] == version
        if same and record["family"] == family and record["size"] < size and record["status"] == STOPPED:
            return record
    return None


def run_cases(cases: Iterable[Case], store: RunStore, results: Path, cap: float, repeats: int) -> None:
    """Measure what is due, in turn, and say so line by line."""
    pairs = pairs_to_measure(cases)
    if programs.compiler() is None and any(implementation == C_LIMIT for _, implementation in pairs):
        print("no C compiler found: the limit is left out")
        pairs = [pair for pair in pairs if pair[1] != C_LIMIT]
    # A polite kill is answered like Ctrl-C: the child is ended too.
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        for repeat in range(1, repeats + 1):
            for number, (workload, implementation) in enumerate(pairs, 1):
                version = version_of(implementation)
                reason = reason_to_skip(store, workload, implementation, version, repeat, cap)
                head = f"[repeat {repeat} of {repeats}, {number}/{len(pairs)}] {workload.name}: {implementation}"
                if reason is None:
                    record = measure(workload, implementation, repeat, cap, results)
                    store.add(record)
                    print(f"{head}: {described(record)}", flush=True)
                elif reason.startswith("stopped on") and repeat == 1:
                    print(f"{head}: not tried, {reason}", flush=True)
    finally:
        signal.signal(signal.SIGTERM, previous)


def described(record: Record) -> str:
    """Return a measurement in a few words."""
    if record["status"] == STOPPED:
        return f"stopped after {record['cap']:g} CPU seconds"
    if record["status"] == FAILED:
        return f"failed: {record['message']}"
    tests = "" if record.get("tests") is None else f", {record['tests']:,} tests"
    return f"{record['cpu_s']:.4g} CPU s, {record['edges']:,} edges{tests}"


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt
