"""Pairs of continuous columns that depend on each other though no correlation sees it: no edge will be found there."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from hccd.independence.transforms import normal_scores
from hccd.run.checks.shapes import values_of
from hccd.run.suited import FEWEST_ROWS, Suited, relations
from hccd.tables import Finding, FindingKind, Table
from hccd.wording import counted, listed, quoted

#: More columns than so many, in canonical order, are not looked at.
MOST_COLUMNS = 300


def curved_relations(
    table: Table, measured: NDArray[np.int64], left_out: Collection[int], done: Suited
) -> list[Finding]:
    """Name pairs that are not correlated but not independent either; ``measured`` is in canonical order."""
    chosen = [i for i in measured.tolist() if i not in left_out][:MOST_COLUMNS]
    if table.n_rows < FEWEST_ROWS or len(chosen) < 2 or done.normal or done.transform == "curves":
        return []
    # By position in the table, so that the order of the names in the sentence is the reader's.
    positions = np.sort(chosen)
    _, curved = relations(normal_scores(values_of(table, positions)))
    pairs = [(int(positions[x]), int(positions[y])) for x, y in np.argwhere(curved)]
    if not pairs:
        return []
    shown = listed([f"{quoted(table.names[x])} with {quoted(table.names[y])}" for x, y in pairs])
    sentence = (
        f"{counted(len(pairs), 'relation is', 'relations are')} curved and invisible to correlations ({shown}: one "
        "depends on the square of the other): edges there may be missing, so compare with the transform 'curves'"
    )
    return [Finding(FindingKind.CURVED, tuple(sorted({i for pair in pairs for i in pair})), sentence)]
