"""Cells of a batch of Arrow: as numbers, as distinct values, and as places among known states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.tables.state_codes import code_states

Array = NDArray[Any]

#: States of a range up to this are found by their place; and a code that none of so few has.
_NARROW, _UNKNOWN = 1 << 12, np.iinfo(np.uint16).max - 1
#: Whole numbers up to this are told apart in double precision.
_EXACT = 2.0**52
#: In a batch of codes, a cell that holds nothing.
MISSING = np.iinfo(np.uint16).max


@dataclass(frozen=True, eq=False)
class Lookup:
    """The numbers of states that are whole numbers from a narrow range: found by their place in it."""

    low: int
    codes: NDArray[np.uint16]

    @classmethod
    def of(cls, states: Iterable[Any]) -> Lookup | None:
        """Return the numbers of states in their order; None if they are no such numbers."""
        values = np.array(list(states))
        if values.dtype.kind != "f" or not len(values) or (np.floor(values) != values).any():
            return None
        low, high = float(values.min()), float(values.max())
        if high - low >= _NARROW or max(abs(low), abs(high)) > _EXACT:
            return None
        # Before the range and behind it are numbers that are no states; the last place is for cells without any.
        codes = np.full(int(high - low) + 4, _UNKNOWN, np.uint16)
        codes[(values - low).astype(np.int64) + 1] = np.arange(len(values))
        codes[-1] = MISSING
        return cls(int(low), codes)

    @classmethod
    def of_text(cls, coded: Any, states: Iterable[Any]) -> Lookup:
        """Return the numbers of states by their places in the dictionary of encoded text."""
        place = {state: number for number, state in enumerate(states)}
        own = [MISSING if text is None else place.get(str(text), _UNKNOWN) for text in coded.dictionary.to_pylist()]
        return cls(0, np.array([_UNKNOWN, *own, _UNKNOWN, MISSING], np.uint16))

    def __call__(self, values: Array) -> Known | None:
        """Return what is known of cells; None if some are no states."""
        if values.dtype.kind == "u" and values.dtype.itemsize == 8:
            values = values.astype(np.float64)
        found = np.empty(len(values), np.uint16)
        times = np.zeros((4, len(self.codes)), np.int64)
        if not code_states(np.ascontiguousarray(values), self.low - 1, self.codes, int(_UNKNOWN), found, times):
            return None
        each = times.sum(axis=0)
        held = self.codes < _UNKNOWN
        return Known(found, np.bincount(self.codes[held], each[held]), int(each[self.codes == MISSING].sum()))


class Known(NamedTuple):
    """The numbers of the states of cells, how many cells have each (as far as any has), and how many have none."""

    codes: NDArray[np.uint16]
    times: Array
    missing: int


def numbers(cells: Any) -> Array:
    """Return cells of Arrow as numbers of their own type, or float64; NaN where there is none."""
    import pyarrow as pa

    kind = cells.type
    if pa.types.is_dictionary(kind):
        return numbers(cells.dictionary_decode())
    if pa.types.is_decimal(kind):
        # Arrow multiplies by a power of ten, which may round twice; text is read as the nearest number.
        cells = cells.cast(pa.string())
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        cells = cells.cast(pa.float64())
    if cells.null_count:
        cells = cells.cast(pa.float64(), safe=False).fill_null(float("nan"))
    return np.asarray(cells.to_numpy(zero_copy_only=False))


@lru_cache(maxsize=256)
def form_of(kind: Any) -> str:
    """Tell what a type of Arrow holds: ``numbers``, ``text``, ``nothing``, or something else."""
    import pyarrow as pa

    is_ = pa.types
    if is_.is_dictionary(kind):
        return form_of(kind.value_type)
    if is_.is_null(kind):
        return "nothing"
    if is_.is_boolean(kind) or is_.is_integer(kind) or is_.is_floating(kind) or is_.is_decimal(kind):
        return "numbers"
    texts = (is_.is_string, is_.is_large_string, getattr(is_, "is_string_view", is_.is_string))
    return "text" if any(is_text(kind) for is_text in texts) else "other"


def distinct(cells: Any) -> tuple[list[Any], NDArray[np.intp], NDArray[np.bool_]]:
    """Return the distinct values of cells in the order in which they first occur, which of them each cell holds that
    holds any, and which do.
    """  # noqa: D205
    if form_of(cells.type) != "text":
        values = numbers(cells)
        kept = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), np.bool_)
        return (*_distinct_numbers(values[kept]), kept)
    coded = encoded(cells)
    indices = coded.indices
    kept = np.asarray(indices.is_valid().to_numpy(zero_copy_only=False))
    held = np.asarray(indices.drop_null().to_numpy(zero_copy_only=False)).astype(np.intp)
    dictionary = coded.dictionary.to_pylist()
    if None in dictionary:
        empty = np.array([value is None for value in dictionary])[held]
        kept[np.flatnonzero(kept)[empty]] = False
        held = held[~empty]
    # A dictionary has its own order, and may list what does not occur.
    place, codes = _numbered_by_occurrence(held, len(dictionary))
    return [str(dictionary[i]) for i in place.tolist()], codes, kept


def encoded(cells: Any) -> Any:
    """Return text as places in a dictionary."""
    import pyarrow as pa

    return cells if pa.types.is_dictionary(cells.type) else cells.dictionary_encode()


def numbered(
    few: list[Any], codes: NDArray[np.intp], kept: NDArray[np.bool_], states: Iterable[Any]
) -> NDArray[np.uint16]:
    """Return for each cell the place of its value among the states."""
    place = {state: number for number, state in enumerate(states)}
    own = np.full(len(kept), MISSING, np.uint16)
    if few:
        own[kept] = np.array([place[state] for state in few], np.uint16)[codes]
    return own


class Coder:
    """Gives cells the places of their values among known states."""

    def __init__(self, states: Iterable[Any]) -> None:
        self.states = tuple(states)
        self.lookup = Lookup.of(self.states)

    def __call__(self, cells: Any) -> NDArray[np.uint16]:
        """Return the place of each cell's value; ``MISSING`` where there is none."""
        if self.lookup is None and form_of(cells.type) == "text":
            coded = encoded(cells)
            found = Lookup.of_text(coded, self.states)(numbers(coded.indices))
            if found is not None:
                return found.codes
        if self.lookup is not None:
            found = self.lookup(numbers(cells))
            if found is not None:
                return found.codes
        return numbered(*distinct(cells), self.states)


def _distinct_numbers(values: Array) -> tuple[list[float], NDArray[np.intp]]:
    """Return the distinct numbers in the order in which they first occur, and which each cell holds."""
    if not len(values):
        return [], np.zeros(0, np.intp)
    low, high = values.min(), values.max()
    narrow = float(high) - float(low) < _NARROW and max(abs(float(low)), abs(float(high))) <= _EXACT
    if narrow and (values.dtype.kind != "f" or bool((np.floor(values) == values).all())):
        offset = values.astype(np.int64) - int(low)
        place, codes = _numbered_by_occurrence(offset, int(float(high) - float(low)) + 1)
        return [float(low) + float(v) for v in place.tolist()], codes
    occurring, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    # Minus zero is zero.
    return [float(v) + 0.0 for v in occurring[order].tolist()], np.argsort(order)[inverse]


def _numbered_by_occurrence(places: NDArray[np.int64], n_places: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return which small whole numbers occur, in the order in which they first do, and their numbers in it."""
    first = np.full(n_places, len(places), np.intp)
    # What is written last stays: so the rows go backwards.
    first[places[::-1]] = np.arange(len(places) - 1, -1, -1)
    order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(places))]
    number = np.empty(n_places, np.intp)
    number[order] = np.arange(len(order))
    return order, number[places]
