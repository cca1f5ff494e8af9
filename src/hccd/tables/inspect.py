"""What is suspicious about a table though it can be used: constants, duplicates, collinear columns.

These are the commonest reasons for strange graphs and failing tests, so the user hears about them by name
before a run. Nothing is removed or changed here, and nothing is an error.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.tables.columns import MOST_STATES_GUESSED, Kind
from hccd.tables.table import Table, column_keys
from hccd.tables.wording import columns_named, counted, listed, quoted

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

# A column whose spread is this small beside its size differs by rounding only.
_CONSTANT = 1e-14
# Residual of a standardised column on others, below which they determine it: far above the rounding of
# float64 data, far below anything measured.
_EXACT = 1e-7
# A column determined to within _EXACT forces an eigenvalue of the correlation matrix below _EXACT squared;
# the rest is rounding in the matrix itself.
_NEARLY_SINGULAR = 1e-10
_PERFECT = 1.0 - 1e-12
_IN_COMBINATION = 1e-6


class FindingKind(enum.Enum):
    """What was found."""

    CONSTANT = "constant"
    DUPLICATE = "duplicate"
    COLLINEAR = "collinear"
    IDENTIFIER = "identifier"
    WIDE = "wide"


class Finding(NamedTuple):
    """One suspicious thing: its kind, the columns concerned (positions), and a sentence that names them.

    Among collinear columns the first position is the one that depends on the others.
    """

    kind: FindingKind
    columns: tuple[int, ...]
    sentence: str


def inspect_table(table: Table, kind: Kind, correlation: Floats | None = None) -> list[Finding]:
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

    Returns
    -------
    list of Finding
        Empty for unsuspicious data. Discrete columns count as duplicates also when their states have
        different names. Collinear sets are only looked for when there are more rows than columns, apart from
        columns that are a linear function of one other column.
    """
    if kind is Kind.DISCRETE:
        return _inspect_codes(table)
    values = table.continuous()
    size = np.abs(values).max(axis=0)
    constant = values.max(axis=0) - values.min(axis=0) <= _CONSTANT * size
    groups = _same_keys(column_keys(values), ~constant)
    findings = _constants(table, constant) + _duplicates(table, groups, "hold the same values")
    distinct = ~constant
    distinct[[position for group in groups for position in group[1:]]] = False
    return findings + _collinear(table, values, np.flatnonzero(distinct), correlation) + _wide(table)


def _inspect_codes(table: Table) -> list[Finding]:
    """Inspect discrete columns."""
    coded = table.codes()
    constant = coded.cardinalities == 1
    relabelled = np.zeros_like(coded.codes, order="F")
    for i in np.flatnonzero(~constant):
        relabelled[:, i] = _by_first_occurrence(coded.codes[:, i], int(coded.cardinalities[i]))
    groups = _same_keys(column_keys(relabelled), ~constant)
    findings = _constants(table, constant)
    findings += _duplicates(table, groups, "tell the same, up to the names of their states")
    findings += _identifiers(table, coded.cardinalities)
    return findings + _wide(table)


def _by_first_occurrence(codes: NDArray[np.uint16], states: int) -> Ints:
    """Renumber the states in the order in which the rows show them, whatever they are called."""
    first = np.empty(states, dtype=np.intp)
    # Of several assignments to one place the last stays: going backwards, that is the first row.
    first[codes[::-1]] = np.arange(codes.size - 1, -1, -1)
    rank = np.empty(states, dtype=np.intp)
    rank[np.argsort(first)] = np.arange(states)
    return rank[codes]


def _constants(table: Table, constant: NDArray[np.bool_]) -> list[Finding]:
    positions = np.flatnonzero(constant).tolist()
    if not positions:
        return []
    named = columns_named([table.names[i] for i in positions])
    what = "has the same value in every row" if len(positions) == 1 else "have the same value in every row"
    sentence = f"{named} {what} and can have no edges: drop what does not vary"
    return [Finding(FindingKind.CONSTANT, tuple(positions), sentence)]


def _same_keys(keys: Sequence[bytes], among: NDArray[np.bool_]) -> list[list[int]]:
    """Group the columns of equal content."""
    groups: dict[bytes, list[int]] = {}
    for i in np.flatnonzero(among).tolist():
        groups.setdefault(keys[i], []).append(i)
    return [group for group in groups.values() if len(group) > 1]


def _duplicates(table: Table, groups: Sequence[Sequence[int]], what: str) -> list[Finding]:
    return [
        Finding(
            FindingKind.DUPLICATE,
            tuple(group),
            f"{columns_named([table.names[i] for i in group])} {what}: keep one of them, "
            "since no test can tell them apart, and edges around them may be lost or doubled",
        )
        for group in groups
    ]


def _identifiers(table: Table, cardinalities: Ints) -> list[Finding]:
    """Discrete columns with hardly two rows of the same state."""
    rows = table.n_rows
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


def _wide(table: Table) -> list[Finding]:
    if table.n_columns < table.n_rows:
        return []
    sentence = (
        f"there are {counted(table.n_columns, 'column')} and only {counted(table.n_rows, 'row')}: "
        "weak edges will be missed, and large conditioning sets cannot be tested"
    )
    return [Finding(FindingKind.WIDE, (), sentence)]


def _collinear(table: Table, values: Floats, positions: Ints, correlation: Floats | None) -> list[Finding]:
    """Columns that others determine exactly, each with those others."""
    if positions.size < 2:
        return []
    standardised: Floats | None = None
    if correlation is None:
        standardised = _standardised(values, positions)
        among = standardised.T @ standardised
    else:
        among = correlation[np.ix_(positions, positions)]
    sets: list[tuple[int, ...]] = []
    # Each column with the first earlier one that determines it; such pairs are found in wide tables too.
    perfect = np.triu(np.abs(among) >= _PERFECT, k=1)
    multiple = perfect.any(axis=0)
    sets += [(j, int(perfect[:, j].argmax())) for j in np.flatnonzero(multiple).tolist()]
    left = np.flatnonzero(~multiple)
    rest = among[np.ix_(left, left)]
    if left.size < values.shape[0] and _nearly_singular(rest):
        left = left[_involved(rest)]
        standardised = _standardised(values, positions) if standardised is None else standardised
        sets += [tuple(int(left[i]) for i in relation) for relation in _relations(standardised[:, left])]
    return [_collinear_finding(table, [int(positions[i]) for i in found]) for found in sorted(sets)]


def _standardised(values: Floats, positions: Ints) -> Floats:
    """Centre the columns and scale them to length 1, without overflow for very large numbers."""
    chosen = values[:, positions]
    chosen /= np.abs(chosen).max(axis=0)
    chosen -= chosen.mean(axis=0)
    chosen /= np.sqrt(np.einsum("ij,ij->j", chosen, chosen))
    return chosen


def _nearly_singular(correlation: Floats) -> bool:
    """Whether the smallest eigenvalue is next to nothing, by the cheapest factorisation there is."""
    shifted = correlation.copy()
    shifted[np.diag_indices_from(shifted)] -= _NEARLY_SINGULAR
    try:
        np.linalg.cholesky(shifted)
    except np.linalg.LinAlgError:
        return True
    return False


def _involved(correlation: Floats) -> NDArray[np.bool_]:
    """Tell which columns take part in a near singularity, so that the costly part is done for them alone."""
    from scipy.linalg import eigh

    _, vectors = eigh(correlation, subset_by_value=(-np.inf, _NEARLY_SINGULAR), check_finite=False)
    involved: NDArray[np.bool_] = np.linalg.norm(vectors, axis=1) > _IN_COMBINATION
    return involved


def _relations(standardised: Floats) -> list[list[int]]:
    """Find the exact linear relations between columns: the dependent column first, then those it is made of.

    Pivoted QR gives the rank and a basis of the null space. Its rows are then reduced from the last column
    backwards, so that each relation tells a column by columns that come before it, and by as few as possible.
    """
    from scipy.linalg import qr, solve_triangular

    r, pivots = qr(standardised, mode="r", pivoting=True, check_finite=False)
    n = standardised.shape[1]
    sizes = np.abs(np.diagonal(r))
    rank = int((sizes > _EXACT).sum())
    if rank == n:
        return []
    null = np.zeros((n - rank, n))
    null[:, pivots[:rank]] = -solve_triangular(r[:rank, :rank], r[:rank, rank:]).T
    null[np.arange(n - rank), pivots[rank:]] = 1.0
    relations = []
    for row, dependent in enumerate(_reduce_from_the_right(null)):
        used = np.flatnonzero(np.abs(null[row]) > _IN_COMBINATION)
        relations.append([dependent, *(i for i in used.tolist() if i != dependent)])
    return relations


def _reduce_from_the_right(null: Floats) -> list[int]:
    """Bring the rows into reduced echelon form, in place, with pivots as far right as can be; return them."""
    pivots: list[int] = []
    for column in range(null.shape[1] - 1, -1, -1):
        row = len(pivots)
        if row == null.shape[0]:
            break
        best = row + int(np.abs(null[row:, column]).argmax())
        if abs(null[best, column]) <= _IN_COMBINATION:
            continue
        null[[row, best]] = null[[best, row]]
        null[row] /= null[row, column]
        others = np.arange(null.shape[0]) != row
        null[others] -= np.outer(null[others, column], null[row])
        pivots.append(column)
    return pivots


def _collinear_finding(table: Table, positions: Sequence[int]) -> Finding:
    dependent, *others = positions
    named = listed([quoted(table.names[i]) for i in others])
    sentence = (
        f"column {quoted(table.names[dependent])} is an exact linear function of {named}: drop one of them, "
        "since tests that involve them all are undefined"
    )
    return Finding(FindingKind.COLLINEAR, tuple(positions), sentence)
