"""The table: named columns that are known to be usable, as numbers or as discrete codes.

Everything a causal discovery run later relies on is checked when a table is made, once
(:mod:`hccd.tables.checks`). What is merely suspicious, such as constants and collinear columns, is left to
:mod:`hccd.tables.inspect`. A table says nothing about which independence test to use.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError, all_of
from hccd.tables.checks import cells_counted, check_one_kind, flaw_problems, shape_problems
from hccd.tables.clean import Cleaned, clean_columns
from hccd.tables.codes import Codes
from hccd.tables.columns import Array, Kind, RawColumn
from hccd.tables.kinds import guessed_kinds_of
from hccd.tables.numbers import MOST_STATES_GUESSED, Numbers
from hccd.tables.texts import Text
from hccd.wording import columns_named, counted, listed, quoted

MOST_STATES = 65_535
"""Codes are ``uint16``."""

#: Squares of numbers between these powers of two, and their sums, are neither infinite nor zero; and a safe power.
_USUAL, _SAFE = 480, 1000


def usual_scale(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return powers of two that bring columns of extreme values, from ``low`` to ``high``, to a usual size; else 1."""
    exponent = np.frexp(np.maximum(np.abs(low), np.abs(high)))[1]
    return np.ldexp(1.0, np.where(np.abs(exponent) > _USUAL, np.clip(-exponent, -_SAFE, _SAFE), 0))


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length with unique names and finite values, some of which may be missing.

    Made by :meth:`from_columns`, :func:`hccd.tables.as_table` or :func:`hccd.tables.read_table`.

    Attributes
    ----------
    names
        One per column.
    blocks
        The columns of numbers, those of one type together.
    texts
        The columns of text, by position.
    kinds
        Discrete or continuous, as a person would guess.
    notes
        Sentences for the user on how the data were understood (a missing header, a left out column).
    nominal, ordinal, quantities
        Positions of the columns that were declared to be discrete, ordinal and continuous.
    left_out
        Sentences on columns that were left out because they could not be used.
    weights
        The weight of each row (:mod:`hccd.tables.weights`); None if all are 1.
    weighted_by
        The column that held the weights; empty if there was none.
    by_date
        Whether the rows are sorted by a column of dates that was left out.
    digest
        A digest of the file that the table was read from, after unpacking; empty if there was none.
    """

    names: tuple[str, ...]
    blocks: tuple[Numbers, ...]
    texts: Mapping[int, Text]
    kinds: tuple[Kind, ...]
    notes: tuple[str, ...] = ()
    nominal: frozenset[int] = frozenset()
    ordinal: frozenset[int] = frozenset()
    quantities: frozenset[int] = frozenset()
    left_out: tuple[str, ...] = ()
    weights: NDArray[np.float64] | None = None
    weighted_by: str = ""
    by_date: bool = False
    digest: str = ""

    @classmethod
    def from_columns(
        cls,
        names: Sequence[str],
        columns: Sequence[RawColumn] | Array,
        *,
        categorical: Collection[int] = (),
        continuous: Collection[int] = (),
        ordinal: Collection[int] = (),
        notes: Sequence[str] = (),
        weights: NDArray[np.float64] | None = None,
    ) -> Table:
        """Check raw columns and bring them into normal form.

        Parameters
        ----------
        names, columns
            One name per column; the columns, or a two-dimensional array with a row for each column, are copied.
        categorical
            Positions of columns that are discrete by declaration, whatever their values look like.
        continuous
            Positions of columns that are continuous by declaration.
        ordinal
            Positions of columns whose numbers are states in their order.
        notes
            Passed on.
        weights
            How much each row counts.

        Raises
        ------
        NotEnoughDataError
            Fewer than 2 columns or fewer than 10 rows.
        InvalidDataError
            Repeated names, infinite values, columns without any, or values that are neither numbers nor text.
        """
        problems = shape_problems(names, columns, weights)
        if problems and len({len(column) for column in columns}) != 1:
            raise all_of(problems)
        cleaned = clean_columns(columns, categorical)
        if problems or cleaned.flaws:
            problems += flaw_problems(names, cleaned.flaws).values()
            raise all_of(problems)
        return cls.from_cleaned(names, cleaned, categorical, continuous, notes, ordinal, weights)

    @classmethod
    def from_cleaned(
        cls,
        names: Sequence[str],
        cleaned: Cleaned,
        categorical: Collection[int] = (),
        continuous: Collection[int] = (),
        notes: Sequence[str] = (),
        ordinal: Collection[int] = (),
        weights: NDArray[np.float64] | None = None,
    ) -> Table:
        """Make a table of columns that were checked before."""
        table = cls(tuple(names), cleaned.blocks, cleaned.texts, (), tuple(notes), weights=weights)
        return table.declared(categorical, continuous, ordinal)

    def declared(
        self, discrete: Collection[int] = (), continuous: Collection[int] = (), ordinal: Collection[int] = ()
    ) -> Table:
        """Return the table with columns of a declared kind, whatever they hold.

        Raises
        ------
        InvalidDataError
            A column is of two kinds, or is to be continuous or ordinal and holds text.
        """
        check_one_kind(self.names, discrete, continuous, ordinal)
        for positions, what in ((continuous, "continuous"), (ordinal, "ordinal")):
            words = sorted(set(self.texts) & set(positions))
            if words:
                but = f"cannot be {what}: leave as discrete"
                if what == "ordinal":
                    but += ", number the states in their order"
                raise InvalidDataError(self._text_sentence(words, but))
        states, numbers, ranks = frozenset(discrete), frozenset(continuous), frozenset(ordinal)
        nominal = (self.nominal | states) - numbers - ranks
        ordered = (self.ordinal | ranks) - numbers - states
        quantities = (self.quantities | numbers) - states - ranks
        coded = nominal | ordered | frozenset(self.texts)
        kinds = guessed_kinds_of(self.n_columns, self.n_samples, self.blocks, self.texts, coded, quantities)
        return replace(self, kinds=kinds, nominal=nominal, ordinal=ordered, quantities=quantities)

    def part(self, columns: Sequence[int]) -> Table:
        """Return a table of some of the columns, in their order and of the same kinds."""
        place = {i: new for new, i in enumerate(columns)}

        def kept(positions: Iterable[int]) -> frozenset[int]:
            return frozenset(place[i] for i in positions if i in place)

        blocks = (block.part(place) for block in self.blocks)
        return Table(
            tuple(self.names[i] for i in columns),
            tuple(block for block in blocks if len(block.positions)),
            {place[i]: text for i, text in self.texts.items() if i in place},
            tuple(self.kinds[i] for i in columns),
            self.notes,
            kept(self.nominal),
            kept(self.ordinal),
            kept(self.quantities),
            self.left_out,
            self.weights,
            self.weighted_by,
            self.by_date,
            self.digest,
        )

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.blocks[0].values.shape[1] if self.blocks else self.texts[0].codes.size)

    @property
    def n_samples(self) -> int:
        """The number of rows, or the sum of their weights."""
        return self.n_rows if self.weights is None else int(self.weights.sum())

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.names)

    @cached_property
    def n_missing(self) -> NDArray[np.int64]:
        """How many cells each column misses."""
        missing = np.zeros(self.n_columns, dtype=np.int64)
        for block in self.blocks:
            missing[block.positions] = self.n_rows - block.n_observed
        for i, text in self.texts.items():
            missing[i] = np.count_nonzero(text.missing)
        return missing

    def observed(self) -> NDArray[np.bool_]:
        """Which cells have a value, columns by rows."""
        there = np.ones((self.n_columns, self.n_rows), dtype=np.bool_)
        for block in self.blocks:
            if block.gaps.any():
                there[block.positions] = ~np.isnan(block.values)
        for i, text in self.texts.items():
            there[i] = ~text.missing
        return there

    def refuse_gaps(self, who: str = "", **go_on: str) -> None:
        """Refuse missing values, which ``who`` cannot handle; the message names the options that help."""
        if self.n_missing.any():
            found = [(self.names[i], int(self.n_missing[i])) for i in np.flatnonzero(self.n_missing)]
            rows = int((~self.observed().all(axis=0)).sum())
            raise InvalidDataError(
                f"the data have {cells_counted('missing', found)}{f', and {who}' if who else ''}: remove or impute "
                f"them, or choose how to handle them: missing 'rows' drops {rows:,} of "
                f"{counted(self.n_rows, 'row')}, dropping these columns loses {len(found):,} of "
                f"{counted(self.n_columns, 'column')}",
                go_on=go_on,
            )

    @cached_property
    def columns(self) -> tuple[Array, ...]:
        """Read-only arrays of bool, int64 or uint64, float64, or object holding text; NaN or None where cells miss."""
        columns = {i: text.cells() for i, text in self.texts.items()}
        for block in self.blocks:
            columns.update(zip(block.positions.tolist(), block.values, strict=True))
        return tuple(columns[i] for i in range(self.n_columns))

    @cached_property
    def whole(self) -> NDArray[np.bool_]:
        """Which columns hold whole numbers, or truth values, only."""
        whole = np.zeros(self.n_columns, dtype=np.bool_)
        for block in self.blocks:
            whole[block.positions] = block.whole
        return whole

    @cached_property
    def numbered(self) -> frozenset[int]:
        """Positions of discrete columns of whole numbers that are too many to be called few."""
        return frozenset(
            i
            for block in self.blocks
            for i in block.positions[
                block.whole & ~block.whole_of_few(np.full(len(block.positions), MOST_STATES_GUESSED))
            ].tolist()
            if self.kinds[i] is Kind.DISCRETE
        )

    def continuous(self) -> NDArray[np.float64]:
        """Every column as numbers, for the caller to keep.

        Returns
        -------
        numpy.ndarray
            A new ``float64`` array, rows by columns, each column contiguous in memory (Fortran order).

        Raises
        ------
        InvalidDataError
            Some columns hold text; they are named.
        """
        return self.numbers().copy(order="F")

    def numbers(self) -> NDArray[np.float64]:
        """Every column as numbers, read-only: as :meth:`continuous`, without a copy where none is needed."""
        return self._numbers

    @cached_property
    def _numbers(self) -> NDArray[np.float64]:
        if self.texts:
            raise InvalidDataError(self._text_sentence(sorted(self.texts)), go_on={"test": "dg"})
        if len(self.blocks) == 1 and self.blocks[0].values.dtype == np.float64:
            return self.blocks[0].values.T
        values = np.empty((self.n_columns, self.n_rows))
        for block in self.blocks:
            values[block.positions] = block.values
        values.flags.writeable = False
        return values.T

    def numbers_of_usual_size(self) -> NDArray[np.float64]:
        """As :meth:`numbers`, with columns of extreme values multiplied by a power of two, to prevent overflow."""
        values, scales = self.numbers(), self.scales
        return values if scales is None else values * scales

    @cached_property
    def scales(self) -> NDArray[np.float64] | None:
        """What brings each column to a usual size, exactly; None if nothing is extreme."""
        scales = np.ones(self.n_columns)
        for block in self.blocks:
            scales[block.positions] = usual_scale(block.low.astype(np.float64), block.high.astype(np.float64))
        return None if (scales == 1.0).all() else scales

    def codes(self) -> Codes:
        """Every column as discrete codes.

        Raises
        ------
        InvalidDataError
            A column holds measurements: numbers with fractions and more than 20 distinct values, or whole
            numbers with more than 20 distinct values and fewer than two rows for each; or it has more than
            65,535 states.
        """
        return self._codes

    @cached_property
    def _codes(self) -> Codes:
        self._refuse_measurements()
        if len(self.blocks) == 1 and not self.texts:
            codes, states = self.blocks[0].codes()
        else:
            codes = np.empty((self.n_columns, self.n_rows), dtype=np.uint16)
            states = np.empty(self.n_columns, dtype=np.int64)
            for block in self.blocks:
                codes[block.positions], states[block.positions] = block.codes()
            for i, text in self.texts.items():
                codes[i], states[i] = text.codes.astype(np.uint16, copy=False), len(text.states)
        self._refuse_too_many_states(states)
        codes.flags.writeable = False
        states.flags.writeable = False
        return Codes(codes.T, states, self.n_missing > 0, self.blocks, self.texts)

    def _refuse_measurements(self) -> None:
        if Kind.CONTINUOUS not in self.kinds:
            return
        measured = [
            int(block.positions[i])
            for block in self.blocks
            for i in range(len(block.positions))
            if self.kinds[block.positions[i]] is Kind.CONTINUOUS and block.is_measured(i, self.n_samples)
        ]
        if measured:
            named = columns_named([self.names[i] for i in sorted(measured)])
            verb = "holds" if len(measured) == 1 else "hold"
            raise InvalidDataError(
                f"{named} {verb} continuous values, too many to be the states of a discrete variable: "
                "use a test for continuous data, or group the values into a few classes",
                go_on={"test": "auto"},
            )

    def _text_sentence(self, text: list[int], but: str = "") -> str:
        """Name the columns of text, with two of their values each."""
        described = []
        for i in text:
            own = self.texts[i]
            seen = list(dict.fromkeys(own.codes[~own.missing][:1000].tolist()))[:2]
            values = ", ".join(quoted(own.states[code]) for code in seen)
            described.append(f"column {quoted(self.names[i])} holds text ({values})")
        which = "it" if len(text) == 1 else "them"
        if but:
            return f"{listed(described)} and {but}, or drop {which}"
        return (
            f"{listed(described)}, but a test for continuous data needs numbers: "
            f"use a test for discrete data, 'dg' for both kinds, or drop {which}"
        )

    def _refuse_too_many_states(self, cardinalities: NDArray[np.int64]) -> None:
        for i in np.flatnonzero(cardinalities > MOST_STATES)[:1].tolist():
            raise InvalidDataError(
                f"column {quoted(self.names[i])} has {cardinalities[i]:,} distinct values, and a discrete variable "
                f"may have {MOST_STATES:,} at most: group the values or drop the column",
                go_on={"drop": [self.names[i]]},
            )
