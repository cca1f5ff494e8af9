"""The search by a score in a run: after the tests, or as the paper's Alg over the clusters; twice where cells miss."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from hccd._kernels.scores.families import Families
from hccd.checkpoint.key import score_key
from hccd.graphs import PDAG, Skeleton
from hccd.graphs.constraints import Constraints
from hccd.progress import Progress
from hccd.run.skeleton import Found
from hccd.run.suited import spanning_tree
from hccd.scoring import (
    BestDag,
    CandidateParents,
    ScoreJournal,
    candidates_for,
    most_parents,
    pairs_at,
    score_of,
    search_dag,
)
from hccd.wrapper import BETWEEN, Pass, passes_over

#: How often missing cells of discrete columns are filled in for the score.
FILLINGS = 2


@dataclass(frozen=True, eq=False)
class Searched:
    """Where the search ended, the price of an edge, pairs looked at, families scored, and the score itself."""

    best: BestDag
    price: float
    pairs: int
    evaluations: int
    families: Families


def search_by_score(
    found: Found, start: PDAG, constraints: Constraints | None, within: Skeleton | None = None
) -> Searched:
    """Search from a DAG that agrees with ``constraints``, by the edges of ``within`` if given; in canonical numbers."""
    prepared, ci = found.prepared, found.binding.ci
    progress = prepared.progress
    n, tests, most = ci.n_variables, found.learned.tests.total, most_parents(start, constraints)
    price = None if prepared.options.price == "auto" else prepared.options.price
    passes = _passes(found)
    journal = ScoreJournal(
        lambda done, share: progress(Progress("score", edges=n, done=done, tests=tests, share=share)),
        prepared.options.checkpoint,
        cache(
            lambda: score_key(ci, found.marginals, start, constraints, found.clusters, prepared.score, price, passes)
        ),
    )
    journal.resume(n, most, constraints)
    state = journal.state
    # Missing cells are filled in by what the tests say, and again by the graph that this gives.
    filled_by = (_strongest(found) if passes and ci.has_gaps else start) if state is None else state.filled_by
    for filling in range(0 if state is None else state.place.filling, FILLINGS if ci.has_gaps else 1):
        families = ci.completed(filled_by).families(most)
        progress(Progress("score", edges=n, tests=tests))
        # A score has a price of its own for the number of pairs.
        if journal.state is None or passes:
            candidates = candidates_for(families, found.marginals, start, constraints, price, within)
        else:
            candidates = journal.state.candidates
        journal.begin(filling, filled_by, candidates.n_pairs)
        if passes:
            best = _over_clusters(families, candidates, start, found, passes, journal)
        else:
            journal.begin_step(0, start, 0)
            best = search_dag(families, candidates, start, journal)
        filled_by = best.dag
    return Searched(best, candidates.price, journal.place.pairs, journal.place.evaluated, families)


def _passes(found: Found) -> list[Pass]:
    """Return the passes of a search that does without tests; none if it goes on from their graph."""
    settings = found.prepared.settings
    return passes_over(found.clusters, settings.refine, None) if settings.score_alone else []


def _strongest(found: Found) -> PDAG:
    """Return the tree of the strongest dependences: without edges, cells would be filled in as if nothing depended."""
    strength = np.where(found.marginals.independent, 0.0, np.abs(found.marginals.association))
    tree = spanning_tree(strength)
    edges = np.column_stack([tree.parent, tree.child])[tree.correlation > 0.0]
    return PDAG.from_edges(len(strength), edges.astype(np.int32))


def _over_clusters(
    families: Families,
    everywhere: CandidateParents,
    start: PDAG,
    found: Found,
    passes: list[Pass],
    journal: ScoreJournal,
) -> BestDag:
    """Search pass by pass, each from the graph of the one before: in clusters, between them, and over all of them."""
    layout, dag, done = found.clusters.layout(), start, journal.place.step
    for number, step in list(enumerate(passes))[done:]:
        state = journal.state
        dag = journal.begin_step(number, dag, families.work if number else 0)
        if step.stage != BETWEEN and step.height == layout.height[0]:
            candidates = everywhere.beside(dag)
        else:
            candidates = everywhere.within(pairs_at(layout, step.height, step.stage == BETWEEN), dag)
        if state is not None:
            # The lists of a search that was stopped may have been extended.
            candidates = replace(candidates, rows=state.candidates.rows)
        best = search_dag(families, candidates, dag, journal, bare=False, part=number < len(passes) - 1)
        dag = best.dag
    return replace(best, before=score_of(families, everywhere.price, start), from_learned=False)
