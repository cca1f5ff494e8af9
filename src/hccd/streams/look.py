"""The first pass over the rows: what columns hold, a sample of rows, and, where a guess comes true, all the statistics.

By the first rows it is mostly clear what columns are. If all are measured, their moments are added up from the
start, and if all may be states, distinct rows are counted: a second pass is made only if that turns out not to be what
is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import NotEnoughDataError
from hccd.independence.protocol import order_by_content
from hccd.streams.cells import MISSING, form_of, numbers
from hccd.streams.column import Seen, refuse_infinite
from hccd.streams.distinct import Distinct
from hccd.streams.moments import CHUNK, BlockMoments
from hccd.streams.passes import summed
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
    are of all columns of ``seen``. ``n_jobs`` is for further passes.
    """

    source: Source
    n_jobs: int | None
    names: list[str]
    seen: dict[str, Seen]
    n_rows: int
    head: Any
    sample: Any
    places: NDArray[np.int64]
    order: tuple[str, ...] = ()
    moments: BlockMoments | None = None
    distinct: Distinct | None = None


@dataclass(eq=False)
class Shown:
    """What a part of the rows has shown; some columns are ``declared`` to be states."""

    sample: Sample
    head: Any
    order: tuple[str, ...]
    moments: BlockMoments | None
    declared: frozenset[str] = frozenset()
    distinct: Distinct | None = field(default_factory=Distinct)
    seen: dict[str, Seen] = field(default_factory=dict)
    n_rows: int = 0

    @classmethod
    def none(cls, names: list[str], first: Any, n_rows: int | None, declared: frozenset[str]) -> Shown:
        """Return what no rows show; ``first`` are the first ones, ``n_rows`` how many there are, if known."""
        # A slice would keep its whole batch in memory.
        head = first.take(list(range(min(HEAD, first.num_rows))))
        order = _measured_order(head, names, _seen(first, declared))
        moments = BlockMoments.none(columns_of(first.slice(0, CHUNK), order)) if order else None
        return cls(Sample.of(len(names), n_rows), head, order, moments, declared)

    def further(self) -> Shown:
        """Return what no rows show; states have their numbers already."""
        return Shown(
            self.sample.further(), self.head, self.order,
            None if self.moments is None else self.moments.further(), self.declared,
            None if self.distinct is None or self.distinct.full else Distinct(),
            {name: column.further() for name, column in self.seen.items()},
        )  # fmt: skip

    def add(self, start: int, batch: Any) -> None:
        """Look at the next rows."""
        codes = _take(self.seen, batch, self.n_rows, self.declared)
        self.sample.take(start, batch)
        self.n_rows += batch.num_rows
        if self.moments is not None:
            self.moments.add(start, [numbers(column_of(batch, name)) for name in self.order])
        if self.distinct is not None:
            known = [each for each in codes if each is not None]
            if len(known) < len(codes) or not codes:
                self.distinct = None
            else:
                self.distinct.add(known)

    def merge(self, later: Shown) -> None:
        """Add what the rows that follow have shown."""
        for name, column in later.seen.items():
            new = Seen(name, declared=column.declared, rows=self.n_rows, missing=self.n_rows)
            self.seen.setdefault(name, new).merge(column)
        self.sample.merge(later.sample)
        self.n_rows += later.n_rows
        if self.moments is not None and later.moments is not None:
            self.moments.merge(later.moments)
        if self.distinct is not None and not self.distinct.full:
            if later.distinct is None or any(column.states is None for column in self.seen.values()):
                self.distinct = None
            else:
                self.distinct.merge(later.distinct.renumbered(self._places(later)))

    def _places(self, later: Shown) -> list[NDArray[np.uint16]]:
        """Return for each column which numbers the states of the rows that follow have here."""
        places = []
        for name, column in self.seen.items():
            place = {state: number for number, state in enumerate(column.states or ())}
            own = later.seen[name].states if name in later.seen else None
            places.append(np.array([*(place[state] for state in own or ()), MISSING], np.uint16))
        return places


def look(source: Source, names: list[str], n_jobs: int | None = None, declared: frozenset[str] = frozenset()) -> Looked:
    """Look at all rows; some columns are ``declared`` to be states."""
    n_rows = None if source.partitions is None else source.n_rows
    shown = summed(source, names, lambda first: Shown.none(names, first, n_rows, declared), n_jobs)
    if shown is None:
        raise NotEnoughDataError(f"{source.what} has no rows: at least 10 are needed")
    refuse_infinite(list(shown.seen.values()))
    rows, places = shown.sample.rows()
    return Looked(
        source, n_jobs, names, shown.seen, shown.n_rows, shown.head, rows, places, shown.order, shown.moments,
        shown.distinct,
    )  # fmt: skip


def _seen(batch: Any, declared: frozenset[str]) -> dict[str, Seen]:
    """Return what the columns of a batch show."""
    seen: dict[str, Seen] = {}
    _take(seen, batch, 0, declared)
    return seen


def _take(
    seen: dict[str, Seen], batch: Any, rows_before: int, declared: frozenset[str]
) -> list[NDArray[np.uint16] | None]:
    """Look at the columns of a batch; return the numbers of their states, while there are states."""
    own = [(field.name, field.type) for field in batch.schema if form_of(field.type) != "other"]
    for name, kind in own:
        # Categories are declared by their source.
        states = name in declared or hasattr(kind, "value_type")
        seen.setdefault(name, Seen(name, declared=states, rows=rows_before, missing=rows_before))
    return [seen[name].take(column_of(batch, name)) for name, _ in own]


def column_of(batch: Any, name: str) -> Any:
    """Return a column of a batch by its name."""
    return batch.column(batch.schema.get_field_index(name))


def columns_of(batch: Any, names: Sequence[str]) -> Floats:
    """Return columns of numbers as rows of an array."""
    values = np.empty((len(names), batch.num_rows))
    for own, name in zip(values, names, strict=True):
        own[:] = numbers(column_of(batch, name))
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
