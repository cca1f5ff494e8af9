"""What the default would cost past these machines: a model fitted to runs, checked against others, then simulated.

    python -m benchmarks scaling [--fresh]

1. **Runs.** Linear Gaussian data, each run in a process of its own, one thread: CPU seconds by stage, peak memory, the
   product of the data matrix with itself (what workers would share), and resamples. They are kept in
   ``benchmarks/results/scaling.json``; ``--fresh`` makes them again.
2. **Model.** For each stage the logarithm of its seconds is linear in those of variables, rows and neighbours, by least
   squares over the runs of ``FITTED``. The runs of ``CHECKED`` are larger, and say how far it can be believed.
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
from typing import Any

import numpy as np

from benchmarks.measure import ROOT
from benchmarks.report import RESULTS
from benchmarks.timed_run import peak_megabytes
from hccd.studies.peer_server import ONE_THREAD

#: Variables, rows, neighbours.
FITTED = [(n, 1000, c) for n in (250, 500, 1000, 2000) for c in (2, 3, 4)] + [
    (n, rows, 3) for n in (500, 1000) for rows in (300, 4000)
]
CHECKED = [(4000, 1000, 3), (8000, 1000, 3), (2000, 4000, 2), (1000, 16000, 4)]
#: Stages of the one machine that searches.
SEARCH = ("learning", "clustering", "orientation", "score", "fit")
STAGES = ("product", *SEARCH, "resample")
RESAMPLES = 4
#: Up to so many variables resamples are measured.
RESAMPLED = 2000
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


def run(n: int, rows: int, neighbours: int) -> dict[str, float]:
    """Return CPU seconds by stage, and peak megabytes, of one run in this process."""
    import hccd
    from hccd.datasets.synthetic import LinearGaussian, random_dag

    warnings.simplefilter("ignore")
    rng = np.random.default_rng(1)
    data = LinearGaussian.random(random_dag(n, neighbours, rng).dag, rng).sample(rows, rng)
    # What the first call loads is no part of a run.
    hccd.discover(data[:, :100], test="fisher-z", transform="none", bootstrap=2)
    start = time.process_time()
    _ = data.T @ data
    found = {"product": time.process_time() - start}
    result, share = _timed(data, "none")
    found |= {stage: share * result.seconds.get(stage, 0.0) for stage in SEARCH}
    found["learning"] = max(found["learning"] - found["product"], 1e-4)
    found["peak_mb"] = peak_megabytes()
    found["tests"] = result.tests.total
    if n <= RESAMPLED:
        again, share = _timed(data, RESAMPLES)
        found["resample"] = share * again.seconds["bootstrap"] / RESAMPLES
    return found


def _timed(data: Any, resamples: Any) -> tuple[Any, float]:
    """Learn; return the result, and CPU seconds for each second of the clock."""
    import hccd

    busy, began = time.process_time(), time.perf_counter()
    result = hccd.discover(data, test="fisher-z", transform="none", bootstrap=resamples, n_jobs=1)
    return result, (time.process_time() - busy) / (time.perf_counter() - began)


def runs(cases: list[tuple[int, int, int]], fresh: bool) -> dict[tuple[int, int, int], dict[str, float]]:
    """Return what was measured, and measure what is missing, each case in a process of its own."""
    path = RESULTS / "scaling.json"
    kept = {} if fresh or not path.exists() else json.loads(path.read_text(encoding="utf-8"))
    for case in cases:
        name = ",".join(map(str, case))
        if name not in kept:
            command = [sys.executable, "-m", "benchmarks.scaling", "--run", *map(str, case)]
            said = subprocess.run(
                command, cwd=ROOT, env={**os.environ, **ONE_THREAD}, capture_output=True, text=True, check=True
            )
            kept[name] = json.loads(said.stdout.splitlines()[-1])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    return {case: kept[",".join(map(str, case))] for case in cases}


@dataclass(frozen=True)
class Model:
    """Seconds of each stage, and megabytes: constant * variables ** a * rows ** b * neighbours ** c."""

    powers: dict[str, tuple[float, ...]]

    @classmethod
    def fitted(cls, measured: dict[tuple[int, int, int], dict[str, float]]) -> Model:
        """Fit the powers by least squares of logarithms."""
        powers = {}
        for stage in (*STAGES, "peak_mb"):
            cases = [case for case, found in measured.items() if stage in found]
            terms = np.column_stack([np.ones(len(cases)), np.log(np.array(cases, float))])
            seconds = np.log([max(measured[case][stage], 1e-5) for case in cases])
            # Small runs take a constant that says nothing about large ones.
            weight = np.sqrt([case[0] for case in cases])[:, None]
            solved = np.linalg.lstsq(terms * weight, seconds * weight[:, 0], rcond=None)[0]
            powers[stage] = tuple(float(power) for power in solved)
        return cls(powers)

    def __call__(self, stage: str, n: float, rows: float, neighbours: float = NEIGHBOURS) -> float:
        """Return the seconds of a stage."""
        constant, *powers = self.powers[stage]
        logs = (math.log(n), math.log(rows), math.log(neighbours))
        return math.exp(constant + sum(power * log for power, log in zip(powers, logs, strict=True)))


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
    # The product is linear in rows; the powers of the model are used for variables alone.
    product = model("product", n, 1000) * (rows / partitions) / 1000.0
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
    found["100 resamples"] = makespan(model("score", n, 4000) * 0.5, 100, workers, rng)
    return found | {"in all": sum(found.values()), "GB": model("peak_mb", n, 1000) / 1000.0}


def main(arguments: list[str]) -> None:
    """Print the model, how it does, and the simulation."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scaling", description=__doc__)
    parser.add_argument("--fresh", action="store_true", help="forget earlier runs")
    parser.add_argument("--run", nargs=3, type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.run:
        print(json.dumps(run(*chosen.run)))
        return
    model = Model.fitted(runs(FITTED, chosen.fresh))
    print("| stage | constant | variables ^ | rows ^ | neighbours ^ |\n|---|---|---|---|---|")
    for stage, (constant, *powers) in model.powers.items():
        print(f"| {stage} | {math.exp(constant):.2g} | {' | '.join(f'{power:.2f}' for power in powers)} |")
    print("\n| variables, rows, neighbours | stage | expected | real | expected / real |\n|---|---|---|---|---|")
    for case, found in runs(CHECKED, chosen.fresh).items():
        together = {"all stages": STAGES[:-1], "peak MB": ("peak_mb",)}
        for name, stages in {**{stage: (stage,) for stage in STAGES[:-1]}, **together}.items():
            expected, real = sum(model(stage, *case) for stage in stages), sum(found[stage] for stage in stages)
            row = f"{', '.join(f'{v:,}' for v in case)} | {name} | {expected:.3g} | {real:.3g} | {expected / real:.2f}"
            print(f"| {row} |")
    phases: list[str] = []
    for n, rows, workers in SIMULATED:
        found = simulated(model, n, rows, workers)
        if not phases:
            phases = list(found)
            print(f"\n| variables, rows, workers | {' | '.join(phases)} |\n|---|{'---:|' * len(phases)}")
        print(f"| {n:,}, {rows:,}, {workers} | {' | '.join(f'{found[phase]:.3g}' for phase in phases)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
