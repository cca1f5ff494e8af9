"""The numbers of the map from shares of resamples to probabilities (``hccd/confidence/calibration.py``).

    hccd reproduce calibration --scale paper --out DIR
    python -m benchmarks calibration-map DIR/calibration/runs.jsonl

Logistic regressions on the log-odds of shares, over the runs of the families that are for the fit.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from hccd.confidence.calibration import NONE, UNDIRECTED
from hccd.studies.calibration_families import FITTED
from hccd.studies.calibration_runs import SOMEHOW

Floats = NDArray[np.float64]


def fitted(times: Floats, of: Floats, right: NDArray[np.bool_]) -> tuple[float, float]:
    """Return intercept and slope of the log-odds of being right."""
    odds = np.log((times + 0.5) / (of - times + 0.5))

    def loss(line: Floats) -> float:
        predicted = line[0] + line[1] * odds
        return float((np.logaddexp(0.0, predicted) - right * predicted).sum())

    found = minimize(loss, np.array([0.0, 1.0])).x
    return float(found[0]), float(found[1])


def main(arguments: Sequence[str]) -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks calibration-map", description=__doc__)
    parser.add_argument("runs", type=Path)
    given = parser.parse_args(arguments)
    blocks = []
    lines = [json.loads(line) for line in given.runs.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if line.get("case", {}).get("family") not in FITTED:
            continue
        for row in line["rows"]:
            pairs, resamples = np.array(row["values"]["pairs"]), row["values"]["resamples"]
            if row["method"] == "hccd" and len(pairs):
                blocks.append(np.column_stack([pairs, np.full(len(pairs), resamples)]))
    drawn, forward, backward, undirected, truth, resamples = np.concatenate(blocks).T
    adjacent = forward + backward + undirected
    own = np.choose(np.maximum(drawn.astype(int) - 1, 0), (forward, backward, undirected))
    known = (truth != NONE) & (truth != SOMEHOW)
    for name, chosen, times, of, right in (
        ("JOINED", drawn != NONE, adjacent, resamples, truth != NONE),
        ("APART", drawn == NONE, adjacent, resamples, truth != NONE),
        ("ARROW", known & (drawn != NONE) & (drawn != UNDIRECTED), own, adjacent, truth == drawn),
        ("LINE", known & (drawn == UNDIRECTED), own, adjacent, truth == drawn),
    ):
        intercept, slope = fitted(times[chosen], of[chosen], right[chosen])
        print(f"{name} = ({intercept:.3f}, {slope:.3f})")
    return 0
