"""The table: named columns that are known to be usable, as numbers or as discrete codes.

Everything a causal discovery run later relies on is checked when a table is made, once
(:mod:`hccd.tables.checks`). What is merely suspicious, such as constants and collinear columns, is left to
:mod:`hccd.tables.inspect`. A table says nothing about which independence test to use.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError
from hccd.tables.checks import check_shape, refuse_flaws
from hccd.tables.columns import (
    MOST_STATES,
    MOST_STATES_GUESSED,
    Array,
    Kind,
    clean_column,
    code_column,
    exceeds,
    guess_kind,
    is_text,
    is_whole,
)
from hccd.tables.wording import columns_named, listed, quoted


@dataclass(frozen=True, eq=False)
class Codes:
    """Discrete columns as small integers.

    Attributes
    ----------
    codes
        ``uint16``, rows by columns, each column contiguous in memory (Fortran order).
    cardinalities
        How many states each column has.
    states
        For each column its states, sorted; ``states[j][codes[i, j]]`` is the value in row i. Only states that
        occur are listed.
    """

    codes: NDArray[np.uint16]
    cardinalities: NDArray[np.intp]
    states: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length with unique names, free of missing and infinite values.

    Made by :meth:`from_columns`, :func:`hccd.tables.as_table` or :func:`hccd.tables.read_table`.

    Attributes
    ----------
    names
        One per column.
    columns
        Read-only arrays of bool, int64 or uint64, float64, or object holding text.
    kinds
        Discrete or continuous, as a person would guess.
    notes
        Sentences for the user on how the data were understood (a missing header, a left out column).
    """

    names: tuple[str, ...]
    columns: tuple[Array, ...]
    kinds: tuple[Kind, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def from_columns(
        cls,
        names: Sequence[str],
        columns: Sequence[Array],
        *,
        categorical: Collection[int] = (),
        notes: Sequence[str] = (),
    ) -> Table:
        """Check raw columns and bring them into normal form.

        Parameters
        ----------
        names, columns
            One name per column; the columns are copied where they have to be changed.
        categorical
            Positions of columns that are discrete by declaration, whatever their values look like.
        notes
            Passed on.

        Raises
        ------
        NotEnoughDataError
            Fewer than 2 columns or fewer than 10 rows.
        InvalidDataError
            Repeated names, missing or infinite values, or values that are neither numbers nor text.
        """
        check_shape(names, columns)
        cleaned = [clean_column(raw, categorical=i in categorical) for i, raw in enumerate(columns)]
        refuse_flaws(names, cleaned)
        usable = tuple(column for column in cleaned if isinstance(column, np.ndarray))
        kinds = tuple(Kind.DISCRETE if i in categorical else guess_kind(column) for i, column in enumerate(usable))
        return cls(tuple(names), usable, kinds, tuple(notes))

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.columns[0].size)

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.columns)

    def continuous(self) -> NDArray[np.float64]:
        """Every column as numbers.

        Returns
        -------
        numpy.ndarray
            A new ``float64`` array, rows by columns, each column contiguous in memory (Fortran order).

        Raises
        ------
        InvalidDataError
            Some columns hold text; they are named.
        """
        text = [i for i, column in enumerate(self.columns) if is_text(column)]
        if text:
            raise InvalidDataError(self._text_sentence(text))
        values = np.empty((self.n_rows, self.n_columns), dtype=np.float64, order="F")
        for i, column in enumerate(self.columns):
            values[:, i] = column
        return values

    def codes(self) -> Codes:
        """Every column as discrete codes.

        Raises
        ------
        InvalidDataError
            A column holds measurements: numbers with fractions and more than 20 distinct values, or whole
            numbers with more than 20 distinct values and fewer than two rows for each; or it has more than
            65,535 states.
        """
        measured = [
            i
            for i, (column, kind) in enumerate(zip(self.columns, self.kinds, strict=True))
            if kind is Kind.CONTINUOUS and _is_measured(column)
        ]
        if measured:
            named = columns_named([self.names[i] for i in measured])
            verb = "holds" if len(measured) == 1 else "hold"
            raise InvalidDataError(
                f"{named} {verb} continuous values, too many to be the states of a discrete variable: "
                "use a test for continuous data, or group the values into a few classes"
            )
        coded = [code_column(column) for column in self.columns]
        self._refuse_too_many_states([len(states) for _, states in coded])
        codes = np.empty((self.n_rows, self.n_columns), dtype=np.uint16, order="F")
        for i, (column_codes, _) in enumerate(coded):
            codes[:, i] = column_codes
        cardinalities = np.array([len(states) for _, states in coded], dtype=np.intp)
        codes.flags.writeable = False
        cardinalities.flags.writeable = False
        return Codes(codes, cardinalities, tuple(states for _, states in coded))

    def content_keys(self, kind: Kind) -> list[bytes]:
        """One digest per column, from its codes or from its numbers.

        Neither the names nor the order of the columns enter, so sorting by these keys gives an order that
        survives renaming and permuting. Columns of equal content have equal keys.
        """
        return column_keys(self.codes().codes if kind is Kind.DISCRETE else self.continuous())

    def _text_sentence(self, text: list[int]) -> str:
        """Name the columns of text, with two of their values each."""
        described = []
        for i in text:
            values = self.columns[i]
            seen = list(dict.fromkeys(values[:1000].tolist()))[:2]
            described.append(f"column {quoted(self.names[i])} holds text ({', '.join(map(quoted, seen))})")
        which = "it" if len(text) == 1 else "them"
        return (
            f"{listed(described)}, but a test for continuous data needs numbers: "
            f"use a test for discrete data or drop {which}"
        )

    def _refuse_too_many_states(self, cardinalities: list[int]) -> None:
        for name, states in zip(self.names, cardinalities, strict=True):
            if states > MOST_STATES:
                raise InvalidDataError(
                    f"column {quoted(name)} has {states:,} distinct values, and a discrete variable may have "
                    f"{MOST_STATES:,} at most: group the values or drop the column"
                )


def column_keys(values: Array) -> list[bytes]:
    """Digest each column of a two-dimensional array (blake2b, 16 bytes, the same on every machine).

    Examples
    --------
    >>> import numpy as np
    >>> a, b = column_keys(np.array([[0.0, 1.0], [2.0, 3.0]]))
    >>> column_keys(np.array([[1.0, 0.0], [3.0, 2.0]])) == [b, a]
    True
    """
    columns = values.astype(values.dtype.newbyteorder("<"), order="F", copy=False).T
    return [hashlib.blake2b(np.ascontiguousarray(column).data, digest_size=16).digest() for column in columns]


def _is_measured(column: Array) -> bool:
    """Whether a column of numbers has too many values to be discrete even when a user wants it to be."""
    most = max(MOST_STATES_GUESSED, column.size // 2) if is_whole(column) else MOST_STATES_GUESSED
    return exceeds(column, most)
