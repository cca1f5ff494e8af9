"""One measurement in a process of its own: the record that goes into the store.

BLAS is pinned to one thread. A child whose call has used too many CPU seconds is ended from here; a limit by the clock
stands behind that, for a child that sleeps. The plain C programs are an implementation like any other, under the name
``C_LIMIT``.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import hccd
from benchmarks.implementations import IMPLEMENTATIONS
from benchmarks.limit import programs
from benchmarks.peers import PINS, interpreter
from benchmarks.store import DONE, FAILED, STOPPED, Record
from benchmarks.timed_run import BEGINS, MARK
from benchmarks.workloads import Workload
from hccd.studies.peer_server import ONE_THREAD

ROOT = Path(__file__).parents[1]
#: What a child may take besides the call that is timed: interpreter, imports, reading, the tiny table.
START_UP = 120.0
#: Seconds between two looks at a running child.
PAUSE = 0.1
C_LIMIT = "plain C"


def version_of(implementation: str) -> str:
    """Return the version that a measurement belongs to; ours changes with every change of its source."""
    if implementation == C_LIMIT:
        return programs.version()
    package = IMPLEMENTATIONS[implementation].package
    if package in PINS:
        return PINS[package]
    if package == "numpy":
        import numpy

        return numpy.__version__
    return f"{hccd.__version__}+{source_digest(Path(hccd.__file__).parent)}"


def source_digest(package: Path) -> str:
    """Return the content of a package's source files in few letters."""
    content = hashlib.sha256()
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.pxd")]):
        content.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return content.hexdigest()[:8]


def kinds_of(implementation: str) -> tuple[str, ...]:
    """Return the kinds of data that an implementation takes."""
    return ("continuous", "discrete") if implementation == C_LIMIT else IMPLEMENTATIONS[implementation].kinds


def measure(workload: Workload, implementation: str, repeat: int, cap: float, results: Path) -> Record:
    """Measure once, whatever comes of it."""
    data, truth = workload.files(results / "workloads")
    record: Record = {
        "workload": workload.name,
        "family": workload.family,
        "size": workload.size,
        "kind": workload.kind,
        "implementation": implementation,
        "repeat": repeat,
        "version": version_of(implementation),
        "cap": cap,
        "load": round(os.getloadavg()[0], 2),
        "time": time.strftime("%Y-%m-%dT%H:%M:%S"),
    }
    if implementation == C_LIMIT:
        return {**record, "status": DONE, **programs.run(workload, data, results / "limit")}
    task = {
        "implementation": implementation,
        "data": str(data.resolve()),
        "truth": str(truth.resolve()),
        "kind": workload.kind,
    }
    return {**record, **run_child(interpreter(IMPLEMENTATIONS[implementation].package), task, cap)}


def run_child(python: str, task: dict[str, object], cap: float) -> Record:
    """Run one task in an interpreter and return what it says, or how it ended."""
    command = [python, "-m", "benchmarks.timed_run", json.dumps(task)]
    with tempfile.TemporaryDirectory() as name:
        output, errors = Path(name, "output"), Path(name, "errors")
        with output.open("w") as out, errors.open("w") as err:
            child = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **ONE_THREAD}, stdout=out, stderr=err)
            try:
                ended = _wait(child, output, cap)
            finally:
                child.kill()
                child.wait()
        if not ended:
            return {"status": STOPPED}
        answer = _line(output, MARK)
        if child.returncode == 0 and answer is not None:
            return {"status": DONE, **json.loads(answer)}
        said = [line.strip() for line in errors.read_text(errors="replace").splitlines() if line.strip()]
        return {"status": FAILED, "message": (said[-1] if said else f"ended with code {child.returncode}")[:200]}


def _wait(child: subprocess.Popen[bytes], output: Path, cap: float) -> bool:
    """Wait for the child; False if its call has used ``cap`` CPU seconds, or if it takes far too long by the clock."""
    deadline = time.monotonic() + START_UP + 4 * cap
    begins = None
    while True:
        try:
            child.wait(timeout=PAUSE)
            return True
        except subprocess.TimeoutExpired:
            begins = begins or _line(output, BEGINS)
        if begins is not None and cpu_seconds(child.pid) - float(begins) > cap:
            return False
        if time.monotonic() > deadline:
            return False


def _line(output: Path, mark: str) -> str | None:
    """Return the rest of the last complete line that begins with a mark."""
    lines = [line for line in output.read_text(errors="replace").splitlines(keepends=True) if line.startswith(mark)]
    return lines[-1].removeprefix(mark).rstrip() if lines and lines[-1].endswith("\n") else None


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds a process has used, all threads together; 0 where that cannot be told."""
    status = Path(f"/proc/{pid}/stat")
    if not status.exists():
        return 0.0
    # The name may hold blanks; it ends with the last parenthesis. User and system time are fields 14 and 15.
    fields = status.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
