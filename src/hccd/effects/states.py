"""The effect on the states of a discrete variable: their probabilities after each state of the cause is set.

P(y | do(x)) is the mean of P(y | x, z) over the parents z of the cause, each value of z weighted by how often it
occurs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.effects.columns import Column
from hccd.effects.value import Contrast
from hccd.wording import quoted

#: How often the table of counts is drawn for an interval.
DRAWS = 400


def on_the_states(
    cause: Column, effect: Column, parents: list[Column], level: float
) -> tuple[tuple[Contrast, ...], float]:
    """Return the probability of each state of the effect under each state of the cause, and the share of rows left out.

    Where a state of the cause never occurs together with the values of its parents, nothing is known of it: those rows
    are left out for it. The share is that of the state with most of them.
    """
    assert cause.states is not None and effect.states is not None
    counts = _counts(cause, effect, parents)
    found, share = _probabilities(counts.astype(np.float64))
    # Rows drawn anew are counts drawn anew.
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(counts.sum(), (counts / counts.sum()).ravel(), size=DRAWS).reshape(DRAWS, *counts.shape)
    with np.errstate(invalid="ignore"):
        again = np.stack([_probabilities(each.astype(np.float64))[0] for each in drawn])
    low, high = np.nanquantile(again, [0.5 - level / 2.0, 0.5 + level / 2.0], axis=0)
    contrasts = [
        Contrast(
            f"P({quoted(effect.name)} = {quoted(str(y))}) if {quoted(cause.name)} is set to {quoted(str(x))}:",
            float(found[i, j]),
            float(low[i, j]),
            float(high[i, j]),
        )
        for i, x in enumerate(cause.states)
        for j, y in enumerate(effect.states)
    ]
    return tuple(contrasts), share


def _counts(cause: Column, effect: Column, parents: list[Column]) -> NDArray[np.int64]:
    """Return how often each value of the parents (that occurs), each state of the cause and of the effect meet."""
    assert cause.states is not None and effect.states is not None
    strata = np.zeros(len(cause.values), np.int64)
    if parents:
        _, strata = np.unique(np.column_stack([parent.values for parent in parents]), axis=0, return_inverse=True)
    counts = np.zeros((int(strata.max()) + 1, len(cause.states), len(effect.states)), np.int64)
    np.add.at(counts, (strata.ravel(), cause.values, effect.values), 1)
    return counts


def _probabilities(counts: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return P(y | do(x)), states of the cause by states of the effect, and the largest share of rows left out."""
    met = counts.sum(axis=2, keepdims=True)
    weight = np.where(met > 0, counts.sum(axis=(1, 2))[:, None, None], 0.0)
    given = np.divide(counts, met, out=np.zeros_like(counts), where=met > 0)
    covered = weight.sum(axis=0)
    return (given * weight).sum(axis=0) / covered, 1.0 - float(covered.min()) / counts.sum()
