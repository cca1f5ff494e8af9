"""Triples given by slots, and the equivalence class that such colliders determine."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.meek import directed
from hccd.graphs.pdag import PDAG
from hccd.graphs.skeleton import Skeleton
from hccd.orientation.conflicts import BY_COLLIDER, BY_KNOWLEDGE, ArrowReasons


class Slots(NamedTuple):
    """Triples given by the slots of x and y in the row of z (see ``hccd.graphs.rows``)."""

    x: NDArray[np.int32]
    y: NDArray[np.int32]

    def taken(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Slots:
        """Return the given rows."""
        return Slots(self.x[rows], self.y[rows])

    def keys(self) -> NDArray[np.int64]:
        """One number for each triple, in the order of (z, x, y)."""
        return (self.x.astype(np.int64) << 32) | self.y


def directed_by(
    skeleton: Skeleton,
    colliders: Slots,
    supported: NDArray[np.bool_],
    otherwise: int,
    known: NDArray[np.int32] | None = None,
) -> tuple[PDAG, ArrowReasons]:
    """Direct the skeleton by its colliders and Meek's rules, and say why each arrow is there.

    Arrows of colliders that tests support (``supported``) have this reason, even if they belong to another collider as
    well; ``otherwise`` is the reason of the rest. Arrows that are ``known`` (slots of their tails) come before all
    others; they are among those of some DAG with exactly these colliders.
    """
    known = np.zeros(0, np.int32) if known is None else known
    arrows = [np.column_stack(colliders.taken(part)).ravel() for part in (supported, ~supported)]
    why = np.repeat(
        np.array([BY_KNOWLEDGE, BY_COLLIDER, otherwise], np.int8), [len(known), *(len(part) for part in arrows)]
    )
    found = np.concatenate([known, skeleton.rows.mirror[np.concatenate(arrows)]]).astype(np.int32)
    graph, reason = directed(skeleton, found, why)
    return graph, ArrowReasons(graph.directed_edges(), reason[reason > 0])
