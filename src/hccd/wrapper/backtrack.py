"""Algorithm 1, bottom-up half: learn the leaves, merge upwards, refine so that nothing is lost.

For every cluster of the tree, children first:

* a leaf: Alg on the complete graph over its variables (line 1);
* above: the children's graphs side by side, plus every pair from different children, and

  - ``between`` (line 17): Alg on those pairs only; edges inside a child stay, and count as neighbours;
  - ``refine`` (line 18): Alg on every edge that is left, which restores completeness.

PC is the same on a tree of one cluster. HCCD refines at each level, HCCD-not-c at the root only, TSCB never.

Two things make it cheap. Clusters of the same height share no variable, so all of them are learned in one call.
And a pair's *home* remembers where and up to which order it has been asked, so no test is ever made twice: order 0
is asked for all pairs at the outset, and counts as asked over the whole set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.baselines import Baseline, KnownDependent, LocalResult, PassContext
from hccd.baselines.protocol import LevelReport
from hccd.clustering import ClusterTree
from hccd.events import Progress, ProgressFunction, silent
from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Marginals
from hccd.parallel import map_independent
from hccd.wrapper.trace import STAGES, Removals, TestCounts

Refine = Literal["each", "root", "never"]
LEAF, BETWEEN, REFINE = range(3)


@dataclass(frozen=True, eq=False)
class Learned:
    """The skeleton, why each missing edge is missing, and what it cost.

    ``home_start``, ``home_stop`` and ``home_order`` run along ``removals``: what was known of an edge before the pass
    that removed it.
    """

    skeleton: Skeleton
    removals: Removals
    home_start: NDArray[np.int32]
    home_stop: NDArray[np.int32]
    home_order: NDArray[np.int32]
    tests: TestCounts


def backtrack(
    tree: ClusterTree,
    baseline: Baseline,
    ci: BoundCITest,
    marginals: Marginals,
    *,
    refine: Refine,
    inner_order: int | None = None,
    n_jobs: int | None = None,
    progress: ProgressFunction = silent,
) -> Learned:
    """Run the bottom-up half of Algorithm 1 over ``tree``.

    ``inner_order`` bounds the conditioning sets in every pass that a root refine follows; without one, or on a tree
    of one cluster, it does not apply, since nothing would make up for it.
    """
    run = _Run(tree, baseline, ci, marginals, n_jobs, progress)
    root_refines = refine != "never" and run.n_heights > 1
    inner = inner_order if root_refines else None
    for height in range(run.n_heights):
        root = height == run.n_heights - 1
        run.learn(BETWEEN if height else LEAF, height, inner)  # Algorithm 1, lines 1 and 17
        if height and (refine == "each" or (refine == "root" and root)):
            run.learn(REFINE, height, None if root else inner)  # Algorithm 1, line 18
    return run.result()


class _Task(NamedTuple):
    """A call of Alg: its arguments, the edges it is to learn (rows of the run's list), and their clusters."""

    arguments: tuple[NDArray[np.int32], Skeleton, NDArray[np.bool_], BoundCITest, PassContext]
    rows: NDArray[np.int64]
    label: NDArray[np.int32]


class _Run:
    """The graph as it shrinks: every pair that is dependent without condition, alive or not, and its home."""

    def __init__(
        self,
        tree: ClusterTree,
        baseline: Baseline,
        ci: BoundCITest,
        marginals: Marginals,
        n_jobs: int | None,
        progress: ProgressFunction,
    ) -> None:
        self.baseline, self.ci, self.marginals = baseline, ci, marginals
        self.n_jobs, self.progress = n_jobs, progress
        self.n = ci.n_variables
        self.layout = tree.layout()
        self.n_heights = int(self.layout.height.max()) + 1
        self.position = self.layout.position.astype(np.int32)

        self.edges = np.argwhere(np.triu(~marginals.independent, 1)).astype(np.int32)
        m = len(self.edges)
        self.alive = np.ones(m, dtype=np.bool_)
        self.seen = np.zeros(m, dtype=np.bool_)
        self.home_start = np.zeros(m, np.int32)
        self.home_stop = np.full(m, self.n, np.int32)
        self.home_order = np.zeros(m, np.int32)

        self.by_stage: list[NDArray[np.int64]] = [np.zeros(1, np.int64) for _ in STAGES]
        self.by_cluster = self._pairs_first_met()
        is_leaf = self.layout.height == 0
        self.by_stage[LEAF][0] = self.by_cluster[is_leaf].sum()
        self.by_stage[BETWEEN][0] = self.by_cluster[~is_leaf].sum()
        self.removed: list[tuple[Separations, int, NDArray[np.int32], NDArray[np.int64]]] = []
        self.n_tests = int(self.by_cluster.sum())

    def _pairs_first_met(self) -> NDArray[np.int64]:
        """Count the pairs of variables that meet in each cluster for the first time: its order-0 tests."""
        size = (self.layout.stop - self.layout.start).astype(np.int64)
        pairs = size * (size - 1) // 2
        own = pairs.copy()
        np.subtract.at(own, self.layout.parent[1:], pairs[1:])
        return own

    def learn(self, stage: int, height: int, limit: int | None) -> None:
        """One pass over all clusters of one height."""
        clusters = np.flatnonzero(self.layout.height == height)
        batches = [clusters] if self.baseline.joint else [clusters[i : i + 1] for i in range(len(clusters))]
        tasks = [task for batch in batches if (task := self._task(stage, batch, limit, height)) is not None]
        results = map_independent(
            self.baseline.learn, [task.arguments for task in tasks], 1 if self.baseline.joint else self.n_jobs
        )
        for task, result in zip(tasks, results, strict=True):
            self._record(stage, task, result, limit)

    def _task(self, stage: int, clusters: NDArray[np.int64], limit: int | None, height: int) -> _Task | None:
        """Return the arguments of Alg for these clusters; None if there is nothing to ask."""
        cluster_of = np.full(self.n, -1, np.int32)
        for cluster in clusters.tolist():
            cluster_of[self.layout.order[self.layout.start[cluster] : self.layout.stop[cluster]]] = cluster
        label = cluster_of[self.edges[:, 0]]
        inside = np.flatnonzero(self.alive & (label >= 0) & (label == cluster_of[self.edges[:, 1]]))
        asked = np.ones(len(inside), dtype=np.bool_) if stage == REFINE else ~self.seen[inside]
        rows = inside[asked]
        if not len(rows):
            return None
        own = label[rows]
        known = KnownDependent(
            self.position,
            self.home_start[rows],
            self.home_stop[rows],
            self.home_order[rows],
            (self.home_start[rows] <= self.layout.start[own]) & (self.home_stop[rows] >= self.layout.stop[own]),
        )

        def report(level: LevelReport) -> None:
            self.n_tests += level.tests
            self.progress(Progress(STAGES[stage], height, self.n_heights, level.order, level.edges, self.n_tests))

        context = PassContext(
            marginals=self.marginals,
            known=known if self.baseline.exhaustive else None,
            order_limit=limit,
            groups=own,
            n_jobs=self.n_jobs if self.baseline.joint else 1,
            report=report if self.baseline.joint else None,
        )
        variables = np.flatnonzero(cluster_of >= 0).astype(np.int32)
        initial = Skeleton(self.n, self.edges[inside])
        return _Task((variables, initial, asked, self.ci, context), rows, own)

    def _record(self, stage: int, task: _Task, result: LocalResult, limit: int | None) -> None:
        """Take over what a pass found; the survivors have a new home."""
        fallen = result.removed[task.arguments[2]]
        self.removed.append((result.separations, stage, task.label[fallen], task.rows[fallen]))
        self.alive[task.rows[fallen]] = False
        self.seen[task.rows] = True

        self.by_stage[stage] = _add(self.by_stage[stage], result.tests.sum(axis=0))
        np.add.at(self.by_cluster, task.label, result.tests.sum(axis=1))

        left = task.rows[~fallen]
        label = task.label[~fallen]
        limits = [bound for bound in (limit, self.baseline.max_order) if bound is not None]
        self.home_start[left] = self.layout.start[label]
        self.home_stop[left] = self.layout.stop[label]
        self.home_order[left] = min(limits) if limits else self.n

    def result(self) -> Learned:
        """Put the record together, sorted by pair."""
        separations = Separations.joined([part for part, *_ in self.removed])
        parts = [(np.full(len(rows), stage, np.int8), label, rows) for _, stage, label, rows in self.removed]
        nothing = (np.zeros(0, np.int8), np.zeros(0, np.int32), np.zeros(0, np.int64))
        stage, cluster, rows = (np.concatenate(column) for column in zip(nothing, *parts, strict=True))
        # Rows of self.edges are sorted by pair, and so are the joined separations.
        by_pair = np.argsort(rows)
        rows = rows[by_pair]
        return Learned(
            Skeleton(self.n, self.edges[self.alive]),
            Removals(separations, stage[by_pair], cluster[by_pair]),
            self.home_start[rows],
            self.home_stop[rows],
            self.home_order[rows],
            TestCounts(
                {name: tuple(counts.tolist()) for name, counts in zip(STAGES, self.by_stage, strict=True)},
                tuple(self.by_cluster.tolist()),
            ),
        )


def _add(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add two counts by order, of which one may be longer."""
    total = np.zeros(max(len(a), len(b)), np.int64)
    total[: len(a)] += a
    total[: len(b)] += b
    return total
