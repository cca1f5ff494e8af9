"""Measurements in a file of JSON lines, one written as soon as it is done: an interrupted run loses nothing.

A measurement is known by workload, implementation, repeat and version; a later line with the same key replaces an
earlier one. A line that was cut off when the process died is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Key = tuple[str, str, int, str]

#: Values of "status": done, stopped at the cap, or ended by an error of its own.
DONE, STOPPED, FAILED = "done", "stopped", "failed"


def key_of(record: Record) -> Key:
    """Return what tells measurements apart."""
    return record["workload"], record["implementation"], record["repeat"], record["version"]


class Store:
    """The measurements of a results directory."""

    def __init__(self, path: Path, fresh: bool = False) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            path.unlink(missing_ok=True)
        self._records: dict[Key, Record] = {key_of(record): record for record in read_lines(path)}
        if path.exists() and not path.read_bytes().endswith(b"\n"):
            # The next line must not be glued to one that was cut off.
            with path.open("a", encoding="utf-8") as file:
                file.write("\n")

    @property
    def records(self) -> list[Record]:
        """All measurements, in the order of their keys' first appearance."""
        return list(self._records.values())

    def find(self, workload: str, implementation: str, repeat: int, version: str) -> Record | None:
        """Return one measurement, or None if it has not been made."""
        return self._records.get((workload, implementation, repeat, version))

    def add(self, record: Record) -> None:
        """Write a measurement; it is on the disk when this returns."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self._records[key_of(record)] = record


def read_lines(path: Path) -> Iterable[Record]:
    """Yield the complete lines of a file; none if it is not there."""
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
            key_of(record)
        except (ValueError, KeyError, TypeError):
            continue
        yield record
