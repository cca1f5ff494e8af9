"""All checks of a table before learning, in one place: what the test and the graph take for granted, and is not so.

Together they cost a few hundredths of a run: large tables are looked at in part, always in the same part.
"""

from __future__ import annotations

from collections.abc import Sequence

from hccd.independence import BoundFisherZ
from hccd.independence.with_gaps import BoundWithGaps
from hccd.run.binding import Binding
from hccd.run.checks.curved import curved_relations
from hccd.run.checks.identifiers import identifiers
from hccd.run.checks.near_collinear import near_collinear
from hccd.run.checks.near_constant import near_constant
from hccd.run.checks.repeated_rows import repeated_rows
from hccd.run.checks.row_order import row_order
from hccd.run.checks.rows import few_rows
from hccd.run.checks.shapes import uncommon_shapes
from hccd.tables import Finding, FindingKind, Kind, Table


def assumptions(table: Table, binding: Binding, *, grouped: bool) -> list[Finding]:
    """Return what is found, the gravest first; ``grouped``: that rows belong together is known already."""
    ci, order = binding.ci, binding.columns
    in_order = [] if grouped else row_order(table, order)
    left_out = _known_for_worse(binding.findings)
    named = identifiers(table, left_out, in_time=any(each.kind is FindingKind.TIME_ORDER for each in in_order))
    left_out |= {i for finding in named for i in finding.columns}
    # There are enough rows if only some of them are looked at.
    every = binding.streamed is None or binding.streamed["rows"] == table.n_rows
    few = few_rows(table, ci, left_out) if every else []
    findings = [*few, *in_order, *repeated_rows(table), *named]
    findings += near_constant(table, left_out)
    if binding.suited is not None:
        continuous = [table.kinds[i] is Kind.CONTINUOUS for i in order.tolist()]
        # Numbers of few values are taken for continuous by who asks for that.
        measured = order[continuous] if any(continuous) or table.texts else order
        if isinstance(ci, BoundFisherZ) or (isinstance(ci, BoundWithGaps) and ci.describe()["name"] == "fisher-z"):
            findings += near_collinear(table, ci.correlation, order, left_out)
        else:
            findings += near_collinear(table, None, measured, left_out)
        findings += uncommon_shapes(table, measured, left_out, binding.suited)
        findings += curved_relations(table, measured, left_out, binding.suited)
    return findings


def _known_for_worse(findings: Sequence[Finding]) -> set[int]:
    """Return the columns of which something is known that makes it idle to look for more."""
    out: set[int] = set()
    for finding in findings:
        if finding.kind is FindingKind.DUPLICATE:
            out.update(finding.columns[1:])
        elif finding.kind is FindingKind.COLLINEAR:
            out.add(finding.columns[0])
        elif finding.kind in (FindingKind.CONSTANT, FindingKind.IDENTIFIER):
            out.update(finding.columns)
    return out
