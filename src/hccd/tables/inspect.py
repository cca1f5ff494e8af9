"""What is suspicious about a table though it can be used: constants, duplicates, collinear columns.

These are the commonest reasons for strange graphs and failing tests, so the user hears about them by name
before a run. Nothing is removed or changed here, and nothing is an error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.tables.columns import by_first_occurrence
from hccd.tables.codes import Codes
from hccd.tables.collinear import (
    exact_correlation,
    involved,
    nearly_singular,
    null_relations,
    perfect_pairs,
    perfectly_correlated,
    standardised,
)
from hccd.tables.columns import Kind
from hccd.tables.findings import Finding, FindingKind
from hccd.tables.keys import column_keys
from hccd.tables.numbers import MOST_STATES_GUESSED
from hccd.tables.relations import linear_relation, plain_name
from hccd.tables.table import Table
from hccd.wording import columns_named, counted, listed, quoted

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

# A column whose spread is this small beside its size differs by rounding only.
_CONSTANT = 1e-14
# The chance that any two columns of a table are called copies though they are independent.
_FALSE_CLAIM = 0.01
_HANGS = "{} only one edge, to that column"
#: What is said of columns that go one to one.
SAME_STATES = "have the same states under other names"


def inspect_table(
    table: Table, kind: Kind, correlation: Floats | None = None, order: NDArray[np.int64] | None = None
) -> list[Finding]:
    """Look for what commonly goes wrong.

    Parameters
    ----------
    table
        The data.
    kind
        How the columns will be used; it must fit them (see :meth:`Table.continuous`, :meth:`Table.codes`).
    correlation
        The correlation matrix of ``table.continuous()``, if it is at hand; rows and columns of constants are
        not looked at. Not used for discrete data.
    order
        Which column each row of ``correlation`` is about; by default the columns in their order.

    Returns
    -------
    list of Finding
        Empty for unsuspicious data. Discrete columns count as duplicates also when their states have
        different names. Collinear sets are only looked for when there are more rows than columns, apart from
        columns that are a linear function of one other column.
    """
    positions = np.arange(table.n_columns) if order is None else order
    if kind is Kind.DISCRETE:
        return _inspect_codes(table)
    if table.n_missing.any():
        return _inspect_gaps(table)
    constant = _constant(table)
    findings = constants_named(table, constant)
    if correlation is None:
        correlation = exact_correlation(table.numbers(), constant)[np.ix_(positions, positions)]
    varying = ~constant[positions]
    # Of columns that tell the same, the name decides which is called the copy: nothing else would stay the same if rows
    # were rounded otherwise.
    by_name = np.array(sorted(range(table.n_columns), key=lambda row: _shortest(table.names[positions[row]])))
    related = perfectly_correlated(correlation, varying)
    related = np.array(
        [row for row in by_name[np.isin(by_name, related)] if not _by_chance(table, int(positions[row]))], np.int64
    )
    duplicates: list[list[int]] = []
    if related.size:
        keys = column_keys(table.numbers()[:, positions[related]])
        duplicates = [[int(related[i]) for i in group] for group in _same_keys(keys)]
        varying[[row for group in duplicates for row in group[1:]]] = False
    findings += copies_named(table, [positions[group].tolist() for group in duplicates], "hold the same values")
    relations = perfect_pairs(correlation, related[varying[related]])
    varying[[dependent for dependent, _ in relations]] = False
    if np.count_nonzero(varying) < table.n_rows and nearly_singular(correlation, varying):
        left = by_name[varying[by_name]]
        left = left[involved(correlation[np.ix_(left, left)])]
        found = null_relations(standardised(table.numbers()[:, positions[left]]))
        relations += [[int(left[i]) for i in relation] for relation in found]
    # Of two columns alone either may be called the copy; of more, all are copies of one.
    of = [original for _, original, *others in relations if not others] + [group[0] for group in duplicates]
    collinear = [
        _collinear_finding(table, positions[rows].tolist(), either=of.count(rows[1]) == 1) for rows in relations
    ]
    return findings + sorted(collinear, key=lambda finding: finding.columns)


def _inspect_gaps(table: Table) -> list[Finding]:
    """Inspect numbers with missing ones: copies by all cells, linear relations by the complete rows if they suffice."""
    findings = constants_named(table, _constant(table))
    copies = [group for group in _same_keys(column_keys(table.numbers())) if not _by_chance(table, group[0])]
    findings += copies_named(table, copies, "hold the same values")
    known = {i for each in findings for i in each.columns[each.kind is FindingKind.DUPLICATE :]}
    rows = table.observed().all(axis=0)
    left = [i for i in range(table.n_columns) if i not in known]
    if len(left) > 1 and rows.sum() >= 2 * len(left) + 10:
        complete = Table.from_columns([table.names[i] for i in left], table.numbers().T[left][:, rows])
        related = [each for each in inspect_table(complete, Kind.CONTINUOUS) if each.kind is FindingKind.COLLINEAR]
        findings += [each._replace(columns=tuple(left[i] for i in each.columns)) for each in related]
    return findings


def inspect_kinds(table: Table) -> list[Finding]:
    """Look through a table of both kinds, one kind at a time."""
    findings: list[Finding] = []
    for kind in Kind:
        chosen = [i for i, own in enumerate(table.kinds) if own is kind]
        if chosen:
            found = inspect_table(table.part(chosen), kind)
            findings += [each._replace(columns=tuple(chosen[i] for i in each.columns)) for each in found]
    return findings


def _inspect_codes(table: Table) -> list[Finding]:
    """Inspect discrete columns; of copies the first by name comes first."""
    coded = table.codes()
    constant = coded.cardinalities == 1
    groups = [sorted(group, key=lambda i: _shortest(table.names[i])) for group in _telling_the_same(coded)]
    groups = [group for group in groups if not constant[group[0]] and not _by_chance(table, group[0])]
    findings = constants_named(table, constant)
    findings += copies_named(table, groups, SAME_STATES)
    findings += _identifiers(table, coded.cardinalities)
    return findings


def _telling_the_same(coded: Codes) -> list[list[int]]:
    """Group the columns whose rows have the same states, whatever these are called."""
    # Such columns have the same counts, and most tables have no two of those.
    column = np.repeat(np.arange(len(coded.first) - 1), np.diff(coded.first))
    ordered = coded.counts[np.lexsort((coded.counts, column))]
    ends = zip(coded.first.tolist(), coded.first[1:].tolist(), strict=False)
    counts = [ordered[start:end].tobytes() for start, end in ends]
    may = np.array(sorted(i for group in _same_keys(counts) for i in group), np.int64)
    if not len(may):
        return []
    codes = np.ascontiguousarray(coded.codes.T[may])
    # States in the order in which the rows show them.
    renamed = np.empty(codes.shape, dtype=np.uint16)
    by_first_occurrence(codes, (coded.cardinalities + coded.gaps)[may], renamed)
    return [may[group].tolist() for group in _same_keys(column_keys(renamed.T))]


def _constant(table: Table) -> NDArray[np.bool_]:
    """Tell which columns of numbers differ by rounding at most."""
    constant = np.zeros(table.n_columns, dtype=np.bool_)
    for block in table.blocks:
        low, high = block.low.astype(np.float64), block.high.astype(np.float64)
        with np.errstate(over="ignore"):
            constant[block.positions] = high - low <= _CONSTANT * np.maximum(np.abs(low), np.abs(high))
    return constant


def constants_named(table: Table, constant: NDArray[np.bool_]) -> list[Finding]:
    """Name the columns that never vary."""
    positions = np.flatnonzero(constant).tolist()
    if not positions:
        return []
    named = columns_named([table.names[i] for i in positions])
    what = "has the same value in every row" if len(positions) == 1 else "have the same value in every row"
    sentence = f"{named} {what} and can have no edges: drop constant columns"
    return [Finding(FindingKind.CONSTANT, tuple(positions), sentence)]


def _same_keys(keys: Sequence[bytes]) -> list[list[int]]:
    """Group the columns of equal content."""
    if len(set(keys)) == len(keys):
        return []
    groups: dict[bytes, list[int]] = {}
    for i, key in enumerate(keys):
        groups.setdefault(key, []).append(i)
    return [group for group in groups.values() if len(group) > 1]


def _by_chance(table: Table, i: int) -> bool:
    """Whether independent columns with the values of this one may well be the same, up to the names of the values.

    Few rows of two states are soon the same: among 1,000 columns of ten fair coins every one has a double.
    """
    text = table.texts.get(i)
    values = table.columns[i] if text is None else text.codes[~text.missing]
    counts = np.unique(values[values == values], return_counts=True)[1].astype(np.float64)
    rows = float(counts.sum())
    if len(counts) < 2 or 2 * len(counts) > rows:
        return len(counts) < 2
    same = rows * math.log(float(np.square(counts / rows).sum())) + math.lgamma(len(counts) + 1.0)
    return same + math.log(table.n_columns * (table.n_columns - 1) / 2.0) > math.log(_FALSE_CLAIM)


def copies_named(table: Table, groups: Sequence[Sequence[int]], what: str) -> list[Finding]:
    """Name the columns of each group as copies of its first one; ``what`` they have in common."""
    return [
        Finding(
            FindingKind.DUPLICATE,
            tuple(group),
            f"{_copy_of(table, group)} (they {what}): {_HANGS.format('it has' if len(group) == 2 else 'they have')}",
        )
        for group in groups
    ]


def _shortest(name: str) -> tuple[int, str]:
    """Return what names are sorted by: so X2 comes before X10."""
    return len(name), name


def _copy_of(table: Table, group: Sequence[int]) -> str:
    """Write ``x is a copy of y``."""
    original, *others = (plain_name(table.names[i]) for i in group)
    return f"{listed(others)} {'is a copy' if len(others) == 1 else 'are copies'} of {original}"


def _identifiers(table: Table, cardinalities: Ints) -> list[Finding]:
    """Discrete columns with hardly two rows of the same state."""
    rows = table.n_samples
    return [
        Finding(
            FindingKind.IDENTIFIER,
            (i,),
            f"column {quoted(table.names[i])} has {counted(states, 'state')} in {counted(rows, 'row')} "
            "and looks like an identifier: drop it or group its states",
        )
        for i, states in enumerate(cardinalities.tolist())
        if states == rows or (states > MOST_STATES_GUESSED and 2 * states > rows)
    ]


def _collinear_finding(table: Table, positions: Sequence[int], *, either: bool) -> Finding:
    """Write a relation as plainly as can be; of two columns the first is the copy unless ``either`` may be."""
    by_name = sorted(positions, key=lambda i: _shortest(table.names[i]))
    names = [table.names[i] for i in by_name]
    dependent, equation = linear_relation(np.ascontiguousarray(table.numbers()[:, by_name].T), names)
    if len(positions) == 2:
        copy, original = (by_name[dependent], by_name[1 - dependent]) if either else positions
        equation = f"{equation} in every row" if equation else "they are perfectly correlated"
        sentence = f"{_copy_of(table, (original, copy))} ({equation}): {_HANGS.format('it has')}"
        return Finding(FindingKind.COLLINEAR, (copy, original), sentence)
    named = listed([quoted(table.names[i]) for i in positions[1:]])
    said = equation or f"column {quoted(table.names[positions[0]])} is an exact linear function of {named}"
    sentence = (
        f"{said} in every row: tests that involve all of these columns are undefined and remove no edge, so drop one "
        "of them to avoid extra edges"
    )
    return Finding(FindingKind.COLLINEAR, (positions[0], *sorted(positions[1:])), sentence)
