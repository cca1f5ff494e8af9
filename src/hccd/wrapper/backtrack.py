"""Algorithm 1, bottom-up half: learn the leaves, merge upwards, refine so that nothing is lost.

For every cluster of the tree, children first:

* a leaf: Alg on the complete graph over its variables (line 1);
* above: the children's graphs side by side, plus every pair from different children, and

  - ``between`` (line 17): Alg on those pairs only; edges inside a child stay, and count as neighbours;
  - ``refine`` (line 18): Alg on every edge that is left, which restores completeness.

PC is the same on a tree of one cluster. HCCD refines at each level, HCCD-not-c at the root only, TSCB never.

Three things make it cheap. Clusters of the same height share no variable, so all of them are learned in one call.
A pair's *home* remembers where and up to which order it has been asked, so no test is ever made twice: order 0 is asked
for all pairs at the outset, and counts as asked over the whole set. And PC with a compiled test goes through a whole
pass without coming back to Python (``_kernels/ledger.py``), in as many threads as there are workers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.search.ledger import Ledger
from hccd._kernels.search.level import LevelSearch
from hccd._kernels.search.pairs import find_pairs
from hccd.baselines import PC, Baseline, KnownDependent, LocalResult, PassContext
from hccd.baselines.protocol import LevelReport
from hccd.choices import Refine
from hccd.clustering import ClusterTree
from hccd.errors import InvalidParameterError
from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Marginals
from hccd.parallel import in_threads, map_independent, shares_memory, worker_count
from hccd.progress import Progress, ProgressFunction, silent
from hccd.wrapper.keeping import Keeping, begin_level, state_of, take_over
from hccd.wrapper.state import LevelState
from hccd.wrapper.trace import STAGES, Learned, Removals, TestCounts

LEAF, BETWEEN, REFINE = range(3)
Report = Callable[[int, int, int, int], None]


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
    keeping: Keeping | None = None,
) -> Learned:
    """Run the bottom-up half of Algorithm 1 over ``tree``.

    ``keeping`` says where to leave the state of the search now and then; what is found there is gone on with.
    ``inner_order`` bounds the conditioning sets in every pass that a root refine follows; without one, or on a tree
    of one cluster, it does not apply, since nothing would make up for it.
    """
    passes = _passes(int(tree.layout().height.max()) + 1, refine, inner_order)
    run = _Run(tree, baseline, ci, marginals, n_jobs, progress, keeping)
    done, order = run.resume(len(passes))
    for number, (stage, height, limit) in enumerate(passes):
        if number >= done:
            run.learn(number, stage, height, order + 1 if number == done else 1, limit)
    return run.result()


def _passes(n_heights: int, refine: Refine, inner_order: int | None) -> list[tuple[int, int, int | None]]:
    """List the passes over a tree: the stage, the height of the clusters, and the bound on the conditioning sets."""
    inner = inner_order if refine != "never" and n_heights > 1 else None
    passes: list[tuple[int, int, int | None]] = []
    for height in range(n_heights):
        root = height == n_heights - 1
        passes.append((BETWEEN if height else LEAF, height, inner))  # Algorithm 1, lines 1 and 17
        if height and (refine == "each" or (refine == "root" and root)):
            passes.append((REFINE, height, None if root else inner))  # Algorithm 1, line 18
    return passes


class _Task(NamedTuple):
    """A call of Alg: its arguments, the edges it is to learn (rows of the ledger), and their clusters."""

    arguments: tuple[NDArray[np.int32], Skeleton, NDArray[np.bool_], BoundCITest, PassContext]
    rows: NDArray[np.int32]
    label: NDArray[np.int32]


class _Run:
    """The graph as it shrinks: every pair that is dependent without condition, alive or not, is a row of the ledger."""

    def __init__(
        self,
        tree: ClusterTree,
        baseline: Baseline,
        ci: BoundCITest,
        marginals: Marginals,
        n_jobs: int | None,
        progress: ProgressFunction,
        keeping: Keeping | None,
    ) -> None:
        self.baseline, self.ci, self.marginals = baseline, ci, marginals
        self.n_jobs, self.progress, self.keeping = n_jobs, progress, keeping
        self.n = ci.n_variables
        self.layout = tree.layout()
        self.n_heights = int(self.layout.height.max()) + 1
        self.position, order, self.start, self.stop, height = (
            column.astype(np.int32)
            for column in (
                self.layout.position,
                self.layout.order,
                self.layout.start,
                self.layout.stop,
                self.layout.height,
            )
        )
        self.x, self.y = dependent_pairs(marginals.independent)
        strength = np.abs(marginals.ties[self.x, self.y])
        self.ledger = Ledger(self.n, self.x, self.y, strength, order, self.start, self.stop, height, marginals.outer())
        self.searches = self._compiled_searches(worker_count(n_jobs))

        self.by_cluster = self._pairs_first_met()
        self.by_stage: list[list[int]] = [[0] for _ in STAGES]
        is_leaf = self.layout.height == 0
        self.by_stage[LEAF][0] = int(self.by_cluster[is_leaf].sum())
        self.by_stage[BETWEEN][0] = int(self.by_cluster[~is_leaf].sum())
        self.n_tests = int(self.by_cluster.sum())
        #: What passes in Python removed, and an earlier process; those of the search are in the ledger.
        self.removed: list[Separations] = []
        self.removed_earlier = np.zeros(0, np.int64)
        #: What is known already of the first level; an earlier process was stopped in the midst of it.
        self.level: LevelState | None = None

    def _compiled_searches(self, workers: int) -> list[LevelSearch]:
        """Return a compiled search for each worker, if PC can go over the ledger with them; else none.

        Workers must share the ledger's memory. In the original PC an edge that falls is gone at once, so all edges of a
        cluster must be asked by the same worker, which is left to the passes in Python.
        """
        baseline, outer = self.baseline, np.asarray(self.ledger.outer)
        if not isinstance(baseline, PC) or (workers > 1 and not (baseline.stable and shares_memory())):
            return []
        by_strength = baseline.ordering == "strength"
        searches = [self.ci.searcher(self.marginals.ties, outer, by_strength, self.position) for _ in range(workers)]
        found = [search for search in searches if search is not None]
        for search in found:
            self.ledger.attach(search)
        return found

    def _pairs_first_met(self) -> NDArray[np.int64]:
        """Count the pairs of variables that meet in each cluster for the first time: its order-0 tests."""
        size = (self.layout.stop - self.layout.start).astype(np.int64)
        pairs = size * (size - 1) // 2
        own = pairs.copy()
        np.subtract.at(own, self.layout.parent[1:], pairs[1:])
        return own

    def resume(self, n_passes: int) -> tuple[int, int]:
        """Take over the state that was kept, if any; return how many passes are done, and the order after these."""
        found = None if self.keeping is None else self.keeping.found(self.ledger, self.x, self.y, n_passes)
        if found is None:
            return 0, 0
        state, self.removed_earlier = found
        take_over(self.ledger, state, self.removed_earlier)
        self.removed.append(state.removals.separations)
        self.by_stage = [list(counts) for counts in state.by_stage]
        self.n_tests = sum(map(sum, self.by_stage))
        self.level = state.level
        return state.passes, state.order

    def learn(self, number: int, stage: int, height: int, first: int, limit: int | None) -> None:
        """One pass over all clusters of one height, from the order ``first`` on."""
        if not self.ledger.open(height, stage == REFINE):
            return
        if not self.searches:
            self._learn_in_python(number, stage, height, first, limit)
            return
        assert isinstance(self.baseline, PC)
        level, self.level = self.level, None
        counts = self.ledger.learn(
            self.searches,
            stage,
            first,
            self.baseline.limit(limit, self.n),
            not self.baseline.stable,
            in_threads,
            None if self.progress is silent and self.keeping is None else self._reporter(number, stage, height, first),
            None if level is None else partial(begin_level, self.ledger, level),
        )
        _add(self.by_stage[stage], [*[0] * first, *counts])

    def _learn_in_python(self, number: int, stage: int, height: int, first: int, limit: int | None) -> None:
        """One pass by the baseline's own method; PC's level by level, so that the state can be kept in between."""
        limits = [bound for bound in (limit, self.baseline.max_order) if bound is not None]
        highest = min([*limits, self.n])
        if not isinstance(self.baseline, PC):
            self._call(number, stage, height, first, limit)
        else:
            for order in range(first, highest + 1):
                if not self._call(number, stage, height, order, order):
                    break
                self.keep(number, order)
        self.ledger.close(highest)

    def _call(self, number: int, stage: int, height: int, first: int, limit: int | None) -> bool:
        """Call the baseline for the pairs of the ledger's pass that are alive; return whether it got to ``first``."""
        inside = np.asarray(self.ledger.inside)[: self.ledger.n_inside]
        rows = inside[np.asarray(self.ledger.alive)[inside] != 0]
        asked = np.isin(rows, np.asarray(self.ledger.asked)[: self.ledger.n_asked])
        cluster = np.asarray(self.ledger.cluster_of)[self.x[rows]]
        if self.baseline.joint:
            batches = [np.ones(len(rows), dtype=np.bool_)]
        else:
            batches = [cluster == one for one in np.unique(cluster[asked])]
        tasks = [
            self._task(
                rows[batch], asked[batch], cluster[batch], first, limit, self._reporter(number, stage, height, first)
            )
            for batch in batches
            if asked[batch].any()
        ]
        results = map_independent(
            self.baseline.learn, [task.arguments for task in tasks], 1 if self.baseline.joint else self.n_jobs
        )
        for task, result in zip(tasks, results, strict=True):
            self._record(stage, task, result)
        return any(result.tests.shape[1] > first for result in results)

    def _reporter(self, number: int, stage: int, height: int, first: int) -> Report:
        """Return what is called after each level of a pass, and in the course of a long one."""
        made = [0] * first

        def report(order: int, edges: int, done: int, tests: int) -> None:
            whole = done == edges
            self.n_tests += tests if whole else 0
            so_far = self.n_tests + (0 if whole else tests)
            self.progress(Progress(STAGES[stage], height, self.n_heights, order, edges, so_far, done))
            if self.searches and whole:
                made.append(tests)
                self.keep(number, order, stage, made)
            elif self.searches and isinstance(self.baseline, PC) and self.baseline.stable:
                # In the original PC the neighbour lists change within a level, and are not kept.
                self.keep(number, order - 1, stage, made, done)

        return report

    def keep(self, number: int, order: int, stage: int = LEAF, made: Sequence[int] = (), done: int = 0) -> None:
        """Hand the state to the checkpoint, if it is time: after this order, and some pairs of the next one.

        ``made`` are tests that are not counted yet.
        """
        if self.keeping is None or not self.keeping.checkpoint.due():
            return
        by_stage = [list(counts) for counts in self.by_stage]
        _add(by_stage[stage], made)
        state = state_of(self.ledger, self._removals(), by_stage, number, order, done)
        self.keeping.checkpoint.save(self.keeping.key, state)

    def _task(
        self,
        inside: NDArray[np.int32],
        asked: NDArray[np.bool_],
        cluster: NDArray[np.int32],
        first: int,
        limit: int | None,
        tell: Report,
    ) -> _Task:
        """Return the arguments of Alg for the pairs ``inside`` some clusters."""
        rows, own = inside[asked], cluster[asked]
        start, stop, order = (
            np.asarray(column)[rows]
            for column in (self.ledger.home_start, self.ledger.home_stop, self.ledger.home_order)
        )
        whole = (start <= self.start[own]) & (stop >= self.stop[own])

        def report(level: LevelReport) -> None:
            tell(level.order, level.edges, level.edges, level.tests)

        context = PassContext(
            marginals=self.marginals,
            known=KnownDependent(self.position, start, stop, order, whole) if self.baseline.exhaustive else None,
            outer=np.asarray(self.ledger.outer).copy(),
            order_limit=limit,
            first_order=first,
            groups=own,
            n_jobs=self.n_jobs if self.baseline.joint else 1,
            report=report if self.baseline.joint else None,
        )
        clusters = np.unique(own)
        variables = np.flatnonzero(np.isin(np.asarray(self.ledger.cluster_of), clusters)).astype(np.int32)
        initial = Skeleton(self.n, np.column_stack([self.x[inside], self.y[inside]]))
        return _Task((variables, initial, asked, self.ci, context), rows, own)

    def _record(self, stage: int, task: _Task, result: LocalResult) -> None:
        """Take over what a pass in Python found."""
        fallen = result.removed[task.arguments[2]]
        rows = task.rows[fallen]
        self.removed.append(result.separations)
        np.asarray(self.ledger.alive)[rows] = 0
        # The pairs of a pass are sorted, and so are its separations.
        np.asarray(self.ledger.fell_order)[rows] = np.diff(result.separations.start)
        np.asarray(self.ledger.fell_stage)[rows] = stage
        np.asarray(self.ledger.fell_cluster)[rows] = task.label[fallen]
        lost = np.abs(self.marginals.ties[self.x[rows], self.y[rows]])
        np.maximum.at(np.asarray(self.ledger.outer), self.x[rows], lost)
        np.maximum.at(np.asarray(self.ledger.outer), self.y[rows], lost)
        _add(self.by_stage[stage], result.tests.sum(axis=0).tolist())
        np.add.at(np.asarray(self.ledger.by_cluster), task.label, result.tests.sum(axis=1))

    def _removals(self) -> Removals:
        """Put together why edges fell, sorted by pair."""
        book = self.ledger
        order = np.asarray(book.fell_order)
        rows = np.flatnonzero(order >= 0)
        parts = self.removed
        if self.searches:
            own = np.setdiff1d(rows, self.removed_earlier) if len(self.removed_earlier) else rows
            sizes = order[own]
            start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
            source = np.repeat(np.asarray(book.given_start)[own] - start[:-1], sizes) + np.arange(start[-1])
            found = Separations(
                np.column_stack([self.x[own], self.y[own]]),
                start,
                np.asarray(book.given)[source],
                self.ci.p_values(sizes, np.asarray(book.statistic)[own], np.asarray(book.freedom)[own]),
            )
            parts = [*parts, found]
        return Removals(
            Separations.joined(parts), np.asarray(book.fell_stage)[rows], np.asarray(book.fell_cluster)[rows]
        )

    def result(self) -> Learned:
        """Put the record together, sorted by pair."""
        book = self.ledger
        rows = np.flatnonzero(np.asarray(book.fell_order) >= 0)
        return Learned(
            Skeleton(self.n, np.column_stack([self.x, self.y])[np.asarray(book.alive) != 0]),
            self._removals(),
            np.asarray(book.home_start)[rows],
            np.asarray(book.home_stop)[rows],
            np.asarray(book.home_order)[rows],
            TestCounts(
                {name: tuple(counts) for name, counts in zip(STAGES, self.by_stage, strict=True)},
                tuple((self.by_cluster + np.asarray(book.by_cluster)).tolist()),
            ),
        )


def dependent_pairs(independent: NDArray[np.bool_]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """List the pairs x < y that are not independent without condition, sorted."""
    n = len(independent)
    flat = np.ascontiguousarray(independent).reshape(-1).view(np.uint8)
    m = (n * n - n - int(np.count_nonzero(flat))) // 2
    first, y = np.empty(n + 1, np.int64), np.empty(m, np.int32)
    if find_pairs(n, flat, flat[: n * n // 8 * 8].view(np.uint64), first, y) != m:
        raise InvalidParameterError("the test calls some pair independent one way round only: it must be symmetric")
    return np.repeat(np.arange(n, dtype=np.int32), np.diff(first)), y


def _add(total: list[int], more: Sequence[int]) -> None:
    """Add counts by order, of which there may be more than before."""
    total.extend([0] * (len(more) - len(total)))
    for order, count in enumerate(more):
        total[order] += count
