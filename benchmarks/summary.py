"""From single measurements to one line for each workload and implementation: the best, the spread, the ratios.

Only the version measured last counts for each implementation, so that a table never mixes two states of the code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.profiles import OUR_GRAPHS, PEERS, SKELETONS, Case
from benchmarks.runner import smaller_stopped
from benchmarks.store import DONE, FAILED, Record

#: What ratios to "our own PC" are taken against.
OWN_PC = "hccd PC"
COMPARED = (*SKELETONS, *OUR_GRAPHS, *PEERS)


@dataclass(frozen=True)
class Line:
    """All repeats of one implementation on one workload; ``note`` says why there is no time.

    ``stopped`` are the CPU seconds after which it was stopped, if it was.
    """

    workload: str
    implementation: str
    version: str
    records: tuple[Record, ...] = field(repr=False)
    note: str = ""
    stopped: float | None = None

    @property
    def done(self) -> bool:
        """Whether there is a time."""
        return bool(self.records)

    @property
    def first(self) -> Record:
        """Any of the records, for what does not vary."""
        return self.records[0]

    @property
    def cpu(self) -> float:
        """The best CPU time."""
        return min(record["cpu_s"] for record in self.records)

    @property
    def worst_cpu(self) -> float:
        """The worst CPU time."""
        return max(record["cpu_s"] for record in self.records)

    @property
    def wall(self) -> float:
        """The best wall time."""
        return min(record["wall_s"] for record in self.records)

    @property
    def peak(self) -> float | None:
        """The largest peak of memory, in megabytes."""
        return max((record["peak_mb"] for record in self.records if "peak_mb" in record), default=None)

    @property
    def skeleton_tests(self) -> int:
        """Tests made for the skeleton (our own implementations only)."""
        return sum(self.first["skeleton_tests"])


def current(records: Iterable[Record]) -> list[Record]:
    """Return the measurements of the version of each implementation that was measured last."""
    kept = list(records)
    last = {record["implementation"]: record for record in sorted(kept, key=lambda record: record["time"])}
    return [record for record in kept if record["version"] == last[record["implementation"]]["version"]]


def line(records: Sequence[Record], workload: str, implementation: str) -> Line | None:
    """Return the line of one implementation on one workload; None if it was never run."""
    own = [r for r in records if r["workload"] == workload and r["implementation"] == implementation]
    if not own:
        return None
    done = tuple(record for record in own if record["status"] == DONE)
    if done:
        return Line(workload, implementation, own[0]["version"], done)
    last = own[-1]
    if last["status"] == FAILED:
        return Line(workload, implementation, last["version"], (), f"failed: {last['message']}")
    return Line(workload, implementation, last["version"], (), f"stopped after {last['cap']:g} s", last["cap"])


def comparison(records: Sequence[Record], cases: Iterable[Case]) -> list[Line]:
    """Return the lines of the comparison, workload by workload; larger ones that were not tried are among them."""
    lines: list[Line] = []
    measured = {record["workload"] for record in records}
    for case in cases:
        workload = case.workload
        if workload.name not in measured:
            continue
        for implementation in (name for name in COMPARED if name in case.implementations):
            found = line(records, workload.name, implementation)
            if found is None:
                found = _not_tried(records, workload.family, workload.size, workload.name, implementation)
            if found is not None:
                lines.append(found)
    return lines


def _not_tried(records: Sequence[Record], family: str, size: int, workload: str, implementation: str) -> Line | None:
    versions = {r["version"] for r in records if r["implementation"] == implementation}
    for version in versions:
        smaller = smaller_stopped(records, family, size, implementation, version)
        if smaller is not None:
            return Line(workload, implementation, version, (), f"not tried: stopped on {smaller['workload']}")
    return None


def fastest_peer(lines: Iterable[Line], workload: str) -> Line | None:
    """Return the peer with the least CPU time on a workload; None if none came to an end."""
    finished = [one for one in lines if one.workload == workload and one.implementation in PEERS and one.done]
    return min(finished, key=lambda one: one.cpu, default=None)
