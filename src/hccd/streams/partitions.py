"""The rows of a Dask DataFrame, by its partitions: computed one by one here, or cut into stretches where they lie.

A stretch is a partition without what precedes its first whole unit, and with the rows of the next partitions that
complete its last one. Only these move between workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, TypeVar

from hccd.parallel import Cut, cluster_in_use

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Partitions:
    """A Dask DataFrame."""

    frame: Any

    @cached_property
    def lengths(self) -> list[int]:
        """How many rows each partition has."""
        return [int(n) for n in _computed(self.frame[list(self.frame.columns[:1])].map_partitions(len))]

    def batches(self, size: int, names: list[str]) -> Iterator[Any]:
        """Yield the rows, of one partition after the other."""
        for i in range(self.frame.npartitions):
            yield from batches_of(self.frame.partitions[i][names].compute(), size)

    def collected(self) -> Any:
        """Return all rows."""
        return _computed(self.frame)

    def head(self, names: list[str], n_rows: int) -> list[Any]:
        """Return the first rows, as batches."""
        within = _within(self.lengths, 0, min(n_rows, sum(self.lengths)))
        tasks = [((n_rows,), within)] if within else []
        return [batch for batches in _on_cluster(_rows, self.frame[names], tasks, ()) for batch in batches]

    def each(self, function: Callable[..., T], names: list[str], unit: int, shared: tuple[Any, ...]) -> Iterator[T]:
        """Call ``function(*shared, start, *rows)`` for each stretch where it lies, and yield the results in order.

        ``start`` is the place of its first row, and each of ``rows`` a frame.
        """
        tasks = [((start,), _within(self.lengths, start, end)) for start, end in stretches(self.lengths, unit)]
        return _on_cluster(function, self.frame[names], tasks, shared)


def stretches(lengths: list[int], unit: int) -> list[tuple[int, int]]:
    """Return where stretches begin and end: at multiples of the unit, each next to where a partition begins."""
    whole = sum(lengths)
    begins = {min(-(-start // unit) * unit, whole) for start in accumulate(lengths, initial=0)}
    return list(pairwise(sorted(begins)))


def batches_of(frame: Any, size: int) -> Iterator[Any]:
    """Yield the rows of a frame as batches of Arrow, of at most so many rows."""
    import pyarrow as pa

    for start in range(0, len(frame), size):
        yield from pa.Table.from_pandas(frame.iloc[start : start + size], preserve_index=False).to_batches()


def _within(lengths: list[int], start: int, end: int) -> list[Cut]:
    """Return which rows of which partitions stand between two places."""
    found = []
    for which, (first, last) in enumerate(pairwise(accumulate(lengths, initial=0))):
        if max(first, start) < min(last, end):
            found.append((which, max(first, start) - first, min(last, end) - first))
    return found


def _rows(size: int, *frames: Any) -> list[Any]:
    """Return frames as batches, from a worker."""
    return [batch for frame in frames for batch in batches_of(frame, size)]


def _computed(collection: Any) -> Any:
    cluster = cluster_in_use()
    return collection.compute() if cluster is None else cluster.computed(collection)


def _on_cluster(function: Callable[..., T], frame: Any, tasks: Any, shared: tuple[Any, ...]) -> Iterator[T]:
    cluster = cluster_in_use()
    assert cluster is not None
    return cluster.run_on_partitions(function, frame, tasks, shared)
