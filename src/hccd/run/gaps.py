"""Missing cells: what is done about them, and what is said about that and what it costs."""

from __future__ import annotations

import numpy as np

from hccd.errors import InvalidParameterError
from hccd.independence import (
    BoundCITest,
    ChiSquareTest,
    CITest,
    DegenerateGaussian,
    FisherZ,
    GTest,
    MutualInformation,
    RegressionTest,
)
from hccd.independence.imputation import TIMES, imputed
from hccd.independence.with_gaps import BoundWithGaps
from hccd.tables import Finding, FindingKind, Kind, Table, as_raw_table, mixed_columns
from hccd.tables.checks import cells_counted
from hccd.wording import counted, listed, quoted

_DONE = {
    "em": "covariances are estimated from all rows by EM",
    "testwise": "each test uses the rows that are complete in its columns",
    "impute": f"each missing cell is imputed {TIMES} times from the other cells of its row",
}


def with_rows_chosen(table: Table, missing: str) -> tuple[Table, list[Finding]]:
    """Leave out the rows with gaps if that is asked for, and refuse gaps if that is."""
    if missing not in ("rows", "refuse") or not table.n_missing.any():
        return table, []
    if missing == "refuse":
        table.refuse_gaps(missing="auto")
    said = f"the data have {_where(table)}"
    raw = as_raw_table(table).without_gaps("rows")
    return raw.table(), [Finding(FindingKind.MISSING, _concerned(table), f"{said}: {raw.notes[-1]}")]


def done_about_gaps(table: Table, spec: CITest, missing: str) -> str:
    """Return what is done about gaps for this test: by EM or test by test; refuse what does not go together."""
    by_covariances = isinstance(spec, FisherZ | DegenerateGaussian)
    if not by_covariances and not isinstance(spec, GTest | ChiSquareTest | MutualInformation | RegressionTest):
        table.refuse_gaps("a test of your own gets the columns unchanged", missing="rows")
    if missing in ("em", "impute") and not by_covariances:
        raise InvalidParameterError(
            f"missing is {missing!r}, which is for continuous and mixed columns and the tests 'fisher-z' and 'dg': "
            "choose 'testwise'",
            go_on={"missing": "testwise"},
        )
    if missing != "auto":
        return missing
    return "em" if by_covariances else "testwise"


def with_cells_drawn(table: Table) -> tuple[Table, Table]:
    """Return the table several times one below the other, its missing cells drawn (imputed); and the first of them."""
    columns = mixed_columns(table)
    values, weights = imputed(columns, table.weights)
    kinds = {kind: [i for i in range(table.n_columns) if table.kinds[i] is kind] for kind in Kind}
    stacked, first = (
        Table.from_columns(
            table.names,
            rows,
            categorical=[i for i in kinds[Kind.DISCRETE] if i not in table.ordinal],
            continuous=kinds[Kind.CONTINUOUS],
            ordinal=table.ordinal,
            weights=own,
        )
        for rows, own in ((values, weights), (values[:, : table.n_rows], table.weights))
    )
    return stacked, first


def said_about_gaps(table: Table, done: str, ci: BoundCITest) -> list[Finding]:
    """Say what is missing where, what is done about it, and how many rows pairs of columns have left."""
    there = table.observed().astype(np.float64)
    together = np.rint(there @ there.T).astype(np.int64)
    pairs = np.triu_indices(table.n_columns, 1)
    worst = int(together[pairs].argmin())
    x, y = int(pairs[0][worst]), int(pairs[1][worst])
    rows = int((~table.observed().all(axis=0)).sum())
    fewest = f"{quoted(table.names[x])} and {quoted(table.names[y])}"
    cost = f"{fewest} are observed together in the fewest rows, {together[x, y]:,}"
    if isinstance(ci, BoundWithGaps):
        cost += (
            f", and on average a pair has the information of {ci.n_samples:,.0f} of {counted(table.n_samples, 'row')}"
        )
    sentence = (
        f"the data have {_where(table)}, {100.0 * table.n_missing.sum() / there.size:.1f} % of all cells: "
        f"{_DONE[done]}; {cost} (missing 'rows' would drop {rows:,})"
    )
    findings = [Finding(FindingKind.MISSING, _concerned(table), sentence)]
    apart = [(int(a), int(b)) for a, b in zip(*pairs, strict=True) if not together[a, b]]
    if apart:
        named = listed([f"{quoted(table.names[a])} with {quoted(table.names[b])}" for a, b in apart])
        findings.append(
            Finding(
                FindingKind.MISSING,
                tuple(sorted({i for pair in apart for i in pair})),
                f"{counted(len(apart), 'pair of columns is', 'pairs of columns are')} never observed together "
                f"({named}): no edge between them can be found",
            )
        )
    return findings


def _where(table: Table) -> str:
    """Say how many cells are missing in which columns, most first."""
    order = sorted(_concerned(table), key=lambda i: (-table.n_missing[i], i))
    return cells_counted("missing", [(table.names[i], int(table.n_missing[i])) for i in order])


def _concerned(table: Table) -> tuple[int, ...]:
    return tuple(np.flatnonzero(table.n_missing).tolist())
