"""From a skeleton and the tests for colliders to a graph that is always valid.

On real data colliders contradict each other. Three steps resolve this:

1. Colliders are accepted one after the other, best evidence first; one that would reverse an accepted arrow, or close a
   directed cycle, is dropped.
2. The accepted arrows are extended to a DAG on the skeleton, sink by sink (Dor and Tarsi 1992). A variable that can
   be a sink without becoming a collider that no test supports is taken; if there is none, the one that disagrees with
   the fewest tests. Since the arrows have no cycle, this always ends.
3. The result is the equivalence class of that DAG: its colliders, and the arrows of background knowledge if there are
   any, closed under Meek's rules.

Where the tests agree, as with an oracle, nothing is dropped or forced, and the result is the CPDAG itself. Every triple
about which the graph disagrees with the tests is listed as a conflict.

Triples are identified here by the two slots of their ends in the row of the middle (see ``hccd.graphs.rows``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.graphs.acceptance import Acceptance
from hccd._kernels.graphs.extension import Extension
from hccd.choices import CONFLICT_POLICIES, ConflictPolicy
from hccd.errors import InvalidParameterError
from hccd.graphs.constraints import Constraints
from hccd.graphs.pdag import PDAG
from hccd.graphs.rows import Rows
from hccd.graphs.skeleton import Skeleton
from hccd.orientation.conflicts import BY_FORCE, DENIED, FORCED, KNOWN, ArrowReasons, Conflicts
from hccd.orientation.slots import Slots, directed_by
from hccd.orientation.triples import COLLIDER, Triple, Triples


@dataclass(frozen=True, eq=False)
class Oriented:
    """The graph, the conflicts, why each arrow is there, and which triples (rows) are colliders in tests and graph."""

    graph: PDAG
    conflicts: Conflicts
    reasons: ArrowReasons
    followed: NDArray[np.int64]


def orient(
    skeleton: Skeleton, triples: Sequence[Triple], policy: ConflictPolicy, constraints: Constraints | None = None
) -> Oriented:
    """Orient ``skeleton`` by the tested ``triples``, each an unshielded triple of it and listed once.

    ``policy`` decides between colliders that contradict each other: ``strongest`` takes first those whose ends
    depend most on each other given the middle as well (``dependence``), and of equals the higher p-value; ``first``
    goes by the order of the variables; ``undirected`` (as in the paper's experiments) drops both colliders that need
    opposite directions of an edge.

    Edges to which ``constraints`` leave one direction get it before any collider; these arrows have no cycle.
    """
    if policy not in CONFLICT_POLICIES:
        raise InvalidParameterError(f"conflicts is {policy!r}; choose one of {', '.join(CONFLICT_POLICIES)}")
    judged = Triples.of(triples)
    rows = skeleton.rows
    slots = _slots(rows, judged)
    claimed = np.flatnonzero(judged.collider == COLLIDER)
    claims = slots.taken(claimed)
    known = np.zeros(0, np.int32) if constraints is None else constraints.arrows(rows)
    into, refusal = _accept(rows, claims, judged.taken(claimed), policy, known)
    parent = _extension(rows, into, claims)

    found = rows.unshielded(parent)
    colliders = Slots(found.x_slot, found.y_slot)
    row = _rows_of(colliders, slots)
    supported = row >= 0
    supported[supported] = judged.collider[row[supported]] == COLLIDER
    graph, reasons = directed_by(
        skeleton, colliders, supported, BY_FORCE, known if constraints is None else constraints.told(rows)
    )

    present = parent[claims.x] & parent[claims.y]
    is_known = np.zeros(rows.n_slots, bool)
    is_known[known] = True
    refusal[is_known[claims.x] | is_known[claims.y]] = DENIED
    forced = colliders.taken(~supported)
    is_known = is_known[rows.mirror]
    why_forced = np.where(is_known[forced.x] & is_known[forced.y], KNOWN, FORCED).astype(np.int8)
    return Oriented(
        graph,
        _conflicts(rows, judged, claimed[~present], refusal[~present], forced, row[~supported], why_forced),
        reasons,
        claimed[present],
    )


def _slots(rows: Rows, judged: Triples) -> Slots:
    """Find the slots of the triples; refuse one that is not an unshielded triple of the skeleton."""
    slots = Slots(rows.slots(judged.z, judged.x), rows.slots(judged.z, judged.y))
    wrong = (slots.x < 0) | (slots.y < 0) | (judged.x >= judged.y) | (rows.slots(judged.x, judged.y) >= 0)
    if wrong.any():
        x, z, y = judged[int(np.flatnonzero(wrong)[0])][:3]
        raise InvalidParameterError(
            f"the triple {x} - {z} - {y} is not two edges of the skeleton with ends x < y that are not adjacent: "
            "leave it out"
        )
    return slots


def _rows_of(wanted: Slots, listed: Slots) -> NDArray[np.int64]:
    """Return the row of each wanted triple in the list, -1 if it is not there."""
    keys, sought = listed.keys(), wanted.keys()
    if not len(keys):
        return np.full(len(sought), -1, np.int64)
    # Judged triples come sorted, but a caller may list them in any order.
    by_key = np.argsort(keys, kind="stable")
    place = np.minimum(np.searchsorted(keys, sought, sorter=by_key), len(keys) - 1)
    row = by_key[place]
    return np.where(keys[row] == sought, row, -1)


def _accept(
    rows: Rows, claims: Slots, judged: Triples, policy: ConflictPolicy, known: NDArray[np.int32]
) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """Return where accepted colliders put arrows into the owner of a slot, and for each collider why it was dropped."""
    if policy == "first":
        order = np.arange(len(judged))
    else:
        # nan comes last: nothing to judge by. Without any p-values the order of the variables decides.
        order = np.lexsort((np.where(np.isnan(judged.p_value), 0.0, -judged.p_value), judged.dependence))
    contested = np.zeros(rows.n_slots, np.uint8)
    if policy == "undirected":
        claimed = np.zeros(rows.n_slots, np.uint8)
        claimed[claims.x] = claimed[claims.y] = 1
        contested = claimed & claimed[rows.mirror]
    into = np.zeros(rows.n_slots, np.uint8)
    x_slot, y_slot = claims.taken(order)
    refused = np.zeros(len(order), np.int8)
    acceptance = Acceptance(rows.first, rows.neighbors, rows.mirror, into)
    acceptance.assume(rows.neighbors[known], rows.mirror[known])
    acceptance.accept(rows.owner[x_slot], x_slot, y_slot, contested, refused)
    refusal = np.empty_like(refused)
    refusal[order] = refused
    return into, refusal


def _extension(rows: Rows, into: NDArray[np.uint8], claims: Slots) -> NDArray[np.bool_]:
    """Return which slots hold parents in a DAG on the skeleton that keeps the accepted arrows.

    The price of a sink is the number of new colliders that it creates and no test supports.
    """
    parent = np.zeros(rows.n_slots, np.uint8)
    extension = Extension(rows.first, rows.neighbors, rows.mirror, into)
    extension.claim(claims.x, claims.y)
    extension.run(False, parent)
    return parent.view(np.bool_)


def _conflicts(
    rows: Rows,
    judged: Triples,
    dropped: NDArray[np.int64],
    refusal: NDArray[np.int8],
    forced: Slots,
    forced_row: NDArray[np.int64],
    why_forced: NDArray[np.int8],
) -> Conflicts:
    """List the colliders of the tests that the graph lacks, and its colliders that no test supports."""
    p_value = np.full(len(forced_row), np.nan)
    has_verdict = forced_row >= 0
    p_value[has_verdict] = judged.p_value[forced_row[has_verdict]]
    return Conflicts(
        np.concatenate([judged.x[dropped], rows.neighbors[forced.x]]),
        np.concatenate([judged.z[dropped], rows.owner[forced.x]]),
        np.concatenate([judged.y[dropped], rows.neighbors[forced.y]]),
        np.concatenate([judged.p_value[dropped], p_value]),
        np.concatenate([refusal, why_forced]),
    )
