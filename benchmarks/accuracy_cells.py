"""The models behind ``accuracy.py``: how a cell and a seed become a table and its true DAG.

Which cells there are stands in ``accuracy_design.py``. Columns come in random order.

**Continuous data.** A graph is random (every pair with the same probability), scale-free (preferential attachment), or
that of the paper (random and connected). Weights are uniform from ``low`` to ``high`` with random signs, deviations of
the noise uniform from .7 to 1.4; the paper has positive weights and deviations of 1. Raw data have deviations that grow
along the causal order, and tell it (Reisach et al. 2021). *Standardised*: each variable is brought to mean 0 and
deviation 1 before its children are made (iSCM, Ormaniec et al. 2024), so nothing grows.

*Hidden* variables are drawn with the others, one for nine, and left out of the table. The truth is then which pairs of
the others no set of them separates (the adjacencies of the maximal ancestral graph); directions are not compared.

**Discrete data.** Rows of published networks; or of random ones, at most four parents each, every distribution in a
table drawn from a Dirichlet distribution with parameters .5, which makes most of them skewed and strong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.discrete_networks import sample_discrete_network
from hccd.datasets import DiscreteNetwork, load_network
from hccd.datasets.synthetic import random_dag
from hccd.graphs import PDAG, DSeparation
from hccd.metrics import shd
from hccd.studies.peer_script import CONTINUOUS, DISCRETE

#: Kind of a table that has columns of both kinds; which are which is told from the numbers.
MIXED = "mixed"
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Table = NDArray[Any]
Rng = np.random.Generator

STRONG, WEAK, PAPER = (0.5, 1.5), (0.1, 0.6), (0.1, 1.0)
#: Waves of which a random smooth function is made.
WAVES = 50
#: The share of rows that are outliers, and how many deviations they have.
OUTLIERS, FAR = 0.01, 10.0


@dataclass(frozen=True)
class Cell:
    """One row of a table; ``seeds`` is for cells that are run on more or fewer graphs than the others."""

    n: int
    degree: int
    rows: int
    graph: str = "random"
    weights: tuple[float, float] = STRONG
    model: str = "linear"
    standardised: bool = False
    seeds: int | None = None

    kind: ClassVar[str] = CONTINUOUS

    @property
    def family(self) -> str:
        """Cells of one family can be told easier from harder by their size."""
        return f"{self.model} {self.graph} {self.weights} {self.standardised}"

    @property
    def name(self) -> str:
        """What the row is called."""
        said = [f"n {self.n}", f"degree {self.degree}" if self.degree else "no edges", f"{self.rows:,} rows"]
        if self.graph != "random":
            said.insert(0, self.graph)
        if self.weights == WEAK:
            said.append("weak weights")
        if self.standardised:
            said.append("standardised")
        if self.model != "linear":
            said.insert(0, self.model)
        return ", ".join(said)

    def make(self, seed: int) -> tuple[Floats, Bools]:
        """Return the table and the DAG; the same for the same seed."""
        rng = np.random.default_rng([seed, self.n, self.degree, self.rows])
        drawn = replace(self, n=self.n + self.n // 9) if self.model == HIDDEN else self
        dag = draw_dag(drawn, rng)
        values = draw_values(drawn, dag, rng)
        order = rng.permutation(drawn.n)[: self.n]
        truth = np.triu(inseparable(dag, order)) if self.model == HIDDEN else dag[np.ix_(order, order)]
        return np.asfortranarray(values[:, order]), truth


def distance(cell: AnyCell, truth: Any, learned: Any) -> int:
    """Return the SHD of a learned graph, of adjacencies alone where variables are hidden."""
    if isinstance(cell, Cell) and cell.model == HIDDEN:
        return int(np.triu(learned.skeleton().adjacency != truth.skeleton().adjacency).sum())
    return int(shd(truth, learned).total)


def inseparable(dag: Bools, observed: NDArray[np.int64]) -> Bools:
    """Tell which observed pairs no observed set separates: if any does, their observed ancestors do."""
    reach = np.linalg.matrix_power(np.eye(len(dag), dtype=np.int64) + dag, len(dag)) > 0
    separation = DSeparation(truth_of(dag))
    found = np.zeros((len(observed), len(observed)), np.bool_)
    for i, x in enumerate(observed.tolist()):
        for j, y in enumerate(observed[:i].tolist()):
            given = [z for z in observed.tolist() if (reach[z, x] or reach[z, y]) and z not in (x, y)]
            found[i, j] = found[j, i] = not separation.separated(x, y, given)
    return found


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
HIDDEN = "one variable in ten hidden"
WRONG: Sequence[str] = (*NOISES, "heteroscedastic", *FUNCTIONS, *SPOILED, HIDDEN)


@dataclass(frozen=True)
class DiscreteCell:
    """Rows of a random discrete network (``discrete_networks.py``); without edges, of columns that are noise.

    ``states`` is the largest number of states. ``marginals``, of noise alone, are uniform, or skewed: each state has a
    quarter of the probability of the one before it.
    """

    n: int
    degree: int
    rows: int
    states: int = 3
    marginals: str = ""
    seeds: int | None = None

    kind: ClassVar[str] = DISCRETE

    @property
    def family(self) -> str:
        """Cells of one family can be told easier from harder by their size."""
        return f"discrete {self.marginals}"

    @property
    def name(self) -> str:
        """What the row is called."""
        edges = f"degree {self.degree}" if self.degree else f"no edges, {self.marginals}"
        return f"discrete, n {self.n}, {edges}, 2 to {self.states} states, {self.rows:,} rows"

    def make(self, seed: int) -> tuple[Table, Bools]:
        """Return the table and the DAG; the same for the same seed."""
        if self.degree:
            return sample_discrete_network(self.n, self.degree, self.states, self.rows, seed)
        rng = np.random.default_rng([seed, self.n, self.rows, self.states])
        columns = []
        for states in rng.integers(2, self.states + 1, self.n):
            weights = np.full(states, 1.0) if self.marginals == "uniform" else 0.25 ** np.arange(states)
            columns.append(rng.choice(states, self.rows, p=weights / weights.sum()))
        return np.column_stack(columns).astype(np.int64), np.zeros((self.n, self.n), np.bool_)


@dataclass(frozen=True)
class MixedNoiseCell:
    """Columns that know nothing of each other: half of them normal, the others of two to four states as numbers."""

    n: int
    rows: int
    seeds: int | None = None

    kind: ClassVar[str] = MIXED
    degree: ClassVar[int] = 0
    family: ClassVar[str] = "mixed noise"

    @property
    def name(self) -> str:
        """What the row is called."""
        return f"mixed, n {self.n}, no edges, {self.rows:,} rows"

    def make(self, seed: int) -> tuple[Table, Bools]:
        """Return the table and the DAG, which has no edges; the same for the same seed."""
        rng = np.random.default_rng([seed, self.n, self.rows, 77])
        values = rng.normal(size=(self.rows, self.n))
        for i in np.flatnonzero(rng.random(self.n) < 0.5):
            states = rng.integers(2, 5)
            values[:, i] = rng.choice(states, self.rows, p=rng.dirichlet(np.full(states, 8.0)))
        return values, np.zeros((self.n, self.n), np.bool_)


@dataclass(frozen=True)
class NetworkCell:
    """Rows of a published network, by its name."""

    network: str
    n: int
    rows: int
    seeds: int | None = None

    kind: ClassVar[str] = DISCRETE
    degree: ClassVar[int] = 0
    #: Where BIF files are that go before those of the package pgmpy.
    folder: ClassVar[Path | None] = None

    @property
    def family(self) -> str:
        """Cells of one family can be told easier from harder by their size."""
        return self.network

    @property
    def name(self) -> str:
        """What the row is called."""
        return f"{self.network}, n {self.n}, {self.rows:,} rows"

    def make(self, seed: int) -> tuple[Table, Bools]:
        """Return the table and the DAG; columns are in random order, for that of the file is often a causal one."""
        network = loaded(self.network, self.folder)
        rng = np.random.default_rng([seed, self.rows, *self.network.encode()])
        values = network.sample(self.rows, rng).astype(np.int64)
        order = rng.permutation(self.n)
        return values[:, order], network.dag[np.ix_(order, order)]


@lru_cache(maxsize=1)
def loaded(network: str, folder: Path | None) -> DiscreteNetwork:
    """Read a network once for all cells that follow each other."""
    own = [] if folder is None else sorted(folder.glob(f"{network}.bif*"))
    found = load_network(own[0] if own else network)
    assert isinstance(found, DiscreteNetwork)
    return found


AnyCell = Cell | DiscreteCell | MixedNoiseCell | NetworkCell


def truth_of(dag: Bools) -> Any:
    """Return a DAG as the package takes it."""
    return PDAG.from_edges(len(dag), np.argwhere(dag).astype(np.int32).reshape(-1, 2))
