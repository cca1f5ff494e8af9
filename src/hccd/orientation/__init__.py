"""Orientation: colliders from separating sets, conflicts, Meek's rules."""

from hccd.orientation.colliders import COLLIDER_RULES, ColliderRule, Triple, judge_triples
from hccd.orientation.orient import CONFLICT_POLICIES, Conflict, ConflictPolicy, Oriented, orient
from hccd.orientation.untested import Evidence

__all__ = [
    "COLLIDER_RULES",
    "CONFLICT_POLICIES",
    "ColliderRule",
    "Conflict",
    "ConflictPolicy",
    "Evidence",
    "Oriented",
    "Triple",
    "judge_triples",
    "orient",
]
