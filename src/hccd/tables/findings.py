"""What can be found about a table, as values: the kind, the columns, and a sentence that names them."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple


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
    NON_LINEAR = "non-linear"
    UNEVEN = "heteroscedastic"


class Finding(NamedTuple):
    """One suspicious thing: its kind, the columns concerned (positions), and a sentence that names them.

    Among collinear columns the first position is the one that depends on the others; among duplicates, the one that the
    others are copies of.
    """

    kind: FindingKind
    columns: tuple[int, ...]
    sentence: str


def copies(findings: Sequence[Finding]) -> list[tuple[int, int]]:
    """Return the pairs (original, copy) among what was found: equal columns, and linear functions of one other."""
    pairs = []
    for finding in findings:
        if finding.kind is FindingKind.DUPLICATE:
            pairs += [(finding.columns[0], copy) for copy in finding.columns[1:]]
        elif finding.kind is FindingKind.COLLINEAR and len(finding.columns) == 2:
            pairs.append((finding.columns[1], finding.columns[0]))
    return sorted(pairs)
