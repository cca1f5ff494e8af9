"""The structural intervention distance (SID, Peters and Bühlmann 2015): the number of wrong causal effects.

The distance is the number of ordered pairs (x, y), out of n (n - 1), for which adjustment for the learned parents of x
gives a wrong effect of x on y. It is not symmetric, and the true graph must be a DAG.

A learned CPDAG represents many DAGs with different distances; the result is the minimum and the maximum over them. The
authors' program enumerates the DAGs of each undirected component, and uses looser, local bounds for components of more
than eight variables. hccd finds the exact bounds without enumeration (`class_bounds`), so they remain exact for much
larger components. The distance ``parent_aid`` of CPDAGs is a different one (`hccd.metrics.aid`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hccd.errors import InvalidParameterError
from hccd.metrics.adjustment import Adjustment
from hccd.metrics.class_bounds import bounds_over_class
from hccd.metrics.pairing import GraphLike, paired

#: Enough for an undirected component that is complete over twelve variables.
STEPS = 30_000


@dataclass(frozen=True)
class SID:
    """The distances of the best and the worst DAG of the learned graph; they are equal for a DAG.

    Attributes
    ----------
    lower, upper : int
        The minimum and the maximum distance.
    exact : bool
        Whether DAGs attain both values; if not, the distances of all DAGs lie between them.
    n_variables : int
        Number of variables.
    """

    lower: int
    upper: int
    exact: bool
    n_variables: int

    @property
    def mid(self) -> float:
        """The middle between the bounds."""
        return (self.lower + self.upper) / 2

    @property
    def pairs(self) -> int:
        """The number of effects, which is the largest possible distance."""
        return self.n_variables * (self.n_variables - 1)


def sid(truth: GraphLike, learned: GraphLike, *, limit: int = STEPS) -> SID:
    """Compute the structural intervention distance.

    Parameters
    ----------
    truth : GraphLike
        A DAG.
    learned : GraphLike
        A graph over the same variables. If it has no DAG extension, every set of undirected neighbours counts as
        possible parents of each variable, and the bounds are not exact.
    limit : int
        The number of steps for each undirected component after which only local bounds are computed, which are not
        exact.

    Raises
    ------
    InvalidGraphError
        If ``truth`` is no DAG.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> chain = PDAG.from_edges(3, [(0, 1), (1, 2)])
    >>> sid(chain, PDAG.from_edges(3, [(2, 1), (1, 0)])).lower
    6
    >>> sid(chain, PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]))
    SID(lower=0, upper=6, exact=True, n_variables=3)
    """
    if limit < 0:
        raise InvalidParameterError(f"The limit of steps is {limit}: give 0 or more.")
    true, own = paired(truth, learned).pdags()
    adjustment = Adjustment(true)

    @cache
    def mistakes(x: int, parents: int) -> int:
        return adjustment.wrong(x, parents).bit_count()

    n = true.n
    bounds = bounds_over_class(own, mistakes, worst=max(n - 1, 0), limit=limit)
    return SID(bounds.lower, bounds.upper, bounds.exact, n)
