"""Which parents a search over DAGs looks at, and what an edge has to gain.

**Continuous data.** Every variable may be a parent of every other: in an order that is wrong, a variable needs parents
that it does not depend on without condition, and a search that cannot give it those gets stuck. An edge costs what the
larger of two numbers leaves after BIC: ln(rows), which is BIC's own price twice, and ln(variables) + 2. By the second,
independent variables stay unconnected: among n (n - 1) / 2 pairs, fewer than one in 30 n gains so much by chance.

**Discrete data.** Tables are dear to count, so each variable has those looked at that gain most as its only parent
(among those that show dependence: by the test without condition, or because the score gains more than ln(variables)),
and those that it is adjacent to in the learned graph. An edge costs twice the logarithm of the number of others that a
variable shows dependence on, on average: the chance that both ends pick each other blindly among theirs. So where
everything depends on everything, and a wrong edge is easily found, more is asked of one. Where variables depend on
fewer than one other on average, as far as tests tell that allow for the number of pairs, there may be nothing but
noise: an edge costs ln(10 variables) then, if that is more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.families import Families
from hccd.graphs import PDAG
from hccd.graphs.constraints import Constraints
from hccd.graphs.rows import Rows

#: What an edge costs beyond ln(variables) where hardly anything depends on anything: a Bayes factor exceeds 10 n by
#: chance with a probability of at most 1 in 10 n, so that of n (n - 1) / 2 pairs n / 20 do.
OF_NOISE = math.log(10.0)
#: With fewer dependent pairs than this on average, the price is as if there were so many.
FEWEST = 2.0
NOBODY = np.zeros(0, np.int32)


@dataclass(frozen=True, eq=False)
class CandidateParents:
    """Whom each of ``n`` variables may have as parents, and the ``price`` that an edge has to gain.

    ``rows`` are rows of neighbours: the slot of x in the row of y stands for the edge from x to y. None: everybody.
    By ``constraints`` some may not be parents, and some must be, whatever they cost.
    """

    n: int
    rows: Rows | None
    price: float
    constraints: Constraints | None = None

    @classmethod
    def everybody(cls, n: int, n_rows: float, constraints: Constraints | None = None) -> CandidateParents:
        """Let everybody be a parent of everybody else, as far as may be; for BIC of so many rows."""
        own = 0.5 * math.log(n_rows)
        return cls(n, None, max(2.0 * own, math.log(max(n, 1)) + 2.0) - own, constraints)

    @classmethod
    def of(
        cls,
        families: Families,
        independent: NDArray[np.bool_],
        learned: PDAG,
        most: int,
        corrected: NDArray[np.bool_] | None = None,
        constraints: Constraints | None = None,
    ) -> CandidateParents:
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
        corrected : array of bool, optional
            As ``independent``, with a test that allows for the number of pairs.
        constraints : Constraints, optional
            What is known; ``learned`` agrees with it.
        """
        n = learned.n
        excluded = np.zeros((n, n), bool) if constraints is None else constraints.excluded
        gain = np.zeros(n)
        shown, chosen = 0, [learned.skeleton().edges]
        for y in range(n):
            families.gains(y, NOBODY, gain)
            dependent = (gain > math.log(n)) | ~independent[y]
            dependent[y] = False
            dependent &= ~excluded[y]
            others = np.flatnonzero(dependent)
            shown += len(others)
            # The first of equals.
            best = others[np.argsort(-gain[others], kind="stable")[:most]]
            chosen.append(np.column_stack([np.minimum(best, y), np.maximum(best, y)]))
        pairs = np.unique(np.concatenate(chosen), axis=0)
        price = 2.0 * math.log(max(shown / max(n, 1), FEWEST))
        if corrected is not None and np.count_nonzero(~corrected) < 2 * n:
            price = max(price, math.log(max(n, 1)) + OF_NOISE)
        return cls(n, Rows.of_edges(n, np.ascontiguousarray(pairs, np.int32)), price, constraints)

    def within(self, allowed: NDArray[np.bool_], dag: PDAG) -> CandidateParents:
        """Leave the pairs that are ``allowed`` (symmetric), and those adjacent in the DAG to start from."""
        edges = dag.skeleton().edges
        forbidden = ~allowed
        forbidden[edges[:, 0], edges[:, 1]] = forbidden[edges[:, 1], edges[:, 0]] = False
        np.fill_diagonal(forbidden, False)
        own = self.constraints or Constraints.none(self.n)
        constraints = replace(own, forbidden=own.forbidden | forbidden)
        return replace(self.beside(dag, forbidden), constraints=constraints)

    def beside(self, dag: PDAG, without: NDArray[np.bool_] | None = None) -> CandidateParents:
        """Add the edges of a DAG to the pairs, and leave out others: ``without`` is symmetric."""
        if self.rows is None:
            return self
        own = np.column_stack([self.rows.owner, self.rows.neighbors])
        own = own[own[:, 0] < own[:, 1]]
        if without is not None:
            own = own[~without[own[:, 0], own[:, 1]]]
        pairs = np.unique(np.concatenate([own, dag.skeleton().edges]), axis=0)
        return replace(self, rows=Rows.of_edges(self.n, np.ascontiguousarray(pairs, np.int32)))

    def extended(self, families: Families, dag: PDAG) -> CandidateParents | None:
        """Add who gains as one more parent in this DAG; None if nobody does who is not looked at already."""
        assert self.rows is not None
        gain = np.zeros(self.n)
        more = []
        for y in range(self.n):
            families.gains(y, np.sort(dag.parents(y)).astype(np.int32), gain)
            gain[self.rows.neighbors[self.rows.first[y] : self.rows.first[y + 1]]] = 0.0
            if self.constraints is not None:
                gain[self.constraints.forbidden[:, y]] = 0.0
            best = np.flatnonzero(gain > self.price)
            more.append(np.column_stack([np.minimum(best, y), np.maximum(best, y)]))
        found = np.concatenate(more)
        if not len(found):
            return None
        own = np.column_stack([self.rows.neighbors, self.rows.owner])
        pairs = np.unique(np.concatenate([own[own[:, 0] < own[:, 1]], found]), axis=0)
        return replace(self, rows=Rows.of_edges(self.n, np.ascontiguousarray(pairs, np.int32)))

    @property
    def n_pairs(self) -> int:
        """How many pairs are looked at."""
        return self.n * (self.n - 1) // 2 if self.rows is None else self.rows.n_slots // 2

    def lists(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
        """Return where the list of each variable begins and ends, and the lists; a variable may be in its own."""
        if self.constraints is not None:
            own = np.ones((self.n, self.n), bool) if self.rows is None else np.zeros((self.n, self.n), bool)
            if self.rows is not None:
                own[self.rows.owner, self.rows.neighbors] = True
            first, parents = _listed(own & ~self.constraints.forbidden.T)
            return first[:-1], first[1:], parents
        if self.rows is None:
            return np.zeros(self.n, np.int64), np.full(self.n, self.n), np.arange(self.n, dtype=np.int32)
        return self.rows.first[:-1], self.rows.first[1:], self.rows.neighbors

    def musts(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]] | None:
        """Return the lists of those that must be parents wherever they come before, and whether they must come so."""
        if self.constraints is None:
            return None
        # Row y of each matrix is about the parents of y.
        forbidden, wanted = self.constraints.forbidden, self.constraints.adjacent & ~self.constraints.forbidden.T
        first, parents = _listed(wanted)
        owner = np.repeat(np.arange(self.n), np.diff(first))
        return first, parents, forbidden[owner, parents].astype(np.uint8)

    def bare(self, learned: PDAG) -> PDAG:
        """Return the DAG without all edges but those that must be."""
        edges = learned.directed_edges()
        if self.constraints is None:
            return PDAG.from_edges(self.n)
        return PDAG.from_edges(self.n, edges[self.constraints.adjacent[edges[:, 0], edges[:, 1]]])

    def barred(self) -> NDArray[np.uint8] | None:
        """Return 1 for slots that a search by single edges leaves as they are: forbidden, or of a pair that must be."""
        if self.constraints is None:
            return None
        assert self.rows is not None
        y, x = self.rows.owner, self.rows.neighbors
        return (self.constraints.forbidden[x, y] | self.constraints.adjacent[x, y]).astype(np.uint8)

    def slots_of(self, dag: PDAG) -> NDArray[np.uint8]:
        """Return 1 for the slots that are edges of a DAG."""
        assert self.rows is not None
        marks = np.zeros(self.rows.n_slots, np.uint8)
        edges = dag.directed_edges()
        marks[self.rows.slots(edges[:, 1], edges[:, 0])] = 1
        return marks

    def dag_of(self, edge: NDArray[np.uint8]) -> PDAG:
        """Return the DAG of these slots."""
        assert self.rows is not None
        chosen = np.flatnonzero(edge)
        return PDAG.from_edges(self.n, np.column_stack([self.rows.neighbors[chosen], self.rows.owner[chosen]]))


def _listed(matrix: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return where the list of each row begins, with the end of the last, and the columns that are True."""
    first = np.concatenate([[0], np.cumsum(matrix.sum(axis=1))]).astype(np.int64)
    return first, matrix.nonzero()[1].astype(np.int32)
