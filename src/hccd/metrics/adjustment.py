"""Which causal effects of a true DAG are correctly identified by adjusting for a given set of parents.

If ``given`` are the parents of x, then adjusting for them identifies the effect of x on any other y, and x has no
effect on y if y is one of them. The first statement is right if and only if ``given`` is a valid adjustment set in the
true DAG (Shpitser, VanderWeele and Robins 2010):

- no member of it is a descendant of a variable on a causal path from x to y, x itself aside, and
- it blocks every path between x and y that is not causal.

Both conditions are checked for all y at once, the second by the Bayes ball from x as in `hccd.graphs.dseparation`,
along walks that have left the causal paths. Peters and Bühlmann (2015) count the wrong effects (`hccd.metrics.sid`).
"""

from __future__ import annotations

from hccd.errors import InvalidGraphError
from hccd.graphs import PDAG
from hccd.graphs.dseparation import bits, rolled


class Adjustment:
    """The effects in one true DAG; sets of variables are the bits of an int.

    Parameters
    ----------
    dag : PDAG
        The true DAG.

    Raises
    ------
    InvalidGraphError
        If ``dag`` has an undirected edge or a cycle.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> confounded = Adjustment(PDAG.from_edges(3, [(0, 1), (0, 2), (1, 2)]))
    >>> list(bits(confounded.wrong(1, given=0b000))), list(bits(confounded.wrong(1, given=0b001)))
    ([0, 2], [])
    """

    def __init__(self, dag: PDAG) -> None:
        order = dag.topological_order()
        if order is None or len(dag.undirected_edges()):
            raise InvalidGraphError("The true graph must be a DAG, but it has an undirected edge or a cycle.")
        self._parents = [0] * dag.n
        self._children = [0] * dag.n
        for i, j in dag.directed_edges().tolist():
            self._parents[j] |= 1 << i
            self._children[i] |= 1 << j
        # A variable counts among its own ancestors and descendants.
        self._ancestors = [1 << x for x in range(dag.n)]
        self._descendants = [1 << x for x in range(dag.n)]
        for x in order:
            for parent in bits(self._parents[x]):
                self._ancestors[x] |= self._ancestors[parent]
        for x in reversed(order):
            for child in bits(self._children[x]):
                self._descendants[x] |= self._descendants[child]

    def wrong(self, x: int, given: int) -> int:
        """Return the variables on which the effect of ``x`` is wrong if ``given`` are taken for its parents."""
        me = 1 << x
        below = self._descendants[x] & ~me
        claimed_above = below & given
        up = self._parents[x]
        unadjustable = 0
        if claimed_above:
            ancestors_of_given = 0
            for z in bits(given):
                ancestors_of_given |= self._ancestors[z]
            for z in bits(below & ancestors_of_given):
                unadjustable |= self._descendants[z]
            # A collider on the way down opens only if it, or something below it, is given.
            for z in bits(self._reach_down(x, given) & given):
                up |= self._parents[z]
        confounded = rolled(self._parents, self._children, up & ~me, given, ~me)
        return ((unadjustable | confounded) & ~given & ~me) | claimed_above

    def _reach_down(self, x: int, given: int) -> int:
        """Return what lies below ``x`` on directed paths whose inner variables are not given."""
        front = seen = self._children[x]
        while front:
            further = 0
            for z in bits(front & ~given):
                further |= self._children[z]
            front = further & ~seen
            seen |= front
        return seen
