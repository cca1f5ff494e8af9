"""A skeleton and why it is what it is: what a run knows before it looks for directions. A frozen value.

It is no causal graph: an edge without direction says that two variables are adjacent, not that either order fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.clustering import ClusterTree
from hccd.graphs import SeparatingSets, Skeleton
from hccd.result.marginal_separations import MarginalSeparations
from hccd.tables import Finding
from hccd.wrapper import Removals, TestCounts


@dataclass(frozen=True, eq=False)
class SkeletonResult:
    """The result of :func:`hccd.learn_skeleton`; variable i is ``names[i]``.

    Attributes
    ----------
    skeleton : Skeleton
        Which variables are adjacent.
    tree : ClusterTree
        The clusters that were used; one cluster for plain PC.
    removals, marginal : Removals, MarginalSeparations
        The pairs without an edge: those that a set of variables separates, and those independent without condition.
    strength : array
        Unconditional strength of each edge.
    tests : TestCounts
        Independence tests made.
    seconds, parameters
        Time of each stage, and the settings of the run.
    findings : tuple of Finding
        Warnings about the data, each with a sentence.
    """

    names: tuple[str, ...]
    skeleton: Skeleton
    tree: ClusterTree
    removals: Removals
    marginal: MarginalSeparations
    strength: NDArray[np.float64]
    tests: TestCounts
    seconds: Mapping[str, float]
    parameters: Mapping[str, Any]
    findings: tuple[Finding, ...] = field(default=())

    @property
    def warnings(self) -> tuple[str, ...]:
        """The sentences of ``findings``."""
        return tuple(finding.sentence for finding in self.findings)

    @cached_property
    def separators(self) -> SeparatingSets:
        """The separating set of every separated pair, by the numbers of the variables."""
        return SeparatingSets(self.marginal.independent, self.removals.separations)

    def edges(self) -> list[tuple[str, str]]:
        """Return the adjacent pairs by name, in the order of the columns."""
        return [(self.names[x], self.names[y]) for x, y in self.skeleton.edges.tolist()]

    def __repr__(self) -> str:
        return f"SkeletonResult(variables={len(self.names)}, edges={self.skeleton.n_edges}, tests={self.tests.total})"
