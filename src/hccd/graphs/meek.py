"""Meek's rules (1995): what must be directed once some edges are, if there is to be no cycle and no new collider.

``directed`` is the one place where edges become arrows. It says which rule made each arrow. It decides nothing about
evidence, and does not look for contradictions.

The rules, for a, b, c, d distinct ("-" undirected, "~" adjacent in any way, "!" not adjacent):

====  ==================================================  ======
R1    a -> b - c, a ! c                                    b -> c
R2    a -> b -> c, a - c                                   a -> c
R3    a - b, a - c, a - d, c -> b, d -> b, c ! d           a -> b
R4    a - b, a - d, a ~ c, d -> c -> b, b ! d              a -> b
====  ==================================================  ======
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.graphs.meek import MeekClosure
from hccd.graphs.pdag import OUT, PDAG
from hccd.graphs.skeleton import Skeleton

#: The reason of an arrow that rule k made is the number k; a caller's own reasons begin here.
FIRST_REASON = 5


class Directed(NamedTuple):
    """A graph closed under the rules, and for each slot with an arrow out of its owner the number of the reason."""

    graph: PDAG
    reason: NDArray[np.int8]


def directed(skeleton: Skeleton, arrows: NDArray[np.int32], reasons: NDArray[np.int8]) -> Directed:
    """Direct edges of ``skeleton``, then all that follows from them by R1-R4.

    Parameters
    ----------
    skeleton : Skeleton
        The edges, all undirected.
    arrows : array of int32
        Slots of the skeleton's rows: each becomes an arrow from the owner of the row to the neighbour. An edge that
        is named twice keeps its first direction.
    reasons : array of int8
        The number that stands for the reason of each arrow, at least ``FIRST_REASON``.
    """
    rows = skeleton.rows
    marks = np.zeros(rows.n_slots, np.int8)
    found = np.zeros(rows.n_slots, np.int8)
    MeekClosure(rows.first, rows.neighbors, rows.mirror, rows.owner, marks, found).close(arrows, reasons)
    return Directed(PDAG.from_slot_marks(skeleton, marks), found)


def meek_closure(pdag: PDAG) -> PDAG:
    """Return ``pdag`` with every edge directed that Meek's rules R1-R4 force.

    Examples
    --------
    >>> from hccd.graphs import PDAG, meek_closure
    >>> meek_closure(PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)])).directed_edges().tolist()
    [[0, 1], [1, 2]]
    """
    arrows = np.flatnonzero(pdag.slot_marks == OUT).astype(np.int32)
    return directed(pdag.skeleton(), arrows, np.full(len(arrows), FIRST_REASON, np.int8)).graph
