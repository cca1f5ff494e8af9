"""Continuous columns that are far from normal: skewed, with heavy tails, with outliers.

Effects may be linear and noise of any shape; then correlations still tell what depends on what. But a few large values
decide them. Nothing is said where ranks are taken, whose shape is always the same.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from hccd.independence.transforms import bulk, outlying_rows
from hccd.run.suited import FEWEST_ROWS, MOST_ROWS, Suited, filled, nearly_normal, shapes
from hccd.tables import Finding, FindingKind, Table
from hccd.wording import columns_named

#: Skewness and excess kurtosis from which a column is named: those of an exponential distribution.
SKEWED, HEAVY = 2.0, 6.0
#: A value is an outlier from so many deviations of the bulk, where at most this share or two of them are.
FAR, RARE = 10.0, 0.01
#: What takes the values as they are.
_AS_THEY_ARE = ("none", "trim", "curves")

#: What is said about one column, and about several.
_SKEWED = [
    f"{verb} skewed (skewness up to {{:.1f}}): rows with large values dominate {their} edges, so compare with "
    "the transforms 'log' and 'normal-scores'"
    for verb, their in (("is", "its"), ("are", "their"))
]
_HEAVY = [
    f"{verb} heavy tails (excess kurtosis up to {{:.1f}}): a few rows dominate {their} edges, so compare with the "
    "transform 'normal-scores'"
    for verb, their in (("has", "its"), ("have", "their"))
]
_OUTLYING = [
    f"{verb} outliers (up to {{:,.0f}} deviations from the median): single values can create or hide edges, so "
    "correct or remove errors, or use the transform 'normal-scores'"
    for verb in ("has", "have")
]


def uncommon_shapes(
    table: Table, measured: NDArray[np.int64], left_out: Collection[int], done: Suited
) -> list[Finding]:
    """Name columns that are skewed, have heavy tails or outliers, with what that does to the graph.

    Parameters
    ----------
    table, left_out
        The data, and positions of columns that are known for worse.
    measured
        Positions of the continuous columns.
    done
        What was done to them.
    """
    positions = np.array([i for i in measured.tolist() if i not in left_out], np.int64)
    if table.n_rows < FEWEST_ROWS or not len(positions) or done.normal or done.transform not in _AS_THEY_ARE:
        return []
    columns = values_of(table, positions)
    # What is nearly normal has no outliers either: one alone makes a tail.
    uncommon = ~nearly_normal(columns)[0]
    positions, columns = positions[uncommon], columns[uncommon]
    if done.transform == "trim" and len(positions):
        columns = columns[:, ~outlying_rows(columns)]
    if not len(positions):
        return []
    skewness, kurtosis = shapes(columns)
    middle, spread = bulk(columns)
    distance = np.abs(columns - middle[:, None]) / np.where(spread > 0.0, spread, np.inf)[:, None]
    far = (distance > FAR).mean(axis=1)
    skewed, outlying = np.abs(skewness) >= SKEWED, (far > 0.0) & (far <= max(RARE, 2.0 / columns.shape[1]))
    findings = []
    for kind, found, what, most in (
        (FindingKind.SKEWED, skewed, _SKEWED, np.abs(skewness)),
        (FindingKind.HEAVY_TAILS, (kurtosis >= HEAVY) & ~skewed, _HEAVY, kurtosis),
        (FindingKind.OUTLIERS, outlying, _OUTLYING, distance.max(axis=1)),
    ):
        if found.any():
            own = np.sort(positions[found]).tolist()
            said = what[len(own) > 1].format(most[found].max())
            findings.append(Finding(kind, tuple(own), f"{columns_named([table.names[i] for i in own])} {said}"))
    return findings


def values_of(table: Table, positions: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return columns of numbers as rows, gaps filled, of large tables some of the cells; sizes are brought to 1."""
    columns = np.array([table.columns[i][:: _step(table)] for i in positions.tolist()], np.float64)
    largest = np.nanmax(np.abs(columns), axis=1, keepdims=True)
    return filled(columns / np.where(largest > 0.0, largest, 1.0))


def _step(table: Table) -> int:
    return max(1, -(-table.n_rows // MOST_ROWS))
