"""What can be found about a table or a graph learned from it, as values: the kind, the columns, and a sentence.

One list of them is made in a run. What ``hccd check`` says, what ``discover`` warns of, and what stands in
``graph.json`` and the report is this list.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class FindingKind(enum.Enum):
    """What was found."""

    CONSTANT = "constant"
    DUPLICATE = "duplicate"
    COLLINEAR = "collinear"
    IDENTIFIER = "identifier"
    DETERMINED = "determined"
    WIDE = "wide"
    TRANSFORM = "transform"
    MISSING = "missing"
    READING = "reading"
    LEFT_OUT = "left-out"
    NEAR_CONSTANT = "near-constant"
    NEAR_COLLINEAR = "near-collinear"
    ROWS = "rows"
    STATES = "states"
    SKEWED = "skewed"
    HEAVY_TAILS = "heavy-tails"
    OUTLIERS = "outliers"
    CURVED = "curved"
    TIME_ORDER = "time-order"
    GROUPED = "grouped"
    REPEATED_ROWS = "repeated-rows"
    OPTION = "option"
    OTHER = "other"
    NON_LINEAR = "non-linear"
    UNEVEN = "heteroscedastic"
    STREAMED = "streamed"


class Finding(NamedTuple):
    """One suspicious thing: its kind, the columns concerned (positions), and a sentence that names them.

    Among collinear columns the first position is the one that depends on the others; among duplicates, the one that the
    others are copies of.
    """

    kind: FindingKind
    columns: tuple[int, ...]
    sentence: str

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """Return plain data, with the columns by name."""
        return {"kind": self.kind.value, "columns": [names[i] for i in self.columns], "sentence": self.sentence}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | str, names: Sequence[str]) -> Finding:
        """Read plain data; older files have the sentence alone, and newer ones may have other kinds."""
        if isinstance(data, str):
            return cls(FindingKind.OTHER, (), data)
        known = data["kind"] in [kind.value for kind in FindingKind]
        columns = tuple(names.index(name) for name in data["columns"])
        return cls(FindingKind(data["kind"]) if known else FindingKind.OTHER, columns, str(data["sentence"]))


#: Rows are not independent of each other.
DEPENDENT_ROWS = (FindingKind.TIME_ORDER, FindingKind.GROUPED, FindingKind.REPEATED_ROWS)
_GRAVEST = (FindingKind.ROWS, FindingKind.WIDE, *DEPENDENT_ROWS)


def gravest_first(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Put what concerns every edge before what concerns some columns."""
    return tuple(sorted(findings, key=lambda finding: finding.kind not in _GRAVEST))


def copies(findings: Sequence[Finding]) -> list[tuple[int, int]]:
    """Return the pairs (original, copy) among what was found: equal columns, and linear functions of one other."""
    pairs = []
    for finding in findings:
        if finding.kind is FindingKind.DUPLICATE:
            pairs += [(finding.columns[0], copy) for copy in finding.columns[1:]]
        elif finding.kind is FindingKind.COLLINEAR and len(finding.columns) == 2:
            pairs.append((finding.columns[1], finding.columns[0]))
    return sorted(pairs)
