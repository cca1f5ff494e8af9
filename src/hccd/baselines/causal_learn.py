"""causal-learn's ``pc`` and ``fci``, unchanged, as the paper's Alg.

The paper's device: an algorithm that starts from the complete graph and knows nothing of E is handed a test that
answers by the data for pairs in E only, and by the graph as it stands for all others. So it keeps every edge that it
is not to learn, and drops at order 0 what is gone already. Three answers need no test:

- order 0 is done before, and the initial graph has it;
- a pair that is separated already is not asked about further sets. Stable PC of causal-learn goes through all sets of
  the level, and puts all that separate together to one, which need not separate; here it sees the first one only;
- the home rule (``KnownDependent``) knows many answers about sets of neighbours.

What is taken over are the removals, each with the set that separated the pair. Directions come at the end, as ever.
"""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hccd.baselines.algorithm import LocalResult, PassContext
from hccd.errors import InvalidParameterError, NotInstalledError
from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest

#: The name under which causal-learn knows the test, and a level between the two answers that it gives.
_NAME, _LEVEL = "hccd", 0.5
#: causal-learn prints what cannot be switched off; standard output can be caught by one thread at a time.
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class _CausalLearn:
    """What both algorithms have in common; they differ in how they are called."""

    max_order: int | None = None

    name: ClassVar[str]
    #: A surviving edge was asked about every set of neighbours of either end.
    exhaustive: ClassVar[bool] = True
    ordering: ClassVar[str] = "column"

    def validate(self) -> None:
        """Refuse settings that have no meaning, and say so if the package is not there."""
        if self.max_order is not None and not (isinstance(self.max_order, Integral) and self.max_order >= 0):
            raise InvalidParameterError(f"max_order is {self.max_order!r}; give a whole number from 0, or None")
        _registered()

    def learn(
        self,
        variables: NDArray[np.int32],
        initial: Skeleton,
        edges: NDArray[np.bool_],
        ci: BoundCITest,
        context: PassContext,
    ) -> LocalResult:
        """Run the algorithm on the cluster; take over what it separated."""
        limits = [limit for limit in (context.order_limit, self.max_order) if limit is not None]
        limit = min(limits, default=len(variables))
        answers = _Answers(variables, initial, edges, ci, context, limit)
        # Nothing looks at the rows: there are as many as columns, since fewer draw a warning.
        rows = np.zeros((len(variables), len(variables)))
        _registered()
        with _ONE_AT_A_TIME, contextlib.redirect_stdout(io.StringIO()):
            self._run(rows, limit, answers)
        return answers.result()

    def _run(self, rows: NDArray[np.float64], limit: int, answers: _Answers) -> None:
        raise NotImplementedError

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        return {"name": self.name, "max_order": self.max_order}


@dataclass(frozen=True)
class CausalLearnPC(_CausalLearn):
    """causal-learn's ``pc``, as it is (``pip install 'hccd[causal-learn]'``).

    Parameters
    ----------
    max_order : int or None
        The largest conditioning set; None for no limit.
    """

    name: ClassVar[str] = "causal-learn-pc"

    def _run(self, rows: NDArray[np.float64], limit: int, answers: _Answers) -> None:
        from causallearn.search.ConstraintBased.PC import pc

        pc(rows, _LEVEL, _NAME, show_progress=False, max_k=limit, answers=answers)


@dataclass(frozen=True)
class CausalLearnFCI(_CausalLearn):
    """causal-learn's ``fci``, as it is (``pip install 'hccd[causal-learn]'``).

    Its second search goes through all subsets of possible-d-sep, however large: with many of these it does not end.

    Parameters
    ----------
    max_order : int or None
        The largest conditioning set; None for no limit.
    """

    name: ClassVar[str] = "causal-learn-fci"

    def _run(self, rows: NDArray[np.float64], limit: int, answers: _Answers) -> None:
        from causallearn.search.ConstraintBased.FCI import fci

        fci(rows, _NAME, _LEVEL, depth=limit, show_progress=False, answers=answers)


class _Answers:
    """The test of one pass: by the data for pairs in E, by the graph as it stands for all others."""

    def __init__(
        self,
        variables: NDArray[np.int32],
        initial: Skeleton,
        edges: NDArray[np.bool_],
        ci: BoundCITest,
        context: PassContext,
        limit: int,
    ) -> None:
        self.variables, self.initial, self.edges = variables.tolist(), initial, edges
        self.ci, self.known, self.limit = ci, context.known, limit
        pairs = list(map(tuple, initial.edges.tolist()))
        self.adjacent = set(pairs)
        self.row = {pairs[e]: row for row, e in enumerate(np.flatnonzero(edges).tolist())}
        self.dependent: set[tuple[int, int, tuple[int, ...]]] = set()
        self.separated: dict[tuple[int, int], tuple[tuple[int, ...], float]] = {}
        self.tests = np.zeros((len(self.row), limit + 1), np.int64)

    def p_value(self, i: int, j: int, given: Iterable[int]) -> float:
        """Return 1 for independent and 0 for dependent, about columns of the cluster."""
        x, y = sorted((self.variables[i], self.variables[j]))
        others = tuple(sorted(self.variables[k] for k in given))
        row = self.row.get((x, y))
        if row is None or not others:
            return float((x, y) not in self.adjacent)
        if (x, y) in self.separated:
            return float(self.separated[x, y][0] == others)
        if len(others) > self.limit or (x, y, others) in self.dependent or self._known(row, x, y, others):
            return 0.0
        self.tests[row, len(others)] += 1
        answer = self.ci.test(x, y, others)
        if answer.independent:
            self.separated[x, y] = others, answer.p_value
            return 1.0
        self.dependent.add((x, y, others))
        return 0.0

    def _known(self, row: int, x: int, y: int, given: tuple[int, ...]) -> bool:
        """Tell whether an earlier pass has asked: about sets of neighbours only, which FCI goes beyond."""
        known = self.known
        if known is None or len(given) > known.order[row]:
            return False
        place = known.position[list(given)]
        at_home = bool(known.whole[row] or ((place >= known.start[row]) & (place < known.stop[row])).all())
        return at_home and any(set(self.initial.neighbors(v)).issuperset(given) for v in (x, y))

    def result(self) -> LocalResult:
        """Return what was separated, and the tests."""
        removed = np.array([tuple(pair) in self.separated for pair in self.initial.edges.tolist()], np.bool_)
        pairs = self.initial.edges[removed]
        found = [self.separated[x, y] for x, y in pairs.tolist()]
        start = np.concatenate([[0], np.cumsum([len(given) for given, _ in found], dtype=np.int64)])
        given = np.array([v for given, _ in found for v in given], np.int32)
        separations = Separations(pairs, start, given, np.array([p for _, p in found], np.float64))
        largest = max(np.flatnonzero(self.tests.any(axis=0)).tolist(), default=0)
        return LocalResult(self.initial, removed, separations, self.tests[:, : largest + 1])


@cache
def _registered() -> None:
    """Make the test known to causal-learn."""
    try:
        from causallearn.utils.cit import CIT_Base, register_ci_test
    except ImportError:
        raise NotInstalledError(
            "this baseline needs the package causal-learn, 0.1.4.8 or newer: pip install 'hccd[causal-learn]'"
        ) from None

    class Handed(CIT_Base):  # type: ignore[misc]
        def __init__(self, data: NDArray[np.float64], answers: _Answers, **settings: Any) -> None:
            super().__init__(data, **settings)
            self.method = _NAME
            self.answers = answers

        def __call__(self, x: int, y: int, given: Iterable[int] | None = None) -> float:
            return self.answers.p_value(int(x), int(y), () if given is None else given)

    register_ci_test(_NAME, Handed)
