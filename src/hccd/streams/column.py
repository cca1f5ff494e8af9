"""What a column of a stream has shown so far: numbers or text, their range, and their states while these are few.

The rules by which kinds are told are those of tables (``tables/kinds.py``); they are asked of ``SeenNumbers``, which
answers as a block of numbers in memory does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError
from hccd.streams.cells import MISSING, Array, Lookup, distinct, encoded, form_of, numbered, numbers
from hccd.tables.table import MOST_STATES
from hccd.wording import counted, quoted

#: So many cells show of most measured columns what they are.
_FEW = 64


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
