"""The power in ``hccd/confidence/calibration.py``: how well each one tells what is right.

    hccd reproduce calibration --scale paper --out DIR
    python -m benchmarks calibration-power DIR/calibration/runs.jsonl

Prints the mean of -log of the probability that the truth had, over edges of the learned graphs, for the families of the
fit and for those that are held out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hccd.confidence.calibration import NONE, tempered
from hccd.studies.calibration_families import FITTED
from hccd.studies.calibration_runs import SOMEHOW

POWERS = np.arange(0.5, 1.21, 0.05)


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks calibration-power", description=__doc__)
    parser.add_argument("runs", type=Path)
    given = parser.parse_args(arguments)
    blocks: dict[bool, list[np.ndarray]] = {True: [], False: []}
    for line in map(json.loads, given.runs.read_text(encoding="utf-8").splitlines()):
        for row in line.get("rows", ()):
            pairs = np.array(row["values"]["pairs"], np.int64).reshape(-1, 5)
            if row["method"] != "hccd" or (pairs[:, 4] == SOMEHOW).any():
                continue
            every = np.column_stack([row["values"]["resamples"] - pairs[:, 1:4].sum(axis=1), pairs[:, 1:]])
            blocks[line["case"]["family"] in FITTED].append(every[pairs[:, 0] != NONE])
    print("| power | fitted | held out |\n|---|---|---|")
    for power in POWERS:
        losses = []
        for fitted in (True, False):
            every = np.concatenate(blocks[fitted])
            weights = tempered(every[:, :4].astype(np.float64), power)
            chance = weights[np.arange(len(every)), every[:, 4]] / weights.sum(axis=1)
            losses.append(-np.log(chance).mean())
        print(f"| {power:.2f} | {losses[0]:.4f} | {losses[1]:.4f} |")
    return 0
