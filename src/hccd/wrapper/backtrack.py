"""Algorithm 1, bottom-up half: learn the leaves, merge upwards, refine so that nothing is lost.

For every cluster of the tree, children first:

* a leaf: Alg on the complete graph over its variables (line 1);
* above: the children's graphs side by side, plus every pair from different children, and

  - ``between`` (line 17): Alg on those pairs only; edges inside a child stay, and count as neighbours;
  - ``refine`` (line 18): Alg on every edge that is left, which restores completeness.

PC is the same on a tree of one cluster. HCCD refines at each level, HCCD-not-c at the root only, TSCB never.

Two things make it cheap. Clusters of the same height share no variable, so one pass learns all of them. And a pair's
*home* remembers where and up to which order it has been asked, so no test is ever made twice: order 0 is asked for all
pairs at the outset, and counts as asked over the whole set. Both are in the ledger (``_kernels/search/ledger.py``).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.search.ledger import Ledger
from hccd.baselines import Baseline
from hccd.checkpoint import Checkpoint
from hccd.checkpoint.key import search_key
from hccd.choices import Refine
from hccd.clustering import ClusterTree
from hccd.clustering.layout import TreeLayout
from hccd.graphs.constraints import Constraints
from hccd.independence import BoundCITest, Marginals
from hccd.progress import ProgressFunction, silent
from hccd.wrapper.alg import alg_for
from hccd.wrapper.journal import Journal
from hccd.wrapper.learned import Learned, learned_from
from hccd.wrapper.passes import BETWEEN, LEAF, REFINE, passes_over


def backtrack(
    tree: ClusterTree,
    baseline: Baseline,
    ci: BoundCITest,
    marginals: Marginals,
    *,
    constraints: Constraints | None = None,
    refine: Refine,
    inner_order: int | None = None,
    n_jobs: int | None = None,
    progress: ProgressFunction = silent,
    checkpoint: Checkpoint | None = None,
) -> Learned:
    """Run the bottom-up half of Algorithm 1 over ``tree``; see ``passes_over`` for ``refine`` and ``inner_order``.

    By ``constraints``, pairs without an edge do not come into the ledger, and those with one are not asked about.
    ``checkpoint`` is where the state of the search is left now and then; what is found there is gone on with.
    """
    layout = tree.layout()
    passes = passes_over(tree, refine, inner_order)
    outer = marginals.outer()
    tested = marginals
    settled: list[object] = []
    if constraints is not None:
        x, y = constraints.excluded.nonzero()
        np.maximum.at(outer, x, np.abs(marginals.association[x, y]))
        marginals = marginals.replaced((marginals.independent | constraints.excluded) & ~constraints.adjacent)
        settled.append(np.argwhere(constraints.adjacent).tolist())
    pairs = marginals.dependent_pairs()
    ledger = _ledger(layout, marginals, *pairs, outer)
    if constraints is not None:
        ledger.fix(np.flatnonzero(constraints.adjacent[pairs]))
    alg = alg_for(baseline, ledger, layout, ci, tested, pairs, n_jobs)
    key = cache(lambda: search_key(ci, marginals, tree, baseline.describe(), refine, inner_order, *settled))
    journal = Journal(ledger, passes, ci.n_variables, layout.n_clusters, alg.divisible, progress, checkpoint, key)
    reached = journal.resume()
    for number, step in list(enumerate(passes))[reached.passes :]:
        ledger.merge(step.height)
        asked = ledger.ask_all() if step.stage == REFINE else ledger.ask_new()
        if asked:
            first, done = (reached.order + 1, reached.done) if number == reached.passes else (1, 0)
            alg.learn(step, first, done, journal.after_part(number, step))
        journal.after_pass(number)
    return learned_from(ledger, ci.n_variables, *pairs, alg.p_values)


def _ledger(
    layout: TreeLayout,
    marginals: Marginals,
    x: NDArray[np.int32],
    y: NDArray[np.int32],
    outer: NDArray[np.float64],
) -> Ledger:
    """Open the ledger: every pair that is dependent without condition, and what it took to know that."""
    columns = (layout.sequence, layout.start, layout.stop, layout.height)
    sequence, start, stop, height = (column.astype(np.int32) for column in columns)
    strength = np.abs(marginals.association[x, y])
    ledger = Ledger(len(layout.position), x, y, strength, sequence, start, stop, height, outer)
    # Each pair is tested without condition where it first meets: in the smallest cluster that holds both.
    size = (layout.stop - layout.start).astype(np.int64)
    pairs = size * (size - 1) // 2
    met = pairs.copy()
    np.subtract.at(met, layout.parent[1:], pairs[1:])
    ledger.add_tests(np.arange(layout.n_clusters), met)
    for stage, some in ((LEAF, layout.height == 0), (BETWEEN, layout.height > 0), (REFINE, layout.height < 0)):
        ledger.count(stage, 0, int(met[some].sum()))
    return ledger
