"""Interrupt a run once, at a random moment of a random stage, repeat it, and compare its bytes with those of others.

    python -m benchmarks kills [--kills 200] [--seed 1] [--fresh]

``hccd learn`` as a process of its own, on tables whose runs take a few seconds. Each run is new: one signal (SIGINT,
SIGTERM or SIGKILL) interrupts it, the same command is called again and goes through, and the graph.json must be that of
a run that was left alone, but for ``seconds``. The stage is drawn first, among those that take long enough; when the
log says that it begins, a moment is drawn evenly from as long as it took in the run that was left alone. The stage of
the table is the one in which the signal came. States are saved ten times in a second, so that short runs have some.

Each outcome is appended to ``benchmarks/results/kills.jsonl``: the command, repeated, goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.estimates import gaussian, network, scale_free
from benchmarks.report import RESULTS

#: Where the outcomes are kept.
KEPT = RESULTS / "kills.jsonl"


def factor(n: int, rows: int) -> Any:
    """Sample columns with one common cause: all depend on all, through many orders of tests."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(rows, 1)) + rng.normal(size=(rows, n))


#: A table, and the options of ``hccd learn``.
RUNS: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "scale-free, 80 variables": (scale_free(80, 3, 1000), ("--bootstrap", "15")),
    "Gaussian, 80 variables, 8 neighbours": (gaussian(80, 8, 2000), ("--bootstrap", "none")),
    "Gaussian, 40 variables, tests alone": (gaussian(40, 4, 1000), ("--bootstrap", "300", "--scoring", "none")),
    "PATHFINDER, 500 rows": (network("pathfinder", 500), ("--bootstrap", "10")),
    "one factor, 23 variables": (lambda: factor(23, 1500), ("--max-order", "6", "--scoring", "none")),
}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
#: Parts of a run as a reader calls them, in their order.
STAGES = ("start, reading", "tests", "score", "resamples", "writing, end")
_OF_LOG = {"score": "score", "bootstrap": "resamples"}
#: ``python -m hccd``, with a state every tenth of a second.
OFTEN = """
import sys
from hccd.cli.interruptible import end_when_interrupted
end_when_interrupted()
from hccd.checkpoint import folder
folder.CheckpointFolder.__init__.__kwdefaults__["every"] = folder._SHARE = 0.1
from hccd.__main__ import main
sys.exit(main())
"""
#: Seconds that a stage takes at least that is drawn, and between two looks at the log.
SHORT, LOOK = 0.04, 0.002


def main(arguments: list[str]) -> None:
    """Interrupt, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of the tables, stages, moments and signals")
    parser.add_argument("--fresh", action="store_true", help="forget earlier outcomes")
    chosen = parser.parse_args(arguments)
    # A shell turns interrupts off for what it starts in the background.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if chosen.fresh:
        KEPT.unlink(missing_ok=True)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    kept = [json.loads(line) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []
    outcomes = {each["number"]: each for each in kept if each["seed"] == chosen.seed}
    with tempfile.TemporaryDirectory() as folder:
        whole: dict[str, Whole] = {}
        for number in range(chosen.kills):
            if number in outcomes:
                continue
            chance = random.Random(f"{chosen.seed} {number}")
            name = chance.choice(list(RUNS))
            if name not in whole:
                whole[name] = Whole(Path(folder) / str(len(whole)), *RUNS[name])
            outcomes[number] = {"seed": chosen.seed, "number": number, "run": name, **whole[name].interrupted(chance)}
            with KEPT.open("a") as file:
                file.write(json.dumps(outcomes[number]) + "\n")
    _print([outcomes[number] for number in range(chosen.kills)])


class Whole:
    """A table, and a run that is left alone: its file, and how long its stages take."""

    def __init__(self, folder: Path, sample: Callable[[], Any], options: tuple[str, ...]) -> None:
        folder.mkdir()
        self.folder, self.runs = folder, 0
        values = sample()
        names = ",".join(f"v{i}" for i in range(values.shape[1]))
        np.savetxt(folder / "table.csv", values, delimiter=",", header=names, comments="", fmt="%.9g")
        self.command = [sys.executable, "-c", OFTEN, "learn", str(folder / "table.csv"), "--no-report", *options]
        log, began = folder / "whole.log", time.time()
        process = self._started(folder / "whole", log)
        seen = {stage: began if stage == STAGES[0] else self._wait_for(stage, process, log) for stage in STAGES}
        process.communicate()
        times = {stage: moment for stage, moment in seen.items() if moment is not None}
        ends = [*list(times.values())[1:], time.time()]
        took = {stage: end - begin for (stage, begin), end in zip(times.items(), ends, strict=True)}
        self.took = {stage: seconds for stage, seconds in took.items() if seconds >= SHORT}
        self.content = _content(folder / "whole")

    def interrupted(self, chance: random.Random) -> dict[str, Any]:
        """Interrupt a run, repeat it, and tell what came of it; a signal that comes too late is drawn again."""
        while True:
            self.runs += 1
            out, log = self.folder / f"run{self.runs}", self.folder / f"run{self.runs}.log"
            stage, stop = chance.choice(list(self.took)), chance.choice(SIGNALS)
            process = self._started(out, log)
            if stage != STAGES[0]:
                self._wait_for(stage, process, log)
            try:
                _, said = process.communicate(timeout=chance.uniform(0.0, self.took[stage]))
            except subprocess.TimeoutExpired:
                process.send_signal(stop)
                _, said = process.communicate()
            if process.returncode != 0:
                break
        told = process.returncode == -signal.SIGKILL if stop == signal.SIGKILL else process.returncode == 130
        if not told or "Traceback" in said:
            print(f"exit code {process.returncode} after {stop.name}: {said[-500:]}", file=sys.stderr)
        found = {"signal": stop.name, "stage": _stage(log), "code": process.returncode, "continued": False}
        found["told"] = told and "Traceback" not in said
        # A run that has written its file is over: the command would refuse to replace it.
        if not (out / "graph.json").exists():
            again = self._started(out, log)
            _, said = again.communicate()
            found["continued"] = "continuing the interrupted run" in said
            if again.returncode != 0:
                print(f"exit code {again.returncode} of the run that was repeated: {said[-500:]}", file=sys.stderr)
                return {**found, "identical": False}
        return {**found, "identical": _content(out) == self.content}

    def _started(self, out: Path, log: Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self.command, "--out", str(out), "--log", str(log)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )  # fmt: skip

    def _wait_for(self, stage: str, process: subprocess.Popen[str], log: Path) -> float | None:
        """Wait until the log says that a stage begins; return when that was, or None if the run went past it."""
        while True:
            ended = process.poll() is not None
            reached = STAGES.index(_stage(log))
            if reached >= STAGES.index(stage) or ended:
                return time.time() if reached == STAGES.index(stage) else None
            time.sleep(LOOK)


def _stage(log: Path) -> str:
    """Return the stage that the last run of a log is in."""
    stage = STAGES[0]
    # The last line may be half written.
    for line in log.read_text().split("\n")[:-1] if log.exists() else ():
        event = json.loads(line)
        if event["event"] == "start":
            stage = STAGES[0]
        elif event["event"] == "begin":
            stage = _OF_LOG.get(event["stage"], "tests")
        elif event["event"] == "result":
            stage = STAGES[-1]
    return stage


def _content(folder: Path) -> bytes:
    """Return the graph without its times."""
    return re.sub(rb'"seconds": \{[^}]*\}', b"", (folder / "graph.json").read_bytes())


def _print(outcomes: list[dict[str, Any]]) -> None:
    """Print a row for each stage."""
    names = [each.name for each in SIGNALS]
    print(f"| interrupted in | {' | '.join(names)} | continued from a state | exit code as documented | identical |")
    print(f"|---|{'---:|' * (len(names) + 3)}")
    for stage in (*STAGES, "in all"):
        own = [each for each in outcomes if stage in (each["stage"], "in all")]
        cells = [sum(each["signal"] == name for each in own) for name in names]
        cells += [sum(each[what] for each in own) for what in ("continued", "told")]
        print(f"| {stage} | {' | '.join(map(str, cells))} | {sum(each['identical'] for each in own)} of {len(own)} |")


if __name__ == "__main__":
    main([])
