"""The method on resamples of the rows, and what comes of it.

A resample is learned with the settings of the run, score and knowledge included. Its rows are those of the table with
other weights. Resamples are independent of each other and of who learns them, and are counted in their order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hccd.confidence.calibration import NUMBERS, TABLES, calibrated
from hccd.confidence.frequencies import Frequencies
from hccd.confidence.kept import Kept
from hccd.graphs import PDAG
from hccd.graphs.constraints import Constraints
from hccd.independence.tables import BoundTableTest
from hccd.parallel import in_order
from hccd.progress import Progress
from hccd.result.confidence import Confidence
from hccd.run.clock import Clock
from hccd.run.prepared import Prepared
from hccd.tables.resamples import drawn

#: Learns the graph of prepared data, in canonical numbers.
Learn = Callable[[Prepared], PDAG]


def confidence_of(prepared: Prepared, resamples: int, graph: PDAG, learn: Learn, kept: Kept) -> Confidence:
    """Learn the graphs of resamples, and return how often each edge is in them.

    Parameters
    ----------
    prepared : Prepared
        The data of the run, with the test that was used.
    resamples : int
        How many.
    graph : PDAG
        The graph of the run, in canonical numbers.
    learn : callable
        Takes prepared data and returns the graph; both in canonical numbers.
    kept : Kept
        Where the counts of finished resamples are left.
    """
    progress = prepared.progress
    drawing = _Drawing.of(prepared, learn)
    found = kept.recalled(resamples)
    progress(Progress("bootstrap", edges=resamples, done=found.done))
    for resampled in in_order(drawing, range(found.done, resamples), prepared.options.n_jobs):
        found = found.and_of(resampled)
        kept.keep(found)
        progress(Progress("bootstrap", edges=resamples, done=found.done))
    # Edges of the run's graph are listed as well if no resample has them.
    every, own = found.and_of(graph), Frequencies.none(found.n).and_of(graph)
    listed = np.zeros_like(every.counts)
    listed[np.searchsorted(every.keys, own.keys)] = own.counts
    counts = every.counts - listed
    known = prepared.constraints
    allowed = None if known is None else _allowed(every.keys // found.n, every.keys % found.n, known)
    fitted = TABLES if isinstance(prepared.binding.ci, BoundTableTest) else NUMBERS
    probabilities = calibrated(counts, listed @ np.arange(1, 4), resamples, fitted, allowed)
    columns = prepared.binding.columns
    pairs, probabilities = every.relabelled(columns, probabilities)
    return Confidence(pairs, probabilities, resamples, every.relabelled(columns, counts)[1])


def _allowed(x: NDArray[np.int64], y: NDArray[np.int64], known: Constraints) -> NDArray[np.bool_]:
    """Tell which of x -> y, x <- y, x - y and no edge agree with what is known."""
    forward, backward = ~known.forbidden[x, y], ~known.forbidden[y, x]
    return np.column_stack([forward, backward, forward & backward, ~known.adjacent[x, y]])


@dataclass(frozen=True, eq=False)
class _Drawing:
    """Learns resamples by their numbers, in any thread or process; it holds no more than they need.

    Columns have been looked through, and knowledge has been understood: what follows from it is the same.
    """

    prepared: Prepared
    constraints: Constraints | None
    units: tuple[int, NDArray[np.float64] | None]
    learn: Learn

    @classmethod
    def of(cls, prepared: Prepared, learn: Learn) -> _Drawing:
        """Take what resamples need."""
        units = prepared.units
        assert units is not None
        options = replace(prepared.options, n_jobs=1, progress=None, checkpoint=None, client=None, log=None)
        bare = replace(prepared, options=options, table=None, non_normal=None)
        return cls(bare, prepared.constraints, units, learn)

    def __call__(self, number: int) -> PDAG:
        return self.learn(self._resample(number))

    def _resample(self, number: int) -> Prepared:
        """Return the data of a resample, ready to learn from."""
        own = self.prepared
        assert own.binding.reweighted is not None
        weights = drawn(own.seed, number, *self.units, again=own.score is not None)
        ci = own.binding.reweighted(weights)
        again = replace(own, binding=replace(own.binding, ci=ci), clock=Clock())
        again.__dict__["constraints"] = self.constraints
        return again
