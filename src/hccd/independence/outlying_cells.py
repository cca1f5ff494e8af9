"""Cells that are far from what the other cells of their rows let one expect, and what else could stand there.

A row is compared with the normal distribution of the bulk of the rows. The cell whose removal explains most of the
row's distance from that distribution is outlying if it is ``FAR`` deviations from what the cells that remain let one
expect; then the next one is looked for (Raymaekers and Rousseeuw 2021, "Handling cellwise outliers by sparse regression
and robust covariance", find them one after the other as well). A value that is far from all others of its column, but
that its row explains, is kept.

A row x in deviations has the *pull* P x, where P is the precision matrix. A cell is x_j - E(x_j | others) =
(P x)_j / P_jj away from what the others let one expect, with the variance 1 / P_jj. Without the cells G the pull is
P (x + d), where d moves these cells to what the others let one expect: P_GG d = -(P x)_G.

Discrete columns, and those of which more than half of the values are equal, are no part of that distribution, but may
be the cause of such cells: a rare event changes a measurement. Errors do not keep to one of their values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: How many deviations a cell is away from what is expected.
FAR = 5.0
#: A row with a larger share of such cells is outlying as a whole, and no cell of it is judged.
MOST_OF_ROW = 0.25
#: Chance that any cells of independent errors count as explained by a value of another column.
BY_CHANCE = 0.01
#: Numbers that are held for the rows that are judged at once.
_AT_ONCE = 1 << 22
# What is left of a variance after rounding.
_NOTHING = 1e-12


@dataclass(frozen=True, eq=False)
class CellModel:
    """The normal distribution that rows are compared with.

    ``precision`` is of deviations from the bulk; ``spread`` is how large the pull on a cell usually is.
    """

    precision: Floats
    spread: Floats

    def outlying(self, rows: Floats, missing: Bools) -> Bools:
        """Tell which cells of rows (along the first axis, in deviations) are outlying; missing ones have no value."""
        pull, found = rows @ self.precision, np.zeros(rows.shape, np.bool_)
        n = rows.shape[1]
        most = max(1, int(MOST_OF_ROW * n))
        doubtful = np.flatnonzero(missing.any(axis=1) | (np.abs(pull) > FAR * self.spread).any(axis=1))
        at_once = max(1, _AT_ONCE // (n * most))
        for start in range(0, len(doubtful), at_once):
            part = doubtful[start : start + at_once]
            found[part] = self._removed(pull[part], missing[part], most)
        return found

    def _removed(self, pull: Floats, missing: Bools, most: int) -> Bools:
        """Take cells out of rows one after the other, missing ones first; return the others that were taken.

        Each removal is a step of the Cholesky factorisation of the precision, with the worst cell as the pivot.
        """
        diagonal = self.precision.diagonal()
        left, gone = np.tile(diagonal, (len(pull), 1)), np.zeros(pull.shape, np.bool_)
        steps: list[Floats] = []
        rows = np.arange(len(pull))
        while True:
            size = np.abs(pull[rows]) / (self.spread * np.sqrt(np.maximum(left[rows] / diagonal, _NOTHING)))
            size = np.where(missing[rows], np.inf, size)
            size[gone[rows]] = 0.0
            cell = size.argmax(axis=1)
            far = size[np.arange(len(rows)), cell] > FAR
            rows, cell = rows[far], cell[far]
            if not len(rows):
                break
            step = self.precision[cell]
            for earlier in steps:
                step = step - earlier[rows] * earlier[rows, cell][:, None]
            root = np.sqrt(left[rows, cell])[:, None]
            step = step / root
            pull[rows] -= step * (pull[rows, cell][:, None] / root)
            left[rows] -= step * step
            gone[rows, cell] = True
            steps.append(np.zeros(pull.shape))
            steps[-1][rows] = step
            whole = (gone[rows] & ~missing[rows]).sum(axis=1) > most
            gone[rows[whole]] = False
            rows = rows[~whole]
        return gone & ~missing

    def drawn(self, rows: Floats, gone: Bools) -> Floats:
        """Return the rows with values in the place of some cells, drawn given the others of their rows."""
        drawn, noise = rows.copy(), np.zeros(rows.shape)
        noise[gone] = np.random.default_rng(0).standard_normal(int(gone.sum()))
        for part in self._parts(np.flatnonzero(gone.any(axis=1)), gone):
            which, there, own = self._of(gone[part])
            pull = np.where(there, np.take_along_axis(rows[part] @ self.precision, which, axis=1), 0.0)
            root = np.linalg.cholesky(np.linalg.inv(own))
            moved = root @ np.take_along_axis(noise[part], which, axis=1)[..., None]
            moved -= np.linalg.solve(own, pull[..., None])
            row, place = np.nonzero(there)
            drawn[part[row], which[row, place]] += moved[row, place, 0]
        return drawn

    def _of(self, gone: Bools) -> tuple[NDArray[np.int64], Bools, Floats]:
        """Return the cells that are gone in each row, whether they are or only fill the array, and their precision."""
        most = int(gone.sum(axis=1).max())
        which = np.argsort(~gone, axis=1, kind="stable")[:, :most]
        there = np.take_along_axis(gone, which, axis=1)
        both = there[:, :, None] & there[:, None, :]
        own = np.where(both, self.precision[which[:, :, None], which[:, None, :]], np.eye(most))
        return which, there, own

    def _parts(self, rows: NDArray[np.int64], gone: Bools) -> list[NDArray[np.int64]]:
        """Divide rows so that few enough numbers are held at once."""
        most = 1 + (int(gone[rows].sum(axis=1).max()) if len(rows) else 0)
        size = max(1, _AT_ONCE // (most * gone.shape[1]))
        return [rows[start : start + size] for start in range(0, len(rows), size)]


def explained(found: Bools, beside: Floats, counting: slice | NDArray[np.int64]) -> Bools:
    """Tell which outlying cells of rows-as-variables stand where another column has a value that explains them.

    A value explains the outlying cells of a column if more of them stand beside it than its share of the rows lets one
    expect. Rows are ``counting`` as often as they are named.
    """
    there, kept = np.flatnonzero(found.any(axis=1)), np.zeros(found.shape, np.bool_)
    own, row = np.nonzero(found[there][:, counting])
    cells = np.bincount(own, minlength=len(there))[:, None]
    codes = [np.unique(values, return_inverse=True)[1] for values in beside]
    level = BY_CHANCE / max(1, len(there) * sum(int(code.max()) + 1 for code in codes))
    for code in codes:
        states, counted = int(code.max()) + 1, code[counting]
        share = np.bincount(counted, minlength=states) / len(counted)
        beside_it = np.bincount(own * states + counted[row], minlength=len(there) * states).reshape(-1, states)
        more = bdtrc(beside_it - 1.0, cells, share) <= level
        for i in np.flatnonzero(more.any(axis=1)).tolist():
            kept[there[i]] |= found[there[i]] & more[i][code]
    return kept
