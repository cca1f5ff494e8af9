"""Models of data with a known truth: how a cell of a study and a seed become a table and its DAG.

Columns come in random order. How values of continuous columns are drawn stands in ``continuous_models.py``, of mixed
tables in ``mixed_models.py``.

*Hidden* variables are drawn with the others, one for nine, and left out of the table. The truth is then which pairs of
the others no set of them separates (the adjacencies of the maximal ancestral graph); directions are not compared.

**Discrete data.** Rows of published networks; or of random ones, at most four parents each, every distribution in a
table drawn from a Dirichlet distribution with parameters .5, which makes most of them skewed and strong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hccd.datasets import DiscreteNetwork, load_network
from hccd.graphs import PDAG, DSeparation
from hccd.metrics import shd
from hccd.studies.continuous_models import FUNCTIONS, NOISES, SPOILED, draw_dag, draw_values
from hccd.studies.discrete_networks import sample_discrete_network
from hccd.studies.mixed_models import random_mixed
from hccd.studies.peer_script import CONTINUOUS, DISCRETE

#: Kind of a table that has columns of both kinds; which are which is told from the numbers.
MIXED = "mixed"
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Table = NDArray[Any]

STRONG, WEAK, PAPER = (0.5, 1.5), (0.1, 0.6), (0.1, 1.0)


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
class MixedCell:
    """Columns of all kinds (``mixed_models.py``); ``curved`` parents act by a function that is no line."""

    n: int
    rows: int
    curved: bool = False
    seeds: int | None = None

    kind: ClassVar[str] = MIXED
    degree: ClassVar[int] = 3

    @property
    def family(self) -> str:
        """Cells of one family can be told easier from harder by their size."""
        return "mixed, curved" if self.curved else "mixed"

    @property
    def name(self) -> str:
        """What the row is called."""
        return f"{self.family}, n {self.n}, degree 3, {self.rows:,} rows"

    def make(self, seed: int) -> tuple[Any, Bools]:
        """Return the table and the DAG; the same for the same seed."""
        dag, table = random_mixed(seed, self.n, self.rows, self.curved)
        truth = np.zeros((self.n, self.n), np.bool_)
        truth[tuple(dag.directed_edges().T)] = True
        return table, truth


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


AnyCell = Cell | DiscreteCell | MixedCell | MixedNoiseCell | NetworkCell


def truth_of(dag: Bools) -> Any:
    """Return a DAG as the package takes it."""
    return PDAG.from_edges(len(dag), np.argwhere(dag).astype(np.int32).reshape(-1, 2))
