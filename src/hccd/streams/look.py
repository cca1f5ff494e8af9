"""The first pass over the rows: what columns hold, a sample of rows, and, where a guess comes true, all the statistics.

After the first batch it is mostly clear what columns are. If all are measured, their moments are added up from the
start, and if all may be states, distinct rows are counted: a second pass is made only if that turns out not to be what
is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import NotEnoughDataError
from hccd.independence.protocol import order_by_content
from hccd.streams.column import Seen, form_of, numbers, refuse_infinite
from hccd.streams.distinct import Distinct
from hccd.streams.moments import BlockMoments, one_thread
from hccd.streams.sample import Sample
from hccd.streams.source import Source
from hccd.tables import column_keys

Floats = NDArray[np.float64]

#: Columns are told apart by so many of the first rows, or by all: see tables/keys.py.
HEAD = 128


@dataclass(frozen=True, eq=False)
class Looked:
    """What the first pass has shown.

    ``seen`` are the columns of numbers and text, by name; ``sample`` holds all columns, ``places`` says which rows
    these are, ``head`` are the first rows. ``moments`` are of the columns of ``order``, as they are; ``distinct`` rows
    are of all columns of ``seen``.
    """

    source: Source
    names: list[str]
    seen: dict[str, Seen]
    n_rows: int
    head: Any
    sample: Any
    places: NDArray[np.int64]
    order: tuple[str, ...] = ()
    moments: BlockMoments | None = None
    distinct: Distinct | None = None


def look(source: Source, names: list[str]) -> Looked:
    """Look at all rows."""
    with one_thread():
        return _look(source, names)


def _look(source: Source, names: list[str]) -> Looked:
    seen: dict[str, Seen] = {}
    sample, n_rows, head = Sample.of(len(names)), 0, None
    order: tuple[str, ...] = ()
    moments, distinct = None, None
    for batch in source.batches(names):
        own = {name: batch.column(i) for i, name in enumerate(names) if form_of(batch.column(i).type) != "other"}
        for name in own:
            seen.setdefault(name, Seen(name, rows=n_rows, missing=n_rows))
        codes = [seen[name].take(own[name]) for name in own]
        if head is None:
            # A slice would keep its whole batch in memory.
            head = batch.take(list(range(min(HEAD, batch.num_rows))))
            order = _measured_order(head, names, seen)
            moments = BlockMoments.none(len(order)) if order else None
            distinct = Distinct()
        sample.take(n_rows, batch)
        n_rows += batch.num_rows
        if moments is not None:
            moments.add(columns_of(batch, order))
        if distinct is not None:
            known = [each for each in codes if each is not None]
            if len(known) < len(codes) or not codes:
                distinct = None
            else:
                distinct.add(known)
    if head is None:
        raise NotEnoughDataError(f"{source.what} has no rows: at least 10 are needed")
    refuse_infinite(list(seen.values()))
    rows, places = sample.rows()
    return Looked(source, names, seen, n_rows, head, rows, places, order, moments, distinct)


def columns_of(batch: Any, names: Sequence[str]) -> Floats:
    """Return columns of numbers as rows of an array."""
    values = np.empty((len(names), batch.num_rows))
    for own, name in zip(values, names, strict=True):
        own[:] = numbers(batch.column(batch.schema.get_field_index(name)))
    return values


def _measured_order(head: Any, names: list[str], seen: dict[str, Seen]) -> tuple[str, ...]:
    """Return the columns in canonical order if all are measured and the first rows tell them apart, or none."""
    if len(seen) < len(names) or not all(column.measured for column in seen.values()):
        return ()
    keys = column_keys(plain(columns_of(head, names)).T)
    return tuple(names[i] for i in order_by_content(keys, names)) if len(set(keys)) == len(keys) else ()


def plain(values: Floats) -> Floats:
    """Return numbers of which equal ones have equal bytes, as a table has them."""
    values = values + 0.0
    values[np.isnan(values)] = np.nan
    return values
