"""What a conditional-independence test is: a specification that is bound to data and then answers with values.

The specification (``CITest``) holds hyper-parameters only. Bound to data it becomes a ``BoundCITest``: immutable,
safe in threads, picklable. It owns its decision: an algorithm sees ``independent`` and never a threshold. A
user's own class needs only ``n_variables`` and ``test``; everything else has a default here, in plain Python,
only slower.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hccd._kernels.scores.families import Families
from hccd._kernels.search.calling import CallingSearch
from hccd._kernels.search.level import LevelSearch
from hccd.errors import InvalidDataError, InvalidParameterError
from hccd.graphs import PDAG
from hccd.independence.marginals import Marginals
from hccd.parallel import cluster_in_use, even_chunks, map_independent, worker_count


class CIResult(NamedTuple):
    """The answer of one test.

    ``independent`` is the decision; ``strength`` the measure of dependence behind it (absolute partial
    correlation, conditional mutual information in nats; clustering uses the unconditional strengths, or the
    decisions if strengths are nan); ``p_value`` and ``statistic`` are nan where the test has none. If a test that has
    p-values returns nan, the data did not allow this test.
    """

    independent: bool
    strength: float = math.nan
    p_value: float = math.nan
    statistic: float = math.nan


class ManyResults(NamedTuple):
    """Decisions, p-values and strengths of many questions; nan where there is none or nothing to judge by."""

    independent: NDArray[np.bool_]
    p_value: NDArray[np.float64]
    strength: NDArray[np.float64]


class CITest(Protocol):
    """The specification of a test: its settings, without data."""

    def bind(self, data: Any) -> BoundCITest:
        """Compute, once, what the test needs from the data."""
        ...


class BoundCITest(ABC):
    """A test with its data. Variables are 0 .. n_variables - 1.

    ``alpha`` is the significance level; None for a test without p-values.
    """

    has_p_values: bool = True
    alpha: float | None = None
    score_name: str | None = None
    #: Whether cells are missing that a score needs, so that ``completed`` has to fill them in.
    has_gaps: bool = False

    @property
    @abstractmethod
    def n_variables(self) -> int:
        """Number of variables."""

    @abstractmethod
    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Test whether x and y are independent given the variables in ``given``."""

    def marginals(self, n_jobs: int | None = None) -> Marginals:
        """Make every unconditional test; a test that is faster for all pairs together overrides this."""
        n = self.n_variables
        x, y = (side.astype(np.int32) for side in np.triu_indices(n, 1))
        parts = self._asked(_ask_pairs, (x, y), n_jobs)
        independent, strength, p_value = np.zeros((n, n), dtype=np.bool_), np.zeros((n, n)), np.ones((n, n))
        for matrix, column in zip((independent, strength, p_value), range(3), strict=True):
            matrix[x, y] = matrix[y, x] = [answer[column] for part in parts for answer in part]
        # A test that names no strength still has an opinion: the decision itself.
        strength = np.where(np.isnan(strength), ~independent, strength)
        np.fill_diagonal(strength, 0.0)
        return Marginals(independent, strength, p_value=p_value if self.has_p_values else None)

    def test_many(self, x: NDArray[np.int32], y: NDArray[np.int32], given: NDArray[np.int32]) -> ManyResults:
        """Make many tests with sets of one size: x[e] and y[e] given the row given[e]."""
        answers = [answer for part in self._asked(_ask_many, (x, y, given), 1) for answer in part]
        return ManyResults(
            np.array([answer.independent for answer in answers], dtype=np.bool_),
            np.array([answer.p_value for answer in answers], dtype=np.float64),
            np.array([answer.strength for answer in answers], dtype=np.float64),
        )

    def _asked(
        self, ask: Callable[..., list[CIResult]], questions: tuple[NDArray[np.int32], ...], n_jobs: int | None
    ) -> list[list[CIResult]]:
        """Have questions answered in parts: by workers here, or by a Dask cluster if they are worth their way."""
        cluster, count = cluster_in_use(), len(questions[0])
        parts = 4 * worker_count(n_jobs) if n_jobs != 1 else 1
        first: list[list[CIResult]] = []
        if cluster is not None and count:
            # The first answer of all may take long, because of what it imports.
            for number in range(min(2, count)):
                began = time.perf_counter()
                first.append(ask(self, *(column[number : number + 1] for column in questions)))
                seconds = time.perf_counter() - began
            cluster.note_pace(self, seconds)
            parts = cluster.pieces(seconds * (count - len(first)))
            if parts < 2:
                return [*first, ask(self, *(column[len(first) :] for column in questions))]
        rows = [chunk + len(first) for chunk in even_chunks(count - len(first), parts)]
        tasks = [tuple(column[chunk] for column in questions) for chunk in rows]
        return [*first, *map_independent(ask, tasks, n_jobs, (self,))]

    def searcher(
        self,
        association: NDArray[np.float64],
        outer: NDArray[np.float64],
        by_strength: bool,
        position: NDArray[np.int32],
    ) -> LevelSearch:
        """Return the search over conditioning sets for this test: here one that calls ``test`` for each set."""
        return CallingSearch(self.test, association, outer, by_strength, position)

    def families(self, max_parents: int) -> Families:
        """Return the score named ``score_name``; not called for a test without a score."""
        raise NotImplementedError(f"there is no score for the test {self!r}")

    def completed(self, dag: PDAG) -> BoundCITest:
        """Return the test with missing cells filled in by a graph of its variables; without any, the test itself."""
        return self

    def with_alpha(self, alpha: float) -> BoundCITest:
        """Return the same test at another level; not called for a test without a level."""
        raise NotImplementedError(f"the test {self!r} has no level to change")

    def p_values(
        self, order: NDArray[np.int32], statistic: NDArray[np.float64], freedom: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the p-values of what a search found: sizes of the sets, statistics, degrees of freedom.

        For a test in Python the statistics are p-values already.
        """
        return statistic

    def canonical_order(self, names: Sequence[str]) -> NDArray[np.int64]:
        """List the variables in an order that depends on their content alone, not on the order of the columns.

        A test without such content uses the names.
        """
        return np.array(sorted(range(self.n_variables), key=lambda i: names[i]), dtype=np.int64)

    def reordered(self, order: NDArray[np.int64]) -> BoundCITest:
        """Return the same test for variables listed in another order: new variable i is old ``order[i]``."""
        return Reordered(self, order)

    def describe(self) -> dict[str, object]:
        """Return the name and the settings of the test, for the record of a run."""
        return {"name": type(self).__name__}

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return the numbers from which the answers follow; they identify an interrupted run.

        Without them the results of the unconditional tests identify it.
        """
        return ()


def _ask_pairs(ci: BoundCITest, x: NDArray[np.int32], y: NDArray[np.int32]) -> list[CIResult]:
    """Test pairs without condition."""
    return [ci.test(int(a), int(b)) for a, b in zip(x, y, strict=True)]


def _ask_many(ci: BoundCITest, x: NDArray[np.int32], y: NDArray[np.int32], given: NDArray[np.int32]) -> list[CIResult]:
    """Test pairs given sets."""
    return [ci.test(int(a), int(b), tuple(row)) for a, b, row in zip(x, y, given.tolist(), strict=True)]


class Reordered(BoundCITest):
    """Any test under other numbers."""

    def __init__(self, base: BoundCITest, order: NDArray[np.int64]) -> None:
        self.base = base
        self.order = order
        self.has_p_values = base.has_p_values
        self.alpha = base.alpha

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
