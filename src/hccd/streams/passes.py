"""A pass over all rows: what is added up of each part of them, and merged in the order of the rows.

Where the parts are added up changes no bit of the result: in the calling process, in its threads, or, for the rows of a
Dask DataFrame, on the workers that hold or load them. Of these only what was added up moves, and the rows of units that
several partitions share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Protocol, TypeVar

from hccd.parallel import cluster_in_use, in_threads_in_order, one_ahead, one_blas_thread, worker_count
from hccd.streams.moments import CHUNK
from hccd.streams.partitions import Partitions, batches_of, whole_units
from hccd.streams.source import Source, batch_rows, even


class Sums(Protocol):
    """What is added up of rows: of all, or of a part; it can be pickled."""

    def further(self) -> Any:
        """Return one of no rows, for a part of those that follow: it may know what to expect of them."""

    def add(self, start: int, batch: Any) -> None:
        """Add a batch, of which the first row has the place ``start``: a multiple of the unit."""

    def merge(self, later: Any) -> None:
        """Add what was added up of the rows that follow."""


S = TypeVar("S", bound=Sums)
#: Makes the sums of no rows; what it is given are the first rows.
Begin = Callable[[Any], S]


def summed(source: Source, names: list[str], begin: Begin[S], n_jobs: int | None, unit: int = CHUNK) -> S | None:
    """Add up columns of all rows, in ``n_jobs`` threads; None if there are no rows.

    Parts of the rows begin at multiples of ``unit``: larger ones than ``CHUNK`` are for a single thread.
    """
    with one_blas_thread():
        if source.partitions is not None and cluster_in_use() is not None:
            return _where_they_lie(source.partitions, len(source.names), names, begin, unit)
        batches = one_ahead(source.batches(names))
        first = next(batches, None)
        if first is None:
            return None
        sums = begin(first)
        placed = _placed(0, chain([first], batches))
        if worker_count(n_jobs) == 1 or unit != CHUNK:
            for start, batch in placed:
                sums.add(start, batch)
        else:
            # What is known by now helps with the next batches.
            parts = ((sums.further(), start, batch) for start, batch in placed)
            for part in in_threads_in_order(_added, parts, n_jobs, ahead=1):
                sums.merge(part)
        return sums


def _placed(start: int, batches: Iterator[Any]) -> Iterator[tuple[int, Any]]:
    """Yield batches with the places of their first rows."""
    for batch in batches:
        yield start, batch
        start += batch.num_rows


def _added(part: tuple[S, int, Any]) -> S:
    sums, start, batch = part
    sums.add(start, batch)
    return sums


def _where_they_lie(partitions: Partitions, n_columns: int, names: list[str], begin: Begin[S], unit: int) -> S | None:
    """Add up the whole units of each partition where it lies, and here those that several partitions share."""
    size = batch_rows(n_columns)
    head = next(even(partitions.head(names, CHUNK), names, size), None)
    if head is None:
        return None
    known, sums = begin(head), begin(head)
    known.add(0, head)
    loose: list[Any] = []
    parts = partitions.each(_of_partition, names, (known.further(), names, size, unit))
    for (start, end), (before, own, behind) in zip(partitions.places, parts, strict=True):
        first, last = whole_units(start, end, unit)
        loose = _added_whole(sums, first, [*loose, *before], names, unit)
        if last > first:
            sums.merge(own)
        loose = _added_whole(sums, end, [*loose, *behind], names, unit)
    for batch in loose:
        sums.add(partitions.places[-1][1] - batch.num_rows, batch)
    return sums


def _added_whole(sums: Sums, end: int, loose: list[Any], names: list[str], unit: int) -> list[Any]:
    """Add rows that end at a place, as far as they make up whole units; return the others, put together."""
    held = sum(batch.num_rows for batch in loose)
    if not held:
        return []
    rows = next(even(loose, names, held))
    whole = held // unit * unit
    if whole:
        sums.add(end - held, rows.slice(0, whole))
    return [rows.slice(whole)] if whole < held else []


def _of_partition(
    known: S, names: list[str], size: int, unit: int, start: int, frame: Any
) -> tuple[list[Any], S, list[Any]]:
    """Return the rows before the whole units of a partition, the sums of these, and the rows behind; on a worker."""
    first, last = whole_units(start, start + len(frame), unit)
    own = [frame.iloc[a - start : b - start] for a, b in ((start, first), (first, last), (last, start + len(frame)))]
    sums: S = known.further()
    with one_blas_thread():
        for place, batch in _placed(first, even(batches_of(own[1], size), names, size)):
            sums.add(place, batch)
    return list(batches_of(own[0], size)), sums, list(batches_of(own[2], size))
