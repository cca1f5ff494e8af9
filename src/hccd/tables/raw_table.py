"""A table before it is judged: columns as they came, with what the user wants done to them.

Every step gives a new value and leaves the old one alone. The steps are those a user can ask for: leave columns out,
take cells as missing, drop what is missing, group measurements into classes, say which columns are discrete. Only
:meth:`RawTable.table` refuses what cannot be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError, InvalidParameterError, NotEnoughDataError
from hccd.tables.bins import equal_frequency
from hccd.tables.checks import FEWEST_COLUMNS, FEWEST_ROWS, check_one_kind
from hccd.tables.clean import Cleaned, clean_columns
from hccd.tables.columns import TIMES, Array, Kind, RawColumn, is_missing
from hccd.tables.gaps import missing_cells, rows_with_gaps, taken, with_marks
from hccd.tables.kinds import guessed_kinds_of
from hccd.tables.selection import selected, selections
from hccd.tables.table import Table
from hccd.tables.weights import of_kish_size, row_weights
from hccd.wording import columns_named, counted, quoted

DropMissing = Literal["rows", "columns"]


@dataclass(frozen=True, eq=False)
class RawTable:
    """Named columns that nobody has looked at yet.

    Attributes
    ----------
    names, columns
        One name per column; the columns, or an array with a row for each.
    discrete, continuous, ordinal
        Positions of the columns that are such by declaration.
    notes
        Sentences for the user on how the data were understood.
    left_out
        Sentences on columns that were left out because they could not be used.
    weights, weighted_by
        How much each row counts, and the column that said so.
    by_date
        Whether the rows are sorted by a column of dates that was left out.
    digest
        Of the file that the table was read from; empty if there was none.
    """

    names: tuple[str, ...]
    columns: Sequence[RawColumn] | Array
    discrete: frozenset[int] = frozenset()
    continuous: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()
    ordinal: frozenset[int] = frozenset()
    left_out: tuple[str, ...] = ()
    weights: NDArray[np.float64] | None = None
    weighted_by: str = ""
    by_date: bool = False
    digest: str = ""

    @property
    def n_rows(self) -> int:
        """Number of rows; that of the first column, should they differ."""
        return len(self.columns[0]) if len(self.columns) else 0

    def table(self) -> Table:
        """Check the columns and make the table; see :meth:`Table.from_columns` for what is refused."""
        usable = self.without_unusable()
        table = Table.from_columns(
            usable.names,
            usable.columns,
            categorical=usable.discrete,
            continuous=usable.continuous,
            ordinal=usable.ordinal,
            notes=usable.notes,
            weights=usable.weights,
        )
        return usable._with_what_is_known(table)

    def table_of(self, cleaned: Cleaned) -> Table:
        """Make the table of columns that have been looked at already, and have no flaw."""
        table = Table.from_cleaned(
            self.names, cleaned, self.discrete, self.continuous, self.notes, self.ordinal, self.weights
        )
        return self._with_what_is_known(table)

    def _with_what_is_known(self, table: Table) -> Table:
        """Return a table of these columns with what is known of them besides what they hold."""
        names = ("left_out", "weighted_by", "by_date", "digest")
        return replace(table, **{name: getattr(self, name) for name in names})

    def weighted(self, weights: Any) -> RawTable:
        """Take the weights of the rows from a column, which leaves the table, or as they are given.

        Rows of weight 0 are left out, and a sentence says how many.
        """
        if weights is None:
            return self
        if isinstance(weights, str | Integral):
            chosen = selected(self.names, [weights], "take weights from")
            if len(chosen) != 1:
                raise InvalidDataError(
                    f"weights {quoted(weights)} are {counted(len(chosen), 'column')}: name the one that holds them"
                )
            name, raw = self.names[chosen[0]], self.without(chosen)
            column, what = self.columns[chosen[0]], f"the weights in column {quoted(name)}"
        else:
            name, raw, what = "", self, "the weights"
            column = np.asarray(weights)
            if column.ndim != 1:
                raise InvalidDataError(
                    f"the weights have {counted(column.ndim, 'dimension')}: give one number for each row"
                )
        if not raw.names or len({len(each) for each in self.columns}) > 1:
            # Refused as such when the table is made.
            return raw
        found = row_weights(column, self.n_rows, what)
        raw = replace(raw, weights=found.weights, weighted_by=name, notes=(*raw.notes, found.sentence))
        if found.kept is None:
            return raw
        gone = int((~found.kept).sum())
        said = f"{counted(gone, 'row has', 'rows have')} the weight 0 and {'is' if gone == 1 else 'are'} left out"
        kept = [taken(column, found.kept) for column in raw.columns]
        return replace(raw, columns=kept, left_out=(*raw.left_out, said))

    def without_unusable(self) -> RawTable:
        """Leave out dates and times, and columns that hold nothing, if enough columns remain; a sentence says which."""
        if type(self.columns) is np.ndarray and self.columns.dtype.kind in "biu":
            return self
        return self._without_empty()._without_times()

    def _without_empty(self) -> RawTable:
        """Leave out columns that hold nothing."""
        empty = [i for i, column in enumerate(self.columns) if len(column) and _is_empty(column)]
        if not empty or len(self.names) - len(empty) < FEWEST_COLUMNS:
            return self
        named = columns_named([self.names[i] for i in empty])
        verb, are = ("holds", "is") if len(empty) == 1 else ("hold", "are")
        said = f"{named} {verb} no value and {are} left out"
        return replace(self.without(empty), left_out=(*self.left_out, said))

    def _without_times(self) -> RawTable:
        """Leave out dates and times."""
        times = [i for i, column in enumerate(self.columns) if i not in self.discrete and _is_time(column)]
        if not times or len(self.names) - len(times) < FEWEST_COLUMNS:
            return self
        named = columns_named([self.names[i] for i in times])
        verb, are, them = ("holds", "is", "it") if len(times) == 1 else ("hold", "are", "them")
        said = (
            f"{named} {verb} dates or times and {are} left out: turn {them} into numbers, such as days since a start, "
            f"or declare {them} discrete"
        )
        by_date = self.by_date or any(_in_order(self.columns[i]) for i in times)
        return replace(self.without(times), left_out=(*self.left_out, said), by_date=by_date)

    def declared(
        self,
        discrete: Iterable[object] | str,
        continuous: Iterable[object] | str,
        ordinal: Iterable[object] | str = (),
    ) -> RawTable:
        """Say which columns are discrete, continuous and ordinal, whatever they look like."""
        states, numbers, ranks = selections(
            self.names,
            {"take as discrete": discrete, "take as continuous": continuous, "take as ordinal": ordinal},
        )
        check_one_kind(self.names, states, numbers, ranks)
        columns = self.columns
        if states and any(_is_time(columns[i]) for i in states):
            columns = [_spelled(column) if i in states else column for i, column in enumerate(columns)]
        return replace(
            self,
            columns=columns,
            discrete=(self.discrete | frozenset(states)) - frozenset(numbers) - frozenset(ranks),
            continuous=(self.continuous | frozenset(numbers)) - frozenset(states) - frozenset(ranks),
            ordinal=(self.ordinal | frozenset(ranks)) - frozenset(states) - frozenset(numbers),
        )

    def without(self, columns: Iterable[int]) -> RawTable:
        """Leave columns out."""
        gone = set(columns)
        if not gone:
            return self
        kept = [i for i in range(len(self.names)) if i not in gone]
        place = {i: new for new, i in enumerate(kept)}
        return replace(
            self,
            names=tuple(self.names[i] for i in kept),
            columns=[self.columns[i] for i in kept],
            discrete=frozenset(place[i] for i in self.discrete if i in place),
            continuous=frozenset(place[i] for i in self.continuous if i in place),
            ordinal=frozenset(place[i] for i in self.ordinal if i in place),
        )

    def indexed(self, index: Iterable[object] | str) -> RawTable:
        """Leave out the columns that only name the rows; a note tells if they name some twice."""
        chosen = selected(self.names, index, "take as index")
        notes = []
        if chosen and self.n_rows:
            labels = list(zip(*(np.asarray(_cells(self.columns[i])).tolist() for i in chosen), strict=True))
            repeated = len(labels) - len(set(map(str, labels)))
            if repeated:
                notes.append(
                    f"{counted(repeated, 'row')} of {len(labels):,} repeat a label of the index "
                    f"{columns_named([self.names[i] for i in chosen])}: rows that belong together are not independent"
                )
        return replace(self.without(chosen), notes=(*self.notes, *notes))

    def marked(self, marks: Sequence[str]) -> RawTable:
        """Take cells that say one of the marks as missing."""
        return replace(self, columns=[with_marks(column, marks) for column in self.columns]) if marks else self

    def without_gaps(self, what: DropMissing | str | None) -> RawTable:
        """Leave out the rows, or the columns, with missing values; a note says how many that were."""
        if what is None:
            return self
        if what not in ("rows", "columns"):
            raise InvalidParameterError(f"drop_missing is {what!r}; choose 'rows' or 'columns'")
        if what == "columns":
            gone = [i for i, column in enumerate(self.columns) if missing_cells(column).any()]
            if not gone:
                return self
            named = columns_named([self.names[i] for i in gone])
            left = len(self.names) - len(gone)
            if left < FEWEST_COLUMNS:
                raise NotEnoughDataError(
                    f"without the columns that have missing values too few are left ({left:,} of {len(self.names):,}): "
                    "drop the rows instead, or impute the values"
                )
            verb = "has" if len(gone) == 1 else "have"
            note = f"{named} {verb} missing values and {'is' if len(gone) == 1 else 'are'} left out"
            return replace(self.without(gone), notes=(*self.notes, note))
        gaps = rows_with_gaps(self.columns, self.n_rows)
        lost = int(gaps.sum())
        if not lost:
            return self
        if self.n_rows - lost < FEWEST_ROWS:
            raise NotEnoughDataError(
                f"without the rows that have missing values too few are left ({self.n_rows - lost:,} of "
                f"{self.n_rows:,}): drop the columns with most missing values, or impute the values"
            )
        note = f"{lost:,} of {counted(self.n_rows, 'row')} have missing values and are left out"
        kept = [taken(column, ~gaps) for column in self.columns]
        weights = None if self.weights is None else of_kish_size(self.weights[~gaps])
        return replace(self, columns=kept, notes=(*self.notes, note), weights=weights)

    def discretized(self, bins: Mapping[str, int] | int | None) -> RawTable:
        """Group measurements into classes of about equal size, by column or in all continuous columns.

        Columns that are flawed stay as they are, for others to refuse.
        """
        if not bins and bins != 0:
            return self
        wanted = self._bins_by_column(bins)
        columns: list[RawColumn] = list(self.columns)
        notes = []
        for i, n_bins in sorted(wanted.items()):
            values = self._numbers(i)
            if values is None:
                continue
            held = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), np.bool_)
            if not 2 <= n_bins <= max(2, len(values) // 2):
                raise InvalidParameterError(
                    f"{quoted(self.names[i])} is to have {counted(n_bins, 'class', 'classes')}; "
                    f"give a number from 2 to {len(values) // 2:,}"
                )
            classes = equal_frequency(values[held], n_bins)
            between = np.full(len(values), np.nan)
            between[held] = classes
            columns[i] = classes if held.all() else between
            found = int(classes.max()) + 1
            if found < n_bins:
                notes.append(
                    f"column {quoted(self.names[i])} gives {counted(found, 'class', 'classes')} instead of "
                    f"{n_bins:,}, since many of its values are equal"
                )
        return replace(self, columns=columns, discrete=self.discrete | frozenset(wanted), notes=(*self.notes, *notes))

    def _bins_by_column(self, bins: Mapping[str, int] | int) -> dict[int, int]:
        if isinstance(bins, Mapping):
            wanted = {}
            for item, n_bins in bins.items():
                wanted.update(dict.fromkeys(selected(self.names, [item], "discretize"), int(n_bins)))
            return wanted
        cleaned = clean_columns(self.columns, self.discrete)
        kinds = guessed_kinds_of(
            len(self.names), self.n_rows, cleaned.blocks, cleaned.texts, self.discrete | self.ordinal, self.continuous
        )
        numbers = {i for block in cleaned.blocks for i in block.positions.tolist()} - set(cleaned.flaws)
        return {i: int(bins) for i in numbers if kinds[i] is Kind.CONTINUOUS}

    def _numbers(self, i: int) -> Array | None:
        """Return a column as numbers; None if it is flawed; text has no classes."""
        cleaned = clean_columns([self.columns[i]])
        if cleaned.flaws:
            return None
        if cleaned.texts:
            raise InvalidDataError(
                f"column {quoted(self.names[i])} holds text, which has its states already: leave it out of discretize"
            )
        return np.asarray(cleaned.blocks[0].values[0])


def _is_empty(column: RawColumn) -> bool:
    """Whether a column holds nothing; most show something in the first row."""
    if isinstance(column, np.ndarray) and (column.dtype.kind not in "fMmO" or column.ndim != 1):
        return bool(np.ma.is_masked(column) and np.ma.getmaskarray(column).all())
    if isinstance(column, np.ndarray) and not isinstance(column, np.ma.MaskedArray) and not is_missing(column[0]):
        return False
    return bool(missing_cells(column).all())


def _cells(column: RawColumn) -> Array:
    return column if isinstance(column, np.ndarray) else column.cells()


def _is_time(column: RawColumn) -> bool:
    if not isinstance(column, np.ndarray) or column.ndim != 1 or column.dtype.kind not in "MmO":
        return False
    return column.dtype.kind != "O" or isinstance(next((c for c in column if not is_missing(c)), None), TIMES)


def _in_order(column: RawColumn) -> bool:
    """Whether dates or times never go back; those that cannot be compared are in no order."""
    values = np.asarray(column)[~missing_cells(column)]
    try:
        return bool((values[1:] >= values[:-1]).all())
    except TypeError:
        return False


def _spelled(column: RawColumn) -> RawColumn:
    """Spell out dates and times, so that they can be states."""
    if not isinstance(column, np.ndarray) or column.dtype.kind not in "Mm":
        return column
    gaps = missing_cells(column)
    cells = np.asarray(column).astype(str).astype(object)
    cells[gaps] = None
    return cells
