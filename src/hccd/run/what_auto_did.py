"""What is said about the transform that ``auto`` chose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hccd.independence.transforms import outlying_cells, outlying_rows
from hccd.tables import Finding, FindingKind, Table
from hccd.wording import counted, listed, quoted

Floats = NDArray[np.float64]


def what_auto_did(
    transform: str, table: Table, measured: Sequence[int], columns: Floats, beside: Floats | None = None
) -> list[Finding]:
    """Say what ``auto`` did to the columns of the table, if it did something."""
    if transform == "none":
        return []
    weights, concerned = table.weights, []
    told = "the transform 'none' uses the values as they are"
    if transform == "trim":
        rows = np.flatnonzero(outlying_rows(columns, weights)) + 1
        numbers = listed([f"{row:,}" for row in rows.tolist()])
        said = (
            f"{counted(len(rows), 'row is', 'rows are')} far from all others in many columns and left out "
            f"({'row' if len(rows) == 1 else 'rows'} {numbers})"
        )
    elif transform == "trim-cells":
        found = outlying_cells(columns, weights, beside)
        cells = sorted((-int(own.sum()), int(i)) for own, i in zip(found, measured, strict=True) if own.any())
        concerned = sorted(i for _, i in cells)
        where = listed([f"{-n:,} in {quoted(table.names[i])}" for n, i in cells])
        said = (
            f"{counted(int(found.sum()), 'cell contradicts', 'cells contradict')} the rest of the row, as errors do, "
            f"and {'is' if found.sum() == 1 else 'are'} replaced by values that fit ({where})"
        )
        told = "if they are true values, use the transform 'none'"
    elif transform == "curves":
        said = "many relations are curved, so squares and cubes of the values are used as well"
    else:
        said = (
            "ranks are more strongly correlated than values, as with outliers or curved relations, so normal scores of "
            "the ranks are used"
        )
    return [Finding(FindingKind.TRANSFORM, tuple(concerned), f"{said}: {told}")]
