"""The rows of a Dask DataFrame, by its partitions: computed one by one here, or added up where they lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeVar

from hccd.errors import InvalidDataError
from hccd.parallel import Cluster, cluster_in_use

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Partitions:
    """A Dask DataFrame."""

    frame: Any

    @cached_property
    def lengths(self) -> list[int]:
        """How many rows each partition has."""
        cluster, narrow = cluster_in_use(), self.frame[list(self.frame.columns[:1])]
        if cluster is None:
            return [int(n) for n in narrow.map_partitions(len).compute()]
        return list(cluster.run_on_partitions(len, narrow, [()] * self.frame.npartitions, ()))

    @property
    def places(self) -> list[tuple[int, int]]:
        """Where each partition begins and ends."""
        ends = list(accumulate(self.lengths))
        return [(end - length, end) for end, length in zip(ends, self.lengths, strict=True)]

    def batches(self, size: int, names: list[str]) -> Iterator[Any]:
        """Yield the rows, of one partition after the other."""
        cluster = cluster_in_use()
        for i in range(self.frame.npartitions):
            yield from batches_of(_computed(self.frame.partitions[i][names], cluster), size)

    def collected(self) -> Any:
        """Return all rows."""
        return _computed(self.frame, cluster_in_use())

    def head(self, names: list[str], n_rows: int) -> Iterator[Any]:
        """Yield the first rows, as batches."""
        cluster = cluster_in_use()
        assert cluster is not None
        tasks = [(n_rows - start,) for start, _ in self.places if start < n_rows]
        first = self.frame.partitions[: len(tasks)][names]
        for batches in cluster.run_on_partitions(_first_rows, first, tasks, ()):
            yield from batches

    def each(self, function: Callable[..., T], names: list[str], shared: tuple[Any, ...]) -> Iterator[T]:
        """Call ``function(*shared, start, partition)`` where each partition lies, and yield the results in order.

        ``start`` is the place of its first row.
        """
        cluster = cluster_in_use()
        assert cluster is not None
        return cluster.run_on_partitions(function, self.frame[names], [(start,) for start, _ in self.places], shared)


def batches_of(frame: Any, size: int) -> Iterator[Any]:
    """Yield the rows of a frame as batches of Arrow, of at most so many rows."""
    import pyarrow as pa

    for start in range(0, len(frame), size):
        try:
            part = pa.Table.from_pandas(frame.iloc[start : start + size], preserve_index=False)
        except pa.ArrowException as error:
            said = str(error.args[-1]).splitlines()[0]
            raise InvalidDataError(f"Arrow cannot hold some cells ({said}): convert or drop the column") from error
        yield from part.to_batches()


def whole_units(start: int, end: int, unit: int) -> tuple[int, int]:
    """Return where the whole units between two places begin and end; there may be none."""
    first = min(-(-start // unit) * unit, end)
    return first, max(end // unit * unit, first)


def _computed(collection: Any, cluster: Cluster | None) -> Any:
    return collection.compute() if cluster is None else cluster.computed(collection)


def _first_rows(n_rows: int, frame: Any) -> list[Any]:
    """Return the first rows of a partition, from a worker."""
    return list(batches_of(frame.iloc[:n_rows], n_rows))
