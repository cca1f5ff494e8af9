"""What has been counted of resamples, kept with the states of a run: one that was stopped goes on from there."""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from hccd.checkpoint.key import search_key
from hccd.clustering import ClusterTree
from hccd.confidence.frequencies import Frequencies
from hccd.graphs import PDAG
from hccd.run.prepared import Prepared

STAGE = "bootstrap"


class Kept:
    """The counts of a run's resamples, in its checkpoint if it has one.

    ``dag`` is what the score found, from which resamples are searched on, if there is a score.
    """

    def __init__(self, prepared: Prepared, clusters: ClusterTree, dag: PDAG | None) -> None:
        self.prepared, self.clusters, self.dag = prepared, clusters, dag
        self.checkpoint = prepared.options.checkpoint
        self.key = cache(self._key)

    def _key(self) -> str:
        """Say which resamples these are: of the same data, by the same settings, from the same seed."""
        own, constraints = self.prepared, self.prepared.constraints
        known = () if constraints is None else (constraints.forbidden, constraints.adjacent)
        return search_key(
            own.binding.ci,
            own.marginals,
            self.clusters,
            own.settings,
            [np.argwhere(matrix).tolist() for matrix in known],
            None if self.dag is None else self.dag.directed_edges().tolist(),
            [STAGE, own.seed, own.options.price],
        )

    def recalled(self, most: int) -> Frequencies:
        """Return what was counted of at most so many resamples."""
        n = len(self.prepared.binding.columns)
        found = None
        if self.checkpoint is not None:
            found = self.checkpoint.resume(STAGE, self.key, partial(Frequencies.from_arrays, n, most))
        return Frequencies.none(n) if found is None else found

    def keep(self, counted: Frequencies) -> None:
        """Keep the counts, if it is time."""
        if self.checkpoint is not None and self.checkpoint.due(STAGE):
            self.checkpoint.save(STAGE, self.key, counted)
