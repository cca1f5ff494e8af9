"""Weights of rows: whole numbers count equal rows, anything else weighs a sample.

Counts have their sum as the sample size: a row of weight 3 is three rows. Sampling weights are scaled so that their sum
is Kish's effective size, (sum w)^2 / sum w^2: what equally weighted rows would tell as much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError
from hccd.tables.columns import FlawedColumn, RawColumn, clean_column
from hccd.tables.gaps import missing_cells
from hccd.tables.texts import Text
from hccd.wording import counted

Floats = NDArray[np.float64]

#: So many rows at most stand for weighted ones where something is told by looking at rows.
MOST_DRAWN = 1_000_000


class RowWeights(NamedTuple):
    """Weights of the rows that have one above 0 (``kept``, None: all), as they count, and how that is said."""

    weights: Floats
    kept: NDArray[np.bool_] | None
    sentence: str


def row_weights(values: RawColumn, n_rows: int, what: str) -> RowWeights:
    """Check weights and scale them; ``what`` names them in a refusal, as in "the weights in column 'w'".

    Examples
    --------
    >>> import numpy as np
    >>> row_weights(np.array([2, 0, 3]), 3, "the weights").weights.tolist()
    [2.0, 3.0]
    >>> round(float(row_weights(np.array([0.5, 0.5, 1.0]), 3, "the weights").weights.sum()), 3)
    2.667
    """
    if len(values) != n_rows:
        raise InvalidDataError(
            f"there are {counted(len(values), 'weight')} for {counted(n_rows, 'row')}: give one for each row"
        )
    gaps = int(missing_cells(values).sum())
    if gaps:
        raise InvalidDataError(
            f"{what} have {counted(gaps, 'missing value')}: give every row a weight, 0 to leave it out"
        )
    cleaned = clean_column(values)
    if isinstance(cleaned, Text | FlawedColumn):
        raise InvalidDataError(f"{what} are not all numbers: give numbers from 0 on")
    with np.errstate(over="ignore"):
        weights = cleaned.astype(np.float64)
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0.0)))
    if len(wrong):
        row = int(wrong[0])
        kind = "negative" if weights[row] < 0 else "infinite"
        raise InvalidDataError(
            f"{what} have {counted(len(wrong), 'value')} that cannot be used, such as the {kind} one in row "
            f"{row + 1:,}: give finite numbers from 0 on"
        )
    kept = weights > 0.0
    if not kept.any():
        raise InvalidDataError(f"{what} are all zero: give some row a weight above 0")
    weights = weights[kept]
    # Beyond 2^53 every number is whole.
    whole = are_counts(weights) and float((weights / weights.max()).sum()) * float(weights.max()) <= 2.0**53
    if not whole:
        weights = of_kish_size(weights / weights.max())
    size = f"{weights.sum():,.0f}" if whole else f"{weights.sum():,.1f}"
    said = (
        f"{what} are whole numbers, so they are counts of equal rows: {counted(len(weights), 'row')} stand for {size}"
        if whole
        else f"{what} are not whole numbers, so they are sampling weights: {counted(len(weights), 'row')} have the "
        f"information of {size} equally weighted ones (Kish)"
    )
    return RowWeights(weights, None if kept.all() else kept, said)


def of_kish_size(weights: Floats) -> Floats:
    """Scale weights of a sample so that their sum is what they are worth; counts stay as they are.

    Examples
    --------
    >>> import numpy as np
    >>> of_kish_size(np.array([0.5, 0.5, 0.5])).sum(), of_kish_size(np.array([2.0, 2.0, 2.0])).sum()
    (np.float64(3.0), np.float64(6.0))
    """
    return weights if are_counts(weights) else np.asarray(weights * (weights.sum() / np.square(weights).sum()))


def are_counts(weights: Floats) -> bool:
    """Whether weights are whole numbers."""
    return bool((np.floor(weights) == weights).all())


def drawn_rows(weights: Floats) -> NDArray[np.int64]:
    """Return rows that stand for weighted ones: each as often as it counts, or as often as its share of the sample."""
    total = float(weights.sum())
    size = int(total) if are_counts(weights) else len(weights)
    size = min(size, MOST_DRAWN)
    places = (np.arange(size) + 0.5) * (total / size)
    found = np.searchsorted(np.cumsum(weights), places, side="right")
    return np.minimum(found, len(weights) - 1).astype(np.int64, copy=False)
