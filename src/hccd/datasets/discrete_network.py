"""Bayesian networks of discrete variables: a DAG, the states of each variable, and its conditional probabilities.

A network is checked once and never changes. It can be sampled, and has a DAG and a CPDAG; it does not compute
conditional probabilities by inference. Probabilities are kept as given (files round them, so that their sum is only
nearly 1) and are normalised when they are used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd.datasets.acyclic import acyclic_graph
from hccd.datasets.synthetic import Bools, Floats, Seed
from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs import PDAG, dag_to_cpdag
from hccd.wording import quoted

Codes = NDArray[np.int32]

#: Probabilities are written with two digits here and there, so that three thirds make 0.99.
MOST_OFF = 0.0101


@dataclass(frozen=True, eq=False, repr=False)
class DiscreteNetwork:
    """A Bayesian network of discrete variables.

    Parameters
    ----------
    names : tuple of str
        The variables, in the order of the columns of a sample.
    states : tuple of tuples of str
        For each variable the names of its states; in samples a state is its index in this list.
    parents : tuple of tuples of int
        For each variable its parents, in the order in which they index the rows of its table.
    tables : tuple of arrays
        For each variable its probabilities: one row for each combination of the parents' states, the last parent
        varying fastest, and one column for each state.

    Attributes
    ----------
    dag : array of bool, shape (n, n)
        ``dag[i, j]`` is the edge i -> j; read-only.

    Raises
    ------
    InvalidParameterError, InvalidGraphError
        The arguments contradict each other, a row is not a probability distribution, or the graph has a cycle.

    Examples
    --------
    >>> network = DiscreteNetwork(
    ...     names=("rain", "wet"),
    ...     states=(("no", "yes"), ("no", "yes")),
    ...     parents=((), (0,)),
    ...     tables=([[0.8, 0.2]], [[0.9, 0.1], [0.0, 1.0]]),
    ... )
    >>> network
    DiscreteNetwork(2 variables, 1 edge, 3 parameters)
    >>> network.sample(4, seed=1)
    array([[0, 0],
           [1, 1],
           [0, 0],
           [1, 1]], dtype=int32)
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[Floats, ...]
    dag: Bools = field(init=False)
    _graph: PDAG = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "states", tuple(map(tuple, self.states)))
        object.__setattr__(self, "parents", tuple(tuple(map(int, row)) for row in self.parents))
        object.__setattr__(self, "tables", tuple(map(_sealed_table, self.tables)))
        n = len(self.names)
        for what, values in (("states", self.states), ("parents", self.parents), ("tables", self.tables)):
            if len(values) != n:
                raise InvalidParameterError(f"{n} names but {len(values)} {what} are given: give as many of each")
        if flaw := name_flaw(self.names):
            raise InvalidParameterError(f"the names of the variables {flaw}")
        for variable in range(n):
            self._check_variable(variable)
        dag = np.zeros((n, n), dtype=np.bool_)
        for child, parents in enumerate(self.parents):
            dag[list(parents), child] = True
        dag.flags.writeable = False
        object.__setattr__(self, "dag", dag)
        object.__setattr__(self, "_graph", acyclic_graph(dag))

    def _check_variable(self, variable: int) -> None:
        """Refuse states, parents and probabilities that do not fit together."""
        name, states, parents = quoted(self.names[variable]), self.states[variable], self.parents[variable]
        if not states:
            raise InvalidParameterError(f"{name} has no states: give at least one")
        if flaw := name_flaw(states):
            raise InvalidParameterError(f"the states of {name} {flaw}")
        n = len(self.names)
        if len(set(parents)) < len(parents) or not all(0 <= parent < n and parent != variable for parent in parents):
            raise InvalidGraphError(
                f"the parents of {name} are {parents}: give different numbers of other variables, 0 to {n - 1}"
            )
        table, rows = self.tables[variable], math.prod(len(self.states[parent]) for parent in parents)
        if table.shape != (rows, len(states)):
            raise InvalidParameterError(
                f"the table of {name} has the shape {table.shape}: give {rows} rows, one for each combination of its "
                f"parents' states, and {len(states)} columns"
            )
        row = row_that_is_no_distribution(table)
        if row is not None:
            raise InvalidParameterError(
                f"row {row} of the table of {name} is not a distribution: give probabilities from 0 to 1 that "
                "add up to 1"
            )

    @property
    def n_parameters(self) -> int:
        """Number of free parameters: in each row of a table the number of states minus one."""
        return sum(table.shape[0] * (table.shape[1] - 1) for table in self.tables)

    def cpdag(self) -> PDAG:
        """Return the CPDAG of the DAG's Markov equivalence class, which is what data can identify."""
        return dag_to_cpdag(self._graph)

    def sample(self, n_rows: int, seed: Seed = None) -> Codes:
        """Draw independent rows.

        Parameters
        ----------
        n_rows : int
            Number of rows.
        seed
            Anything that :func:`numpy.random.default_rng` takes. A generator is used directly.

        Returns
        -------
        numpy.ndarray of int32
            Rows by variables, states by their numbers, each column contiguous in memory (Fortran order).
        """
        if n_rows < 1:
            raise InvalidParameterError(f"{n_rows} rows are requested: give 1 or more")
        rng = np.random.default_rng(seed)
        columns = np.zeros((len(self.names), n_rows), dtype=np.int32)
        for variable in self._graph.topological_order() or ():
            chance = rng.random(n_rows)
            row = self._table_row(variable, columns)
            # State by state and not as a matrix, which for 100 states would be larger than the sample.
            for bound in _upper_bounds(self.tables[variable])[:-1]:
                columns[variable] += chance >= bound[row]
        return columns.T

    def _table_row(self, variable: int, columns: Codes) -> NDArray[np.intp] | int:
        """Return for each sample the row of the variable's table that its parents select."""
        row: NDArray[np.intp] | int = 0
        for parent in self.parents[variable]:
            row = row * len(self.states[parent]) + columns[parent].astype(np.intp)
        return row

    def labels(self, codes: ArrayLike) -> dict[str, NDArray[np.object_]]:
        """Return a sample with the names of the states: a table with named columns of text.

        Examples
        --------
        >>> coin = DiscreteNetwork(("coin",), (("heads", "tails"),), ((),), ([[0.5, 0.5]],))
        >>> coin.labels([[1], [0]])
        {'coin': array(['tails', 'heads'], dtype=object)}
        """
        columns = np.asarray(codes).T
        if columns.ndim != 2 or len(columns) != len(self.names):
            raise InvalidParameterError(
                f"the sample has the shape {columns.T.shape}: give a matrix with {len(self.names)} columns"
            )
        return {
            name: np.array(states, dtype=object)[column]
            for name, states, column in zip(self.names, self.states, columns, strict=True)
        }

    def __repr__(self) -> str:
        edges = sum(map(len, self.parents))
        counts = ((len(self.names), "variable"), (edges, "edge"), (self.n_parameters, "parameter"))
        return f"DiscreteNetwork({', '.join(f'{n} {what}' + 's' * (n != 1) for n, what in counts)})"

    def __reduce__(self) -> tuple[object, ...]:
        # Through the constructor: unpickled arrays would be writable.
        return DiscreteNetwork, (self.names, self.states, self.parents, self.tables)


def name_flaw(names: Sequence[str]) -> str:
    """Say what is wrong with names that must be different and not empty; nothing if they are fine."""
    if not all(isinstance(name, str) and name for name in names):
        return "must be text that is not empty: name them all"
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        return f"must differ, but {quoted(twice)} occurs twice: rename one"
    return ""


def row_that_is_no_distribution(table: Floats) -> int | None:
    """Return the first row with a number outside 0 .. 1 or a sum that is not 1 but for rounding."""
    # Comparisons with nan are false, so a row passes only if everything holds.
    fits = ((table >= 0) & (table <= 1)).all(axis=1) & (np.abs(table.sum(axis=1) - 1) <= MOST_OFF)
    return None if fits.all() else int(np.argmin(fits))


def _sealed_table(table: ArrayLike) -> Floats:
    values = np.array(table, dtype=np.float64)
    values.flags.writeable = False
    return values


def _upper_bounds(table: Floats) -> Floats:
    """Return, state by state, where the state's part of the unit interval ends, for each row of the table.

    Divided by the last sum, the bounds of the last possible state and of the impossible ones after it are exactly 1,
    which no random number reaches: what has probability 0 is never drawn.
    """
    bounds = np.cumsum(table, axis=1).T
    return np.ascontiguousarray(bounds / bounds[-1])
