"""Tests of columns with missing cells, continuous or of all kinds, by EM or by test-wise deletion.

**EM** (``bind_em``) estimates the covariances of all columns from all rows (:mod:`hccd.independence.em`), embedded as
for the degenerate Gaussian test, and compares blocks as that test does; a table of continuous columns has blocks of one
column, and Fisher's z would say nearly the same. A test has as many rows as complete ones would tell as much
(``_kernels/search/effective_rows.py``). Information is summed over the patterns
of gaps, or over ``MOST_PATTERNS`` rows where there are more patterns. A variable of several columns counts there by the
combination of them that the other variables tell most of.

The score has one number of rows for all families: those that are complete in four columns, on average. It looks for
the best of very many families, and with as many rows as a test is worth it finds edges that are not there (100 Gaussian
columns, 1000 rows, 20 % missing: ten times the SHD).

Two columns that are never observed together are called independent: whatever is said about them comes from other
columns, and nothing speaks for an edge.

**Test-wise deletion** (``Testwise``) makes each test on the rows that are complete in its columns, with the test
itself. There is no score for it, since families of different rows cannot be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.block_families import BlockFamilies
from hccd._kernels.scores.families import Families
from hccd._kernels.scores.gaussian_families import GaussianFamilies
from hccd._kernels.search.effective_rows import EffectiveRows
from hccd._kernels.search.gap_blocks import GapSearch
from hccd.independence.degenerate_gaussian import (
    BoundDegenerateGaussian,
    DegenerateGaussian,
    embedding,
    entropies,
    told_states,
)
from hccd.independence.em import estimated, patterns_of
from hccd.independence.fisher_z import FisherZ
from hccd.independence.marginals import Marginals
from hccd.independence.protocol import BoundCITest, CIResult, check_question, order_by_content
from hccd.independence.regression import RegressionTest
from hccd.tables import MixedColumns
from hccd.tables.weights import of_kish_size

Floats = NDArray[np.float64]

#: Share of a variance that counts as nothing: estimates are not as exact as sums over complete columns.
SINGULAR = 1e-6
#: The information of so many patterns of gaps, or rows, stands for that of all.
MOST_PATTERNS = 256


@dataclass(frozen=True, eq=False)
class Gaps:
    """What each pattern of gaps leaves open, as the kernel has it, and how many rows pairs have together."""

    correlation: Floats
    place: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int32]
    lost: Floats
    weight: Floats
    together: Floats

    def reordered(self, order: NDArray[np.int64]) -> Gaps:
        """Return the same for variables listed in another order."""
        both = np.ix_(order, order)
        return replace(
            self,
            correlation=np.ascontiguousarray(self.correlation[both]),
            place=np.ascontiguousarray(self.place[:, order]),
            together=self.together[both],
        )

    def worth(self) -> Floats:
        """Return about how many rows each pair is worth without a set: the share of both that is told, row by row."""
        at = self.start[:, None] + self.place * (self.size[:, None] + 1)
        told = 1.0 - np.where(self.place >= 0, self.lost[at], 0.0)
        return np.asarray((told * self.weight[:, None]).T @ told)

    def rows(self) -> EffectiveRows:
        """Return what counts the rows of tests."""
        return EffectiveRows(self.correlation, self.place, self.start, self.size, self.lost, self.weight, SINGULAR)


def bind_em(
    spec: FisherZ | DegenerateGaussian, columns: MixedColumns, weights: Floats | None = None, curves: bool = False
) -> BoundWithGaps:
    """Estimate the correlations of columns with missing cells, in their canonical order, and bind the test to them.

    ``weights`` say how often each row counts; with ``curves`` numbers have them.
    """
    order = order_by_content(columns.keys, [""] * len(columns.keys))
    embedded, first = embedding(columns, order, weights, curves)
    name = "fisher-z" if isinstance(spec, FisherZ) and not curves else "dg"
    keys = tuple(columns.keys[i] for i in order)
    entropy = entropies(told_states(columns, order), weights)
    own = np.maximum(columns.states[order] - 1, 1).astype(np.int32)
    return bind_embedded(embedded, first, own, entropy, spec.alpha, keys, name, weights).reordered(np.argsort(order))


def bind_embedded(
    embedded: Floats,
    first: NDArray[np.int32],
    own: NDArray[np.int32],
    entropy: Floats,
    alpha: float,
    keys: tuple[bytes, ...],
    name: str,
    weights: Floats | None = None,
) -> BoundWithGaps:
    """Estimate the correlations of embedded columns in their canonical order, and bind the test ``name`` to them."""
    found = estimated(embedded, weights)
    observed = ~np.isnan(embedded[first[:-1]])
    gaps = _gaps(found.telling, first, observed, np.ones(observed.shape[1]) if weights is None else weights)
    return BoundWithGaps(found.correlation, first, own, entropy, alpha, keys, gaps, name)


def _gaps(telling: Floats, first: NDArray[np.int32], observed: NDArray[np.bool_], weights: Floats) -> Gaps:
    """Find what the patterns of gaps leave open, one combination of columns for each variable."""
    n = len(first) - 1
    patterns, which, times = patterns_of(~observed, weights)
    if len(patterns) > MOST_PATTERNS:
        # Rows at even distances, sorted by their patterns.
        ordered = np.argsort(which, kind="stable")
        up_to = np.cumsum(weights[ordered])
        at = np.linspace(0.0, up_to[-1] - weights[ordered[-1]], MOST_PATTERNS)
        chosen, counts = np.unique(which[ordered[np.searchsorted(up_to, at, "right")]], return_counts=True)
        patterns, times = patterns[chosen], counts.astype(np.float64)
    precision = np.asarray(np.linalg.inv(telling), np.float64)
    combined = _combinations(telling, precision, first)
    belongs = np.repeat(np.arange(n), np.diff(first))
    place = np.full((len(patterns), n), -1, np.int32)
    lost, start, size = [], [], []
    total = 0
    for p, missing in enumerate(patterns):
        missed = np.flatnonzero(missing)
        place[p, missed] = np.arange(len(missed))
        columns = np.flatnonzero(missing[belongs])
        mixing = combined[np.ix_(columns, missed)]
        left = mixing.T @ np.linalg.inv(precision[np.ix_(columns, columns)]) @ mixing
        lost.append(left.ravel())
        start.append(total)
        size.append(len(missed))
        total += left.size
    there = observed.astype(np.float64)
    return Gaps(
        np.ascontiguousarray(combined.T @ telling @ combined),
        place,
        np.array(start, np.int64),
        np.array(size, np.int32),
        np.concatenate([*lost, np.zeros(1)]),
        times * (weights.sum() / times.sum()),
        (there * weights) @ there.T,
    )


def _combinations(telling: Floats, precision: Floats, first: NDArray[np.int32]) -> Floats:
    """Return, for each variable, the combination of its columns of variance 1 that the others tell most of."""
    n = len(first) - 1
    combined = np.zeros((len(telling), n))
    for v in range(n):
        own = slice(first[v], first[v + 1])
        if first[v + 1] - first[v] == 1:
            combined[own, v] = 1.0
            continue
        root = np.linalg.inv(np.linalg.cholesky(telling[own, own]))
        left = root @ np.linalg.inv(precision[own, own]) @ root.T
        combined[own, v] = root.T @ np.linalg.eigh(left)[1][:, 0]
    return combined


class BoundWithGaps(BoundDegenerateGaussian):
    """The test on correlations that were estimated from rows with gaps; ``name`` is that for complete ones."""

    def __init__(
        self,
        matrix: Floats,
        first: NDArray[np.int32],
        own: NDArray[np.int32],
        entropy: Floats,
        alpha: float,
        keys: tuple[bytes, ...],
        gaps: Gaps,
        name: str,
    ) -> None:
        self.gaps = gaps
        self.name = name
        super().__init__(matrix, first, own, entropy, 0, alpha, keys)
        worth = self.gaps.worth()
        self.n_samples = float(worth[np.triu_indices(len(worth), 1)].mean())

    @property
    def correlation(self) -> Floats:
        """The correlations of all columns."""
        return self._matrix

    def families(self, max_parents: int) -> Families:
        """Return BIC, with the rows that are complete in four columns."""
        together = self.gaps.together[np.triu_indices(self.n_variables, 1)].mean()
        rows = max(together * together / self.gaps.weight.sum() - 3.0, 1.0)
        if len(self._matrix) == self.n_variables:
            return GaussianFamilies(self._matrix, rows, SINGULAR, max_parents)
        return BlockFamilies(self._matrix, self._first, self._own, self._entropy, rows, SINGULAR, max_parents)

    def marginals(self, n_jobs: int | None = None) -> Marginals:
        """Compare every pair of blocks; those that are never observed together are independent."""
        found = super().marginals(n_jobs)
        apart = self.gaps.together == 0
        assert found.p_value is not None
        found.p_value[apart], found.strength[apart], found.independent[apart] = 1.0, 0.0, True
        return found

    def searcher(self, association: Floats, outer: Floats, by_strength: bool, position: NDArray[np.int32]) -> GapSearch:
        """Return the compiled search for blocks with gaps."""
        return GapSearch(
            self._matrix,
            self._first,
            self.gaps.rows(),
            SINGULAR,
            self._critical,
            association,
            outer,
            by_strength,
            position,
        )

    def reordered(self, order: NDArray[np.int64]) -> BoundWithGaps:
        """Permute the blocks."""
        if np.array_equal(order, np.arange(self.n_variables)):
            return self
        other = super().reordered(order)
        gaps = self.gaps.reordered(order)
        return BoundWithGaps(
            other._matrix, other._first, other._own, other._entropy, self.alpha, other._keys, gaps, self.name
        )

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return the correlations, the blocks and the gaps."""
        gaps = self.gaps
        return (*super().content(), gaps.place, gaps.start, gaps.size, gaps.lost, gaps.weight, gaps.together)

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        return {"name": self.name, "alpha": self.alpha}


class Testwise(BoundCITest):
    """A test on the rows that are complete in its columns; ``spec`` is the test for these."""

    def __init__(
        self,
        spec: FisherZ | DegenerateGaussian | RegressionTest,
        columns: MixedColumns,
        weights: Floats | None = None,
        curves: bool = False,
    ) -> None:
        self._spec = spec
        self._columns = columns
        self._weights = weights
        self._curves = curves
        self._observed = ~np.isnan(columns.values)
        self.alpha: float = spec.alpha

    @property
    def n_variables(self) -> int:
        """The number of columns."""
        return len(self._columns.values)

    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Bind the test to the complete rows of these columns, and ask it; too few rows judge nothing."""
        check_question(self.n_variables, x, y, given)
        asked = [*sorted((x, y)), *sorted(given)]
        rows = np.asarray(self._observed[asked].all(axis=0))
        if rows.sum() < 4:
            # Never observed together, or hardly: nothing speaks for an edge.
            together = int(self._observed[asked[:2]].all(axis=0).sum())
            return CIResult(together == 0, 0.0, 1.0 if together == 0 else np.nan)
        part = part_of(self._columns, np.array(asked), rows)
        # With weights, if only 1, states that none of the rows has are left out.
        weights = np.ones(int(rows.sum())) if self._weights is None else of_kish_size(self._weights[rows])
        return self._bound(part, weights).test(0, 1, tuple(range(2, len(asked))))

    def _bound(self, part: MixedColumns, weights: Floats) -> BoundCITest:
        """Bind the test to complete columns."""
        spec, names = self._spec, [str(i) for i in range(len(part.keys))]
        if isinstance(spec, RegressionTest):
            return spec.bind_columns(part, names, self._curves)
        if isinstance(spec, FisherZ) and not self._curves:
            return spec.bind_columns(part.values, part.keys, "none", weights)
        return DegenerateGaussian(spec.alpha).bind_columns(part, names, weights, self._curves)

    def canonical_order(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Order by what the columns hold."""
        return order_by_content(self._columns.keys, names)

    def reordered(self, order: NDArray[np.int64]) -> Testwise:
        """Permute the columns."""
        return Testwise(self._spec, part_of(self._columns, order), self._weights, self._curves)

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return the columns with their kinds, and the weights."""
        kinds = [i in self._columns.ordinal for i in range(self.n_variables)]
        weights = () if self._weights is None else (self._weights,)
        return self._columns.values, self._columns.states, np.array([*kinds, self._curves]), *weights

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        if isinstance(self._spec, RegressionTest):
            return {"name": "regression", "alpha": self.alpha}
        return {
            "name": "fisher-z" if isinstance(self._spec, FisherZ) and not self._curves else "dg",
            "alpha": self.alpha,
        }


def part_of(columns: MixedColumns, chosen: NDArray[np.int64], rows: NDArray[np.bool_] | None = None) -> MixedColumns:
    """Return some of the columns, and some of their rows."""
    values = columns.values[chosen]
    return MixedColumns(
        np.ascontiguousarray(values if rows is None else values[:, rows]),
        columns.states[chosen],
        [columns.keys[i] for i in chosen],
        frozenset(place for place, i in enumerate(chosen.tolist()) if i in columns.ordinal),
    )
