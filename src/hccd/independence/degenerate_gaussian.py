"""The degenerate Gaussian test, for tables of continuous and discrete columns (Andrews, Ramsey and Cooper 2019).

Every variable is a block of columns: a continuous variable one, its values; an ordinal one too, the ranks of its
states; a nominal variable of k states k - 1, each telling one state from the others. The blocks are treated as jointly
normal: x and y are compared given a set by the likelihood ratio of their blocks, with Bartlett's correction, against
chi-square with as many degrees of freedom as there are pairs of columns (``_kernels/search/blocks.py``). For two
continuous variables this is nearly Fisher's z, for two nominal ones without a set nearly the chi-square test. All
answers follow from one correlation matrix of all columns.

With *curves* a number (continuous or ordinal) has columns more: its square and a cube. Then the test sees dependences
that bend, and a parent acts on its children by a curve. A child is still told by its value alone: the score asks what
the parents, with their curves, leave of it.

The unconditional strength is sqrt(1 - exp(-2 I)), I being the information of two blocks in nats less that to be
expected of independent ones: on one scale for all kinds, and for continuous variables nearly the absolute correlation.

Defined answers where there is none: a constant column is independent of everything; columns of a block that the set
determines lower the degrees of freedom; if none is left, or too few rows are, there is nothing to judge by: not
independent, p-value nan.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd._kernels.scores.block_families import BlockFamilies
from hccd._kernels.scores.families import Families
from hccd._kernels.search.blocks import BlockSearch
from hccd.errors import InvalidDataError
from hccd.independence.chi_square import BoundChiSquareTest, Measured, chi_square_quantiles
from hccd.independence.fisher_z import NOISE, SINGULAR, with_noise
from hccd.independence.marginals import Marginals
from hccd.independence.protocol import check_probability, order_by_content
from hccd.independence.transforms import CURVES, correlations, curved, without_zeros
from hccd.tables import MixedColumns, as_table, mixed_columns
from hccd.tables.collinear import nearly_singular
from hccd.wording import listed, quoted

#: A nominal column of more states is refused: blocks of hundreds of columns are slow, and tell little.
MOST_STATES = 100


@dataclass(frozen=True)
class DegenerateGaussian:
    """The degenerate Gaussian test: independent if the p-value is at least ``alpha``.

    Examples
    --------
    >>> import numpy as np
    >>> from hccd.independence import DegenerateGaussian
    >>> rng = np.random.default_rng(0)
    >>> z = rng.integers(0, 3, 1000)
    >>> data = {
    ...     "drug": np.array(["a", "b", "c"])[z],
    ...     "dose": z + rng.normal(size=1000),
    ...     "cured": (z == 2) ^ (rng.random(1000) < 0.2),
    ... }
    >>> test = DegenerateGaussian(alpha=0.01).bind(data)
    >>> test.test(1, 2).independent, test.test(1, 2, [0]).independent
    (False, True)
    """

    alpha: float = 0.01

    def bind(self, data: Any) -> BoundDegenerateGaussian:
        """Embed the columns of a table, or of what can be made one; the rules for tables decide which are discrete."""
        table = as_table(data)
        table.refuse_gaps("a test that you bind yourself needs complete tables")
        return self.bind_columns(mixed_columns(table), table.names, table.weights)

    def bind_columns(
        self,
        columns: MixedColumns,
        names: Sequence[str],
        weights: NDArray[np.float64] | None = None,
        curves: bool = False,
    ) -> BoundDegenerateGaussian:
        """Embed the columns of a table in their order, numbers with their curves; refuse what has too many states."""
        # Sums depend on the order in which BLAS takes them; in the canonical order they are always the same.
        order = order_by_content(columns.keys, names)
        return self.embedded(columns, names, weights, curves).bound(weights).reordered(np.argsort(order))

    def embedded(
        self,
        columns: MixedColumns,
        names: Sequence[str],
        weights: NDArray[np.float64] | None = None,
        curves: bool = False,
    ) -> Embedded:
        """Embed the columns in their canonical order, to be bound with one set of weights or several."""
        check_probability("alpha", self.alpha)
        check_states(columns, names, "dg")
        order = order_by_content(columns.keys, names)
        embedded, first = embedding(columns, order, weights, curves)
        own = np.maximum(columns.states[order] - 1, 1).astype(np.int32)
        return Embedded(
            embedded, first, own, told_states(columns, order), self.alpha, tuple(columns.keys[i] for i in order)
        )


@dataclass(frozen=True, eq=False)
class Embedded:
    """Embedded columns, as rows, in their canonical order; ``states`` are those of which no more can be told.

    The block of variable v is ``first[v] .. first[v + 1] - 1``, and ``own[v]`` of these are what the variable is.
    """

    columns: NDArray[np.float64]
    first: NDArray[np.int32]
    own: NDArray[np.int32]
    states: Sequence[States | None]
    alpha: float
    keys: tuple[bytes, ...]

    def bound(self, weights: NDArray[np.float64] | None = None) -> BoundDegenerateGaussian:
        """Correlate the columns and bind the test to that; rows of weight 0 are left out."""
        entropy = entropies(self.states, weights)
        n_samples = self.columns.shape[1] if weights is None else float(weights.sum())
        kept = np.ones(len(self.columns), np.bool_) if weights is None else self._drawn(weights)
        columns, weights = without_zeros(self.columns, weights)
        first, own = self.first, self.own
        if not kept.all():
            columns = columns[kept]
            fewer = np.add.reduceat(~kept, first[:-1])
            first = (first - np.concatenate([[0], np.cumsum(fewer)])).astype(np.int32)
            own = (own - fewer).astype(np.int32)
        matrix = correlations(columns, weights)
        return BoundDegenerateGaussian(matrix, first, own, entropy, n_samples, self.alpha, self.keys)

    def _drawn(self, weights: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell which columns are left if a state that is in none of the rows has none, as if it were not known.

        The first state that is there needs no column, but a variable of one state still has a place.
        """
        kept = np.ones(len(self.columns), np.bool_)
        for v, states in enumerate(self.states):
            if states is not None and self.own[v] > 1:
                there = np.bincount(states.codes, weights[states.known]) > 0.0
                there[np.argmax(there)] = False
                if not there[1:].any():
                    there[1] = True
                kept[self.first[v] : self.first[v + 1]] = there[1:]
        return kept


def check_states(columns: MixedColumns, names: Sequence[str], test: str) -> None:
    """Refuse nominal columns of too many states."""
    many = [(name, n) for name, n in zip(names, columns.states.tolist(), strict=True) if n > MOST_STATES]
    if many:
        shown = listed([f"column {quoted(name)} has {n:,} states" for name, n in many])
        raise InvalidDataError(
            f"{shown}, and the test {test!r} takes {MOST_STATES} at most: group them, drop the "
            f"column{'' if len(many) == 1 else 's'}, or declare numbers as continuous",
            go_on={"drop": [name for name, _ in many]},
        )


class States(NamedTuple):
    """Which of its distinct values a column has in each of the rows where it is ``known``."""

    known: NDArray[np.bool_]
    codes: NDArray[np.intp]


def told_states(columns: MixedColumns, order: NDArray[np.int64]) -> list[States | None]:
    """Return the states of columns in an order; of numbers that do not repeat there are none, and no end is told."""
    found: list[States | None] = []
    for i in order.tolist():
        known = ~np.isnan(columns.values[i])
        values, codes = np.unique(columns.values[i][known], return_inverse=True)
        found.append(States(known, codes) if columns.states[i] > 0 or 2 * len(values) <= len(codes) else None)
    return found


def entropies(states: Sequence[States | None], weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return the entropy of each column in nats: more cannot be told of it. Of numbers that do not repeat it can."""
    found = np.full(len(states), np.inf)
    for v, own in enumerate(states):
        if own is not None:
            counts = np.bincount(own.codes, None if weights is None else weights[own.known]).astype(np.float64)
            shares = counts[counts > 0.0] / counts.sum() if counts.any() else np.ones(1)
            found[v] = -float((shares * np.log(shares)).sum())
    return found


def embedding(
    columns: MixedColumns,
    order: NDArray[np.int64],
    weights: NDArray[np.float64] | None = None,
    curves: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the embedded columns, as rows, and where the block of each begins; a missing cell is missing in all."""
    # A column of one state still has a place.
    widths = np.where(columns.states[order] > 0, np.maximum(columns.states[order] - 1, 1), CURVES if curves else 1)
    first = np.concatenate([[0], np.cumsum(widths)]).astype(np.int32)
    embedded = np.empty((first[-1], columns.values.shape[1]))
    for place, i in enumerate(order.tolist()):
        states, values = columns.states[i], columns.values[i]
        if states > 1:
            block = embedded[first[place] : first[place + 1]]
            block[:] = values == np.arange(1, states)[:, None]
            block[:, np.isnan(values)] = np.nan
        else:
            embedded[first[place] : first[place + 1]] = curved(values, weights) if curves else values
    return embedded, first


class BoundDegenerateGaussian(BoundChiSquareTest):
    """The test on the correlations of an embedding; the block of variable v is ``first[v] .. first[v + 1] - 1``.

    Of these, ``own[v]`` are what the variable is, the others functions of it.
    """

    score_name = "bic"

    def __init__(
        self,
        matrix: NDArray[np.float64],
        first: NDArray[np.int32],
        own: NDArray[np.int32],
        entropy: NDArray[np.float64],
        n_samples: float,
        alpha: float,
        keys: tuple[bytes, ...],
    ) -> None:
        super().__init__(keys)
        self._matrix = np.ascontiguousarray(matrix)
        self._matrix.flags.writeable = False
        self._first = first
        self._own = own
        self._entropy = entropy
        self.n_samples = n_samples
        self.alpha: float = alpha
        self._critical = self._critical_values()

    def families(self, max_parents: int) -> Families:
        """Return BIC of the embedding; rows count as they do for Fisher's z."""
        related = self.n_samples > len(self._matrix) and nearly_singular(self._matrix)
        matrix = with_noise(self._matrix, NOISE if related else 0.0)
        rows = max(self.n_samples - 3.0, 1.0)
        return BlockFamilies(matrix, self._first, self._own, self._entropy, rows, SINGULAR, max_parents)

    def with_alpha(self, alpha: float) -> BoundDegenerateGaussian:
        """Return the same test at another level."""
        other = copy(self)
        other.alpha = alpha
        other._critical = other._critical_values()
        return other

    def _critical_values(self) -> NDArray[np.float64]:
        """Return the largest statistic called independent for all degrees of freedom that occur."""
        return chi_square_quantiles(self.alpha, int(np.sort(np.diff(self._first))[-2:].prod()))

    @property
    def n_variables(self) -> int:
        """The number of blocks."""
        return len(self._first) - 1

    def marginals(self, n_jobs: int | None = None) -> Marginals:
        """Compare every pair of blocks."""
        statistic, freedom, information = self._every_pair()
        independent = self._independent(statistic, freedom)
        np.fill_diagonal(independent, False)
        strength = self._strength(information, freedom)
        np.fill_diagonal(strength, 0.0)
        p_value = self._p_value(statistic, freedom)
        np.fill_diagonal(p_value, 1.0)
        return Marginals(independent, strength, p_value=p_value)

    def searcher(
        self,
        association: NDArray[np.float64],
        outer: NDArray[np.float64],
        by_strength: bool,
        position: NDArray[np.int32],
    ) -> BlockSearch:
        """Return the compiled search for blocks."""
        return BlockSearch(
            self._matrix,
            self._first,
            self.n_samples,
            SINGULAR,
            self._critical,
            association,
            outer,
            by_strength,
            position,
        )

    def reordered(self, order: NDArray[np.int64]) -> BoundDegenerateGaussian:
        """Permute the blocks."""
        if np.array_equal(order, np.arange(self.n_variables)):
            return self
        blocks = [np.arange(self._first[i], self._first[i + 1]) for i in order.tolist()]
        columns = np.concatenate(blocks)
        first = np.concatenate([[0], np.cumsum([len(block) for block in blocks])]).astype(np.int32)
        keys = tuple(self._keys[i] for i in order)
        matrix, own, entropy = self._matrix[np.ix_(columns, columns)], self._own[order], self._entropy[order]
        return BoundDegenerateGaussian(matrix, first, own, entropy, self.n_samples, self.alpha, keys)

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return the correlations, the blocks, what of them is told and how much, and the number of rows."""
        return self._matrix, self._first, self._own, self._entropy, np.array([self.n_samples])

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        return {"name": "dg", "alpha": self.alpha}

    def _independent(self, statistic: NDArray[np.float64], freedom: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.asarray((freedom > 0) & (statistic <= self._critical[freedom]))

    def _strength(self, information: NDArray[np.float64], freedom: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return strengths from 0 to 1: what is told beyond chance, as the correlation that would tell as much."""
        beyond = np.maximum(information - freedom / (2.0 * self.n_samples), 0.0)
        return np.sqrt(-np.expm1(-2.0 * beyond))

    def _evaluate(self, x: ArrayLike, y: ArrayLike, given: NDArray[np.int32]) -> Measured:
        """Measure many questions, each asked in one fixed way: x and y the other way round would round otherwise."""
        return super()._evaluate(np.minimum(x, y), np.maximum(x, y), given)
