"""The paper's conjecture about scores: whether a search by one finds more, or is faster, inside the wrapper.

    python -m benchmarks score-wrapper [--only TEXT] [--up-to N] [--seeds N]

The same search, by the same score over the same candidates: *alone* over all variables from no edges, and inside the
wrapper, which looks into the clusters first, then between them, then at everything, each time from the graph before:
completeness pass at each level (method ``hccd``), at the root only (``not-c``), or never (``hccd`` with ``refine``
``never``). For comparison the default, which searches on from the graph of the tests.

Of each: how much higher its score is than that of the search alone, in thousandths of it; families scored, and CPU
seconds, as multiples of it. Seconds are those of clusters and search, of the default also of the tests; order 0, which
all of them have, is left out. Means over tables, with standard errors.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hccd.discovery import searched
from hccd.run.options import Options
from hccd.run.prepared import prepare
from hccd.studies.cells import AnyCell, Cell, DiscreteCell, NetworkCell
from hccd.studies.peer_script import CONTINUOUS

ALONE = "alone"
#: Row, and the options of ``hccd.discover`` behind it.
SEARCHES: dict[str, dict[str, Any]] = {
    ALONE: {"method": "score"},
    "wrapper": {"baseline": "score"},
    "wrapper, not-c": {"baseline": "score", "method": "not-c"},
    "wrapper, never": {"baseline": "score", "refine": "never"},
    "default": {},
}
CELLS: Sequence[AnyCell] = (
    NetworkCell("alarm", 37, 2000),
    NetworkCell("win95pts", 76, 2000),
    NetworkCell("munin1", 186, 2000),
    NetworkCell("andes", 223, 2000),
    NetworkCell("pigs", 441, 2000),
    *(DiscreteCell(n, 3, 2000) for n in (100, 200, 500)),
    *(Cell(n, degree, 1000) for n in (100, 200, 500, 1000, 2000) for degree in (2, 4)),
)
#: Tables of cells that have so many variables or more: the costly ones.
FEWER_SEEDS = {2000: 2, 500: 3}


@dataclass(frozen=True)
class Run:
    """What a search found and took."""

    score: float
    evaluations: int
    seconds: float


def run(data: Any, kind: str, options: Mapping[str, Any]) -> Run:
    """Search once."""
    test = "fisher-z" if kind == CONTINUOUS else "g"
    prepared = prepare(data, Options(test=test, transform="none", n_jobs=1, **options))
    _ = prepared.marginals
    start = time.process_time()
    record = searched(prepared).record
    assert record is not None
    return Run(record.after, record.evaluations, time.process_time() - start)


def spread(values: Sequence[float], digits: int) -> str:
    """Return mean and standard error."""
    error = float(np.std(values, ddof=1)) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return f"{np.mean(values):.{digits}f} ± {error:.{digits}f}"


def main(arguments: list[str]) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks score-wrapper", description=__doc__)
    parser.add_argument("--only", default="", help="cells with this text in their name")
    parser.add_argument("--up-to", type=int, default=2000, help="cells of at most so many variables")
    parser.add_argument("--seeds", type=int, default=5, help="tables of each cell; fewer from 500 variables on")
    chosen = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    print("| data | tables | search | score, ‰ above alone | higher / equal / lower | families scored | CPU time |")
    print("|---|---|---|---|---|---|---|")
    for cell in CELLS:
        if chosen.only not in cell.name or cell.n > chosen.up_to:
            continue
        seeds = min(chosen.seeds, *(few for least, few in FEWER_SEEDS.items() if cell.n >= least), 100)
        runs: dict[str, list[Run]] = {name: [] for name in SEARCHES}
        for seed in range(seeds):
            data, _ = cell.make(seed)
            for name, options in SEARCHES.items():
                runs[name].append(run(data, cell.kind, options))
        for name, found in runs.items():
            print(f"| {cell.name} | {seeds} | {name} | {' | '.join(compared(found, runs[ALONE]))} |", flush=True)


def compared(found: Sequence[Run], alone: Sequence[Run]) -> list[str]:
    """Return the cells of a row: a search beside that of all variables on the same tables."""
    pairs = list(zip(found, alone, strict=True))
    if found is alone:
        families, seconds = (np.mean([getattr(a, name) for a in alone]) for name in ("evaluations", "seconds"))
        return ["", "", f"{families:,.0f}", f"{seconds:.2f} s"]
    gains = [a.score - b.score for a, b in pairs]
    counts = [sum(g > 1e-4 for g in gains), sum(abs(g) <= 1e-4 for g in gains), sum(g < -1e-4 for g in gains)]
    return [
        spread([1e3 * gain / abs(b.score) for gain, (_, b) in zip(gains, pairs, strict=True)], 3),
        " / ".join(map(str, counts)),
        spread([a.evaluations / b.evaluations for a, b in pairs], 2),
        spread([a.seconds / b.seconds for a, b in pairs], 2),
    ]
