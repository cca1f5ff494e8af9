"""Which pairs a search over DAGs looks at, and what an edge has to gain.

A pair is looked at if the test without condition does not call it independent, if the score gains more than ln(n) from
it alone, or if it is adjacent in the learned graph.

An edge costs twice the logarithm of the number of candidates that a variable has on average: the chance that both ends
pick each other blindly among theirs. So where everything depends on everything, and a wrong edge is easily found, more
is asked of one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.families import Families
from hccd.graphs import PDAG
from hccd.graphs.rows import Rows

#: With fewer candidates than this on average, the price is as if there were so many.
FEWEST = 2.0


@dataclass(frozen=True, eq=False)
class Candidates:
    """The pairs, as rows of neighbours: the slot of x in the row of y stands for the edge from x to y."""

    rows: Rows

    @classmethod
    def of(cls, families: Families, independent: NDArray[np.bool_], learned: PDAG) -> Candidates:
        """Choose the pairs.

        Parameters
        ----------
        families : Families
            The score.
        independent : array of bool
            The pairs that the test without condition calls independent; symmetric.
        learned : PDAG
            The graph to start from.
        """
        n = learned.n
        gain = np.zeros((n, n))
        families.single_parents(gain)
        wanted = (gain > math.log(max(n, 1))) | ~independent
        wanted |= wanted.T
        adjacent = learned.skeleton().edges
        wanted[adjacent[:, 0], adjacent[:, 1]] = True
        return cls(Rows.of_edges(n, np.argwhere(np.triu(wanted, 1)).astype(np.int32, order="C")))

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.rows.first) - 1

    @property
    def price(self) -> float:
        """What an edge has to gain."""
        return 2.0 * math.log(max(self.rows.n_slots / max(self.n, 1), FEWEST))

    def slots_of(self, dag: PDAG) -> NDArray[np.uint8]:
        """Return 1 for the slots that are edges of a DAG."""
        marks = np.zeros(self.rows.n_slots, np.uint8)
        edges = dag.directed_edges()
        marks[self.rows.slots(edges[:, 1], edges[:, 0])] = 1
        return marks

    def dag_of(self, edge: NDArray[np.uint8]) -> PDAG:
        """Return the DAG of these slots."""
        chosen = np.flatnonzero(edge)
        return PDAG.from_edges(self.n, np.column_stack([self.rows.neighbors[chosen], self.rows.owner[chosen]]))
