"""The search for edges of causal-learn's ``pc`` and ``fci``, unchanged, as the paper's Alg.

The paper's device: an algorithm that starts from the complete graph and knows nothing of E is handed a test that
answers by the data for pairs in E only, and by the graph as it stands for all others. So it keeps every edge that it
is not to learn, and drops at order 0 what is gone already. Three answers need no test:

- order 0 is done before, and the initial graph has it;
- a pair that is separated already is not asked about further sets. causal-learn goes through all sets of the level,
  and puts all that separate together to one, which need not separate; here it sees the first one only;
- the home rule (``KnownDependent``) knows many answers about sets of neighbours.

What is taken over are the removals, each with the set that separated the pair. Directions come at the end, as ever, so
that half of ``pc`` and ``fci`` is left out: in every cluster it would take longer than the search.
"""

from __future__ import annotations

import contextlib
import io
import threading
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hccd.baselines.algorithm import LocalResult, PassContext
from hccd.baselines.pc import check_settings
from hccd.errors import NotInstalledError
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest

#: The name under which causal-learn knows the test, and a level between the two answers that it gives.
_NAME, _LEVEL = "hccd", 0.5
#: causal-learn prints what cannot be switched off; standard output can be caught by one thread at a time.
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class _CausalLearn(ABC):
    """What both algorithms have in common."""

    max_order: int | None = None

    name: ClassVar[str]
    #: A surviving edge was asked about every set of neighbours of either end.
    exhaustive: ClassVar[bool] = True
    ordering: ClassVar[str] = "column"
    #: Whether all questions are about sets of neighbours, even if sets have no limit.
    neighbours_only: ClassVar[bool] = True

    def validate(self) -> None:
        """Refuse settings that have no meaning, and say so if the package is not there."""
        check_settings(self.max_order, self.ordering)
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
        bounded = context.order_limit is not None or self.max_order is not None
        limit = context.largest_order(variables, self.max_order)
        answers = _Answers(variables, initial, edges, ci, context, limit)
        if self.neighbours_only or bounded:
            answers.leave_out_known()
        if not answers.row:
            return answers.result()
        _registered()
        with _ONE_AT_A_TIME, contextlib.redirect_stdout(io.StringIO()):
            from causallearn.utils.cit import CIT

            # Nothing looks at the rows, but they must be there.
            rows = np.zeros((len(answers.variables), len(answers.variables)))
            self._search(rows, CIT(rows, _NAME, answers=answers), answers, bounded)
        return answers.result()

    @abstractmethod
    def _search(self, rows: NDArray[np.float64], test: Any, answers: _Answers, bounded: bool) -> None:
        """Run the search with this test; ``bounded``: sets have a limit."""

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        return {"name": self.name, "max_order": self.max_order}


@dataclass(frozen=True)
class CausalLearnPC(_CausalLearn):
    """causal-learn's ``pc`` (``pip install 'hccd[causal-learn]'``).

    Parameters
    ----------
    max_order : int or None
        The largest conditioning set; None for no limit.
    """

    name: ClassVar[str] = "causal-learn-pc"

    def _search(self, rows: NDArray[np.float64], test: Any, answers: _Answers, bounded: bool) -> None:
        from causallearn.utils.PCUtils.SkeletonDiscovery import skeleton_discovery

        skeleton_discovery(rows, _LEVEL, test, show_progress=False, max_k=answers.limit)


@dataclass(frozen=True)
class CausalLearnFCI(_CausalLearn):
    """causal-learn's ``fci`` (``pip install 'hccd[causal-learn]'``).

    Its possible-d-sep search tests all subsets, however large, so it may not finish in practice. It runs where sets
    have no limit, by default in the last pass only.

    Parameters
    ----------
    max_order : int or None
        The largest conditioning set; None for no limit.
    """

    name: ClassVar[str] = "causal-learn-fci"
    neighbours_only: ClassVar[bool] = False

    def _search(self, rows: NDArray[np.float64], test: Any, answers: _Answers, bounded: bool) -> None:
        from causallearn.graph.Endpoint import Endpoint
        from causallearn.graph.GraphNode import GraphNode
        from causallearn.search.ConstraintBased import FCI

        nodes = [GraphNode(f"X{i + 1}") for i in range(len(rows))]
        graph, sets, _ = FCI.fas(rows, nodes, test, _LEVEL, depth=answers.limit, show_progress=False)
        if bounded:
            return
        # What fell in earlier passes did so by sets that causal-learn cannot know of.
        sets |= answers.sets_of_earlier_passes()
        FCI.reorientAllWith(graph, Endpoint.CIRCLE)
        FCI.rule0(graph, graph.get_nodes(), sets, None, False)
        FCI.removeByPossibleDsep(graph, test, _LEVEL, sets)


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
        self.ci, self.known, self.earlier, self.limit = ci, context.known, context.separated, limit
        pairs = list(map(tuple, initial.edges.tolist()))
        self.adjacent = set(pairs)
        self.neighbours = {v: frozenset(initial.neighbors(v)) for v in variables.tolist()}
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

    def leave_out_known(self) -> None:
        """Ask only about pairs of which something is not known, and take their ends and neighbours for the cluster.

        causal-learn's search takes more than the square of the number of variables before it asks anything.
        """
        self.row = {
            (x, y): row
            for (x, y), row in self.row.items()
            if not all(self._asked(row, self.neighbours[v] - {x, y}) for v in (x, y))
        }
        self.variables = sorted({w for pair in self.row for v in pair for w in (v, *self.neighbours[v])})

    def _asked(self, row: int, given: Collection[int]) -> bool:
        """Tell whether an earlier pass has asked about these neighbours of one end and all subsets up to the limit."""
        known = self.known
        if known is None or min(len(given), self.limit) > known.order[row]:
            return not given
        place = known.position[list(given)]
        return bool(known.whole[row] or ((place >= known.start[row]) & (place < known.stop[row])).all())

    def _known(self, row: int, x: int, y: int, given: tuple[int, ...]) -> bool:
        """Tell whether an earlier pass has asked: about sets of neighbours only, which FCI goes beyond."""
        near = any(self.neighbours[v].issuperset(given) for v in (x, y))
        return near and self._asked(row, given)

    def sets_of_earlier_passes(self) -> dict[tuple[int, int], set[int]]:
        """Return what separated pairs of the cluster before this pass, in the cluster's numbers and both orders."""
        column = {v: i for i, v in enumerate(self.variables)}
        found = {}
        for (x, y), given, _ in self.earlier:
            if x in column and y in column:
                # A variable outside the cluster is in no triple of it.
                own = {column[v] for v in given if v in column}
                found[column[x], column[y]] = found[column[y], column[x]] = own
        return found

    def result(self) -> LocalResult:
        """Return what was separated, and the tests."""
        largest = max(np.flatnonzero(self.tests.any(axis=0)).tolist(), default=0)
        return LocalResult.of(self.initial, self.separated, self.tests[:, : largest + 1])


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
