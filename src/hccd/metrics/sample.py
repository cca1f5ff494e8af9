"""Discrete data as scores need them: the codes of a graph's variables, and the number of states of each.

BDeu and BIC depend on the number of states, including states that do not occur in the scored rows. So a reference may
add states: the table from which the graph was learned, or the lists of a network. A state that occurs in the data
always counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError
from hccd.tables import Kind, Table, as_table
from hccd.wording import columns_named, counted

Ints = NDArray[np.int64]

# Keys up to this are counted by their place in an array, larger ones by sorting.
_DIRECT = 1 << 16


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of discrete data.

    Attributes
    ----------
    codes : array of int64, shape (variables, rows)
        The state of each variable in each row.
    cardinalities : tuple of int
        The number of states of each variable, including those that do not occur.
    """

    codes: Ints
    cardinalities: tuple[int, ...]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    @classmethod
    def of(cls, data: Any, names: Sequence[str] | None, n: int, reference: Any = None) -> Sample:
        """Take the columns of a table that belong to the variables of a graph.

        Parameters
        ----------
        data
            Anything that `hccd.tables.as_table` takes. Columns that are not variables of the graph are ignored. A
            sample of ``n`` variables is returned unchanged.
        names : sequence of str, or None
            The names of the variables; None takes the ``n`` columns in their order.
        n : int
            Number of variables.
        reference
            A source of further states: a mapping from names to values, or a table.

        Raises
        ------
        InvalidDataError
            If a variable has no column, or a column holds no discrete values.
        """
        if isinstance(data, Sample) and len(data.cardinalities) == n:
            return data
        table = _columns_of(as_table(data), names, n)
        table.refuse_gaps()
        try:
            coded = table.codes()
        except InvalidDataError as error:
            raise InvalidDataError(f"scores of discrete networks need discrete data, but {error}") from None
        more = _states_of(reference, table.names)
        cardinalities = [
            len(_united(states, more.get(name, ()))) for name, states in zip(table.names, coded.states, strict=True)
        ]
        codes = np.ascontiguousarray(coded.codes.T, dtype=np.int64)
        codes.flags.writeable = False
        return cls(codes, tuple(cardinalities))


def family_counts(sample: Sample, child: int, parents: Sequence[int]) -> tuple[Ints, Ints, int]:
    """Count the states of a variable together with those of its parents.

    Returns
    -------
    joint : array of int
        The numbers of rows N_jk > 0 with parents in state j and the child in state k.
    marginal : array of int
        The numbers of rows N_j > 0 with parents in state j.
    configurations : int
        The number of combinations of the parents' states, including those that do not occur.
    """
    key = np.zeros(sample.n_rows, dtype=np.int64)
    size = configurations = 1
    for parent in parents:
        states = sample.cardinalities[parent]
        configurations *= states
        # Renumbered before they could overflow; there are never more of them than rows.
        if size * states > np.iinfo(np.int32).max:
            values, key = np.unique(key, return_inverse=True)
            size = len(values)
        key = key * states + sample.codes[parent]
        size *= states
    own = sample.cardinalities[child]
    return _occurring(key * own + sample.codes[child], size * own), _occurring(key, size), configurations


def _occurring(keys: Ints, size: int) -> Ints:
    """Count how often each key occurs, for those that do."""
    if size > _DIRECT:
        return np.unique(keys, return_counts=True)[1].astype(np.int64)
    counts = np.bincount(keys)
    return counts[counts > 0].astype(np.int64)


def _columns_of(table: Table, names: Sequence[str] | None, n: int) -> Table:
    """Return the table of the variables, in their order."""
    if names is None:
        if table.n_columns != n:
            raise InvalidDataError(
                f"the data have {counted(table.n_columns, 'column')} and the graph {counted(n, 'variable')} "
                "without names: give one column for each, in the same order"
            )
        return table
    position = {name: i for i, name in enumerate(table.names)}
    missing = [name for name in names if name not in position]
    if missing:
        raise InvalidDataError(f"the data have no {columns_named(missing)}, which the graph has: add what is missing")
    chosen = [position[name] for name in names]
    discrete = [place for place, i in enumerate(chosen) if table.kinds[i] is Kind.DISCRETE]
    return Table.from_columns(names, [table.columns[i] for i in chosen], categorical=discrete)


def _states_of(reference: Any, names: Sequence[str]) -> Mapping[str, Sequence[Any]]:
    """Return the values that a reference lists for the variables."""
    if reference is None:
        return {}
    if isinstance(reference, Mapping):
        states = {str(name): tuple(values) for name, values in reference.items()}
    else:
        table = as_table(reference)
        states = {name: tuple(set(column.tolist())) for name, column in zip(table.names, table.columns, strict=True)}
    if states.keys().isdisjoint(names):
        raise InvalidDataError(f"the reference has none of the {columns_named(names)}: give one with the same columns")
    return states


def _united(states: Sequence[Any], more: Sequence[Any]) -> set[Any]:
    """Unite two lists of states; where only one of them is text, both are taken by their text."""
    united = {*states, *more}
    if len({isinstance(state, str) for state in united}) > 1:
        return set(map(str, united))
    return united
