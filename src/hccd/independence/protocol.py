"""What a conditional-independence test is: a specification that is bound to data and then answers with values.

The specification (``CITest``) holds hyper-parameters only. Bound to data it becomes a ``BoundCITest``: immutable,
safe in threads, picklable. It owns its decision: an algorithm sees ``independent`` and never a threshold. A
user's own class needs only ``n_variables`` and ``test``; everything else has a default here, in plain Python,
only slower.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd._kernels.scores.families import Families
from hccd._kernels.search.level import LevelSearch
from hccd.errors import InvalidDataError, InvalidParameterError
from hccd.parallel import even_chunks, map_independent, worker_count


class CIResult(NamedTuple):
    """The answer of one test.

    ``independent`` is the decision; ``strength`` the measure of dependence behind it (absolute partial
    correlation, conditional mutual information in nats; clustering goes by the unconditional ones, or by the bare
    decisions if they are nan); ``p_value`` and ``statistic`` are nan where the test has
    none. A p-value of nan from a test that otherwise has them means: there was nothing to judge by.
    """

    independent: bool
    strength: float = math.nan
    p_value: float = math.nan
    statistic: float = math.nan


class ManyResults(NamedTuple):
    """Decisions and p-values of many questions; nan where there is no p-value or nothing to judge by."""

    independent: NDArray[np.bool_]
    p_value: NDArray[np.float64]


class Marginals:
    """Every unconditional test at once: order 0 of PC, and the paper's I(X, Y) for clustering.

    ``independent`` and ``strength`` are symmetric, with False and 0 on the diagonal. ``bias`` is the strength to be
    expected of independent variables (discrete data), or None; ``p_value`` the p-values, or None if there are none
    or if they follow from the strength.
    """

    def __init__(
        self,
        independent: NDArray[np.bool_],
        strength: NDArray[np.float64] | None,
        bias: NDArray[np.float64] | None = None,
        p_value: NDArray[np.float64] | None = None,
    ) -> None:
        self.independent = independent
        self._strength = strength
        self.bias = bias
        self.p_value = p_value

    @property
    def strength(self) -> NDArray[np.float64]:
        """The strengths; a kind of test that keeps them in another form makes the matrix when it is asked for."""
        assert self._strength is not None
        return self._strength

    @property
    def ties(self) -> NDArray[np.float64]:
        """A matrix whose sizes, signs left aside, are the strengths off the diagonal; no copy if it can be helped."""
        return self.strength

    def outer(self) -> NDArray[np.float64]:
        """Return, for each variable, a bound on its strength with any that it is independent of."""
        return np.asarray(np.where(self.independent, self.strength, 0.0).max(axis=1, initial=0.0))

    def p_values(self, x: int | NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
        """Return the p-values of pairs, or of one variable with others; nan if the test has none."""
        return np.full(len(y), np.nan) if self.p_value is None else self.p_value[x, y]


class Level(NamedTuple):
    """The questions of one level of one pass: all sets of ``order`` variables for every edge (x[e], y[e]).

    ``neighbors[first[v] : first[v] + degree[v]]`` are the neighbours of v. A set within the positions
    ``home_start[e] .. home_stop[e] - 1`` and of at most ``home_order[e]`` variables is known to be dependent.
    With ``live`` a removed edge is gone at once (original PC), otherwise all edges see the same graph. The sizes of
    ``ties`` are the strengths; ``outer`` bounds those of each variable with any that is not its neighbour (infinity
    is always true).
    """

    order: int
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    home_start: NDArray[np.int32]
    home_stop: NDArray[np.int32]
    home_order: NDArray[np.int32]
    position: NDArray[np.int32]
    first: NDArray[np.int64]
    neighbors: NDArray[np.int32]
    degree: NDArray[np.int32]
    ties: NDArray[np.float64]
    outer: NDArray[np.float64]
    by_strength: bool
    live: bool

    def part(self, rows: NDArray[np.int64]) -> Level:
        """Return the same questions for some of the edges."""
        return self._replace(
            x=self.x[rows],
            y=self.y[rows],
            home_start=self.home_start[rows],
            home_stop=self.home_stop[rows],
            home_order=self.home_order[rows],
        )


class LevelOutcome(NamedTuple):
    """The answers of one level: which edges fell, by which set and p-value, and how many tests each edge took."""

    removed: NDArray[np.bool_]
    given: NDArray[np.int32]
    p_value: NDArray[np.float64]
    n_tests: NDArray[np.int64]


class CITest(Protocol):
    """A specification of a test: hyper-parameters only."""

    def bind(self, data: Any) -> BoundCITest:
        """Compute what the test needs of the data, once."""
        ...


class BoundCITest(ABC):
    """A test that knows its data. Variables are 0 .. n_variables - 1."""

    has_p_values: bool = True
    score_name: str | None = None

    @property
    @abstractmethod
    def n_variables(self) -> int:
        """How many variables there are."""

    @abstractmethod
    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Test whether x and y are independent given the variables in ``given``."""

    def marginals(self, n_jobs: int | None = None) -> Marginals:
        """Make every unconditional test; a test that can do better than one pair at a time overrides this."""
        n = self.n_variables
        x, y = (side.astype(np.int32) for side in np.triu_indices(n, 1))
        chunks = even_chunks(len(x), 4 * worker_count(n_jobs))
        parts = map_independent(_ask_pairs, [(self, x[rows], y[rows]) for rows in chunks], n_jobs)
        independent, strength, p_value = np.zeros((n, n), dtype=np.bool_), np.zeros((n, n)), np.ones((n, n))
        for matrix, column in zip((independent, strength, p_value), range(3), strict=True):
            matrix[x, y] = matrix[y, x] = [answer[column] for part in parts for answer in part]
        # A test that names no strength still has an opinion: the decision itself.
        strength = np.where(np.isnan(strength), ~independent, strength)
        np.fill_diagonal(strength, 0.0)
        return Marginals(independent, strength, p_value=p_value if self.has_p_values else None)

    def test_many(self, x: NDArray[np.int32], y: NDArray[np.int32], given: NDArray[np.int32]) -> ManyResults:
        """Answer many questions with sets of one size: x[e], y[e] given the row given[e]."""
        answers = [self.test(int(a), int(b), tuple(row)) for a, b, row in zip(x, y, given.tolist(), strict=True)]
        return ManyResults(
            np.array([answer.independent for answer in answers], dtype=np.bool_),
            np.array([answer.p_value for answer in answers], dtype=np.float64),
        )

    def searcher(
        self,
        ties: NDArray[np.float64],
        outer: NDArray[np.float64],
        by_strength: bool,
        position: NDArray[np.int32],
    ) -> LevelSearch | None:
        """Return a compiled search for this test; None says that a plain loop over ``test`` must do."""
        return None

    def families(self, max_parents: int) -> Families:
        """Return the score named ``score_name``; a test without one is not asked."""
        raise NotImplementedError(f"there is no score for the test {self!r}")

    def p_values(
        self, order: NDArray[np.int32], statistic: NDArray[np.float64], freedom: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the p-values of what a search found: sizes of the sets, statistics, degrees of freedom."""
        return np.full(len(order), np.nan)

    def separate_level(self, level: Level) -> LevelOutcome | None:
        """Answer a whole level in compiled code, if there is a search for this test."""
        search = self.searcher(level.ties, level.outer, level.by_strength, level.position)
        if search is None:
            return None
        m = len(level.x)
        owner = np.repeat(np.arange(len(level.degree)), np.diff(level.first, append=len(level.neighbors)))
        tie = np.abs(level.ties[owner, level.neighbors])
        while True:
            removed = np.zeros(m, np.uint8)
            given = np.zeros((m, level.order), np.int32)
            n_tests = np.zeros(m, np.int64)
            statistic = np.full(m, np.nan)
            freedom = np.zeros(m, np.int64)
            search.attach(
                level.first,
                level.neighbors.copy() if level.live else level.neighbors,
                level.degree.copy() if level.live else level.degree,
                tie.copy() if level.live else tie,
            )
            search.enter(level.order, level.live)
            missing = search.search(
                level.x, level.y, level.home_start, level.home_stop, level.home_order,
                removed, given, n_tests, statistic, freedom,
            )  # fmt: skip
            if missing < 0:
                break
            search.need_critical(missing)
        fell = removed.view(np.bool_)
        p_value = np.full(m, np.nan)
        orders = np.full(int(np.count_nonzero(fell)), level.order, np.int32)
        p_value[fell] = self.p_values(orders, statistic[fell], freedom[fell])
        return LevelOutcome(fell, given, p_value, n_tests)

    def canonical_order(self, names: Sequence[str]) -> NDArray[np.int64]:
        """List the variables in an order that comes from their content, so that columns may be permuted.

        Without any content to look at, the names are all there is.
        """
        return np.array(sorted(range(self.n_variables), key=lambda i: names[i]), dtype=np.int64)

    def reordered(self, order: NDArray[np.int64]) -> BoundCITest:
        """Return the same test for variables listed in another order: new variable i is old ``order[i]``."""
        return Reordered(self, order)

    def describe(self) -> dict[str, object]:
        """Return the name and the settings of the test, for the record of a run."""
        return {"name": type(self).__name__}

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return the numbers that the answers follow from, by which a run that was stopped is told from another.

        Without them the unconditional tests have to tell.
        """
        return ()


def _ask_pairs(ci: BoundCITest, x: NDArray[np.int32], y: NDArray[np.int32]) -> list[CIResult]:
    """Test pairs without condition."""
    return [ci.test(int(a), int(b)) for a, b in zip(x, y, strict=True)]


class Reordered(BoundCITest):
    """Any test under other numbers."""

    def __init__(self, base: BoundCITest, order: NDArray[np.int64]) -> None:
        self.base = base
        self.order = order
        self.has_p_values = base.has_p_values

    @property
    def n_variables(self) -> int:
        """As many as before."""
        return self.base.n_variables

    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Ask the same question under the old numbers, in one fixed way: the answer may depend on rounding."""
        a, b = sorted((int(self.order[x]), int(self.order[y])))
        return self.base.test(a, b, tuple(sorted(int(self.order[z]) for z in given)))

    def describe(self) -> dict[str, object]:
        """Describe the test itself."""
        return self.base.describe()

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return what the test itself goes by, and the order; nothing if that is unknown."""
        content = self.base.content()
        return (*content, self.order) if content else ()


def check_question(n_variables: int, x: int, y: int, given: Sequence[int]) -> None:
    """Refuse a question that has no meaning."""
    asked = (x, y, *given)
    if len(set(asked)) != len(asked):
        raise InvalidParameterError(
            f"a test needs different variables, got x={x}, y={y}, given={tuple(given)}: name each once"
        )
    if min(asked) < 0 or max(asked) >= n_variables:
        raise InvalidParameterError(
            f"a test got the variable {max(asked, key=abs)}; variables are numbered 0 to {n_variables - 1}"
        )


def rows_and_columns(data: ArrayLike) -> NDArray[Any]:
    """Return data as a two-dimensional array; refuse anything else."""
    values = np.asarray(data)
    if values.ndim != 2:
        raise InvalidDataError(f"data of {values.ndim} dimensions cannot be used: give rows and columns")
    return values


def order_by_content(keys: Sequence[bytes], names: Sequence[str]) -> NDArray[np.int64]:
    """List the columns by their content; only identical columns are told apart by their names."""
    if len(set(keys)) == len(keys):
        return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
    return np.array(sorted(range(len(keys)), key=lambda i: (keys[i], names[i])), dtype=np.int64)


def check_probability(name: str, value: float) -> None:
    """Refuse a significance level outside (0, 1)."""
    if not (isinstance(value, Real) and 0.0 < value < 1.0):
        raise InvalidParameterError(f"{name} is {value!r}; it must lie between 0 and 1, for example 0.01")
