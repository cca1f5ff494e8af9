"""One measurement in a process of its own: the record that goes into the store.

BLAS is pinned to one thread. The child limits its own CPU seconds; a wall clock limit stands behind that, for a child
that sleeps. The plain C programs are an implementation like any other, under the name ``C_LIMIT``.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import time
from functools import cache
from pathlib import Path

import hccd
from benchmarks import peers
from benchmarks.implementations import IMPLEMENTATIONS
from benchmarks.limit import programs
from benchmarks.store import DONE, FAILED, STOPPED, Record
from benchmarks.timed_run import MARK
from benchmarks.workloads import Workload

ROOT = Path(__file__).parents[1]
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1")
#: What a child may take besides the call that is timed: interpreter, imports, reading, the tiny table.
START_UP = 120.0
C_LIMIT = "plain C"


@cache
def version_of(implementation: str) -> str:
    """Return the version that a measurement belongs to; ours changes with every change of its source."""
    if implementation == C_LIMIT:
        return programs.version()
    package = IMPLEMENTATIONS[implementation].package
    if package in peers.PINS:
        return peers.PINS[package]
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
        "alpha": workload.alpha,
        "cap": cap,
    }
    return {**record, **run_child(peers.interpreter(IMPLEMENTATIONS[implementation].package), task, cap)}


def run_child(python: str, task: dict[str, object], cap: float) -> Record:
    """Run one task in an interpreter and return what it says, or how it ended."""
    command = [python, "-m", "benchmarks.timed_run", json.dumps(task)]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **ONE_THREAD},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        output, errors = process.communicate(timeout=START_UP + 4 * cap)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return {"status": STOPPED}
    except BaseException:
        process.kill()
        process.communicate()
        raise
    if process.returncode == -signal.SIGPROF:
        return {"status": STOPPED}
    answers = [line for line in output.splitlines() if line.startswith(MARK)]
    if process.returncode == 0 and answers:
        return {"status": DONE, **json.loads(answers[-1].removeprefix(MARK))}
    said = [line.strip() for line in errors.splitlines() if line.strip()]
    return {"status": FAILED, "message": (said[-1] if said else f"ended with code {process.returncode}")[:200]}
