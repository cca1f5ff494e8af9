"""The d-separation oracle: a test that knows the true graph and makes no mistakes.

Theorems are checked with it. Its strength is the population correlation of the linear model on the graph with
unit noise and every weight positive, which is zero exactly where the graph separates without any condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidGraphError
from hccd.graphs import PDAG, DSeparation
from hccd.independence.protocol import BoundCITest, CIResult, check_question

#: Weight of every edge in the model behind ``strength``.
WEIGHT = 0.5


@dataclass(frozen=True)
class Oracle:
    """Answers from a known DAG; it needs no data.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> from hccd.independence import Oracle
    >>> chain = Oracle(PDAG.from_edges(3, directed=[(0, 1), (1, 2)])).bind()
    >>> chain.test(0, 2).independent, chain.test(0, 2, [1]).independent
    (False, True)
    """

    dag: PDAG

    def bind(self, data: object = None) -> BoundOracle:
        """Prepare the graph; ``data`` is not looked at."""
        return BoundOracle(self.dag)


class BoundOracle(BoundCITest):
    """d-separation on one DAG."""

    has_p_values = False

    def __init__(self, dag: PDAG) -> None:
        if not dag.is_dag():
            raise InvalidGraphError("an oracle needs a directed acyclic graph; this one is not: check its edges")
        self.dag = dag
        self._separation = DSeparation(dag)
        self._strength = population_strength(dag)

    @property
    def n_variables(self) -> int:
        """The nodes of the graph."""
        return self.dag.n

    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Tell whether the set d-separates x and y."""
        check_question(self.n_variables, x, y, given)
        independent = self._separation.separated(x, y, given)
        return CIResult(independent, float(self._strength[x, y]) if not given else float(not independent))

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return the graph."""
        return (self.dag.marks,)

    def describe(self) -> dict[str, object]:
        """Name only: an oracle has no settings."""
        return {"name": "oracle"}


def population_strength(dag: PDAG) -> NDArray[np.float64]:
    """Return the absolute population correlations of the linear model with all weights ``WEIGHT``."""
    n = dag.n
    effects = np.linalg.inv(np.eye(n) - WEIGHT * dag.marks.astype(np.float64))
    covariance = effects.T @ effects
    scale = np.sqrt(np.diag(covariance))
    strength = np.abs(covariance / np.outer(scale, scale))
    np.fill_diagonal(strength, 0.0)
    return np.asarray(np.minimum(strength, strength.T))
