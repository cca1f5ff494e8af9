"""Rows that resemble the row before, as in a time series: tests take rows for independent, and find too many edges.

Of a column of numbers the correlation with the row before says it, of one of states how often the row before has the
same, beyond chance. Rows that were independent and then sorted look alike too, and no test minds. Then a column says by
what they were sorted, and rows two apart are as much alike as neighbours; in a time series they are less.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hccd.run.checks.identifiers import only_rises, whole_and_different
from hccd.tables import Finding, FindingKind, Kind, Table
from hccd.tables.columns import Array
from hccd.wording import columns_named, counted

Floats = NDArray[np.float64]

#: A resemblance that matters, and the chance that any column of independent rows shows one.
LARGE, FALSE_CLAIM = 0.2, 0.01
#: Where a column says that the rows are in the order of time, so many deviations suffice.
DEVIATIONS = 2.5
#: How much of the resemblance may be lost from one row to the next where rows were only sorted.
SORTED = 0.3
#: Rows are sorted by so many columns at most; where more are in order, they change slowly.
MOST_SORTED = 3
FEWEST_ROWS, MOST_ROWS, MOST_COLUMNS = 10, 2000, 100
#: Of more rows so many stretches are looked at: the first ones alone may be those of one experiment of several.
STRETCHES = 8
#: A column of states has to have so many rows outside the commonest one to be judged.
FEWEST_ODD = 10


class Resemblance(NamedTuple):
    """Of each column judged: its position, how alike neighbours are, its deviation by chance, and what is lost."""

    positions: NDArray[np.int64]
    size: Floats
    deviation: Floats
    lost: Floats


def row_order(table: Table, order: NDArray[np.int64]) -> list[Finding]:
    """Warn if rows resemble the row before in two columns at least; ``order`` is the canonical one of the columns."""
    if table.n_rows < FEWEST_ROWS:
        return []
    clock = rising_columns(table)
    found = resemblance(table, [i for i in order.tolist() if i not in clock][:MOST_COLUMNS])
    n_judged = len(found.positions)
    if clock or table.by_date:
        in_time = found.size > np.maximum(LARGE, DEVIATIONS * found.deviation)
        if n_judged and 2 * np.count_nonzero(in_time) >= n_judged:
            named = columns_named([table.names[i] for i in clock]) if clock else "dates"
            sentence = (
                f"the rows are in the order of {named}, and each resembles the row before it: tests assume independent "
                "rows and find too many edges, so use differences between rows, or only every k-th row"
            )
            return [Finding(FindingKind.TIME_ORDER, clock, sentence)]
    sure = -float(ndtri(FALSE_CLAIM / max(n_judged, 1)))
    alike = found.size > np.maximum(LARGE, sure * found.deviation)
    if np.count_nonzero(alike) < 2 or _only_sorted(table, found, alike):
        return []
    n_alike, size = int(np.count_nonzero(alike)), min(float(found.size[alike].max()), 1.0)
    sentence = (
        f"each row resembles the row before it in {n_alike:,} of {counted(n_judged, 'column')} (autocorrelation up to "
        f"{size:.2f}), as in a time series or with several rows for each subject: tests assume independent rows and "
        "find too many edges, so use differences between rows, or one row for each subject; if the rows are only "
        "sorted, or come from several experiments, add the column that shows this"
    )
    return [Finding(FindingKind.TIME_ORDER, tuple(np.sort(found.positions[alike]).tolist()), sentence)]


def resemblance(table: Table, positions: list[int]) -> Resemblance:
    """Measure how alike neighbouring rows are, column by column."""
    parts = [Resemblance(np.zeros(0, np.int64), *np.zeros((3, 0)))]
    for kind, measure in ((Kind.CONTINUOUS, _of_numbers), (Kind.DISCRETE, _of_states)):
        own = [i for i in positions if table.kinds[i] is kind]
        parts += [measure(table, own)] if own else []
    return Resemblance(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _looked_at(n_rows: int) -> slice | NDArray[np.intp]:
    """Return the rows that are looked at, in their order: all, or stretches at even distances."""
    if n_rows <= MOST_ROWS:
        return slice(None)
    length = MOST_ROWS // STRETCHES
    return np.concatenate([np.arange(length) + int(at) for at in np.linspace(0, n_rows - length, STRETCHES)])


def _of_numbers(table: Table, positions: list[int]) -> Resemblance:
    rows = _looked_at(table.n_rows)
    values = np.array([table.columns[i][rows] for i in positions], np.float64)
    largest = np.nanmax(np.abs(values), axis=1, keepdims=True)
    values /= np.where(largest > 0.0, largest, 1.0)
    values -= np.nanmean(values, axis=1, keepdims=True)
    if table.n_missing.any():
        # A missing cell resembles nothing.
        values = np.nan_to_num(values)
    total = np.einsum("ij,ij->i", values, values)
    varies = total > 1e-20 * values.shape[1]
    values, total = values[varies], total[varies]
    one, two = (np.einsum("ij,ij->i", values[:, lag:], values[:, :-lag]) / total for lag in (1, 2))
    chance = np.full(len(values), 1.0 / math.sqrt(values.shape[1]))
    return Resemblance(np.array(positions)[varies], one, chance, _lost(one, two))


def _of_states(table: Table, positions: list[int]) -> Resemblance:
    """Compare how often neighbours have the same state with how often any two rows have."""
    coded = (table if len(positions) == table.n_columns else table.part(positions)).codes()
    own = np.array(positions) if len(positions) < table.n_columns else np.arange(table.n_columns)
    share = coded.counts / table.n_rows
    square, cube = (np.add.reduceat(share**power, coded.first[:-1]) for power in (2, 3))
    commonest = np.maximum.reduceat(coded.counts, coded.first[:-1])
    judged = table.n_rows - commonest >= FEWEST_ODD
    codes = coded.codes[_looked_at(table.n_rows)].T[judged]
    own, square, cube = own[judged], square[judged], cube[judged]
    same = (np.count_nonzero(codes[:, lag:] == codes[:, :-lag], axis=1) / (codes.shape[1] - lag) for lag in (1, 2))
    one, two = ((each - square) / (1.0 - square) for each in same)
    # The variance over all orders of the same rows.
    chance = np.sqrt(np.maximum(square + square**2 - 2.0 * cube, 0.0) / codes.shape[1]) / (1.0 - square)
    return Resemblance(own, one, chance, _lost(one, two))


def _lost(one: Floats, two: Floats) -> Floats:
    """Return what rows two apart have lost of what neighbours share, against what those have: 0 of sorted rows.

    Of an autoregressive column it is the coefficient, of a random walk 1.
    """
    return np.asarray((one - two) / np.maximum(1.0 - one, 1e-12))


def _only_sorted(table: Table, found: Resemblance, alike: NDArray[np.bool_]) -> bool:
    """Whether the rows were sorted by a column, and the others resemble the row before for that alone."""
    columns = [table.texts[i].codes if i in table.texts else table.columns[i] for i in range(table.n_columns)]
    whole = [i for i in range(table.n_columns) if not table.n_missing[i]]
    by = [i for i in whole if _in_order(columns[i], table.kinds[i])]
    # Within the blocks of these the rows may be sorted by others.
    inside = np.ones(table.n_rows - 1, np.bool_)
    for i in by:
        if table.kinds[i] is Kind.DISCRETE:
            inside &= columns[i][1:] == columns[i][:-1]
    if not inside.all():
        by += [i for i in whole if i not in by and _one_way(columns[i], inside)]
    others = alike & ~np.isin(found.positions, by)
    by_chance = 3.0 / math.sqrt(table.n_rows * max(1, int(np.count_nonzero(others))))
    few = int(np.count_nonzero(others)) < 2
    if len(by) > MOST_SORTED:
        return False
    return bool(by) and (few or float(np.median(found.lost[others])) < SORTED + by_chance)


def _in_order(values: Array, kind: Kind) -> bool:
    """Whether a column never falls or never rises, or has its states in blocks."""
    changes = int(np.count_nonzero(values[1:] != values[:-1]))
    if not changes:
        return False
    in_blocks = kind is Kind.DISCRETE and changes < len(values) // 2 and changes + 1 == len(np.unique(values))
    return in_blocks or _one_way(values, np.ones(len(values) - 1, np.bool_))


def _one_way(values: Array, inside: NDArray[np.bool_]) -> bool:
    """Whether a column never falls or never rises from these rows to the next."""
    before, after = values[:-1][inside], values[1:][inside]
    return bool((after >= before).all() or (after <= before).all())


def rising_columns(table: Table) -> tuple[int, ...]:
    """Return the column of whole numbers, or the two side by side, by which the rows are in order; nothing if none."""
    rising = [i for i in whole_and_different(table) if only_rises(table.columns[i])]
    if rising:
        # Of several the one in equal steps: that is the year, and the others grew with it.
        return (next((i for i in rising if len(np.unique(np.diff(table.columns[i]))) == 1), rising[0]),)
    whole = [i for i in range(table.n_columns) if table.whole[i]]
    pairs = [(i, j) for i, j in pairwise(whole) if j == i + 1]
    if pairs:
        # The first rows settle it for almost every pair.
        head = np.array([table.columns[i][:20] for i in whole], np.float64)
        rise = _rise_together(head[:-1], head[1:])
        pairs = [pair for pair, first in zip(pairwise(whole), rise.tolist(), strict=True) if first and pair in pairs]
    for i, j in pairs:
        first = table.columns[i] * 1.0
        # What stands for forty rows or more is rather a class by which the table is sorted.
        if _rise_together(first, table.columns[j] * 1.0) and np.count_nonzero(np.diff(first)) * 40 > len(first):
            return (i, j)
    return ()


def _rise_together(first: Floats, second: Floats) -> NDArray[np.bool_]:
    """Whether rows are in the order of two numbers, the first before the second."""
    large, small = np.diff(first), np.diff(second)
    return np.asarray(((large > 0) | ((large == 0) & (small > 0))).all(axis=-1))
