"""The numbers in ``hccd/confidence/calibration.py``: how well each one tells what is right.

    hccd reproduce calibration --scale paper --out DIR
    python -m benchmarks calibration-power DIR/calibration/runs.jsonl

Prints the mean of -log of the probability that the truth had, over discrete tables and others, for the families of the
fit and for those that are held out: of edges of the learned graphs by the power, and of other pairs, of which only
adjacency is asked, by the weight of having no edge.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from hccd.confidence.calibration import FITTED_WITH, NONE, NUMBERS, TABLES, tempered
from hccd.studies.calibration_families import FITTED, cell_of
from hccd.studies.calibration_runs import SOMEHOW
from hccd.studies.peer_script import DISCRETE

POWERS = np.arange(0.5, 1.21, 0.05)
APART = (1.0, 2.0, 5.0, 10.0, 20.0)
#: Whether tables are discrete, and whether their families were fitted.
Block = tuple[bool, bool]
_BLOCKS: tuple[Block, ...] = ((True, True), (True, False), (False, True), (False, False))


def main(arguments: Sequence[str]) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks calibration-power", description=__doc__)
    parser.add_argument("runs", type=Path)
    given = parser.parse_args(arguments)
    found: dict[Block, list[np.ndarray]] = {block: [] for block in _BLOCKS}
    for line in map(json.loads, given.runs.read_text(encoding="utf-8").splitlines()):
        for row in line.get("rows", ()):
            pairs = np.array(row["values"]["pairs"], np.int64).reshape(-1, 5)
            if row["method"] != "hccd" or (pairs[:, 4] == SOMEHOW).any():
                continue
            counts = np.column_stack([row["values"]["resamples"] - pairs[:, 1:4].sum(axis=1), pairs[:, 1:4]])
            scaled = counts * (FITTED_WITH / row["values"]["resamples"])
            case = line["case"]
            block = cell_of(case).kind == DISCRETE, case["family"] in FITTED
            found[block].append(np.column_stack([pairs[:, 0], scaled, pairs[:, 4]]))
    blocks = {block: np.concatenate(own) if own else np.zeros((0, 6)) for block, own in found.items()}
    _print("power", POWERS, blocks, of_edges)
    _print('weight of "no edge"', APART, blocks, of_others)
    return 0


def of_edges(pairs: np.ndarray, power: float, tables: bool) -> float:
    """Return the mean loss over edges of the graphs."""
    own = pairs[pairs[:, 0] != NONE]
    weights = tempered(own[:, 1:5], power)
    chance = weights[np.arange(len(own)), own[:, 5].astype(int)] / weights.sum(axis=1)
    return float(-np.log(chance).mean())


def of_others(pairs: np.ndarray, apart: float, tables: bool) -> float:
    """Return the mean loss over pairs that graphs do not join."""
    own = pairs[pairs[:, 0] == NONE]
    weights = tempered(own[:, 1:5], (TABLES if tables else NUMBERS).power)
    none = apart * weights[:, 0] / (apart * weights[:, 0] + weights[:, 1:].sum(axis=1))
    return float(-np.log(np.where(own[:, 5] == NONE, none, 1.0 - none)).mean())


def _print(
    title: str,
    values: Sequence[float] | np.ndarray,
    blocks: dict[Block, np.ndarray],
    loss: Callable[[np.ndarray, float, bool], float],
) -> None:
    print(f"\n| {title} | discrete, fitted | discrete, held out | others, fitted | others, held out |")
    print("|---|---|---|---|---|")
    for value in values:
        cells = [f"{loss(blocks[block], value, block[0]):.4f}" if len(blocks[block]) else "" for block in _BLOCKS]
        print(f"| {value:.2f} | {' | '.join(cells)} |")
