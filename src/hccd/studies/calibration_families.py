"""The data on which confidence is judged: families that the map of probabilities was fitted on, and others.

A family is a list of cells; run k of a family takes cell k modulo their number. What holds on the families that were
not used for the fit is what a user may expect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hccd.studies.cells import HIDDEN, WEAK, AnyCell, Cell, DiscreteCell, MixedCell, NetworkCell

FITTED: Mapping[str, Sequence[AnyCell]] = {
    "Gaussian, strong": (Cell(20, 4, 100), Cell(30, 4, 300), Cell(50, 6, 300), Cell(50, 4, 1000)),
    "Gaussian, weak": (
        Cell(20, 3, 100, weights=WEAK),
        Cell(50, 3, 200, weights=WEAK),
        Cell(30, 5, 500, weights=WEAK),
        Cell(50, 4, 2000, weights=WEAK),
    ),
    "t3 noise": (Cell(20, 3, 200, model="t3 noise"), Cell(30, 4, 500, model="t3 noise")),
    "sigmoid": (Cell(20, 3, 200, model="sigmoid"), Cell(30, 3, 1000, model="sigmoid")),
    "random discrete": (DiscreteCell(20, 2, 300), DiscreteCell(30, 3, 1000, states=4), DiscreteCell(20, 4, 2000)),
    "insurance": (NetworkCell("insurance", 27, 500), NetworkCell("insurance", 27, 2000)),
    "child": (NetworkCell("child", 20, 200), NetworkCell("child", 20, 1000)),
    "hailfinder": (NetworkCell("hailfinder", 56, 500), NetworkCell("hailfinder", 56, 2000)),
    "mixed": (MixedCell(20, 300), MixedCell(30, 1000)),
}
HELD_OUT: Mapping[str, Sequence[AnyCell]] = {
    "Gaussian, scale-free, standardised": (
        Cell(20, 4, 100, "scale-free", standardised=True),
        Cell(40, 4, 300, "scale-free", standardised=True),
        Cell(60, 2, 500, "scale-free", standardised=True),
    ),
    "Gaussian, moderate": (
        Cell(40, 3, 150, weights=(0.2, 0.8)),
        Cell(60, 4, 500, weights=(0.2, 0.8)),
        Cell(25, 6, 1000, weights=(0.2, 0.8)),
    ),
    "exponential noise": (Cell(20, 3, 200, model="exponential noise"), Cell(40, 4, 500, model="exponential noise")),
    "heteroscedastic": (Cell(20, 3, 200, model="heteroscedastic"), Cell(40, 3, 1000, model="heteroscedastic")),
    "random functions": (
        Cell(20, 3, 300, model="random smooth functions"),
        Cell(30, 3, 1000, model="random smooth functions"),
    ),
    "outlying cells": (Cell(20, 3, 300, model="1 % outlying cells"), Cell(40, 3, 1000, model="1 % outlying cells")),
    "hidden variables": (Cell(20, 3, 300, model=HIDDEN), Cell(40, 3, 1000, model=HIDDEN)),
    "alarm": (NetworkCell("alarm", 37, 300), NetworkCell("alarm", 37, 2000)),
    "asia, sachs": (NetworkCell("asia", 8, 300), NetworkCell("sachs", 11, 300), NetworkCell("asia", 8, 2000)),
    "win95pts": (NetworkCell("win95pts", 76, 500), NetworkCell("win95pts", 76, 2000)),
    "hepar2": (NetworkCell("hepar2", 70, 500), NetworkCell("hepar2", 70, 2000)),
    "mixed, curved": (MixedCell(20, 300, curved=True), MixedCell(30, 1000, curved=True)),
}
FAMILIES: Mapping[str, Sequence[AnyCell]] = {**FITTED, **HELD_OUT}


def cell_of(case: Mapping[str, Any]) -> AnyCell:
    """Return what the table of a run is made by."""
    cells: Sequence[AnyCell] = FAMILIES[str(case["family"])]
    return cells[(int(case["graph"]) - 1) % len(cells)]
