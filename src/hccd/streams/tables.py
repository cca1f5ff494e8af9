"""Contingency tables of streamed columns: those of many sets of columns are counted in one pass over the rows.

This is for rows of states of which even the distinct ones do not fit into memory. Tables with room for every cell are
added up in whole numbers, batch by batch; of larger ones only the cells that occur are kept, as distinct rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.search.many_tables import count_tables
from hccd.errors import InvalidDataError
from hccd.streams.cells import Coder
from hccd.streams.distinct import MOST_ROWS, Distinct, most_rows
from hccd.streams.source import Source
from hccd.wording import listed, quoted

Members = tuple[int, ...]

#: Cells that one pass counts at most (128 MB); a table of more cells than the second is kept as distinct rows.
MOST_CELLS, DENSE_CELLS = 1 << 24, 1 << 20
#: So many tables are kept as distinct rows in one pass, if these are not too many together.
_MOST_DISTINCT = 16
#: Columns of more states than this hardly ever come into tables that are counted by bits.
_BIT_STATES = 16
#: The cells of smaller tables are listed once.
_FEW_CELLS = 1 << 12


class Cells(NamedTuple):
    """The cells of a table: the states of its columns, which have one row each, and how many rows of the data."""

    codes: NDArray[np.uint16]
    counts: NDArray[np.int64]


class TableSource:
    """Columns whose tables can be counted, in an order of their own.

    Attributes
    ----------
    states, gaps
        How many states each column has, and which columns have gaps; a missing cell has the code behind the states.
    n_passes
        How many passes have been made over the rows.
    """

    def __init__(
        self,
        source: Source,
        names: Sequence[str],
        states: Sequence[Sequence[Any]],
        gaps: NDArray[np.bool_],
        complete: bool = False,
        note: Callable[[int, int], None] | None = None,
    ) -> None:
        """``states`` are the states of each column, in their order; ``complete``: rows with gaps are left out."""
        self.source, self.names, self.complete, self.note = source, list(names), complete, note
        self.coders = [Coder(own) for own in states]
        self.states = np.array([len(own) for own in states], np.int32)
        self.gaps = gaps & (not complete)
        self.widths = self.states + self.gaps.astype(np.int32)
        self.n_passes = 0

    def count(self, wanted: Sequence[Members]) -> Iterator[tuple[Members, Cells]]:
        """Count the tables of these sets of columns, in as few passes as memory allows."""
        left = list(wanted)
        while left:
            part: list[Members] = []
            held = 0
            for members in left:
                held += self._room(members)
                if part and held > MOST_CELLS:
                    break
                part.append(members)
            postponed: list[Members] = []
            yield from self._pass(part, postponed)
            left = postponed + left[len(part) :]

    def complete_rows(self) -> int:
        """Count the rows that are left; this is a pass."""
        self.n_passes += 1
        return sum(codes.shape[1] for codes in self.batches([0]))

    def batches(self, columns: Sequence[int]) -> Iterator[NDArray[np.uint16]]:
        """Return the codes of these columns, batch by batch."""
        read = range(len(self.names)) if self.complete else columns
        place = [list(read).index(v) for v in columns]
        behind = self.states[list(read)].astype(np.uint16)[:, None]
        for batch in self.source.batches([self.names[v] for v in read]):
            codes = np.empty((len(read), batch.num_rows), np.uint16)
            for own, v, cells in zip(codes, read, batch.columns, strict=True):
                own[:] = self.coders[v](cells)
            if self.complete:
                codes = codes[:, (codes < behind).all(axis=0)]
            yield np.ascontiguousarray(np.minimum(codes, behind)[place])

    def _room(self, members: Members) -> int:
        """Return how much of a pass a table takes."""
        cells = float(np.prod(self.widths[list(members)], dtype=np.float64))
        return int(cells) if cells <= DENSE_CELLS else MOST_CELLS // _MOST_DISTINCT

    def _pass(self, wanted: list[Members], postponed: list[Members]) -> Iterator[tuple[Members, Cells]]:
        """Count tables in one pass; those that turn out to be too large beside others are postponed."""
        self.n_passes += 1
        if self.note is not None:
            self.note(self.n_passes, len(wanted))
        columns = sorted({v for members in wanted for v in members})
        place = {v: i for i, v in enumerate(columns)}
        tables = _Tables(self.widths[columns], [tuple(place[v] for v in members) for members in wanted])
        for codes in self.batches(columns):
            tables.add(codes)
        for i, members in enumerate(wanted):
            if i in tables.postponed:
                postponed.append(members)
                continue
            own = tables.cells(i)
            if own is None:
                named = listed([quoted(self.names[v]) for v in members])
                raise InvalidDataError(
                    f"more than {most_rows(len(members)):,} combinations of the states of {named} occur, too many for "
                    "a test on streamed rows: group states, drop a column, or set a smaller max_order"
                )
            yield members, own


class _Tables:
    """The tables of some sets of columns so far."""

    def __init__(self, widths: NDArray[np.int32], sets: list[Members]) -> None:
        self.widths, self.sets = np.ascontiguousarray(widths), sets
        sizes = [int(min(np.prod(widths[list(own)], dtype=np.float64), DENSE_CELLS + 1)) for own in sets]
        self.dense = [i for i, size in enumerate(sizes) if size <= DENSE_CELLS]
        self.distinct = {i: Distinct() for i, size in enumerate(sizes) if size > DENSE_CELLS}
        self.postponed: set[int] = set()
        own = [sets[i] for i in self.dense]
        self.members = np.array([v for members in own for v in members], np.int32)
        self.first = np.cumsum([0, *map(len, own)], dtype=np.int64)
        self.start = np.cumsum([0, *(sizes[i] for i in self.dense)], dtype=np.int64)
        self.place = {i: k for k, i in enumerate(self.dense)}
        self.counts = np.zeros(int(self.start[-1]), np.int64)

    def add(self, codes: NDArray[np.uint16]) -> None:
        """Count the rows of a batch."""
        if self.dense:
            bits, where = _bits(codes, self.widths)
            start = self.start[:-1].copy()
            count_tables(codes, self.widths, bits, where, self.members, self.first, self.counts, start)
        for i, distinct in self.distinct.items():
            distinct.add(codes[list(self.sets[i])])
        self._fit()

    def merge(self, other: _Tables) -> None:
        """Add the tables of the rows that follow."""
        self.counts += other.counts
        for i in self.distinct.keys() & other.postponed:
            self._postpone(i)
        for i, distinct in self.distinct.items():
            distinct.merge(other.distinct[i])
        self._fit()

    def _fit(self) -> None:
        """Postpone the last tables of distinct rows until the others have no more than there may be."""
        held = sum(distinct.held for distinct in self.distinct.values())
        while held > MOST_ROWS and len(self.distinct) > 1:
            last = max(self.distinct)
            held -= self.distinct[last].held
            self._postpone(last)

    def _postpone(self, i: int) -> None:
        del self.distinct[i]
        self.postponed.add(i)

    def cells(self, i: int) -> Cells | None:
        """Return a table; None if more cells of it occur than can be kept."""
        members = self.sets[i]
        if i in self.place:
            own = self.counts[self.start[self.place[i]] : self.start[self.place[i] + 1]]
            every = _every_of_few if len(own) <= _FEW_CELLS else _every
            return Cells(every(tuple(self.widths[list(members)].tolist())), own)
        distinct = self.distinct.pop(i)
        if distinct.full:
            return None
        rows, counts = distinct.rows()
        return Cells(np.ascontiguousarray(rows.reshape(len(rows), len(members)).T), counts)


def _every(widths: Members) -> NDArray[np.uint16]:
    """Return all cells of a table, the last column changing fastest."""
    return np.indices(widths, np.uint16).reshape(len(widths), -1)


#: Most tables are small, and of few shapes.
_every_of_few = lru_cache(maxsize=256)(_every)


def _bits(codes: NDArray[np.uint16], widths: NDArray[np.int32]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return a row of bits for each state of each column of few states, and where those of a column begin."""
    few = widths <= _BIT_STATES
    where = np.where(few, np.cumsum(np.where(few, widths, 0)) - widths, -1).astype(np.int32)
    words = -(-codes.shape[1] // 64)
    bits = np.zeros((max(int(widths[few].sum()), 1), words), np.uint64)
    as_bytes = bits.view(np.uint8)
    taken = -(-codes.shape[1] // 8)
    for v in np.flatnonzero(few).tolist():
        for state in range(int(widths[v])):
            as_bytes[where[v] + state, :taken] = np.packbits(codes[v] == state, bitorder="little")
    return bits, where
