"""The last stage where hidden causes are allowed for: FCI or RFCI, on the skeleton that Algorithm 1 has learned.

The skeleton of a perfect test has every edge of the PAG, and maybe more; all pairs without an edge are separated by
what the record says. That is all that either needs to begin with, so any clusters and any baseline will do. FCI's
possible-d-sep sets are asked about once, over the whole set of variables.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hccd.ancestral import OrientedPAG, claims_to_follow, orient_pag, orient_rfci, separate_further, with_colliders
from hccd.graphs import SeparatingSets
from hccd.orientation import Triples
from hccd.progress import Progress
from hccd.run.judged import judged_triples
from hccd.run.skeleton import Found
from hccd.wrapper import TestCounts

#: The most sets that a pair is asked about if no limit is given: sizes with more of them are left out.
MOST_SETS = 1000


@dataclass(frozen=True, eq=False)
class Hidden:
    """What the tests say if there may be hidden variables, in canonical numbers."""

    found: Found
    triples: Triples
    oriented: OrientedPAG
    tests: TestCounts


def allowing_for_hidden(found: Found, triples: Triples, tests: TestCounts) -> Hidden:
    """Go on from a skeleton and its judged triples, which ``tests`` were made for."""
    prepared = found.prepared
    settings, ci = prepared.settings, found.binding.ci
    fixed = None if prepared.constraints is None else prepared.constraints.adjacent
    found = replace(found, learned=replace(found.learned, tests=tests))
    level = ci.alpha if settings.conflicts == "strongest" else None
    if settings.pag == "rfci":
        oriented, triples, further = orient_rfci(found.learned.skeleton, _separators(found).between, ci, fixed, level)
        learned = found.learned.and_removed(further.separations, "rfci", further.tests, 0)
        return Hidden(replace(found, learned=learned), triples, oriented, learned.tests)
    progress = prepared.progress
    progress(Progress("possible-d-sep", tests=tests.total))
    known = _known_order(found)
    further = separate_further(
        with_colliders(found.learned.skeleton, triples, claims_to_follow(triples, level)),
        ci,
        np.abs(found.marginals.association),
        by_strength=settings.baseline.ordering == "strength",
        fixed=fixed,
        known_order=known,
        max_order=None if settings.dsep_order == "auto" else settings.dsep_order,
        max_sets=MOST_SETS if settings.dsep_order == "auto" else None,
        length=settings.dsep_length,
    )
    learned = found.learned.and_removed(further.separations, "possible-d-sep", further.tests, known)
    found, tests = replace(found, learned=learned), learned.tests
    if len(further.separations):
        triples, tests = judged_triples(found)
    oriented = orient_pag(learned.skeleton, triples, _separators(found).between, level)
    return Hidden(found, triples, oriented, tests)


def _separators(found: Found) -> SeparatingSets:
    """Return what separated each pair."""
    return SeparatingSets(found.marginals.independent, found.learned.removals.separations)


def _known_order(found: Found) -> int:
    """Return how large sets of neighbours every pair that is left has been asked about."""
    settings = found.prepared.settings
    complete = settings.refine != "never" or found.clusters.layout().n_clusters == 1
    if not (settings.baseline.exhaustive and complete):
        return 0
    limit = settings.baseline.max_order
    return found.binding.ci.n_variables if limit is None else limit
