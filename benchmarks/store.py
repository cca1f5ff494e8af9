"""The measurements of a results directory: known by workload, implementation, repeat and version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hccd.studies.run_store import RunStore

Record = dict[str, Any]

#: Values of "status": done, stopped at the cap, or ended by an error of its own.
DONE, STOPPED, FAILED = "done", "stopped", "failed"


def known_by(workload: str, implementation: str, repeat: int, version: str, **_measured: Any) -> dict[str, Any]:
    """Return what tells measurements apart."""
    return {"workload": workload, "implementation": implementation, "repeat": repeat, "version": version}


def measurements(path: Path) -> RunStore:
    """Open the file of the measurements."""
    return RunStore(path, case_of=lambda record: known_by(**record))
