"""What resamples had between each pair of variables, counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hccd.graphs import PDAG
from hccd.wording import counted

T = TypeVar("T", np.int64, np.float64)


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

    def to_arrays(self) -> dict[str, NDArray[np.int64]]:
        """Return this as arrays by name."""
        return {"done": np.array([self.done], np.int64), "keys": self.keys, "counts": self.counts}

    @property
    def reached(self) -> str:
        """How far this is, for a run that goes on from here."""
        return f"{counted(self.done, 'resample is', 'resamples are')} done"

    @classmethod
    def from_arrays(cls, n: int, most: int, arrays: Mapping[str, NDArray[Any]]) -> Frequencies:
        """Take what ``to_arrays`` gave, of at most so many resamples; ValueError or KeyError if that cannot be."""
        done, keys, counts = arrays["done"], arrays["keys"], arrays["counts"]
        if done.shape != (1,) or keys.ndim != 1 or counts.shape != (len(keys), 3):
            raise ValueError("arrays of other shapes")
        found = cls(n, int(done[0]), keys.astype(np.int64), counts.astype(np.int64))
        x, y = keys // n, keys % n
        sums = counts.sum(axis=1)
        fits = (x >= 0) & (x < y) & (counts >= 0).all(axis=1) & (sums > 0) & (sums <= found.done)
        if not (fits.all() and (np.diff(keys) > 0).all() and 0 <= found.done <= most):
            raise ValueError("counts that cannot be")
        return found

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

    def relabelled(self, labels: NDArray[np.int64], rows: NDArray[T]) -> tuple[NDArray[np.int64], NDArray[T]]:
        """Return the pairs x < y under other numbers, sorted, with ``rows`` of what they have in each way."""
        x, y = labels[self.keys // self.n], labels[self.keys % self.n]
        turned = np.where((x > y)[:, None], rows[:, [1, 0, 2]], rows)
        pairs = np.column_stack([np.minimum(x, y), np.maximum(x, y)])
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        return pairs[order], turned[order]
