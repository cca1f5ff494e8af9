"""What separated two variables that are not adjacent, and in which cluster that was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hccd.wrapper import ALL_STAGES, STAGES

if TYPE_CHECKING:
    from hccd.result.hccd_result import HCCDResult


@dataclass(frozen=True)
class Removal:
    """Why two variables are not adjacent: the separating set, and where it was found."""

    x: str
    y: str
    given: tuple[str, ...]
    p_value: float
    stage: str
    cluster: str


def removal_of(result: HCCDResult, i: int, j: int) -> Removal | None:
    """Return what separated the variables i < j of a result, or None."""
    x, y, tree = result.names[i], result.names[j], result.tree
    if result.marginal.independent[i, j]:
        cluster = _meeting_cluster(result, i, j)
        stage = STAGES[0] if tree.layout().height[cluster] == 0 else STAGES[1]
        return Removal(x, y, (), result.marginal.p_value(i, j), stage, tree.path(cluster))
    separations = result.removals.separations
    row = separations.find(i, j)
    if row is None:
        return None
    given = tuple(result.names[z] for z in separations.given_of(row))
    stage, path = ALL_STAGES[result.removals.stage[row]], tree.path(int(result.removals.cluster[row]))
    return Removal(x, y, given, float(separations.p_value[row]), stage, path)


def _meeting_cluster(result: HCCDResult, i: int, j: int) -> int:
    """Return the smallest cluster that holds both variables: where their order-0 test belongs."""
    layout = result.tree.layout()
    a, b = layout.position[i], layout.position[j]
    holds = (layout.start <= min(a, b)) & (layout.stop > max(a, b))
    sizes = np.where(holds, layout.stop - layout.start, len(result.names) + 1)
    return int(np.argmin(sizes))
