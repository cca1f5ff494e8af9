"""The seam for Alg: how a pass over the ledger is made, by PC or by an algorithm of the user's own."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.search.ledger import Ledger
from hccd.baselines import PC, Algorithm, Baseline, KnownDependent, LocalResult, PassContext
from hccd.clustering.layout import TreeLayout
from hccd.graphs.separators import Separations
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Marginals
from hccd.parallel import map_independent
from hccd.wrapper.journal import AfterPart
from hccd.wrapper.learned import separations_of
from hccd.wrapper.passes import Pass
from hccd.wrapper.workers import workers_for


class Alg(Protocol):
    """A pass over the pairs that a ledger asks about."""

    @property
    def divisible(self) -> bool:
        """Whether what is known of an unfinished level can be gone on with."""
        ...

    def learn(self, step: Pass, first: int, done: int, after_part: AfterPart | None) -> None:
        """Let the pairs fall that some set separates, from the order ``first`` on; ``done`` of these are answered."""
        ...

    def p_values(
        self, order: NDArray[np.int32], statistic: NDArray[np.float64], freedom: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the p-values of what the ledger holds for pairs that fell."""
        ...


def alg_for(
    baseline: Baseline,
    ledger: Ledger,
    layout: TreeLayout,
    ci: BoundCITest,
    marginals: Marginals,
    pairs: tuple[NDArray[np.int32], NDArray[np.int32]],
    n_jobs: int | None,
) -> Alg:
    """Return how a baseline goes over the ledger, whose rows are ``pairs``; knowledge is in these alone."""
    if isinstance(baseline, PC):
        return _PCOverLedger(baseline, ledger, layout, ci, marginals, n_jobs)
    return _ClusterByCluster(baseline, ledger, layout, ci, marginals, pairs, n_jobs)


class _PCOverLedger:
    """PC: the ledger goes through the levels of all clusters at once."""

    def __init__(
        self,
        pc: PC,
        ledger: Ledger,
        layout: TreeLayout,
        ci: BoundCITest,
        marginals: Marginals,
        n_jobs: int | None,
    ) -> None:
        self.pc, self.ledger, self.n = pc, ledger, ci.n_variables
        self.p_values = ci.p_values
        self.workers = workers_for(
            ledger,
            ci,
            marginals.association,
            pc.ordering == "strength",
            layout.position.astype(np.int32),
            not pc.stable,
            n_jobs,
        )
        self.divisible = pc.stable

    def learn(self, step: Pass, first: int, done: int, after_part: AfterPart | None) -> None:
        """Go through the levels."""
        limit = _limit(self.pc, step, self.n)
        self.ledger.learn(self.workers, step.stage, first, limit, not self.pc.stable, done, after_part)


class _ClusterByCluster:
    """An algorithm of the user's own: it is called for each cluster with pairs to be asked about."""

    divisible = False

    def __init__(
        self,
        algorithm: Algorithm,
        ledger: Ledger,
        layout: TreeLayout,
        ci: BoundCITest,
        marginals: Marginals,
        pairs: tuple[NDArray[np.int32], NDArray[np.int32]],
        n_jobs: int | None,
    ) -> None:
        self.algorithm, self.ledger, self.layout = algorithm, ledger, layout
        self.ci, self.marginals, self.n_jobs = ci, marginals, n_jobs
        self.pairs = np.column_stack(pairs)

    def learn(self, step: Pass, first: int, done: int, after_part: AfterPart | None) -> None:
        """Call the algorithm, and write down what it found."""
        if first > 1:
            # There is one level to tell of, the whole pass: it was over when the state was saved.
            return
        limit = _limit(self.algorithm, step, self.ci.n_variables)
        rows, asked, cluster = self.ledger.selected()
        homes = self.ledger.record()
        separated, _ = separations_of(homes, self.pairs, self.p_values)
        parts = [cluster == one for one in np.unique(cluster[asked])]
        tasks = [self._arguments(rows[part], asked[part], int(cluster[part][0]), homes) for part in parts]
        shared = (self.algorithm, self.ci, self.marginals, separated, step.limit)
        for part, result in zip(parts, map_independent(_learned_in, tasks, self.n_jobs, shared), strict=True):
            self._write_down(step.stage, rows[part], asked[part], int(cluster[part][0]), result)
        self.ledger.close(limit)
        if after_part is not None:
            after_part(limit, int(asked.sum()), int(asked.sum()), 0)

    def _arguments(
        self,
        rows: NDArray[np.int32],
        asked: NDArray[np.bool_],
        cluster: int,
        homes: dict[str, NDArray[Any]],
    ) -> tuple[Any, ...]:
        """Return what Alg is told about a cluster: its variables, the pairs inside it, and what is known of them."""
        layout, own = self.layout, rows[asked]
        begin, end = int(layout.start[cluster]), int(layout.stop[cluster])
        start, stop, order = (homes[name][own] for name in ("home_start", "home_stop", "home_order"))
        whole = (start <= begin) & (stop >= end)
        known = KnownDependent(layout.position.astype(np.int32), start, stop, order, whole)
        variables = np.sort(layout.sequence[begin:end]).astype(np.int32)
        return variables, Skeleton(self.ci.n_variables, self.pairs[rows]), asked, known

    def _write_down(
        self, stage: int, rows: NDArray[np.int32], asked: NDArray[np.bool_], cluster: int, result: LocalResult
    ) -> None:
        """Take over what the algorithm found in a cluster."""
        found = result.separations
        # The pairs of a cluster are sorted, and so are the separations.
        self.ledger.remove(stage, rows[result.removed], np.diff(found.start), found.given, found.p_value)
        for order, tests in enumerate(result.tests.sum(axis=0).tolist()):
            self.ledger.count(stage, order, tests)
        self.ledger.add_tests(np.array([cluster]), np.array([result.tests.sum()]))

    def p_values(
        self, order: NDArray[np.int32], statistic: NDArray[np.float64], freedom: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the p-values that the algorithm gave for statistics."""
        return statistic


def _learned_in(
    algorithm: Algorithm,
    ci: BoundCITest,
    marginals: Marginals,
    separated: Separations,
    limit: int | None,
    variables: NDArray[np.int32],
    skeleton: Skeleton,
    asked: NDArray[np.bool_],
    known: KnownDependent,
) -> LocalResult:
    """Call an algorithm for one cluster."""
    return algorithm.learn(variables, skeleton, asked, ci, PassContext(marginals, known, limit, separated))


def _limit(baseline: Baseline, step: Pass, n_variables: int) -> int:
    """Return the largest order of a pass, by its own limit and the baseline's; beyond all sets if there is none."""
    return min([n_variables, *(limit for limit in (step.limit, baseline.max_order) if limit is not None)])
