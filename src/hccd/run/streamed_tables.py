"""Tests of tables bound to passes over streamed rows, where the distinct rows are too many to keep.

What looks at rows looks at the sample; whether columns vary, and which go one to one, is told by all rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.independence.counted import BoundCountedTest
from hccd.independence.tables import BoundTableTest
from hccd.run.binding import Binding
from hccd.streams.distinct import most_rows
from hccd.streams.look import Looked
from hccd.streams.tables import TableSource
from hccd.tables import Finding, FindingKind, Table
from hccd.tables.inspect import SAME_STATES, constants_named, copies_named
from hccd.wording import counted


def bind_counted(
    binding: Binding,
    looked: Looked,
    table: Table,
    states: dict[str, list[Any]],
    gaps: NDArray[np.bool_],
    complete: bool,
    note: Callable[[str], None],
) -> Binding:
    """Return the binding of a test to the sample, ``table``, as one to all rows; ``gaps`` are those of its columns.

    ``complete``: rows with gaps are left out. ``note`` hears of every pass.
    """
    assert isinstance(binding.ci, BoundTableTest)
    order = binding.columns.tolist()
    names = [table.names[i] for i in order]

    def said(passes: int, tables: int) -> None:
        note(f"pass {passes} over the rows counts {counted(tables, 'table')}")

    source = TableSource(looked.source, names, [states[name] for name in names], gaps[order], complete, said)
    n_rows = source.complete_rows() if complete else looked.n_rows
    ci = BoundCountedTest(binding.ci, source.count, n_rows, source.states, source.gaps)
    findings = [own for finding in binding.findings for own in _of_all_rows(finding, ci, table, order)]
    most = f"more than {most_rows(len(names)):,} distinct rows of states, too many to keep"
    sentence = (
        f"there are {most}: tests count their tables in passes over all {n_rows:,} rows, a score search takes "
        f"{table.n_rows:,} rows of a sample, and there are no resamples, so probabilities are unknown; to score "
        "all rows, group states or drop columns"
    )
    findings.append(Finding(FindingKind.OPTION, (), sentence))
    return replace(binding, ci=ci, n_samples=n_rows, findings=tuple(findings), reweighted=None)


def _of_all_rows(finding: Finding, ci: BoundCountedTest, table: Table, order: list[int]) -> list[Finding]:
    """Return what was found in the sample as far as it is true of all rows."""
    place = {column: v for v, column in enumerate(order)}
    if finding.kind is FindingKind.MISSING:
        return []
    if finding.kind is FindingKind.CONSTANT:
        constant = np.zeros(table.n_columns, np.bool_)
        constant[[i for i in finding.columns if not ci.varies(place[i])]] = True
        return constants_named(table, constant)
    if finding.kind is FindingKind.DUPLICATE:
        same = ci.same_states()
        left = list(finding.columns)
        groups = []
        while left:
            group = [i for i in left if i == left[0] or same[place[left[0]], place[i]]]
            left = [i for i in left if i not in group]
            groups += [group] if len(group) > 1 else []
        return copies_named(table, groups, SAME_STATES)
    return [finding]
