"""From the graph that the tests left to the best DAG nearby and beyond: what a score finds when it starts there.

Two searches are made, one from the learned graph and one from no edges at all, and the higher end counts. Only pairs
that show some dependence are looked at (``CandidateParents``), which keeps the search to what the tests know already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.ascent import Ascent
from hccd._kernels.scores.families import Families
from hccd.graphs import PDAG
from hccd.scoring.candidate_parents import CandidateParents

#: More parents than this are not looked for, unless the learned graph has them.
MAX_PARENTS = 16
#: Sweeps of shaking end when one gains nothing; this is against endless rounding.
MAX_SWEEPS = 20
#: Variables between two looks at the clock, and at an interrupt: on long tables one variable takes seconds.
AT_ONCE = 4
#: Scores that differ by less are equal.
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class Ascended:
    """Where the search ended.

    Attributes
    ----------
    dag : PDAG
        The DAG found.
    before, after : float
        The score of the learned graph, and of this one, less the price of their edges.
    from_learned : bool
        Whether the search from the learned graph ended higher than that from no edges.
    """

    dag: PDAG
    before: float
    after: float
    from_learned: bool


def most_parents(dag: PDAG) -> int:
    """Return how many parents a variable may have in a search from this DAG: the families need room for them."""
    return max(MAX_PARENTS, int(np.bincount(dag.directed_edges()[:, 1], minlength=1).max()))


def ascend(
    families: Families, candidates: CandidateParents, learned: PDAG, progress: Callable[[int], None] | None = None
) -> Ascended:
    """Search from a graph for one of higher score.

    Parameters
    ----------
    families : Families
        The score, with room for ``most_parents`` of the DAG to start from.
    candidates : CandidateParents
        The pairs to look at; those adjacent in ``learned`` are among them.
    learned : PDAG
        The DAG to start from, of the learned graph's class.
    progress : callable, optional
        Hears how many of the variables the sweep at hand has done.
    """
    most = most_parents(learned)
    starts = [candidates.slots_of(learned), np.zeros(candidates.rows.n_slots, np.uint8)]
    searches = [_search(families, candidates, start, most, progress) for start in starts]
    best = int(searches[1].after > searches[0].after + _ROUNDING)
    chosen = searches[best]
    return Ascended(candidates.dag_of(chosen.edge), searches[0].before, chosen.after, best == 0)


@dataclass(frozen=True, eq=False)
class _Search:
    edge: NDArray[np.uint8]
    before: float
    after: float


def _search(
    families: Families,
    candidates: CandidateParents,
    start: NDArray[np.uint8],
    most: int,
    progress: Callable[[int], None] | None,
) -> _Search:
    """Climb, then shake until that gains nothing any more."""
    n, rows = candidates.n, candidates.rows
    ascent = Ascent(families, rows.first, rows.neighbors, rows.mirror, start, candidates.price, most)
    before = ascent.total()
    ascent.climb()
    for _ in range(MAX_SWEEPS):
        gained = 0
        for at in range(0, n, AT_ONCE):
            gained += ascent.shake(at, min(at + AT_ONCE, n))
            if progress is not None:
                progress(min(at + AT_ONCE, n))
        if not gained:
            break
        ascent.climb()
    return _Search(np.array(ascent.edge), before, ascent.total())
