"""What has been counted of resamples, kept beside the state of a search: a run that was stopped goes on from there."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from hccd.checkpoint import CheckpointFolder
from hccd.checkpoint.key import search_key
from hccd.clustering import ClusterTree
from hccd.confidence.frequencies import Frequencies
from hccd.confidence.resamples import SHARE
from hccd.run.prepared import Prepared
from hccd.scoring import BestDag


class Kept:
    """The counts of a run's resamples, in the folder of its checkpoint if it has one."""

    def __init__(self, prepared: Prepared, clusters: ClusterTree, best: BestDag | None) -> None:
        self.prepared, self.clusters, self.best = prepared, clusters, best
        folder = prepared.options.checkpoint
        self.folder = folder if isinstance(folder, CheckpointFolder) else None

    @cached_property
    def key(self) -> str:
        """Which resamples these are: of the same data, by the same settings, from the same seed."""
        own, constraints = self.prepared, self.prepared.constraints
        known = () if constraints is None else (constraints.forbidden, constraints.adjacent)
        return search_key(
            own.binding.ci,
            own.marginals,
            self.clusters,
            own.settings,
            [np.argwhere(matrix).tolist() for matrix in known],
            None if self.best is None else self.best.dag.directed_edges().tolist(),
            ["resamples", SHARE, int(own.options.seed)],
        )

    def recalled(self, most: int) -> Frequencies:
        """Return what was counted of at most so many resamples."""
        n = len(self.prepared.binding.columns)
        arrays = None if self.folder is None else self.folder.recall(self.key)
        found = None if arrays is None else Frequencies.from_arrays(n, arrays)
        return Frequencies.none(n) if found is None or found.done > most else found

    def keep(self, counted: Frequencies) -> None:
        """Keep the counts, if it is time."""
        if self.folder is not None and self.folder.due():
            self.folder.keep(self.key, counted.to_arrays())
