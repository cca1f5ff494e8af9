"""The regressions that a DAG asks for, one for each column: grouped by the number of regressors, solved together.

The columns of a block are taken one after the other: each is regressed on the columns of the parents and on those of
its own block that come before it, so that the density of a block is the product of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.fit.numbers import Numbers
from hccd.graphs import PDAG

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: What is added to a variance of 1, so that columns that determine each other do no harm.
RIDGE = 1e-9


class Group(NamedTuple):
    """Regressions of as many regressors each: a row of columns for each, its own one first, and their values."""

    columns: Ints
    values: Floats


def parents_of(dag: PDAG) -> list[Ints]:
    """Return the parents of every variable, ascending."""
    edges = dag.directed_edges().astype(np.int64)
    edges = edges[np.lexsort((edges[:, 0], edges[:, 1]))]
    return np.split(edges[:, 0], np.searchsorted(edges[:, 1], np.arange(1, dag.n)))


def grouped(values: Floats, asked: Sequence[Sequence[int]]) -> list[Group]:
    """Group regressions, each a column before its regressors, by the number of these."""
    by_size: dict[int, list[Sequence[int]]] = {}
    for columns in asked:
        by_size.setdefault(len(columns), []).append(columns)
    arrays = [np.array(own, np.int64) for _, own in sorted(by_size.items())]
    return [Group(columns, values[columns]) for columns in arrays]


def regressions_of(numbers: Numbers, parents: Sequence[Ints]) -> list[Group]:
    """Return the regressions of all columns on their parents' ones."""
    return grouped(numbers.values, list(_asked(numbers, parents)))


def _asked(numbers: Numbers, parents: Sequence[Ints]) -> Iterator[list[int]]:
    first, own = numbers.first.tolist(), numbers.own.tolist()
    for v, above in enumerate(parents):
        told = [column for x in above.tolist() for column in range(first[x], first[x + 1])]
        for column in range(first[v], first[v] + own[v]):
            yield [column, *told, *range(first[v], column)]


def coefficients(moments: Floats) -> Floats:
    """Return the coefficients of regressions, given the second moments of their columns."""
    among, with_own = moments[..., 1:, 1:], moments[..., 1:, 0]
    if not with_own.shape[-1]:
        return np.zeros(with_own.shape)
    return np.asarray(np.linalg.solve(among + RIDGE * np.eye(among.shape[-1]), with_own[..., None])[..., 0])


def left_over(moments: Floats, slope: Floats) -> Floats:
    """Return the variances that regressions with these coefficients leave."""
    weights = np.concatenate([np.ones((*slope.shape[:-1], 1)), -slope], axis=-1)
    return np.asarray(np.einsum("...i,...ij,...j->...", weights, moments, weights))


def residuals(group: Group) -> Floats:
    """Return what regressions leave of their columns, which have mean 0."""
    moments = group.values @ group.values.transpose(0, 2, 1) / group.values.shape[2]
    weights = -coefficients(moments)[:, None, :]
    return np.asarray(group.values[:, 0] + (weights @ group.values[:, 1:])[:, 0])
