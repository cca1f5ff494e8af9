"""The threshold of mutual information chosen by a score on the training data, as the paper's authors seem to do.

A graph is learned with every threshold of a grid, from the largest down; the one whose graph has the highest BDeu on
the same rows is taken, the larger one of equals. What the thresholds have in common is computed once: the coded
columns, the tables of all pairs, the clusters (strengths know no threshold), the scores of families, and, by one
worker, the answers to most questions that come up again.

Down the grid graphs become dense and the number of tests explodes, long after the score has begun to fall. So the
search ends with the first threshold that takes more than ``TESTS_PER_PAIR`` tests a pair of variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from hccd._kernels.search.answers import Answers
from hccd.clustering import ClusterTree
from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG
from hccd.independence.tables import BoundTableTest
from hccd.run.settings import Settings
from hccd.wrapper import TestCounts

if TYPE_CHECKING:
    from hccd.run.prepared import Prepared

TESTS_PER_PAIR = 20

# A quarter of a million answers, in four megabytes.
_BITS = 18


class LearnedGraph(Protocol):
    """What a try must show of its graph, in the canonical numbers of the variables."""

    @property
    def clusters(self) -> ClusterTree:
        """The clusters that were used."""
        ...

    @property
    def graph(self) -> PDAG:
        """The graph."""
        ...

    @property
    def tests(self) -> TestCounts:
        """The tests made."""
        ...


T = TypeVar("T", bound=LearnedGraph)


@dataclass(frozen=True)
class Tried:
    """A threshold, the score of its graph on the training data, and the tests it took."""

    threshold: float
    bdeu: float
    tests: int


@dataclass(frozen=True)
class ThresholdChoice:
    """What was tried, from the largest threshold down."""

    tried: tuple[Tried, ...]

    def describe(self) -> dict[str, object]:
        """Return what was tried as plain data, for the record of a run."""
        return {"by": "bdeu", "tried": [[each.threshold, each.bdeu, each.tests] for each in self.tried]}


def grid_of(test: object, threshold: float | Sequence[float] | None, settings: Settings) -> tuple[float, ...]:
    """Return the thresholds to choose from, largest first: the caller's, or the settings'; none if it is settled."""
    information = isinstance(test, str) and test == "mi"
    if isinstance(threshold, Sequence | np.ndarray) and np.ndim(threshold):
        numbers = [float(each) for each in threshold if isinstance(each, Real) and not isinstance(each, bool)]
        if not numbers or len(numbers) < len(threshold) or not all(0.0 <= each < np.inf for each in numbers):
            raise InvalidParameterError(
                f"threshold is {threshold!r}; give an amount of information in nats, or a list to choose from"
            )
        if not information:
            raise InvalidParameterError(
                "a list of thresholds is for the test 'mi', and these columns or options have another: leave it out"
            )
        return tuple(sorted(set(numbers), reverse=True))
    return tuple(sorted(settings.thresholds, reverse=True)) if information and threshold is None else ()


def choose_threshold(
    prepared: Prepared, learn: Callable[[Prepared, ClusterTree | None], T]
) -> tuple[T, ThresholdChoice]:
    """Learn with every threshold, and return the graph of the highest score with the choice.

    Parameters
    ----------
    prepared : Prepared
        The data, with thresholds to choose from.
    learn : callable
        Takes prepared data and clusters (None: to be grown), and returns what was learned.
    """
    # Scores are not needed by those who choose for themselves, and take time to import.
    from hccd.metrics.bdeu import BDeu
    from hccd.metrics.sample import Sample

    ci, splitter = prepared.binding.ci, prepared.settings.splitter
    assert isinstance(ci, BoundTableTest)
    # Where pairs that are independent get weight 0, clusters depend on the threshold.
    keep = splitter is not None and not splitter.screen
    codes, states = ci.data.repeated()
    score = BDeu(Sample(codes.astype(np.int64), tuple(states.tolist())))
    most = TESTS_PER_PAIR * ci.n_variables * (ci.n_variables - 1) // 2
    answers = Answers(ci.n_variables, _BITS)
    clusters: ClusterTree | None = None
    best: T | None = None
    tried: list[Tried] = []
    for threshold in prepared.thresholds:
        learned = learn(prepared.with_test(ci.with_threshold(threshold, answers)), clusters)
        if keep:
            clusters = learned.clusters
        tried.append(Tried(threshold, score.of(learned.graph), learned.tests.total))
        # The first of equals, which has the larger threshold.
        if best is None or tried[-1].bdeu > max(each.bdeu for each in tried[:-1]):
            best = learned
        if learned.tests.total > most:
            break
    assert best is not None
    return best, ThresholdChoice(tuple(tried))
