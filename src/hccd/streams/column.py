"""What a column of a stream has shown so far: numbers or text, their range, and their states while these are few.

The rules by which kinds are told are those of tables (``tables/kinds.py``); they are asked of ``SeenNumbers``, which
answers as a block of numbers in memory does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.tables.state_codes import code_states
from hccd.errors import InvalidDataError
from hccd.tables.table import MOST_STATES
from hccd.wording import counted, quoted

Array = NDArray[Any]

#: So many cells show of most measured columns what they are.
_FEW = 64
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


@dataclass(eq=False)
class Seen:
    """What has been seen of a column.

    Attributes
    ----------
    name, text
        Its name; whether it holds text.
    rows, missing
        How many cells there were, and how many of them held nothing.
    low, high, whole
        The smallest and the largest number, and whether all are whole.
    states
        How often each value occurs, in the order in which they first did; None from the moment on at which they are too
        many for states, or numbers show a fraction and more than two values and are not ``declared`` states.
    """

    name: str
    text: bool = False
    declared: bool = False
    rows: int = 0
    missing: int = 0
    low: float = np.inf
    high: float = -np.inf
    whole: bool = True
    infinite: int = 0
    states: dict[Any, int] | None = field(default_factory=dict)
    lookup: Lookup | None = field(default=None, repr=False)

    def take(self, cells: Any) -> NDArray[np.uint16] | None:
        """Look at a part of the column; return the number of the state of each cell while there are states."""
        form = form_of(cells.type)
        self.rows += len(cells)
        if form == "nothing":
            self.missing += len(cells)
            return None if self.states is None else np.full(len(cells), MISSING, np.uint16)
        if (form == "text") != self.text and self.held > len(cells):
            self._refuse(form)
        self.text = form == "text"
        if self.states is None:
            if self.text:
                self.missing += cells.null_count
            else:
                self._measure(numbers(cells))
            return None
        return self._count(cells)

    def _refuse(self, further: str) -> NoReturn:
        """Refuse what other rows hold."""
        here = "text" if self.text else "numbers"
        raise InvalidDataError(
            f"column {quoted(self.name)} holds {here} in some rows and {further} further on: make it all numbers or "
            "all text, or drop it"
        )

    def _measure(self, values: Array) -> None:
        """Look at numbers."""
        if not len(values):
            return
        low, high = float(values.min()), float(values.max())
        if np.isnan(low):
            gaps = np.isnan(values)
            self.missing += int(gaps.sum())
            values = values[~gaps]
            low, high = (float(values.min()), float(values.max())) if len(values) else (np.inf, -np.inf)
        if len(values) and not (np.isfinite(low) and np.isfinite(high)):
            self.infinite += int(np.isinf(values).sum())
        self.low, self.high = min(self.low, low), max(self.high, high)
        # Most measured columns show a fraction in their first cells.
        for part in (values[:8], values):
            self.whole = self.whole and (values.dtype.kind != "f" or bool((np.floor(part) == part).all()))

    def _count(self, cells: Any) -> NDArray[np.uint16] | None:
        """Count states."""
        assert self.states is not None
        known = None
        if self.text:
            cells = encoded(cells)
            if len(cells.dictionary) <= MOST_STATES:
                known = Lookup.of_text(cells, self.states)(numbers(cells.indices))
        else:
            values = numbers(cells)
            known = None if self.lookup is None else self.lookup(values)
        if known is not None:
            # Nothing new, as almost always.
            for state, n in zip(list(self.states), known.times.tolist(), strict=False):
                self.states[state] += int(n)
                if n and not self.text:
                    self.low, self.high = min(self.low, state), max(self.high, state)
            self.missing += known.missing
            return known.codes
        if not self.text:
            self._measure(values)
            # A few cells show it of most measured columns.
            head = values[:_FEW]
            if not self.whole and not self.declared and len(np.unique(head[~np.isnan(head)])) > 2:
                self.states = None
                return None
        few, codes, kept = distinct(cells)
        if self.text:
            self.missing += len(cells) - int(kept.sum())
        if not self.text and len(set(few)) < len(few):
            raise InvalidDataError(
                f"column {quoted(self.name)} holds whole numbers beyond 2^53, and some of them are equal in double "
                "precision: write such numbers as text, or drop it",
                go_on={"drop": [self.name]},
            )
        times = np.bincount(codes, minlength=len(few)).tolist()
        for state, n in zip(few, times, strict=True):
            self.states[state] = self.states.get(state, 0) + n
        self._give_up()
        if self.states is None:
            return None
        self.lookup = None if self.text else Lookup.of(self.states)
        return numbered(few, codes, kept, self.states)

    def _give_up(self) -> None:
        """Forget the states if they are too many to be any."""
        assert self.states is not None
        measured = not self.text and not self.whole and not self.declared
        if len(self.states) > (2 if measured else MOST_STATES):
            self.states = None

    def further(self) -> Seen:
        """Return what no other rows have shown; their states have the numbers that they have here."""
        states = None if self.states is None else dict.fromkeys(self.states, 0)
        return Seen(self.name, self.text, self.declared, states=states, lookup=self.lookup)

    def merge(self, other: Seen) -> None:
        """Add what another part of the rows, which follow, has shown; states are numbered in their order."""
        if other.text != self.text and other.held:
            if self.held:
                self._refuse("text" if other.text else "numbers")
            self.text = other.text
        self.rows, self.missing, self.infinite = (
            self.rows + other.rows, self.missing + other.missing, self.infinite + other.infinite,
        )  # fmt: skip
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        self.whole = self.whole and other.whole
        if self.states is None or other.states is None:
            self.states = None
            return
        for state, n in other.states.items():
            self.states[state] = self.states.get(state, 0) + n
        self._give_up()

    def values(self) -> list[Any]:
        """Return the states in the order in which they first occur; refuse too many."""
        if self.states is None:
            raise InvalidDataError(
                f"column {quoted(self.name)} has more than {MOST_STATES:,} distinct values, too many for a discrete "
                "variable: group them or drop the column",
                go_on={"drop": [self.name]},
            )
        return list(self.states)

    @property
    def held(self) -> int:
        """How many cells hold something."""
        return self.rows - self.missing

    @property
    def measured(self) -> bool:
        """Whether these are numbers that cannot be states, whatever comes."""
        return not self.text and self.states is None and not self.whole


class SeenNumbers:
    """Columns of numbers as the rules of kinds ask about them, in the place of ``Numbers``."""

    def __init__(self, positions: Sequence[int], columns: Sequence[Seen], truths: Sequence[bool], sampled: Any) -> None:
        self.positions = np.array(positions, np.intp)
        self.columns = list(columns)
        self.truths = np.array(truths, np.bool_)
        self.low = np.array([column.low for column in columns])
        self.high = np.array([column.high for column in columns])
        self.whole = np.array([column.whole for column in columns], np.bool_)
        self.two_valued = np.array([self._states(i) == 2 for i in range(len(columns))], np.bool_)
        self._sampled = sampled

    def rows_known(self, n_samples: int) -> NDArray[np.int64]:
        """Return in how many rows each column is known."""
        return np.array([column.held for column in self.columns], np.int64)

    def whole_of_few(self, most: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which columns hold whole numbers, or truth values, with at most so many distinct values."""
        few = [column.whole and self._states(i) <= limit for i, (column, limit) in enumerate(
            zip(self.columns, most.tolist(), strict=True)
        )]  # fmt: skip
        return np.array(few, np.bool_) | self.truths

    def n_states(self, i: int) -> int:
        """Return how many distinct values a column has; more than the rows if too many to be counted."""
        states = self._states(i)
        return states if states <= MOST_STATES else self.columns[i].rows + 1

    def goes_with(self, i: int, text: Any) -> bool:
        """Whether a column goes one to one with a column of text: in the sample."""
        return bool(self._sampled(int(self.positions[i]), text))

    def _states(self, i: int) -> int:
        states = self.columns[i].states
        return MOST_STATES + 1 if states is None else len(states)


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


def refuse_infinite(columns: Sequence[Seen]) -> None:
    """Refuse infinite numbers, by column."""
    found = [column for column in columns if column.infinite]
    if found:
        named = ", ".join(
            f"{counted(column.infinite, 'infinite value')} in {quoted(column.name)}" for column in found[:5]
        )
        raise InvalidDataError(
            f"the data have {named}: remove or replace them", go_on={"drop": [column.name for column in found]}
        )
