"""From the graph that the tests left to the best DAG nearby and beyond: what a score finds when it starts there.

The search is over orders of the variables (``_kernels/scores/permutation.py``), and begins with one of the tests'
graph. Where no move of a single variable gains any more, neighbourhoods are *kicked*, one at a time: some variables get
places at random, good ones more often, and the search goes on from there; what does not end higher is undone.

Graphs of one class have the same BIC, but not the same Bayesian Dirichlet score. There the search by single edges comes
first (``_kernels/scores/ascent.py``), from the tests' graph and from no edges: it keeps the directions that the tests
found where others score the same, and orders do not know them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.ascent import Ascent
from hccd._kernels.scores.families import Families
from hccd._kernels.scores.permutation import PermutationSearch
from hccd.graphs import PDAG
from hccd.graphs.constraints import Constraints
from hccd.scoring.candidate_parents import CandidateParents

#: More parents than this are not looked for, unless the learned graph has them.
MAX_PARENTS = 100
#: Sweeps of shaking end when one gains nothing; this is against endless rounding.
MAX_SWEEPS = 20
#: How often parents that gain only beside others are added to those that a search by single edges looks at.
MAX_ROUNDS = 3
#: Variables between two looks at the clock, and at an interrupt: on long tables one variable takes seconds.
AT_ONCE = 4
#: How far the places of a kick lead, in units of the score, and whom it moves: a variable with its parents (1) or with
#: its children (2). Sweeps of kicks take turns.
KICKS = ((2.0, 1), (8.0, 2), (32.0, 1), (32.0, 2))
#: Sweeps of kicks in a row that gained nothing, after which the search ends: more where variables are few, and cheap.
FRUITLESS, OF_FEW = 6, 4000
#: Sweeps of kicks may take this share of the work that came before them, the same again after each one that gains, and
#: so much, divided by the variables, that nobody waits for it: 15 milliseconds for 100 of them.
SHARE, FREE_WORK = 1.0, 1.5e9
#: The share is smaller where fewer sets of parents than this came up for a variable: the search was easy.
HARD = 100.0
#: What a kick has to gain: graphs that score the same are no reason to leave the tests' graph.
LEAST_GAIN = 2.0
#: Scores that differ by less are equal.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Effort:
    """How far a search goes.

    Attributes
    ----------
    shakes : int
        Sweeps of shaking after a climb by single edges, at most.
    rounds : int
        How often those are looked at as well who gain beside others.
    ahead : bool
        Whether two parents are looked for together of which neither gains alone.
    kicks : bool
        Whether neighbourhoods are kicked.
    """

    shakes: int = MAX_SWEEPS
    rounds: int = MAX_ROUNDS
    ahead: bool = True
    kicks: bool = True


WHOLE = Effort()
#: For resamples: to the next local optimum, with neither shakes nor kicks.
BRIEF = Effort(shakes=0, rounds=0, ahead=False, kicks=False)


@dataclass(frozen=True, eq=False)
class BestDag:
    """Where the search ended.

    Attributes
    ----------
    dag : PDAG
        The DAG found.
    before, after : float
        The score of the learned graph, and of this one, less the price of their edges.
    from_learned : bool
        Whether the search from the learned graph ended higher than that from elsewhere, if there was one.
    candidates : CandidateParents
        Who was looked at in the end.
    work : int
        What it took to get where kicks begin, in operations of about a nanosecond.
    """

    dag: PDAG
    before: float
    after: float
    candidates: CandidateParents
    from_learned: bool = True
    work: int = 0


def most_parents(dag: PDAG, constraints: Constraints | None = None) -> int:
    """Return how many parents a variable may have in a search from this DAG: the families need room for them."""
    musts = 0 if constraints is None else int(constraints.adjacent.sum(axis=0).max(initial=0))
    return max(MAX_PARENTS, musts, int(np.bincount(dag.directed_edges()[:, 1], minlength=1).max()))


def search_dag(
    families: Families,
    candidates: CandidateParents,
    learned: PDAG,
    progress: Callable[[int], None] | None = None,
    *,
    known: PDAG | None = None,
    effort: Effort = WHOLE,
) -> BestDag:
    """Search from a graph for one of higher score.

    Parameters
    ----------
    families : Families
        The score, with room for ``most_parents`` of the DAG to start from.
    candidates : CandidateParents
        Whom each variable may have as parents; those adjacent in ``learned`` are among them.
    learned : PDAG
        The DAG to start from, of the learned graph's class.
    progress : callable, optional
        Hears how many of the variables the sweep at hand has done.
    known : PDAG, optional
        Another DAG to climb from by single edges; by default the one without edges.
    effort : Effort
        How far to go.
    """
    hear = progress or _silent
    if candidates.rows is None:
        before = _score(families, candidates.price, learned)
        found = BestDag(learned, before, before, candidates)
    else:
        found = _climbed(families, candidates, learned, known or candidates.bare(learned), effort, hear)
    candidates = found.candidates
    order = np.array(found.dag.topological_order(), np.int32)
    most = most_parents(learned, candidates.constraints)
    search = PermutationSearch(families, *candidates.lists(), order, candidates.price, most, candidates.musts())
    for y, own in enumerate(_parents(found.dag)):
        search.lead(y, own)
    _improve(search, hear, effort.ahead)
    work = int(search.work)
    share = SHARE * search.work * min(1.0, search.trees.n_nodes / (HARD * learned.n))
    enough = search.work + share + FREE_WORK / learned.n
    sweep = fruitless = 0
    while effort.kicks and fruitless < FRUITLESS + OF_FEW // learned.n and search.work < enough:
        fruitless += 1
        if _kick(search, *KICKS[sweep % len(KICKS)], enough, hear):
            fruitless = 0
            enough += share
        sweep += 1
    parents = [np.asarray(search.parents(y)) for y in range(learned.n)]
    children = np.repeat(np.arange(learned.n), [len(own) for own in parents])
    dag = PDAG.from_edges(learned.n, np.column_stack([np.concatenate(parents), children]))
    after = _score(families, candidates.price, dag)
    if after <= found.after + _ROUNDING:
        return replace(found, work=work)
    return replace(found, dag=dag, after=after, work=work)


def _silent(_done: int) -> None:
    """Say nothing."""


def _improve(search: PermutationSearch, progress: Callable[[int], None], ahead: bool = True) -> None:
    """Move variables until no move gains, and no pair of parents does; look up now and then."""
    n, first = len(search.sequence), True
    while first or (ahead and search.look_ahead()):
        first = False
        while waiting := search.improve(max(AT_ONCE, n // 16)):
            progress(n - waiting)


def _kick(search: PermutationSearch, warmth: float, along: int, enough: float, progress: Callable[[int], None]) -> int:
    """Kick every variable once, as long as the work is not enough; return how often that gained."""
    n, gained = len(search.sequence), 0
    for at in range(0, n, AT_ONCE):
        if search.work >= enough:
            break
        gained += search.kick(at, min(at + AT_ONCE, n), warmth, along, LEAST_GAIN)
        progress(min(at + AT_ONCE, n))
    if gained:
        _improve(search, progress)
    return gained


def _score(families: Families, price: float, dag: PDAG) -> float:
    """Return the score of a DAG, less the price of its edges."""
    return sum(families.score(y, own) - price * len(own) for y, own in enumerate(_parents(dag)))


def _parents(dag: PDAG) -> list[NDArray[np.int32]]:
    """Return the parents of each variable, ascending."""
    edges = dag.directed_edges()
    by_child = np.lexsort((edges[:, 0], edges[:, 1]))
    ends = np.cumsum(np.bincount(edges[:, 1], minlength=dag.n))
    return np.split(np.ascontiguousarray(edges[by_child, 0]), ends[:-1])


def _climbed(
    families: Families,
    candidates: CandidateParents,
    learned: PDAG,
    known: PDAG,
    effort: Effort,
    progress: Callable[[int], None],
) -> BestDag:
    """Search by single edges from the learned graph and from another, and go on from the higher end.

    Then those are looked at as well who gain beside the parents that were found, though they do not gain alone.
    """
    most = max(most_parents(start, candidates.constraints) for start in (learned, known))
    one, other = (_climb(families, candidates, start, most, effort.shakes, progress) for start in (learned, known))
    best = other if other.after > one.after + _ROUNDING else one
    found = replace(best, before=one.before, from_learned=best is one)
    for _ in range(effort.rounds):
        more = candidates.extended(families, found.dag)
        if more is None:
            break
        candidates = more
        best = _climb(families, candidates, found.dag, most, effort.shakes, progress)
        found = replace(found, dag=best.dag, after=best.after, candidates=candidates)
    return found


def _climb(
    families: Families,
    candidates: CandidateParents,
    start: PDAG,
    most: int,
    shakes: int,
    progress: Callable[[int], None],
) -> BestDag:
    """Climb, then shake until that gains nothing any more."""
    assert candidates.rows is not None
    n, rows = candidates.n, candidates.rows
    edges = candidates.slots_of(start)
    barred = candidates.barred()
    ascent = Ascent(families, rows.first, rows.neighbors, rows.mirror, edges, candidates.price, most, barred)
    before = ascent.total()
    ascent.climb()
    for _ in range(shakes):
        gained = 0
        for at in range(0, n, AT_ONCE):
            gained += ascent.shake(at, min(at + AT_ONCE, n))
            progress(min(at + AT_ONCE, n))
        if not gained:
            break
        ascent.climb()
    return BestDag(candidates.dag_of(np.array(ascent.edge)), before, ascent.total(), candidates)
