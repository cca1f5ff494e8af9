"""The class of a DAG that a score search chose, the reasons for its arrows, and the tests that it disagrees with.

The counterpart of ``orient``, but nothing is decided here. Tests about triples that are not unshielded in the DAG are
ignored.
"""

from __future__ import annotations

import numpy as np

from hccd.graphs.constraints import Constraints
from hccd.graphs.pdag import IN, PDAG
from hccd.orientation.conflicts import BY_SCORE, OUTSCORED, SCORED, Conflicts
from hccd.orientation.orient import Oriented
from hccd.orientation.slots import Slots, directed_by
from hccd.orientation.triples import COLLIDER, NO_COLLIDER, Triples


def follow(dag: PDAG, judged: Triples, constraints: Constraints | None = None) -> Oriented:
    """Return the equivalence class of ``dag``, with the tests for colliders that it agrees and disagrees with.

    ``dag`` satisfies the ``constraints``, and so does the class after they are applied.
    """
    skeleton = dag.skeleton()
    rows = skeleton.rows
    found = rows.unshielded(dag.slot_marks == IN)
    colliders = Slots(found.x_slot, found.y_slot)

    triples = Slots(rows.slots(judged.z, judged.x), rows.slots(judged.z, judged.y))
    unshielded = (triples.x >= 0) & (triples.y >= 0) & (rows.slots(judged.x, judged.y) < 0)
    is_collider = unshielded & np.isin(triples.keys(), colliders.keys())
    followed = np.flatnonzero(is_collider & (judged.collider == COLLIDER))
    dropped = np.flatnonzero(unshielded & ~is_collider & (judged.collider == COLLIDER))
    denied = np.flatnonzero(is_collider & (judged.collider == NO_COLLIDER))

    supported = np.isin(colliders.keys(), triples.taken(followed).keys())
    graph, reasons = directed_by(
        skeleton, colliders, supported, BY_SCORE, None if constraints is None else constraints.told(rows)
    )

    listed = np.concatenate([dropped, denied])
    codes = np.repeat(np.array([OUTSCORED, SCORED], np.int8), [len(dropped), len(denied)])
    return Oriented(
        graph,
        Conflicts(judged.x[listed], judged.z[listed], judged.y[listed], judged.p_value[listed], codes),
        reasons,
        followed,
    )
