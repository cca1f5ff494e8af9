"""Continuous columns that are far from normal, and pairs whose relation no line sees.

Whether that matters is another question, which ``transform="auto"`` answers (:mod:`hccd.run.suited`): noise may be
skewed and have heavy tails where effects are linear. So these are notes; a relation that correlations cannot see is a
warning, since no edge will be found there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from hccd.independence.transforms import bulk, normal_scores
from hccd.preflight.data_check import CheckFinding
from hccd.run.suited import FEWEST_ROWS, MOST_COLUMNS, Suited, filled, looked_at, relations, shapes
from hccd.tables import Table
from hccd.wording import columns_named, counted, listed, quoted

#: Skewness and excess kurtosis from which a column is named: those of an exponential distribution.
SKEWED, HEAVY = 2.0, 6.0
#: A value is an outlier from so many deviations of the bulk, where at most this share of the column is so far.
FAR, RARE = 10.0, 0.01


def uncommon_shapes(
    table: Table, order: NDArray[np.int64], left_out: Collection[int], asked: str, done: Suited
) -> Iterator[CheckFinding]:
    """Name columns that are skewed, have heavy tails or outliers, and say what was done about it.

    Parameters
    ----------
    table, left_out
        The data, and positions of columns that are known for worse.
    order
        The canonical order of the columns.
    asked, done
        The transform that was asked for, and what was done.
    """
    positions = np.array([i for i in range(table.n_columns) if i not in left_out], np.int64)
    if table.n_rows < FEWEST_ROWS or not len(positions):
        return
    columns = filled(looked_at(table.numbers_of_usual_size().T)[positions])
    skewness, kurtosis = shapes(columns)
    middle, spread = bulk(columns)
    distance = np.abs(columns - middle[:, None]) / np.where(spread > 0.0, spread, np.inf)[:, None]
    far = (distance > FAR).mean(axis=1)
    skewed, outlying = np.abs(skewness) >= SKEWED, (far > 0.0) & (far <= RARE)
    named = False
    for kind, found, what, most in (
        ("skewed", skewed, "skewed (skewness up to {:.1f})", np.abs(skewness)),
        ("heavy-tails", (kurtosis >= HEAVY) & ~skewed, "of heavy tails (excess kurtosis up to {:.1f})", kurtosis),
        ("outliers", outlying, "with outliers (up to {:,.0f} deviations from the median)", distance.max(axis=1)),
    ):
        if found.any():
            named = True
            names = tuple(table.names[i] for i in positions[found])
            said = f"{columns_named(names)} {'is' if len(names) == 1 else 'are'} {what.format(most[found].max())}"
            yield CheckFinding("note", kind, said, names)
    if named and asked == "auto" and done.transform == "none":
        yield CheckFinding(
            "note",
            "transform",
            "the columns are taken as they are: by the order of their values they do not tell more about each other",
        )
    if done.transform != "curves":
        yield from _curved(table, order[np.isin(order, positions)][:MOST_COLUMNS])


def _curved(table: Table, positions: NDArray[np.int64]) -> Iterator[CheckFinding]:
    """Name pairs that are not correlated but not independent either."""
    if len(positions) < 2:
        return
    # By position in the table, so that the order of the names in the sentence is the reader's.
    positions = np.sort(positions)
    _, curved = relations(normal_scores(filled(looked_at(table.numbers_of_usual_size().T)[positions])))
    pairs = [(table.names[positions[x]], table.names[positions[y]]) for x, y in np.argwhere(curved)]
    if pairs:
        shown = listed([f"{quoted(x)} with {quoted(y)}" for x, y in pairs])
        yield CheckFinding(
            "warning",
            "curved",
            f"{counted(len(pairs), 'relation is', 'relations are')} not linear and not seen by correlations ({shown}: "
            "one goes with the square of the other): edges there may be missing, unless the transform is "
            "'curves'",
            tuple(dict.fromkeys(name for pair in pairs for name in pair)),
        )
