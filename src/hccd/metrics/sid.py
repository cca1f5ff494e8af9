"""The structural intervention distance (SID, Peters and Bühlmann 2015): how many causal effects are got wrong.

For each ordered pair (x, y): does the effect of x on y come out right if the learned parents of x are adjusted for?
The number of pairs for which it does not, out of n (n - 1), is the distance. It is not symmetric, and the true graph
must be a DAG.

A learned CPDAG stands for many DAGs, whose distances differ: what is reported is the least and the greatest of them.
The program of the authors enumerates the DAGs of each undirected component and falls back to looser, local bounds for
components of more than eight variables; here the exact bounds are found without enumeration (`class_bounds`), so the
limit is much further out. The distance called ``parent_aid`` on CPDAGs is another one (`hccd.metrics.aid`).
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
    """The distance of the best and the worst DAG that the learned graph stands for; equal for a DAG.

    Attributes
    ----------
    lower, upper : int
        The least and the greatest distance.
    exact : bool
        Whether some DAG attains each; if not, the distances of all DAGs lie between the two.
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
        """How many effects there are: the greatest distance possible."""
        return self.n_variables * (self.n_variables - 1)


def sid(truth: GraphLike, learned: GraphLike, *, limit: int = STEPS) -> SID:
    """Compute the structural intervention distance.

    Parameters
    ----------
    truth : GraphLike
        A DAG.
    learned : GraphLike
        A graph over the same variables. If no DAG fits it, every set of undirected neighbours counts as possible
        parents of a variable by itself, and the bounds are not exact.
    limit : int
        Steps for each undirected component before its bounds become local ones, and not exact.

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
