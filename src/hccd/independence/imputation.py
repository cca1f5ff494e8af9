"""Missing cells of columns of all kinds, drawn several times by what the rest of their row tells (multiple imputation).

A normal distribution is fitted to all columns by EM: numbers by the normal scores of their ranks, nominal columns by
one column for each state but one, as the degenerate Gaussian test has them. Then each missing cell is drawn given the
rest of its row, column by column, and again (Gibbs sampling); a number is drawn as a score and becomes the observed
value of that rank, so that no value is made up, and a state is drawn by the shares that the others let one expect.

The tables that come of it are put below one another. What is learned from them has to count less than all these rows:
:func:`imputed` says what each is worth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from hccd.independence.degenerate_gaussian import embedding
from hccd.independence.em import fitted
from hccd.independence.protocol import order_by_content
from hccd.independence.transforms import transformed
from hccd.tables import MixedColumns

Floats = NDArray[np.float64]

#: How many tables are drawn, and how often every missing cell is drawn before.
TIMES, SWEEPS = 10, 10
_SEED = 13


def imputed(columns: MixedColumns, weights: Floats | None = None) -> tuple[Floats, Floats]:
    """Return the columns ``TIMES`` times one after the other without missing cells, and what each of the rows weighs.

    Two columns have the rows in which both are observed; on average over the pairs these are what all rows together
    weigh.
    """
    own = np.ones(columns.values.shape[1]) if weights is None else weights
    observed = ~np.isnan(columns.values)
    # Sums are the same in every order of the columns.
    order = order_by_content(columns.keys, [""] * len(columns.keys))
    scores = columns.values.copy()
    numbers = np.flatnonzero(columns.states == 0)
    scores[numbers] = transformed("normal-scores", scores[numbers])
    embedded, first = embedding(columns._replace(values=scores), order)
    centre = np.nanmean(embedded, axis=1)
    scale = np.nanstd(embedded, axis=1)
    varying = np.flatnonzero(scale > 0.0)
    scale[scale == 0.0] = 1.0
    standard = (embedded - centre[:, None]) / scale[:, None]
    found = fitted(standard[varying], own)
    precision = np.eye(len(embedded))
    precision[np.ix_(varying, varying)] = np.linalg.inv(found.telling)
    mean = np.zeros(len(embedded))
    mean[varying] = found.mean
    rng = np.random.default_rng(_SEED)
    filled = np.tile(np.where(np.isnan(standard), 0.0, standard - mean[:, None]).T, (TIMES, 1))
    drawn = np.tile(columns.values, TIMES)
    for _ in range(SWEEPS):
        for place, i in enumerate(order.tolist()):
            rows = np.flatnonzero(np.tile(~observed[i], TIMES))
            if not len(rows):
                continue
            block = slice(first[place], first[place + 1])
            known, open_ = filled[rows], precision[block, block]
            known[:, block] = 0.0
            expected = -known @ precision[:, block] @ np.linalg.inv(open_)
            if columns.states[i] > 1:
                shares = (expected + mean[block]) * scale[block] + centre[block]
                states = _states(shares, rng.random(len(rows)))
                drawn[i, rows] = states
                cells = (states[:, None] == np.arange(1, columns.states[i])).astype(np.float64)
                filled[rows, block] = (cells - centre[block]) / scale[block] - mean[block]
            else:
                score = expected[:, 0] + rng.standard_normal(len(rows)) / np.sqrt(open_[0, 0])
                filled[rows, first[place]] = score
                chance = ndtr((score + mean[block]) * scale[block] + centre[block])
                held = np.sort(columns.values[i, observed[i]])
                drawn[i, rows] = held[np.minimum((chance * len(held)).astype(np.intp), len(held) - 1)]
    there = observed.astype(np.float64)
    together = ((there * own) @ there.T)[np.triu_indices(len(there), 1)].mean()
    return drawn, np.tile(own * (together / own.sum() / TIMES), TIMES)


def _states(shares: Floats, chance: Floats) -> Floats:
    """Draw states by their shares, which are those of all but the first and may be a little below 0 or above 1."""
    all_shares = np.maximum(np.column_stack([1.0 - shares.sum(axis=1), shares]), 1e-3)
    up_to = np.cumsum(all_shares, axis=1)
    return np.asarray((chance[:, None] * up_to[:, -1:] >= up_to[:, :-1]).sum(axis=1), np.float64)
