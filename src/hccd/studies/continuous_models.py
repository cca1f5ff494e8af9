"""Continuous data of a random graph, with assumptions that hold or do not.

A graph is random (every pair with the same probability), scale-free (preferential attachment), or
that of the paper (random and connected). Weights are uniform from ``low`` to ``high`` with random signs, deviations of
the noise uniform from .7 to 1.4; the paper has positive weights and deviations of 1. Raw data have deviations that grow
along the causal order, and tell it (Reisach et al. 2021). *Standardised*: each variable is brought to mean 0 and
deviation 1 before its children are made (iSCM, Ormaniec et al. 2024), so nothing grows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hccd.datasets.synthetic import random_dag

if TYPE_CHECKING:
    from hccd.studies.cells import Cell

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Rng = np.random.Generator

#: Waves of which a random smooth function is made.
WAVES = 50
#: The share of rows that are outliers, and how many deviations they have.
OUTLIERS, FAR = 0.01, 10.0


def draw_dag(cell: Cell, rng: Rng) -> Bools:
    """Draw an upper triangular DAG."""
    if cell.graph == "scale-free":
        return scale_free(cell.n, cell.degree // 2, rng)
    return np.array(random_dag(cell.n, cell.degree, rng, connected=cell.graph == "paper's generator").dag)


def scale_free(n: int, new_edges: int, rng: Rng) -> Bools:
    """Let each variable choose so many of those before it by their degree, then direct all by a random order."""
    joined = np.zeros((n, n), np.bool_)
    joined[:new_edges, :new_edges] = np.triu(np.ones((new_edges, new_edges), np.bool_), 1)
    for new in range(new_edges, n):
        degree = joined[:new, :new].sum(axis=0) + joined[:new, :new].sum(axis=1) + 1.0
        joined[rng.choice(new, new_edges, replace=False, p=degree / degree.sum()), new] = True
    order = rng.permutation(n)
    return np.triu((joined | joined.T)[np.ix_(order, order)])


def draw_values(cell: Cell, dag: Bools, rng: Rng) -> Floats:
    """Draw the rows, parents first."""
    paper = cell.graph == "paper's generator"
    weights = rng.uniform(*cell.weights, dag.shape) * (1.0 if paper else rng.choice((-1.0, 1.0), dag.shape))
    deviations = np.ones(cell.n) if paper else rng.uniform(0.7, 1.4, cell.n)
    values = np.zeros((cell.rows, cell.n))
    function = FUNCTIONS.get(cell.model)
    for y in range(cell.n):
        parents = np.flatnonzero(dag[:, y])
        causes = values[:, parents] if function is None else function(scaled(values[:, parents]), rng)
        effect = causes @ weights[parents, y]
        noise = deviations[y] * NOISES.get(cell.model, normal)(cell.rows, rng)
        values[:, y] = effect + (noise * swing(effect) if cell.model == "heteroscedastic" else noise)
        if cell.standardised:
            values[:, y] = scaled(values[:, y])
    spoil = SPOILED.get(cell.model)
    return values if spoil is None else spoil(values, rng)


def scaled(columns: Floats) -> Floats:
    """Bring columns to mean 0 and deviation 1."""
    return np.asarray((columns - columns.mean(axis=0)) / columns.std(axis=0))


def swing(effect: Floats) -> Floats:
    """Return factors of the noise that grow with the distance of the effect from its mean; 1 in the mean square."""
    variance = effect.var()
    return np.sqrt(0.5 + 0.5 * (effect - effect.mean()) ** 2 / variance) if variance > 0 else np.ones(len(effect))


def with_outliers(values: Floats, rng: Rng) -> Floats:
    """Replace some of the rows by noise that is far wider than the columns and knows nothing of the model."""
    rows = rng.choice(len(values), int(OUTLIERS * len(values)), replace=False)
    outlying = values.copy()
    outlying[rows] = FAR * values.std(axis=0) * rng.normal(size=(len(rows), values.shape[1]))
    return outlying


def with_outlying_cells(values: Floats, rng: Rng) -> Floats:
    """Replace single cells all over the table in the same way."""
    outlying = FAR * values.std(axis=0) * rng.normal(size=values.shape)
    return np.where(rng.random(values.shape) < OUTLIERS, outlying, values)


def smooth(columns: Floats, rng: Rng) -> Floats:
    """Send each column through a function of its own: many waves of random length, as a Gaussian process draws it."""
    found = np.empty_like(columns)
    for j in range(columns.shape[1]):
        speed, phase, height = rng.normal(size=WAVES), rng.uniform(0, 2 * np.pi, WAVES), rng.normal(size=WAVES)
        found[:, j] = np.cos(columns[:, j, None] * speed + phase) @ height * np.sqrt(2 / WAVES)
    return found


def normal(rows: int, rng: Rng) -> Floats:
    """Noise of mean 0 and deviation 1, as all that follow."""
    return rng.normal(size=rows)


def lognormal(rows: int, rng: Rng) -> Floats:
    """Return noise with a long tail to the right."""
    mean, variance = np.exp(0.5), np.exp(1.0) * (np.exp(1.0) - 1)
    return np.asarray((rng.lognormal(size=rows) - mean) / np.sqrt(variance))


NOISES: dict[str, Callable[[int, Rng], Floats]] = {
    "exponential noise": lambda rows, rng: rng.exponential(size=rows) - 1.0,
    "lognormal noise": lognormal,
    "t3 noise": lambda rows, rng: rng.standard_t(3, rows) / np.sqrt(3.0),
    "uniform noise": lambda rows, rng: rng.uniform(-np.sqrt(3.0), np.sqrt(3.0), rows),
}
#: What becomes of a cause that was brought to mean 0 and deviation 1.
FUNCTIONS: dict[str, Callable[[Floats, Rng], Floats]] = {
    "sigmoid": lambda columns, _rng: 1.5 * np.tanh(columns),
    "quadratic": lambda columns, _rng: columns**2 - 1.0,
    "random smooth functions": smooth,
}
#: What becomes of the table in the end.
SPOILED: dict[str, Callable[[Floats, Rng], Floats]] = {
    "1 % outliers": with_outliers,
    "1 % outlying cells": with_outlying_cells,
    "exponentials of the columns": lambda values, _rng: np.exp(scaled(values)),
}
