"""D-separation: which independences a DAG implies, read from its arrows alone.

A path between x and y is *blocked* by a set ``given`` if it contains

- a chain a -> b -> c or a fork a <- b -> c whose middle b is in ``given``, or
- a collider a -> b <- c such that neither b nor any descendant of b is in ``given``.

x and y are d-separated by ``given`` if every path between them is blocked. Under the Markov and faithfulness
assumptions (section 3 of the paper) this is the same as conditional independence, which is why d-separation
can stand in for a perfect statistical test::

    0 -> 1 -> 2      0 and 2 are separated by {1}, not by {}           (chain)
    0 <- 1 -> 2      0 and 2 are separated by {1}, not by {}           (fork)
    0 -> 1 <- 2      0 and 2 are separated by {}, not by {1}           (collider)

Paths are not enumerated. A ball is rolled from x along edges that are open for it; how it may leave a
variable depends only on whether it came in from a child or from a parent, so each variable is visited at most
twice (Koller and Friedman 2009, algorithm 3.1). Sets of variables are the bits of Python ints, which makes a
question cost microseconds at a hundred variables. This file makes no statistical statement, and it takes DAGs
only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs.edges import variable
from hccd.graphs.pdag import PDAG


class DSeparation:
    """The d-separation questions of one DAG, prepared so that thousands of them are fast.

    Parameters
    ----------
    dag : PDAG
        A directed acyclic graph.

    Raises
    ------
    InvalidGraphError
        If ``dag`` has an undirected edge or a cycle.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> collider = DSeparation(PDAG.from_edges(3, directed=[(0, 1), (2, 1)]))
    >>> collider.separated(0, 2), collider.separated(0, 2, given=(1,))
    (True, False)
    >>> collider.connected(0, given=(1,))
    (2,)
    """

    __slots__ = ("_ancestors", "_children", "_n", "_parents")

    def __init__(self, dag: PDAG) -> None:
        if len(dag.undirected_edges()):
            x, y = dag.undirected_edges()[0].tolist()
            raise InvalidGraphError(
                f"D-separation needs a DAG, but the edge {x} - {y} is undirected: "
                f"take an extension of the graph (pdag_to_dag)."
            )
        order = dag.topological_order()
        if order is None:
            raise InvalidGraphError(f"D-separation needs a DAG, but {dag!r} has a directed cycle: remove it.")
        self._n = dag.n
        self._parents = [0] * dag.n
        self._children = [0] * dag.n
        for i, j in dag.directed_edges().tolist():
            self._parents[j] |= 1 << i
            self._children[i] |= 1 << j
        # A variable counts among its own ancestors.
        self._ancestors = [1 << x for x in range(dag.n)]
        for x in order:
            for parent in bits(self._parents[x]):
                self._ancestors[x] |= self._ancestors[parent]

    @property
    def n(self) -> int:
        """Number of variables."""
        return self._n

    @property
    def ancestors(self) -> Sequence[int]:
        """The ancestors of each variable as bits, the variable itself included."""
        return self._ancestors

    def separated(self, x: int, y: int, given: Iterable[int] = ()) -> bool:
        """Tell whether ``given`` d-separates ``x`` and ``y``.

        Parameters
        ----------
        x, y : int
            Two different variables.
        given : iterable of int
            The conditioning set; it must contain neither.
        """
        x, y, given_bits = self._question(x, y, given)
        # An open path runs through ancestors of x, y and given only, so nothing else need be visited.
        scope = self._ancestors_of(given_bits) | self._ancestors[x] | self._ancestors[y]
        return not rolled(self._parents, self._children, 1 << x, given_bits, scope, stop=1 << y) >> y & 1

    def connected(self, x: int, given: Iterable[int] = ()) -> tuple[int, ...]:
        """Return all variables outside ``given`` that ``given`` does not d-separate from ``x``, ascending."""
        x, _, given_bits = self._question(x, None, given)
        everything = (1 << self._n) - 1
        reached = rolled(self._parents, self._children, 1 << x, given_bits, everything, stop=0)
        return tuple(bits(reached & ~given_bits & ~(1 << x)))

    def _question(self, x: int, y: int | None, given: Iterable[int]) -> tuple[int, int, int]:
        """Check the parts of a question; ``given`` becomes bits."""
        x = variable(x, self._n)
        given_bits = 0
        for z in given:
            given_bits |= 1 << variable(z, self._n)
        ends = [x] if y is None else [x, variable(y, self._n)]
        if len(set(ends)) < len(ends):
            raise InvalidParameterError(
                f"A variable cannot be separated from itself, got x = y = {x}: give two different variables."
            )
        for end in ends:
            if given_bits >> end & 1:
                raise InvalidParameterError(
                    f"Variable {end} is in the conditioning set {tuple(bits(given_bits))}: leave it out."
                )
        return x, ends[-1], given_bits

    def _ancestors_of(self, members: int) -> int:
        """Return the ancestors of a set, the set included."""
        result = 0
        for z in bits(members):
            result |= self._ancestors[z]
        return result


def rolled(parents: Sequence[int], children: Sequence[int], start: int, given: int, scope: int, stop: int = 0) -> int:
    """Return what Bayes balls get to inside ``scope``, until one gets into ``stop``; all sets are bits.

    They start in ``start``, as if they had come from below.
    """
    from_child = seen_from_child = start
    from_parent = seen_from_parent = 0
    while from_child or from_parent:
        to_parents = to_children = 0
        for z in bits(from_child & ~given):
            to_parents |= parents[z]
            to_children |= children[z]
        for z in bits(from_parent & ~given):
            to_children |= children[z]
        # A collider with a given descendant needs no rule: the ball rolls down to it and comes back up.
        for z in bits(from_parent & given):
            to_parents |= parents[z]
        from_child = to_parents & scope & ~seen_from_child
        from_parent = to_children & scope & ~seen_from_parent
        seen_from_child |= from_child
        seen_from_parent |= from_parent
        if (from_child | from_parent) & stop:
            break
    return seen_from_child | seen_from_parent


def d_separated(dag: PDAG, x: int, y: int, given: Iterable[int] = ()) -> bool:
    """Tell whether ``given`` d-separates ``x`` and ``y`` in ``dag``.

    For many questions about one graph make a `DSeparation` once.

    Parameters
    ----------
    dag : PDAG
        A directed acyclic graph.
    x, y : int
        Two different variables.
    given : iterable of int
        The conditioning set; it must contain neither.

    Raises
    ------
    InvalidGraphError
        If ``dag`` is not a DAG.
    InvalidParameterError
        If ``x`` equals ``y``, one of them is in ``given``, or a variable does not exist.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> d_separated(PDAG.from_edges(3, directed=[(0, 1), (1, 2)]), 0, 2, given=(1,))
    True
    """
    return DSeparation(dag).separated(x, y, given)


def bits(members: int) -> list[int]:
    """List the positions of the ones in ``members``, ascending."""
    result = []
    while members:
        lowest = members & -members
        result.append(lowest.bit_length() - 1)
        members ^= lowest
    return result
