"""A DAG that was found otherwise, beside the verdicts of the tests: its class, its reasons, what it overrules.

The counterpart of ``orient`` for a graph that a score chose: nothing is decided here. Verdicts about triples that are
no unshielded triples of the DAG any more have nothing to say about it.
"""

from __future__ import annotations

import numpy as np

from hccd.graphs.meek import directed
from hccd.graphs.pdag import IN, PDAG
from hccd.orientation.conflicts import BY_COLLIDER, BY_SCORE, OUTSCORED, SCORED, ArrowReasons, Conflicts
from hccd.orientation.orient import Oriented
from hccd.orientation.triples import COLLIDER, NO_COLLIDER, Triples


def follow(dag: PDAG, judged: Triples) -> Oriented:
    """Return the equivalence class of ``dag`` with the verdicts that it follows and those that it does not."""
    skeleton = dag.skeleton()
    rows = skeleton.rows
    found = rows.unshielded(dag.slot_marks == IN)
    colliders = _keys(found.x_slot, found.y_slot)

    x_slot, y_slot = rows.slots(judged.z, judged.x), rows.slots(judged.z, judged.y)
    triples = _keys(x_slot, y_slot)
    unshielded = (x_slot >= 0) & (y_slot >= 0) & (rows.slots(judged.x, judged.y) < 0)
    is_collider = unshielded & np.isin(triples, colliders)
    followed = np.flatnonzero(is_collider & (judged.collider == COLLIDER))
    dropped = np.flatnonzero(unshielded & ~is_collider & (judged.collider == COLLIDER))
    denied = np.flatnonzero(is_collider & (judged.collider == NO_COLLIDER))

    # Those that the tests speak for as well come first: their arrows are told by the evidence.
    supported = np.isin(colliders, triples[followed])
    arrows = [np.column_stack([found.x_slot[part], found.y_slot[part]]).ravel() for part in (supported, ~supported)]
    why = np.repeat(np.array([BY_COLLIDER, BY_SCORE], np.int8), [len(part) for part in arrows])
    graph, reason = directed(skeleton, rows.mirror[np.concatenate(arrows)], why)

    listed = np.concatenate([dropped, denied])
    codes = np.repeat(np.array([OUTSCORED, SCORED], np.int8), [len(dropped), len(denied)])
    return Oriented(
        graph,
        Conflicts(judged.x[listed], judged.z[listed], judged.y[listed], judged.p_value[listed], codes),
        ArrowReasons(graph.directed_edges(), reason[reason > 0]),
        followed,
    )


def _keys(x_slot: np.typing.NDArray[np.int32], y_slot: np.typing.NDArray[np.int32]) -> np.typing.NDArray[np.int64]:
    """One number for each triple, from the slots of its ends in the row of its middle."""
    return (x_slot.astype(np.int64) << 32) | y_slot.astype(np.int64)
