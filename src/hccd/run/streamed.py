"""From streamed rows to a test that knows them: what a table in memory is to ``binding.py``.

A sample of rows is an ordinary table. What looks at rows looks at it: checks of the data, the choice of a transform,
the fit. Kinds of columns, states, correlations and counts are of all rows. So the test that is bound, and the graph,
are those of the table in memory, where that can be had.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError, InvalidParameterError
from hccd.independence import ChiSquareTest, CITest, FisherZ, GTest, MutualInformation
from hccd.independence.degenerate_gaussian import DegenerateGaussian
from hccd.run.binding import Binding, bind_table
from hccd.run.gaps import done_about_gaps
from hccd.run.left_out import most_states, said_of_free_text, said_of_row_numbers, without_columns
from hccd.run.options import Options
from hccd.run.streamed_moments import bind_moments
from hccd.run.streamed_tables import bind_counted
from hccd.streams import Stream
from hccd.streams.cells import MISSING, Coder
from hccd.streams.coded_rows import CodedRows
from hccd.streams.column import Seen, SeenNumbers
from hccd.streams.distinct import Distinct
from hccd.streams.keys import stream_keys
from hccd.streams.look import Looked, look
from hccd.streams.passes import summed
from hccd.tables import Finding, FindingKind, Kind, RawTable, Table, as_raw_table
from hccd.tables.checks import cells_counted
from hccd.tables.kinds import guessed_kinds_of
from hccd.tables.selection import selections
from hccd.tables.table import MOST_STATES
from hccd.tables.texts import Text
from hccd.wording import counted, listed, quoted

_OTHER_TEST = (
    "streamed rows are kept as counts or correlations, which this test cannot use: choose 'fisher-z', 'dg', 'g', "
    "'chi2' or 'mi', or give a sample of the rows as a table"
)
_WHY_ROWS = (
    ", since there are too many patterns of missing cells to keep correlations for each, or outlying rows are left "
    "out; where few rows are complete, drop columns with many gaps instead"
)
_TOO_MANY_PATTERNS = (
    "missing is 'em', but there are too many patterns of missing cells to keep correlations for each, or outlying rows "
    "are to be left out: choose 'rows', drop columns with missing values, or choose another transform"
)
_TABLE_TESTS = (GTest, ChiSquareTest, MutualInformation)


@dataclass(frozen=True, eq=False)
class Streamed:
    """Streamed rows after the first pass: what it showed, the sample as a table, and sentences on what was left out."""

    looked: Looked
    table: Table
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, stream: Stream, options: Options) -> Streamed:
        """Look at all rows once."""
        _refuse_options(stream, options)
        looked = look(stream.source, stream.names, options.n_jobs, _states_declared(stream, options))
        raw, findings = _declared(looked, stream, options)
        table = raw.table()
        other = [name for name in table.names if name not in looked.seen]
        if other:
            raise InvalidDataError(
                f"column {quoted(other[0])} holds neither numbers nor text: write it as text, or drop it",
                go_on={"drop": other},
            )
        table = replace(
            table, kinds=_kinds(looked, table), notes=(*stream.source.notes, *table.notes), digest=stream.digest
        )
        what = f"{counted(looked.n_rows, 'row')} of {stream.source.what} were streamed"
        sampled = f"; checks of the data, of transforms and of the fit looked at a sample of {table.n_rows:,} rows"
        said = what + (sampled if table.n_rows < looked.n_rows else "")
        left_out = [Finding(FindingKind.LEFT_OUT, (), sentence) for sentence in table.left_out]
        return cls(looked, table, (Finding(FindingKind.STREAMED, (), said), *left_out, *findings))

    def described(self) -> dict[str, Any]:
        """Return what ``graph.json`` says of it."""
        return {"rows": self.looked.n_rows, "sample": self.table.n_rows}

    def without(self, table: Table, found: list[Finding]) -> Streamed:
        """Return the same with fewer columns."""
        return replace(self, table=table, findings=(*self.findings, *found))

    def seen(self, i: int) -> Seen:
        """Return what a column of the table has shown."""
        return self.looked.seen[self.table.names[i]]

    def without_row_numbers(self) -> Streamed:
        """Leave out whole numbers that count the rows one by one, unless somebody said what they are."""
        table, n_rows = self.table, self.looked.n_rows
        said = table.nominal | table.ordinal | table.quantities
        counting = set()
        for i in set(range(table.n_columns)) - set(table.texts) - said:
            own = self.seen(i)
            may = own.whole and not own.missing and own.low in (0, 1) and own.high == own.low + n_rows - 1
            if may and bool((table.columns[i] == self.looked.places + own.low).all()):
                counting.add(i)
        return self.without(*without_columns(table, counting, said_of_row_numbers(counting)))

    def without_free_text(self) -> Streamed:
        """Leave out text, and the numbers of texts, that name rows rather than states."""
        table, mixed = self.table, Kind.CONTINUOUS in self.table.kinds
        most = most_states(self.looked.n_rows, mixed)
        named = {*table.texts, *(set(range(table.n_columns)) - table.nominal if mixed else ())}
        named = {i for i in named if table.kinds[i] is Kind.DISCRETE}
        free = {i for i in named if len(self.seen(i).states or range(MOST_STATES + 1)) > most}
        return self.without(*without_columns(table, free, said_of_free_text(free, most)))

    @cached_property
    def n_missing(self) -> NDArray[np.int64]:
        """How many cells each column misses, of all rows."""
        return np.array([self.seen(i).missing for i in range(self.table.n_columns)], np.int64)

    def bound(
        self, spec: CITest, transform: str, missing: str, *, named: bool, note: Callable[[str], None]
    ) -> tuple[Table, Binding]:
        """Bind a test to all rows; return the table to go on with: the distinct rows, or the sample.

        ``note`` hears of passes over the rows that are made later.
        """
        if missing == "refuse" and self.n_missing.any():
            raise InvalidDataError(f"{self._gaps()}: remove or impute them, or choose how to handle them")
        if isinstance(spec, _TABLE_TESTS):
            return self._bound_to_tables(spec, transform, missing, named, note)
        if not isinstance(spec, FisherZ | DegenerateGaussian):
            raise InvalidParameterError(_OTHER_TEST)
        table, gaps = self.table, bool(self.n_missing.any())
        if gaps and missing not in ("auto", "em", "rows"):
            raise InvalidParameterError(
                f"missing is {missing!r}, which needs all rows in memory, but these are streamed: choose 'em' or "
                "'rows', or drop the columns with missing values"
            )
        binding, said = None, []
        if gaps and missing != "rows":
            binding = bind_moments(self.looked, table, spec, transform, named=named, em=True)
            if binding is not None:
                said, done = [self._estimated(binding)], "em"
            elif missing == "em":
                raise InvalidParameterError(_TOO_MANY_PATTERNS)
        if binding is None:
            if gaps:
                table = replace(as_raw_table(table).without_gaps("rows").table(), kinds=table.kinds)
            binding = bind_moments(self.looked, table, spec, transform, named=named)
            assert binding is not None
            done = "rows"
            if gaps:
                why = _WHY_ROWS if missing != "rows" else ""
                said = [self._rows_left(round(binding.n_samples or 0), why)]
        if gaps:
            binding = replace(binding, findings=(*said, *binding.findings), missing=done)
        described = self.described() | {"blocks": 0 if binding.units is None else len(binding.units)}
        return table, replace(binding, streamed=described)

    def _estimated(self, binding: Binding) -> Finding:
        """Say that EM uses all rows, and what they are worth."""
        worth = getattr(binding.ci, "n_samples", 0.0)
        sentence = (
            f"{self._gaps()}: covariances are estimated from all rows by EM; on average a pair has the information of "
            f"{worth:,.0f} of {counted(self.looked.n_rows, 'row')}"
        )
        return Finding(FindingKind.MISSING, tuple(np.flatnonzero(self.n_missing).tolist()), sentence)

    def _rows_left(self, complete: int, why: str) -> Finding:
        """Say that complete rows are used."""
        sentence = f"{self._gaps()}: the {counted(complete, 'complete row')} of {self.looked.n_rows:,} are used{why}"
        return Finding(FindingKind.MISSING, tuple(np.flatnonzero(self.n_missing).tolist()), sentence)

    def _gaps(self) -> str:
        """Say how many cells are missing where."""
        order = sorted(np.flatnonzero(self.n_missing).tolist(), key=lambda i: (-self.n_missing[i], i))
        cells = [(self.table.names[i], int(self.n_missing[i])) for i in order]
        return f"the data have {cells_counted('missing', cells)}"

    def _bound_to_tables(
        self, spec: CITest, transform: str, missing: str, named: bool, note: Callable[[str], None]
    ) -> tuple[Table, Binding]:
        """Bind a test of tables to the distinct rows, or to passes over all of them if these are too many."""
        states = self._states()
        distinct = self._distinct_rows(list(self.table.names))
        gaps = bool(self.n_missing.any())
        complete = missing == "rows" and gaps
        done = done_about_gaps(self.table, spec, missing) if gaps else None
        table = self.table if distinct is None else self._distinct_table(states, *distinct)
        if complete and table.n_missing.any():
            table = replace(as_raw_table(table).without_gaps("rows").table(), kinds=table.kinds)
        binding = bind_table(table, spec, transform, missing, named=named, keys=self._keys(states))
        described = self.described()
        if distinct is None:
            binding = bind_counted(binding, self.looked, table, states, self.n_missing > 0, complete, note)
        else:
            described |= {"distinct_rows": table.n_rows}
        findings = list(binding.findings)
        if complete:
            findings.insert(0, self._rows_left(round(binding.n_samples or 0), ""))
        elif gaps:
            # The table has other numbers of them.
            del findings[: [each.kind for each in findings[:1]].count(FindingKind.MISSING)]
            where = tuple(np.flatnonzero(self.n_missing).tolist())
            said = f"{self._gaps()}: each test uses the rows that are complete in its columns"
            findings.insert(0, Finding(FindingKind.MISSING, where, said))
        return table, replace(binding, findings=tuple(findings), streamed=described, missing=done)

    def _states(self) -> dict[str, list[Any]]:
        """Return the states of each column in their order; refuse what is not discrete, by name."""
        table, looked = self.table, self.looked
        # Refuses measurements by name.
        table.codes()
        return {name: sorted(looked.seen[name].values()) for name in table.names}

    def _keys(self, states: dict[str, list[Any]]) -> list[bytes]:
        """Return the digests of the columns of all rows."""
        coders = {name: Coder(own) for name, own in states.items()}

        def codes(batch: Any, name: str) -> NDArray[np.uint16]:
            own = coders[name](batch.column(batch.schema.get_field_index(name)))
            # A missing cell comes behind the states.
            return np.minimum(own, np.uint16(len(states[name])))

        return stream_keys(self.looked, list(states), codes)

    def _distinct_table(
        self, states: dict[str, list[Any]], rows: NDArray[np.uint16], counts: NDArray[np.int64]
    ) -> Table:
        """Return distinct rows, whose states have the numbers of their first occurrence, as a table with weights."""
        table = self.table
        columns: list[Any] = []
        for i, name in enumerate(states):
            first = list(self.looked.seen[name].states or ())
            own = rows[:, i].astype(np.int64)
            gaps = own == MISSING
            own[gaps] = len(first)
            if i in table.texts:
                columns.append(Text.numbered(np.where(gaps, -1, own), first or [""]))
            else:
                values = np.append(np.array(first, np.float64), np.nan)[own]
                truth = self.looked.sample.schema.field(name).type == "bool" and not gaps.any()
                columns.append(values.astype(bool) if truth else values)
        made = Table.from_columns(
            list(states), columns, categorical=table.nominal, continuous=table.quantities, ordinal=table.ordinal,
            notes=table.notes, weights=counts.astype(np.float64),
        )  # fmt: skip
        return replace(made, kinds=table.kinds, left_out=table.left_out, by_date=table.by_date, digest=table.digest)

    def _distinct_rows(self, names: list[str]) -> tuple[NDArray[np.uint16], NDArray[np.int64]] | None:
        """Return the distinct rows of these columns, in a fixed order, with their counts; None if they are too many."""
        looked, found = self.looked, self.looked.distinct
        if found is None or (found.full and len(names) < len(looked.seen)):
            coders = [Coder(looked.seen[name].states or ()) for name in names]
            made = summed(looked.source, names, lambda _: CodedRows(names, coders), looked.n_jobs)
            assert made is not None
            found = made.distinct
            order = list(range(len(names)))
        else:
            place = {name: i for i, name in enumerate(looked.seen)}
            order = [place[name] for name in names]
        counted_rows = None if found.full else found.rows()
        if counted_rows is None or found.full:
            return None
        # Of fewer columns some rows are equal.
        rows, counts = counted_rows
        again = Distinct()
        again.add(np.ascontiguousarray(rows.T[order]), counts)
        return again.rows()


def _refuse_options(stream: Stream, options: Options) -> None:
    """Refuse what needs all rows at hand."""
    reading, instead = stream.reading, ""
    if options.names is not None:
        instead = "names cannot be given for streamed rows: rename the columns in their source"
    elif options.weights is not None:
        instead = "weights cannot be used with streamed rows: leave them out, or give a table that fits into memory"
    elif options.discretize is not None or reading.discretize is not None:
        instead = "discretize needs all rows in memory, but these are streamed: write the classes into the data"
    elif reading.drop_missing == "columns":
        instead = "drop_missing 'columns' needs all rows in memory, but these are streamed: name the columns with drop"
    elif "auto" in (options.alpha, options.price):
        name = "alpha" if options.alpha == "auto" else "price"
        instead = f"{name} is 'auto', which holds out rows, and these are streamed: give a number"
    elif options.transform in ("ranks", "trim-cells"):
        instead = (
            f"transform {options.transform!r} needs all rows in memory, but these are streamed: choose 'normal-scores'"
        )
    elif options.test == "regression" or not (isinstance(options.test, str) or hasattr(options.test, "bind_columns")):
        instead = _OTHER_TEST
    if instead:
        raise InvalidParameterError(instead)


def _states_declared(stream: Stream, options: Options) -> frozenset[str]:
    """Return the columns that are said to hold states, which may be numbers with fractions."""
    names, reading = stream.names, stream.reading
    chosen = [
        selections(names, {"take as discrete": own.discrete, "take as ordinal": own.ordinal})
        for own in (reading, options)
    ]
    return frozenset(names[i] for each in chosen for columns in each for i in columns)


def _declared(looked: Looked, stream: Stream, options: Options) -> tuple[RawTable, list[Finding]]:
    """Return the sample as columns of declared kinds, without those that the sample has no value of."""
    raw = as_raw_table(looked.sample)
    reading = stream.reading
    raw = raw.declared(reading.discrete, reading.continuous, reading.ordinal)
    raw = raw.declared(options.discrete, options.continuous, options.ordinal)
    gone = [
        i for i, name in enumerate(raw.names)
        if name in looked.seen and looked.seen[name].held
        and looked.sample.column(i).is_null(nan_is_null=True).to_numpy().all()
    ]  # fmt: skip
    if not gone:
        return raw, []
    named = listed([quoted(raw.names[i]) for i in gone])
    sentence = f"{named}: no row of the sample has a value, so this is left out"
    return raw.without(gone), [Finding(FindingKind.LEFT_OUT, (), sentence)]


class _SeenText:
    """A column of text as the rules of kinds ask about it."""

    def __init__(self, seen: Seen, codes: NDArray[Any]) -> None:
        self.states = list(seen.states) if seen.states is not None else [""] * seen.rows
        self.codes = codes
        self.rows = seen.rows

    def __len__(self) -> int:
        return self.rows


def _kinds(looked: Looked, table: Table) -> tuple[Kind, ...]:
    """Tell the kinds of columns by all rows, with the rules for tables."""
    place = [i for i in range(table.n_columns) if i not in table.texts]
    seen = [looked.seen[name] for name in table.names]
    texts = {i: _SeenText(seen[i], text.codes) for i, text in table.texts.items()}

    def goes_with(i: int, text: _SeenText) -> bool:
        codes = np.unique(table.columns[i], return_inverse=True)[1]
        pairs = len(set(zip(codes.tolist(), text.codes.tolist(), strict=True)))
        return pairs == len(np.unique(codes)) == len(np.unique(text.codes))

    truths = [looked.sample.schema.field(table.names[i]).type == "bool" for i in place]
    blocks = [SeenNumbers(place, [seen[i] for i in place], truths, goes_with)] if place else []
    coded = table.nominal | table.ordinal | frozenset(table.texts)
    return guessed_kinds_of(table.n_columns, looked.n_rows, blocks, texts, coded, table.quantities)
