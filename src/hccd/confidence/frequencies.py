"""What resamples had between each pair of variables, counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hccd.graphs import PDAG


@dataclass(frozen=True, eq=False)
class Frequencies:
    """The graphs of the first ``done`` resamples, counted.

    ``keys`` are x n + y of the pairs x < y that were ever adjacent, sorted; the rows of ``counts`` say how often each
    was x -> y, x <- y and x - y.
    """

    n: int
    done: int
    keys: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def none(cls, n: int) -> Frequencies:
        """Return those of no resamples."""
        return cls(n, 0, np.zeros(0, np.int64), np.zeros((0, 3), np.int64))

    def and_of(self, graph: PDAG) -> Frequencies:
        """Count one graph more."""
        arrows, lines = graph.directed_edges().astype(np.int64), graph.undirected_edges().astype(np.int64)
        low, high = np.sort(arrows, axis=1).T
        back = (arrows[:, 0] > arrows[:, 1]).astype(np.int64)
        new = np.concatenate([low * self.n + high, lines[:, 0] * self.n + lines[:, 1]])
        kind = np.concatenate([back, np.full(len(lines), 2)])
        keys, place = np.unique(np.concatenate([self.keys, new]), return_inverse=True)
        counts = np.zeros((len(keys), 3), np.int64)
        counts[place[: len(self.keys)]] = self.counts
        np.add.at(counts, (place[len(self.keys) :], kind), 1)
        return Frequencies(self.n, self.done + 1, keys, counts)

    def relabelled(self, labels: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the pairs x < y under other numbers, sorted, and their counts."""
        x, y = labels[self.keys // self.n], labels[self.keys % self.n]
        turned = x > y
        counts = np.where(turned[:, None], self.counts[:, [1, 0, 2]], self.counts)
        pairs = np.column_stack([np.minimum(x, y), np.maximum(x, y)])
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        return pairs[order], counts[order]
