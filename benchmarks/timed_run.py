"""One measurement: run by the interpreter that has the implementation, prints one line of JSON.

    python -m benchmarks.timed_run '{"implementation": ..., "data": ..., "truth": ..., "kind": ...}'

Timed is the learning call alone; imports, reading and one call on a tiny table come before. A call shorter than
``SHORT`` is repeated, and the best counts. A line before the first call says that it begins, for the caller who stops
it when it takes too long: a timer of CPU seconds in this process would coarsen the clock that it is measured with. The
caller pins BLAS to one thread.
"""

from __future__ import annotations

import json
import resource
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.implementations import IMPLEMENTATIONS, Peer, tiny

#: CPU seconds below which a call is repeated, and how long and how often.
SHORT, ENOUGH, MOST_CALLS = 0.2, 0.6, 10

#: The lines of the output that matter: packages print things of their own.
BEGINS, MARK = "BEGINS ", "MEASURED "


def peak_megabytes() -> float:
    """Return the peak memory of this process, imports included.

    The kernel's own record of this program is used where there is one: ``ru_maxrss`` begins with the size of the
    process that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def skeleton_f1(found: Any, truth: Any) -> float | None:
    """Return the harmonic mean of precision and recall of the adjacent pairs; None without a truth."""
    true_pairs = {tuple(pair) for pair in truth.tolist()}
    found_pairs = {tuple(pair) for pair in found.tolist()}
    if not true_pairs and not found_pairs:
        return None
    return 2 * len(true_pairs & found_pairs) / (len(true_pairs) + len(found_pairs))


def pairs_of(read: dict[str, Any]) -> Any:
    """Return the adjacent pairs x < y, each once, and take the edges from what was read of a graph."""
    edges = [edge for name in ("directed", "undirected", "bidirected") for edge in read.pop(name, ())]
    return np.array(sorted({(min(edge), max(edge)) for edge in edges}), np.int64).reshape(-1, 2)


def measure(chosen: Peer, data: Any, kind: str) -> dict[str, Any]:
    """Warm up, then time the call."""
    chosen.read(chosen.learn(chosen.prepare(tiny(kind, chosen.warm_up), kind), kind))
    prepared = chosen.prepare(data, kind)
    before = peak_megabytes()
    print(BEGINS + str(time.process_time()), flush=True)
    cpu: list[float] = []
    wall: list[float] = []
    while True:
        cpu_start, wall_start = time.process_time(), time.perf_counter()
        answer = chosen.learn(prepared, kind)
        cpu.append(time.process_time() - cpu_start)
        wall.append(time.perf_counter() - wall_start)
        if cpu[0] >= SHORT or sum(cpu) >= ENOUGH or len(cpu) >= MOST_CALLS:
            break
        # Some learners keep what they computed; every call starts from the data.
        prepared = chosen.prepare(data, kind)
    peak = peak_megabytes()
    read = chosen.read(answer)
    pairs = pairs_of(read)
    return {
        "cpu_s": min(cpu),
        "wall_s": min(wall),
        "calls": len(cpu),
        "peak_mb": round(peak, 1),
        "before_mb": round(before, 1),
        "edges": len(pairs),
        "pairs": pairs,
        "tests": None,
        **read,
    }


def main() -> None:
    """Read the task, run it, print the answer."""
    task = json.loads(sys.argv[1])
    warnings.simplefilter("ignore")
    data, truth = np.load(task["data"]), np.load(task["truth"])
    answer = measure(IMPLEMENTATIONS[task["implementation"]], data, task["kind"])
    pairs = answer.pop("pairs")
    answer["f1"] = skeleton_f1(pairs, truth)
    answer["pairs_digest"] = pairs_digest(pairs)
    print(MARK + json.dumps(answer), flush=True)


def pairs_digest(pairs: Any) -> str:
    """Return the adjacent pairs in few letters."""
    import hashlib

    ordered = np.array(sorted(map(tuple, pairs.tolist())), np.int64)
    return hashlib.sha256(ordered.tobytes()).hexdigest()[:16]


if __name__ == "__main__":
    main()
