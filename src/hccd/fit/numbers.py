"""The columns of a run as its test saw them: rows of numbers in canonical order, transformed and standardised.

A nominal column is the block of its states, as for the degenerate Gaussian test; a number with curves has its square
and its cube beside it. Weighted rows are drawn as often as they count. Of long tables every so many-th row is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hccd.independence import BoundFisherZ
from hccd.independence.degenerate_gaussian import BoundDegenerateGaussian, embedding
from hccd.independence.transforms import outlying_rows, transformed
from hccd.independence.with_gaps import BoundWithGaps
from hccd.run.binding import Binding
from hccd.tables import Kind, MixedColumns, Table, mixed_columns
from hccd.tables.weights import drawn_rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: More rows than this are not looked at: what a sentence is worth shows in so many.
MOST_ROWS = 5000
#: Parts of the rows, each of which is held out in turn.
FOLDS = 5


@dataclass(frozen=True, eq=False)
class Numbers:
    """Rows of mean 0 and deviation 1; those of variable v are ``first[v] .. first[v + 1] - 1``.

    Of these ``own[v]`` are what the variable is, the others functions of it. ``measured`` are the continuous variables.
    ``fold`` says which part a row of the table belongs to when parts are held out.
    """

    values: Floats
    first: Ints
    own: Ints
    measured: NDArray[np.bool_]
    fold: Ints

    @property
    def n_rows(self) -> int:
        """How many rows of the table there are."""
        return int(self.values.shape[1])

    @property
    def curves(self) -> bool:
        """Whether numbers have their curves beside them."""
        return bool((np.diff(self.first) > self.own).any())


def numbers_of(table: Table | None, binding: Binding, most_rows: int = MOST_ROWS) -> Numbers | None:
    """Return the columns that a test for continuous or mixed data was bound to; None for others, and with gaps."""
    ci = binding.ci
    if table is None or isinstance(ci, BoundWithGaps) or table.n_missing.any():
        return None
    if not isinstance(ci, BoundFisherZ | BoundDegenerateGaussian):
        return None
    transform = "none" if binding.suited is None else binding.suited.transform
    order = binding.columns
    if all(kind is Kind.CONTINUOUS for kind in table.kinds):
        columns = MixedColumns(table.numbers_of_usual_size().T[order], np.zeros(len(order), np.int64), [])
    else:
        mixed = mixed_columns(table)
        columns = MixedColumns(mixed.values[order], mixed.states[order], [])
    rows, fold = _rows(columns.values, table.weights, transform, most_rows)
    columns = columns._replace(values=columns.values[:, rows])
    continuous = np.array([table.kinds[i] is Kind.CONTINUOUS for i in order.tolist()])
    if transform in ("normal-scores", "ranks", "log", "trim-cells"):
        changed = columns.values.copy()
        own_transform = "normal-scores" if transform == "ranks" else transform
        changed[continuous] = transformed(own_transform, changed[continuous], None, changed[~continuous])
        columns = columns._replace(values=changed)
    values, first = embedding(columns, np.arange(len(order)), curves=transform == "curves")
    own = np.maximum(columns.states - 1, 1)
    return Numbers(_standard(values), first.astype(np.int64), own, continuous, fold)


def folds_of(rows: Ints, step: int = 1) -> Ints:
    """Return which part each row belongs to: of the rows that are looked at, every fifth to the same."""
    return np.asarray(rows // step % FOLDS)


def _rows(values: Floats, weights: Floats | None, transform: str, most_rows: int) -> tuple[Ints, Ints]:
    """Return the rows to look at, and the part that each belongs to: a row that is there twice belongs to one."""
    rows = np.arange(values.shape[1]) if weights is None else drawn_rows(weights)
    if transform == "trim":
        rows = rows[~outlying_rows(values, weights)[rows]]
    step = max(1, -(-len(rows) // most_rows))
    return rows[::step], folds_of(rows[::step], step)


def _standard(values: Floats) -> Floats:
    """Bring rows to mean 0 and deviation 1; what does not vary to 0."""
    largest = np.abs(values).max(axis=1, keepdims=True)
    centered = values / np.where(largest > 0.0, largest, 1.0)
    centered -= centered.mean(axis=1, keepdims=True)
    deviation = np.sqrt(np.einsum("ij,ij->i", centered, centered) / values.shape[1])
    return np.asarray(centered / np.where(deviation > 1e-12, deviation, np.inf)[:, None])
