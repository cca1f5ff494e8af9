"""Missing and extra edges, whatever their direction, and the ratios of table 4 of the paper.

The table divides the mean number of errors of one method by that of another method on the same DAGs (`error_ratios`).
The ratios of a single graph (`EdgeErrors`) are relative to the number of true edges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hccd.errors import InvalidParameterError
from hccd.metrics.pairing import GraphLike
from hccd.metrics.retrieval import adjacency_retrieval


@dataclass(frozen=True)
class EdgeErrors:
    """Numbers of missing and of extra edges.

    Attributes
    ----------
    missing, extra : int
        Number of pairs that are adjacent in the true graph only, and in the learned graph only.
    true_edges : int
        Number of edges of the true graph.
    """

    missing: int
    extra: int
    true_edges: int

    @property
    def missing_ratio(self) -> float:
        """Missing edges per edge of the true graph: from 0 to 1."""
        return ratio(self.missing, self.true_edges)

    @property
    def extra_ratio(self) -> float:
        """Extra edges per edge of the true graph: may exceed 1, and is infinite where the true graph has none."""
        return ratio(self.extra, self.true_edges)


class ErrorRatios(NamedTuple):
    """Errors of one method divided by those of another."""

    missing: float
    extra: float


def edge_errors(truth: GraphLike, learned: GraphLike) -> EdgeErrors:
    """Count missing and extra edges.

    Parameters
    ----------
    truth, learned : GraphLike
        Two graphs over the same variables; directions do not matter.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> edge_errors(PDAG.from_edges(3, [(0, 1), (1, 2)]), PDAG.from_edges(3, [(1, 0)]))
    EdgeErrors(missing=1, extra=0, true_edges=2)
    """
    found = adjacency_retrieval(truth, learned)
    return EdgeErrors(found.missed, found.wrong, found.right + found.missed)


def error_ratios(errors: Sequence[EdgeErrors], baseline: Sequence[EdgeErrors]) -> ErrorRatios:
    """Divide the mean numbers of errors of one method by those of another.

    Parameters
    ----------
    errors, baseline : sequences of EdgeErrors
        One item for each run, in the same order.

    Examples
    --------
    >>> error_ratios([EdgeErrors(2, 1, 9), EdgeErrors(4, 0, 9)], [EdgeErrors(2, 5, 9), EdgeErrors(2, 5, 9)])
    ErrorRatios(missing=1.5, extra=0.1)
    """
    if len(errors) != len(baseline):
        raise InvalidParameterError(
            f"There are errors of {len(errors)} runs and {len(baseline)} of the baseline: give both of the same runs."
        )
    return ErrorRatios(
        ratio(sum(each.missing for each in errors), sum(each.missing for each in baseline)),
        ratio(sum(each.extra for each in errors), sum(each.extra for each in baseline)),
    )


def ratio(count: float, base: float) -> float:
    """Divide; nothing by nothing is 0, since there was no error, and something by nothing is infinite."""
    if base:
        return count / base
    return math.inf if count else 0.0
