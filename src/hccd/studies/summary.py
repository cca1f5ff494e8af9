"""From runs to the cells of a table: mean and spread of each method, by itself or relative to its baseline.

The spread of a mean, of values or of ratios, is the standard deviation over runs, as in the paper. That of a ratio of
means is its standard error by the jackknife, since a single run has no such ratio.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hccd.studies.description import Method, Metric, Study
from hccd.studies.run_store import key_of

SECONDS = "seconds"
Entry = Mapping[str, Any]
Group = tuple[Any, ...]


class Cell(NamedTuple):
    """What a method came to over the runs of one group."""

    mean: float
    spread: float
    runs: int


def groups(study: Study, rows: Sequence[Entry]) -> list[Group]:
    """Return the rows of the tables, in the order of the runs."""
    return list(dict.fromkeys(_group(study, row) for row in rows))


def value_of(row: Entry, metric: str) -> float:
    """Return a measured value of a run."""
    return float(row[SECONDS] if metric == SECONDS else row["values"].get(metric, math.nan))


def cell(study: Study, rows: Sequence[Entry], metric: Metric, method: Method, group: Group) -> Cell | None:
    """Summarize a method over the runs of one group; None if there is nothing to say."""
    found = {
        (row["method"], key_of(row["case"])): value_of(row, metric.name)
        for row in rows
        if _group(study, row) == group and row["method"] in (method.label, method.baseline)
    }
    own = [(key, value) for (label, key), value in found.items() if label == method.label and not math.isnan(value)]
    if not own or (metric.ratio != "none" and method.baseline is None):
        return None
    values = np.array([value for _, value in own])
    if metric.ratio == "none":
        return Cell(float(values.mean()), _deviation(values), len(values))
    base = np.array([found[str(method.baseline), key] for key, _ in own])
    if metric.ratio == "mean":
        usable = base != 0
        ratios = values[usable] / base[usable]
        return Cell(float(ratios.mean()), _deviation(ratios), len(ratios)) if len(ratios) else None
    return Cell(_divided(values.sum(), base.sum()), _jackknife(values, base), len(values))


def _group(study: Study, row: Entry) -> Group:
    return tuple(row["case"][name] for name in study.group)


def _deviation(values: np.typing.NDArray[np.float64]) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def _jackknife(values: np.typing.NDArray[np.float64], base: np.typing.NDArray[np.float64]) -> float:
    """Return the standard error of the ratio of two sums."""
    n = len(values)
    left_out = np.array([_divided(values.sum() - v, base.sum() - b) for v, b in zip(values, base, strict=True)])
    if n < 2 or not np.isfinite(left_out).all():
        return 0.0
    return float(np.sqrt((n - 1) / n * np.sum((left_out - left_out.mean()) ** 2)))


def _divided(a: float, b: float) -> float:
    """Divide; nothing by nothing is 1, since both are the same."""
    if b:
        return float(a / b)
    return math.inf if a else 1.0
