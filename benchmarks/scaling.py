"""What the default would cost past these machines: a model fitted to runs, checked against others, then simulated.

    python -m benchmarks scaling [--fresh]

1. **Runs.** Linear Gaussian data, each run in a process of its own, one thread: CPU seconds by stage, tests, peak
   memory, the product of the data matrix with itself (what workers would share), and resamples. Some are repeated with
   trees of clusters of other shapes. They are kept in ``benchmarks/results/scaling.json``; ``--fresh`` repeats them.
2. **Model.** What a stage does is known: products of columns, pairs, families. Its seconds are a sum of such terms with
   coefficients that are not negative, by least squares of the error relative to what is expected, over the runs of
   ``FITTED``. So the time of a much larger run follows from the term that grows fastest, not from a slope. The runs of
   ``CHECKED`` are larger than those of the fit and do not enter it; they show how far the model can be believed.
3. **Simulation.** Partitions of rows are read, and their products summed, by workers of unequal speed, each taking the
   next task when it is free; sums go up a tree; one machine searches; resamples go to the workers again.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import os
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.optimize import nnls

from benchmarks.measure import ROOT
from benchmarks.report import RESULTS
from benchmarks.timed_run import peak_megabytes
from hccd.studies.peer_server import ONE_THREAD

#: Where the runs are kept.
KEPT = RESULTS / "scaling.json"
#: Variables, rows, neighbours.
FITTED = [(n, 1000, c) for n in (500, 1000, 2000, 4000) for c in (2, 3, 4)] + [
    (n, rows, c) for n in (500, 1000, 2000) for rows in (300, 4000) for c in (2, 3, 4)
]
CHECKED = [(8000, 1000, 3), (12000, 1000, 3), (3000, 8000, 2), (1000, 16000, 4)]
#: Stages of the one machine that searches.
SEARCH = ("learning", "clustering", "orientation", "score", "fit")
STAGES = ("product", *SEARCH, "resample")
#: What the time of a stage consists of, in variables n, rows m and neighbours c.
_ONE = {"1": lambda n, m, c: 1.0}
_PAIRS = {"n^2": lambda n, m, c: n * n}
_CELLS = {"n m": lambda n, m, c: n * m}
_PRODUCTS = {"n^2 m": lambda n, m, c: n * n * m}
_FAMILIES = {"n": lambda n, m, c: n, "n c^2": lambda n, m, c: n * c**2, "n c^4": lambda n, m, c: n * c**4}
#: More rows show weaker dependences, so there are more candidates for each family.
_FOUND = {
    "n c^4 log m": lambda n, m, c: n * c**4 * math.log(m),
    "n c^8 log m": lambda n, m, c: n * c**8 * math.log(m),
}
TERMS = {
    "product": {**_CELLS, **_PRODUCTS},
    "learning": {**_ONE, **_CELLS, **_PAIRS, **_FAMILIES, **_PRODUCTS},
    "clustering": {**_ONE, "n": _FAMILIES["n"], **_PAIRS},
    "orientation": {**_ONE, **_FAMILIES},
    "score": {**_ONE, **_PAIRS, **_FAMILIES, **_FOUND},
    "fit": {**_ONE, **_CELLS, **_PAIRS, **_PRODUCTS},
    "resample": {**_CELLS, **_PAIRS, **_FAMILIES, **_FOUND},
    "peak_mb": {**_ONE, **_CELLS, **_PAIRS},
    "tests": {**_PAIRS, **_FAMILIES, **_FOUND},
}
#: What is no time.
NO_SECONDS = {"peak_mb": "peak, megabytes", "tests": "number of tests"}
#: Trees of clusters by how often a cluster is divided on the way to a leaf, and the runs that compare them.
DEPTHS: dict[str, int | None] = {"to leaves of ten": None, "twice": 2, "never": 0}
SHAPED = [(n, 1000, c) for n in (500, 2000) for c in (3, 5)]
RESAMPLES = 4
#: Up to so many variables resamples are measured.
RESAMPLED = 2000
#: A run is repeated until it has taken so many seconds.
REPEATED = 3.0
#: What a worker of the simulation reads from its disk and sends to another one, in bytes each second.
DISK, NETWORK = 1e9, 1.25e9
#: How unequal the workers are: the standard deviation of the logarithm of their speed, task by task.
UNEQUAL = 0.2
#: Rows of a partition.
PARTITION = 1_000_000
#: Variables, rows, workers.
SIMULATED = [
    (1_000, 10**8, 10),
    (1_000, 10**10, 100),
    (10_000, 10**8, 10),
    (10_000, 10**10, 100),
    (100_000, 10**6, 10),
    (100_000, 10**8, 100),
    (100_000, 10**10, 100),
]
NEIGHBOURS = 3


def run(n: int, rows: int, neighbours: int, depth: int | None) -> dict[str, float]:
    """Return CPU seconds by stage, tests, and peak megabytes, of one run in this process."""
    import hccd
    from hccd.datasets.synthetic import LinearGaussian, random_dag

    warnings.simplefilter("ignore")
    rng = np.random.default_rng(1)
    data = LinearGaussian.random(random_dag(n, neighbours, rng).dag, rng).sample(rows, rng)
    # What the first call loads is no part of a run.
    hccd.discover(data[:, :100], test="fisher-z", transform="none", bootstrap=2)
    found: dict[str, float] = {}
    began = time.process_time()
    while True:
        for name, seconds in _once(data, n, depth).items():
            found[name] = min(seconds, found.get(name, math.inf))
        # Short runs vary most: the least of several counts.
        if time.process_time() > began + REPEATED:
            break
    found["learning"] = max(found["learning"] - found["product"], 1e-4)
    return {**found, "peak_mb": peak_megabytes()}


def _once(data: Any, n: int, depth: int | None) -> dict[str, float]:
    """Return CPU seconds by stage, and tests, of one run."""
    start = time.process_time()
    _ = data.T @ data
    found = {"product": time.process_time() - start}
    result = _learned(data, "none", depth)
    found |= {stage: result.seconds.get(stage, 0.0) for stage in SEARCH}
    found["tests"] = result.tests.total
    if n <= RESAMPLED and depth is None:
        found["resample"] = _learned(data, RESAMPLES, None).seconds["bootstrap"] / RESAMPLES
    return found


def _learned(data: Any, resamples: Any, depth: int | None) -> Any:
    """Learn; the seconds of the result are those of the processor, whatever else the machine does."""
    import hccd
    from hccd.run import clock

    clock.time = SimpleNamespace(perf_counter=time.process_time, process_time=time.process_time)  # type: ignore
    return hccd.discover(
        data,
        test="fisher-z",
        transform="none",
        splitter=None if depth is None else hccd.SpectralSplitter(max_depth=depth),
        bootstrap=resamples,
        n_jobs=1,
    )


def runs(cases: list[tuple[int, int, int]], depth: int | None = None) -> dict[tuple[int, int, int], dict[str, float]]:
    """Return what was measured, and measure what is missing, each case in a process of its own."""
    names = {case: ",".join(map(str, case if depth is None else (*case, depth))) for case in cases}
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    for name in names.values():
        if name not in kept:
            command = [sys.executable, "-m", "benchmarks.scaling", "--run", *name.split(",")]
            said = subprocess.run(
                command, cwd=ROOT, env={**os.environ, **ONE_THREAD}, capture_output=True, text=True, check=True
            )
            kept[name] = json.loads(said.stdout.splitlines()[-1])
            KEPT.parent.mkdir(parents=True, exist_ok=True)
            KEPT.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    return {case: kept[name] for case, name in names.items()}


@dataclass(frozen=True)
class Model:
    """Seconds of each stage, and megabytes: the coefficients of the terms of ``TERMS``."""

    coefficients: dict[str, tuple[float, ...]]

    @classmethod
    def fitted(cls, measured: dict[tuple[int, int, int], dict[str, float]]) -> Model:
        """Fit the coefficients: none is negative, and the squares of errors relative to the model are least.

        Relative to what was measured, too small a value could be wrong by one at most, and the fit would be too low.
        """
        found = {}
        for stage, terms in TERMS.items():
            cases = [case for case, own in measured.items() if stage in own]
            real = np.array([measured[case][stage] for case in cases])
            values = np.array([[term(*case) for term in terms.values()] for case in cases])
            scale = values.max(axis=0)
            expected = real
            for _ in range(50):
                own = nnls(values / scale / expected[:, None], real / expected)[0] / scale
                expected = values @ own
            found[stage] = tuple(own.tolist())
        return cls(found)

    def __call__(self, stage: str, n: float, rows: float, neighbours: float = NEIGHBOURS) -> float:
        """Return the seconds of a stage."""
        terms = TERMS[stage].values()
        return sum(own * term(n, rows, neighbours) for own, term in zip(self.coefficients[stage], terms, strict=True))

    def told(self, stage: str) -> str:
        """Write a stage as a formula."""
        parts = zip(self.coefficients[stage], TERMS[stage], strict=True)
        return " + ".join(f"{own:.2g} {name}".removesuffix(" 1") for own, name in parts if own > 0.0)


def makespan(seconds: float, tasks: int, workers: int, rng: np.random.Generator) -> float:
    """Return when the last of equal tasks is done by workers of unequal speed."""
    free = [0.0] * min(workers, tasks)
    for factor in rng.lognormal(0.0, UNEQUAL, tasks).tolist():
        heapq.heappush(free, heapq.heappop(free) + seconds * factor)
    return max(free)


def simulated(model: Model, n: int, rows: int, workers: int) -> dict[str, float]:
    """Return seconds of the clock by phase, of a run on a cluster, and the gigabytes of the machine that searches."""
    rng = np.random.default_rng(0)
    partitions = max(workers, math.ceil(rows / PARTITION))
    product = model("product", n, rows / partitions)
    matrix = 8.0 * n * n
    found = {
        "reading": makespan(4.0 * n * rows / partitions / DISK, partitions, workers, rng),
        "products": makespan(product, partitions, workers, rng),
        # Each worker keeps one sum; it goes up a tree in which half of the workers send at a time.
        "sums": math.ceil(math.log2(workers)) * matrix / NETWORK,
    }
    # Beyond the moments nothing depends on the rows but how many edges there are: as many as with 4,000 rows, at least.
    found |= {stage: model(stage, n, 4000) for stage in SEARCH}
    # Resamples are sums of the moments of blocks, which workers hold, and the search near the graph that was found.
    found["100 resamples"] = makespan(model("resample", n, 4000), 100, workers, rng)
    # Each worker sends its sum once, and gets all of them for the resamples.
    moved = {"moved (GB)": 2.0 * workers * matrix / 1e9, "memory (GB)": model("peak_mb", n, 1000) / 1000.0}
    return found | {"total": sum(found.values())} | moved


def main(arguments: list[str]) -> None:
    """Print the model, how it does, and the simulation."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scaling", description=__doc__)
    parser.add_argument("--fresh", action="store_true", help="forget earlier runs")
    parser.add_argument("--run", nargs="+", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.run:
        n, rows, neighbours, *depth = chosen.run
        print(json.dumps(run(n, rows, neighbours, depth[0] if depth else None)))
        return
    if chosen.fresh:
        KEPT.unlink(missing_ok=True)
    fitted = runs(FITTED)
    print("| variables, neighbours | divided | tests | tests, s | clusters, s | score, s |\n|---|---|---|---|---|---|")
    shaped = {name: runs(SHAPED, depth) for name, depth in DEPTHS.items()}
    for case in SHAPED:
        for name, own in shaped.items():
            seconds = " | ".join(f"{own[case][stage]:.3g}" for stage in ("learning", "clustering", "score"))
            print(f"| {case[0]:,}, {case[2]} | {name} | {own[case]['tests']:,.0f} | {seconds} |")
    model = Model.fitted(fitted)
    print("\n| stage | CPU seconds |\n|---|---|")
    for stage in TERMS:
        print(f"| {NO_SECONDS.get(stage, stage)} | {model.told(stage)} |")
    columns = {stage: (stage,) for stage in STAGES} | {"all but resamples": STAGES[:-1]}
    columns |= {said: (own,) for own, said in NO_SECONDS.items()}
    print(f"\n| variables, rows, neighbours: expected / measured | {' | '.join(columns)} |")
    print(f"|---|{'---:|' * len(columns)}")
    for case, found in runs(CHECKED).items():
        cells = [
            f"{sum(model(own, *case) for own in stages):.3g} / {sum(found[own] for own in stages):.3g}"
            if all(own in found for own in stages)
            else "-"
            for stages in columns.values()
        ]
        print(f"| {', '.join(f'{v:,}' for v in case)} | {' | '.join(cells)} |")
    phases: list[str] = []
    for n, rows, workers in SIMULATED:
        found = simulated(model, n, rows, workers)
        if not phases:
            phases = list(found)
            print(f"\n| variables, rows, workers | {' | '.join(phases)} |\n|---|{'---:|' * len(phases)}")
        print(f"| {n:,}, {rows:,}, {workers} | {' | '.join(f'{found[phase]:.3g}' for phase in phases)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
