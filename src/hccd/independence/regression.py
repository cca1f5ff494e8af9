"""The test by regression, for tables of continuous and discrete columns: the likelihood ratio of nested models.

x is told by the set, and by the set and y: a continuous x by a linear model, a nominal one by a multinomial logistic
one, an ordinal one by proportional odds. The linear models are compared by the F test, the others by chi-square. Then y
is told by x in the same way, and the two p-values are combined to min(2 min(p, q), max(p, q)), as Tsagris, Borboudakis,
Lagani and Tsamardinos (2018) do. In sets the states of ordinal columns act each by itself; as the variable that is
asked about, an ordinal column acts by its ranks.

So the test knows that a mean which a continuous cause drives from one state to the other is a curve, where the
degenerate Gaussian test takes it for a line; it is right at its level where that one is not, and a hundred times as
slow. It has no score.

Defined answers where there is none: a constant column is independent of everything; where the set determines x or y, or
where there are as many coefficients as rows, there is nothing to judge by: not independent, p-value nan. Separated
states and empty cells need no rule, since the likelihood has a limit there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, fdtrc

from hccd.independence.degenerate_gaussian import check_states
from hccd.independence.protocol import BoundCITest, CIResult, check_probability, check_question, order_by_content
from hccd.independence.regressions import Fit, Response, basis, fit
from hccd.independence.transforms import curved
from hccd.tables import MixedColumns, as_table, mixed_columns

#: So many fits are kept to be used again.
MOST_FITS = 50_000


@dataclass(frozen=True)
class RegressionTest:
    """The likelihood-ratio test of nested regressions: independent if the p-value is at least ``alpha``.

    Examples
    --------
    >>> import numpy as np
    >>> from hccd.independence import RegressionTest
    >>> rng = np.random.default_rng(0)
    >>> z = rng.normal(size=1000)
    >>> data = {
    ...     "dose": z,
    ...     "cured": rng.random(1000) < 1 / (1 + np.exp(-3 * z)),
    ...     "tired": rng.random(1000) < 1 / (1 + np.exp(-3 * z)),
    ... }
    >>> test = RegressionTest(alpha=0.01).bind(data)
    >>> test.test(1, 2).independent, test.test(1, 2, [0]).independent
    (False, True)
    """

    alpha: float = 0.01

    def bind(self, data: Any) -> BoundRegression:
        """Take the columns of a table, or of what can be made one; the rules for tables decide which are discrete."""
        table = as_table(data)
        return self.bind_columns(mixed_columns(table), table.names)

    def bind_columns(self, columns: MixedColumns, names: Sequence[str], curves: bool = False) -> BoundRegression:
        """Take the columns of a table in their order, numbers with their curves; refuse what has too many states."""
        check_probability("alpha", self.alpha)
        check_states(columns, names, "regression")
        # Sums depend on the order of the columns; in the canonical order they are always the same.
        order = order_by_content(columns.keys, names)
        variables = [_variable(columns, i, curves) for i in order.tolist()]
        keys = tuple(columns.keys[i] for i in order)
        return BoundRegression(variables, self.alpha, keys, np.argsort(order))


@dataclass(frozen=True, eq=False)
class Variable:
    """A column as a response; as a predictor that is asked about, and in a set, rows-as-columns each."""

    response: Response
    asked: NDArray[np.float64]
    given: NDArray[np.float64]
    varies: bool


def _variable(columns: MixedColumns, i: int, curves: bool) -> Variable:
    """Return a column in all its parts."""
    values, states = columns.values[i], int(columns.states[i])
    ordered = i in columns.ordinal
    if ordered or states:
        # Where rows were drawn, some states may be in none of them.
        values = np.unique(values, return_inverse=True)[1].astype(np.float64)
        states = int(values.max()) + 1
    scaled = _standard(values)
    number = curved(values) if curves else scaled[None, :]
    given = (values == np.arange(1, states)[:, None]).astype(np.float64) if states > 1 else number
    varies = bool(scaled.any())
    # Two states have an order in any case.
    response = Response(values, states, ordered and states > 2) if states else Response(scaled)
    return Variable(response, given if states and not ordered else number, given, varies)


def _standard(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bring a column to mean 0 and deviation 1; a constant to 0."""
    centered = values - values.mean()
    largest = np.abs(centered).max()
    if largest <= np.abs(values).max() * 1e-14:
        return np.zeros_like(centered)
    centered /= largest
    return np.asarray(centered / centered.std())


class BoundRegression(BoundCITest):
    """The test on columns in their canonical order; variable i is number ``place[i]`` of these."""

    def __init__(
        self, variables: list[Variable], alpha: float, keys: tuple[bytes, ...], place: NDArray[np.int64]
    ) -> None:
        self._variables = variables
        self.alpha: float = alpha
        self._keys = keys
        self._place = place
        self._fits: dict[tuple[int, tuple[int, ...]], Fit] = {}

    @property
    def n_variables(self) -> int:
        """The number of columns."""
        return len(self._place)

    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Compare nested models in both directions."""
        check_question(self.n_variables, x, y, given)
        first, second = sorted((int(self._place[x]), int(self._place[y])))
        if not (self._variables[first].varies and self._variables[second].varies):
            return CIResult(True, 0.0, 1.0, 0.0)
        members = tuple(sorted(int(self._place[z]) for z in given))
        there = self._told(first, second, members)
        # Two linear models answer alike.
        linear = self._variables[first].response.states == self._variables[second].response.states == 0
        back = there if linear else self._told(second, first, members)
        if there is None or back is None:
            return CIResult(False, 0.0, math.nan, math.nan)
        p, q = there[0], back[0]
        combined = min(2.0 * min(p, q), max(p, q))
        beyond = 0.5 * (there[1] + back[1])
        return CIResult(combined >= self.alpha, math.sqrt(-math.expm1(-2.0 * beyond)), combined, there[2])

    def canonical_order(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Order by what the columns hold; the names of states do not matter."""
        return order_by_content([self._keys[i] for i in self._place], names)

    def reordered(self, order: NDArray[np.int64]) -> BoundRegression:
        """Keep the columns, and number them anew."""
        return BoundRegression(self._variables, self.alpha, self._keys, self._place[order])

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return the columns with their kinds, and which is which variable."""
        values = np.array([variable.response.values for variable in self._variables])
        kinds = np.array([[v.response.states, len(v.asked), v.response.ordered] for v in self._variables])
        return values, kinds, self._place

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        return {"name": "regression", "alpha": self.alpha}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be fitted again."""
        return {**self.__dict__, "_fits": {}}

    def _told(self, x: int, y: int, given: tuple[int, ...]) -> tuple[float, float, float] | None:
        """Return the p-value, the information per row beyond chance and the statistic of y telling x, given a set."""
        response = self._variables[x].response
        n_rows = len(response.values)
        design = [self._variables[z].given for z in given]
        less = self._fits.get((x, given))
        if less is None:
            if len(self._fits) >= MOST_FITS:
                self._fits.clear()
            less = self._fits[x, given] = fit(response, basis(_stacked(design, n_rows)))
        more_predictors = basis(_stacked([*design, self._variables[y].asked], n_rows))
        rank = len(more_predictors) - 1
        free = n_rows - 1 - rank
        if not less.open or rank == less.rank or free * response.width < 1:
            return None
        more = fit(response, more_predictors, less.coefficients if response.states else None)
        ratio = max(2.0 * (more.log_likelihood - less.log_likelihood), 0.0)
        freedom = (rank - less.rank) * response.width
        if response.states == 0:
            statistic = math.expm1(ratio / n_rows) * free / freedom
            p = float(fdtrc(freedom, free, statistic))
        else:
            statistic = ratio
            p = float(chdtrc(freedom, ratio))
        return p, max(ratio - freedom, 0.0) / (2.0 * n_rows), statistic


def _stacked(columns: list[NDArray[np.float64]], n_rows: int) -> NDArray[np.float64]:
    """Return columns one below the other; there may be none."""
    return np.vstack([np.zeros((0, n_rows)), *columns])
