"""The passes of Algorithm 1 over a tree of clusters, as a list."""

from __future__ import annotations

from typing import NamedTuple

from hccd.choices import Refine
from hccd.clustering import ClusterTree

#: The stages of Algorithm 1: line 1, line 17, line 18.
STAGES = ("leaf", "between", "refine")
LEAF, BETWEEN, REFINE = range(3)
#: What may remove an edge after these: possible-d-sep sets (FCI), and the tests with which RFCI orients.
ALL_STAGES = (*STAGES, "possible-d-sep", "rfci")


class Pass(NamedTuple):
    """Alg for all clusters of one height, given sets of at most ``limit`` variables; ``stage`` indexes ``STAGES``."""

    stage: int
    height: int
    limit: int | None


def passes_over(tree: ClusterTree, refine: Refine, inner_order: int | None) -> list[Pass]:
    """List the passes: children first, since clusters of one height need those below.

    ``inner_order`` bounds every pass that a refinement of the root follows; without one, or on a tree of one cluster,
    it does not apply, since nothing would make up for it.
    """
    heights = int(tree.layout().height.max()) + 1
    inner = inner_order if refine != "never" and heights > 1 else None
    passes = [Pass(LEAF, 0, inner)]  # Algorithm 1, line 1: the leaves
    for height in range(1, heights):
        root = height == heights - 1
        passes.append(Pass(BETWEEN, height, inner))  # line 17: the list E, the pairs between children
        if refine == "each" or (refine == "root" and root):
            passes.append(Pass(REFINE, height, None if root else inner))  # line 18: every edge that is left
    return passes
