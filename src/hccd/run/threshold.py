"""The threshold of mutual information chosen by a score on the training data, as the paper's authors seem to do.

A graph is learned with every threshold of a grid, from the largest down; the one whose graph has the highest BDeu on
the same rows is taken, the larger one of equals. What the thresholds have in common is computed once: the coded
columns, the tables of all pairs, the clusters (strengths know no threshold), the scores of families, and, by one
worker, the answers to most questions that come up again. The run with the chosen threshold is then made as any other.

Down the grid graphs become dense and the number of tests explodes, long after the score has begun to fall. So the
search ends with the first threshold that takes more than ``TESTS_PER_PAIR`` tests a pair of variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from hccd._kernels.search.answers import Answers
from hccd.clustering import ClusterTree
from hccd.errors import InvalidParameterError
from hccd.independence import BoundCITest, CITest, MutualInformation
from hccd.independence.tables import BoundTableTest
from hccd.result import HCCDResult
from hccd.run.binding import bind, specification
from hccd.run.settings import Settings
from hccd.tables import Table, as_table

TESTS_PER_PAIR = 20

# A quarter of a million answers, in four megabytes.
_BITS = 18


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

    @property
    def threshold(self) -> float:
        """The threshold of the highest score."""
        # max keeps the first of equals, which has the larger threshold.
        return max(self.tried, key=lambda each: each.bdeu).threshold

    def describe(self) -> dict[str, object]:
        """Return what was tried as plain data, for the record of a run."""
        return {"by": "bdeu", "tried": [[each.threshold, each.bdeu, each.tests] for each in self.tried]}


def grid_of(data: Any, test: object, threshold: float | Sequence[float] | None, settings: Settings) -> list[float]:
    """Return the thresholds to choose from, largest first: the caller's, or the settings'; none if it is settled."""
    fits = isinstance(test, str) and test in ("auto", "mi") and not isinstance(data, BoundCITest)
    if isinstance(threshold, Sequence | np.ndarray) and np.ndim(threshold):
        numbers = [float(each) for each in threshold if isinstance(each, Real) and not isinstance(each, bool)]
        if not numbers or len(numbers) < len(threshold) or not all(0.0 <= each < np.inf for each in numbers):
            raise InvalidParameterError(
                f"threshold is {threshold!r}; give an amount of information in nats, or a list to choose from"
            )
        if not fits:
            raise InvalidParameterError("a list of thresholds is for the test 'mi' and a table: give both")
        return sorted(set(numbers), reverse=True)
    return sorted(settings.thresholds, reverse=True) if fits and threshold is None else []


def choose_threshold(
    data: Any,
    test: str | CITest | Callable[..., Any],
    names: Sequence[str] | None,
    grid: Sequence[float],
    settings: Settings,
    tree: Callable[[Sequence[str]], ClusterTree] | None,
    learn: Callable[[BoundCITest, ClusterTree | None, Sequence[str]], HCCDResult],
) -> tuple[Table, ThresholdChoice | None]:
    """Return the data as a table, and the choice; None if the test is not of mutual information.

    Parameters
    ----------
    data, test, names
        As in `hccd.discover`.
    grid : sequence of float
        The thresholds, largest first.
    settings : Settings
        The settings of the run.
    tree : callable, optional
        Takes the names of the variables and returns the caller's own clusters.
    learn : callable
        Takes a bound test, clusters (None: to be grown) and names, and returns the result.
    """
    # Scores are not needed by those who choose for themselves, and take time to import.
    from hccd.metrics.bdeu import BDeu
    from hccd.metrics.sample import Sample

    table = data if isinstance(data, Table) else as_table(data, names)
    if not isinstance(specification(table, test, None, None, settings), MutualInformation):
        return table, None
    bound = bind(table, MutualInformation(grid[0]), None, None, None, settings)
    ci, own = bound.ci, [table.names[i] for i in bound.order]
    assert isinstance(ci, BoundTableTest)
    clusters = None if tree is None else tree(table.names).relabelled(np.argsort(bound.order))
    # Where pairs that are independent get weight 0, clusters depend on the threshold.
    keep = settings.splitter is not None and not settings.splitter.screen
    score = BDeu(Sample(ci.codes.astype(np.int64), tuple(ci.states.tolist())))
    most = TESTS_PER_PAIR * table.n_columns * (table.n_columns - 1) // 2
    answers = Answers(table.n_columns, _BITS)
    tried: list[Tried] = []
    for threshold in grid:
        result = learn(ci.with_threshold(threshold, answers), clusters, own)
        if keep:
            clusters = result.tree
        tried.append(Tried(threshold, score.of(result.graph), result.tests.total))
        if result.tests.total > most:
            break
    return table, ThresholdChoice(tuple(tried))
