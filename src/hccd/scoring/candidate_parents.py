"""Which pairs a search over DAGs looks at, and what an edge has to gain.

A variable shows dependence on another if the test without condition does not call them independent, or if the score
gains more than ln(n) from the other as its only parent. Of these each variable has those looked at that gain most, and
those that it is adjacent to in the learned graph.

An edge costs twice the logarithm of the number of others that a variable shows dependence on, on average: the chance
that both ends pick each other blindly among theirs. So where everything depends on everything, and a wrong edge is
easily found, more is asked of one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.families import Families
from hccd.graphs import PDAG
from hccd.graphs.rows import Rows

#: With fewer dependent pairs than this on average, the price is as if there were so many.
FEWEST = 2.0


@dataclass(frozen=True, eq=False)
class CandidateParents:
    """The pairs, as rows of neighbours: the slot of x in the row of y stands for the edge from x to y.

    ``price`` is what an edge has to gain.
    """

    rows: Rows
    price: float

    @classmethod
    def of(cls, families: Families, independent: NDArray[np.bool_], learned: PDAG, most: int) -> CandidateParents:
        """Choose the pairs.

        Parameters
        ----------
        families : Families
            The score.
        independent : array of bool
            The pairs that the test without condition calls independent; symmetric.
        learned : PDAG
            The graph to start from.
        most : int
            How many others a variable chooses to be looked at with; others may choose it as well.
        """
        n = learned.n
        gain = np.zeros(n)
        shown, chosen = 0, [learned.skeleton().edges]
        for y in range(n):
            families.single_parents(y, gain)
            dependent = (gain > math.log(n)) | ~independent[y]
            dependent[y] = False
            others = np.flatnonzero(dependent)
            shown += len(others)
            # The first of equals.
            best = others[np.argsort(-gain[others], kind="stable")[:most]]
            chosen.append(np.column_stack([np.minimum(best, y), np.maximum(best, y)]))
        pairs = np.unique(np.concatenate(chosen), axis=0)
        price = 2.0 * math.log(max(shown / max(n, 1), FEWEST))
        return cls(Rows.of_edges(n, np.ascontiguousarray(pairs, np.int32)), price)

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.rows.first) - 1

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
