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
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.ascent import Ascent
from hccd._kernels.scores.families import Families
from hccd._kernels.scores.permutation import PermutationSearch
from hccd.graphs import PDAG
from hccd.graphs.constraints import Constraints
from hccd.scoring.candidate_parents import CandidateParents
from hccd.scoring.journal import END, ORDERS, Place, ScoreJournal
from hccd.scoring.record import BestDag

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
#: One gain in so many kicks is nothing: where variables are many, chance finds one somewhere in every sweep.
WORTHWHILE = 1000
#: Sweeps of kicks may take this share of the work that came before them, the same again after each one that gains, and
#: so much, divided by the variables, that nobody waits for it: 20 milliseconds for 100 of them.
SHARE, FREE_WORK = 0.8, 2.2e9
#: The share is smaller where fewer sets of parents than this came up for a variable, by the square of their number: the
#: search was easy.
HARD = 55.0
#: What a kick has to gain: graphs that score the same are no reason to leave the tests' graph.
LEAST_GAIN = 2.0
#: Scores that differ by less are equal.
_ROUNDING = 1e-6


def most_parents(dag: PDAG, constraints: Constraints | None = None) -> int:
    """Return how many parents a variable may have in a search from this DAG: the families need room for them."""
    musts = 0 if constraints is None else int(constraints.adjacent.sum(axis=0).max(initial=0))
    return max(MAX_PARENTS, musts, int(np.bincount(dag.directed_edges()[:, 1], minlength=1).max()))


def search_dag(
    families: Families,
    candidates: CandidateParents,
    learned: PDAG,
    journal: ScoreJournal | None = None,
    *,
    bare: bool = True,
    part: bool = False,
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
    journal : ScoreJournal, optional
        Who follows the search; what is there of a search that was stopped is gone on with.
    bare : bool
        Whether a search by single edges begins with no edges as well.
    part : bool
        Whether another search goes on from the end of this one: it is that one which kicks, and extends the candidates.
    """
    journal = journal or ScoreJournal()
    place, state = journal.place, journal.state
    if state is not None and place.part == END:
        journal.take()
        return state.found
    found = None if state is None else state.found
    if place.part < ORDERS:
        if candidates.rows is not None:
            found, candidates = _climbed(families, candidates, found, learned, journal, bare, 0 if part else MAX_ROUNDS)
        place.next_part(ORDERS)
    if found is None:
        before = score_of(families, candidates.price, learned)
        found = BestDag(learned, before, before)
    search = _orders(families, candidates, found.dag, most_parents(learned, candidates.constraints))
    kept = journal.take()
    if kept is not None:
        search.restore(kept)
    else:
        _lead(search, found.dag)
        if candidates.rows is None:
            _hasten(search)
    look_up = partial(journal.after, found, candidates, search.record)
    if part:
        _improve(search, look_up)
    else:
        _kicked(search, place, look_up)
    dag = _dag_of(search)
    after = score_of(families, candidates.price, dag)
    if after > found.after + _ROUNDING:
        found = BestDag(dag, found.before, after, found.from_learned)
    if not part:
        place.next_part(END)
        place.evaluated += families.evaluations
        journal.after(found, candidates, None, learned.n)
    return found


def search_nearby(families: Families, candidates: CandidateParents, dag: PDAG) -> PDAG:
    """Go from a DAG to the next from which no step gains: by single edges if there are lists of them, else by orders.

    For data that are almost those which the DAG was learned from: nothing is shaken, kicked or looked for in pairs.
    """
    most = most_parents(dag, candidates.constraints)
    if candidates.rows is not None:
        rows, barred = candidates.rows, candidates.barred()
        edges = candidates.slots_of(dag)
        ascent = Ascent(families, rows.first, rows.neighbors, rows.mirror, edges, candidates.price, most, barred)
        ascent.climb()
        return candidates.dag_of(np.array(ascent.edge))
    search = _orders(families, candidates, dag, most)
    _lead(search, dag)
    while search.improve(max(AT_ONCE, dag.n)):
        pass
    return _dag_of(search)


def _orders(families: Families, candidates: CandidateParents, dag: PDAG, most: int) -> PermutationSearch:
    """Begin a search over orders with one of a DAG."""
    order = np.array(dag.topological_order(), np.int32)
    return PermutationSearch(families, *candidates.lists(), order, candidates.price, most, candidates.musts())


def _lead(search: PermutationSearch, dag: PDAG) -> None:
    """Lead a search over orders to the parents of a DAG."""
    for y, own in enumerate(_parents(dag)):
        search.lead(y, own)


def _hasten(search: PermutationSearch) -> None:
    """Move variables at a glance as long as that gains; everybody waits again after it.

    Most moves need no parents but those seen to gain somewhere; to look for others takes most of the time.
    """
    search.hasty = True
    while search.improve(max(AT_ONCE, len(search.sequence) // 16)):
        pass
    search.hasty = False
    search.wait_all()


def _dag_of(search: PermutationSearch) -> PDAG:
    """Return the DAG that a search over orders has now."""
    parents = [np.asarray(search.parents(y), np.int32) for y in range(len(search.sequence))]
    children = np.repeat(np.arange(len(parents), dtype=np.int32), [len(own) for own in parents])
    return PDAG.from_edges(len(parents), np.column_stack([np.concatenate(parents), children]))


def _kicked(search: PermutationSearch, place: Place, look_up: Callable[..., None]) -> None:
    """Move variables until no move gains; then kick, sweep by sweep, as long as that is worth its work."""
    n = len(search.sequence)
    if place.sweep < 0:
        _improve(search, look_up)
        place.share = SHARE * (search.work - place.begun) * min(1.0, search.trees.n_nodes / (HARD * n)) ** 2
        place.enough = search.work + place.share + FREE_WORK / n
        search.compact()
        place.sweep = 0
    # A sweep that was begun is made to its end.
    while place.at or (place.fruitless < FRUITLESS + OF_FEW // n and search.work < place.enough):
        warmth, along = KICKS[place.sweep % len(KICKS)]
        while place.at < n and search.work < place.enough:
            first, place.at = place.at, min(place.at + AT_ONCE, n)
            place.gained += search.kick(first, place.at, warmth, along, LEAST_GAIN)
            look_up(place.at, min(search.work / place.enough, 1.0))
        place.at = n
        place.fruitless += 1
        if place.gained:
            _improve(search, look_up)
            place.enough += place.share
        if place.gained * WORTHWHILE >= n:
            place.fruitless = 0
        place.sweep, place.at, place.gained = place.sweep + 1, 0, 0


def _improve(search: PermutationSearch, look_up: Callable[..., None]) -> None:
    """Move variables until no move gains, and no pair of parents does; look up now and then."""
    n, first = len(search.sequence), True
    while first or search.look_ahead():
        first = False
        while waiting := search.improve(max(AT_ONCE, n // 16)):
            look_up(n - waiting)


def score_of(families: Families, price: float, dag: PDAG) -> float:
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
    found: BestDag | None,
    learned: PDAG,
    journal: ScoreJournal,
    bare: bool,
    rounds: int,
) -> tuple[BestDag, CandidateParents]:
    """Search by single edges from the learned graph, if ``bare`` from as few as may be too, and take the higher end.

    Then, in so many ``rounds``, those are looked at as well who gain beside the parents that were found, though they do
    not gain alone.
    """
    most, place = most_parents(learned, candidates.constraints), journal.place
    starts = (learned, candidates.bare(learned)) if bare else (learned,)
    while place.part < len(starts) + rounds:
        if place.part < len(starts):
            start = starts[place.part]
        else:
            assert found is not None
            start = found.dag
            # The lists of a search that was stopped have been extended.
            more = candidates.extended(families, start) if journal.state is None else candidates
            if more is None:
                break
            candidates = more
        best = _climb(families, candidates, found, start, most, journal)
        if found is None or place.part != 1 or not bare:
            found = best
        elif best.after > found.after + _ROUNDING:
            found = replace(best, from_learned=False)
        place.next_part(place.part + 1)
    assert found is not None
    return found, candidates


def _climb(
    families: Families,
    candidates: CandidateParents,
    found: BestDag | None,
    start: PDAG,
    most: int,
    journal: ScoreJournal,
) -> BestDag:
    """Climb, then shake until that gains nothing any more."""
    assert candidates.rows is not None
    n, rows, place, kept = candidates.n, candidates.rows, journal.place, journal.take()
    edges = candidates.slots_of(start) if kept is None else kept["edge"]
    barred = candidates.barred()
    ascent = Ascent(families, rows.first, rows.neighbors, rows.mirror, edges, candidates.price, most, barred)
    if kept is not None:
        ascent.restore(kept)
    else:
        found = found or BestDag(start, ascent.total(), ascent.total())
        ascent.climb()
        place.sweep = 0
    assert found is not None
    gained = 1
    while gained and place.sweep < MAX_SWEEPS:
        while place.at < n:
            first, place.at = place.at, min(place.at + AT_ONCE, n)
            place.gained += ascent.shake(first, place.at)
            journal.after(found, candidates, ascent.record, place.at)
        gained = place.gained
        place.sweep, place.at, place.gained = place.sweep + 1, 0, 0
        if gained:
            ascent.climb()
    return replace(found, dag=candidates.dag_of(np.array(ascent.edge)), after=ascent.total())
